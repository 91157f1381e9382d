"""What a seat sees of the table as plain data: computed from what the seat knows, and from nothing else."""

from __future__ import annotations

import dis
from collections.abc import Sequence
from functools import cache
from typing import Any

from fsm.arcs import Arc
from fsm.compiler.fingerprint import reached
from fsm.declaration import Declaration
from fsm.stepping.game import Game
from fsm.stepping.moves import Move, on_table, put_back, put_on_table
from fsm.stepping.position import position_of
from fsm.stepping.view import open_card, sees, visible_facts
from play.question import Data, Question
from rules.ending import Ending
from rules.rule import RuleFunction
from rules.visibility import SeenBy, visibility


def game_view(seen: Game, seat: int, question: Question | None) -> Data:
    """What `seat` (from 0, or `play.sight.NOBODY`) sees of a round. seen: the game as the seat knows it."""
    declaration, table = seen.declaration, seen.table
    position = position_of(declaration, seen.phase, table, seen.hands)
    over = seen.outcome is not None
    shown = position.cards_seen_by(seat, declaration.table)
    hands = position.hands if over else shown.hands
    asked_in_secret = secret_declines(seen) and seen.player != seat + 1
    return {
        "phase": str(seen.phase),
        "player": None if over or asked_in_secret else seen.player,
        "turn": None if over else seen.turn,
        "who": "" if over else "the others are asked" if asked_in_secret else seen.who_acts,
        "hands": [list(hand) if "?" not in hand else None for hand in hands],
        "hand_sizes": [len(hand) for hand in hands],
        "melds": [[list(meld) for meld in melds] for melds in position.melds],
        "open_card": (open_card(declaration, table) or None) if sees(declaration, "open_card", table, seat) else None,
        "draw_pile": len(position.draw),
        "discard_pile": list(shown.discard),
        "facts": {name: _plain(value) for name, value in visible_facts(declaration, table, seat).items()},
        "arcs": arcs_of(seen, seat, question),
        "question": question.data() if question else None,
    }


def secret_declines(game: Game) -> bool:
    """Whether seats are asked, of which some have nothing to choose: who does nothing tells nothing about the hand."""
    control = game.declaration.control.get(game.phase)
    return control is not None and any(trigger in control.forced for trigger in control.declines)


def _plain(value: Any) -> Any:
    """The value of a fact as JSON has it."""
    if isinstance(value, Ending):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


# ---------------------------------------------------------------- the arcs that leave the phase


def arcs_of(seen: Game, seat: int, question: Question | None) -> list[Data]:
    """The arcs that leave the phase: their numbers in the declaration, whether they are enabled, and the moves, by
    place among those of the question, that fire them.

    enabled: None where a guard reads what the seat does not see.
    """
    declaration = seen.declaration
    moves = question.moves if question else ()
    found = []
    for number, arc in enumerate(declaration.arcs):
        if arc.source is not seen.phase:
            continue
        firing = _firing(seen, arc, moves)
        named = arc.trigger in declaration.card_events or arc.trigger in declaration.value_kinds
        enabled: bool | None = bool(firing) if moves or named else arc.enabled(seen.table)
        if not _knows(declaration, seen, seat, arc):
            enabled = None
        found.append({"arc": number, "enabled": enabled, "moves": firing})
    return found


def _firing(seen: Game, arc: Arc, moves: Sequence[Move]) -> list[int]:
    """The places of the moves that fire an arc, as far as the seat knows."""
    declaration, table, found = seen.declaration, seen.table, []
    before = on_table(declaration, table)
    for place, move in enumerate(moves):
        if move.trigger == arc.trigger:
            put_on_table(declaration, table, _code(seen, move))
            if arc.enabled(table) or not guards_known(declaration, arc):
                found.append(place)
    put_back(declaration, table, before)
    return found


def _code(seen: Game, move: Move) -> tuple[str, int, int]:
    """A legal move in codes."""
    notation = seen.declaration.codec.notation
    held = {notation.cards[code]: code for code in seen.declaration.codec.held(seen.table, seen.player - 1)[::-1]}
    card = -1 if move.card is None else held.get(move.card, notation.card(move.card))
    codes = [kind.to_code(notation, value, seen.players) for kind, value in move.named.items()]
    return move.trigger, card, codes[0] if codes else -1


def _knows(declaration: Declaration, seen: Game, seat: int, arc: Arc) -> bool:
    """Whether a seat sees all that the guards of an arc read."""
    return guards_known(declaration, arc) and (seen.player == seat + 1 or not _reads(declaration, arc, SeenBy.OWNER))


def guards_known(declaration: Declaration, arc: Arc) -> bool:
    """Whether the guards of an arc read nothing that nobody sees."""
    return not _reads(declaration, arc, SeenBy.NOBODY)


@cache
def _reads(declaration: Declaration, arc: Arc, by: SeenBy) -> bool:
    """Whether a guard of an arc reads a field of the table that is seen so."""
    seen = visibility(declaration.table)
    return any(seen.get(name) is by for guard in (*arc.when, *arc.unless) for name in _attributes(guard))


@cache
def _attributes(function: RuleFunction) -> frozenset[str]:
    """The names of the attributes that a rule function, or one that it calls, reads."""
    instructions = (step for each in reached([function]) for step in dis.get_instructions(each.__code__))
    return frozenset(str(step.argval) for step in instructions if step.opname in ("LOAD_ATTR", "LOAD_METHOD"))
