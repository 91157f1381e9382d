"""Functions that are the same for all games; see `maumau.kernels.compiled`."""
