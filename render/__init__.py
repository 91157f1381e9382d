"""Output of games, machines and studies: text, diagrams, pages and reports.

Part of maumau.
"""

from _maumau import check

check("rules", "fsm", "agents", "play", "study")  # before any of their modules is imported
