"""Two tables side by side that look the same to a player: hidden cards are dealt anew at one of them.

The others choose alike, as far as the player sees what they choose. Whatever tells the player the tables apart then is
a leak, unless the game declares that the rules make it public (`Declaration.reveals`).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from fsm.stepping.steps import Move
from maumau.play.table import Table
from rules.notation import UNKNOWN

Entry = dict[str, Any]
SHOWN = ("card", "text", "why")
"""What differs in an entry where only the card differs that the player is shown."""


def difference(one: str, other: str) -> tuple[str, str]:
    """The places where two texts begin to differ."""
    place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return one[max(0, place - 80) :][:160], other[max(0, place - 80) :][:160]


class Apart(Exception):
    """A player can tell two tables apart."""


class Over(Exception):
    """There is nothing more to compare: something that the player may see differs, or a round is over."""


class SideBySide:
    """Two tables at which one player cannot tell the worlds apart so far. send: everything that is sent to a player."""

    def __init__(self, one: Table, other: Table, player: int | None, send: Callable[[Table, int | None], str]) -> None:
        self.one, self.other, self.player, self.send = one, other, player, send
        self.reveals = one.game.declaration.reveals

    def play(self, moves: Random, events: int) -> None:
        """Play on both, with moves at random. Raises Apart."""
        try:
            self._compare("at first")
            for _ in range(events):
                self._play_one(moves)
        except Over:
            pass

    def _play_one(self, moves: Random) -> None:
        """One event that the player sees at the first table, and the same at the second."""
        while True:
            asked = self.one.asked
            chosen = None if asked is None else moves.choice(self.one.game.events().legal)
            if asked is not None and asked == self.player:
                self._ask_both()
            entry = self._seen(self.one, chosen)
            if entry is not None:
                break
        if asked is not None and asked == self.player:
            found = self._seen(self.other, chosen)
        else:
            found = self._follow(entry, forced=chosen is None)
        self._match(entry, found)
        self._compare(str(entry["event"]))

    def _seen(self, table: Table, chosen: Move | None) -> Entry | None:
        """The entry of the next event; None if the player does not see it: then nothing that is sent changes.

        chosen: the move of the person who is asked.
        """
        before, number = self.send(table, self.player), table.version(self.player)
        if chosen is None:
            assert table.advance()
        else:
            assert table.asked is not None
            table.act(table.asked, chosen, at=table.version(table.asked))
        entries = [entry for entry in table.log(self.player, number) if "arc" in entry]
        if entries:
            return entries[0]
        if table.asked is None or table.asked != self.player:
            after = self.send(table, self.player)
            if after != before:
                self._differ(*difference(before, after), "an event that is not seen")
        return None

    def _ask_both(self) -> None:
        """Go on at the second table, unseen, until the player is asked there, too."""
        while self.other.asked != self.player:
            entry = self._seen(self.other, self._unseen_move())
            if entry is not None:
                self._differ("the player is asked", entry["event"], entry["event"])
        self._compare("asked")

    def _unseen_move(self) -> Move | None:
        """What the second table goes on with, unseen if somebody is asked."""
        table = self.other
        if table.asked is None:
            return None
        declines = table.game.declaration.control[table.game.phase].declines
        for move in table.game.events().legal:
            if move.trigger in declines:
                return move
        raise Apart(f"player {self.player} is asked, or {table.asked} in {table.game.phase}")

    def _follow(self, entry: Entry, *, forced: bool) -> Entry | None:
        """The entry of what the player sees next at the second table, where it is chosen like the first one's."""
        while True:
            asked = self.other.asked
            move = None if asked is None else self._like(entry)
            if asked is not None and move is None:
                if not forced:
                    raise Over
                self._differ(entry["event"], f"player {asked} is asked in {self.other.game.phase}", entry["event"])
            found = self._seen(self.other, move)
            if found is not None:
                if not forced and move is None and found["event"] != entry["event"]:
                    raise Over  # the player at the first table might have chosen what is forced at the second one
                return found

    def _like(self, entry: Entry) -> Move | None:
        """A move at the second table that the player sees as an entry says, or does not see."""
        game, declining = self.other.game, None
        if self.other.asked == self.player:
            return None
        control = game.declaration.control[game.phase]
        seen_as = {offer.trigger: offer.seen_as or offer.trigger for offer in control.offers}
        kinds = {str(kind) for kind in game.declaration.own_kinds} | {"suit"}
        for move in game.events().legal:
            named = all(
                entry.get(kind) in (value, UNKNOWN)
                for kind in kinds
                if (value := getattr(move, kind, None)) is not None
            )
            if seen_as[move.trigger] == entry["event"] and entry["card"] in (move.card, UNKNOWN) and named:
                return move
            if move.trigger in control.declines:
                declining = move
        return declining

    def _match(self, entry: Entry, found: Entry | None) -> None:
        assert found is not None
        if self.one.state != "playing" or self.other.state != "playing":
            if (entry["event"], entry["phase"]) == (found["event"], found["phase"]):
                raise Over
        elif entry == found:
            return
        elif all(entry[name] == found[name] for name in entry if name not in SHOWN) and entry["card"] != found["card"]:
            raise Over
        self._differ(entry, found, entry["event"], found["event"])

    def _compare(self, after: str) -> None:
        one, other = self.send(self.one, self.player), self.send(self.other, self.player)
        if one != other:
            self._differ(*difference(one, other), after)

    def _differ(self, one: Any, other: Any, *events: str) -> None:
        if any(event in self.reveals for event in events):
            raise Over
        raise Apart(f"player {self.player}, {events}: {one} or {other}")
