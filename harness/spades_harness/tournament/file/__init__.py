"""The tournament file, and who takes part by it: from YAML to values. Knows no results."""
