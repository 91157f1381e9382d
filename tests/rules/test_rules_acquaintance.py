"""Acquaintance: all members of a group know each other, and the fewest steps lead from one to another."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acquaintance import Acquaintance, Gathering, PeopleChain, read_cases, result

CORPUS = Path(__file__).parents[1] / "corpus" / "acquaintance"
APART = 10**6

groups_of_people = st.lists(st.lists(st.integers(0, 11), max_size=5), max_size=12)


def steps(case: Gathering) -> int | None:
    chain = Acquaintance(case.groups).chain(0, case.people - 1)
    return chain.steps if chain else None


def distances(groups: list[list[int]], people: int) -> dict[tuple[int, int], int]:
    """A second way: all distances at once, by who knows whom (Floyd and Warshall)."""
    every = range(people)
    known = {(a, b): 0 if a == b else APART for a in every for b in every}
    known |= {pair: 1 for members in groups for pair in permutations(set(members), 2)}
    for by in every:
        for a in every:
            for b in every:
                known[a, b] = min(known[a, b], known[a, by] + known[by, b])
    return known


@pytest.mark.parametrize(("name", "cases"), [("cases", 60), ("eof", 5)])
def test_the_corpus(name: str, cases: int) -> None:
    found = read_cases((CORPUS / f"{name}.in").read_text())
    answers = (CORPUS / f"{name}.out").read_text().splitlines()
    assert len(found) == len(answers) == cases
    assert [result(Acquaintance(case.groups).chain(0, case.people - 1)) for case in found] == answers


def test_members_of_one_group_know_each_other() -> None:
    assert steps(Gathering(4, ((3, 1, 0),))) == 1


def test_the_fewest_steps_count() -> None:
    assert steps(Gathering(5, ((0, 1), (1, 2), (2, 4), (0, 3), (3, 4)))) == 2


def test_a_chain_names_its_people_and_the_groups_that_link_them() -> None:
    known = Acquaintance([("anna", "bert"), ("emil",), ("bert", "carla", "dora"), ("dora", "fritz")])
    assert known.chain("anna", "fritz") == PeopleChain(("anna", "bert", "dora", "fritz"), (0, 2, 3))
    assert known.chain("fritz", "anna") == PeopleChain(("fritz", "dora", "bert", "anna"), (3, 2, 0))


def test_without_a_chain_there_is_none() -> None:
    assert steps(Gathering(4, ((0, 1), (2, 3)))) is None
    assert steps(Gathering(4, ())) is None
    assert Acquaintance([("anna", "bert")]).chain("anna", "nobody") is None


def test_one_person_is_the_first_and_the_last() -> None:
    assert steps(Gathering(1, ())) == 0
    assert Acquaintance([(0,)]).chain(0, 0) == PeopleChain((0,), ())


def test_groups_of_one_or_none_repeated_members_and_repeated_groups_do_no_harm() -> None:
    assert steps(Gathering(3, ((), (0,), (0, 0, 1), (1, 2, 2), (0, 1), (0, 1), (2,)))) == 2


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (0, "I do know wywcgs!"),
        (1, "I do know wywcgs!"),
        (2, "I can know wywcgs by at most 1 person(s)!"),
        (999, "I can know wywcgs by at most 998 person(s)!"),
    ],
)
def test_the_persons_between_are_one_fewer_than_the_steps(steps: int, message: str) -> None:
    assert result(PeopleChain(tuple(range(steps + 1)), tuple(range(steps)))) == message
    assert result(None) == "I can never know wywcgs!"


def test_a_circle_is_everybody_in_reach_nearest_first() -> None:
    circle = Acquaintance([(0, 3), (3, 1), (5, 0), (7, 8)]).circle(0)
    assert (list(circle.links), len(circle)) == ([3, 5, 1], 4)


def test_a_thousand_people_in_a_row() -> None:
    assert steps(Gathering(1000, tuple((person, person + 1) for person in range(999)))) == 999


@given(groups_of_people)
def test_a_second_algorithm_finds_the_same_distances(groups: list[list[int]]) -> None:
    known, expected = Acquaintance(groups), distances(groups, 12)
    for first, last in permutations(known.people, 2):
        chain = known.chain(first, last)
        assert (chain.steps if chain else APART) == min(expected[first, last], APART)


@given(groups_of_people)
def test_every_two_have_a_chain_of_people_who_met(groups: list[list[int]]) -> None:
    known = Acquaintance(groups)
    pairs = list(known.chains())
    assert len(pairs) == len(known.people) * (len(known.people) - 1) // 2
    for first, last, chain in pairs:
        if chain is None:
            continue
        assert (chain.people[0], chain.people[-1]) == (first, last)
        for one, other, group in zip(chain.people, chain.people[1:], chain.groups, strict=False):
            assert {one, other} <= set(groups[group])
