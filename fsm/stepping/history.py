"""The state of a stepped game besides its table: hands in the order they came, what was seen, and copies of it all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from fsm.declaration.arcs import Arc, Phase, Policy
from fsm.declaration.policy import FunctionPolicy, RecordedPolicy
from fsm.stepping.firing import NOT_COPIED, Firing, Undone
from fsm.stepping.moves import Plan
from fsm.stepping.position import Position, position_of
from fsm.stepping.snapshot import Repetitions, Snapshot
from fsm.stepping.steps import Scene, Step, told_from_past
from fsm.stepping.view import seen_step
from fsm.variants.classes import HouseRules
from rules.piles import discard_pile, draw_pile


class Seen(NamedTuple):
    """What a seat has seen of the first events of a game, of which `last` is the last one."""

    events: int
    last: Step | None
    steps: tuple[Step, ...]


NOTHING_SEEN = Seen(0, None, ())
SEEN = "_seen"
"""The attribute for what each seat has seen; copies of a game find it anew."""


class History(HouseRules, Firing[Step]):
    """The state of a game and how it came about."""

    opening_card: str
    policies: list[Policy]
    _hands: list[tuple[str, ...]]
    _first_hands: list[list[int]]
    _deck: bytes | None = None
    _scene: Scene
    _repetitions: Repetitions
    _plans: ClassVar[Mapping[Phase, Plan]]

    def _reset_hands(self) -> None:
        """Reset the cached hands: `hands` applies the events again from the first one."""
        names = self.declaration.codec.notation.names
        self._hands = [tuple(names(hand)) for hand in self._first_hands]
        self._shown_events = 0

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The names of each player's cards, in the order in which they were dealt and drawn."""
        happened = len(self._past)  # the step of an event that a hook foresees is in the history, too
        for step in self.history[self._shown_events : happened] if self._shown_events < happened else ():
            if step.card:
                hand = self._hands[step.player - 1]
                if step.trigger not in self.declaration.card_events:
                    self._hands[step.player - 1] = (*hand, step.card)
                elif step.card in hand and self._is_from_hand(step):
                    index = hand.index(step.card)
                    self._hands[step.player - 1] = hand[:index] + hand[index + 1 :]
        if self._shown_events < happened:
            self._shown_events = happened
            self._hands = [self._held_in_order(seat, hand) for seat, hand in enumerate(self._hands)]
        return tuple(self._hands)

    def _position(self) -> Position:
        return position_of(self.declaration, self.phase, self.table, self.hands)

    def _history_seen_by(self, seat: int) -> tuple[Step, ...]:
        """The events as a seat (from 0) sees them. They are kept: code of a player asks for them at every event."""
        kept: dict[int, Seen] = vars(self).setdefault(SEEN, {})
        seen, happened = kept.get(seat, NOTHING_SEEN), len(self._past)
        if seen.events > happened or (seen.events and self.history[seen.events - 1] is not seen.last):
            seen = NOTHING_SEEN  # some of them were taken back
        if seen.events < happened:
            new = (seen_step(self.declaration, step, seat) for step in self.history[seen.events : happened])
            seen = Seen(happened, self.history[happened - 1], (*seen.steps, *filter(None, new)))
            kept[seat] = seen
        return seen.steps

    def _is_from_hand(self, step: Step) -> bool:
        """Whether the card that was named with an event was one of the hand."""
        offer = self._plans[step.source].offer.get(step.trigger)
        return offer is not None and offer.from_hand

    def _held_in_order(self, seat: int, before: tuple[str, ...]) -> tuple[str, ...]:
        """The hand of a seat after events that moved cards without naming them: first those it had before."""
        codec = self.declaration.codec
        held = codec.notation.names(codec.held(self.table, seat))
        if sorted(held) == sorted(before):
            return before
        staying = []
        for card in before:
            if card in held:
                held.remove(card)
                staying.append(card)
        return (*staying, *held)

    def tables(self) -> Iterator[Any]:
        """The table at the start and after each event: one object, which changes when the next one is asked for."""
        table = self.declaration.table()
        for past in self._past:
            self._snapshots.restore(table, past)
            yield table
        yield self.table

    def restarted(self) -> Self:
        """The same game at its start: same cards, same players, no history."""
        table = self.declaration.table()
        self._snapshots.restore(table, self._past[0] if self._past else self._snapshots.take(self.table))
        phase = self.history[0].source if self.history else self.phase
        make: Any = type(self)
        again: Self = make(table, phase, self._first_hands, self.policies)
        again._deck = self._deck
        return again

    @property
    def from_position(self) -> bool:
        """Whether the game began at a given position; it was dealt otherwise."""
        return self._deck is None

    def dealt_deck(self) -> list[int]:
        """The card codes of the deck, the top card first, from which the game was dealt.

        Of a game that began at a position, a deck that deals it.
        """
        if self._deck is not None:
            return list(self._deck)
        table = self.restarted().table
        hands = [list(hand) for hand in self._first_hands]
        dealt_to, each = self.declaration.codec.dealt_to, len(hands[0])
        dealt = [hands[dealt_to(index, len(hands), each)].pop(0) for index in range(len(hands) * each)]
        return dealt + discard_pile(table) + draw_pile(table)

    # ---------------------------------------------------------------- copies

    def clone(self) -> Self:
        """A copy at the same position, with the same history and players, that is independent of this one.

        Faster than dealing and stepping again; `copy.copy` and `copy.deepcopy` do the same. The hooks of one game are
        not copied, those of its class hold for every game. Raises IllegalMove in a hook.
        """
        other = super().clone()
        other.policies, other._hands = self.policies[:], self._hands[:]
        other._repetitions = self._repetitions.clone()
        vars(other).pop(SEEN, None)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: arcs by their numbers in the declaration, policies by name, or as functions."""
        self._check_no_hook()
        numbers = {arc: number for number, arc in enumerate(self.declaration.arcs)}
        state = {name: value for name, value in vars(self).items() if name not in (*NOT_COPIED, SEEN, "_scene")}
        state["history"] = [_packed(step, numbers) for step in self.history]
        state["_undone"] = [Undone(_packed(undone.step, numbers), undone.table) for undone in self._undone]
        state["policies"] = pickled_policies(self.policies)
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self.policies = [self.declaration.policy(name) for name in state["policies"]]
        self._scene = Scene(self.declaration, self.opening_card, tuple(policy.name for policy in self.policies))
        before = [*(undone.table for undone in self._undone), self._snapshots.take(self.table)][1:]
        self.history = self._unpacked(state["history"], self._past)
        steps = self._unpacked([undone.step for undone in self._undone], before)
        self._undone = [undone._replace(step=step) for undone, step in zip(self._undone, steps, strict=True)]

    def _unpacked(self, packed: Sequence[Packed], before: Sequence[Snapshot]) -> list[Step]:
        """Steps from what is pickled, and the table before each."""
        past, arcs = told_from_past(self.declaration), self.declaration.arcs
        steps = []
        for (number, player, card, suit, rule, *named), table in zip(packed, before, strict=True):
            arc, scene = arcs[number], self._scene.after(table) if past else self._scene
            steps.append(Step(arc.trigger, arc.source, arc.dest, player, card, suit, arc, rule, scene, *named))
        return steps


Packed = tuple[Any, ...]
"""What is pickled of a step: the number of its arc, the player, the card, the suit, the rule, and other values."""


def _packed(step: Step, numbers: Mapping[Arc, int]) -> Packed:
    return numbers[step.arc], step.player, step.card, step.suit, step.rule, *step[Step._fields.index("seat") :]


def pickled_policies(policies: Iterable[Policy]) -> list[Any]:
    """What is pickled in place of policies: their names, or what only this process or a record knows."""
    return list(map(_pickled, policies))


def _pickled(policy: Policy) -> Any:
    if isinstance(policy, FunctionPolicy) and not policy.content:
        return policy.decide
    return policy if isinstance(policy, RecordedPolicy) else policy.name
