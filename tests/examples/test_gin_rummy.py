"""The example Gin Rummy, with the edits OPEN_SPIEL, in lock step with OpenSpiel; and the common rules."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from spiel import play_compiled

from benchmarks.gin_rummy import AS_OPEN_SPIEL, KNOCK, STOCK, UPCARD, Counterpart
from examples.gin_rummy import (
    MELDS,
    MOST_DEADWOOD,
    NOTATION,
    GinRummy,
    Table,
    deadwood,
    gained,
    knocking_discards,
    least_after_discard,
    useless_card,
    value_of,
)
from fsm import Arc, Game, IllegalMove
from fsm.match.transcript import Transcript
from fsm.stepping.steps import Move
from rules.cards import NO_CARD

KNOCKS, WALLS, TAKES, GIN = "knocks", "walls", "takes", "gin"
"""How a player of random games leans, so that all endings come."""


def hands_seen(state: Any, player: int) -> list[list[str]]:
    """The cards of both hands that a player sees."""
    parts = re.findall(r"\+-{26}\+(.*?)\+-{26}\+", state.observation_string(player), re.DOTALL)
    return [[card.upper() for card in re.findall("[A2-9TJQK][scdh]", part)] for part in parts]


def compare_seen(state: Any, game: Game) -> None:
    """Each player sees the own cards, the open card and the discard pile, and what lies before the players."""
    for player in range(2):
        text, hands = state.observation_string(player), hands_seen(state, player)
        view = game.view(player + 1)
        assert set(hands[player]) == set(view.hand)
        assert hands[1 - player] == []
        pile = [card.upper() for card in re.findall("..", re.search(r"Discard pile: ?(\S*)", text)[1])]
        upcard = re.search(r"Upcard: (\S+)", text)[1].upper()
        assert pile + [upcard] * (upcard != "XX") == list(view.discard_pile)
        assert int(re.search(r"Stock size: (\d+)", text)[1]) == view.draw_pile_size
        facts = dict(field.split("=") for field in str(game.position(seen_by=player + 1)).split()[1:])
        lying = [[facts[name].split("/")[seat] for name in ("first", "second", "third")] for seat in range(2)]
        for seat, part in enumerate(re.split("Player[01]:", text)[1:]):
            assert cards_after("Layed melds", part) == {
                frozenset(pile.split(",")) for pile in lying[seat] if pile != "-"
            }
            assert frozenset().union(*cards_after("Layoffs", part)) == set(facts["off"].split("/")[seat].split(",")) - {
                "-"
            }


def cards_after(title: str, text: str) -> set[frozenset[str]]:
    """The groups of cards that OpenSpiel lists in a line."""
    found = re.search(rf"{title}:(.*)", text)
    return {frozenset(re.findall("..", group.upper())) for group in found[1].split()} if found else set()


def misses_knock(hand: int) -> bool:
    """Whether OpenSpiel may miss that a player can knock: it discards after one of the best choices of melds of all
    eleven cards, so that of choices that leave as much another one may leave less after the discard.
    """
    choices = [value_of(hand ^ melds) for melds in choices_of_melds(hand)]
    return choices.count(min(choices)) > 1


def choices_of_melds(hand: int) -> set[int]:
    """The cards of each choice of melds of a hand."""
    found = {0}
    for meld in MELDS.masks:
        found |= {melds | meld for melds in found if meld & hand == meld and meld & melds == 0}
    return found


def choose(moves: dict[int, Move], game: Game, leaning: str, dice: Random) -> int:
    """An action, at random but for what a leaning player does."""
    if leaning == TAKES and UPCARD in moves:
        return UPCARD
    hand = game.table.hands[game.table.player]
    if leaning == GIN and {UPCARD, STOCK} == moves.keys():
        return UPCARD if least_after_discard(hand | 1 << game.table.open_card) < deadwood(hand) else STOCK
    if leaning != TAKES and {UPCARD, STOCK} == moves.keys():
        return STOCK if dice.random() < 0.8 else UPCARD
    if KNOCK in moves and leaning == KNOCKS:
        return KNOCK
    if game.phase.value == "discarding" and dice.random() < 0.9:
        left = {each: deadwood(hand ^ 1 << NOTATION.card(move.card)) for each, move in moves.items() if move.card}
        if leaning == GIN and min(left.values()) == 0:
            return KNOCK
        if leaning != TAKES:
            moves.pop(KNOCK, None)
        return dice.choice([action for action, points in left.items() if points == min(left.values())])
    return dice.choice(sorted(moves))


def play(judge: Counterpart, seed: int, number: int) -> set[Arc]:
    """Play a random game in lock step, and compare every state; the arcs that were fired."""
    game, dice = AS_OPEN_SPIEL.deal(2, seed, number), Random(f"{seed} {number}")
    leaning = (KNOCKS, WALLS, TAKES, GIN)[number % 4]
    state = judge.dealt(bytes(game.dealt_deck()))
    game.step()
    while game.outcome is None:
        assert not game.forced_events
        assert state.current_player() == game.player - 1
        moves = {judge.action(move): move for move in game.events().legal}
        if KNOCK in moves and KNOCK not in state.legal_actions():
            assert misses_knock(game.table.hands[game.table.player])
            del moves[KNOCK]
        assert state.legal_actions() == sorted(moves)
        compare_seen(state, game)
        action = choose(dict(moves), game, leaning, dice)
        step = game.fire(moves[action])
        judge.apply(state, moves[action], step.card)
    assert state.is_terminal()
    assert list(game.outcome.returns) == state.returns()
    return {step.arc for step in game.history}


def follow(judge: Counterpart, state: Any, played: Transcript) -> None:
    """A game of the compiled engine: its moves are legal in OpenSpiel, but for knocks that it misses, and it ends as
    there.
    """
    for step in played.steps[1:]:
        if step.trigger == "knock" and KNOCK not in state.legal_actions():
            assert misses_knock(cards(" ".join(hands_seen(state, step.player - 1)[step.player - 1])))
            return
        assert judge.action(step) in state.legal_actions()
        judge.apply(state, step, step.card)
    assert state.is_terminal()
    assert list(played.outcome.returns) == state.returns()


@pytest.mark.parametrize(
    ("games", "seed"),
    [(12, 1), pytest.param(200, 1, marks=pytest.mark.slow), pytest.param(10_000, 2, marks=pytest.mark.thorough)],
)
def test_open_spiel_agrees_in_random_games(games: int, seed: int) -> None:
    import pyspiel

    judge = Counterpart(pyspiel)
    fired = set().union(*(play(judge, seed, number) for number in range(games)))
    assert games < 200 or fired == set(AS_OPEN_SPIEL.declaration.arcs)


@pytest.mark.slow
@pytest.mark.parametrize("games", [200, pytest.param(2_000, marks=pytest.mark.thorough)])
def test_open_spiel_agrees_with_the_compiled_engine(games: int) -> None:
    import pyspiel

    judge = Counterpart(pyspiel)
    for played in play_compiled(AS_OPEN_SPIEL, 2, games // 2, "random", "house"):
        follow(judge, judge.dealt(bytes(played.decks[0])), played)


# ---------------------------------------------------------------- the common rules


def cards(names: str) -> int:
    return sum(1 << NOTATION.card(name) for name in names.split())


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("AS 2S 3S KH KD KC 5H 6D 7C 9S", 27),
        ("AS 2S 3S 4S 4H 4D 5S 6S 7S 8S", 0),  # two rows and the fours, not one row of eight
        ("AS 2S 3S 4S 4H 4D 9C TD JD QH", 39),
        ("KS AS 2S QH JH TH 9H 8H 7H 6H", 13),  # the ace is low
        ("5S 5H 5D 5C 6S 7S 6H 7H 8D 9C", 27),  # two rows leave two fives
    ],
)
def test_deadwood_is_what_the_best_melds_leave(hand: str, left: int) -> None:
    assert deadwood(cards(hand)) == left == least(cards(hand))


def least(hand: int) -> int:
    """The deadwood by trying every meld and every choice of others after it."""
    return min([value_of(hand), *(least(hand ^ meld) for meld in MELDS.masks if meld & hand == meld)])


def test_deadwood_of_random_hands_is_that_of_all_choices_of_melds() -> None:
    dice = Random(1)
    for _ in range(300):
        suits = dice.sample(range(4), 3)
        hand = sum(1 << card for card in dice.sample([4 * rank + suit for rank in range(9) for suit in suits], 11))
        assert deadwood(hand) == least(hand)


def test_discards_are_judged_as_by_the_deadwood_without_each() -> None:
    dice, dealt = Random(2), Table()
    for _ in range(300):
        hand = [4 * rank + suit for rank in range(9) for suit in range(3)]
        table, chosen = replace(dealt, hands=[0] * 4), sorted(dice.sample(hand, 11))
        table.hands[0] = sum(1 << card for card in chosen)
        table.taken = dice.choice([*chosen, NO_CARD])
        left = {card: deadwood(table.hands[0] ^ 1 << card) for card in chosen}
        assert least_after_discard(table.hands[0]) == min(left.values())
        low = [card for card in chosen if left[card] <= MOST_DEADWOOD and card != table.taken]
        assert knocking_discards(table) == sum(1 << card for card in low)
        left.pop(table.taken, None)
        assert useless_card(table) == max(card for card in left if left[card] == min(left.values()))


@pytest.mark.parametrize(
    ("knocker", "other", "gain"),
    [
        ("AS 2S", "KH QH", 17),
        ("", "KH QH", 45),  # gin
        ("", "", 25),
        ("5S 5H", "TH", -25),  # as much deadwood as the knocker
        ("5S 5H", "2H", -33),
    ],
)
def test_points_of_a_deal(knocker: str, other: str, gain: int) -> None:
    table = Table(players=2, hands=[cards(other), cards(knocker)], knocker=1)
    assert (gained(table, 1), gained(table, 0)) == (gain, -gain)


def test_an_open_card_is_not_taken_and_discarded_in_one_turn() -> None:
    for kind, refused in ((GinRummy, True), (AS_OPEN_SPIEL, False)):
        game = kind.deal(2, seed=7)
        game.step()
        card = game.open_card
        game.fire("take_upcard")
        assert (f"discard {card}" not in [str(move) for move in game.events()]) == refused
        if refused:
            with pytest.raises(IllegalMove, match=f"cannot discard {card}.*: {card} was just taken"):
                game.fire("discard", card)


def test_with_two_cards_left_nobody_wins() -> None:
    for number in range(40):
        game = GinRummy.deal(2, 3, number, "random")
        outcome = game.run()
        if not outcome.winners:
            assert (outcome.returns, len(game.draw_pile)) == ((0.0, 0.0), 2)
            break
    else:
        pytest.fail("in every game somebody knocked")
