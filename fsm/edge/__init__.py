"""Checks at the edge: numbers, files and optional packages."""
