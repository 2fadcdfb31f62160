"""How clauses meet checks; the engine knows no check by name."""
