"""Who meets whom: pure functions of entrants, options and the results so far."""
