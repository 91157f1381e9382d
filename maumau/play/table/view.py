"""What a seat sees of the table as plain data: computed from what the seat knows, and from nothing else.

What several players see is found and encoded once, however many they are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from fsm.declaration.arcs import Phase
from fsm.declaration.parts import SET_OF
from fsm.edge.kept import kept
from fsm.edge.numbers import Types, as_int, check_fields
from fsm.stepping.game import Game
from fsm.stepping.leaving import leaving_arcs
from fsm.stepping.moves import events_of
from fsm.stepping.steps import Move
from fsm.stepping.view import plain_facts
from fsm.table.sight import Relation, Sight
from maumau.play.table.seen import NOBODY, Seen
from maumau.play.table.setup import Setup, is_claim
from maumau.play.table.together import cards_together
from rules.errors import raised_as

T = TypeVar("T")
ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)


class Part:
    """Some fields of an object as plain data, and as JSON."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """fields: at least one; they do not change any more."""
        self.fields = fields

    @cached_property
    def text(self) -> str:
        """The fields as JSON, without the braces."""
        return ENCODER.encode(self.fields)[1:-1]


def encoded(parts: Iterable[Part]) -> str:
    """An object as JSON, from parts without a common field."""
    return f"{{{','.join([part.text for part in parts])}}}"


class FoundOnce(dict[Hashable, tuple[Any, Any]]):
    """Things that are found once as long as what they follow from is the same."""

    def once(self, what: Hashable, source: Any, find: Callable[[], T]) -> T:
        """A thing: found now, or before from the same `source`."""
        kept = self.get(what)
        if kept is None or kept[0] != source:
            kept = self[what] = source, find()
        found: T = kept[1]
        return found


def turn_view(seen: Seen, seat: int, asks: Setup | None) -> Part:
    """What a seat sees of what may happen now: the arcs that leave the phase, and the question to it.

    asks: the table at which the seat is asked for a move; None if it is not asked.
    """
    declaration, table, phase, sight = seen.declaration, seen.table, seen.phase, seen.sight
    if asks is None or phase not in declaration.control:
        unknown = _unknown_arcs(sight, phase, sight.relation(seat, table.player))
        return unknown or Part({"arcs": leaving_arcs(sight).data(phase, table, seat, ()), "question": None})
    triggers = [offer.trigger for offer in declaration.control[phase].offers]
    plan = seen.kind.plans[phase]
    codes = tuple(plan.legal(table))
    events = events_of(declaration, plan, table, seen.names(table.player), triggers, codes)
    question = question_data(seen, events.legal, dict(events.refused), asks)
    return Part({"arcs": leaving_arcs(sight).data(phase, table, seat, codes), "question": question})


OWN = "hands", "facts"
"""What a seat sees of a round otherwise than those who watch, unless `is_secret`."""


View = tuple[Part, Part, Part, Part]
"""What a seat sees of a round: each of the fields `OWN`, the others, and those of `turn_view`, in the same order
whoever acts.
"""


def seat_view(seen: Seen, seat: int, asks: Setup | None = None) -> View:
    """What a seat sees of a round. asks: as of `turn_view`."""
    view = seen.data(seat)
    others = Part({name: view[name] for name in view if name not in OWN})
    hands, facts = (Part({name: view[name]}) for name in OWN)
    return hands, facts, others, turn_view(seen, seat, asks)


def own_view(watched: View, seen: Seen, game: Game, seat: int, asks: Setup | None, found: FoundOnce) -> View:
    """What a seat sees, or `NOBODY`, where those who watch see as much except for the fields `OWN` and what may be
    done.

    watched: what they see, found from `seen`, the game as who acts knows it, unless that is secret. asks: as of
    `turn_view`. found: keeps the hands.
    """
    hands, facts, others, turn = watched
    if seat == NOBODY:
        return watched
    sight = game.sight
    relation = sight.relation(seat, game.table.player)
    if sight.hidden_hands(game.table, NOBODY, is_over=False):
        seen_by_seat = sight.hands_seen(seat, game.players)
        names = hands.fields["hands"]
        own = {owner: hand for owner, hand in enumerate(game.hands) if owner in seen_by_seat}
        hands = found.once(
            ("hands", seat),
            (names, own),
            lambda: Part({"hands": [list(own[each]) if each in own else cards for each, cards in enumerate(names)]}),
        )
    if sight.knows_facts(relation):
        facts = Part({"facts": plain_facts(sight, game.table, seat)})
    if asks or (relation is not Relation.OTHER and leaving_arcs(sight).knows_more(game.phase, relation)):
        turn = turn_view(seen, seat, asks)
    return hands, facts, others, turn


@kept
def _unknown_arcs(sight: Sight, phase: Phase, relation: Relation) -> Part | None:
    """What a seat that is not asked sees of the arcs that leave a phase, if it knows of none whether it is enabled.

    relation: of the seat to the one that acts.
    """
    arcs = leaving_arcs(sight).unknown(phase, relation)
    return None if arcs is None else Part({"arcs": arcs, "question": None})


Data = dict[str, Any]


class Refused(ValueError):
    """A table refuses a request; the message says why, and what to do. Nothing has changed then."""


class Stale(Refused):
    """The table has changed since the seat last saw it."""


class NotAsked(Refused):
    """The seat is not asked for a move now."""


def question_data(seen: Seen, moves: Sequence[Move], refused: Mapping[str, str], setup: Setup) -> Data:
    """The question to the player who acts, as plain data. seen: the game as the player knows it. moves: the legal ones.

    refused: why each other event that players choose here is refused, by its text. unplayable: for each card of the
    hand that no legal move names, why. together: how many cards are chosen together. seconds: the time to answer; None
    for any time.
    """
    control = seen.declaration.control[seen.phase]
    offered = [offer.trigger for offer in control.offers]
    from_hand = [offer.trigger for offer in control.offers if offer.cards is not None and offer.from_hand]
    named = {card for move in moves if move.trigger in from_hand for card in str(move.card).split(SET_OF)}
    unplayable: dict[str, str] = {}
    for card in dict.fromkeys(seen.names(seen.table.player)):
        if card not in named:
            texts = (reason for trigger in from_hand for reason in _against_card(refused, trigger, card))
            no_card = f"no card is asked for, it is time to {' or '.join(offered)}"
            if any(offer.forms for offer in control.offers):
                no_card = f"{card} is in no set of cards that you could {' or '.join(from_hand)}"
            unplayable[card] = "; ".join(dict.fromkeys(texts)) or no_card
    return {
        "kind": "claim" if is_claim(control) else "turn",
        "seconds": setup.seconds(control),
        "moves": [move_data(move) | (_meld(seen, move) if move.trigger not in from_hand else {}) for move in moves],
        "unplayable": unplayable,
        "together": cards_together(seen, moves[0]),
        "refused": refused,
    }


def _against_card(refused: Mapping[str, str], trigger: str, card: str) -> Iterator[str]:
    """Why a card cannot be named with an event: the reason against it, or those against the sets that it is in."""
    if reason := refused.get(str(Move(trigger, card))):
        yield reason
        return
    for event, reason in refused.items():
        name, _, cards = event.partition(" ")
        if name == trigger and card in cards.split(SET_OF):
            yield reason


def _meld(seen: Seen, move: Move) -> Data:
    """The cards that a claim lays out, where it names only one of them."""
    if move.card is None or not (seen.declaration.codec.melds or seen.sight.open_piles):
        return {}
    game = seen.game()
    after = game.clone()
    after.fire(move)
    laid = Counter(after.melds[game.player - 1]) - Counter(game.melds[game.player - 1])
    return {"meld": list(next(iter(laid)))} if laid else {}


def move_data(move: Move) -> Data:
    """A move as plain data: its fields, those without a value left out, and its text as `label`."""
    return move_fields(move) | {"label": str(move)}


def move_fields(move: Move) -> Data:
    """The fields of a move, those without a value left out."""
    return {name: value for name, value in move._asdict().items() if value is not None}


def checked_move(given: Move | Mapping[str, Any]) -> Move:
    """A move, or that of plain data, with plain numbers: it is entered in the journal. Raises Refused."""
    if isinstance(given, Move) and given.seat is None and given.amount is None:
        return given
    with raised_as(Refused, of=(TypeError, ValueError)):
        if not isinstance(given, Move):
            return move_of_data(given)
        numbers = {"seat": given.seat, "amount": given.amount}
        plain: Data = {name: as_int(name, value) for name, value in numbers.items() if value is not None}
        return given._replace(**plain)


SHOWN = "label", "meld"
"""What is said of a move besides its fields."""
TYPES: Types = {
    **dict.fromkeys(Move._fields, str),
    "seat": int,
    "amount": int,
    "answer": bool,
}


def move_of_data(data: object) -> Move:
    """The move of plain data; the game looks at the values. Raises ValueError."""
    if not isinstance(data, Mapping) or not isinstance(data.get("trigger"), str):
        raise ValueError('not a move; send an object with "trigger"')
    fields = {name: value for name, value in data.items() if name not in SHOWN}
    check_fields(fields, TYPES, known=Move._fields, of=" of a move")
    return Move(**fields)
