"""Cards that a player chooses together, though the machine takes them one after the other: how many, and what comes of
it.
"""

from __future__ import annotations

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.stepping.game import Game
from fsm.stepping.steps import Move
from maumau.play.table.seen import Seen


def cards_together(seen: Seen, move: Move) -> int:
    """Return how many cards the player who acts lays in a row by the only event of the phase: 1 in most games.

    seen: the game as the player knows it. move: a legal one, with which the row may begin. Three are passed in Hearts.
    """
    if seen.phase not in _passing(seen.declaration):
        return 1
    game = seen.game().clone()
    player, hand, count = game.player, len(game.hands[game.player - 1]), 1
    game.fire(move)
    while count < hand and game.phase is seen.phase and game.player == player:
        game.fire(game.events().legal[0])
        count += 1
    return count


def received(game: Game, seat: int) -> list[str]:
    """Return the cards that have come to a hand since its player passed some together, until this player plays one.

    game: with all that its players must not see. seat: from 0, or NOBODY, who has received nothing.
    """
    if not (passing := _passing(game.declaration)):
        return []
    laid = next((step for step in reversed(game.history) if step.card and step.player == seat + 1), None)
    if laid is None or laid.source not in passing:
        return []
    dealt = game.restarted().hands[seat]
    return [card for card in game.hands[seat] if card not in dealt]


@kept
def _passing(declaration: Declaration) -> frozenset[Phase]:
    """The phases in which cards may be chosen together."""
    return frozenset(phase for phase in declaration.control if _goes_on(declaration, phase))


def _goes_on(declaration: Declaration, phase: Phase) -> bool:
    """Return whether a phase offers one event only, with a card of the hand, after which the same player may be asked
    for another card in the same phase.
    """
    offers = declaration.control[phase].offers
    if len(offers) != 1 or not offers[0].lays or offers[0].values:
        return False
    back = [arc for arc in declaration.arcs if (arc.source, arc.trigger, arc.dest) == (phase, offers[0].trigger, phase)]
    return any(not declaration.changes("player", arc.before) for arc in back)
