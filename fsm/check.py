"""Trust, but verify: a declaration played through, each event checked against all arcs it could have fired."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from fsm.arcs import Arc
from fsm.game import Game


@dataclass
class Survey:
    """What was seen while games were played.

    fired: how often each arc was fired. faults: positions in which not exactly one arc was enabled for the event.
    """

    games: int = 0
    fired: Counter[Arc] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def survey(kind: type[Game], games: int, seed: int = 0) -> Survey:
    """Play `games` dealt games for each number of players, and check at every event that the guards are exclusive."""
    seen = Survey()
    words = kind.declaration.words
    for players in range(words.fewest, words.most + 1):
        for number in range(games):
            game = kind.deal(players, seed, number)
            game.run()
            seen.games += 1
            _walk(game, seen)
    return seen


def _walk(game: Game, seen: Survey) -> None:
    """Step a played game again from its start and look at all arcs before each event."""
    again = game.restarted()
    for step in game.history:
        seen.fired[step.arc] += 1
        again.offer_again(step)
        arcs = game.declaration.leaving(again.phase, step.trigger)
        enabled = [arc for arc in arcs if arc.enabled(again.table)]
        if enabled != [step.arc]:
            told = "; ".join(map(str, enabled)) or "none"
            seen.faults.append(f"{step.trigger} at {again.position()}: enabled are {told}")
        again.fire_again(step)
