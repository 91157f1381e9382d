"""How games and machines are shown: as text, as records, as diagrams.

Part of maumau.
"""

from _maumau import check

check("rules", "fsm", "study")  # before anything of them is imported
