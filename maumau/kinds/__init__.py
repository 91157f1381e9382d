"""Small games of several kinds, which `maumau new` copies: each is a game that runs."""
