"""What a seat sees of the table as plain data: computed from what the seat knows, and from nothing else.

What several players see is found and encoded once, however many they are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import default_values
from fsm.declaration.introspection import names_in
from fsm.declaration.parts import SET_OF
from fsm.edge.kept import kept
from fsm.edge.numbers import TEXT, Types, as_int, check_fields
from fsm.stepping.game import Game
from fsm.stepping.moves import Code, lay_move, move_of, plans_of, reasons_of
from fsm.stepping.steps import Move
from fsm.stepping.view import laid_open, turn_of, visible_facts, who_acts
from fsm.table.layout import layout_of
from fsm.table.sight import DISCARDS, HANDS, Level, Relation, sight_of
from maumau.play.table.seen import NOBODY, Seen
from maumau.play.table.setup import Setup, is_claim
from maumau.play.table.together import cards_together
from rules.climbing import ClimbingTable, set_to_beat
from rules.ending import Ending
from rules.errors import raised_as
from rules.piles import discard_pile
from rules.rule import RuleFunction
from rules.tricks import last_trick_of, trick_of

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


def round_view(seen: Seen, seat: int) -> Data:
    """What `seat` (from 0, or `maumau.play.table.seen.NOBODY`) sees of a round, except for `turn_view`. seen: the game
    as the seat knows it.
    """
    declaration, table, phase = seen.declaration, seen.table, seen.phase
    over, sight = seen.is_over, seen.sight
    hidden, relation = sight.hidden_hands(table, seat, is_over=over), sight.relation(seat, table.player)
    asked_in_secret = not sight.sees_actor(phase, relation)
    who = "the others are asked" if asked_in_secret else who_acts(table, plans_of(declaration)[phase].asks)
    names, of_tricks = declaration.codec.notation.cards, declaration.is_of_tricks
    lying = trick_of(table) if of_tricks else set_to_beat(table) if isinstance(table, ClimbingTable) else ()
    return {
        "phase": str(phase),
        "player": None if over or asked_in_secret else table.player + 1,
        "turn": None if over else turn_of(table),
        "who": "" if over else who,
        "hands": [None if hand and each in hidden else seen.names(each) for each, hand in enumerate(seen.hands)],
        "hand_sizes": list(map(len, seen.hands)),
        "melds": [[list(meld) for meld in melds] for melds in laid_open(declaration, table)],
        "open_card": sight.open_card(table, relation) or None,
        "trick": [[each + 1, names[card]] for each, card in lying],
        "last_trick": [[each + 1, names[card]] for each, card in (last_trick_of(table) if of_tricks else ())],
        "draw_pile": table.stock,
        "discard_pile": list(sight.names(table, discard_pile(table), sight.is_open(DISCARDS))),
        "facts": facts_of(declaration, table, seat),
    }


def turn_view(seen: Seen, seat: int, asks: Setup | None) -> Part:
    """What a seat sees of what may happen now: the arcs that leave the phase, and the question to it.

    asks: the table at which the seat is asked for a move; None if it is not asked.
    """
    if asks is None or seen.phase not in seen.declaration.control:
        relation = seen.sight.relation(seat, seen.table.player)
        unknown = _unknown_arcs(seen.declaration, seen.phase, relation)
        return unknown or Part({"arcs": arcs_of(seen, seat, ()), "question": None})
    declaration, phase = seen.declaration, seen.phase
    triggers = [offer.trigger for offer in declaration.control[phase].offers]
    plan = plans_of(declaration)[phase]
    codes = tuple(plan.legal(seen.table))
    moves = [move_of(declaration, code) for code in codes]
    refused = reasons_of(declaration, plan, seen.table, seen.names(seen.table.player), moves, triggers)
    question = question_data(seen, moves, refused, asks)
    return Part({"arcs": arcs_of(seen, seat, codes), "question": question})


OWN = "hands", "facts"
"""What a seat sees of a round otherwise than those who watch, unless `is_secret`."""


View = tuple[Part, Part, Part, Part]
"""What a seat sees of a round: each of the fields `OWN`, the others, and those of `turn_view`, in the same order
whoever acts.
"""


def seat_view(seen: Seen, seat: int, asks: Setup | None = None) -> View:
    """What a seat sees of a round. asks: as of `turn_view`."""
    view = round_view(seen, seat)
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
    declaration, sight = game.declaration, game._sight
    relation = sight.relation(seat, game.table.player)
    if sight.level(HANDS, relation) is Level.OWN:
        names = hands.fields["hands"]
        own = {owner: game.hands[owner] for owner in sight.owners(HANDS, seat, game.table.players)}
        hands = found.once(
            ("hands", seat),
            (names, own),
            lambda: Part({"hands": [list(own[each]) if each in own else cards for each, cards in enumerate(names)]}),
        )
    if _knows_facts(declaration, relation):
        facts = Part({"facts": facts_of(declaration, game.table, seat)})
    if asks or (relation != Relation.OTHER and knows_arcs(declaration, game.phase, relation)):
        turn = turn_view(seen, seat, asks)
    return hands, facts, others, turn


@kept
def _knows_facts(declaration: Declaration, relation: Relation) -> bool:
    """Whether a seat sees facts that those do not see who watch. relation: of the seat to the one that acts."""
    sight, fields = sight_of(declaration), [fact.field for fact in declaration.codec.facts]
    levels = [(sight.level(field, relation), sight.level(field, Relation.OTHER)) for field in fields]
    return any(own is Level.OWN or own is not watched for own, watched in levels)


def facts_of(declaration: Declaration, table: Any, seat: int) -> Data:
    """The facts that a seat sees as plain data."""
    return {
        name: str(value) if isinstance(value, Ending) else list(value) if isinstance(value, tuple) else value
        for name, value in visible_facts(declaration, table, seat).items()
    }


@kept
def is_secret(declaration: Declaration, phase: Phase, relation: Relation) -> bool:
    """Whether a seat sees more of a round in a phase than those who watch, apart from the fields `OWN`.

    relation: of the seat to the one that acts.
    """
    sight, other = sight_of(declaration), Relation.OTHER
    sees = (sight.sees_actor(phase, each) and sight.phase_seen(phase, each) is phase for each in (relation, other))
    return len({*sees}) > 1 or sight.sees("open_card", relation) is not sight.is_open("open_card")


@kept
def knows_arcs(declaration: Declaration, phase: Phase, relation: Relation) -> bool:
    """Whether a seat knows which arcs are enabled where those who watch do not.

    relation: of the seat to the one that acts.
    """
    known = (each.known_to for each in _leaving(declaration)[phase])
    return any(relation in known_to and Relation.OTHER not in known_to for known_to in known)


# ---------------------------------------------------------------- the arcs that leave the phase


def arcs_of(seen: Seen, seat: int, moves: Sequence[Code]) -> list[Data]:
    """The arcs that leave the phase: their numbers in the declaration, whether they are enabled, and the moves, by
    place among `moves`, those of the seat if it is asked, that fire them.

    enabled: None where a guard reads what the seat does not see.
    """
    leaving = _leaving(seen.declaration)[seen.phase]
    firing = _firing(seen, leaving, moves) if moves else {}
    relation, found = seen.sight.relation(seat, seen.table.player), []
    for each in leaving:
        fired_by, enabled = firing.get(each.number, []), None
        if relation in each.known_to:
            enabled = bool(fired_by) if moves or each.names else each.arc.enabled(seen.table)
        found.append({"arc": each.number, "enabled": enabled, "moves": fired_by})
    return found


@kept
def _unknown_arcs(declaration: Declaration, phase: Phase, relation: Relation) -> Part | None:
    """What a seat that is not asked sees of the arcs that leave a phase, if it knows of none whether it is enabled.

    relation: of the seat to the one that acts.
    """
    leaving = _leaving(declaration)[phase]
    arcs: list[Data] = [
        {"arc": each.number, "enabled": None, "moves": []} for each in leaving if relation not in each.known_to
    ]
    return Part({"arcs": arcs, "question": None}) if len(arcs) == len(leaving) else None


class _Leaving(NamedTuple):
    """An arc that leaves a phase. names: whether something is named with its event. known_to: the seats, by their
    relation to the one that acts, that see all that its guards read, and so know whether it is enabled.
    """

    number: int
    arc: Arc
    names: bool
    known_to: frozenset[Relation]


@kept
def _leaving(declaration: Declaration) -> Mapping[Phase, Sequence[_Leaving]]:
    """The arcs that leave each phase, found when a table is seen first."""
    named = {*declaration.card_events, *declaration.value_kinds}
    found: dict[Phase, list[_Leaving]] = {phase: [] for phase in declaration.phases}
    for number, arc in enumerate(declaration.arcs):
        known_to = frozenset(each for each in Relation if _sees_guards(declaration, arc, each))
        found[arc.source].append(_Leaving(number, arc, arc.trigger in named, known_to))
    return found


def _firing(seen: Seen, leaving: Sequence[_Leaving], moves: Sequence[Code]) -> dict[int, list[int]]:
    """By the number of an arc: the indices of the moves that fire it, as far as the seat knows."""
    declaration, table = seen.declaration, seen.table
    found: dict[int, list[int]] = {}
    layout = layout_of(declaration)
    before = layout.named(table)
    for index, move in enumerate(moves):
        lay_move(declaration, table, move)
        for each in leaving:
            is_known = Relation.SELF in each.known_to
            if each.arc.trigger == move[0] and (not is_known or each.arc.enabled(table)):
                found.setdefault(each.number, []).append(index)
                if is_known:
                    break  # the first one that is enabled is fired
    layout.put_back(table, before)
    return found


def _sees_guards(declaration: Declaration, arc: Arc, relation: Relation) -> bool:
    """Whether a seat sees all that the guards of an arc read: of hidden hands, that of the player in turn alone."""
    sight, guards = sight_of(declaration), (*arc.conditions, *arc.unless)
    read = [_attributes(guard) & default_values(declaration.table).keys() for guard in guards]
    of_others = not sight.is_open(HANDS) and any(HANDS in names and "player" not in names for names in read)
    return not of_others and all(sight.sees(name, relation) for names in read for name in names)


@kept
def _attributes(function: RuleFunction) -> frozenset[str]:
    """The names of the attributes that a rule function, or one that it calls, reads."""
    return names_in([function], "LOAD_ATTR", "LOAD_METHOD")


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
    if move.card is None or not laid_open(seen.declaration, seen.table):
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
    **dict.fromkeys(Move._fields, TEXT),
    "seat": (int, "a whole number"),
    "amount": (int, "a whole number"),
    "answer": (bool, "true or false"),
}


def move_of_data(data: object) -> Move:
    """The move of plain data; the game looks at the values. Raises ValueError."""
    if not isinstance(data, Mapping) or not isinstance(data.get("trigger"), str):
        raise ValueError('not a move; send an object with "trigger"')
    fields = {name: value for name, value in data.items() if name not in SHOWN}
    check_fields(fields, TYPES, known=Move._fields, of=" of a move")
    return Move(**fields)
