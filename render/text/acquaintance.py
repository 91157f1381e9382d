"""Distances between people: as the problem's output, as a chain in words, as a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.acquaintance import Acquaintance, Gathering, P, PeopleChain
from rules.notation import many

STRANGER = "wywcgs"
"""The problem's name for the last person."""
FORMAT, VERSION = "maumau-acquaintance", 1
MAX_NAMED = 8


def result(chain: PeopleChain[int] | None) -> str:
    """The problem's output for a case."""
    if chain is None:
        return f"I can never know {STRANGER}!"
    if chain.steps <= 1:
        return f"I do know {STRANGER}!"
    return f"I can know {STRANGER} by at most {chain.steps - 1} person(s)!"


def explained_case(number: int, case: Gathering, known: Acquaintance[int], chain: PeopleChain[int] | None) -> str:
    """The answer to a case, and a shortest chain with the groups that connect it."""
    last = case.people - 1
    people, groups = many(case.people, "person", "people"), many(len(case.groups), "group")
    if chain and chain.steps == 0:
        why = f"    {STRANGER} is {last}, the only one there is."
    else:
        why = "\n".join(_reasons(known, 0, last, chain, "knows", "from group")) + f": {STRANGER}" * bool(chain)
    return f"Case #{number}: {people}, {groups}\n{result(chain)}\n{why}"


def distance(first: str, last: str, chain: PeopleChain[str] | None) -> str:
    """The distance between two players, on one line."""
    return f"{first} {last}: {'never' if chain is None else chain.steps}"


def explained_distance(first: str, last: str, known: Acquaintance[str], chain: PeopleChain[str] | None) -> str:
    """The distance between two players, with a shortest chain and the tables that connect it."""
    return "\n".join([distance(first, last, chain), *_reasons(known, first, last, chain, "sat with", "at table")])


def record(first: P, last: P, chain: PeopleChain[P] | None) -> dict[str, Any]:
    """The distance between two people as plain data.

    from, to: the two people. steps: the distance, null if there is no chain. chain: the people of a shortest one, from
    the first to the last. groups: the numbers (from 1) of the groups, or tables, that connect neighbours in the chain.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "from": first,
        "to": last,
        "steps": chain.steps if chain else None,
        "chain": list(chain.people) if chain else [],
        "groups": [group + 1 for group in chain.groups] if chain else [],
    }


def _reasons(
    known: Acquaintance[P], first: P, last: P, chain: PeopleChain[P] | None, met: str, where: str
) -> Iterator[str]:
    """Each step of a chain: `0 knows 3 from group 2 (0 3 7)`; or who is reached, where there is none."""
    if chain is None:
        reached = tuple(known.circle(first).links)
        people = f"{many(len(reached), 'person', 'people')} ({_named(reached)})" if reached else "nobody"
        yield f"    {first} reaches {people}, and {last} is not among them."
        return
    for one, other, group in zip(chain.people, chain.people[1:], chain.groups, strict=False):
        yield f"    {one} {met} {other} {where} {group + 1} ({_named(known.groups[group])})"


def _named(people: tuple[P, ...]) -> str:
    """The first people, or all of them if they are few."""
    named = " ".join(map(str, people[:MAX_NAMED]))
    return named if len(people) <= MAX_NAMED else f"{named} ..., {len(people)} in all"
