"""Functions that are the same for all games, of which machine code is made for players that learn or search.

They are compiled as those of `maumau.kernels.compiled` are.
"""
