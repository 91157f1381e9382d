"""The house rules of Mau-Mau: their corpora, and a witness that plays by the specification without a machine.

python -m pytest                a few hundred decks of random sets of rules
python -m pytest -m thorough    every pair, 200 larger sets, 20,000 decks for each rule stepped and compiled
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bulk_fixtures import Task, compare
from corpora import difference
from plain_house_rules import simulate
from plain_maumau import CARDS
from rule_sets import RuleSets, never_fired

from examples.nine_reverses import NINES
from fsm import MauMau
from fsm.check import explore_stepped, survey
from fsm.games.maumau.house import RULEBOOK
from fsm.stepping.game import Game
from rules.ending import Ending
from rules.endless import position_returns

CORPUS = Path(__file__).parents[1] / "corpus" / "houserules"
CASES = sorted(path.stem for path in CORPUS.glob("*.in"))
RULES = (*(rule.name for rule in RULEBOOK.rules), "sevens-draw-1", "sevens-draw-3", "sevens-draw-4")
PAIRS = tuple(combinations(RULES, 2))
REFUSED = {
    frozenset({"draw-until-fit", "drawn-card-not-played"}): "one plays the drawn card, the other forbids it",
    frozenset({"cover-eight", "eights-answered"}): "a covered eight skips nobody, so there is nothing to answer",
    **{
        frozenset(pair): "two numbers for one penalty"
        for pair in combinations(["sevens-draw-1", "sevens-draw-3", "sevens-draw-4"], 2)
    },
}
SETS = RuleSets(RULES, REFUSED, most=9)
ALONE = tuple((rule,) for rule in RULES)
ALLOWED_PAIRS = tuple(filter(SETS.allowed, PAIRS))


def named(value: object) -> str:
    """The name of a parameter: of a set, its rules."""
    return "+".join(value) if isinstance(value, tuple) else str(value)


def test_every_rule_has_a_corpus() -> None:
    families = {rule.rstrip("-1234") for rule in RULES}
    assert {case.rstrip("-1234") for case in CASES} == families


def lines(game: Game) -> Iterator[str]:
    """The two lines that the problem wants."""
    outcome = game.run()
    laid = [game.opening_card, *(step.card for step in game.history if step.trigger == "play" and step.card)]
    scores = f"No score: {outcome.ending}" if outcome.winner is None else f"Score: {' '.join(map(str, outcome.scores))}"
    yield from (" ".join(laid), scores)


@pytest.mark.parametrize("rule", CASES)
def test_corpus(rule: str) -> None:
    kind = MauMau.with_rules(rule)
    games = kind.read((CORPUS / f"{rule}.in").read_text())
    played = ("\n".join(lines(kind.of_deck(dealt.players, dealt.deck))) for dealt in games)
    assert difference(CORPUS / f"{rule}.in", played) == ""


def lines_of_events(kind: type[Game], deck: Sequence[int], result: Any, scores: list[int], events: Any) -> list[str]:
    """The same two lines from the events of a compiled game. deck: card numbers in the order of the deal."""
    names, arcs = kind.declaration.codec.notation.cards, kind.declaration.arcs
    dealt = len(scores) * kind.declaration.codec.cards_each(len(scores))
    laid = [deck[dealt], *(event[2] for event in events if arcs[event[0]].trigger == "play")]
    ending = Ending(int(result["ending"]))
    points = f"Score: {' '.join(map(str, scores))}" if ending is Ending.WON else f"No score: {ending}"
    return [" ".join(names[card] for card in laid), points]


@pytest.mark.slow
@pytest.mark.parametrize("rule", CASES)
def test_corpus_by_the_source_of_the_kernel(rule: str) -> None:
    """Every corpus by the generated source, run by Python: machine code takes seconds to compile."""
    from interpreted import logged_events

    kind, shown = MauMau.with_rules(rule), []
    for players, deck in kind.read((CORPUS / f"{rule}.in").read_text()):
        shown.append("\n".join(lines_of_events(kind, deck, *logged_events(kind, players, deck))))
    assert difference(CORPUS / f"{rule}.in", shown) == ""


@pytest.mark.parametrize("rule", CASES)
def test_the_witness_knows_the_corpus(rule: str) -> None:
    _, *games = (CORPUS / f"{rule}.in").read_text().splitlines()
    played = (str(simulate(int(game[0]), game.split()[1:], [rule])) for game in games)
    assert difference(CORPUS / f"{rule}.in", played) == ""


def differences(rules: Sequence[str], decks: int, seed: int) -> list[str]:
    """The decks that the machine plays otherwise than the witness."""
    kind, rng, found = MauMau.with_rules(*rules), Random(seed), []
    for number in range(decks):
        deck, players = rng.sample(CARDS, len(CARDS)), 2 + number % 3
        played = "\n".join(lines(kind.parse(f"{players} {' '.join(deck)}")))
        if played != str(simulate(players, deck, rules)):
            found.append(f"{players} {' '.join(deck)}")
    return found


@pytest.mark.parametrize(
    ("rules", "decks", "seed"),
    [
        *((rules, 15, 2) for rules in SETS.random(seed=1, count=20)),
        *(
            pytest.param(rules, 300, 4, marks=pytest.mark.thorough)
            for rules in [*ALONE, *ALLOWED_PAIRS, *SETS.random(seed=3, count=200)]
        ),
    ],
    ids=named,
)
def test_sets_of_rules_are_played_as_specified(rules: tuple[str, ...], decks: int, seed: int) -> None:
    assert differences(rules, decks, seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_pairs_are_refused_exactly_where_the_specification_says(pair: tuple[str, str]) -> None:
    SETS.assert_pair(MauMau, pair)


def check(rules: Sequence[str], games: int, positions: int) -> list[str]:
    """The properties that fail under rules: in games of a few seeds, and with the first small decks of each."""
    kind = MauMau.with_rules(*rules)
    found = list(survey(kind, games, seed=11).failures)
    for deck in (*kind.declaration.small_decks[:1], *kind.declaration.small_decks[3:]):
        found += explore_stepped(kind, deck, positions, first=True).failures
    return found


@pytest.mark.parametrize(
    ("rules", "games", "positions"),
    [
        *(pytest.param(rules, 1, 800, marks=pytest.mark.slow) for rules in ALONE),
        *(
            pytest.param(rules, 4, 2500, marks=pytest.mark.thorough)
            for rules in [*ALLOWED_PAIRS, *SETS.random(seed=7, count=200)]
        ),
    ],
    ids=named,
)
def test_rules_and_sets_of_them_are_sound(rules: tuple[str, ...], games: int, positions: int) -> None:
    assert check(rules, games, positions) == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_arc_that_a_rule_adds_or_changes_is_fired_in_a_small_deck(rule: str) -> None:
    kind = MauMau.with_rules(rule)
    first, _, _, *added = kind.declaration.small_decks
    assert never_fired(kind, [*added, first], 6000) == set()


@pytest.mark.parametrize("rule", CASES)
def test_the_corpus_tells_the_rule_from_the_game_without_it(rule: str) -> None:
    games = MauMau.read((CORPUS / f"{rule}.in").read_text())
    shown = [line for dealt in games for line in lines(MauMau.of_deck(dealt.players, dealt.deck))]
    assert shown != (CORPUS / f"{rule}.out").read_text().splitlines()


def test_the_order_and_the_number_of_names_do_not_matter() -> None:
    kind = MauMau.with_rules("lively", "ten-is-wild")
    again = MauMau.with_rules("ten-is-wild", "no-action-last", "ten-is-wild", "lively")
    assert kind is again is MauMau.with_rules("ten-is-wild").with_rules("lively")


def test_without_rules_it_is_the_very_same_game() -> None:
    assert MauMau.with_rules() is MauMau


def test_a_number_that_is_the_usual_one_changes_nothing() -> None:
    assert MauMau.with_rules("sevens-draw-2").declaration.arcs == MauMau.declaration.arcs


@pytest.mark.parametrize("name", ["", "a+b"])
def test_an_unknown_name_is_refused_with_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=r"unknown rule .*; use one of nine-reverses, .*`maumau rules .*` lists all"):
        MauMau.with_rules(name)


@pytest.mark.parametrize("name", ["sevens-draw-0", "sevens-draw-5", "sevens-draw-02"])
def test_a_number_beyond_its_family_is_refused_with_the_numbers_that_there_are(name: str) -> None:
    with pytest.raises(ValueError, match=r"unknown rule .*; did you mean sevens-draw-N \(N from 1 to 4\)\? Use one"):
        MauMau.with_rules(name)


def test_a_profile_is_its_rules() -> None:
    assert MauMau.with_rules("wikipedia-like") is MauMau.with_rules("eights-answered", "five-each")


TOGETHER = ("lively", "ten-is-wild", "cover-eight", "ace-skips", "draw-until-fit", "sevens-draw-3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "players", "games"),
    [
        (TOGETHER, 3, 200),
        *(pytest.param(rules, n, 6667, marks=pytest.mark.thorough) for rules in ALONE for n in (2, 3, 4)),
        *(
            pytest.param(rules, n, 667, marks=pytest.mark.thorough)
            for rules in SETS.random(seed=9, count=100)
            for n in (2, 3, 4)
        ),
    ],
    ids=named,
)
def test_compiled_games_are_the_stepped_ones(rules: tuple[str, ...], players: int, games: int) -> None:
    assert compare(Task(MauMau.with_rules(*rules).declaration.name, players, ("house",), games)) == []


def test_a_rule_of_a_file_is_used_without_a_name() -> None:
    kind = MauMau.with_rules(NINES)
    assert survey(kind, 2).failures == []
    own, known = kind.deal(3, seed=4), MauMau.with_rules("nine-reverses").deal(3, seed=4)
    assert list(lines(own)) == list(lines(known))


def test_a_position_that_returns_in_a_checked_game_is_a_sound_end() -> None:
    """Under these rules the house can play in a circle; the base game hardly ever does."""
    report = survey(MauMau.with_rules("play-on-after-penalty", "draw-until-fit", "ace-skips"), 4, seed=11)
    assert report.failures == []
    assert any(count for arc, count in report.fired.items() if position_returns in arc.conditions)
