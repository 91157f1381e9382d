"""Many games with the whole deck, played by random and by other players, with every property checked; also matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from fsm.check.inspector import READ_BACK, Inspector
from fsm.check.properties import (
    DETERMINED,
    ENDS,
    BasicProperty,
    Counterexample,
    Report,
    counterexample,
    note_failure,
    sampled,
)
from fsm.declaration.arcs import Arc, Policy
from fsm.declaration.endless import LONGEST, MAX_EVENTS, LongGameError
from fsm.declaration.facts import NO_VALUE
from fsm.declaration.policy import RANDOM
from fsm.edge.numbers import as_int, check_notify
from fsm.edge.ticker import Ticker
from fsm.match.setup import MATCH
from fsm.match.stepped import Match
from fsm.registry import game_class
from fsm.stepping.carried import NOTHING_CARRIED
from fsm.stepping.game import Game
from fsm.stepping.moves import Code
from fsm.stepping.steps import Move
from rules.match import MatchEnding

ROUNDS = 4
"""The games in a row that are rounds of one match, where facts are carried."""
COMPARED = 7
"""Each so many positions one is compared with a table that is made from the position alone."""


def survey(kind: type[Game], games: int, seed: int = 0, notify: Callable[[str], None] | None = None) -> Report:
    """Play `games` games of `seed` for each number of players, and check every position and every event in them.

    Where facts are carried, four games in a row are rounds of a match: each takes over what the one before leaves.

    kind: the game class. Random players play half of the games, so that every legal move occurs; the other policies
    play the rest in turn, or all games if none plays at random. A policy plays no more after a game that does not end.
    notify: called now and then with a line on how far it is. Raises LongGameError for one of random players.
    """
    games, kind = as_int("games", games, 0), game_class(kind)
    check_notify(notify)
    game = kind.declaration
    others = [policy for policy in game.policies if not policy.rolls_dice]
    deciding = [policy for policy in game.policies if policy.choices]
    report = Report(game, sampled(game))
    inspector, carried = Inspector(kind), NOTHING_CARRIED
    for players, number in _numbers(kind, games, "games", notify):
        own = others if number % 2 or RANDOM not in game.policies else ()
        policy = own[number // 2 % len(own)] if own else RANDOM
        if ENDS.format(policy.name) not in report.failures:
            report.games += 1
            deck = kind.deck_of(players, seed, number)
            if inspector.dealt(players, deck, partial(_note_deal, kind, players, deck, report)) is not None:
                carried = carried if number % ROUNDS else NOTHING_CARRIED
                dealt = kind.deal(players, seed, number, (policy.name,))
                if carried:
                    dealt = kind.of_deck(players, deck, (policy.name,), seed, number, carried=carried)
                _Checked(dealt, inspector, report, deciding).play(policy)
                carried = game.carried_from(dealt.table) if dealt.phase is game.final else NOTHING_CARRIED
    return report


def _note_deal(
    kind: type[Game],
    players: int,
    deck: bytearray,
    report: Report,
    number: int,
    code: Code | None,
    /,
    *,
    error: str = "",
) -> None:
    note_failure(
        report, number, error, lambda: counterexample(kind, players, deck, (), None, kind.declaration.initial, code)
    )


def _numbers(
    kind: type[Game], games: int, what: str, notify: Callable[[str], None] | None
) -> Iterator[tuple[int, int]]:
    """Each number of players with the numbers of the games that they play. what: what these are called. notify: called
    now and then.
    """
    codec, ticker = kind.declaration.codec, Ticker(notify)
    each = ((players, number) for players in codec.players for number in range(games))
    of = games * len(codec.players)
    for played, numbers in enumerate(each):
        ticker.tell(f"{played:,} of {of:,} {what} are played", played / of)
        yield numbers


class _Checked:
    """A game that is checked before and after each event."""

    def __init__(self, game: Game, inspector: Inspector, report: Report, deciding: list[Policy]) -> None:
        self._game, self._inspector, self._report = game, inspector, report
        self._determined = report.properties.index(DETERMINED)
        self._policies = list(enumerate(deciding, self._determined + 1))

    def play(self, policy: Policy) -> None:
        """Play to the end, or until the game is given up."""
        most = LONGEST if policy is RANDOM else MAX_EVENTS
        game, inspector, report = self._game, self._inspector, self._report
        final, layout = game.declaration.final, game.layout
        while inspector.holds(game.table, game.phase, self._note) and game.phase is not final:
            if len(game.history) == most:
                self._give_up(policy)
                return
            phase, before = game.phase, layout.copy(game.table)
            choices = inspector.choices(before, phase, self._note)
            if report.positions % COMPARED == 0:
                self._check_determined(before, choices)
            if report.positions % READ_BACK == 0 and (error := inspector.unread(before, phase)):
                self._note(BasicProperty.IN_RANGE, None, error=error)
            report.positions += 1
            if not (choices and self._can_choose(before, choices)):
                return
            report.tried += len(choices)
            try:
                step = game.step()
            except Exception:
                if not self._find_error(before, choices):
                    raise
                return
            before.returned = game.table.returned  # the step finds out before its event
            layout.put_back(before, layout.named(game.table))
            report.events += 1
            report.fired[step.arc] += 1
            if not inspector.done(before, game.table, step.arc, self._note):
                return
            if not inspector.in_range(game.table):
                moved, error = step.move(game.declaration), inspector.unread(game.table, game.phase)
                game.undo()
                code = next(code for code, _ in choices if Move.of_code(game.declaration, code) == moved)
                self._note(BasicProperty.IN_RANGE, code, error=error)
                return

    def _find_error(self, before: Any, choices: Iterable[tuple[Code, Arc]]) -> bool:
        """Note which of the legal events raise an error; whether any does."""
        failed = self._report.failed[BasicProperty.NO_ERROR]
        for code, _ in choices:
            for _ in self._inspector.outcomes(before, self._game.phase, code, self._note):
                pass
        return self._report.failed[BasicProperty.NO_ERROR] > failed

    def _give_up(self, policy: Policy) -> None:
        """Note that a game does not end: the counterexample is its deal, not the thousands of its events.

        Raises LongGameError for random players.
        """
        if policy is RANDOM:
            raise LongGameError(self._game.declaration.name, self._game.table.number)
        ends = self._report.properties.index(ENDS.format(policy.name))
        deck, carried = self._game.dealt_deck(), self._game.carried
        self._game = type(self._game).of_deck(self._game.players, deck, carried=carried)
        self._note(ends, None)

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

    def _note(self, number: int, code: Code | None, missing: tuple[str, ...] = (), *, error: str = "") -> None:
        note_failure(self._report, number, error, lambda: self._example(code, missing))

    def _example(self, code: Code | None, missing: tuple[str, ...]) -> Counterexample:
        game = self._game
        moves = [step.move(game.declaration) for step in game.history]
        place = game.players, game.dealt_deck(), moves, game.table, game.phase
        return replace(counterexample(type(game), *place, code, missing), carried=game.carried)


def _has_names(game: Game, code: Code) -> bool:
    """Whether there are a card and a value with the codes of an event."""
    _, card, value = code
    try:
        Move.of_code(game.declaration, code)
    except (LookupError, ValueError):
        return False
    return card >= NO_VALUE and value >= NO_VALUE


# ---------------------------------------------------------------- matches


def _unwon_rounds_score_nothing(match: Match) -> bool:
    unwon = (round for round in match.rounds if round.game.outcome and not round.game.outcome.winners)
    return match.kind.declaration.scoring.unwon_scores or not any(any(round.points) for round in unwon)


def _target_ends_match(match: Match) -> bool:
    *before, last = (max(round.totals) >= match.target for round in match.rounds)
    return not any(before) and last is not (match.table.ending == MatchEnding.OUT_OF_DECKS)


def _winner_is_ahead(match: Match) -> bool:
    best = (min if match.kind.declaration.scoring.lowest_wins else max)(match.totals)
    ahead = [seat for seat, total in enumerate(match.totals, 1) if total == best]
    outcome, sides = match.outcome, match.kind.declaration.scoring.sides_among(match.players)
    assert outcome is not None
    won = len({seat % sides for seat in ahead}) == 1 and outcome.ending is not MatchEnding.OUT_OF_DECKS
    return outcome.winners == (tuple(ahead) if won else ())


PROPERTIES: dict[str, Callable[[Match], bool]] = {
    "the totals are the sums of the points of the rounds": lambda match: (
        match.totals == tuple(map(sum, zip(*(round.points for round in match.rounds), strict=True)))
    ),
    "the dealer of each round is the seat after that of the round before, first player 1": lambda match: all(
        round.dealer == (round.number - 1) % match.players + 1 for round in match.rounds
    ),
    "a round without a winner scores nothing, unless the game declares it": _unwon_rounds_score_nothing,
    "the match is over after the first round with which somebody has the target, or without a deck": _target_ends_match,
    "a player who is ahead alone wins the match, nobody if several are or the decks ended": _winner_is_ahead,
}
"""What must hold of a match that is over."""


def survey_matches(kind: type[Game], matches: int, seed: int, notify: Callable[[str], None] | None = None) -> Report:
    """Play matches of a seed for each number of players, and check each property of each: games of which the positions
    are the rounds. The example of a property is the first match in which it failed. notify: called now and then.
    """
    report = Report(MATCH, tuple(PROPERTIES))
    for players, number in _numbers(kind, matches, "matches", notify):
        match = Match(kind, players, seed, number)
        match.run()
        report.fired.update(step.arc for step in match.history)
        report.games, report.positions = report.games + 1, report.positions + len(match.rounds)
        for index, holds in enumerate(PROPERTIES.values()):
            if not holds(match):
                report.failed[index] += 1
                report.examples.setdefault(index, match)
    return report
