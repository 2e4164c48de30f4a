"""The ledger: what was planned, played and decided, in one SQLite file a run; and whether it still says so."""
