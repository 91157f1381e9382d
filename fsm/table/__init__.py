"""The table of a game, described once: who sees which part of it."""
