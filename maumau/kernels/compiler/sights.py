"""What the functions of `maumau.kernels.compiled.sights` read of a game: who sees which field, by the declaration."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.table.layout import layout_of
from fsm.table.sight import sight_of
from maumau.kernels.compiled.sights import ALL, NOBODY, OWNER, PARTNERS
from maumau.kernels.compiler.source import Constants


def sight_constants(game: Declaration, hands: tuple[str, ...]) -> Constants:
    """Return what `look` reads of a game, and what beside it reads who sees what. hands: the fields of the hands."""
    sight, layout = sight_of(game), layout_of(game)
    facts = [(fact, seen_by(game, fact.field)) for fact in layout.facts]
    return {
        "FACTS_SEEN": tuple(
            (fact.field, fact.is_actor, by, fact.kind == "number")
            for fact, by in facts
            if fact.is_actor or by != NOBODY
        ),
        "HANDS": hands,
        "LISTS_SEEN": tuple(_lists_seen(game, hands)),
        "PHASES_IN_SECRET": tuple(int(phase in game.asked_in_secret) for phase in game.phases),
        "PHASES_SEEN": tuple(game.phase_numbers[game.phase_seen(phase, acts=False)] for phase in game.phases),
        "PILE_HIDDEN": not sight.shows_draw_pile,
        "QUEUES_SEEN": tuple((fact.field, fact.in_middle, seen_by(game, fact.field)) for fact in layout.queues),
        "SHOWS_DISCARDS": sight.shows_discards,
        "SIDES": game.scoring.sides,
    }


def seen_by(game: Declaration, field: str) -> int:
    """Return who sees a part of a field: NOBODY, ALL, OWNER or PARTNERS."""
    sight = sight_of(game)
    if sight.is_open(field) or sight.is_hidden(field):
        return ALL if sight.is_open(field) else NOBODY
    return PARTNERS if game.scoring.sides and sight.partners_see(field) else OWNER


def _lists_seen(game: Declaration, hands: tuple[str, ...]) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """The lists of seats, what a seat sees of its own part, and what of another one: the cards, their size or nothing.

    The size of a hand is that of all its fields: how many cards lie there twice nobody sees.
    """
    sight, piles = sight_of(game), [fact.field for fact in game.piles]
    for name in layout_of(game).lists:
        is_seen = sight.sees(name, sight.relation(1, 0))  # by the other one of two seats
        has_size = name in hands[:1] or name in piles
        own = "cards" if not sight.is_hidden(name) else "size" if name in piles else ""
        yield name, own, "cards" if is_seen else "size" if has_size else "", hands if name in hands else (name,)


def search_constants(game: Declaration, players: int, hands: tuple[str, ...]) -> Constants:
    """Return what the functions of SIGHTS read of a game. players: how many. hands: the fields of the hands."""
    sight, seats = sight_of(game), len(game.table().hands)

    def place(fact: Fact) -> tuple[str, bool, bool]:
        return fact.field, fact.is_queue, fact.in_middle

    hidden = enumerate(sight.hidden_piles, 1)
    return sight_constants(game, hands) | {
        "DETERMINED": tuple(sight.determined.items()),
        "FIELDS_SEEN": tuple(_fields_seen(game, players, hands)),
        "HANDS_FROM_LAST": hands[::-1],
        "HANDS_SEEN": tuple((field, seen_by(game, field)) for field in hands),
        "PILES_HIDDEN": tuple((*place(fact), seen_by(game, fact.field), seats * number) for number, fact in hidden),
        "PILES_SHOWN": tuple(map(place, sight.shown_piles)),
        "TURNED_UP": sight.turned_up_fields,
    }


def _fields_seen(game: Declaration, players: int, hands: tuple[str, ...]) -> Iterator[tuple[str, int, int, bool]]:
    """The fields that a seat sees: how many places, 0 for a number, who sees one, and whether its size is seen."""
    sight = sight_of(game)
    facts = {fact.field for fact in game.codec.facts}
    named = {"card", *map(str, game.value_kinds.values())} - facts
    sized = {*hands, *(fact.field for fact in game.piles if not fact.is_queue)}
    for field, value in game.defaults.items():
        if field in named or field not in sight.fields:
            continue
        if isinstance(value, int):
            if not sight.is_hidden(field):
                yield field, 0, ALL, False
            continue
        by = NOBODY if field in sight.determined and not sight.is_open(field) else seen_by(game, field)
        if by != NOBODY or field in sized:
            yield field, min(len(value), players) if field in hands else len(value), by, field in sized
