"""Stalls laid out one by one in a polygon, with aisles that reach a gate; see ``pack``."""
