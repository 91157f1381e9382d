"""The programs of a game: its kernel, the dealing of decks, and the check of decks that are given."""

from __future__ import annotations

from typing import Any

from fsm.declaration.declaration import Declaration
from maumau.kernels.compiler.machine_code import no_decks, no_log, numbers
from maumau.kernels.compiler.plan import Plan
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import blank_rows
from maumau.kernels.compiler.returns import no_positions
from maumau.kernels.compiler.source import checking_source, dealing_source, source_of


def playing(plan: Plan) -> Program:
    """A plan's kernel: `play` with the arguments of `no_games`."""
    return Program("play", source_of, plan, no_games, plan.game, large=True)


def dealing(game: Declaration) -> Program:
    """`deal_all`, which fills rows of decks (decks, players, seed, first)."""
    return Program("deal_all", dealing_source, game, _no_deal, game)


def checking(game: Declaration) -> Program:
    """`first_wrong`, which finds the first row that is not the whole deck, or -1 (decks, weights, whole).

    weights: a number for each card code. whole: the sum of the weights of the whole deck.
    """
    return Program("first_wrong", checking_source, game, _no_check, game)


def no_games(plan: Plan) -> tuple[Any, ...]:
    """Warm-up arguments of a kernel."""
    counts = numbers(len(plan.game.counters)), numbers(len(plan.rules))
    return no_decks(), 0, 0, 2, numbers(2), *blank_rows(0, 2), *counts, *no_log(plan.game), *no_positions(plan)


def _no_deal(game: Declaration) -> tuple[Any, ...]:
    return no_decks(), 2, 0, 0


def _no_check(game: Declaration) -> tuple[Any, ...]:
    return no_decks(), numbers(256), 0
