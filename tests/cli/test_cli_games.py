"""Every command with every built-in game: decks are dealt, played, recorded, replayed, drawn and checked."""

from __future__ import annotations

import json

import pytest
from command import maumau

from fsm.registry import BUILT_IN

GAMES, PLAYERS = 2, 3


def printed(*arguments: object, data: str = "") -> str:
    done = maumau(*arguments, data=data)
    assert (done.returncode, done.stderr) == (0, ""), arguments
    return done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("game", BUILT_IN)
def test_every_command_takes_the_game(game: str) -> None:
    decks = printed("deal", "--game", game, "--players", PLAYERS, "--seed", 7, "--games", GAMES)
    result = printed("simulate", "--game", game, data=decks)
    records = printed("simulate", "--game", game, "--json", data=decks)
    assert printed("simulate", "--game", game, "--from-json", data=records) == result
    events = [len(json.loads(line)["events"]) for line in records.splitlines()]
    assert len(events) == len(printed("simulate", "--game", game, "--events", data=decks).splitlines()) == GAMES
    assert "Player" in printed("simulate", "--game", game, "--trace", data=decks)
    for source in (decks, records):
        page = printed("replay", "--game", game, "--number", GAMES - 1, "-o", "-", data=source)
        assert f'"heading":"game {GAMES - 1} of standard input"' in page
    path = printed("diagram", "--game", game, "--path", "-", "--fold", "--format", "dot", data=decks)
    assert f"{events[0]} of its {events[0]} events" in path.replace("\n", " ")
    traffic = maumau("diagram", "--game", game, "--traffic", 3, "--format", "dot")
    assert (traffic.returncode, "never fired" in traffic.stdout) == (0, True)
    assert "properties hold" in printed("check", "--game", game, "--games", 1)
    assert "def settle(table" in printed("compile", "--game", game, "--show")
    assert "actions" in printed("actions", "--game", game, "--players", PLAYERS)
    assert printed("rules", "--game", game)


@pytest.mark.thorough
@pytest.mark.parametrize("game", BUILT_IN)
def test_every_command_takes_matches_of_the_game(game: str) -> None:
    decks = printed("deal", "--match", "--game", game, "--players", PLAYERS, "--seed", 7)
    result = printed("simulate", "--match", "--game", game, data=decks)
    assert result.splitlines()[-1].startswith("Match: ")
    records = printed("simulate", "--match", "--game", game, "--json", data=decks)
    assert printed("simulate", "--match", "--game", game, "--from-json", data=records) == result
    assert '"heading":"match 0 of standard input"' in printed(
        "replay", "--match", "--game", game, "-o", "-", data=records
    )
    assert "match-over" in printed("diagram", "--match", "--game", game)
