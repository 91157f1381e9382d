"""Errors whose messages tell those who use a command what to change: they are printed without a traceback."""


class Explained(Exception):
    """Something that was asked for cannot be done."""


class Unwritten(Explained):
    """A file could not be written."""
