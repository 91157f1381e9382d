"""Acquaintance: who knows whom, and by how many steps."""
