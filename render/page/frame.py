"""What is seen of a game after each event, as plain data; and how one frame differs from the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fsm.game import Game
from fsm.position import NOTHING, fact_text
from render.page.faces import suits

Frame = dict[str, Any]
Change = dict[str, Any]
Splice = list[Any]

ROWS = ("draw", "discard")
"""The parts of a frame that are rows of cards; `hands` is a row for each seat."""


def frame_of(game: Game) -> Frame:
    """What is seen of `game` now.

    phase: its place among the phases. player: in turn, from 1. hands, draw, discard: names of cards, in the order of
    the game. notes: pairs of what is due or holds, in words, and the letter of a suit or nothing. calls: by seat.
    """
    return {
        "phase": list(game.declaration.phases).index(game.phase),
        "player": game.player,
        "hands": [list(hand) for hand in game.hands],
        "draw": list(game.draw_pile),
        "discard": list(game.discard_pile),
        "notes": notes(game),
        "calls": [sum(call.count(game.table, seat) for call in game.declaration.calls) for seat in range(game.players)],
    }


def notes(game: Game) -> list[list[str]]:
    """What holds beside the cards, in words, each with the letter of the suit that it names, or nothing."""
    told = []
    for fact in game.declaration.words.facts:
        text = fact_text(game.declaration, fact, game.table)
        if fact.kind == "suit" and text != NOTHING:
            words = suits(game.declaration)
            told.append([f"{_SUIT_FACTS.get(fact.name, fact.name)}: {words[text]}", text])
        elif fact.kind == "number" and text != "0":
            one, many = _NUMBERS.get(fact.name, (fact.name, f"{fact.name} {{}}"))
            told.append([one if text == "1" else many.format(text), ""])
    return told


_SUIT_FACTS = {"suit": "bound suit", "colour": "named colour"}
_NUMBERS = {
    "due": ("1 card due", "{} cards due"),
    "penalty": ("as a penalty", ""),
    "reversed": ("counter-clockwise", ""),
}
"""The words of facts that count, for one and for more."""


def change(before: Frame, after: Frame) -> Change:
    """What must be done to `before` to make it `after`: new values, and splices of rows of cards.

    A splice is a place, how many cards leave there, and the cards that come. `hands` has those of the seats, from 0.
    """
    changed: Change = {}
    for name, value in after.items():
        if value == before[name]:
            continue
        if name == "hands":
            hands = zip(before[name], value, strict=True)
            changed[name] = {str(seat): splice(old, new) for seat, (old, new) in enumerate(hands) if old != new}
        else:
            changed[name] = splice(before[name], value) if name in ROWS else value
    return changed


def splice(before: Sequence[str], after: Sequence[str]) -> Splice:
    """The shortest single splice that makes the row `after` of the row `before`."""
    shorter = min(len(before), len(after))
    start = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    same = 0
    while same < shorter - start and before[-1 - same] == after[-1 - same]:
        same += 1
    return [start, len(before) - same - start, *after[start : len(after) - same]]


def changed(before: Frame, changes: Mapping[str, Any]) -> Frame:
    """The frame that `changes` make of `before`, which stays as it is."""
    after = dict(before)
    for name, value in changes.items():
        if name == "hands":
            after[name] = [
                _spliced(hand, value[str(seat)]) if str(seat) in value else hand
                for seat, hand in enumerate(before[name])
            ]
        else:
            after[name] = _spliced(before[name], value) if name in ROWS else value
    return after


def _spliced(row: Sequence[str], made: Splice) -> list[str]:
    start, leaving, *coming = made
    return [*row[:start], *coming, *row[start + leaving :]]
