"""Hints: by the solution that a player at the table has, by search, or by the default policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotReady
from contextlib import suppress
from functools import lru_cache
from threading import Lock, Thread, main_thread
from typing import TYPE_CHECKING, Any, NamedTuple

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import SteppedPolicy
from fsm.declaration.rewards import Reward
from fsm.stepping.game import Game
from fsm.stepping.moves import choice_of, chosen_move
from fsm.stepping.steps import Move
from maumau.play.table.view import move_data
from maumau.solve import Strategy

if TYPE_CHECKING:
    from maumau.agents.search import Search
    from maumau.agents.search.results import Found


WORLDS, SECONDS = 1000, 1.0
"""In how many ways hidden cards are dealt for a hint, and the time for them."""
PATIENCE = 1.0
"""Seconds that a hint waits for a search that is being compiled."""
SEARCHES = 50
"""Searches that are kept, the most recently used ones."""
Searching = Callable[[Game], "Found | None"]
"""What searches for the player who acts in a game; None where it does not search."""

_choosing, _compiling = Lock(), Lock()


def hint(game: Game, seen: Game, search: Searching | None) -> dict[str, Any]:
    """A move for the player who acts, why the default policy makes it, and what was found by search: in a sentence, and
    as the value of each move, the best first, between 0 and 1 or in points, with its text.

    game: the round. seen: the game as the player knows it. search: None to ask the default policy only.
    """
    if solution := next((policy for policy in game.policies if isinstance(policy, Strategy)), None):
        return _solved(game, solution)
    move, why = advice(seen, seen.declaration.policies[0])
    found = search(game) if search and len(seen.events().legal) > 1 else None
    if found is None:
        return {"move": move_data(move), "why": why, "found": "", "values": []}
    best = found.values[0]
    in_points = is_in_points(game.declaration)
    worth = "{:+.2f}" if in_points else "{:.0%}"
    gains = f"it gains {worth.format(best.share)} on average" if in_points else f"it wins {worth.format(best.share)}"
    return {
        "move": move_data(found.move),
        "why": why if found.move == move else "",
        "found": f"{gains} of {best.worlds:,} games played on with the hidden cards dealt again",
        "values": [
            {"move": str(value.move), "share": value.share, "text": worth.format(value.share)} for value in found.values
        ],
    }


def _solved(game: Game, solution: Strategy) -> dict[str, Any]:
    """The move that an equilibrium makes most often, by what the player who acts has seen."""
    shares = zip(solution.chances_in(game), game.events().legal, strict=True)
    values = sorted(shares, key=lambda value: -value[0])
    share, move = values[0]
    return {
        "move": move_data(move),
        "why": "",
        "found": f"the equilibrium makes it {share:.0%} of the time",
        "values": [{"move": str(each), "share": chance, "text": f"{chance:.0%}"} for chance, each in values],
    }


def advice(game: Game, policy: Policy) -> tuple[Move, str]:
    """The move that a policy chooses for the player who acts, and why. A policy without reasons gives none."""
    if found := choice_of(game.declaration, policy, game.table, game.phase):
        choice, code = found
        return Move.of_code(game.declaration, code), choice.description
    if isinstance(policy, SteppedPolicy):
        return chosen_move(policy, game), ""
    return game.events()[0], ""


def is_in_points(game: Declaration) -> bool:
    """Whether moves are worth points, not chances to win."""
    return Reward.named(game, None) is not Reward.WIN


def background_search(game: Game) -> Found | None:
    """What a search finds for the player who acts, from what this player has seen.

    None where the game cannot be searched, and until its program is compiled, which begins with the first call.
    """
    try:
        search = prepared(game.declaration, game.players).result(PATIENCE)
    except NotReady:
        return None
    return None if search is None else search.best(game, SECONDS)


def prepared(game: Declaration, players: int) -> Future[Search | None]:
    """The search for a game: None where it cannot be searched."""
    with _choosing:
        return _prepared(game, players)


@lru_cache(maxsize=SEARCHES)
def _prepared(game: Declaration, players: int) -> Future[Search | None]:
    """The search for a game, which is compiled in a thread; a process that ends waits for it, as LLVM must not be ended
    at work.
    """
    future: Future[Search | None] = Future()
    Thread(target=_prepare, args=(future, game, players)).start()
    return future


def _prepare(future: Future[Search | None], game: Declaration, players: int) -> None:
    """Compile a search, one at a time; none any more once the process ends."""
    from maumau.agents.search import Search

    search = None
    try:
        with (
            _compiling,
            suppress(ValueError, ImportError),
        ):  # the game cannot be searched, or llvmlite is not installed
            if main_thread().is_alive():
                infer = not game.asked_in_secret  # inference reads all events, also those that the player does not see
                search = Search(game, players, WORLDS, infer=infer, by_deal=False, tree=True, threads=1)
                search.prepare()
    finally:
        future.set_result(search)


# ---------------------------------------------------------------- the chances over a round that is over

# What each move was worth by what its player knew, found by search.


class JudgedMove(NamedTuple):
    """A move that was chosen among several. at: how many events came before it. player: from 1. share: what it was
    worth, between 0 and 1 or in points. best: what the best move was worth; better: its text if it was another one.
    """

    at: int
    player: int
    share: float
    best: float
    better: str


def judged(game: Game) -> Iterator[JudgedMove]:
    """The moves of a round that is over, one after the other: hidden cards are dealt again for each, and played out.

    Nothing where the game cannot be searched. The first one waits until the search is compiled.
    """
    search = prepared(game.declaration, game.players).result()
    replayed = game.restarted()
    for at, step in enumerate(game.history if search else ()):
        is_chosen = (step.source, step.trigger) in game.declaration.offered
        if search and is_chosen and len(replayed.events().legal) > 1:
            values = search.best(replayed).values
            made = step.move(replayed.declaration)
            share = next(value.share for value in values if value.move == made)
            better = str(values[0].move) if values[0].share > share else ""
            yield JudgedMove(at, step.player, share, values[0].share, better)
        replayed.fire_again(step)


def gained(game: Game) -> list[float]:
    """What each player has gained in a round that is over, in the unit of the chances."""
    outcome = game.outcome
    assert outcome is not None
    if is_in_points(game.declaration):
        return list(map(float, outcome.returns))
    return [float(player in outcome.winners) for player in range(1, game.players + 1)]
