"""Guards that are taken to exclude each other: two rules by which one card has two actions are refused, with the card."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import pytest

from fsm import Game, game_class
from fsm.declaration.arcs import Arc
from fsm.declaration.declaration import DeclarationError
from fsm.games.maumau.arcs import DRAWING
from fsm.games.maumau.game import MauMau
from fsm.games.maumau.house.king_again import play_again
from fsm.variants import AddArcs, AddField, Arcs, ChangeArcs, ClashError, Means, SplitArcs, Variant, Waive
from fsm.variants.edits import Edit
from rules.cards import EIGHT, NINE, SEVEN, TEN, rank_of, suit_of
from rules.maumau import game as maumau
from rules.maumau.game import lay_card, next_player
from rules.rule import among, effect, guard


@guard("{card} is not a nine")
def lucky_nine(table: Any) -> bool:
    return rank_of(table.card) == NINE


@guard("{card} is no card below a ten")
def low(table: Any) -> bool:
    return SEVEN <= rank_of(table.card) < TEN


@guard("{card} is not a nine of a full hand")
def nine_of_many(table: Any) -> bool:
    return rank_of(table.card) == NINE and table.hands[table.player].bit_count() > 3


@guard("{card} is no diamond")
def diamond(table: Any) -> bool:
    return suit_of(table.card) == 0


@guard("{card} is no black nine")
def black_nine(table: Any) -> bool:
    return rank_of(table.card) == NINE and suit_of(table.card) >= 2


@guard("{card} is no red nine")
def red_nine(table: Any) -> bool:
    return rank_of(table.card) == NINE and suit_of(table.card) < 2


@guard("no two cards are due")
def two_due(table: Any) -> bool:
    return table.due == 2


@guard("fewer than two cards are due")
def several_due(table: Any) -> bool:
    return table.due >= 2


@guard("four cards are due")
def more_due(table: Any) -> bool:
    return table.due > 3


@guard("{card} is neither an eight nor a nine")
def eight_or_nine(table: Any) -> bool:
    return EIGHT <= rank_of(table.card) <= NINE


@effect
def count_it(table: Any) -> None:
    table.counted += 1


NINES = among(0b1111 << 4 * NINE, "nines", "{card} is not a nine", "A nine is laid.")


def again(name: str, split: Any, source: str | None = None) -> Variant:
    """The rule that some card brings another turn, in a phase or in all."""
    where = Arcs("play", source=source, dest="await-play")
    edits: tuple[Edit, ...] = (
        SplitArcs(where, split, "The same player plays once more.", before=(lay_card, play_again)),
        Waive("the next player is in turn"),
    )
    return Variant(name, "Some card brings another turn.", edits)


def counting(name: str, split: Any) -> Variant:
    """The rule that cards which are taken are counted while some are due."""
    where = Arcs("take", DRAWING, DRAWING)
    counted = SplitArcs(where, split, "It is counted.", put_before=((maumau.take_card, (count_it,)),))
    return Variant(name, "Some cards are counted.", (AddField("counted"), counted))


WIDER = Variant("wider", "A nine counts as an eight.", (Means(maumau.eight, eight_or_nine),))


@pytest.mark.parametrize(
    ("rules", "names", "where"),
    [
        ((again("lucky-nine", lucky_nine), "nine-reverses"), ("lucky-nine", "nine-reverses"), "card=DN"),
        ((again("low-again", low), "nine-reverses"), ("low-again", "nine-reverses"), "card=DN"),
        ((again("by-mask", NINES), "nine-reverses"), ("by-mask", "nine-reverses"), "card=DN"),
        ((again("diamonds", diamond), "ace-skips"), ("ace-skips", "diamonds"), "card=DA"),
        ((again("here", lucky_nine, "jack-binding"), "nine-reverses"), ("here", "nine-reverses"), "card=DN"),
        ((WIDER, "nine-reverses"), ("nine-reverses", "wider"), "card=DN"),
        ((counting("two", two_due), counting("many", several_due)), ("many", "two"), "due=2"),
        (
            (again("black", black_nine), again("hearts", red_nine), again("lucky-nine", lucky_nine)),
            ("hearts", "lucky-nine"),
            "card=DN",
        ),
    ],
)
def test_two_rules_that_split_the_same_card_are_refused_with_both_names_and_the_card(
    rules: tuple[Any, ...], names: tuple[str, str], where: str
) -> None:
    one, other = names
    for order in (rules, rules[::-1]):
        with pytest.raises(ClashError, match=rf"^rules {one} and {other} cannot be combined: .* where {where}\b"):
            MauMau.with_rules(*order)


@pytest.mark.parametrize(
    "rules",
    [
        (again("black", black_nine), again("hearts", red_nine)),
        (again("there", lucky_nine, "await-play"), again("here", lucky_nine, "jack-binding")),
        (counting("two", two_due), counting("more", more_due)),
        (again("lucky-nine", lucky_nine), "ace-skips", "king-again"),
        (again("nine-of-many", nine_of_many), "nine-reverses"),
    ],
)
def test_rules_that_never_meet_and_those_of_which_nothing_is_known_are_combined(rules: tuple[Any, ...]) -> None:
    assert MauMau.with_rules(*rules).declaration.arcs


def test_a_rule_alone_that_gives_a_card_of_the_game_two_actions_is_refused_with_the_card() -> None:
    with pytest.raises(DeclarationError, match=r"^rule low-again: transitions .* are both enabled where card=DS: "):
        MauMau.with_rules(again("low-again", low))


def test_an_arc_that_two_rules_add_for_one_event_is_refused_with_both_names() -> None:
    first = ChangeArcs(Arcs("skip"), conditions=(two_due,))
    source, dest = (MauMau.declaration.phases(name) for name in ("skip-pending", "await-play"))
    second = AddArcs((Arc("skip", source, dest, conditions=(several_due,), before=(next_player,), description="So."),))
    rules = Variant("one", "One.", (first,)), Variant("two", "Two.", (second,))
    with pytest.raises(ClashError, match=r"^rules one and two cannot be combined: .* may both be enabled"):
        MauMau.with_rules(*rules)


def test_a_game_whose_groups_are_not_what_they_say_is_refused() -> None:
    game = MauMau.declaration
    put = {maumau.eight: eight_or_nine, maumau.seven: low}
    arcs = tuple(
        replace(
            arc,
            conditions=tuple(put.get(each, each) for each in arc.conditions),
            unless=tuple(put.get(each, each) for each in arc.unless),
        )
        for arc in game.arcs
    )
    with pytest.raises(DeclarationError, match=r"are both enabled where card=DE: 'low' and 'eight or nine' hold"):
        replace(game, arcs=arcs, disjoint=((low, eight_or_nine, maumau.jack), *game.disjoint[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["maumau", "uno-official"])
def test_all_pairs_of_built_in_rules_stay_allowed_and_are_proved(name: str) -> None:
    kind: type[Game] = game_class(name)
    rules = kind.rulebook().listed()
    for rule in chain.from_iterable(combinations(rules, count) for count in (1, 2)):
        if len(rule) == 2 and rule[0].reason_against(rule[1]):
            continue
        game = kind.with_rules(*(each.name for each in rule)).declaration
        for group in game.disjoint:
            for one, other in combinations(group, 2):
                assert other in game.excluded_by(one), (rule, one, other)
