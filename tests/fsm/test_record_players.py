"""A record names who played: read and written again it is the same text, whoever played which game."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from all_games import GAMES, HOUSE_RULES
from outside import command

from fsm import Game, Match, MauMau, register
from fsm.declaration.policy import admit_policy
from fsm.match.transcript import Transcript
from fsm.records import Record, RecordError, record_of, replay
from fsm.stepping.steps import Move

CRAZY_EIGHTS = Path(__file__).parents[2] / "examples" / "crazy_eights.py"
HOUSE, LAST, HAND = "house", "players.py:last", "hand"
PLAYERS = """
def last(view):
    return view.moves[len(view.history) * 7 % len(view.moves)]
"""


def any_move(view: Any) -> Move:
    return view.moves[len(view.history) * 7 % len(view.moves)]  # type: ignore[no-any-return]


@pytest.fixture
def known() -> None:
    """All games are known by name."""
    for kind in GAMES:
        register(kind)


def play_on(game: Game, *hands: int) -> Game:
    """Play a game to its end, some players by hand."""
    while not game.outcome:
        moves = game.view(game.player).moves
        if moves and game.player in hands:
            game.fire(moves[len(game.history) * 7 % len(moves)])
        else:
            game.step()
    return game


def test_a_game_that_is_over_has_a_record_if_it_was_played_from_its_deal_on() -> None:
    game = MauMau.deal(players=3, seed=7)
    with pytest.raises(ValueError, match="player 1 in turn, open card HE> is not over"):
        record_of(game)
    game.step()
    later = MauMau.at(game.position())
    game.run()
    assert record_of(game) == record_of(Transcript.of(game))
    assert replay(record_of(game)).history == game.history
    later.skip()
    later.play("HK")
    middle = MauMau.at(later.position())
    for each in (later, middle):
        each.run()
    for began, phase in (
        (later, "skip-pending"),
        (middle, "await-play"),
        (MauMau.at(later.position()), "game-over"),
    ):
        with pytest.raises(ValueError, match=f"the game began in {phase}; use one that was played from its deal"):
            record_of(began)


def written(game: Game) -> str:
    return json.dumps(record_of(Transcript.of(game)))


def names_read_back(text: str) -> list[str]:
    """The names of the players of a record, which is the same text when it has been read and written again."""
    game = replay(json.loads(text))
    assert written(game) == text
    assert written(pickle.loads(pickle.dumps(game))) == text
    return json.loads(text)["policies"]  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("kind", [*GAMES, *map(MauMau.with_rules, HOUSE_RULES)], ids=lambda kind: kind.declaration.name)
def test_a_record_of_all_kinds_of_players_is_read_back(kind: type[Game]) -> None:
    admit_policy(LAST, any_move, "content")
    fewest, own = kind.declaration.codec.fewest, [policy.name for policy in kind.declaration.policies]
    for number, name in enumerate([*own, LAST, any_move]):
        policies = [name, *[HOUSE] * (fewest - 1)]
        text = written(play_on(kind.deal(fewest, 7, number, policies)))
        assert names_read_back(text) == [getattr(name, "__name__", name), *policies[1:]]


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_a_seat_that_was_played_by_hand_is_named_so(kind: type[Game]) -> None:
    fewest = kind.declaration.codec.fewest
    text = written(play_on(kind.deal(fewest, 7, 0, HOUSE), 2))
    assert names_read_back(text) == [HOUSE, HAND, *[HOUSE] * (fewest - 2)]


def test_a_seat_that_was_played_partly_by_hand_is_that_of_its_policy() -> None:
    game = MauMau.deal(2, 7, 0, HOUSE)
    while not game.view(game.player).moves:
        game.step()
    game.fire(game.events()[-1])
    assert names_read_back(written(play_on(game))) == [HOUSE, HOUSE]


def test_a_function_with_the_name_of_a_policy_is_no_such_policy() -> None:
    def house(view: Any) -> Move:
        return any_move(view)

    assert names_read_back(written(play_on(MauMau.deal(2, 7, 0, [house, "random"])))) == [HAND, "random"]


# ---------------------------------------------------------------- players who are not here


def record_of_last(policies: Any) -> Record:
    record: Record = json.loads(written(play_on(MauMau.deal(2, 7, 0, [any_move, HOUSE]))))
    return record | {"policies": policies}


@pytest.mark.parametrize("name", ["nowhere.py:player", "net:nowhere.safetensors", "search:9999999", "\x1b[2J"])
def test_a_player_who_is_not_here_is_replayed(name: str) -> None:
    assert names_read_back(json.dumps(record_of_last([name, HOUSE]))) == [name, HOUSE]


def test_nobody_is_asked_to_choose_for_a_player_of_a_record() -> None:
    game = replay(record_of_last(["search:2", HOUSE]))
    while game.undo().rule is not None or game.player != 1:
        pass
    with pytest.raises(
        ValueError, match="policy search:2 of player 1 is known only from a record; play the move that the record names"
    ):
        game.step()


def test_a_record_need_not_name_its_players() -> None:
    record = record_of_last([])
    del record["policies"]
    assert replay(record | {"events": [event | {"rule": None} for event in record["events"]]}).outcome


def test_only_a_policy_of_the_game_has_decision_rules() -> None:
    record = record_of_last(["search:2", "search:2"])
    place = next(place for place, event in enumerate(record["events"], 1) if event["rule"])
    with pytest.raises(
        RecordError, match=f"^event {place}: rule is '.*', but policy 'search:2' has no rules in this game"
    ):
        replay(record)


@pytest.mark.parametrize("name", [1, "", [], True, None])
def test_a_player_has_a_name(name: Any) -> None:
    with pytest.raises(RecordError, match=r"(policy 1|policies): .* is not the name of a policy"):
        replay(record_of_last([name, HOUSE]))


# ---------------------------------------------------------------- matches


def match_read_back(match: Match) -> Record:
    """The record of a match, which is the same text when it has been read and written again."""
    record: Record = json.loads(text := json.dumps(record_of(match)))
    assert json.dumps(record_of(replay(record, of=Match))) == text
    return record


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_a_match_of_a_function_is_read_back(kind: type[Game]) -> None:
    fewest = kind.declaration.codec.fewest
    policies = [any_move, *[HOUSE] * (fewest - 1)]
    match = Match.of_decks(kind, fewest, [kind.deck_of(fewest, 7, number) for number in range(2)], policies, 7)
    match.run()
    names = ["any_move", *policies[1:]]
    record = match_read_back(match)
    assert [record["policies"], *(each["game"]["policies"] for each in record["rounds"])] == [names] * (
        1 + len(record["rounds"])
    )


@pytest.mark.parametrize("rounds", [1, 2])
def test_rounds_that_were_played_by_hand_are_named_so(rounds: int) -> None:
    match = Match.of_decks(MauMau, 2, [MauMau.deck_of(2, 7, number) for number in range(2)], target=1000)
    match.step()
    for _ in range(rounds):
        assert match.game is not None
        play_on(match.game, 1)
        match.play_round()
    match.run()
    record = match_read_back(match)
    assert record["policies"] == [HAND if rounds == 2 else HOUSE, HOUSE]
    assert [each["game"]["policies"][0] for each in record["rounds"]] == [HAND] * rounds + [HOUSE] * (2 - rounds)


def test_the_players_of_a_round_are_those_of_the_match() -> None:
    match = Match(MauMau, 2, 7, policies=[any_move, HOUSE], target=1)
    match.run()
    record = deepcopy(match_read_back(match))
    record["rounds"][0]["game"]["policies"][0] = "other"
    with pytest.raises(RecordError, match="round 1: policies: player 1 is 'other', but 'any_move' in the match"):
        replay(record, of=Match)


def test_a_match_is_recorded_only_when_it_is_over() -> None:
    match = Match(MauMau, 2, seed=7)
    match.play_round()
    with pytest.raises(ValueError, match="is not over; use a match that was played to its end"):
        record_of(match)


def test_the_record_of_one_is_refused_as_that_of_the_other() -> None:
    match = Match(MauMau, 2, seed=7, target=1)
    match.run()
    record = record_of(match)
    with pytest.raises(RecordError, match='not a record of a game; give an object with "format": "maumau-game"'):
        replay(record)
    with pytest.raises(RecordError, match='not a record of a match; give an object with "format": "maumau-match"'):
        replay(record["rounds"][0]["game"], of=Match)


# ---------------------------------------------------------------- commands


def test_commands_read_records_of_players_who_draw_as_they_choose(tmp_path: Path) -> None:
    game, players = f"{CRAZY_EIGHTS}:CrazyEights", tmp_path / "players.py"
    players.write_text(PLAYERS)
    for options in ((), ("--match",)):
        decks = command("deal", "--game", game, "--players", 2, "--seed", 3, *options).out
        decks = "\n".join(["1", "2 2", *decks.splitlines()[2:4]]) if options else decks
        played = "simulate", "--game", game, "--policy", f"{players}:last,house", *options
        records = command(*played, "--json", "-", data=decks).out
        assert '"take", "source": "await-play"' in records
        players.unlink()
        again = command("simulate", "--game", game, "--from-json", "--json", *options, "-", data=records)
        assert (again.out, again.err) == (records, "")
        players.write_text(PLAYERS)
        for output in ("--trace", "--events"):
            done = command("simulate", "--game", game, "--from-json", output, *options, "-", data=records)
            assert done.out == command(*played, output, "-", data=decks).out


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["search:2", "search:2:random"])
def test_a_record_of_search_is_read_back(policy: str) -> None:
    game = f"{CRAZY_EIGHTS}:CrazyEights"
    decks = command("deal", "--game", game, "--players", 2, "--seed", 3, "--games", 2).out
    records = command("simulate", "--game", game, "--policy", f"{policy},house", "--json", "-", data=decks).out
    assert json.loads(records.splitlines()[0])["policies"] == [policy, HOUSE]
    assert command("simulate", "--game", game, "--from-json", "--json", "-", data=records).out == records
