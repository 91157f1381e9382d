"""A table: who is asked, what a move does, what is refused, undo, absent people, rounds, and tables that are restored."""

from __future__ import annotations

import doctest
import json
import re
from random import Random
from typing import Any

import pytest
from all_games import GAMES
from play_games import seated

import maumau.play.table.table
from examples.hearts import Hearts
from examples.kuhn_poker import KuhnPoker
from fsm import Game, game_class, register
from fsm.stepping.steps import Move
from maumau.play.table import Computer, NotAsked, Person, Refused, Setup, Stale, Table
from maumau.play.table.room import RoomTable
from maumau.play.table.seen import NOBODY, seen_by
from maumau.play.table.view import encoded, turn_view
from rules.passing import ACROSS, LEFT, NONE, RIGHT
from rules.visibility import is_shown_at_end

MAUMAU, UNO, OFFICIAL, MAHJONG, *_ = GAMES


def asked(table: Table) -> int:
    """Fire what needs no person, and return who is asked."""
    while table.advance():
        pass
    assert table.asked is not None
    return table.asked


def play_on(table: Table, random: Random, events: int = 10_000) -> None:
    """Play with moves at random."""
    for _ in range(events):
        if not table.advance():
            if table.asked is None:
                return
            moves = table.view(table.asked)["question"]["moves"]
            table.act(table.asked, random.choice(moves), at=table.version(table.asked))


def everything(table: Table) -> list[Any]:
    """What everybody sees."""
    return [(table.view(player), table.log(player)) for player in (None, *range(1, table.setup.players + 1))]


def test_logs_tell_how_a_challenge_has_ended() -> None:
    table = Table(seated(OFFICIAL, 3, people=0, seed=2))
    play_on(table, Random(2))
    drawn = {True: "the player of the wild draw four draws four cards", False: "the challenger draws six cards"}
    log = table.log(None)
    found = [(place, entry) for place, entry in enumerate(log) if entry["event"] == "challenge"]
    assert found
    for place, entry in found:
        takes = next(each for each in log[place:] if each["event"] == "take")
        assert drawn[takes["player"] != entry["player"]] in entry["text"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_people_and_computer_players_play_every_game_to_its_end(kind: type[Game]) -> None:
    players = min(kind.declaration.codec.fewest + 1, kind.declaration.codec.most)
    table = Table(seated(kind, players, people=2, seed=5))
    play_on(table, Random(5))
    assert table.state == "over"
    outcome = table.game.outcome
    assert outcome is not None
    assert table.view(1)["outcome"]["scores"] == list(outcome.scores)
    shown = [is_shown_at_end(table.game.table, "hands", seat) for seat in range(players)]
    assert table.view(None)["hands"] == [
        list(hand) if is_open or not hand else None for hand, is_open in zip(table.game.hands, shown, strict=True)
    ]
    assert not table.advance()


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_the_question_has_all_legal_moves_and_a_reason_for_every_other_card(kind: type[Game]) -> None:
    table = Table(seated(kind, kind.declaration.codec.fewest, people=2, seed=6))
    random = Random(6)
    while (player := (table.advance(), table.asked)[1]) or table.state == "playing":
        if player is None:
            continue
        question = table.view(player)["question"]
        assert [move["label"] for move in question["moves"]] == [str(move) for move in table.game.events()]
        for card, reason in question["unplayable"].items():
            assert reason
            assert f"play {card}" not in [move["label"] for move in question["moves"]]
        assert sorted(place for arc in table.view(player)["arcs"] for place in arc["moves"]) == list(
            range(len(question["moves"]))
        ) or any(arc["enabled"] is None for arc in table.view(player)["arcs"])
        table.act(player, random.choice(question["moves"]), at=table.version(player))


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_everybody_sees_what_the_own_knowledge_shows(kind: type[Game]) -> None:
    players = min(kind.declaration.codec.fewest + 1, kind.declaration.codec.most)
    table = Table(seated(kind, players, people=players, seed=12))
    random = Random(12)
    for _ in range(60):
        play_on(table, random, 1)
        for player in (None, *range(1, players + 1)):
            seat = NOBODY if player is None else player - 1
            if seat not in table._kept:
                asks = table.setup if player is not None and table.asked == player else None
                seen = seen_by(table.game, seat)
                known = seen.data(seat) | turn_view(seen, seat, asks).fields
                view = table.view(player)
                assert {name: view[name] for name in known} == known


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_the_parts_are_what_is_seen_with_the_same_fields_in_the_same_order_for_all(kind: type[Game]) -> None:
    players = min(kind.declaration.codec.fewest + 1, kind.declaration.codec.most)
    table = Table(seated(kind, players, people=players, seed=13))
    random = Random(13)
    for _ in range(30):
        play_on(table, random, 1)
        for seat in range(NOBODY, players):
            sent = encoded(table.parts(seat))
            assert [name for name, _ in json.loads(sent, object_pairs_hook=list)] == list(table.view(1))
            assert json.loads(sent) == json.loads(json.dumps(table.view(None if seat == NOBODY else seat + 1)))


def test_only_the_player_who_is_asked_may_act() -> None:
    table = Table(seated(MAUMAU, 3, people=3, seed=7))
    player = asked(table)
    other = player % 3 + 1
    with pytest.raises(NotAsked, match=f"player {other} is not asked now: not while another player acts"):
        table.act(other, Move("draw"), at=table.version(other))
    assert table.view(other)["question"] is None
    assert table.why(other, Move("draw")) == f"player {other} is not asked now: not while another player acts"


def test_a_move_for_an_older_version_is_refused_and_nothing_moves() -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7))
    player = asked(table)
    before = everything(table), len(table.journal)
    for version in (table.version(player) - 1, table.version(player) + 1, -1, 2**70):
        with pytest.raises(Stale, match="out of date; the table has gone on"):
            table.act(player, Move("draw"), at=version)
    assert (everything(table), len(table.journal)) == before


def test_an_illegal_move_is_refused_with_the_reason_and_nothing_moves() -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7))
    player = asked(table)
    card, reason = next(iter(table.view(player)["question"]["unplayable"].items()))
    before = everything(table), len(table.journal)
    refusal = rf"player {player} cannot play {card} on .*: {re.escape(reason)}; may "
    with pytest.raises(Refused, match=refusal):
        table.act(player, {"trigger": "play", "card": card}, at=table.version(player))
    for wrong in ({}, [], "draw", {"trigger": 3}, {"trigger": "draw", "more": 1}, {"trigger": "play", "card": ["x"]}):
        with pytest.raises(Refused):
            table.act(player, wrong, at=table.version(player))  # type: ignore[arg-type]
    assert (everything(table), len(table.journal)) == before


def test_a_move_that_is_sent_twice_is_done_once() -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7))
    player, version = asked(table), 0
    version = table.version(player)
    table.act(player, Move("draw"), at=version)
    before = everything(table), len(table.journal)
    table.act(player, {"trigger": "draw", "label": "draw"}, at=version)
    assert (everything(table), len(table.journal)) == before
    with pytest.raises(Stale):
        table.act(player, Move("pass_turn"), at=version)


def test_a_hint_is_a_legal_move_with_its_reason() -> None:
    table = Table(seated(MAUMAU, 2, people=1, policy="house", seed=7))
    hint = table.hint(asked(table))
    assert hint["move"] in table.view(1)["question"]["moves"]
    assert hint["why"]


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_following_the_hints_is_what_the_default_policy_does(kind: type[Game]) -> None:
    if kind.declaration.policies[0].name == "random":
        pytest.skip("its default policy rolls dice")
    players, policy = kind.declaration.codec.fewest, kind.declaration.policies[0].name
    table = Table(seated(kind, players, people=1, policy=policy, seed=11))
    while table.state == "playing":
        if not table.advance():
            table.act(1, table.hint(1)["move"], at=table.version(1))
    by_itself = kind.deal(players, seed=11)
    by_itself.run()
    assert [step[:8] for step in table.game.history if step.player > 1] == [
        step[:8] for step in by_itself.history if step.player > 1
    ]


# ---------------------------------------------------------------- undo


def test_undo_takes_back_the_last_move_of_the_only_person() -> None:
    table = Table(seated(MAUMAU, 3, people=1, policy="house", seed=7))
    before = table.view(asked(table))
    table.act(1, table.hint(1)["move"], at=table.version(1))
    asked(table)
    number = table.log(1)[-1]["number"]
    assert table.view(1)["undo"]
    table.undo(1, at=table.version(1))
    after = table.view(1)
    assert {**after, "version": 0} == {**before, "version": 0}
    assert table.log(1)[-1] == {
        "number": number + 1,
        "event": "undo",
        "player": 1,
        "since": before["version"],
        "text": "Player 1 takes back a move.",
    }
    with pytest.raises(Refused, match="There is nothing to undo"):
        table.undo(1, at=table.version(1))


def test_no_move_is_taken_back_while_another_person_plays() -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7))
    random = Random(1)
    for _ in range(4):
        player = asked(table)
        table.act(player, random.choice(table.view(player)["question"]["moves"]), at=table.version(player))
    player = asked(table)
    assert not table.view(player)["undo"]
    with pytest.raises(Refused, match="only while nobody else plays"):
        table.undo(player, at=table.version(player))


# ---------------------------------------------------------------- absent people


def test_a_computer_player_stands_in_for_an_absent_person_who_may_come_back() -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7))
    player = asked(table)
    table.leave(player)
    table.leave(player)
    assert table.view(None)["seats"][player - 1]["absent"]
    other = asked(table)
    assert other != player
    by = {entry["by"] for entry in table.log(None) if entry.get("player") == player and "by" in entry}
    assert by - {"rules"} == {"stand-in"}
    table.come_back(player)
    table.act(other, Move("draw"), at=table.version(other))
    play_on(table, Random(3))
    assert [entry["text"] for entry in table.log(None) if entry["event"] in ("leave", "come_back")] == [
        f"{'Ann' if player == 1 else 'Bob'} is absent: a computer player stands in.",
        f"{'Ann' if player == 1 else 'Bob'} is back.",
    ]


def test_who_does_not_answer_in_time_is_absent() -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7, turn_seconds=30))
    player = asked(table)
    assert table.view(player)["question"]["seconds"] == table.seconds == 30
    assert not table.time_out(player, at=table.version(player) - 1)
    assert table.time_out(player, at=table.version(player))
    assert table.absent == {player}


def test_who_does_not_answer_a_claim_in_time_declines_it() -> None:
    table = Table(seated(MAHJONG, 3, people=3, seed=7, turn_seconds=60, claim_seconds=5))
    while "decline" not in [move["trigger"] for move in table.view(asked(table))["question"]["moves"]]:
        table.act(asked(table), table.view(asked(table))["question"]["moves"][0], at=table.version(asked(table)))
    player = asked(table)
    question = table.view(player)["question"]
    assert (question["kind"], question["seconds"]) == ("claim", 5)
    assert table.time_out(player, at=table.version(player))
    last = table.log(player)[-1]
    assert (last["event"], last["player"], last["by"]) == ("decline", player, "time")
    assert table.absent == set()


@pytest.mark.slow
def test_calls_challenges_and_catches_are_questions_with_little_time() -> None:
    table = Table(seated(OFFICIAL, 3, people=3, seed=3, target=500, turn_seconds=60, claim_seconds=5))
    random, missing = Random(2), {"call", "challenge", "let_pass"}
    while missing:
        assert table.state != "over"
        if table.advance() or table.asked is None:
            continue
        moves = table.game.events().legal
        if offered := missing & {move.trigger for move in moves}:
            question = table.view(table.asked)["question"]
            assert (question["kind"], question["seconds"]) == ("claim", 5)
            missing -= offered
        table.act(table.asked, random.choice(moves), at=table.version(table.asked))


def test_a_bet_is_a_turn_with_its_time() -> None:
    table = Table(seated(KuhnPoker, 2, people=2, turn_seconds=60, claim_seconds=5))
    for bet in ("check", "bet", "call"):
        question = table.view(asked(table))["question"]
        assert (question["kind"], question["seconds"]) == ("turn", 60)
        table.act(asked(table), Move(bet), at=table.version(asked(table)))
    assert table.state == "over"


@pytest.mark.parametrize("act", [lambda table: table.leave(2), lambda table: table.come_back(2)])
def test_a_computer_player_neither_leaves_nor_comes_back(act: Any) -> None:
    with pytest.raises(Refused, match="player 2 is a computer player; name a person"):
        act(Table(seated(MAUMAU, 2, people=1)))


# ---------------------------------------------------------------- rounds


def test_a_match_is_played_round_after_round_to_its_target() -> None:
    table = Table(seated(OFFICIAL, 3, people=1, policy="house", seed=4, target=100))
    totals, begins = [0, 0, 0], {}
    while table.state != "over":
        begins[table.round] = next(entry["text"] for entry in table.log(1) if entry["event"] == "begin")
        if not table.advance():
            table.act(1, table.hint(1)["move"], at=table.version(1))
        if table.state != "playing":
            outcome = table.game.outcome
            assert outcome is not None
            totals[outcome.winner - 1] += sum(outcome.scores)
            assert table.view(1)["match"]["totals"] == totals
            assert table.view(1)["state"] == ("over" if max(totals) >= 100 else "round over"), "the match ends at once"
    match = table.view(1)["match"]
    assert match["outcome"]["winner"] == totals.index(max(totals)) + 1
    assert max(totals) >= 100
    assert table.log(1)[-1]["text"].endswith(f"Player {match['outcome']['winner']} wins the match.")
    assert [begins[1], begins[2]] == ["Round 1. Player 1 deals.", "Round 2. Player 2 deals."]


# ---------------------------------------------------------------- bounds


def test_who_leaves_and_comes_back_a_thousand_times_leaves_one_line() -> None:
    table = Table(seated(MAUMAU, 3, people=2, seed=7))
    asked(table)
    entries, lines = len(table.journal), len(table.log(None))
    since = table.version(None)
    for _ in range(1000):
        for player in (1, 2):
            table.leave(player)
            assert table.log(None)[-1]["text"].startswith(f"{'Ann' if player == 1 else 'Bob'} is absent")
            table.come_back(player)
    assert len(table.journal) == entries + 2
    assert len(table.log(None)) == lines + 2
    assert [entry["text"] for entry in table.log(None, since)] == ["Ann is back.", "Bob is back."]
    assert table.version(None) == since + 4000, "each is a change that pages are shown"
    restored = Table.restore(json.loads(json.dumps(table.save())))
    assert everything(restored) == everything(table)
    assert restored.journal == table.journal


def test_who_takes_moves_back_a_hundred_times_leaves_one_line() -> None:
    table = Table(seated(MAUMAU, 3, people=1, policy="house", seed=7))
    asked(table)
    before, entries, log, first = table.view(1), len(table.journal), table.log(1), table.version(1)
    for _ in range(100):
        table.act(1, table.view(1)["question"]["moves"][0], at=table.version(1))
        asked(table)
        table.undo(1, at=table.version(1))
        table.leave(1)
        table.come_back(1)
    assert table.view(1) == {**before, "version": table.version(1)}
    assert len(table.journal) == entries + 2
    assert [*log, *({"event": "undo"}, {"event": "come_back"})] == [
        *table.log(1)[: len(log)],
        *({"event": entry["event"]} for entry in table.log(1)[len(log) :]),
    ]
    assert table.log(1)[-2]["since"] == first, "a page that knows of any of these moves forgets it"
    restored = Table.restore(json.loads(json.dumps(table.save())))
    assert everything(restored) == everything(table)
    for each in (table, restored):
        each.act(1, each.view(1)["question"]["moves"][0], at=each.version(1))
        asked(each)
        each.undo(1, at=each.version(1))
    assert everything(restored) == everything(table)
    assert restored.journal == table.journal


def test_a_log_and_a_round_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.play.table.rounds.MAX_ENTRIES", 10)
    monkeypatch.setattr(RoomTable, "MAX_EVENTS", 20)
    table = RoomTable(seated(MAUMAU, 3, people=1, seed=7))
    while len(table.game.history) < 20:
        if not table.advance():
            table.act(1, table.view(1)["question"]["moves"][0], at=table.version(1))
    assert not table.advance()
    assert table.log(None)[-1]["text"] == "The round has 20 events and cannot go on: end this game."
    assert [entry["number"] for entry in table.log(1)] == list(range(table.version(1) - 9, table.version(1) + 1))
    if table.asked:
        with pytest.raises(Refused, match="20 events and cannot go on: end this game"):
            table.act(1, table.view(1)["question"]["moves"][0], at=table.version(1))


LONG = chr(0x1F600) * 40
"""A name that takes as much room as one can."""


def test_a_room_is_bounded_in_bytes_whatever_people_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.play.table.rounds.MAX_LOG", 8000)
    monkeypatch.setattr(RoomTable, "MAX_NOTED", 50_000)
    table, random = RoomTable(seated(OFFICIAL, 10, people=4, policy="random", seed=7)), Random(7)
    for _ in range(60):
        play_on(table, random, 1)
        for player in (1, 2, 3, 4):
            table.leave(player)
            table.come_back(player)
            table.seat(player, None)
            table.seat(player, LONG)
        logs = [table.log(None if seat == NOBODY else seat + 1) for seat in table.logs.versions]
        assert max(len(json.dumps(log, separators=(",", ":"))) - 20 * len(log) for log in logs) <= 8000
    assert table.log(None)[-1]["event"] != "stand_still"
    events = len(table.game.history)
    assert 10 < events < 60
    assert 50_000 <= len(json.dumps(table.journal)) < 50_000 + 12 * len(json.dumps(LONG)) + 200 * events
    assert table._noted == sum(len(json.dumps(entry)) for entry in table.journal if "seen" in entry)
    assert not table.advance()
    assert [entry["event"] for entry in table.log(None)].count("stand_still") == 1
    restored = RoomTable.restore(json.loads(json.dumps(table.save())))
    for player in (None, *range(1, 11)):
        assert restored.view(player) == table.view(player)
        assert restored.log(player)[-10:] == table.log(player)[-10:]
    assert restored.journal == table.journal


def test_the_next_round_begins_though_logs_have_lost_entries_one_more_than_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("maumau.play.table.rounds.MAX_ENTRIES", 30)
    table = RoomTable(seated(MAHJONG, 4, people=1, seed=7, target=1000))
    random = Random(7)
    while table.round < 4:
        play_on(table, random, 1)
    ends = [[entry["text"] for entry in table.log(None if seat < 0 else seat + 1) if entry["event"] == "end_round"]
            for seat in table.logs.versions]  # fmt: skip
    assert min(map(len, ends)) >= 1
    assert all(each == ends[0] for each in ends)
    restored = RoomTable.restore(json.loads(json.dumps(table.save())))
    assert everything(restored) == everything(table)


# ---------------------------------------------------------------- restored tables


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_a_table_is_restored_exactly_at_any_time(kind: type[Game]) -> None:
    players = min(kind.declaration.codec.fewest + 1, kind.declaration.codec.most)
    table = Table(seated(kind, players, people=1, key="secret", target=kind.declaration.scoring.target))
    random = Random(8)
    for _ in range(12):
        play_on(table, random, random.randint(1, 30))
        if table.asked and table.view(table.asked)["undo"] and random.random() < 0.5:
            table.undo(table.asked, at=table.version(table.asked))
        if random.random() < 0.3:
            (table.leave if random.random() < 0.5 else table.come_back)(1)
        restored = Table.restore(json.loads(json.dumps(table.save())))
        assert everything(restored) == everything(table)
        assert restored.game.position() == table.game.position()
        assert restored.journal == table.journal
    state = Random(9), Random(9)
    play_on(table, state[0], 50)
    play_on(restored, state[1], 50)
    assert everything(restored) == everything(table)


def test_a_move_that_was_accepted_before_a_restart_is_done_once() -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7))
    player = asked(table)
    version = table.version(player)
    table.act(player, Move("draw"), at=version)
    restored = Table.restore(table.save())
    restored.act(player, Move("draw"), at=version)
    assert everything(restored) == everything(table)


def test_a_player_who_is_a_function_is_not_asked_again_when_a_table_is_restored() -> None:
    from fsm.declaration.policy import admit_policy

    calls = []

    def eager(view: Any) -> Move:
        calls.append(view)
        return view.moves[len(calls) % len(view.moves)]

    admit_policy("eager-at-a-table", eager, "")
    table = Table(seated(MAUMAU, 2, people=1, policy="eager-at-a-table", seed=7))
    play_on(table, Random(2), 40)
    asked_for = len(calls)
    assert asked_for > 3
    assert everything(Table.restore(table.save())) == everything(table)
    assert len(calls) == asked_for


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data | {"format": "x"}, 'not a saved table; it needs "format": "maumau-table"'),
        (lambda data: data | {"journal": [{"do": ["fly"]}]}, "entry 1 of the journal: unknown entry 'fly'"),
        (lambda data: data | {"journal": [{"do": ["act", 1, 1, {"trigger": "draw"}]}]}, "entry 1 of the journal: "),
        (
            lambda data: data | {"journal": [{"do": ["step", {"trigger": "skip"}]}]},
            "entry 1 of the journal: .*, but here",
        ),
        (
            lambda data: data | {"setup": data["setup"] | {"hash": "0"}},
            r"hash: maumau was played with different rules \(hash '0'; here ",
        ),
    ],
)
def test_what_is_no_saved_table_is_refused(damage: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Table.restore(damage(Table(seated(MAUMAU, 2)).save()))


# ---------------------------------------------------------------- setups


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seats": (Person("Ann"),)}, "1 player cannot play; use 2 to"),
        ({"seats": (Person(""), Computer("house"))}, "name '' cannot be used; use 1 to 40 printable characters"),
        (
            {"seats": (Person("a\n"), Computer("house"))},
            r"name 'a\\n' cannot be used; use 1 to 40 printable characters",
        ),
        ({"seats": (Person("Ann"), Computer("best"))}, "unknown policy 'best'; use one of"),
        ({"target": 0}, "target: 0 is out of range; use 1 to"),
        ({"claim_seconds": 0}, "0 is out of range; use 1 to 86,400"),
        ({"turn_seconds": 10**400}, "is out of range; use 1 to 86,400"),
        ({"seed": -1}, "seed: -1 is out of range"),
        ({"game": "chess"}, "unknown game 'chess'"),
    ],
)
def test_what_cannot_be_played_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Setup(**{"game": "maumau", "seats": (Person("Ann"), Computer("house"))} | fields)


@pytest.mark.parametrize("key", ["secret", ""])
def test_cards_are_passed_in_another_direction_in_each_round(key: str) -> None:
    kind = register(Hearts)
    table = Table(Setup(game=kind.declaration.name, seats=(Computer("random"),) * 4, key=key, seed=7, target=1000))
    directions: list[int] = []
    while len(directions) < 5:
        table.advance()
        if table.game.history and table.game.history[-1].trigger == "begin":
            directions.append(table.game.table.direction)
    assert directions == [LEFT, RIGHT, ACROSS, NONE, LEFT]


def test_the_cards_that_others_have_passed_are_part_of_the_view() -> None:
    seats = (Person("Ann"), *(Computer("house"),) * 3)
    table = Table(Setup(game=register(Hearts).declaration.name, seats=seats, seed=7))
    asked(table)
    dealt = table.view(1)["hands"][0]
    for _ in range(3):
        assert table.view(1)["received"] == []
        table.act(1, Move("pass_card", table.view(1)["hands"][0][-1]), at=table.version(1))
    asked(table)
    for seen in (table, Table.restore(table.save())):
        assert set(seen.view(1)["received"]) == set(seen.view(1)["hands"][0]) - set(dealt)
        assert len(seen.view(1)["received"]) == 3
        assert seen.view(None)["received"] == []
    card = table.view(1)["question"]["moves"][0]["card"]
    table.act(1, Move("play", card), at=table.version(1))
    assert table.view(1)["received"] == []


@pytest.mark.parametrize("wrong", [True, 1.0, "1"], ids=repr)
def test_what_is_no_whole_number_is_no_seat_of_a_move(wrong: Any) -> None:
    table = Table(seated(MAUMAU, 2, people=2, seed=7))
    player = asked(table)
    before = everything(table), len(table.journal)
    with pytest.raises(Refused, match=r"seat: .*; give a whole number"):
        table.act(player, Move("draw", seat=wrong), at=table.version(player))
    assert (everything(table), len(table.journal)) == before


def test_a_table_with_a_seed_has_the_cards_that_the_seed_deals() -> None:
    table = Table(seated(UNO, 2, seed=9, number=4))
    assert table.game.position() == UNO.deal(2, seed=9, number=4).position()


def test_house_rules_are_chosen_by_the_name_of_the_game() -> None:
    table = Table(Setup(game="maumau+five-each", seats=(Person("Ann"), Computer("house"))))
    assert table.view(1)["hand_sizes"] == [5, 5]
    assert Table.restore(table.save()).game.rules == game_class("maumau+five-each").rules


def test_a_player_who_is_not_there_sees_nothing() -> None:
    table = Table(seated(MAUMAU, 2))
    for player in (0, 3, -1, 2**70):
        with pytest.raises(ValueError, match="use 1 to 2"):
            table.view(player)


def test_the_example_prints_what_it_shows() -> None:
    result = doctest.testmod(maumau.play.table.table)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("seed", [5, pytest.param(29, id="a chow is laid twice")])
def test_a_claim_shows_the_tiles_that_it_lays_out(seed: int) -> None:
    table = Table(Setup(game="mahjong", seats=(Person("Ann"), *(Computer("house"),) * 3), seed=seed))
    found: dict[str, list[list[str]]] = {}
    while table.state == "playing":
        if table.advance():
            continue
        moves = table.view(1)["question"]["moves"]
        claims = [move for move in moves if move["trigger"] in ("chow", "pung")]
        for move in claims:
            assert move["card"] in move["meld"]
            found.setdefault(move["trigger"], []).append(move["meld"])
        chosen, before = [*claims, moves[-1]][0], len(table.view(1)["melds"][0])
        table.act(1, chosen, at=table.version(1))
        if claims:
            assert table.view(1)["melds"][0][before] == chosen["meld"]
    for meld in found["chow"]:
        ranks = sorted(int(tile.strip("BDM")) for tile in meld)
        assert ranks == list(range(ranks[0], ranks[0] + 3))
    assert all(len(set(meld)) == 1 for meld in found["pung"])
