"""Functions that are the same for all games, of which machine code is made with the part that is written for a game.

They are never called by Python. What they take for granted they read from `given`: instructions of the compiler, and
what is known of a game.
"""
