"""The command `maumau`: it parses, calls and prints.

Part of maumau.
"""
