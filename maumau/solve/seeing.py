"""What a seat is told of an event, by the declared visibility, as source: what its view shows (`fsm.stepping.view`)."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, list_fields
from fsm.stepping.position import IN_TURN
from fsm.stepping.setup import full_deck
from maumau.agents.layout import rolls_dice
from maumau.kernels.compiler.program import Plan
from maumau.kernels.compiler.source import Constants
from rules.queues import QUEUE_BYTES
from rules.visibility import SeenBy, determined, visibility

TELL = '''def tell(table, phase, actor, own, other, card, value, card_seen, value_seen, told):
    """Tell both seats of an event of the seat `actor` that has led to `phase`.

    own, other: the number of the event for who has acted, and for others, 0 if they see nothing.
    """
    for seat in range(2):
        if seat == actor:
            mix(told, seat, own)
            mix(told, seat, card + 1 << 8 | value + 1)
            look(table, phase, seat, told)
        elif other != 0:
            mix(told, seat, other)
            mix(told, seat, (card + 1 << 8) * card_seen | (value + 1) * value_seen)
            look(table, phase, seat, told)'''


MOST_COPIES = 4
"""A card may be in the deck as often."""


def hands_of(game: Declaration) -> tuple[str, ...]:
    """The fields that hold the hands, also those for further copies of a card, which a small deck may not have."""
    table, (code, *_) = game.table(), full_deck(game)
    table.players = game.codec.fewest
    for _ in range(MOST_COPIES):
        game.codec.receive(table, 0, code)
    return tuple(name for name in list_fields(game.table) if any(getattr(table, name)))


def follows(game: Declaration) -> bool:
    """Whether who remembers all that was seen knows all cards once the first draw pile is used up.

    All discards are seen, nothing is hidden but hands and the draw pile, and nothing is shuffled.
    """
    seen, hands = visibility(game.table), hands_of(game)
    fields = [*(fact.field for fact in (*game.position_facts, *game.queues)), *game.position_lists]
    hidden = [field for field in fields if seen[field] is SeenBy.NOBODY and field not in determined(game.table)]
    by_seat = fields[len(game.position_facts) :]
    owned = [field for field in by_seat if seen[field] is SeenBy.OWNER and field not in hands]
    shuffles = any(rolls_dice(arc) for arc in game.arcs)
    return not (hidden or owned or shuffles or seen["ring"] not in (SeenBy.DISCARDS, SeenBy.ALL))


def telling_constants(plan: Plan) -> Constants:
    """What the compiled functions that tell seats what they see read of a game."""
    game = plan.game
    seen = [plan.phases.index(game.phase_seen(phase, acts=False)) for phase in plan.phases]
    secret = [int(phase in game.asked_in_secret) for phase in plan.phases]
    return {"FOLLOWS": follows(game), "PHASES_SEEN": tuple(seen), "SECRET": tuple(secret)}


def told(plan: Plan, arc: Arc) -> tuple[str, ...]:
    """The statements after an event that tell both seats what they see of it."""
    game = plan.game
    triggers, seen = list(game.triggers), visibility(game.table)
    shown: Arc | None = game.disguises.get(arc, arc)
    if game.phase_seen(arc.dest, acts=False) is not arc.dest:
        shown = None
    if arc.source in game.asked_in_secret and arc.trigger in game.control[arc.source].declines:
        shown = None
    own, other = triggers.index(arc.trigger) + 1, triggers.index(shown.trigger) + 1 if shown else 0
    down = arc.trigger in game.face_down
    card_seen = int(not down and seen["card"] is SeenBy.ALL)
    value_seen = int(not down and seen[game.value_fields[arc.trigger]] is SeenBy.ALL)
    dest = plan.phases.index(arc.dest)
    return (f"tell(table, {dest}, actor, {own}, {other}, card, value, {card_seen}, {value_seen}, told)",)


def look_source(plan: Plan) -> str:
    """The function `look`, which adds what a seat sees of a position to what it was told."""
    return f'''def look(table, phase, seat, told):
    """Add what `seat` sees of a position to what it was told."""
    mix(told, seat, phase if table.player == seat else PHASES_SEEN[phase])
{indent(chr(10).join(_seen(plan.game)), "    ")}'''


def _seen(game: Declaration) -> Iterator[str]:
    by = visibility(game.table)
    for fact in game.position_facts:
        yield from _fact(fact, by[fact.field])
    for fact in game.queues:
        yield from _queue(fact, by[fact.field])
    hands, piles = hands_of(game), [fact.field for fact in game.piles]
    for name in game.position_lists:
        others = f"table.{name}[other]" if by[name] is SeenBy.ALL else f"table.{name}[other].bit_count()"
        if by[name] is not SeenBy.NOBODY:
            yield f"mix(told, seat, table.{name}[seat])"
        elif name in piles:
            yield f"mix(told, seat, table.{name}[seat].bit_count())"
        if by[name] is SeenBy.ALL or name in hands or name in piles:
            yield f"for other in range(table.players):\n    if other != seat:\n        mix(told, seat, {others})"
    yield "mix(told, seat, table.stock << 8 | table.tail - table.head)"
    if by["ring"] in (SeenBy.DISCARDS, SeenBy.ALL):
        begin = "table.head + table.stock" if by["ring"] is SeenBy.DISCARDS else "table.head"
        yield f"for place in range({begin}, table.tail):"
        yield "    mix(told, seat, table.ring[place & len(table.ring) - 1])"


def _queue(fact: Fact, by: SeenBy) -> Iterator[str]:
    """Statements for queues: how many cards each has, and those that are seen."""
    seen = {SeenBy.ALL: "True", SeenBy.OWNER: "place == seat"}.get(by, "False")
    yield f"for place in range({1 if fact.in_middle else 'table.players'}):"
    yield f"    mix(told, seat, table.{fact.field}[place * {QUEUE_BYTES}])"
    yield f"    for depth in range(table.{fact.field}[place * {QUEUE_BYTES}] if {seen} else 0):"
    yield f"        mix(told, seat, table.{fact.field}[place * {QUEUE_BYTES} + 1 + depth])"


def _fact(fact: Fact, by: SeenBy) -> Iterator[str]:
    """Statements for one fact. Everybody sees that nothing was drawn or named."""
    if fact.field == IN_TURN:
        yield "if table.player == seat or SECRET[phase] == 0:\n    mix(told, seat, table.player)"
    elif by is SeenBy.ALL:
        yield f"mix(told, seat, table.{fact.field})"
    elif by is SeenBy.OWNER:
        hidden = "-2" if fact.kind == "number" else f"min(table.{fact.field}, 0)"
        yield f"mix(told, seat, table.{fact.field} if table.player == seat else {hidden})"
