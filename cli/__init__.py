"""The command-line interface `maumau`.

Part of maumau.
"""

from _maumau import check

check("rules", "fsm", "agents", "play", "study", "render")  # before any of their modules is imported
