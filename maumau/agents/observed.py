"""A stepped game whose moves are numbers, with the observation of every seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fsm import Game, IllegalMove
from fsm.declaration.checked import player_count
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.edge.numbers import as_int, between, of_type
from fsm.stepping.steps import Step
from maumau.agents.actions import ActionSpace, action_space
from maumau.agents.compiled.notes import note
from maumau.agents.knowledge import following, hand_source, kinds_by_code, notes_of, rolls_dice
from maumau.agents.layout import ObservationLayout, layout, observe_source
from maumau.kernels.compiled.interpreted import interpreted
from rules.notation import shown


class Functions(NamedTuple):
    """The functions that keep the notes of a game and write observations: those that batches compile, run by Python."""

    note: Callable[..., None]
    observe: Callable[..., None]


@kept
def functions_of(game: Declaration, players: int) -> Functions:
    """The functions of a game with a number of players."""
    names: dict[str, Any] = {"KIND": kinds_by_code(game), **following(game)}
    text = f"{hand_source(game)}\n\n\n{observe_source(layout(game, players))}\n"
    exec(compile(text, f"<observations of {game.name}>", "exec"), names)
    return Functions(interpreted(note, names), names["observe"])


Pickled = tuple[Game, list[int], bytearray]
"""What is pickled of an observed game: the game and the notes on its history."""


@kept
def _numbers_of_phases(game: Declaration) -> dict[Any, int]:
    return {phase: number for number, phase in enumerate(game.phases)}


class Observed:
    """A stepped game with what its seats know.

    game: the game; only step it by the methods of this class. actions, layout: what numbers and observations mean.

    >>> from fsm import MauMau
    >>> observed = Observed(MauMau.deal(players=3, seed=7))
    >>> observed.advance()
    >>> [observed.actions.text(number) for number in observed.legal()]
    ['play HK', 'play SE', 'play CE', 'draw']
    >>> observed.act(observed.legal()[0]).card
    'HK'
    """

    def __init__(self, game: Game) -> None:
        """Take over a game, with its history. Raises TypeError, UnsupportedGame."""
        of_type("game", game, Game, "a stepped game")
        self._take(game, *notes_of_game(game))

    def _take(self, game: Game, notes: list[int], discarded: bytearray) -> None:
        """Take over a game with the notes on its history."""
        self.game, self._notes, self._discarded = game, notes, discarded
        self.actions: ActionSpace = action_space(game.declaration)
        self.layout: ObservationLayout = layout(game.declaration, game.players)
        self._functions = functions_of(game.declaration, game.players)
        self._phases = _numbers_of_phases(game.declaration)

    def clone(self) -> Observed:
        """A copy that is independent of this one, as of `Game.clone`; `copy.copy` and `copy.deepcopy` do the same."""
        other = object.__new__(type(self))
        other._take(self.game.clone(), self._notes[:], self._discarded[:])
        return other

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> Observed:
        return self.clone()

    def __getstate__(self) -> Pickled:
        return self.game, self._notes, self._discarded

    def __setstate__(self, state: Pickled) -> None:
        self._take(*state)

    @property
    def seat(self) -> int:
        """The seat that acts, from 0."""
        return self.game.player - 1

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.phase is self.game.declaration.final

    @property
    def chosen(self) -> int:
        """How many events the players have chosen."""
        return self._notes[notes_of(self.game.declaration).chosen]

    def legal(self) -> list[int]:
        """The numbers of the legal actions, ascending; empty where nobody chooses."""
        return self.actions.legal(self.game)

    def mask(self) -> bytes:
        """1 for each legal action, 0 for the others."""
        legal = set(self.legal())
        return bytes(number in legal for number in range(len(self.actions)))

    def observation(self, seat: int) -> bytes:
        """What `seat` (from 0) sees and knows: a number for each index of the layout.

        Raises TypeError, or ValueError for a seat that is not there.
        """
        seat = between(0, self.game.players - 1, "seat", seat)
        line = bytearray(self.layout.width)
        phase = self._phases[self.game.declaration.phase_seen(self.game.phase, acts=seat == self.seat)]
        self._functions.observe(self.game.table, phase, seat, self._notes, self._discarded, line)
        return bytes(line)

    def act(self, number: int) -> Step:
        """Fire action `number` of the player who acts.

        Raises IllegalMove with the reason, TypeError for what is no whole number.
        """
        if not 0 <= (number := as_int("action", number)) < len(self.actions):
            raise IllegalMove(f"action {shown(number)}, expected 0 to {len(self.actions) - 1}")
        move = self.actions.move(number, self.game.player, self.game.players)
        return self._noted(lambda: self.game.fire(move))

    def step(self) -> Step:
        """Fire the next event: what is forced, or what the policy of the player chooses."""
        return self._noted(self.game.step)

    def advance(self) -> None:
        """Fire what is forced, up to the next choice or the end."""
        while not self.over and not self.actions.chooses(self.game):
            self.step()

    def _noted(self, fire: Callable[[], Step]) -> Step:
        """Fire an event and note it."""
        seat, chooses = self.seat, self.actions.chooses(self.game)
        step = fire()
        if chooses:
            notes_at = notes_of(self.game.declaration)
            self._notes[notes_at.chosen] += 1
            if step.arc not in self.game.declaration.disguises:
                self._notes[notes_at.last + seat] = 1 + self.actions.triggers.index(step.trigger)
        self._note(shuffled=int(rolls_dice(step.arc)))
        return step

    def _note(self, shuffled: int) -> None:
        self._functions.note(self.game.table, self._notes, self._discarded, shuffled)


def notes_of_game(game: Game) -> tuple[list[int], bytearray]:
    """The notes of a stepped game, and how often each card lies on the discard pile, from all events of its history."""
    declaration = game.declaration
    note = functions_of(declaration, game.players).note
    notes_at, triggers = notes_of(declaration), action_space(declaration).triggers
    notes, discarded = [0] * notes_at.length, bytearray(len(action_space(declaration).cards))
    tables = game.tables()
    note(next(tables), notes, discarded, 0)
    for step, table in zip(game.history, tables, strict=True):
        if any(offer.trigger == step.trigger for offer in declaration.control[step.source].offers):
            notes[notes_at.chosen] += 1
            if step.arc not in declaration.disguises:
                notes[notes_at.last + step.player - 1] = 1 + triggers.index(step.trigger)
        note(table, notes, discarded, int(rolls_dice(step.arc)))
    return notes, discarded


def returns(game: Game) -> list[float]:
    """The rewards of the seats: if a game is won, 1 for the winner and -1 shared equally by the others, else zeros."""
    outcome = game.outcome
    if outcome is None or outcome.winner is None:
        return [0.0] * game.players
    return [1.0 if seat + 1 == outcome.winner else -1.0 / (game.players - 1) for seat in range(game.players)]


def observed_deal(kind: type[Game], players: int, seed: int, number: int = 0) -> Observed:
    """Game `number` of `seed`, at its first choice. Raises ValueError."""
    observed = Observed(kind.deal(player_count(kind.declaration, players), seed, number))
    observed.advance()
    return observed
