"""Functions that are the same for all games, of which machine code is made for counts of studies."""
