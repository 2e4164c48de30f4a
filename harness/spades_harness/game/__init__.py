"""The game of Spades as pure values and functions: no I/O, no clock, no concurrency, no JSON."""
