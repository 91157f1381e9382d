"""The rules of the games: pure functions and small data types, without state machines, rendering or compilation.

Part of maumau.
"""
