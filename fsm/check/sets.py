"""Sets of house rules on small decks: which of them break the game, and the smallest set and the shortest game that do.

A set is broken if its declaration contradicts itself, if a property fails, if a game can come to where nobody can win
any more, if no game of a small deck can be won, or if a transition is there that no small deck fires, nor some games
with the whole deck. What is so in a
part of the set, or in the game without rules, is not a fault of the set.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import Any

from fsm.check.properties import BasicProperty, Counterexample
from fsm.check.stepped import Walk
from fsm.declaration.arcs import Arc, SmallDeck
from fsm.declaration.declaration import DeclarationError
from fsm.declaration.policy import RANDOM
from fsm.edge.ticker import Ticker, duration
from fsm.hashes import code_hash
from fsm.stepping.game import Game
from fsm.stepping.setup import deals
from fsm.variants.draft import ClashError
from rules.ending import ENDLESS
from rules.notation import many

POSITIONS = 2_000
"""Positions of a small deck that are visited at most: a game has hundreds of sets."""
SECONDS_A_SET, SECONDS_A_POSITION = 0.4, 0.0002
"""What checking a set takes, about, and each of its positions in addition."""
MOST_RULES = 3
CONTRADICTION = "contradiction"
GAMES, WHOLE_GAMES, EVENTS, MAX_DEALS = 150, 12, 500, 10_000
"""Games with a deck that has too many positions, and with the whole deck for each number of players; the events of each
at most, and the deals of which those of the small deck are chosen.
"""
KINDS: dict[int, str] = {
    BasicProperty.ONE_ARC: "overlap",
    BasicProperty.ONE_FORCED: "overlap",
    BasicProperty.CAN_CONTINUE: "dead end",
}
"""The kinds of the general properties; all others are of the kind `property`."""


@dataclass(frozen=True)
class SetFault:
    """What is wrong with a set of rules.

    kind: `contradiction`, `overlap`, `dead end`, `property`, `endless`, `nobody wins` or `never fired`. what: the
    property, the transition or the message. deck: the small deck. game, events: the input of the shortest game and the
    events after which it is seen; empty where it is not a single game.
    """

    kind: str
    what: str
    deck: str = ""
    game: str = ""
    events: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = f"{self.kind}: {self.what}" if self.what else self.kind
        shown = f"; game {' '.join(self.game.split())}; events {', '.join(self.events) or 'none'}" if self.game else ""
        return f"{parts}{f'; {self.deck}' if self.deck else ''}{shown}"


@dataclass(frozen=True)
class SetReport:
    """What was found of one set.

    rules: the names. faults: what is wrong with this set and with no part of it. positions: how many were visited.
    left: the small decks that have more positions than the limit, which were not visited to the end.
    """

    rules: tuple[str, ...]
    faults: tuple[SetFault, ...]
    positions: int = 0
    left: tuple[str, ...] = ()

    def __str__(self) -> str:
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        return f"{'+'.join(self.rules) or 'no rule'}: {self.faults[0]}{more}" if self.faults else ""

    @classmethod
    def of_plain(cls, plain: dict[str, Any]) -> SetReport:
        """The report of a JSON object. Raises KeyError or TypeError for what is none."""
        faults = tuple(SetFault(**{**each, "events": tuple(each["events"])}) for each in plain["faults"])
        return cls(tuple(plain["rules"]), faults, plain["positions"], tuple(plain["left"]))


def rule_sets(kind: type[Game], most_rules: int = MOST_RULES) -> list[tuple[str, ...]]:
    """The sets of a game's rules that do not exclude each other, the smallest first, with the empty one.

    most_rules: how many rules a set has at most.
    """
    rules = kind.rulebook().listed()
    sets = (chosen for count in range(most_rules + 1) for chosen in combinations(rules, count))
    allowed = (
        chosen for chosen in sets if not any(one.reason_against(other) for one, other in combinations(chosen, 2))
    )
    return [tuple(rule.name for rule in chosen) for chosen in allowed]


def check_sets(
    kind: type[Game],
    positions: int,
    most_rules: int = MOST_RULES,
    known: Sequence[SetReport] = (),
    begun: Callable[[int, int], None] = lambda number, sets: None,
) -> Iterator[SetReport]:
    """Check every set of a game's rules, the smallest first.

    positions: of a small deck at most. known: reports of an earlier run, which are not found again. begun: called with
    the number of sets that are done and of all, before each that is to be checked.
    """
    sets, done = rule_sets(kind, most_rules), {frozenset(report.rules): report for report in known}
    for number, rules in enumerate(sets):
        parts = [done[frozenset(part)] for count in range(len(rules)) for part in combinations(rules, count)]
        theirs = {_key(fault) for part in parts for fault in part.faults}
        if any(fault.kind == CONTRADICTION for part in parts for fault in part.faults):
            done[frozenset(rules)] = SetReport(rules, ())
        elif frozenset(rules) not in done:
            begun(number, len(sets))
            report = _checked(kind, rules, positions)
            own = tuple(fault for fault in report.faults if _key(fault) not in theirs)
            done[frozenset(rules)] = SetReport(rules, own, report.positions, report.left)
        yield done[frozenset(rules)]


class SetsCheck:
    """A check of all sets of a game's rules, which goes on from the reports of an earlier one.

    kind: the class of the game. positions: of a small deck at most. head: what tells whether reports are of this check.
    known: the reports of the earlier one.
    """

    def __init__(self, kind: type[Game], positions: int) -> None:
        self.kind, self.known = kind, list[SetReport]()
        self.positions = min(positions, POSITIONS)
        checked_code = code_hash(kind.declaration, *(rule.edits for rule in kind.rulebook().listed()))
        self.head = {"game": kind.declaration.name, "hash": checked_code, "positions": self.positions}

    def read(self, lines: Sequence[bytes]) -> None:
        """Read the head and the reports of an earlier check. Raises ValueError, KeyError, TypeError for other lines."""
        if lines and json.loads(lines[0]) != self.head:
            raise ValueError("its first line is of other rules or positions")
        self.known = [SetReport.of_plain(json.loads(line)) for line in lines[1:]]

    def __str__(self) -> str:
        sets, decks, limit = len(rule_sets(self.kind)), len(self.kind.declaration.small_decks), self.positions
        seconds = (sets - len(self.known)) * (SECONDS_A_SET + limit * decks * SECONDS_A_POSITION)
        size = f"at most {many(limit, 'position')} of each of {many(decks, 'small deck')}"
        subject = f"the game without rules and {sets - 1} sets of up to three house rules"
        return f"checking {subject}, {size}: {duration(seconds)}"

    def reports(self, notify: Callable[[str], None]) -> Iterator[SetReport]:
        """Yield the report of each set, those that are known first. notify: called now and then."""
        ticker = Ticker(notify)
        return check_sets(
            self.kind,
            self.positions,
            known=self.known,
            begun=lambda number, of: ticker.tell(f"{number} of {of} sets are checked", number / of),
        )


def _key(fault: SetFault) -> tuple[str, str, str]:
    return fault.kind, fault.what, fault.deck


def _checked(kind: type[Game], rules: tuple[str, ...], positions: int) -> SetReport:
    try:
        made = kind.with_rules(*rules)
    except (ClashError, DeclarationError) as error:
        return SetReport(rules, (SetFault(CONTRADICTION, str(error)),))
    faults: list[SetFault] = []
    decks = made.declaration.small_decks
    visited, left, fired = 0, list[str](), set[str]()
    for small in decks:
        graph = Walk(made, small, positions)
        report = graph.run()
        visited += report.positions
        fired |= set(map(_text, report.fired))
        for number, found in graph.report.examples.items():
            faults.append(_fault(KINDS.get(number, "property"), graph.report.properties[number], small, found))
        if not report.complete:
            left.append(str(small))
            fired |= _played(made, small)
        elif not report.failed:
            faults += _unwinnable(graph, small)
    transitions = [_text(arc) for arc in made.declaration.arcs]
    if not fired.issuperset(transitions):
        fired |= _played_whole(made)
    faults += [SetFault("never fired", each) for each in transitions if each not in fired]
    return SetReport(rules, tuple(faults), visited, tuple(left))


def _text(arc: Arc) -> str:
    """A transition, under whatever rules: its guards and effects have other names under others."""
    return f"{arc.bare}: {arc.description}"


def _played(kind: type[Game], small: SmallDeck) -> set[str]:
    """The transitions that are fired in games of random players with a deck that has too many positions."""
    fired, made = set[str](), kind.with_deck(small.cards, small.each)
    dealt = list(islice(deals(made, small.players), MAX_DEALS))
    for number, deck in enumerate(dealt[:: len(dealt) // GAMES + 1]):
        game = made.of_deck(small.players, deck, RANDOM)
        game.table.number = number
        fired |= _fired(game)
    return fired


def _played_whole(kind: type[Game]) -> set[str]:
    """The transitions that are fired in games with the whole deck, of players who lay cards at random."""
    fired, codec = set[str](), kind.declaration.codec
    who = next((each for each in kind.declaration.policies if each.lays_first), None)
    for players, number in product(sorted(codec.players)[:3], range(WHOLE_GAMES)):
        fired |= _fired(kind.deal(players, seed=0, number=number, policies=who))
    return fired


def _fired(game: Game) -> set[str]:
    with suppress(AssertionError):  # no way on
        while game.outcome is None and len(game.history) < EVENTS:
            game.step()
    return {_text(step.arc) for step in game.history}


def _fault(kind: str, what: str, small: SmallDeck, found: Counterexample) -> SetFault:
    events = (*found.events, found.event) if found.event else found.events
    return SetFault(kind, what, str(small), found.line, tuple(map(str, events)))


def _unwinnable(graph: Walk, small: SmallDeck) -> Iterator[SetFault]:
    """Whether no game can be won, and else the shortest one after which nobody can win any more."""
    final = graph.game.final
    ends = [number for number, each in enumerate(graph.found) if each.phase is final]
    won = [number for number in ends if graph.found[number].table.ending != ENDLESS]
    if not won:
        yield SetFault("nobody wins", "no game with this deck can be won", str(small))
        return
    before: list[list[int]] = [[] for _ in graph.found]
    for number, ways in enumerate(graph.ways):
        for reached, _ in ways:
            before[reached].append(number)
    can_win, waiting = set(won), won
    while waiting:
        waiting = [each for number in waiting for each in before[number] if each not in can_win]
        can_win.update(waiting)
    for number, found in enumerate(graph.found):
        if number not in can_win and found.phase is not final:
            yield _fault("endless", "from here on nobody can win", small, graph.example(found.route))
            return
