"""What a seat sees of the table as plain data: computed from what the seat knows, and from nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.introspection import names_in
from fsm.declaration.parts import SET_OF
from fsm.edge.kept import kept
from fsm.edge.numbers import TEXT, Types, as_int, check_fields
from fsm.stepping.game import Game
from fsm.stepping.moves import move_of, plans_of, reasons_of
from fsm.stepping.position import acts_in_sight, laid_open, seen_open_card
from fsm.stepping.snapshot import Code, put_on_table, snapshots_of
from fsm.stepping.steps import Move
from fsm.stepping.view import turn_of, visible_facts, who_acts
from maumau.play.table.parts import Found, Part
from maumau.play.table.seen import HANDS, NOBODY, RING, Seen, hidden_hands
from maumau.play.table.setup import Setup, is_claim
from rules.ending import Ending
from rules.errors import raised_as
from rules.notation import UNKNOWN
from rules.piles import discard_pile
from rules.rule import RuleFunction
from rules.tricks import last_trick_of, trick_of
from rules.visibility import SeenBy, visibility


def round_view(seen: Seen, seat: int) -> Data:
    """What `seat` (from 0, or `maumau.play.table.seen.NOBODY`) sees of a round, but for `turn_view`. seen: the game as
    the seat knows it.
    """
    declaration, table, phase = seen.declaration, seen.table, seen.phase
    over, by, hidden = seen.is_over, visibility(declaration.table), hidden_hands(declaration, phase, table, seat)
    asked_in_secret = not acts_in_sight(declaration, phase, table, seat)
    who = "the others are asked" if asked_in_secret else who_acts(table, plans_of(declaration)[phase].asks)
    discards, names = discard_pile(table), declaration.codec.notation.cards
    return {
        "phase": str(phase),
        "player": None if over or asked_in_secret else table.player + 1,
        "turn": None if over else turn_of(table),
        "who": "" if over else who,
        "hands": [None if hand and each in hidden else seen.names(each) for each, hand in enumerate(seen.hands)],
        "hand_sizes": list(map(len, seen.hands)),
        "melds": [[list(meld) for meld in melds] for melds in laid_open(declaration, table)],
        "open_card": seen_open_card(declaration, table, seat) or None,
        "trick": [[each + 1, names[card]] for each, card in trick_of(table)],
        "last_trick": [[each + 1, names[card]] for each, card in last_trick_of(table)],
        "draw_pile": table.stock,
        "discard_pile": [names[card] if by[RING].shows_discards else UNKNOWN for card in discards],
        "facts": facts_of(declaration, table, seat),
    }


def turn_view(seen: Seen, seat: int, asks: Setup | None) -> Part:
    """What a seat sees of what may happen now: the arcs that leave the phase, and the question to it.

    asks: the table at which the seat is asked for a move; None if it is not asked.
    """
    if asks is None or seen.phase not in seen.declaration.control:
        unknown = _unknown_arcs(seen.declaration, seen.phase, seen.table.player == seat)
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


def own_view(watched: View, seen: Seen, game: Game, seat: int, asks: Setup | None, found: Found) -> View:
    """What a seat sees, or `NOBODY`, where those who watch see as much but for the fields `OWN` and what may be done.

    watched: what they see, found from `seen`, the game as who acts knows it, unless that is secret. asks: as of
    `turn_view`. found: keeps the hands.
    """
    hands, facts, others, turn = watched
    if seat == NOBODY:
        return watched
    declaration, acts = game.declaration, game.table.player == seat
    if visibility(declaration.table)[HANDS] is SeenBy.OWNER:
        names, own = hands.fields["hands"], game.hands[seat]
        hands = found.once(
            ("hands", seat), (names, own), lambda: Part({"hands": [*names[:seat], list(own), *names[seat + 1 :]]})
        )
    if _knows_facts(declaration, acts):
        facts = Part({"facts": facts_of(declaration, game.table, seat)})
    if acts and (asks or knows_arcs(declaration, game.phase)):
        turn = turn_view(seen, seat, asks)
    return hands, facts, others, turn


@kept
def _knows_facts(declaration: Declaration, acts: bool) -> bool:
    """Whether a seat sees facts that those do not see who watch. acts: whether it is the one that acts."""
    own = (fact for fact in declaration.codec.facts if visibility(declaration.table)[fact.field] is SeenBy.OWNER)
    return any(acts or fact.is_pile or fact.kind == "counts" for fact in own)


def facts_of(declaration: Declaration, table: Any, seat: int) -> Data:
    """The facts that a seat sees as plain data."""
    return {
        name: str(value) if isinstance(value, Ending) else list(value) if isinstance(value, tuple) else value
        for name, value in visible_facts(declaration, table, seat).items()
    }


@kept
def is_secret(declaration: Declaration, phase: Phase) -> bool:
    """Whether who acts in a phase sees more of the round than those who watch, apart from the fields `OWN`."""
    is_open = declaration.phase_seen(phase, acts=False) is phase and phase not in declaration.asked_in_secret
    return not is_open or visibility(declaration.table)["open_card"] is SeenBy.OWNER


@kept
def knows_arcs(declaration: Declaration, phase: Phase) -> bool:
    """Whether who acts in a phase knows which arcs are enabled where those who watch do not."""
    return any(each.is_open and each.reads_own for each in _leaving(declaration, phase))


# ---------------------------------------------------------------- the arcs that leave the phase


def arcs_of(seen: Seen, seat: int, moves: Sequence[Code]) -> list[Data]:
    """The arcs that leave the phase: their numbers in the declaration, whether they are enabled, and the moves, by
    place among `moves`, those of the seat if it is asked, that fire them.

    enabled: None where a guard reads what the seat does not see.
    """
    leaving = _leaving(seen.declaration, seen.phase)
    firing = _firing(seen, leaving, moves) if moves else {}
    found = []
    for each in leaving:
        fired_by, enabled = firing.get(each.number, []), None
        if each.is_known(seen.table.player == seat):
            enabled = bool(fired_by) if moves or each.names else each.arc.enabled(seen.table)
        found.append({"arc": each.number, "enabled": enabled, "moves": fired_by})
    return found


@kept
def _unknown_arcs(declaration: Declaration, phase: Phase, acts: bool) -> Part | None:
    """What a seat that is not asked sees of the arcs that leave a phase, if it knows of none whether it is enabled.

    acts: whether it is the one that acts.
    """
    leaving = _leaving(declaration, phase)
    arcs: list[Data] = [
        {"arc": each.number, "enabled": None, "moves": []} for each in leaving if not each.is_known(acts)
    ]
    return Part({"arcs": arcs, "question": None}) if len(arcs) == len(leaving) else None


class _Leaving(NamedTuple):
    """An arc that leaves a phase. names: whether something is named with its event. is_open: whether its guards read
    neither what nobody sees, nor the piles, nor hands of others. reads_own: whether they read what only its owner sees.
    """

    number: int
    arc: Arc
    names: bool
    is_open: bool
    reads_own: bool

    def is_known(self, acts: bool) -> bool:
        """Whether a seat knows whether the arc is enabled. acts: whether it is the one that acts."""
        return self.is_open and (acts or not self.reads_own)


@kept
def _leaving(declaration: Declaration, phase: Phase) -> Sequence[_Leaving]:
    """The arcs that leave a phase."""
    named = {*declaration.card_events, *declaration.value_kinds}
    return [
        _Leaving(
            number,
            arc,
            arc.trigger in named,
            not any(_reads(declaration, arc, by) for by in HIDDEN) and not _asks(declaration, arc),
            _reads(declaration, arc, SeenBy.OWNER),
        )
        for number, arc in enumerate(declaration.arcs)
        if arc.source is phase
    ]


def _firing(seen: Seen, leaving: Sequence[_Leaving], moves: Sequence[Code]) -> dict[int, list[int]]:
    """By the number of an arc: the indices of the moves that fire it, as far as the seat knows."""
    declaration, table = seen.declaration, seen.table
    found: dict[int, list[int]] = {}
    snapshots = snapshots_of(declaration)
    before = snapshots.named(table)
    for index, move in enumerate(moves):
        put_on_table(declaration, table, move)
        for each in leaving:
            if each.arc.trigger == move[0] and (not each.is_open or each.arc.enabled(table)):
                found.setdefault(each.number, []).append(index)
                if each.is_open:
                    break  # the first one that is enabled is fired
    snapshots.put_back(table, before)
    return found


def _reads(declaration: Declaration, arc: Arc, by: SeenBy) -> bool:
    """Whether a guard of an arc reads a field of the table that is seen so."""
    seen = visibility(declaration.table)
    return any(seen.get(name) is by for guard in (*arc.conditions, *arc.unless) for name in _attributes(guard))


HIDDEN = SeenBy.NOBODY, SeenBy.DISCARDS


def _asks(declaration: Declaration, arc: Arc) -> bool:
    """Whether a guard of an arc reads hidden hands, but not who is in turn: those of others."""
    if visibility(declaration.table)[HANDS] is SeenBy.ALL:
        return False
    found = (_attributes(guard) for guard in (*arc.conditions, *arc.unless))
    return any(HANDS in names and "player" not in names for names in found)


@kept
def _attributes(function: RuleFunction) -> frozenset[str]:
    """The names of the attributes that a rule function, or one that it calls, reads."""
    return names_in([function], "LOAD_ATTR", "LOAD_METHOD")


Data = dict[str, Any]


class Refused(ValueError):
    """A table refuses a request; the message says why and what was expected. Nothing has changed then."""


class Stale(Refused):
    """The table has gone on since the seat has seen it."""


class NotAsked(Refused):
    """The seat is not asked for a move now."""


def question_data(seen: Seen, moves: Sequence[Move], refused: Mapping[str, str], setup: Setup) -> Data:
    """The question to the player who acts, as plain data. seen: the game as the player knows it. moves: the legal ones.

    refused: why each other event that players choose here is refused, by its text. unplayable: for each card of the
    hand that no legal move names, why. seconds: the time to answer; None for any time.
    """
    control = seen.declaration.control[seen.phase]
    offered = [offer.trigger for offer in control.offers]
    from_hand = [offer.trigger for offer in control.offers if offer.cards is not None and offer.from_hand]
    named = {card for move in moves if move.trigger in from_hand for card in str(move.card).split(SET_OF)}
    unplayable: dict[str, str] = {}
    for card in dict.fromkeys(seen.names(seen.table.player)):
        if card not in named:
            texts = (refused.get(str(Move(trigger, card)), "") for trigger in from_hand)
            no_card = f"no card is asked for, it is time to {' or '.join(offered)}"
            unplayable[card] = "; ".join(dict.fromkeys(filter(None, texts))) or no_card
    return {
        "kind": "claim" if is_claim(control) else "turn",
        "seconds": setup.seconds(control),
        "moves": [move_data(move) | (_meld(seen, move) if move.trigger not in from_hand else {}) for move in moves],
        "unplayable": unplayable,
        "refused": refused,
    }


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
    "seat": (int, "a number"),
    "amount": (int, "a number"),
    "answer": (bool, "true or false"),
}


def move_of_data(data: object) -> Move:
    """The move of plain data; the game looks at the values. Raises ValueError."""
    if not isinstance(data, Mapping) or not isinstance(data.get("trigger"), str):
        raise ValueError('expected a move: an object with "trigger"')
    fields = {name: value for name, value in data.items() if name not in SHOWN}
    check_fields(fields, TYPES, known=Move._fields, of=" of a move")
    return Move(**fields)
