"""Where matches run: lanes of this machine, or the workers of a cluster."""
