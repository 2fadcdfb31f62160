"""Inspect a licensed assembly on event day, with or without signal."""
