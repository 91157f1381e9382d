"""Played games and matches as plain data, and the way back, which checks every event."""
