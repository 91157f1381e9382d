"""Declarations: the vocabulary of games, and a game as one value that is validated when it is made."""
