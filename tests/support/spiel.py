"""OpenSpiel as a judge: its games in lock step with ours, ours among its games, and what it has said of random games.

What it has said is recorded in the corpus, so that it need not be installed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from fsm import Game
from fsm.match.transcript import Transcript
from rules.reading import Dealt

RECORDED = Path(__file__).parents[1] / "corpus" / "open_spiel"
SUITS, RANKS = "CDHS", "23456789TJQKA"

State = tuple[int, list[int]]
"""A state in which a player chooses: the player, from 0, and the numbers of the legal actions, sorted."""


def card_number(suit: str, rank: str) -> int:
    """OpenSpiel's number of a card."""
    return len(SUITS) * RANKS.index(rank) + SUITS.index(suit)


def summary(states: Sequence[State], returns: Iterable[float]) -> str:
    """A game in one line: how many states it has, a digest of them all, and what each player gets at its end."""
    digest = sha256(json.dumps(states).encode()).hexdigest()[:32]
    return f"{len(states)} states {digest} returns {' '.join(str(int(each)) for each in returns)}"


def recorded(game: str) -> list[str]:
    """The summaries of games that OpenSpiel 2.0.2 has judged; a comparison with OpenSpiel itself asks it again."""
    return (RECORDED / f"{game}.txt").read_text().splitlines()


def load_own(kind: type[Game], players: int, **options: Any) -> Any:
    """Load a game of ours in OpenSpiel. options: the rewards and the limit with which it is registered."""
    import pyspiel

    from maumau.agents.adapters.spiel import register_game

    return pyspiel.load_game(register_game(kind, players, **options))


def deal_own(kind: type[Game], players: int, **options: Any) -> Any:
    """Return OpenSpiel's state of a game of ours after the deal of seed 7."""
    state = load_own(kind, players, **options).new_initial_state()
    for code in kind.deck_of(players, seed=7):
        state.apply_action(code)
    return state


def new_state(game: str, **parameters: Any) -> Any:
    """Return the first state of a game of OpenSpiel's own."""
    import pyspiel

    return pyspiel.load_game(game, parameters).new_initial_state()


def play_alike(
    game: Game,
    state: Any,
    number_of: Callable[[Any], int],
    choose: Callable[[list[int]], int],
    compare: Callable[[], None] = lambda: None,
    chance: Callable[[], None] = lambda: None,
) -> None:
    """Play a game in lock step with OpenSpiel's, and compare who acts and what is legal at every decision.

    number_of: OpenSpiel's number of a move. choose: one of the legal actions. compare: what else is compared there.
    chance: lets OpenSpiel's chance player act.
    """
    while game.outcome is None:
        if game.forced_events:
            game.step()
            continue
        if state.is_chance_node():
            chance()
        assert state.current_player() == game.player - 1
        moves = {number_of(move): move for move in game.events().legal}
        assert state.legal_actions() == sorted(moves)
        compare()
        action = choose(sorted(moves))
        game.fire(*moves[action])
        state.apply_action(action)
    assert state.is_terminal()


def play_compiled(kind: type[Game], players: int, games: int, *policies: str) -> Iterator[Transcript]:
    """Play games of seed 11 by the compiled engine, by each of the policies."""
    from maumau.kernels.bulk.transcripts import play_compiled as played

    decks = [Dealt(players, bytes(kind.deck_of(players, 11, number))) for number in range(games)]
    for policy in policies:
        yield from played(kind, decks, (policy,), 11)


def follow(
    played: Transcript, state: Any, number_of: Callable[[Any], int], chance: Callable[[], None] = lambda: None
) -> None:
    """Do in OpenSpiel what was played here: each move is legal there, and the game is over with the last one.

    number_of, chance: as for `play_alike`.
    """
    controls = played.rounds[0].game.kind.declaration.control.values()
    forced = {event for control in controls for event in control.forced}
    for step in played.steps:
        if state.is_chance_node():
            chance()
        if step.trigger not in forced:
            assert number_of(step) in state.legal_actions()
            state.apply_action(number_of(step))
    assert state.is_terminal()
