"""Functions of agents that are the same for all games, compiled as those of `maumau.kernels.compiled` are."""
