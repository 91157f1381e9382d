"""A house rule of any game under which a property fails: no game ends."""

from __future__ import annotations

from maumau import Check, Invariant, Variant, query
from rules.ending import Ending


@query
def is_running(table):
    return table.ending == Ending.RUNNING


UNENDING = Variant("unending", "No game may end.", (Check(Invariant("no game ends", is_running)),))
