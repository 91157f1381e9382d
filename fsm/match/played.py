"""A game that was played, alone or as a round: what it started from, every step, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import value_text
from fsm.declaration.policy import Policies, RecordedPolicy
from fsm.stepping.carried import NOTHING_CARRIED, Carried
from fsm.stepping.game import Game
from fsm.stepping.outcomes import Outcome
from fsm.stepping.steps import Step


class PlayedGame(NamedTuple):
    """A game that was played, by whichever engine.

    kind: its class. deck: card codes, the top card first. policies: who played each seat (see `who_played`). table: the
    final table. stepped: the game, where it was stepped. carried: what it took over from the round before it.
    """

    kind: type[Game]
    players: int
    deck: Sequence[int]
    policies: tuple[str, ...]
    seed: int
    number: int
    steps: Sequence[Step]
    outcome: Outcome
    table: Any
    stepped: Game | None = None
    carried: Carried = NOTHING_CARRIED

    def __repr__(self) -> str:
        return f"<{self.kind.declaration.title}: {len(self.steps)} events, {self.outcome}>"

    def replayed(self) -> Game:
        """The game with all its events: the one that was stepped, or one that is played again."""
        if self.stepped is not None:
            return self.stepped
        game = self.start()
        for step in self.steps:
            game.fire_again(step)
        return game

    def start(self) -> Game:
        """The game at its start, to be played again by the events that were fired."""
        policies = recorded_policies(self.kind.declaration, self.policies)
        return deal_again(
            self.kind, self.players, self.deck, policies, self.seed, self.number, self.dealer, self.carried
        )

    @property
    def dealer(self) -> int | None:
        """The dealer, from 1; None in a game that has no dealer."""
        return int(self.table.dealer) + 1 if self.kind.declaration.knows_dealer else None

    @classmethod
    def of(cls, game: Game) -> PlayedGame:
        """Return what a game was that has ended.

        Raises ValueError for one that has not, or did not begin with its deal.
        """
        outcome = game.outcome
        if outcome is None:
            raise ValueError(f"{game!r} is not over; use a game that was played to its end")
        policies = who_played(game.declaration, game.policies, game.history)
        table = game.table
        deck = game.dealt_deck()
        numbers = table.seed, table.number
        return cls(type(game), game.players, deck, policies, *numbers, game.history, outcome, table, game, game.carried)

    @property
    def laid_cards(self) -> list[str]:
        """The names of the cards played in the whole game, after the card that the deal opened, if it opens one."""
        codec = self.kind.declaration.codec
        dealt = len(self.kind.declaration.seats_dealt(self.players))
        opening = [codec.notation.cards[card] for card in self.deck[dealt : dealt + 1]]
        return [*opening, *(step.card for step in self.steps if step.trigger == "play" and step.card)]

    @property
    def events_line(self) -> str:
        """The events on a line, without those that the game leaves out: `1 take SA, 1 play HJ C, 2 draw`."""
        silent = self.kind.declaration.look.silent
        return ", ".join(event_text(step) for step in self.steps if step.trigger not in silent)

    @property
    def result(self) -> str:
        """The printed result: lines without the last line end."""
        look = self.kind.declaration.look
        if callable(look.result):
            return look.result(self)
        form = look.result
        lines = [" ".join(self.laid_cards)] if form.laid else []
        if not self.outcome.winners and not form.always:
            return "\n".join([*lines, look.no_score(self.outcome.ending)])
        lines.append(form.scores + " ".join(map(str, self.outcome.scores)))
        lines += [" ".join(str(mark(self.table, seat)) for seat in range(self.players)) for mark in look.marks]
        return "\n".join(lines)


HAND = "hand"
"""In place of the name of a policy: the moves of the seat were chosen by hand."""


def who_played(game: Declaration, policies: Iterable[Policy], steps: Iterable[Step]) -> tuple[str, ...]:
    """Who played each seat in some events: the name of its policy, HAND if the policy, one of the game, has chosen none
    of the seat's moves.
    """
    chosen = [step for step in steps if (step.source, step.trigger) in game.offered]
    by_rule = {step.player for step in chosen if step.rule is not None}
    by_hand = {step.player for step in chosen} - by_rule
    own = {policy.name for policy in game.policies}
    return tuple(
        HAND if seat in by_hand and policy.name in own else policy.name for seat, policy in enumerate(policies, 1)
    )


def recorded_policies(game: Declaration, names: Iterable[str]) -> list[Policy]:
    """The policies of the seats of a record: those that the game has, and players whose moves are all recorded."""
    own = {policy.name: policy for policy in game.policies}
    return [own[name] if name in own else RecordedPolicy(name) for name in names]


def deal_again(
    kind: type[Game],
    players: int,
    deck: Sequence[int],
    policies: Policies,
    seed: int,
    number: int,
    dealer: int | None,
    carried: Carried,
) -> Game:
    """A game from its deck. dealer: None in a game that has no dealer, whose class need not know the parameter either,
    nor that of what is carried where nothing is.
    """
    known: dict[str, Any] = {} if dealer is None else {"dealer": dealer}
    known |= {"carried": carried} if carried else {}
    return kind.of_deck(players, deck, policies, seed, number, **known)


def event_text(step: Step) -> str:
    """An event in short: the player, the event, the card and the value that belong to it."""
    card = [step.card] if step.card else []
    return " ".join([str(step.player), step.trigger, *card, *map(value_text, step.named.values())])
