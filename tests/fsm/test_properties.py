"""What holds in every position that any players, however odd, may come to."""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_maumau import CARDS

from fsm import IllegalMove, MauMau, PositionError
from fsm import MauMauPhase as Phase
from fsm.games.maumau import MAUMAU
from fsm.stepping.position import parse_position
from fsm.stepping.steps import Move
from rules.cards import FRENCH, NO_CARD, NO_SUIT

MAX_STEPS = 100_000


@st.composite
def dealt(draw: st.DrawFn) -> MauMau:
    """A game that has just been dealt."""
    players = draw(st.integers(2, 4))
    return MauMau.parse(" ".join([str(players), *draw(st.permutations(CARDS))]))


DRAW = -1
lengths = {"min_size": 40, "max_size": 200}
moves = st.lists(st.integers(0, 9), **lengths) | st.lists(st.sampled_from([*[DRAW] * 12, 0, 1, 2, 5]), **lengths)
"""Which of the legal moves is fired, one after another: any, or mostly the last one, so that the piles run out."""


def fire_any(game: MauMau, choice: int) -> Move | None:
    """Fire one of the legal moves, if there is any."""
    legal = game.events().legal
    if not legal:
        return None
    move = legal[choice % len(legal)]
    game.fire(*move)
    return move


@st.composite
def reached(draw: st.DrawFn) -> MauMau:
    """A game after any legal moves."""
    game = draw(dealt())
    for choice in draw(moves):
        fire_any(game, choice)
    return game


def all_cards(game: MauMau) -> list[str]:
    return sorted([*(card for hand in game.hands for card in hand), *game.draw_pile, *game.discard_pile])


def enabled_arcs(game: MauMau, move: Move) -> int:
    """How many arcs of the phase are enabled for an event while its card and suit lie on the table."""
    table = deepcopy(game.table)
    if move.card:
        table.card = FRENCH.card(move.card)
        table.suit = NO_SUIT if move.suit is None else FRENCH.suit(move.suit)
    return sum(arc.enabled(table) for arc in MAUMAU.leaving(game.phase, move.trigger))


def state(game: MauMau) -> tuple[Any, ...]:
    """All that an illegal move must leave as it is."""
    return deepcopy(game.table), game.phase, len(game.history), game.hands


# ------------------------------------------------------------------ every position


@pytest.mark.slow
@given(dealt(), moves)
def test_all_cards_are_there_once_after_every_event(game: MauMau, choices: list[int]) -> None:
    for choice in choices:
        fire_any(game, choice)
        held = {card for seat in range(game.players) for card in MAUMAU.codec.held(game.table, seat)}
        assert {FRENCH.card(card) for hand in game.hands for card in hand} == held
        assert all_cards(game) == sorted(CARDS)


@pytest.mark.slow
@given(reached())
def test_something_may_be_done_unless_the_game_is_over(game: MauMau) -> None:
    assert (len(game.events()) > 0) == (game.phase is not Phase.GAME_OVER)
    assert (game.outcome is not None) == (game.phase is Phase.GAME_OVER)


@pytest.mark.slow
@given(reached())
def test_a_legal_move_enables_exactly_one_arc(game: MauMau) -> None:
    assert [(move, enabled_arcs(game, move)) for move in game.events() if enabled_arcs(game, move) != 1] == []


@pytest.mark.slow
@given(reached())
def test_a_refused_card_enables_no_arc(game: MauMau) -> None:
    legal = {move.card for move in game.events() if move.trigger == "play"}
    for card in game.hands[game.player - 1]:
        assert enabled_arcs(game, Move("play", card)) == (card in legal)


@pytest.mark.slow
@given(reached())
def test_the_events_listed_as_legal_can_be_fired_and_undone(game: MauMau) -> None:
    position = game.position()
    for move in game.events():
        step = game.fire(*move)
        assert (step.trigger, step.source) == (move.trigger, step.arc.source)
        assert game.phase is step.dest is step.arc.dest
        assert game.undo() == step
        assert game.position() == position


@given(reached())
def test_a_position_round_trips(game: MauMau) -> None:
    again = MauMau.at(game.position())
    assert again == game
    assert again.position() == game.position()
    assert again.events() == game.events()
    assert again.outcome == game.outcome


@given(reached())
def test_a_seat_sees_all_but_the_other_hands_and_the_draw_pile(game: MauMau) -> None:
    whole = parse_position(MAUMAU, game.position())
    for seat in range(game.players):
        view = parse_position(MAUMAU, game.position(seen_by=seat + 1))
        assert view.phase == whole.phase
        assert view.discard == whole.discard
        assert view.draw == ("?",) * len(whole.draw)
        for place, hand in enumerate(whole.hands):
            assert view.hands[place] == (hand if place == seat else ("?",) * len(hand))
        hidden = {name for (name, _), (_, seen) in zip(whole.facts, view.facts, strict=True) if seen == "?"}
        assert hidden <= {"drawn"}
        with pytest.raises(PositionError):
            MauMau.at(view)


# ------------------------------------------------------------------ illegal moves

NAMES = [None, *CARDS, "XX", ""]
ANY = [Move(*parts) for parts in product((*MAUMAU.triggers, "shuffle"), NAMES, (None, *"CSHD", "X"))]
"""Every event with every card and every suit, known or not."""


@pytest.mark.slow
@settings(max_examples=25)
@given(reached())
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(game: MauMau) -> None:
    before, position = state(game), game.position()
    events = game.events()
    may = {str(move.card or move.trigger) for move in events}
    for move in ANY:
        if move in events.legal:
            continue
        with pytest.raises(IllegalMove) as refused:
            game.fire(*move)
        output = str(refused.value)
        assert re.match(rf"player {game.player} cannot {move.trigger}.*: .+", output)
        assert "\n" not in output
        assert game.phase is Phase.GAME_OVER or all(word in output.rsplit("; may ", 1)[1] for word in may)
        assert (game.table, game.phase, len(game.history), game.hands) == before
    assert game.position() == position
    assert game.events() == events


@pytest.mark.slow
@given(reached())
def test_the_reason_in_events_is_the_one_of_the_refusal(game: MauMau) -> None:
    for text, reason in game.events().refused.items():
        trigger, _, card = text.partition(" ")
        suit = "C" if card[1:] == "J" and Move("play", card, "C") in game.events() else None
        with pytest.raises(IllegalMove, match=re.escape(reason)):
            game.fire(trigger, card or None, suit)


# ------------------------------------------------------------------ undo


@pytest.mark.slow
@given(dealt(), moves)
def test_undo_leads_back_through_every_position_to_the_start(game: MauMau, choices: list[int]) -> None:
    positions = []
    for choice in choices:
        positions.append(game.position())
        if fire_any(game, choice) is None:
            positions.pop()
    while positions:
        game.undo()
        assert game.position() == positions.pop()
    assert game.history == []
    with pytest.raises(IllegalMove):
        game.undo()


@pytest.mark.slow
@given(dealt(), moves)
def test_a_game_is_the_result_of_its_history_whatever_was_undone(game: MauMau, choices: list[int]) -> None:
    start = game.position()
    for choice in choices:
        if choice in (3, 4) and game.history:
            assert len(game.hands) == game.players
            game.undo()
            game.step()
        else:
            fire_any(game, choice)
    again = MauMau.at(start)
    for step in game.history:
        card, suit = (step.card, step.suit) if step.trigger == "play" else (None, None)
        assert again.fire(step.trigger, card, suit) == step._replace(rule=None)
    assert again.position() == game.position()
    assert all_cards(game) == sorted(CARDS)


# ------------------------------------------------------------------ players


def played(game: MauMau) -> MauMau:
    """The game, stepped to its end, or for a long while."""
    for _ in range(MAX_STEPS):
        if game.phase is Phase.GAME_OVER:
            break
        game.step()
    return game


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["house", "random", "first-legal"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_of_every_policy_come_to_an_end(policy: str, players: int) -> None:
    for number in range(40):
        game = played(MauMau.deal(players, 11, number, policies=[policy]))
        assert game.phase is Phase.GAME_OVER
        assert all_cards(game) == sorted(CARDS)
        assert game.outcome is not None
        assert (game.outcome.winner is not None) == (str(game.outcome.ending) == "won")


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "first-legal"])
def test_players_of_every_policy_do_only_what_is_legal(policy: str) -> None:
    for number in range(20):
        game = MauMau.deal(3, 12, number, policies=[policy])
        while game.phase is not Phase.GAME_OVER and len(game.history) < 500:
            legal = game.events().legal
            step = game.step()
            assert Move(step.trigger, *(step[4:6] if step.trigger == "play" else (None, None))) in legal
            assert policy == "random" or step.trigger == legal[0].trigger


def test_random_players_do_the_same_again_for_the_same_seed_and_number() -> None:
    def history(seed: int, number: int) -> list[Any]:
        return played(MauMau.deal(3, seed, number, policies=["random"])).history

    assert history(7, 1) == history(7, 1)
    assert len({tuple(history(7, number)) for number in range(20)}) == 20


def test_random_players_roll_other_dice_in_other_games_with_the_same_deck() -> None:
    deck = MauMau.deck_of(3, 7)
    games = [MauMau.of_deck(3, deck, ["random"], seed=7, number=number) for number in range(20)]
    assert len({tuple(played(game).history) for game in games}) == 20


def test_random_players_try_every_legal_move_about_equally_often() -> None:
    deck = MauMau.deck_of(2, 7)
    seen: dict[Move, int] = {}
    for number in range(600):
        game = MauMau.of_deck(2, deck, ["random"], seed=1, number=number)
        while len(game.events()) == 1:
            game.step()
        legal = game.events().legal
        step = game.step()
        move = Move(step.trigger, *(step[4:6] if step.trigger == "play" else (None, None)))
        seen[move] = seen.get(move, 0) + 1
    assert set(seen) == set(legal)
    expected = 600 / len(legal)
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 71


def test_a_house_player_among_random_ones_keeps_to_the_decision_rules() -> None:
    game = played(MauMau.deal(2, 5, 3, policies=["house", "random"]))
    rules = {player: {step.rule for step in game.history if step.player == player} for player in (1, 2)}
    assert "random" not in rules[1]
    assert rules[2] <= {"random", None}


@given(dealt(), moves)
def test_players_of_the_house_can_go_on_from_anywhere(game: MauMau, choices: list[int]) -> None:
    for choice in choices:
        fire_any(game, choice)
    assert played(game).phase is Phase.GAME_OVER
    assert game.table.card != NO_CARD
