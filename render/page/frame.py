"""The frames of a page: what is shown of a game after each event, as plain data, and how two frames differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.stepping.game import Game
from fsm.stepping.position import pile_of
from fsm.stepping.view import trick_text
from render.page.faces import notes_of, text_facts
from rules.piles import discard_pile, draw_pile

Frame = dict[str, Any]
Note = tuple[str, str]
Notes = tuple[Note, ...]
Change = dict[str, Any]
Splice = list[Any]
Names = Callable[[Iterable[int]], list[str]]

ROWS = ("draw", "discard")
"""The parts of a frame that are rows of cards; `hands` is a row for each seat."""


def frame_of(game: Game) -> Frame:
    """What is shown of `game` now.

    phase: its index among the phases. player: who acts, from 1. hands, draw, discard: names of cards, in the order of
    the game. notes: pairs of what is due or holds, in words, and the letter of a suit or nothing. calls: by seat.
    melds: names of cards by seat and group, in games in which some lie open.
    """
    frame, names = coded_frame_of(game), game.declaration.codec.notation.names
    return frame | {row: tuple(names(frame[row])) for row in ROWS}


def coded_frame_of(game: Game) -> Frame:
    """The same with codes for the cards of the piles: most are never shown, and names cost time."""
    table = game.table
    laid_open = game.melds
    return ({"melds": laid_open} if laid_open else {}) | {
        "phase": _indices(game.declaration)[game.phase],
        "player": game.player,
        "hands": game.hands,
        "draw": draw_pile(table),
        "discard": discard_pile(table),
        "notes": notes(game),
        "calls": _calls(game),
    }


def notes(game: Game) -> Notes:
    """What holds beside the cards, in words, each with the letter of the suit that it names, or nothing."""
    codes = tuple(
        pile_of(game.declaration, fact, game.table) if fact.is_pile else getattr(game.table, fact.field)
        for fact in text_facts(game.declaration)
    )
    others_act = game.player != game.turn and game.outcome is None
    trick = ((f"trick: {trick_text(game.trick)}", ""),) if game.trick else ()
    return (((game.who_acts, ""),) if others_act else ()) + trick + _recent_notes(game.declaration)(codes)


def _calls(game: Game) -> tuple[int, ...]:
    """How often each seat has made a call."""
    calls = game.declaration.calls
    if not calls:
        return (0,) * game.players
    return tuple(sum(call.count(game.table, seat) for call in calls) for seat in range(game.players))


@kept
def _indices(game: Declaration) -> Mapping[Phase, int]:
    """The index of each phase."""
    return {phase: index for index, phase in enumerate(game.phases)}


@kept
def _recent_notes(game: Declaration) -> Callable[[tuple[Any, ...]], Notes]:
    """Makes the notes for codes of facts, and keeps the last ones."""
    return lru_cache(maxsize=512)(partial(_notes, game))


def _notes(game: Declaration, codes: tuple[Any, ...]) -> Notes:
    names = game.codec.notation.suits
    values = {
        fact.name: names[code] if fact.kind == "suit" else fact.words[code] if fact.words else code
        for fact, code in zip(text_facts(game), codes, strict=True)
        if fact.is_pile or code >= 0
    }
    return tuple(notes_of(game, values))


def change(before: Frame, after: Frame, names: Names) -> Change:
    """What must be done to the coded frame `before` to make it `after`: new values, and splices of rows of cards.

    A splice is an index, how many cards leave there, and the names of the cards that come. `hands` has those of the
    seats, from 0.
    """
    changed: Change = {}
    for name, value in after.items():
        if value == before[name]:
            continue
        if name == "hands":
            hands = zip(before[name], value, strict=True)
            changed[name] = {str(seat): splice(old, new) for seat, (old, new) in enumerate(hands) if old != new}
        elif name in ROWS:
            start, leaving, *coming = splice(before[name], value)
            changed[name] = [start, leaving, *names(coming)]
        else:
            changed[name] = value
    return changed


def splice(before: Sequence[Any], after: Sequence[Any]) -> Splice:
    """The shortest single splice that makes the row `after` of the row `before`."""
    fewer = min(len(before), len(after))
    start = _alike(before[:fewer], after[:fewer])
    left = fewer - start
    same = _alike(before[len(before) - left :][::-1], after[len(after) - left :][::-1]) if left else 0
    return [start, len(before) - same - start, *after[start : len(after) - same]]


def _alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many cards two rows of one length have in common from their beginning on."""
    if one == other:
        return len(one)
    return next(index for index, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
