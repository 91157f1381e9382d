"""The log of a table as one seat may see it: numbered entries, of which none is ever changed or removed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.stepping.game import Game
from fsm.stepping.steps import Step, narrate, sentence
from fsm.stepping.view import seen_step
from maumau.play.table.seen import blanked
from rules.notation import UNKNOWN

Entry = dict[str, Any]
RULES = "rules"
"""What fires an event that is forced."""


class Logs:
    """The log of each seat. versions: how often each seat has seen the table change."""

    def __init__(self, seats: Iterable[int]) -> None:
        self.versions = dict.fromkeys(seats, 0)
        self._entries: dict[int, list[Entry]] = {seat: [] for seat in self.versions}

    @property
    def last_numbers(self) -> dict[int, int]:
        """The number of the last entry of each log."""
        return {seat: entries[-1]["number"] for seat, entries in self._entries.items()}

    def since(self, seat: int, number: int) -> list[Entry]:
        """The entries of a seat with a number above `number`."""
        entries = self._entries[seat]
        return entries[bisect_right(entries, number, key=itemgetter("number")) :]

    def append(self, seat: int, entry: Entry) -> None:
        """Enter something in the log of a seat."""
        self.versions[seat] += 1
        self._entries[seat].append({"number": self.versions[seat], **entry})

    def tell(self, event: str, text: str, player: int | None = None) -> None:
        """Enter in all logs what is no event of the game."""
        for seat in self.versions:
            self.append(seat, {"event": event, "player": player, "text": text})


def event_entry(game: Game, step: Step, seat: int, by: str) -> Entry:
    """An event as a seat sees it. by: what fired it."""
    declaration = game.declaration
    seen = seen_step(declaration, step, seat)
    assert seen is not None, "an event that a seat does not see is in no log of it"
    secret = seen.player != seat + 1 and seen.arc in declaration.disguises.values()
    if secret:
        by = RULES
    hidden: dict[str, Any] = {str(kind): None for kind, value in seen.named.items() if value == UNKNOWN}
    card = f"a {declaration.codec.notation.card_word}" if seen.card == UNKNOWN else seen.card
    scene = step.scene
    if scene.before is not None and step.dest is not declaration.final:  # when all is over, it is shown as it was
        scene = scene.read_as(blanked(declaration, scene.before, seat))
    narration = narrate(seen._replace(card=card, scene=scene, **hidden))
    if secret:  # the rule in words would tell the one arc from the other
        narration = narration._replace(why="", description="")
    return {
        "event": seen.trigger,
        "player": narration.player if by != RULES or narration.what else None,
        "card": seen.card,
        **{str(kind): value for kind, value in seen.named.items()},
        "phase": str(step.dest),
        "arc": _numbers(declaration)[seen.arc],
        "by": by,
        "text": "" if seen.trigger in declaration.look.silent else sentence(narration, seen.trigger),
        "rule": narration.description,
        "why": narration.why,
    }


@kept
def _numbers(declaration: Declaration) -> dict[Arc, int]:
    """The number of each arc."""
    return {arc: number for number, arc in enumerate(declaration.arcs)}
