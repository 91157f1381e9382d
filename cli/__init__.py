"""The command `maumau`: it parses, calls and prints."""
