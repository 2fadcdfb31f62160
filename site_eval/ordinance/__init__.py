"""Ordinances as data: clauses, the kinds of rule that they hold, and what the rules ask for."""
