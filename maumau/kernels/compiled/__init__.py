"""Functions that are the same for all games, of which machine code is made with the part that is written for a game.

They are never called by Python. Names that they import for type checking alone are those of `given.pyi`: instructions
of the compiler, and what the text that is written for a game defines.
"""
