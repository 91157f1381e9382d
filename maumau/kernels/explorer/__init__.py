"""Visits all positions of a game with a small deck in machine code."""
