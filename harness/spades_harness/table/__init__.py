"""One match, played fairly: the referee, and what may sit at the table."""
