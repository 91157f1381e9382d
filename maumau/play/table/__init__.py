"""A table at which people and computer players play any game, without a screen, a clock, or input and output."""

from maumau.play.table.question import NotAsked, Refused, Stale
from maumau.play.table.setup import Computer, Person, Seat, Setup
from maumau.play.table.table import Table

__all__ = ["Computer", "NotAsked", "Person", "Refused", "Seat", "Setup", "Stale", "Table"]
