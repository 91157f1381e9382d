"""The command-line interface `maumau`."""
