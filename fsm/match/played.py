"""A match that was played, by whichever engine: its rounds, what each scored, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import OF_EVERY_GAME
from fsm.declaration.table_fields import default_values
from fsm.fingerprint import fingerprint_of_source
from fsm.match.reading import DealtMatch
from fsm.match.setup import MATCH, points_of
from fsm.match.stepped import Match
from fsm.match.steps import MatchOutcome, Round
from fsm.stepping.game import Game
from fsm.stepping.transcript import Transcript, who_played


@dataclass(frozen=True)
class PlayedMatch:
    """One played match. decks: card codes of all decks, also of those left over. policies: as in Transcript."""

    kind: type[Game]
    players: int
    decks: Sequence[Sequence[int]]
    policies: tuple[str | None, ...]
    seed: int
    number: int
    target: int
    rounds: Sequence[Round[Transcript]]
    outcome: MatchOutcome

    @classmethod
    def of(cls, match: Match) -> PlayedMatch:
        """What a match was that has ended."""
        assert match.outcome is not None
        steps = chain.from_iterable(each.game.history for each in match.rounds)
        policies = who_played(match.kind.declaration, match.policies, steps)
        rounds = [Round(**each._asdict() | {"game": Transcript.of(each.game)}) for each in match.rounds]
        where = match.kind, match.players, match.decks, policies, match.seed, match.number, match.target
        return cls(*where, rounds, match.outcome)

    @property
    def games(self) -> Sequence[Transcript]:
        """The games that were played: those of the rounds."""
        return [each.game for each in self.rounds]

    @property
    def totals_lines(self) -> Sequence[str]:
        """What follows the results of the games: the totals on a line."""
        return (f"Match: {' '.join(map(str, self.outcome.totals))}",)

    def chapters(self, title: str) -> Iterator[tuple[str, Transcript, Sequence[str]]]:
        """What is told of it: the title of each round, its game, and what follows it, the points above all."""
        for each in self.rounds:
            dealer = f", player {each.dealer} deals" if self.kind.declaration.knows_dealer else ""
            ending = (self.outcome.told(self.target),) if each is self.rounds[-1] else ()
            yield f"{title}, round {each.number}{dealer}", each.game, (each.scored, *ending)


Played = Transcript | PlayedMatch
"""What was played: a game, or a match."""


def play_stepped(
    kind: type[Game],
    matches: Sequence[DealtMatch],
    policies: Sequence[str],
    seed: int,
    first: int = 0,
    target: int | None = None,
) -> Iterator[PlayedMatch]:
    """Play matches with valid decks by stepping the machine; random players roll the dice of match `first` of `seed`
    and of those after it.
    """
    for number, (players, decks) in enumerate(matches, first):
        match = Match.of_valid_decks(kind, players, decks, policies, seed, number, target)
        match.run()
        yield PlayedMatch.of(match)


def play_hash(game: Declaration) -> str:
    """The hash of a game: of its arcs, policies, rule functions, table and deck. It is equal on every machine."""
    return sha256(fingerprint_of_source(*_played(game)).encode()).hexdigest()[:16]


def _played(game: Declaration) -> Iterator[object]:
    codec, scoring = game.codec, game.scoring
    yield game.deck_size, codec.fewest, codec.most, codec.cards_each, tuple(codec.notation.cards)
    yield game.fill, game.amend, game.deal, game.score, OF_EVERY_GAME
    yield points_of(game), scoring.lowest_wins, scoring.unwon_scores
    yield str(game.initial), str(game.final), game.return_ends
    yield dict(default_values(game.table)), [fact.field for fact in game.position_facts], game.position_lists
    for arc in (*game.arcs, *MATCH.arcs):
        yield str(arc), arc.conditions, arc.unless, arc.before
    for counter in game.counters:
        yield str(counter.arc), counter.conditions, counter.unless, counter.length
    for phase, control in game.control.items():
        yield str(phase), control.forced, control.starts_turn, control.declines
        for offer in control.offers:
            values = offer.kind and str(offer.kind), offer.values
            yield offer.trigger, offer.cards, values, offer.from_hand, offer.always
    for policy in game.policies:
        yield policy.name
    for policy, phase, choice in game.choices():
        picks = [(str(kind), pick) for kind, pick in choice.picks.items()]
        yield policy.name, str(phase), choice.trigger, choice.rule, choice.conditions, choice.card, picks
