"""Many games with the whole deck, played by random and by other players, with every property checked."""

from __future__ import annotations

from typing import Any

from fsm.check.inspector import Inspector
from fsm.check.properties import CHOOSES, DETERMINED, ENDS, Report, properties
from fsm.check.stepped import example
from fsm.declaration.arcs import Arc, Policy
from fsm.declaration.endless import LONGEST, MAX_EVENTS, LongGameError
from fsm.declaration.policy import DICE, RANDOM
from fsm.edge.numbers import at_least
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.moves import move_of
from fsm.stepping.snapshot import NONE, Code, snapshots_of
from fsm.stepping.steps import Move, Step

COMPARED = 7
"""Each so many positions one is compared with a table that is made from the position alone."""


def survey(kind: type[Game], games: int, seed: int = 0) -> Report:
    """Play `games` games of `seed` for each number of players, and check every position and every event in them.

    kind: the game class. Half of them are played at random, so that all that is legal comes up, the others by the other
    policies in turn. No more are played by a policy after one that does not end. Raises LongGameError for one of random
    players.
    """
    games, kind = at_least(0, "games", games), game_class(kind)
    chooses = (CHOOSES.format(policy.name) for policy in _deciding(kind))
    ends = (ENDS.format(policy.name) for policy in _others(kind))
    report = Report(kind.declaration, (*properties(kind.declaration), DETERMINED, *chooses, *ends))
    codec = kind.declaration.codec
    inspector = Inspector(kind)
    for players in range(codec.fewest, codec.most + 1):
        for number in range(games):
            policy = _played_by(kind, number)
            if ENDS.format(policy.name) not in report.failures:
                _Checked(kind.deal(players, seed, number, (policy.name,)), inspector, report).play(policy)
                report.games += 1
    return report


def _played_by(kind: type[Game], number: int) -> Policy:
    """The policy of all players of a game."""
    others = _others(kind)
    return others[number // 2 % len(others)] if number % 2 and others else RANDOM


def _others(kind: type[Game]) -> list[Policy]:
    """The policies that do not play at random."""
    return [policy for policy in kind.declaration.policies if policy not in DICE]


def _deciding(kind: type[Game]) -> list[Policy]:
    """The policies with decision rules."""
    return [policy for policy in kind.declaration.policies if policy.choices]


class _Checked:
    """A game that is checked before and after each event."""

    def __init__(self, game: Game, inspector: Inspector, report: Report) -> None:
        self._game, self._inspector, self._report = game, inspector, report
        self._determined = report.properties.index(DETERMINED)
        self._policies = list(enumerate(_deciding(type(game)), self._determined + 1))

    def play(self, policy: Policy) -> None:
        """Play to the end, or until the game is given up."""
        most = LONGEST if policy is RANDOM else MAX_EVENTS
        game, inspector, report = self._game, self._inspector, self._report
        final, snapshots = game.declaration.final, snapshots_of(game.declaration)
        while inspector.holds(game.table, game.phase, self._note) and game.phase is not final:
            if len(game.history) == most:
                self._give_up(policy)
                return
            phase, before = game.phase, inspector.copy(game.table)
            choices = inspector.choices(before, phase, self._note)
            if report.positions % COMPARED == 0:
                self._check_determined(before, choices)
            report.positions += 1
            if not self._can_choose(before, choices):
                return
            report.tried += len(choices)
            step = game.step()
            before.returned = game.table.returned  # the step finds out before its event
            snapshots.put_back(before, snapshots.named(game.table))
            report.events += 1
            report.fired[step.arc] += 1
            if not inspector.done(before, game.table, step.arc, self._note):
                return

    def _give_up(self, policy: Policy) -> None:
        """Note that a game does not end: the counterexample is its deal, not the thousands of its events.

        Raises LongGameError for random players.
        """
        kind, players, deck = type(self._game), self._game.players, self._game.dealt_deck()
        if policy is RANDOM:
            raise LongGameError(kind.declaration.name, self._game.table.number)
        ends = self._report.properties.index(ENDS.format(policy.name))
        dealt = kind.of_deck(players, deck)
        self._report.failed[ends] += 1
        self._report.examples[ends] = example(kind, players, deck, [], dealt.table, dealt.phase, None)

    def _can_choose(self, before: Any, choices: list[tuple[Code, Arc]]) -> bool:
        """Check that each policy with decision rules chooses one of the legal events; whether those who play do."""
        inspector, phase = self._inspector, self._game.phase
        if not inspector.is_free(phase, choices):
            return True
        sound, legal = True, [code for code, _ in choices]
        for number, policy in self._policies:
            code = inspector.chosen(policy, before, phase)
            if code not in legal:
                self._note(number, code if code and _has_names(self._game, code) else None)
                sound = sound and policy not in self._game.policies
        return sound

    def _check_determined(self, before: Any, choices: list[tuple[Code, Arc]]) -> None:
        """Check that what can be done, and where it leads, depends on nothing but the position and the dice."""
        inspector, report, phase = self._inspector, self._report, self._game.phase
        codes = [code for code, _ in choices]
        code = codes[report.positions // COMPARED % len(codes)] if codes else None
        if not inspector.determined(before, phase, choices, code):
            first = self._determined not in report.failed
            self._note(self._determined, code, inspector.missing(before, phase, choices, code) if first else ())

    def _note(self, number: int, code: Code | None, missing: tuple[str, ...] = ()) -> None:
        report, game = self._report, self._game
        report.failed[number] += 1
        if number in report.examples:
            return
        codes = [_code(game, step) for step in game.history]
        report.examples[number] = example(
            type(game), game.players, game.dealt_deck(), codes, game.table, game.phase, code, missing
        )


def _code(game: Game, step: Step) -> Code:
    names = game.declaration.codec.notation
    move = Move.of(game.declaration, step.trigger, step.card, step.named)
    values = (kind.to_code(names, value, game.players) for kind, value in move.named.items())
    return move.trigger, NONE if move.card is None else names.card(move.card), next(values, NONE)


def _has_names(game: Game, code: Code) -> bool:
    """Whether there are a card and a value with the codes of an event."""
    _, card, value = code
    try:
        move_of(game.declaration, code)
    except (LookupError, ValueError):
        return False
    return card >= NONE and value >= NONE
