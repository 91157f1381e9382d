"""A table at which people and computer players play any game, without a screen, a clock, or input and output."""

from maumau.play.table.setup import Computer, Person, Seat, Setup
from maumau.play.table.table import Table
from maumau.play.table.view import NotAsked, Refused, Stale

__all__ = ["Computer", "NotAsked", "Person", "Refused", "Seat", "Setup", "Stale", "Table"]
