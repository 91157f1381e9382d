"""The rules of mahjong: splits, waits and scores, from the rules, the statement's hands and a second reading."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import permutations, product
from pathlib import Path

import plain_mahjong as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mahjong import Wait, dead_waits, read_hand, read_hands, waits
from rules.mahjong.hand import Hand, paths
from rules.mahjong.items import ITEMS, score_of
from rules.mahjong.tiles import (
    COPIES,
    SUITS,
    TILES,
    Group,
    GroupKind,
    counted,
    cuts,
    exposed_melds,
    fours_of,
    meld_kinds,
    meld_of,
)
from rules.rule import Role, role_of

CORPUS = Path(__file__).parents[1] / "corpus" / "mahjong"


def scores(line: str) -> str:
    """The waits of a hand and what they score: `1D: 3, 4D: 5`."""
    return ", ".join(map(str, waits(*read_hand(line)))) or "NONE"


def only_wait(line: str) -> Wait:
    (wait,) = waits(*read_hand(line))
    return wait


def items(wait: Wait) -> dict[str, int]:
    """The items that hold, but for the base, and the points of each."""
    return {scored.item.name: scored.points for scored in wait.items if scored.item.name != "base"}


def groups(wait: Wait) -> str:
    return " ".join(sorted(map(str, (*wait.win.melds, *wait.win.pairs))))


def test_the_corpus() -> None:
    answers = (CORPUS / "cases.out").read_text().split("Case #")[1:]
    hands = read_hands((CORPUS / "cases.in").read_text())
    assert len(hands) == len(answers) == 60
    for hand, answer in zip(hands, answers, strict=True):
        assert ([str(wait) for wait in waits(*hand)] or ["NONE"]) == answer.split("\n")[1:-1]


# ------------------------------------------------------------------ what wins


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1D2D3D4D5D6D7D8D9D1M1M1M5M NONE", "5M: 1"),
        ("5M 1D2D3D4D5D6D7D8D9D1M1M1M", "5M: 1"),
        ("1D2D3D4D 4D5D6D7D8D9D1M1M1M", "1D: 1, 4D: 1"),
        ("2D3D5M5M 4D5D6D7D8D9D1M1M1M", "1D: 1, 4D: 1"),
        ("8D9D5M5M 4D5D6D7D8D9D1M1M1M", "7D: 1"),
        ("1D2D5M5M 4D5D6D7D8D9D1M1M1M", "3D: 1"),
        ("1D2D4D5M 4D5D6D7D8D9D1M1M1M", "NONE"),
    ],
    ids=["a single", "one hidden tile", "either end", "open run", "run at nine", "run at one", "nothing"],
)
def test_four_melds_and_a_pair_win(line: str, expected: str) -> None:
    assert scores(line) == expected


def test_a_run_does_not_pass_from_nine_to_one_nor_into_another_suit() -> None:
    assert scores("8D9D5M5M 2D3D4D4D5D6D1M1M1M") == "7D: 1"
    assert scores("9D1B5B5B 2D3D4D4D5D6D4B5B6B") == "NONE"


def test_nine_gates_wait_for_all_nine_ranks() -> None:
    assert [str(wait)[:2] for wait in waits(*read_hand("1B1B1B2B3B4B5B6B7B8B9B9B9B NONE"))] == [
        f"{r}B" for r in range(1, 10)
    ]


def test_seven_pairs_win() -> None:
    wait = only_wait("1D1D4D4D6D6D8D8D2M2M5M5M9M NONE")
    assert (str(wait), len(wait.win.pairs), wait.win.melds) == ("9M: 3", 7, ())


def test_four_equal_tiles_are_two_pairs() -> None:
    wait = only_wait("1D1D1D1D4D4D6D6D2M2M5M5M9M NONE")
    assert groups(wait) == "1D1D 1D1D 2M2M 4D4D 5M5M 6D6D 9M9M"
    assert items(wait) == {"gang": 1, "seven pairs": 2}
    assert groups(only_wait("1D1D1D4D4D6D6D2M2M5M5M9M9M NONE")) == "1D1D 1D1D 2M2M 4D4D 5M5M 6D6D 9M9M"


def test_seven_pairs_need_all_tiles_hidden() -> None:
    assert scores("1D1D4D4D6D6D8D8D9M9M 5M5M5M") == "NONE"
    assert scores("1D1D4D4D6D6D8D8D9M2M 2M2M2M") == "NONE"


def test_four_hidden_equal_tiles_are_never_one_meld() -> None:
    assert scores("1D1D1D1D4D4D4D6D6D6D9D9D9D NONE") == "NONE"


def test_an_exposed_meld_is_never_cut_anew() -> None:
    assert scores("4D5D9M9M 3D3D3D7D8D9D1M2M3M") == "3D: 2, 6D: 1"
    assert scores("1M2M3M9M 4D5D6D4D5D6D7D8D9D") == "9M: 1"
    assert scores("3M5M9M9M 4M4M4M4M7D8D9D1D2D3D") == "NONE"


def test_three_suits_never_win() -> None:
    assert scores("1D2D3D4D5D6D7D8D9D1M1M1M5B NONE") == "NONE"
    assert scores("5B 1D2D3D4D5D6D7D8D9D1M1M1M") == "NONE"
    assert scores("1D1D4D4D6D6D8D8D2M2M5M5M9B NONE") == "NONE"


def test_a_wait_of_which_all_four_are_held_is_none() -> None:
    hand = read_hand("1D1D1D1D 3D3D3D4D4D4D5D5D5D")
    assert waits(*hand) == ()
    assert TILES.names(dead_waits(*hand)) == ["1D"]
    assert scores("2D3D5M5M 1D1D1D1D7D8D9D1M1M1M") == "4D: 2"
    assert TILES.names(dead_waits(*read_hand("2D3D5M5M 1D1D1D1D7D8D9D1M1M1M"))) == ["1D"]


def test_a_hand_without_such_a_tile_has_no_dead_wait() -> None:
    assert dead_waits(*read_hand("5M 1D2D3D4D5D6D7D8D9D1M1M1M")) == ()


# ------------------------------------------------------------------ what it scores: a test an item


def test_base_every_win_has_one_point() -> None:
    wait = only_wait("5M 1D2D3D4D5D6D7D8D9D1M1M1M")
    assert [(scored.item.name, scored.points) for scored in wait.items] == [("base", 1)]


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("5M 1D2D3D4D5D6D7D8D9D1M1M1M1M", 1),
        ("5M 1D2D3D4D5D6D2D2D2D1M1M1M", 1),
        ("3D4D5D3D3D5M5M6M7M8M 1D2D3D", 1),
        ("1D1D1D2D3D7M8M9M9M9M 4M5M6M", 1),
        ("2M 3D3D3D3D4D4D4D4D5D5D5D5D6D6D6D6D", 4),
        ("5M 1D2D3D4D5D6D7D8D9D1M1M1M", 0),
    ],
    ids=["exposed", "run and triplet, exposed", "hidden and exposed", "completed by the wait", "four", "none"],
)
def test_gang_a_point_for_each_kind_held_four_times_wherever_they_lie(line: str, points: int) -> None:
    assert max(items(wait).get("gang", 0) for wait in waits(*read_hand(line))) == points


def test_one_suit_two_points_if_exposed_tiles_are_of_it_too() -> None:
    assert items(only_wait("5D 1D2D3D4D5D6D7D8D9D1D1D1D")) == {"gang": 1, "one suit": 2}
    assert "one suit" not in items(only_wait("5D 1D2D3D4D5D6D7D8D9D1M1M1M"))


def test_seven_pairs_two_points() -> None:
    assert items(only_wait("1D1D4D4D6D6D8D8D2M2M5M5M9M NONE")) == {"seven pairs": 2}


def test_all_triplets_a_point_for_four_melds_of_equal_tiles_gangs_too() -> None:
    assert items(only_wait("3M 1D1D1D4D4D4D4D6M6M6M7M7M7M")) == {"all triplets": 1, "gang": 1}
    assert "all triplets" not in items(only_wait("3M 1D1D1D4D4D4D6M6M6M7M8M9M"))
    assert "all triplets" not in items(only_wait("1D1D4D4D6D6D8D8D2M2M5M5M9M NONE"))


def test_two_five_eight_two_points_more_if_the_pair_is_of_them_too() -> None:
    assert items(only_wait("5M 2D2D2D5D5D5D8D8D8D8M8M8M")) == {"all triplets": 1, "two five eight": 2}
    assert items(only_wait("6M 2D2D2D5D5D5D8D8D8D8M8M8M")) == {"all triplets": 1}


def test_two_five_eight_is_not_for_seven_pairs() -> None:
    best = {str(wait): items(wait) for wait in waits(*read_hand("2D2D5D5D8D8D2M2M5M5M8M8M8M NONE"))}
    assert best == {"8M: 4": {"gang": 1, "seven pairs": 2}}


def test_ones_and_nines_two_points_if_every_meld_and_the_pair_has_one() -> None:
    assert items(only_wait("9M 1D2D3D7D8D9D1M1M1M7M8M9M")) == {"ones and nines": 2}
    assert items(only_wait("8M 1D2D3D7D8D9D1M1M1M7M8M9M")) == {}
    assert items(only_wait("9M 2D3D4D7D8D9D1M1M1M7M8M9M")) == {}
    assert items(only_wait("1D1D1D1D9D9D9D9D1M1M1M1M9M NONE")) == {"gang": 3, "seven pairs": 2, "ones and nines": 2}


def test_a_wait_scores_the_most_that_one_split_scores_and_does_not_add_splits_up() -> None:
    first, second = waits(*read_hand("2D2D3D3D4D5D5D6D6D7D7D8D8D NONE"))
    assert (str(first), items(first)) == ("1D: 3", {"one suit": 2})
    assert (str(second), items(second), second.others) == ("4D: 5", {"one suit": 2, "seven pairs": 2}, (3, 3, 3))
    (wait,) = waits(*read_hand("1D1D1D2D2D2D3D3D3D5M5M5M9M NONE"))
    assert (wait.score, wait.others) == (2, (1,))


def test_waits_stand_in_the_order_dots_bamboos_characters_and_then_by_digit() -> None:
    assert scores("7M8M2M2M 1D2D3D4D5D6D7D8D9D") == "6M: 1, 9M: 1"
    assert scores("5M5M2D2D 3D4D5D6D7D8D7D8D9D") == "2D: 1, 5M: 1"
    assert scores("5M5M2B2B 3B4B5B6B7B8B7B8B9B") == "2B: 1, 5M: 1"
    assert scores("9B9B2D2D 1B2B3B4B5B6B6B7B8B") == "2D: 1, 9B: 1"


def test_there_are_four_tiles_of_each_of_nine_ranks_in_three_suits() -> None:
    assert list(TILES.cards) == [f"{rank}{suit}" for suit in "DBM" for rank in "123456789"]
    assert (len(TILES.cards) * COPIES, COPIES) == (108, 4)


def test_each_item_has_its_rule_in_one_sentence() -> None:
    assert len({item.name for item in ITEMS}) == len(ITEMS) == 7
    for item in ITEMS:
        assert item.description.endswith(".")
        assert item.description.count(". ") == 0
        assert item.points in (1, 2)


def test_all_items_add_up_to_one_rule_function_that_scores_as_the_waits_do() -> None:
    score = score_of(ITEMS)
    gangs, pair = 1 << TILES.card("2D") | 1 << TILES.card("5D"), 1 << TILES.card("8M")
    assert score(gangs, 0, gangs | 1 << TILES.card("8D") | 1 << TILES.card("2M"), pair) == 1 + 2 + 1 + 2
    assert score(0, 1 << TILES.card("4D"), 0, pair) == 1
    assert role_of(score) is Role.QUERY


# ------------------------------------------------------------------ melds, and exposed ones in a row


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("1D2D3D", "run"),
        ("9M7M8M", "run"),
        ("5B5B5B", "triplet"),
        ("5B5B5B5B", "gang"),
        ("8D9D1B", None),
        ("9D9D1B", None),
        ("1D3D5D", None),
        ("1D2D2D", None),
        ("1D2D3D4D", None),
        ("1D1D", None),
    ],
)
def test_a_meld_is_three_equal_four_equal_or_three_in_a_row_of_a_suit(names: str, kind: str | None) -> None:
    meld = meld_of([TILES.card(name) for name in plain.cut(names)])
    assert (meld and meld.kind) == kind


def test_four_equal_exposed_tiles_may_be_a_triplet_and_the_start_of_a_run() -> None:
    hand = read_hand("5M5M7M8M9M9M9M 1D1D1D1D2D3D")
    assert list(map(str, hand.exposed)) == ["1D1D1D", "1D2D3D"]


def test_exposed_tiles_that_can_be_cut_in_two_ways_score_alike_in_both() -> None:
    melds = [Group(kind, rank) for kind in (GroupKind.TRIPLET, GroupKind.GANG) for rank in range(9)]
    melds += [Group(GroupKind.RUN, rank) for rank in range(7)]
    ways = defaultdict(list)
    for three in product(melds, repeat=3):
        tiles = tuple(tile for meld in three for tile in meld.tiles)
        if max(Counter(tiles).values()) <= 4:
            ways[tiles].append(three)
    doubtful = {tiles: cut for tiles, cut in ways.items() if len(cut) > 1}
    assert doubtful
    for tiles, cut in doubtful.items():
        assert exposed_melds(tiles, 3) in cut
        assert set(cut) == {way for way in cuts(tiles) if len(way) == 3}
        for run in (Group(GroupKind.RUN, 18), Group(GroupKind.TRIPLET, 18)):
            fours = fours_of(counted([*tiles, *run.tiles, 26, 26]))
            kinds = [(*meld_kinds([run, *exposed]), 1 << 26) for exposed in cut]
            assert len({tuple(int(item.times(fours, *masks)) for item in ITEMS) for masks in kinds}) == 1


# ------------------------------------------------------------------ properties


def codes(names: list[str]) -> tuple[int, ...]:
    return tuple(TILES.card(name) for name in names)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Hands of few suits: a winning one less a tile, or any tiles beside exposed melds."""
    suits = draw(st.sampled_from(["D", "DM", "BM", "DBM"]))
    kinds = [tile for tile, name in enumerate(TILES.cards) if name[1] in suits]
    every = [Group(kind, tile) for kind in GroupKind for tile in kinds if kind is not GroupKind.RUN or tile % 9 < 7]
    held: Counter[int] = Counter()

    def drawn(kind: list[GroupKind]) -> Group:
        fitting = [
            group
            for group in every
            if group.kind in kind and not any((held + Counter(group.tiles))[tile] > 4 for tile in group.tiles)
        ]
        group = draw(st.sampled_from(fitting))
        held.update(group.tiles)
        return group

    number = draw(st.integers(0, 4))
    exposed = tuple(drawn([GroupKind.RUN, GroupKind.TRIPLET, GroupKind.GANG]) for _ in range(number))
    if draw(st.booleans()):
        parts = [drawn([GroupKind.RUN, GroupKind.TRIPLET]) for _ in range(4 - number)] + [drawn([GroupKind.PAIR])]
        hidden = [tile for part in parts for tile in part.tiles]
        hidden.remove(draw(st.sampled_from(hidden)))
    elif number == 0 and draw(st.booleans()):
        hidden = [tile for _ in range(7) for tile in drawn([GroupKind.PAIR]).tiles][1:]
    else:
        wall = [tile for tile in kinds for _ in range(4 - held[tile])]
        hidden = draw(st.permutations(wall))[: 13 - 3 * number]
    return Hand(tuple(draw(st.permutations(hidden))), exposed)


def second_reading(hand: Hand) -> dict[str, list[int]]:
    return plain.waits(TILES.names(hand.hidden), tuple(tuple(TILES.names(meld.tiles)) for meld in hand.exposed))


def first_reading(hand: Hand) -> dict[str, list[int]]:
    return {TILES.cards[wait.tile]: [wait.score, *wait.others] for wait in waits(*hand)}


@given(hands())
def test_a_second_reading_agrees_on_every_wait_and_every_split(hand: Hand) -> None:
    assert first_reading(hand) == second_reading(hand)


@pytest.mark.parametrize("suits", [1, 2, 3])
def test_a_second_reading_agrees_on_dealt_hands(suits: int) -> None:
    dice = random.Random(suits)
    wall = [tile for tile in range(9 * suits) for _ in range(4)]
    for _ in range(40):
        hand = Hand(tuple(dice.sample(wall, 13)))
        assert first_reading(hand) == second_reading(hand)


@given(hands())
def test_every_wait_really_wins(hand: Hand) -> None:
    held = Counter([*hand.hidden, *(tile for meld in hand.exposed for tile in meld.tiles)])
    for wait in waits(*hand):
        assert held[wait.tile] < 4
        assert Counter(tile for group in (*wait.win.melds, *wait.win.pairs) for tile in group.tiles) == held + Counter(
            [wait.tile]
        )
        assert wait.win.exposed == hand.exposed
        assert all(meld_of(meld.tiles) == meld for meld in wait.win.melds)
        assert all(meld.kind is not GroupKind.GANG for meld in wait.win.hidden)
        assert (len(wait.win.melds), len(wait.win.pairs)) in ((4, 1), (0, 7))
        assert all(pair.kind is GroupKind.PAIR for pair in wait.win.pairs)
        assert len({tile // 9 for group in (*wait.win.melds, *wait.win.pairs) for tile in group.tiles}) <= 2
        assert wait.score == sum(scored.points for scored in wait.items) >= max(wait.others, default=1)


@given(hands(), st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_and_of_the_melds_changes_nothing(hand: Hand, dice: random.Random) -> None:
    hidden, exposed = list(hand.hidden), list(hand.exposed)
    dice.shuffle(hidden)
    dice.shuffle(exposed)
    output = [(str(wait), wait.items, wait.others) for wait in waits(*hand)]
    assert [(str(wait), wait.items, wait.others) for wait in waits(hidden, exposed)] == output


@given(hands())
def test_renaming_suits_changes_nothing_but_the_order(hand: Hand) -> None:
    for names in permutations(SUITS):
        renamed = [SUITS.index(name) * 9 for name in names]
        other = waits(
            [renamed[tile // 9] + tile % 9 for tile in hand.hidden],
            [Group(meld.kind, renamed[meld.tile // 9] + meld.tile % 9) for meld in hand.exposed],
        )
        expected = {(renamed[wait.tile // 9] + wait.tile % 9, wait.items, wait.others) for wait in waits(*hand)}
        assert {(wait.tile, wait.items, wait.others) for wait in other} == expected


@given(st.lists(st.integers(0, 4), min_size=9, max_size=9).filter(lambda ranks: sum(ranks) <= 14))
def test_the_automaton_takes_each_split_of_a_suit_once_and_loses_no_tile(ranks: list[int]) -> None:
    counts = sum(copies << 3 * rank for rank, copies in enumerate(ranks))
    for pairs in (0, 1):
        found = paths(counts, 0, 0, pairs)
        assert len(set(found)) == len(found)
        assert all(3 * laid.triplets + 2 * laid.pairs + 0o111 * laid.runs == counts for laid in found)


# ------------------------------------------------------------------ what is no hand


@pytest.mark.parametrize(
    ("hidden", "exposed", "message"),
    [
        ([0] * 12, [], "12 hidden tiles; use 13, or three fewer for each exposed meld"),
        ([0] * 16, [], "16 hidden tiles; use 13"),
        ([1] * 10, [], "no exposed melds beside 10 hidden tiles; use 1"),
        ([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0], [], "1D appears 5 times; use it at most 4 times"),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 27], [], "tile code 27 is out of range; use 0 to 26"),
    ],
)
def test_what_is_no_hand_is_refused(hidden: list[int], exposed: list[Group], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        waits(hidden, exposed)
