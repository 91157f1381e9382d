"""The house rules of official UNO: their corpora, and a witness that plays by the specification without a machine.

python -m pytest                a few hundred decks of random sets of rules
python -m pytest -m thorough    every pair and 100 larger sets, thousands of decks stepped and compiled
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, cycle, islice
from pathlib import Path
from random import Random

import pytest
from bulk_fixtures import Task, compare
from corpora import difference
from plain_uno_house import simulate
from plain_uno_official import CARDS
from rule_sets import RuleSets, never_fired

from fsm import Game, game_class
from fsm.check import explore_stepped, survey
from fsm.match.played import PlayedGame

OFFICIAL = game_class("uno-official")
CORPUS = Path(__file__).parents[1] / "corpus" / "unohouse"
CASES = sorted(path.stem for path in CORPUS.glob("*.in"))
BOOK = OFFICIAL.rulebook()
RULES = tuple(rule.name for rule in BOOK.rules)
PAIRS = tuple(combinations(RULES, 2))
POLICIES = ("house", "bluffer", "forgetful", "hoarder")
REFUSED = {
    frozenset({"stack-draw-two", "stack-draws"}): "they differ on what answers a D: a D alone, or a WF too",
    frozenset({"no-draw-on-last", "no-action-last"}): (
        "a D or WF is never the last card, so there is no draw to leave out"
    ),
}
SETS = RuleSets(RULES, REFUSED, most=8)
ALLOWED_PAIRS = tuple(filter(SETS.allowed, PAIRS))


def setup_of(case: str) -> tuple[list[str], list[str]]:
    """The rules and the policies of a case of the corpus, by the name of its file."""
    rules, _, policies = case.partition("-policies.")
    return rules.split("+"), policies.split(",") if policies else ["house"]


def played(kind: type[Game], players: int, deck: Sequence[int], policies: Sequence[str]) -> str:
    """The lines of a round that is stepped to its end."""
    game = kind.of_deck(players, deck, list(policies) if len(policies) > 1 else policies[0])
    game.run()
    return PlayedGame.of(game).result


def test_every_rule_has_a_corpus() -> None:
    assert {rule for case in CASES for rule in setup_of(case)[0]} >= set(RULES)


@pytest.mark.parametrize("case", CASES)
def test_corpus(case: str) -> None:
    rules, policies = setup_of(case)
    kind = OFFICIAL.with_rules(*rules)
    games = kind.read((CORPUS / f"{case}.in").read_text())
    output = (played(kind, dealt.players, dealt.deck, policies) for dealt in games)
    assert difference(CORPUS / f"{case}.in", output) == ""


@pytest.mark.parametrize("case", CASES)
def test_the_witness_knows_the_corpus(case: str) -> None:
    rules, policies = setup_of(case)
    profiles = {profile.name: profile.rules for profile in BOOK.profiles}
    names = [name for rule in rules for name in profiles.get(rule, (rule,))]
    words = (CORPUS / f"{case}.in").read_text().split()[1:]
    games = [words[at : at + 109] for at in range(0, len(words), 109)]
    output = (str(simulate(int(players), deck, names, policies)) for players, *deck in games)
    assert difference(CORPUS / f"{case}.in", output) == ""


def differences(rules: Sequence[str], decks: int, seed: int, players: Sequence[int] = (2, 3, 4, 7, 10)) -> list[str]:
    """The decks that the machine plays otherwise than the witness, with the policies."""
    kind, rng, found = OFFICIAL.with_rules(*rules), Random(seed), []
    for number in range(decks):
        many, deck = players[number % len(players)], rng.sample(CARDS, len(CARDS))
        policies = [rng.choice(POLICIES) for _ in range(many)]
        game = kind.parse(f"{many} {' '.join(deck)}", policies)
        game.run()
        lines = PlayedGame.of(game).result
        if lines != str(simulate(many, deck, rules, policies)):
            found.append(f"{many} {' '.join(deck)} --policy {','.join(policies)}")
    return found


ALONE_AND_PAIRS = [*((rule,) for rule in RULES), *ALLOWED_PAIRS]


@pytest.mark.parametrize(
    ("rules", "decks", "seed"),
    [
        *((rules, 10, 2) for rules in SETS.random(seed=1, count=12)),
        *(pytest.param(rules, 20, 3, marks=pytest.mark.slow) for rules in ALONE_AND_PAIRS),
        *(
            pytest.param(rules, 300, 5, marks=pytest.mark.thorough)
            for rules in [*ALONE_AND_PAIRS, *SETS.random(4, 100)]
        ),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else str(value),
)
def test_sets_of_rules_are_played_as_specified(rules: tuple[str, ...], decks: int, seed: int) -> None:
    assert differences(rules, decks, seed) == []


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_pairs_are_refused_exactly_where_the_specification_says(pair: tuple[str, str]) -> None:
    SETS.assert_pair(OFFICIAL, pair)


def test_a_profile_is_its_rules() -> None:
    family = OFFICIAL.with_rules("stack-draw-two", "draw-until-fit", "seven-zero", "jump-in")
    assert OFFICIAL.with_rules("family-uno") is family
    assert OFFICIAL.with_rules("progressive-uno") is OFFICIAL.with_rules("stack-draws")
    assert OFFICIAL.with_rules("strict-uno") is OFFICIAL.with_rules("must-play", "no-bluff", "no-action-last")


def surveyed(rules: Sequence[str]) -> list[str]:
    """The properties that fail under rules in games of a seed."""
    return list(survey(OFFICIAL.with_rules(*rules), 1, seed=11).failures)


def explored(rules: Sequence[str]) -> list[str]:
    """The properties that fail under rules with the small decks that the rules add."""
    kind = OFFICIAL.with_rules(*rules)
    decks = kind.declaration.small_decks[:1] + kind.declaration.small_decks[3:]
    return [failure for deck in decks for failure in explore_stepped(kind, deck, 600, first=True).failures]


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_sound_with_small_decks(rule: str) -> None:
    assert explored([rule]) == []


TOGETHER = (
    ("draw-until-fit", "must-play", "reverse-skips-nothing-with-two"),
    ("jump-in", "must-play", "no-draw-on-last", "seven-zero", "stack-draw-two"),
    ("jump-in", "must-play", "no-action-last", "no-bluff", "seven-zero", "stack-draws"),
)
"""Every rule, with one by which the games of random players end soon."""


@pytest.mark.slow
@pytest.mark.parametrize("rules", TOGETHER, ids="+".join)
def test_rules_are_sound_in_games(rules: tuple[str, ...]) -> None:
    assert surveyed(rules) == []


def test_every_rule_is_in_a_game() -> None:
    assert {rule for rules in TOGETHER for rule in rules} == set(RULES)


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [*ALONE_AND_PAIRS, *SETS.random(6, 6)], ids="+".join)
def test_allowed_sets_are_sound(rules: tuple[str, ...]) -> None:
    assert surveyed(rules) + explored(rules) == []


@pytest.mark.slow
@pytest.mark.parametrize("positions", [5_000, pytest.param(20_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("rule", RULES)
def test_every_arc_that_a_rule_adds_or_changes_is_fired_in_a_small_deck(rule: str, positions: int) -> None:
    kind = OFFICIAL.with_rules(rule)
    decks = kind.declaration.small_decks
    assert never_fired(kind, [*decks[3:], *decks[:3]], positions) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "players", "rounds"),
    [
        *((rules, 3, 100) for rules in (("stack-draws", "seven-zero", "jump-in", "no-action-last"), ("family-uno",))),
        *(
            pytest.param(rules, players, 1000, marks=pytest.mark.thorough)
            for rules in [*((rule,) for rule in RULES), *SETS.random(7, 20)]
            for players in (2, 4, 10)
        ),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else str(value),
)
def test_compiled_rounds_are_the_stepped_ones(rules: tuple[str, ...], players: int, rounds: int) -> None:
    name, policies = OFFICIAL.with_rules(*rules).declaration.name, ("house", "hoarder", "bluffer", "forgetful")
    assert compare(Task(name, players, tuple(islice(cycle(policies), players)), rounds)) == []
