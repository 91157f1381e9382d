"""Where rule functions stand in the declaration of a game: the role that each place has, and what it gives them."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.declaration.chart import OF_TABLE, Use, arc_uses, misused
from fsm.declaration.parts import Parts
from fsm.declaration.temporal import queries_of
from rules.rule import Role, label, mark_of, named_in, refusal_of

OF_SEAT = ("table", "seat")


def unfit_uses(game: Parts) -> Iterator[str]:
    """Functions of another role or with other parameters than their place has, and refusals that name no field."""
    yield from misused(_uses(game))
    yield from _unknown_in_refusals(game)


def _unknown_in_refusals(game: Parts) -> Iterator[str]:
    known = ("card", "open_card", *(fact.field for fact in game.codec.facts))
    for arc in game.arcs:
        for guard in filter(mark_of, arc.conditions):
            for name in named_in(refusal_of(guard)):
                if name not in known:
                    yield f"arc {arc}: the refusal of {label(guard)!r} names {name!r}, expected {', '.join(known)}"


def _uses(game: Parts) -> Iterator[Use]:
    """Every use of rule functions in a declaration."""
    yield from arc_uses(game)
    for phase, control in game.control.items():
        for offer in control.offers:
            yield Use(f"phase {phase}: offer {offer.trigger!r}", Role.QUERY, (offer.cards, *offer.masks.values()))
    for policy, phase, choice in game.choices():
        place = f"policy {policy.name}: phase {phase}: {choice.trigger!r}"
        yield Use(f"{place}: conditions", Role.GUARD, choice.conditions)
        yield Use(place, Role.CHOICE, (choice.card, *choice.picks.values()))
    for group in game.disjoint:
        yield Use("disjoint", Role.GUARD, group)
    for condition in game.own_invariants:
        yield Use(f"invariant {condition.description!r}", Role.QUERY, (condition.holds,))
    for after in game.postconditions:
        yield Use(f"postcondition {after.description!r}", Role.QUERY, (after.holds,), ("before", "after"))
    for response in game.responses:
        yield Use(f"over time {response.description!r}", Role.QUERY, queries_of(response))
    for call in game.calls:
        yield Use(f"call {call.description!r}", Role.QUERY, (call.count,), OF_SEAT)
    for trigger, doer in game.look.doers.items():
        yield Use(f"look: who does {trigger!r}", Role.QUERY, (doer,))
    for place, function in (("score", game.score), ("returns", game.returns), ("scoring: points", game.scoring.points)):
        yield Use(place, Role.QUERY, (function,), OF_SEAT)
    yield from _dealing(game)


def _dealing(game: Parts) -> Iterator[Use]:
    yield Use("fill", Role.EFFECT, (game.fill,), ("deck",))
    yield Use("amend", Role.EFFECT, (game.amend,), ("deck", "players", "seed", "number"))
    yield Use("deal", Role.EFFECT, (game.deal,), (*OF_TABLE, "deck", "players"))
    yield Use("deal_each", Role.EFFECT, (game.deal_each,), (*OF_TABLE, "deck", "players", "each"))
    codec = game.codec
    yield Use("codec: cards_each", None, (codec.cards_each,), ("players",))
    yield Use("codec: dealt_to", None, (codec.dealt_to,), ("index", "players", "each"))
    yield Use("codec: receive", None, (codec.receive,), (*OF_SEAT, "card"))
    yield Use("codec: held", None, (codec.held,), OF_SEAT)
