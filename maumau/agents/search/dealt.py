"""Worlds as stepped games: with the past that a player has seen, or without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fsm import Game
from fsm.declaration.arcs import Phase
from fsm.edge.numbers import Array
from maumau.agents.actions import action_space


def saved_tables(game: Game, saved: Array, seed: int) -> Iterator[Any]:
    """Yield the tables of worlds of a game that were saved, each with dice of its own."""
    for number, row in enumerate(saved):
        table = game.layout.restored(game.layout.unpacked(row.tobytes()))
        table.seed, table.number = seed, number
        yield table


def standing(game: Game, table: Any) -> Game:
    """Return the game that stands where `game` stands with another table, without a past."""
    hands = [_hand(game, table, seat) for seat in range(game.players)]
    return type(game)(table, game.phase, hands, game.policies)


def played_again(game: Game, table: Any) -> Game:
    """Return the game that begins with `table`, in which the events happen that the player who acts in `game` has seen.

    Where others have done what this player has not seen, they do so here.
    """
    declaration, seat = game.declaration, game.player - 1
    first = game.restarted()
    hands = [_hand(first, table, other) for other in range(game.players)]
    world = type(game)(table, first.phase, hands)
    if not first.from_position:
        world._deck = bytes(world.dealt_deck())
    for step in game.history:
        if (step.source, step.trigger) not in declaration.offered:
            continue  # forced
        if step.player - 1 != seat and step.arc in declaration.disguises:
            continue  # not seen
        _go_on(world, step.source, step.player)
        world.fire(step.move(declaration))
    _go_on(world, game.phase, game.player)
    world.policies = list(game.policies)
    return world


def _go_on(world: Game, phase: Phase, player: int) -> None:
    """Go on to a decision of a player in a phase; on the way the others choose what this one cannot see."""
    actions, control = action_space(world.declaration), world.declaration.control
    while True:
        if not actions.chooses(world):
            world.step()
        elif (world.phase, world.player) == (phase, player):
            return
        else:
            world.fire(next(offer.trigger for offer in control[world.phase].offers if offer.seen_as))


def _hand(game: Game, table: Any, seat: int) -> list[int]:
    """The codes of the cards in a hand of a table, in the order that they have in the game if they are the same."""
    codec = game.declaration.codec
    held, shown = sorted(codec.held(table, seat)), game.hands[seat]
    codes = dict[str, list[int]]()
    for code, name in zip(held, codec.notation.names(held), strict=True):
        codes.setdefault(name, []).append(code)
    if Counter(shown) != {name: len(each) for name, each in codes.items()}:
        return held
    return [codes[name].pop() for name in shown]
