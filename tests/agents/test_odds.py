"""The odds of moves: those of stepped games with the same dice, and those that can be worked out by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from command import maumau

from examples.kuhn_poker import KuhnPoker
from examples.leduc_poker import LeducPoker
from examples.spades import SharedSpades
from fsm import Game, MauMau, Uno
from fsm.declaration.endless import MAX_CHOSEN
from maumau.agents.odds import odds_of

QUEEN_OPENS = "opening player=1 stakes=1/1 raises=0 acted=0 winners=- ending=- winner=- hands=Q/J discard=- draw=K"
KUHN = "examples/kuhn_poker.py:KuhnPoker"


def at_choice(kind: type[Game], players: int, seed: int, choices: int) -> Game:
    """A game of random players after so many choices, where the next one is made."""
    game, made = kind.deal(players, seed=seed, policies="random"), 0
    while game.is_forced or made < choices:
        made += not game.is_forced
        game.step()
    return game


def stepped(game: Game, move: Any, number: int, seed: int) -> Game | None:
    """The game after a move, stepped to its end with the dice of a number; None if it is given up."""
    copy = type(game).at(game.position(), game.policies)
    copy.table.seed, copy.table.number, copy.table.rolls = seed, number, 0
    copy.fire(move)
    for _ in range(20 * MAX_CHOSEN):
        if copy.phase is copy.declaration.final:
            return copy
        copy.step()
    return None


@pytest.mark.parametrize(
    ("kind", "players"), [(MauMau, 2), (MauMau, 4), (Uno, 3), (SharedSpades, 4), (LeducPoker, 2)], ids=str
)
def test_the_odds_are_those_of_stepped_games_with_the_same_dice(kind: type[Game], players: int) -> None:
    games, seed = 6, 5
    game = at_choice(kind, players, 3, choices=4)
    policies = ("random", "house") * 2
    found = {odds.move: odds for odds in odds_of(game, games, policies=policies[:players], seed=seed)}
    assert set(found) == set(game.events().legal)
    game.policies = type(game).at(game.position(), policies[:players]).policies
    for move, odds in found.items():
        ended = [end for number in range(games) if (end := stepped(game, move, number, seed))]
        won = Counter(winner for end in ended if end.outcome for winner in end.outcome.winners)
        assert (odds.ended, odds.won) == (len(ended), won[game.player])
        if returns := kind.declaration.returns:
            gains = [returns(end.table, game.player - 1) for end in ended]
            assert odds.gained == (sum(gains), sum(gain * gain for gain in gains))


def test_the_odds_of_the_queen_against_random_players_are_those_worked_out_by_hand() -> None:
    """She bets: the jack folds or loses two, +1.5. She checks: it checks, or bets and she folds or calls, +0.75."""
    found = {odds.move.trigger: odds for odds in odds_of(KuhnPoker.at(QUEEN_OPENS), 20_000, seed=1)}
    for trigger, share, returns in (("bet", 1.0, 1.5), ("check", 0.75, 0.75)):
        odds = found[trigger]
        assert odds.returns is not None
        assert odds.share[1] <= share <= odds.share[2]
        assert odds.returns[1] <= returns <= odds.returns[2]


def test_the_last_card_wins(at: Callable[[str], MauMau]) -> None:
    game = at("await-play hands=SS/HA,HQ discard=CS draw=...")
    best, other = odds_of(game, 300)
    assert (str(best.move), best.won, best.share[0]) == ("play SS", 300, 1.0)
    assert (str(other.move), other.won < 300) == ("draw", True)


def test_games_are_given_up_and_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.agents.odds.MAX_CHOSEN", 1)
    game = at_choice(MauMau, 3, 3, choices=0)
    found = odds_of(game, 10)
    assert {(odds.ended, odds.won, odds.share[1:]) for odds in found} == {(0, 0, (0.0, 1.0))}


def test_where_nobody_chooses_there_are_no_odds() -> None:
    with pytest.raises(ValueError, match="no player chooses at initial "):
        odds_of(MauMau.deal(2, seed=1))


@pytest.mark.parametrize("games", [0, -1, 10**10])
def test_a_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(ValueError, match=f"games: {games} is out of range; use 1 to "):
        odds_of(KuhnPoker.at(QUEEN_OPENS), games)


# ---------------------------------------------------------------- the command


def test_the_command_lists_moves_the_best_first() -> None:
    shown = maumau("odds", "--game", KUHN, QUEEN_OPENS, "--games", 1000).stdout.splitlines()
    assert shown[0] == "Kuhn poker, player 1 of 2: 1,000 games after each of 2 legal moves, played by random"
    assert [line.split()[0] for line in shown[2:]] == ["move", "bet", "check"]


def test_the_command_prints_one_object() -> None:
    record = json.loads(maumau("odds", "--game", KUHN, QUEEN_OPENS, "--games", 50, "--json").stdout)
    assert {key: record[key] for key in ("game", "rules", "position", "player", "policies", "seed")} == {
        "game": "kuhn-poker",
        "rules": [],
        "position": QUEEN_OPENS,
        "player": 1,
        "policies": ["random", "random"],
        "seed": 0,
    }
    assert record["moves"][0] | {"returns": 0} == {
        "move": "bet",
        "games": 50,
        "ended": 50,
        "won": 50,
        "share": [1.0, record["moves"][0]["share"][1], 1.0],
        "returns": 0,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "POSITION: unknown phase 'nowhere'; "),
        ([QUEEN_OPENS.replace("opening", "initial").replace("1/1", "0/0")], "POSITION: no player chooses at initial "),
        ([QUEEN_OPENS, "--policy", "search:10"], "--policy: policy search:10 plays stepped games only; "),
        ([QUEEN_OPENS, "--policy", "random,random,random"], "--policy: "),
        ([QUEEN_OPENS, "--games", "0"], "--games: 0 is out of range; use 1 to 1,000,000,000"),
    ],
)
def test_the_command_refuses(arguments: list[str], message: str) -> None:
    done = maumau("odds", "--game", KUHN, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.removeprefix("maumau: compiling").startswith(message)
