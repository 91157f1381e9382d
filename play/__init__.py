"""A table at which people and computer players play any game, without a screen, a clock, or input and output.

Part of maumau.
"""

from _maumau import check

check("rules", "fsm", "agents")  # before any of their modules is imported

from play.refusals import NotAsked, Refused, Stale
from play.seats import Computer, Person, Seat
from play.setup import Setup
from play.table import Table

__all__ = ["Computer", "NotAsked", "Person", "Refused", "Seat", "Setup", "Stale", "Table"]
