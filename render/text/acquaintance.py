"""Distances between people: as the problem's output, as a chain in words, as a record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain as chained
from typing import Any

from rules.acquaintance import Acquaintance, Gathering, P, PeopleChain, read_cases, read_tables
from rules.errors import Explained
from rules.notation import expected_name, many
from rules.notation import shown as quoted
from rules.reading import plain_name

STRANGER = "wywcgs"
"""The problem's name for the last person."""
FORMAT, VERSION = "maumau-acquaintance", 1
MAX_NAMED = 8


def answers(
    text: str, source: str, seats: bool, explain: bool, as_json: bool, between: tuple[tuple[str, str], ...]
) -> Iterator[str]:
    """Return the answers to an input: to its cases, or for seats the distances between players, of pairs or of all."""
    given = text, source, explain, as_json
    return answers_to_players(*given, between) if seats else answers_to_cases(*given)


def answers_to_cases(text: str, source: str, explain: bool, as_json: bool) -> Iterator[str]:
    """Yield the answer to each case of an input. Raises InputError before the first one."""
    for number, case in enumerate(read_cases(text, source), 1):
        known, last = Acquaintance(case.groups), case.people - 1
        chain = known.chain(0, last)
        if as_json:
            yield json.dumps(record(0, last, chain))
        else:
            yield f"{explained_case(number, case, known, chain)}\n" if explain else result(chain)


def answers_to_players(
    text: str, source: str, explain: bool, as_json: bool, between: tuple[tuple[str, str], ...]
) -> Iterator[str]:
    """Yield the distances between players of an input: of some pairs, or of all.

    Raises InputError, and Explained with similar names for pairs that are unknown, before the first one.
    """
    known = Acquaintance(read_tables(text, source))
    between = tuple((plain_name(first), plain_name(last)) for first, last in between)
    if faults := [
        f"--between: {quoted(name)} sat at no table of {source}{expected_name(name, known.people)}"
        for name in dict.fromkeys(chained.from_iterable(between))
        if name not in known.people
    ]:
        raise Explained("\n".join(faults))
    pairs = ((first, last, known.chain(first, last)) for first, last in between) if between else known.chains()
    for first, last, chain in pairs:
        if as_json:
            yield json.dumps(record(first, last, chain), ensure_ascii=False)
        else:
            yield explained_distance(first, last, known, chain) if explain else distance(first, last, chain)


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
