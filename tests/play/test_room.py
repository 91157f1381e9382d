"""A room: who sits where, who says what is played, when it goes on; and that it is restored as it was."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from fsm.stepping.steps import Move
from maumau.play.table import NotAsked, Refused
from maumau.play.table.room import Room, RoomPlan
from maumau.play.table.table import Table

TWO = RoomPlan(game="maumau", players=2, computer="house")


def room_of(*names: str, plan: RoomPlan = TWO) -> tuple[Room, list[str]]:
    room = Room(plan)
    return room, [room.join(name) for name in names]


def dealt(room: Room) -> Table:
    room.hurry()
    room.deal(())
    assert room.table is not None
    return room.table


def seats(room: Room) -> list[str]:
    assert room.table is not None
    return [seat["name"] for seat in room.table.view(None)["seats"]]


def played_out(room: Room) -> None:
    """Let computer players finish the round for everybody, who then come back."""
    assert room.table is not None
    for token in room.members:
        room.leave(token)
    while room.table.state == "playing":
        room.table.advance()
    for token in room.members:
        room.come_back(token)


def test_computer_players_take_the_seats_that_are_left() -> None:
    room, _ = room_of("Ann", plan=RoomPlan(game="maumau", players=3, computer="random"))
    dealt(room)
    assert seats(room) == ["Ann", "random", "random"]


def test_computer_players_may_have_a_policy_each() -> None:
    plan = RoomPlan(game="uno-official", players=4, computer="house,bluffer")
    room, _ = room_of("Ann", plan=plan)
    dealt(room)
    assert seats(room) == ["Ann", "house", "bluffer", "house"]
    with pytest.raises(Refused, match="a computer player has this name"):
        room.join("Bluffer")
    room.join("José 🦊")
    with pytest.raises(Refused, match="name 'josé 🦊': somebody in this room has this name"):
        room.join("josé 🦊")
    with pytest.raises(ValueError, match="stranger"):
        RoomPlan(game="uno-official", players=4, computer="house,bluffer,stranger")
    with pytest.raises(ValueError, match="3 computer players are too many; name at most 2"):
        RoomPlan(game="maumau", players=2, computer="house,house,house")


def test_computer_players_have_names_that_no_person_takes_and_that_stay_while_the_first_seat_goes_round() -> None:
    room, _ = room_of("Ann", "Ben", plan=RoomPlan(game="uno-official", players=10, computer="house"))
    found = []
    for _ in range(3):
        dealt(room)
        names = room.names
        assert len({*names}) == 10
        start = names.index("Ann")
        found.append(names[start:] + names[:start])
        assert room.seen(())["names"] == names
        played_out(room)
        room.count()
        assert {*room.evening.drawn, room.evening.holder} <= {*names}
    assert found[0] == found[1] == found[2]
    for name in found[0][2:]:
        with pytest.raises(Refused, match="a computer player has this name"):
            room.join(name.upper())
    room.remove(2)
    dealt(room)
    assert "Ben" not in room.names


def test_there_are_as_many_seats_as_people_who_want_one_as_far_as_the_game_goes() -> None:
    room, _ = room_of("Ann", "Ben", "Cleo", "Dan", "Eva")
    dealt(room)
    assert seats(room) == ["Ann", "Ben", "Cleo", "Dan"]
    assert [each.seat for each in room.members.values()] == [1, 2, 3, 4, None]


def test_the_next_table_has_the_same_people_and_another_first_player() -> None:
    room, _ = room_of("Ann", "Ben", "Cleo")
    dealt(room)
    played_out(room)
    dealt(room)
    assert seats(room) == ["Cleo", "Ann", "Ben"]
    assert [each.seat for each in room.members.values()] == [2, 3, 1]


def test_it_goes_on_when_all_who_play_and_are_here_are_ready() -> None:
    room, (ann, ben, cleo) = room_of("Ann", "Ben", "Cleo")
    watching = room.join("Dan", plays=False)
    here = {ann, ben, watching}
    room.ready(ann)
    assert not room.is_agreed(here)
    room.ready(ben)
    assert room.is_agreed(here), "Cleo is not here, and Dan watches"
    room.deal(here)
    assert room.table is not None
    assert room.table.absent == {room.members[cleo].seat}, "a computer player stands in"
    assert not any(each.is_ready for each in room.members.values())
    room.ready(ann)
    assert not room.members[ann].is_ready, "nothing is waited for"


def test_who_comes_late_takes_the_seat_of_a_computer_player_with_its_cards() -> None:
    room, _ = room_of("Ann")
    table = dealt(room)
    hand = table.game.hands[1]
    ben = room.join("Ben")
    assert seats(room) == ["Ann", "Ben"]
    assert table.view(room.members[ben].seat)["hands"][1] == list(hand)
    cleo = room.join("Cleo")
    assert room.members[cleo].seat is None, "no seat is free until the next table"
    played_out(room)
    dealt(room)
    assert room.members[cleo].seat is not None


def test_who_has_seen_cards_of_a_round_takes_no_other_seat_of_it() -> None:
    room, (ann, _) = room_of("Ann", "Ben")
    dealt(room)
    room.play(ann, plays=False)
    assert seats(room) == ["house", "Ben"]
    room.play(ann, plays=True)
    assert room.members[ann].seat is None
    cleo = room.join("Cleo")
    assert room.members[cleo].seat == 1


def test_who_leaves_is_stood_in_for_and_comes_back_to_the_same_seat() -> None:
    room, (ann, ben) = room_of("Ann", "Ben")
    table = dealt(room)
    room.leave(ann)
    assert table.absent == {1}
    assert room.ruler is room.members[ben], "who is away rules nothing"
    room.come_back(ann)
    assert (table.absent, room.members[ann].seat, room.ruler) == (set(), 1, room.members[ann])


def test_who_is_removed_cannot_come_in_again_by_the_code() -> None:
    room, (ann, ben) = room_of("Ann", "Ben")
    dealt(room)
    code = room.code
    room.remove(room.members[ben].number)
    assert ben not in room.members
    assert room.code != code
    assert seats(room) == ["Ann", "house"]
    for number in (room.members[ann].number, 99):
        with pytest.raises(Refused):
            room.remove(number)


def test_only_who_rules_the_room_says_what_is_played_and_not_during_a_game() -> None:
    room, (ann, ben) = room_of("Ann", "Ben")
    room.check_rules(ann)
    with pytest.raises(NotAsked, match="Ann decides what is played here"):
        room.check_rules(ben)
    dealt(room)
    with pytest.raises(Refused, match="the game is not over"):
        room.change(TWO)
    room.end()
    room.change(RoomPlan(game="uno", players=2, computer="house"))
    assert dealt(room).setup.game == "uno"
    assert seats(room) == ["Ben", "Ann"]


UNSEEN = "\u2800", "\u3164", "\ufe0f", "\u2060", "\u202e"
WIDE = "\uff48\uff4f\uff55\uff53\uff45"
COMPUTERS = "house", "HOUSE", WIDE, "player 2", "Player2", "player", "Player \u00b2"
MISLEADING = "", " ", "a\x00", "x" * 41, "x" * 10_000, "ann", *COMPUTERS, *UNSEEN, *(f"Ann{each}" for each in UNSEEN)


@pytest.mark.parametrize("name", MISLEADING)
def test_names_by_which_somebody_else_would_be_meant(name: str) -> None:
    room, _ = room_of("Ann")
    with pytest.raises(Refused, match="; "):
        room.join(name)


def test_spaces_around_and_in_a_name_are_one() -> None:
    room, (token,) = room_of("  Ann \t Lee ")
    assert room.members[token].name == "Ann Lee"


def test_the_tables_that_each_has_won_are_counted_once() -> None:
    room, _ = room_of("Ann", "Ben")
    for tables in range(1, 4):
        dealt(room)
        played_out(room)
        room.count()
        room.count()
        assert sum(each["won"] for each in room.seen(())["people"]) == tables


def test_the_evening_counts_each_round_once_when_it_is_over() -> None:
    room, _ = room_of("Ann", "Ben")
    drawn, longest = Counter[str](), 0
    for rounds in range(3):
        table = dealt(room)
        names, each = seats(room), len(table.game.hands[0])
        room.count()
        assert room.evening.rounds == rounds, "a round that is played is not counted"
        played_out(room)
        for _ in range(2):
            room.count()
        game = table.game
        laid = Counter(step.player for step in game.history if step.trigger == "play")
        for player, name in enumerate(names, 1):
            drawn[name] += laid[player] + len(game.hands[player - 1]) - each
        longest = max(longest, game.table.turns)
        assert room.evening.rounds == rounds + 1
    assert room.evening.drawn == drawn
    assert room.evening.longest == longest
    assert room.evening.largest > each
    assert room.evening.holder in names
    assert room.table is not None
    restored = Room.restore(json.loads(json.dumps(room.save())), room.table.journal)
    assert restored.evening == room.evening


def test_a_card_is_drawn_by_who_has_the_seat_then() -> None:
    room, (ann, _) = room_of("Ann", "Ben")
    table = dealt(room)
    drawn, since, hand = Counter[str](), 0, len(table.game.hands[0])

    def ends(name: str) -> None:
        """Count what somebody has drawn at the seat of player 1, whose time there ends: laid cards, and those left."""
        nonlocal since, hand
        events, now = table.game.history[since:], len(table.game.hands[0])
        laid = sum(step.trigger == "play" and step.player == 1 for step in events)
        drawn[name] += now + laid - hand
        since, hand = len(table.game.history), now

    for token in room.members:
        room.leave(token)
    while not any(step.trigger == "take" and step.player == 1 for step in table.game.history):
        assert table.advance()
    ends("Ann")
    room.play(ann, plays=False)
    room.remove(1)
    room.leave(room.join("Cleo"))
    assert room.members[room.at_seat(1)].name == "Cleo"
    played_out(room)
    ends("Cleo")
    room.count()
    assert drawn["Ann"]
    assert all(room.evening.drawn.get(name, 0) == cards for name, cards in drawn.items())


def test_a_table_is_won_by_who_had_the_seat_at_its_end() -> None:
    room, _ = room_of("Ann", "Ben", plan=RoomPlan(game="maumau", players=2, computer="house", target=1))
    table = dealt(room)
    played_out(room)
    room.count()
    (won,) = table.game.outcome.winners
    winner = room.at_seat(won)
    name = room.members[winner].name
    assert (table.state, room.wins) == ("over", {name: 1})
    room.play(winner, plays=False)
    room.join("Cleo")
    dealt(room)
    assert room.wins == {name: 1}


def test_cards_of_moves_that_were_taken_back_are_not_drawn() -> None:
    room, _ = room_of("Ann", plan=RoomPlan(game="maumau", players=2, computer="first-legal"))
    table = dealt(room)
    while table.asked is None:
        table.advance()
    before = table.hands.copy()
    for _ in range(3):
        table.act(1, Move("draw"), at=table.version(1))
        while table.asked is None:
            table.advance()
        assert table.hands.drawn != before.drawn
        table.undo(1, at=table.version(1))
        assert table.hands == before


def test_a_room_is_restored_as_it_was() -> None:
    room, (_, ben) = room_of("Ann", "Ben", plan=RoomPlan(game="uno-official", players=3, computer="house", target=200))
    table = dealt(room)
    room.leave(ben)
    while table.asked is None and table.advance():
        pass
    room.play(ben, plays=False)
    room.join("Cleo")
    saved = json.loads(json.dumps(room.save()))
    again = Room.restore(saved, json.loads(json.dumps(table.journal)))
    assert again.save() == room.save()
    assert again.table is not None
    assert [again.table.view(player) for player in (1, 2, 3, None)] == [
        table.view(player) for player in (1, 2, 3, None)
    ]
    assert again.seen(()) == room.seen(())


@pytest.mark.parametrize("damage", [{"format": "x"}, {"plan": {}}, {"members": 3}, {"table": {"x": 1}}, {"wins": 3}])
def test_what_is_no_saved_room(damage: dict[str, object]) -> None:
    room, _ = room_of("Ann", "Ben")
    with pytest.raises(ValueError, match="not a saved"):
        Room.restore(room.save() | damage, [])


def test_no_secret_is_shown() -> None:
    room, (ann, ben) = room_of("Ann", "Ben")
    table = dealt(room)
    text = json.dumps(room.seen({ann, ben}))
    assert not any(secret in text for secret in (ann, ben, table.setup.key))
