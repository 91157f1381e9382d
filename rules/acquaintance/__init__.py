"""Acquaintance: who knows whom, and over how many steps."""
