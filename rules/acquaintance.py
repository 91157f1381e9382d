"""Acquaintance: all members of a group know each other; how few steps lead from one person to another. The answers are
the problem's output, a chain in words, or a record.

People and groups are the two sides of a bipartite graph, and the search alternates between them: a group of a thousand
people has a thousand edges instead of half a million pairs.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain as chained
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from rules.errors import Explained
from rules.notation import expected_name, many, shown
from rules.reading import STDIN, Fault, InputError, Word, counting, filled_lines, miscounted, plain_name, words_of

P = TypeVar("P", bound=Hashable)
"""What stands for a person: a number, a name."""


@dataclass(frozen=True)
class PeopleChain(Generic[P]):
    """A chain of people of whom each knows the next.

    people: from the first to the last. groups: the numbers (from 0) of the groups in which each met the next.
    """

    people: tuple[P, ...]
    groups: tuple[int, ...]

    @property
    def steps(self) -> int:
        """How far the first is from the last: 0 for oneself, 1 for those who know each other."""
        return len(self.groups)


@dataclass(frozen=True)
class Circle(Generic[P]):
    """Everybody whom one person reaches, nearest first.

    links: of each but the first, who comes before on a shortest chain, and the number of the group that links the two.
    """

    first: P
    links: dict[P, tuple[P, int]]

    def __len__(self) -> int:
        return 1 + len(self.links)

    def chain(self, last: P) -> PeopleChain[P] | None:
        """A shortest chain from the first person to `last`; None if there is none."""
        if last != self.first and last not in self.links:
            return None
        people, groups = [last], []
        while people[-1] != self.first:
            before, group = self.links[people[-1]]
            people.append(before)
            groups.append(group)
        return PeopleChain(tuple(reversed(people)), tuple(reversed(groups)))


class Acquaintance(Generic[P]):
    """Who met whom: groups of people, each by its members. A member named twice and a group of one do no harm."""

    def __init__(self, groups: Iterable[Iterable[P]]) -> None:
        self.groups = tuple(map(tuple, groups))
        self._groups_of: defaultdict[P, list[int]] = defaultdict(list)
        for number, members in enumerate(self.groups):
            for member in members:
                self._groups_of[member].append(number)

    @property
    def people(self) -> tuple[P, ...]:
        """Everybody who is in a group, in the order in which they are named."""
        return tuple(self._groups_of)

    def circle(self, first: P) -> Circle[P]:
        """Everybody whom `first` reaches, by a breadth-first search that enters each group once."""
        links: dict[P, tuple[P, int]] = {}
        entered: set[int] = set()
        waiting = deque([first])
        while waiting:
            person = waiting.popleft()
            for group in self._groups_of.get(person, ()):
                if group in entered:
                    continue
                entered.add(group)
                for member in self.groups[group]:
                    if member not in links and member != first:
                        links[member] = person, group
                        waiting.append(member)
        return Circle(first, links)

    def chain(self, first: P, last: P) -> PeopleChain[P] | None:
        """A shortest chain from `first` to `last`; None if there is none."""
        return self.circle(first).chain(last)

    def chains(self) -> Iterator[tuple[P, P, PeopleChain[P] | None]]:
        """Every two people, each two once, and a shortest chain between them."""
        people = self.people
        for index, first in enumerate(people):
            circle = self.circle(first)
            for last in people[index + 1 :]:
                yield first, last, circle.chain(last)


# ---------------------------------------------------------------- the input

# The cases of the problem, and tables at which players sat. The problem's input is cases until `0 0` or the end: the
# numbers of groups and of people, then each group, the number of its members before them. If the first line is such a
# pair of numbers, every group is on a line of its own, and the error for an incomplete group names its line. If not,
# line ends are ignored.


MAX_PEOPLE = 1000
PEOPLE = f"a number of people from 1 to {MAX_PEOPLE}"
HEAD = "the numbers of groups and of people"
END = (0, 0)

MEMBERS = {str(member): member for member in range(MAX_PEOPLE)}
"""All that may stand for a member, and a million times does."""


class CaseRow(NamedTuple):
    """The words of a case's head, or of a group, and the line of each."""

    words: Sequence[str]
    lines: Sequence[int]


class Gathering(NamedTuple):
    """A case of the problem: how many people there are, from 0 on, and the members of each group."""

    people: int
    groups: tuple[tuple[int, ...], ...]


def read_cases(text: str, source: str = STDIN) -> list[Gathering]:
    """The cases of a whole input.

    Raises InputError, which lists all invalid lines, as far as the cases can be parsed.
    """
    rows: Iterator[CaseRow] = (
        CaseRow(words := line.split(), [number] * len(words)) for number, line in filled_lines(text)
    )
    first = next(rows, None)
    if first is None:
        raise InputError([Fault(1, f"the input is empty; it must begin with {HEAD}")], source)
    rows = chained([first], rows) if len(first.words) == 2 else _cut(words_of(text))
    faults: list[Fault] = []
    cases = list(_cases(rows, faults))
    if faults:
        raise InputError(sorted(faults, key=lambda fault: fault.line), source)
    return cases


def read_tables(text: str, source: str = STDIN) -> list[tuple[str, ...]]:
    """Return the players of each table, one a line; a name is any word, in its plain form. Raises InputError."""
    named = (tuple(plain_name(line).split()) for _, line in filled_lines(text))
    tables = [names for names in named if names]
    if not tables:
        raise InputError([Fault(1, "the input is empty; write a table on each line: the names of its players")], source)
    return tables


def _cases(rows: Iterator[CaseRow], faults: list[Fault]) -> Iterator[Gathering]:
    """The cases up to the end; what is wrong goes to `faults`."""
    for row in rows:
        try:
            groups, people = _head(row)
        except InputError as error:
            faults += error.faults
            return  # how many groups follow is not known
        if (groups, people) == END:
            return
        if not 1 <= people <= MAX_PEOPLE:
            faults.append(Fault(row.lines[0], f"{people} people; use {PEOPLE}"))
            people = MAX_PEOPLE
        found = tuple(_groups(islice(rows, groups), people, faults))
        if len(found) < groups:
            faults.append(Fault(row.lines[0], miscounted("case", groups, "groups", len(found))))
        yield Gathering(people, found)


def _head(row: CaseRow) -> tuple[int, int]:
    """The numbers of groups and of people. Raises InputError."""
    if len(row.words) != 2:
        raise InputError(
            [Fault(row.lines[0], f"{many(len(row.words), 'word')} where a case begins; write two: {HEAD}")]
        )
    return _number(row, 0, "the number of groups"), _number(row, 1, PEOPLE)


def _groups(rows: Iterable[CaseRow], people: int, faults: list[Fault]) -> Iterator[tuple[int, ...]]:
    """The members of each group; none of a bad one."""
    for row in rows:
        try:
            yield _group(row, people)
        except InputError as error:
            faults += error.faults
            yield ()


def _group(row: CaseRow, people: int) -> tuple[int, ...]:
    """The members of a group. Raises InputError."""
    size, named = _number(row, 0, "the number of members of a group"), row.words[1:]
    if len(named) != size:
        raise InputError([Fault(row.lines[0], f"a group of {size} has {many(len(named), 'member')}; name {size}")])
    try:
        members = tuple([MEMBERS[word] for word in named])
    except KeyError:
        members = (people,)
    if max(members, default=0) < people:
        return members
    return tuple(_member(row, index, people) for index in range(1, size + 1))


def _member(row: CaseRow, index: int, people: int) -> int:
    """The member at an index of a group, from 1. Raises InputError."""
    expected = f"a person from 0 to {people - 1}"
    member = _number(row, index, expected)
    if member >= people:
        raise InputError([Fault(row.lines[index], f"member {index}: {member} is out of range; use {expected}")])
    return member


def _number(row: CaseRow, index: int, what: str) -> int:
    try:
        return counting(row.words[index], what)
    except ValueError as error:
        raise InputError([Fault(row.lines[index], str(error))]) from None


def _cut(words: Iterator[Word]) -> Iterator[CaseRow]:
    """The rows that words over any lines are; the last one as long as it is, where what follows is not known."""
    while head := list(islice(words, 2)):
        yield _row(head)
        for _ in range(_announced(head[0])):
            size = next(words, None)
            if size is None:
                return
            yield _row([size, *islice(words, _announced(size))])


def _row(words: Sequence[Word]) -> CaseRow:
    return CaseRow([word.text for word in words], [word.line for word in words])


def _announced(word: Word) -> int:
    """The number that a word stands for, or 0; the error is reported when its row is parsed."""
    try:
        return counting(word.text, "a number")
    except ValueError:
        return 0


# ---------------------------------------------------------------- answers

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
        f"--between: {shown(name)} sat at no table of {source}{expected_name(name, known.people)}"
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
