"""A game that is stepped: how it is made, what each event tells, how it is taken back, and how it looks."""

from __future__ import annotations

import ast
import rlcompleter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from packages import HOME
from plain_maumau import CARDS
from transitions import Machine

from fsm import Choice, IllegalMove, MauMau, Policy, game_of
from fsm import MauMauPhase as Phase
from fsm.declaration.arcs import NO_CHOICE
from fsm.declaration.endless import LongGameError
from fsm.games.maumau import MAUMAU
from fsm.stepping.steps import Move, Step
from fsm.variants import Arcs, ChangeArcs, Variant
from rules.ending import Ending
from rules.reading import InputError
from rules.rule import choice, guard

At = Callable[[str], MauMau]
LINE = "2 SS HA SN HQ CE SQ CA DT CK CQ DJ CN HN DN CS SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK"

# The distributions that the statement of the problem shows for its first example, letter for letter.
DISTRIBUTIONS = """\
player 1: SS SN CE CA CK DJ HN      player 2: HA HQ SQ DT CQ CN DN
discard pile: CS
draw pile:    SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1: SN CE CA CK DJ HN         player 2: HA HQ SQ DT CQ CN DN SA CJ DA HJ
discard pile: CS SS
draw pile:    HS DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1: CE CA CK DJ HN            player 2: HA HQ SQ DT CQ CN DN CJ DA HJ
discard pile: CS SS SN SA
draw pile:    HS DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1: CE CK DJ HN               player 2: HQ SQ DT CQ CN DN CJ DA HJ
discard pile: CS SS SN SA CA HA
draw pile:    HS DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1: CE CK DJ                  player 2: HQ SQ DT CQ DN CJ DA HJ
discard pile: CS SS SN SA CA HA HN CN
draw pile:    HS DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1: DJ                        player 2: HQ SQ DT CQ DN CJ DA HJ
discard pile: CS SS SN SA CA HA HN CN CE CK
draw pile:    HS DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1: DJ HS                     player 2: HQ SQ DT CQ DN DA HJ
discard pile: CS SS SN SA CA HA HN CN CE CK CJ
draw pile:    DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1: HS                        player 2: HQ SQ DT CQ DN HJ
discard pile: CS SS SN SA CA HA HN CN CE CK CJ DA DJ
draw pile:    DE HT SE DK HK ST SJ HE DS CT DQ SK

player 1:                           player 2: SQ DT CQ DN HJ
discard pile: CS SS SN SA CA HA HN CN CE CK CJ DA DJ HQ HS
draw pile:    DE HT SE DK HK ST SJ HE DS CT DQ SK"""


# ------------------------------------------------------------------ how a game is made


def test_a_line_of_the_problem_makes_a_game() -> None:
    game = MauMau.parse(LINE)
    assert (game.phase, game.players, game.player, game.open_card) == (Phase.INITIAL, 2, 1, "CS")
    assert game.hands[0] == ("SS", "SN", "CE", "CA", "CK", "DJ", "HN")


@pytest.mark.parametrize("line", ["", "2", "5 CS", LINE[:-3], LINE.lower(), f"{LINE} SK"])
def test_a_bad_line_makes_none(line: str) -> None:
    with pytest.raises(InputError, match=r"^line:1: .*(; use|instead of 32|appears twice)"):
        MauMau.parse(line)


def test_a_game_can_be_dealt_again_by_seed_and_number() -> None:
    game = MauMau.deal(players=3, seed=7, number=123_456_789)
    assert game.position() == MauMau.deal(players=3, seed=7, number=123_456_789).position()
    others = [MauMau.deal(3, 7, 0), MauMau.deal(3, 8, 123_456_789), MauMau.deal(3, 7)]
    assert all(game != other for other in others)
    assert MauMau.deal(3, 7) == MauMau.deal(3, 7, 0)


def test_a_dealt_game_can_be_written_as_a_line_of_the_problem() -> None:
    line = MauMau.write(4, MauMau.deck_of(4, seed=2**63 - 1, number=2**63 - 1))
    assert MauMau.parse(line) == MauMau.deal(4, 2**63 - 1, 2**63 - 1)
    assert sorted(line.split()[1:]) == sorted(CARDS)


def test_policies_are_named_for_all_seats_or_for_each() -> None:
    game = MauMau.deal(3, 7, 0, policies=["random", "first-legal", "house"])
    assert [policy.name for policy in game.policies] == ["random", "first-legal", "house"]
    assert [policy.name for policy in MauMau.deal(2, 7, policies=["random"]).policies] == ["random", "random"]
    assert [policy.name for policy in MauMau.deal(2, 7).policies] == ["house", "house"]
    with pytest.raises(ValueError, match="2 policies for 3 players; use one or one for each"):
        MauMau.deal(3, 7, policies=["random", "house"])
    with pytest.raises(ValueError, match="unknown policy 'bold'; use one of house, random, first-legal"):
        MauMau.deal(3, 7, policies=["bold"])


# ------------------------------------------------------------------ stepping


def test_each_event_has_a_method_that_fires_it(at: At) -> None:
    fired = [
        MauMau.deal(2, 7).open(),
        at("await-play hands=CK,HK/HA discard=...,CN draw=SA").play("CK"),
        at("await-play hands=CK,HK/HA discard=...,CN draw=SA").draw(),
        at("drawing due=1 hands=CK,HK/HA discard=...,CN draw=SA").take(),
        at("drawing due=1 hands=CK,HK/HA,... discard=SA,CN draw=-").turn_pile(),
        at("drawing drawn=HK hands=CK,HK/HA discard=...,CN draw=SA").pass_turn(),
        at("skip-pending hands=CK,HK/HA discard=...,CE draw=SA").skip(),
        at("drawing due=1 hands=DK,HK/HA,... discard=CN draw=-").abandon(),
    ]
    events = ["open", "play", "draw", "take", "turn_pile", "pass_turn", "skip", "abandon"]
    assert [step.trigger for step in fired] == events
    assert set(MAUMAU.triggers) == set(events)


def test_a_step_has_the_player_the_card_and_the_arc(at: At) -> None:
    game = at("await-play player=2 hands=CK,HK/HJ,HA discard=...,CN draw=SA")
    step = game.play("HJ", "S")
    assert step[:6] == ("play", Phase.AWAIT_PLAY, Phase.JACK_BINDING, 2, "HJ", "S")
    assert step.arc in MAUMAU.leaving(Phase.AWAIT_PLAY, "play")
    assert step.arc.description == "A jack binds the suit that its player names."
    assert step.rule is None


def test_a_step_has_the_card_that_was_taken(at: At) -> None:
    game = at("drawing player=2 due=1 hands=CK,HK/HJ,HA discard=...,CN draw=SA,SK")
    assert game.take()[:6] == ("take", Phase.DRAWING, Phase.DRAWING, 2, "SA", None)
    assert game.pass_turn()[:6] == ("pass_turn", Phase.DRAWING, Phase.AWAIT_PLAY, 2, None, None)


def test_a_step_that_a_house_player_chose_has_the_decision_rule(at: At) -> None:
    game = at("await-play hands=HK,HA/CE,CA discard=...,CN draw=SA,SK")
    rules = [(step.trigger, step.rule) for step in (game.step() for _ in range(4))]
    assert rules == [("draw", NO_CHOICE), ("take", None), ("pass_turn", NO_CHOICE), ("play", "rule 2")]


def test_the_history_holds_all_steps(at: At) -> None:
    game = at("await-play hands=CK,HK/CA,HA discard=...,CN draw=SA")
    assert game.history == []
    steps = [game.play("CK"), game.play("CA"), game.draw()]
    assert game.history == steps
    assert all(isinstance(step, Step) for step in steps)


@choice
def queen_of_diamonds(table: Any) -> int:
    return 0


def test_a_decision_rule_that_chooses_what_is_refused_is_named() -> None:
    always = Choice("play", "stubborn", card=queen_of_diamonds, description="whatever lies there")
    house = MAUMAU.policy("house")
    stubborn = Policy("stubborn", {**house.choices, Phase.AWAIT_PLAY: (always,)})
    kind = game_of(replace(MAUMAU, policies=(stubborn,))).with_deck("CK HA HK HQ CT SA", 2)
    game = kind.parse("2 CK HA HK HQ CT SA")
    with pytest.raises(AssertionError, match="stubborn of policy stubborn chooses play DQ; choose a legal move"):
        game.run()


@guard("nobody plays")
def never(table: Any) -> bool:
    return False


def test_an_offered_event_that_its_guards_refuse_is_named() -> None:
    rule = Variant("never-plays", "Nobody plays.", (ChangeArcs(Arcs("play", Phase.AWAIT_PLAY), conditions=(never,)),))
    game = MauMau.with_rules(rule).deal(3, 7, policies="random")
    with pytest.raises(
        AssertionError, match=": play is offered, and its guards refuse it; offer only cards and values"
    ):
        game.run()


def test_a_game_that_goes_on_and_on_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = MauMau.deal(players=2, seed=62, number=4)
    monkeypatch.setattr("fsm.stepping.stepped.LONGEST", 3)
    with pytest.raises(LongGameError, match="maumau: game 4 has not ended after"):
        game.run()
    assert len(game.history) == 3


def test_run_plays_to_the_end_and_returns_the_outcome() -> None:
    game = MauMau.parse(LINE)
    assert game.outcome is None
    outcome = game.run()
    assert outcome == game.outcome == (Ending.WON, 1, (0, 45))
    assert game.phase is Phase.GAME_OVER
    assert str(outcome) == "player 1 won, scores 0 45"
    assert game.run() == outcome
    with pytest.raises(IllegalMove, match="the game is over: player 1 won, scores 0 45"):
        game.step()


def test_a_move_fires_itself_again_by_its_parts(at: At) -> None:
    game = at("await-play hands=HJ,HK/CA,HA discard=...,CN draw=SA")
    game.fire(*Move("play", "HJ", "S"))
    assert (game.open_card, game.bound_suit) == ("HJ", "S")


def test_an_unknown_event_is_refused(at: At) -> None:
    game = at("await-play hands=HJ,HK/CA,HA discard=...,CN draw=SA")
    with pytest.raises(IllegalMove, match="cannot shuffle: not an event of await-play"):
        game.fire("shuffle")
    with pytest.raises(IllegalMove, match="draw takes neither a card nor a suit"):
        game.fire("draw", "HK")


@pytest.mark.parametrize(("move", "message"), [
    (("x" * 5000,), "player 1 cannot 'xxxxxxxxxxxxxxxxxxxxxxx... (5000 characters): not an event"),
    (("play\nHA",), r"player 1 cannot 'play\nHA': not an event"),
    (("play", "H" * 5000), "player 1 cannot play 'HHHHHHHHHHHHHHHHHHHHHHH... (5000 characters) on CN: unknown card"),
    (("play", "\u2660S"), r"player 1 cannot play '\u2660S' on CN: unknown card"),
])  # fmt: skip
def test_what_is_no_event_and_no_card_is_quoted_shortly_on_one_line(
    at: At, move: tuple[str, ...], message: str
) -> None:
    game = at("await-play hands=CK,HK/HA,HQ discard=...,CN draw=SA")
    with pytest.raises(IllegalMove) as refused:
        game.fire(*move)
    assert str(refused.value).startswith(message)


# ------------------------------------------------------------------ legal events


def test_events_list_the_legal_moves_in_the_order_of_the_cards(at: At) -> None:
    events = at("await-play hands=CA,DJ,HK,CK/HA,HQ discard=...,CN draw=SA").events()
    jacks = [Move("play", "DJ", suit) for suit in "DHSC"]
    assert list(events) == [Move("play", "CK"), Move("play", "CA"), *jacks, Move("draw")]
    assert len(events) == 7
    assert Move("play", "CK") in events
    assert "play CK" in events
    assert "play DJ naming S" in events
    assert "draw" in events
    assert "play HK" not in events
    assert Move("take") not in events


def test_events_give_the_reason_against_all_others(at: At) -> None:
    events = at("await-play hands=CA,HK/HA,HQ discard=...,CN draw=SA").events()
    assert set(events.refused) == {"play HK", "open", "take", "turn_pile", "pass_turn", "skip", "abandon"}
    assert events.refused["play HK"] == "HK fits neither the suit nor the rank of CN"
    assert events.refused["abandon"] == "this position was not there before"
    assert events.refused["skip"].startswith("not an event of await-play, which accepts ")
    with pytest.raises(TypeError):
        events.refused["draw"] = "never"  # type: ignore[index]


def test_events_list_themselves_when_printed(at: At) -> None:
    events = at("await-play hands=CA,HK,DJ/HA,HQ discard=...,CN draw=SA").events()
    first, *others = repr(events).split("\n")
    assert first == "may play CA; play DJ naming D, H, S or C; or draw"
    assert "may not play HK: HK fits neither the suit nor the rank of CN" in others
    assert len(others) == len(events.refused)


def test_when_the_game_is_over_nothing_may_be_done(at: At) -> None:
    events = at("game-over ending=won winner=1 hands=-/HA,HQ discard=...,CN draw=SA").events()
    assert len(events) == 0
    assert repr(events).startswith("may do nothing\n")
    assert set(events.refused.values()) == {"the game is over: player 1 won, scores 0 14"}


# ------------------------------------------------------------------ undo


def test_undo_takes_back_the_last_event_and_returns_it(at: At) -> None:
    game = at("await-play hands=CK,HK/CA,HA discard=...,CN draw=SA")
    first, second = game.play("CK"), game.play("CA")
    assert game.undo() == second
    assert game == at("await-play player=2 hands=HK/CA,HA discard=...,CN,CK draw=SA")
    assert game.undo() == first
    assert game == at("await-play hands=CK,HK/CA,HA discard=...,CN draw=SA")


def test_undo_at_the_start_is_refused(at: At) -> None:
    game = at("await-play hands=CK,HK/CA,HA discard=...,CN draw=SA")
    with pytest.raises(IllegalMove, match="nothing to undo: no event has been fired yet"):
        game.undo()
    game.play("CK")
    game.undo()
    with pytest.raises(IllegalMove, match="nothing to undo"):
        game.undo()


def test_a_game_that_is_over_can_be_taken_back_and_played_on_otherwise(at: At) -> None:
    game = at("await-play hands=CK/CA,HA discard=...,CN draw=DT,SA")
    game.play("CK")
    assert game.phase is Phase.GAME_OVER
    game.undo()
    game.draw()
    game.take()
    assert game == at("drawing drawn=DT hands=CK,DT/CA,HA discard=...,CN draw=SA")


def test_another_move_after_undo_leaves_its_own_hands(at: At) -> None:
    game = at("await-play hands=CK,CT,HK/CA,HA discard=...,CN draw=SA")
    game.play("CK")
    assert game.hands == (("CT", "HK"), ("CA", "HA"))
    game.undo()
    game.play("CT")
    assert game.hands == (("CK", "HK"), ("CA", "HA"))
    assert game == at("await-play player=2 hands=CK,HK/CA,HA discard=...,CN,CT draw=SA")


# ------------------------------------------------------------------ equality


def test_games_are_equal_that_stand_at_the_same_position(at: At) -> None:
    one = at("await-play hands=CK,HK/CA,HA discard=...,CN draw=SA")
    one.play("CK")
    other = at("await-play player=2 hands=HK/HA,CA discard=...,CN,CK draw=SA")
    assert one == other
    other.play("CA")
    assert one != other
    assert one != one.position()


def test_a_game_changes_so_it_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(MauMau.parse(LINE))


def test_two_games_share_nothing_but_the_machine() -> None:
    one, other = MauMau.parse(LINE), MauMau.parse(LINE)
    one.run()
    assert other == MauMau.parse(LINE)
    assert other.history == []
    assert one.machine is other.machine is MauMau.machine


# ------------------------------------------------------------------ how it looks


def test_str_shows_the_table_as_the_statement_does_at_each_of_its_distributions() -> None:
    game = MauMau.parse(LINE)
    shown = [str(game)]
    while game.phase is not Phase.GAME_OVER:
        game.step()
        shown.append(str(game))
    distributions = DISTRIBUTIONS.split("\n\n")
    assert shown[0] == distributions[0]
    assert shown[-1] == distributions[-1]
    places = [shown.index(table) for table in distributions]
    assert places == sorted(places)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_repr_shows_the_phase_and_the_player_on_one_line(players: int) -> None:
    game = MauMau.deal(players, 7)
    assert repr(game) == f"<MauMau initial: player 1 in turn, open card {game.open_card}>"
    game.run()
    assert repr(game) == f"<MauMau game-over: {game.outcome}>"
    assert "\n" not in repr(game)


@pytest.mark.parametrize("event", MAUMAU.triggers)
def test_the_events_complete_at_the_prompt(event: str) -> None:
    game = MauMau.parse(LINE)
    assert event in dir(game)
    completer = rlcompleter.Completer({"game": game})
    found = completer.attr_matches(f"game.{event[:3]}")
    assert any(match.startswith(f"game.{event}") for match in found)
    assert (getattr(MauMau, event).__doc__ or "").strip()


# ------------------------------------------------------------------ the machine


def test_the_machine_is_one_of_transitions_and_shared() -> None:
    assert isinstance(MauMau.machine, Machine)
    assert MauMau.machine.models == []
    assert "machine" not in vars(MauMau.parse(LINE))


NAMES = ("phase", "_phase")


def phase_assignments(path: Path) -> list[str]:
    """Where a module assigns an attribute called `phase` or `_phase`, with the function that does it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = []
    for node in ast.walk(tree):
        plain = isinstance(node, ast.Attribute) and node.attr in NAMES and not isinstance(node.ctx, ast.Load)
        called = isinstance(node, ast.Call) and any(
            isinstance(argument, ast.Constant) and argument.value in NAMES for argument in node.args
        )
        if plain or (called and ast.unparse(node.func).endswith("setattr")):
            around = [one.name for one in functions if one.lineno <= node.lineno <= (one.end_lineno or 0)]
            found.append(f"{path.relative_to(HOME).as_posix()} {around[-1] if around else '<module>'}")
    return found


def test_a_phase_is_assigned_where_a_game_begins_and_where_an_event_takes_place_or_is_taken_back() -> None:
    modules = [path for floor in ("fsm", "rules") for path in sorted((HOME / floor).rglob("*.py"))]
    places = [place for path in modules for place in phase_assignments(path)]
    assert places == [
        "fsm/stepping/fast_machine.py set_state",  # of what is not a game
        *(f"fsm/stepping/firing.py {name}" for name in ("_begin", "redo", "record_arc", "_restore")),
    ]
