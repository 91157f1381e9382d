"""How games and machines are shown: as text, as records, as diagrams.

Part of maumau.
"""
