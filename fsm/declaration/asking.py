"""Phases in which seats are asked one after another, in an order, whether they act: claims, catches, objections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from fsm.declaration.arcs import Arc, Control, Effects, Guards, Offer, Phase, renamed
from rules.asking import another_to_ask, ask_next
from rules.rule import Effect, Guard


@renamed(then="before")
@dataclass(frozen=True, kw_only=True)
class Asking:
    """One phase of this kind: the fact `player` is the seat that is asked, the fact `turn` stays.

    A seat does one of its offers, which ends the asking, or declines; then the following seat is asked. Arcs that lead
    into the phase ask the first seat (`rules.asking.ask_first`).

    phase: the phase. nobody: the phase that follows when nobody is left to be asked; before: the effects on the way.
    description: the rule in a sentence, for the arcs to `nobody`. able: a guard that holds for a seat with something to
    offer; other seats are passed over by a forced event. None: every seat can do something. decline, pass_over: the
    names of the events. another: a guard that holds while another seat is left to be asked; None if only one seat is
    asked. ask: the effect that asks the following seat.
    """

    phase: Phase
    nobody: Phase
    description: str
    before: Effects = ()
    able: Guard[Any] | None = None
    decline: str = "decline"
    pass_over: str = "pass_over"
    another: Guard[Any] | None = another_to_ask
    ask: Effect[Any] = ask_next

    @property
    def declines(self) -> tuple[str, ...]:
        """The events with which a seat does nothing: one that it chooses, one that is forced where it has no choice."""
        return (self.decline,) if self.able is None else (self.decline, self.pass_over)

    def arcs(self) -> Iterator[Arc]:
        """The arcs of declining and of passing over; those of the offers belong to the game."""
        able: Guards = () if self.able is None else (self.able,)
        yield from self._arcs(self.decline, able, (), "Who declines leaves it to the next one who is asked.")
        if able:
            yield from self._arcs(self.pass_over, (), able, "Who has nothing to choose is passed over.")

    def control(self, *offers: Offer) -> Control:
        """Who acts in the phase: the seat that is asked, by `offers` or declining, unless it is passed over."""
        forced = () if self.able is None else (self.pass_over,)
        return Control(forced=forced, offers=(*offers, Offer(self.decline, always=True)), declines=self.declines)

    def _arcs(self, trigger: str, when: Guards, unless: Guards, description: str) -> Iterator[Arc]:
        last = partial(
            Arc, trigger, self.phase, self.nobody, conditions=when, before=self.before, description=self.description
        )
        if self.another is None:
            yield last(unless=unless)
            return
        when_more = (*when, self.another)
        yield Arc(
            trigger,
            self.phase,
            self.phase,
            conditions=when_more,
            unless=unless,
            before=(self.ask,),
            description=description,
        )
        yield last(unless=(*unless, self.another))
