"""The command `maumau`: it parses, calls and prints.

Part of maumau.
"""

from _maumau import check

check("rules", "fsm", "study", "render")  # before anything of them is imported
