"""Traffic: how often each arc is fired in many games, counted by the compiled engine where it can play them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fsm.declaration.arcs import Arc
from fsm.edge.errors import CompilationError
from fsm.edge.numbers import Notify
from fsm.match.setup import unit_of
from fsm.stepping.game import Game
from maumau.kernels.compiler.machine_code import why_no_compiler
from rules.notation import many


def traffic(
    kind: type[Game],
    players: int,
    games: int,
    seed: int = 0,
    policies: Sequence[str] = (),
    notify: Notify | None = None,
) -> Mapping[Arc, int]:
    """How often each arc of `kind` is fired in games 0, 1, ... of `seed`.

    notify: called before slow work: compilation, or stepping without llvmlite. Raises ValueError for numbers or
    policies that do not fit.
    """
    players, seed, _, games = unit_of(None).numbers(kind.declaration, players, seed, 0, games)
    seated = kind.declaration.seated(players, policies)
    if not any(policy.is_computed for policy in seated):
        from maumau.kernels import bulk

        if not (why := why_no_compiler()):
            try:
                return bulk.total(players, games, seed, policies=policies, game=kind, notify=notify).fired
            except CompilationError as error:
                why = str(error)
        if notify:
            notify(f"stepping {many(games, 'game')} one by one: {why}")
    fired = Counter(dict.fromkeys(kind.declaration.arcs, 0))
    for number in range(games):
        game = kind.deal(players, seed, number, policies)
        game.run()
        fired.update(step.arc for step in game.history)
    return fired
