"""A game that is stepped: an event is named, put on the table and triggered on the machine, or refused; its history."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import Any, ClassVar, NoReturn, Self

from fsm.declaration.arcs import Arc, Choice, Offer, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import LONGEST, MAX_CHOSEN, LongGameError
from fsm.declaration.facts import NO_VALUE, ValueKind
from fsm.declaration.parts import SET_OF
from fsm.declaration.policy import SteppedPolicy, pickled_policies
from fsm.edge.numbers import of_type
from fsm.stepping.course import Course, gained_in
from fsm.stepping.firing import NOT_COPIED, Repetitions
from fsm.stepping.moves import (
    NO_OFFER,
    Code,
    IllegalMove,
    PhasePlan,
    against_set,
    choice_of,
    chosen_move,
    held_cards,
    misnamed,
    reason_against,
    refuse_value,
    refused,
    refused_move,
)
from fsm.stepping.outcomes import Outcome
from fsm.stepping.steps import KINDS, Move, Scene, Step, Told
from fsm.stepping.why import EventRefused, Why, others_than
from fsm.table.sight import Sight
from fsm.variants.classes import HouseRules
from rules.cards import NO_CARD
from rules.chance import below


class Stepped(HouseRules, Course):
    """How a game is stepped."""

    opening_card: str
    policies: list[Policy]
    _first_hands: list[list[int]]
    _scene: Scene
    _repetitions: Repetitions
    sight: ClassVar[Sight]
    _key: ClassVar[Any]
    _told: ClassVar[Mapping[str, Told]]
    _actor: ClassVar[tuple[int, ...]]  # where snapshots have the player who acts, and the top of the draw pile
    _taken: ClassVar[Any]  # see `fsm.stepping.course.taken_by`
    _counts_differ: ClassVar[Any]  # see `fsm.stepping.steps.counts_differ`

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return Outcome.of(self.declaration, self.table) if self._phase is self.declaration.final else None

    def fire(
        self,
        trigger: str | Move,
        card: str | None = None,
        suit: str | None = None,
        seat: int | None = None,
        rank: str | None = None,
        amount: int | None = None,
        answer: bool | None = None,
    ) -> Step:
        """Fire an event, with what it takes (a card, a value or both), or a move: `fire(game.events()[0])`.

        trigger: the event, or the move. card, suit, rank: by name. seat: a player, from 1. amount: a number. answer:
        True for yes, False for no. Raises IllegalMove, with the reason and the legal moves, and changes nothing.
        """
        if not isinstance(trigger, Move):
            of_type("event", trigger, str, "the name of an event, or a Move")
            trigger = Move(trigger, card, suit, seat, rank, amount, answer)
        return self._fire_move(trigger)

    def trigger(self, event: str, *named: Any, **by_kind: Any) -> bool:
        """Fire `event`, a name, with what `fire` takes; whether the rules permitted it, else nothing has changed.

        As for any model of `transitions`: raises MachineError for an event that does not leave the phase, and
        AttributeError for one that the game does not have. `fire` gives the reason of a refusal.
        """
        of_type("event", event, str, "the name of an event")
        if event not in self.machine.events:
            raise AttributeError(f"{type(self).__name__} has no event {event!r}")
        if event not in self.plans[self._phase].arcs:
            from transitions import MachineError

            raise MachineError(f"cannot fire event {event} in phase {self._phase}")
        try:
            self.fire(event, *named, **by_kind)
        except IllegalMove:
            return False
        return True

    def may_trigger(self, event: str, *named: Any, **by_kind: Any) -> bool:
        """Return whether the rules permit `event` now, with what `fire` takes: a card, a suit, another value."""
        of_type("event", event, str, "the name of an event")
        game, plan, table = self.declaration, self.plans[self._phase], self.table
        before = self.layout.named(table)
        try:
            put_move(game, plan, table, Move(event, *named, **by_kind))
            return any(arc.enabled(table) for arc in plan.arcs[event])
        except EventRefused:
            return False
        finally:
            self.layout.put_back(table, before)

    def step(self) -> Step:
        """Fire the event that is forced, or that the policy of the player in turn chooses.

        Raises IllegalMove when the game is over.
        """
        table = self.table
        plan = self.plans[self._phase]
        if plan.certain:
            return self._fire(plan.certain, None) or self._fail()
        if plan.may_return:
            self._find_return()
        for trigger, arcs in plan.forced:
            for arc in arcs:
                if arc.enabled(table):
                    return self._fire(trigger, None) or self._fail()
        policy = self.policies[table.player]
        if found := choice_of(self.declaration, policy, table, plan.phase):
            choice, _ = found
            return self._fire(choice.trigger, choice.rule) or self._fail(choice)
        return self._follow(policy)

    def fire_again(self, step: Step) -> Step:
        """Fire the event of `step` by the same decision rule, and roll the same die for it.

        Raises IllegalMove as `fire` does.
        """
        of_type("step", step, Step, "a Step")
        move = step.move(self.declaration)
        plan = self.plans[self._phase]
        if plan.may_return and move.trigger not in plan.offer:
            self._find_return()
        rolling = [policy for policy in self.declaration.policies if policy.rolls_dice and policy.name == step.rule]
        dice = sum(len(self._picks_of(policy)) > 1 for policy in rolling)
        return self._fire_move(move, step.rule, dice, step.repeats)

    def run(self) -> Outcome:
        """Step to the end of the game.

        Raises LongGameError if that takes more than a million events.
        """
        final = self.declaration.final
        for _ in range(LONGEST):
            if self._phase is final:
                return Outcome.of(self.declaration, self.table)
            self.step()
        raise LongGameError(self.declaration.name, self.table.number)

    def undo(self) -> Step:
        """Take back the last event and return it. Raises IllegalMove at the start."""
        step = super().undo()
        if not self.declaration.return_ends:
            self.table.returned = 0  # found anew when the game is stepped on
        return step

    def redo(self) -> Step:
        """Fire the event again that was taken back last, and return it; hooks are not called.

        Raises IllegalMove if none was taken back since the last event was fired.
        """
        step = super().redo()
        self._arrive()
        return step

    # ---------------------------------------------------------------- firing

    def _fire_move(self, move: Move, rule: str | None = None, dice: int = 0, repeats: bool = False) -> Step:
        """Fire a move. rule, repeats: as of a Step. dice: how many were rolled to choose it. Raises IllegalMove."""
        game, plan, table = self.declaration, self.plans[self._phase], self.table
        before = self.layout.named(table)
        try:
            if game.return_ends and plan.may_return and rule is None and move.trigger in plan.offer:
                for forced in plan.forced_now(table):
                    raise EventRefused(f"{forced} is forced")
            put_move(game, plan, table, move)
            if (step := self._fire(move.trigger, rule, dice)) is None:
                raise EventRefused(reason_against(game, plan, table, move.trigger, move.card))
        except EventRefused as fault:
            why, excludes = fault.why.sentence, fault.why.excludes()
            self.layout.put_back(table, before)
            raise IllegalMove(refused(game, plan, table, refused_move(game, table, move), why), excludes) from None
        if repeats:
            self.history[-1] = step._replace(repeats=True)
        return self.history[-1]

    def _arrive(self) -> None:
        """Where a turn starts, remember the position, whoever came to it."""
        if self.plans[self._phase].may_return:
            self._repetitions.note((self._phase, self._key(self.table)), len(self.history))
            if self.declaration.return_ends:
                self._find_return()

    def _forget(self, events: int) -> None:
        self._repetitions.undo(events)
        for seen in self._seen.values():
            del seen[events:]
        del self._hands[events + 1 :]

    def _step_of(self, arc: Arc, past: tuple[Any, ...], rule: str | None) -> Step:
        game, table, trigger = self.declaration, self.table, arc.trigger
        names_card, field, from_past, calls, is_set = self._told[trigger]
        actor, top = self._actor
        player, head, code = past[actor], past[top], NO_CARD
        if names_card:
            code = table.card
        elif table.head != head:
            code = self._taken(table, player, head, past)
        value = NO_VALUE if field is None else getattr(table, field)
        names = game.codec.notation.cards
        card = None if code == NO_CARD else game.card_name(trigger, code, value) if is_set else names[code]
        named = {} if value == NO_VALUE else game.value_named(trigger, value)
        if calls and self._counts_differ(table, past):
            before = self.layout.restored(past)
            counted = [each for each in game.calls if each.count(table, player) > each.count(before, player)]
            named["calls"] = tuple(each.description for each in counted)
        suit, seen = named.pop("suit", None), past if from_past else None
        named["drawn"] = gained_in(game, past, table) if table.head != head and trigger in game.look.doers else ()
        return Step(trigger, arc.source, arc.dest, player + 1, card, suit, arc, rule, self._scene, past=seen, **named)

    def _follow(self, policy: Policy) -> Step:
        """Fire what a policy without decision rules chooses where nothing is forced: any legal move, or the first."""
        if self._phase is self.declaration.final:
            raise IllegalMove(f"the game is over: {self.outcome}")
        if isinstance(policy, SteppedPolicy):
            return self._fire_chosen(policy)
        table, picks = self.table, self._picks_of(policy) or self._fail()
        dice = int(policy.rolls_dice and len(picks) > 1)
        picked = picks[below(len(picks), table.seed, table.number, table.rolls) if dice else 0]
        lay_move(self.declaration, table, picked)
        return self._fire(picked[0], policy.name, dice) or self._fail(offered=picked[0])

    def _picks_of(self, policy: Policy) -> list[Code]:
        """The moves from which a policy without decision rules picks one where nothing is forced."""
        plan = self.plans[self._phase]
        picks = list(plan.moves(self.table))
        laid = [move for move in picks if plan.offer[move[0]].lays] if policy.lays_first else []
        return laid or picks

    def _fire_chosen(self, policy: SteppedPolicy) -> Step:
        """Fire what a policy that is computed in Python chooses. Raises IllegalMove."""
        move, repeats = chosen_move(policy, self), policy.repeats(self)
        try:
            return self._fire_move(move, repeats=repeats)
        except IllegalMove as error:
            who = f"policy {policy.name} of player {self.table.player + 1}"
            raise IllegalMove(f"{who}: {error}", error.excludes) from None

    def _fail(self, choice: Choice | None = None, offered: str = "") -> NoReturn:
        """Raise the error that no arc is enabled: for what a decision rule has chosen, or an event that is offered."""
        reason = "; add an event that is always possible there, such as one that gives up"
        if offered:
            reason = f": {offered} is offered, and its guards refuse it; offer only cards and values that they permit"
        if choice is not None:
            names, card = self.declaration.codec.notation.cards, self.table.card
            named = f" {names[card]}" if choice.card and 0 <= card < len(names) else ""
            policy = self.policies[self.table.player].name
            reason = f": {choice.rule} of policy {policy} chooses {choice.trigger}{named}; choose a legal move"
        raise AssertionError(f"{self.declaration.name}: no transition is enabled at {self._position()}{reason}")

    def _find_return(self) -> None:
        """At the start of a turn: find out whether this position was there before, and returns for ever."""
        before = self._repetitions.before
        self.table.returned = int(before is not None and (self.declaration.return_ends or self._recurs_since(before)))

    def _recurs_since(self, first: int) -> bool:
        """Whether all that has happened after the `first` events happens again.

        What decision rules or the position alone chose is chosen again, and so is an only move.
        """
        chosen = [at for at, step in enumerate(self.history) if step.trigger in self.plans[step.source].offer]
        return not any(map(self._was_free, chosen[bisect_left(chosen, first) : MAX_CHOSEN]))

    def _was_free(self, at: int) -> bool:
        """Whether a player might have chosen something else after the first `at` events."""
        step = self.history[at]
        if step.rule is not None or step.repeats:
            return False
        table = self.layout.restored(self._past[at])
        table.returned = 0  # by hand, a game that is found endless may be continued
        return len(list(islice(self.plans[step.source].legal(table), 2))) > 1

    # ---------------------------------------------------------------- how it came about

    def clone(self) -> Self:
        """Return a copy at the same position, with the same history and players, that is independent of this one.

        Faster than dealing and stepping again; `copy.copy` and `copy.deepcopy` do the same. The hooks of one game are
        not copied, those of its class hold for every game. Raises IllegalMove in a hook.
        """
        other = super().clone()
        other.policies, other._hands, other._seen = self.policies[:], self._hands[:], {}
        other._repetitions = self._repetitions.clone()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: arcs by their numbers in the declaration, policies by name, or as functions."""
        self._check_no_hook()

        def packed(step: Any) -> Any:
            return step._replace(arc=self.declaration.arc_numbers[step.arc], source=None, dest=None)

        return {name: value for name, value in vars(self).items() if name not in (*NOT_COPIED, "_scene")} | {
            "_seen": {},
            "_hands": self._hands[:1],
            "history": list(map(packed, self.history)),
            "_undone": [undone._replace(step=packed(undone.step)) for undone in self._undone],
            "policies": pickled_policies(self.policies),
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self.policies = [self.declaration.policy(name) for name in state["policies"]]
        self._scene = Scene(self.declaration, self.opening_card, tuple(policy.name for policy in self.policies))
        before = [*(undone.table for undone in self._undone), self.layout.take(self.table)][1:]
        self.history = list(map(self._unpacked, state["history"], self._past))
        self._undone = [
            undone._replace(step=self._unpacked(undone.step, table))
            for undone, table in zip(self._undone, before, strict=True)
        ]

    def _unpacked(self, step: Any, before: tuple[Any, ...]) -> Step:
        """A step from what is pickled of it. before: the table before it."""
        arc: Arc = self.declaration.arcs[step.arc]
        past = before if self._told[arc.trigger][2] else None
        return step._replace(arc=arc, past=past, source=arc.source, dest=arc.dest, scene=self._scene)  # type: ignore[no-any-return]


# ---------------------------------------------------------------- what is named with an event


def put_move(game: Declaration, plan: PhasePlan, table: Any, move: Move) -> None:
    """Put on the table what is named with an event. Raises Fault if it cannot be named."""
    trigger, card, *values = move
    if trigger not in plan.arcs:
        raise EventRefused(reason_against(game, plan, table, trigger, card))
    notation, offer = game.codec.notation, plan.offer.get(trigger, NO_OFFER)
    kind = game.value_kinds.get(trigger, ValueKind.SUIT)
    kinds = [kind for kind, value in zip(KINDS, values, strict=True) if value is not None]
    may_be_named = ([kind], []) if offer.cards else ([kind] if offer.kind else [],)
    if (card is None) is not (offer.cards is None) or kinds not in may_be_named:
        raise EventRefused(misnamed(game, offer, move))
    if offer.forms and isinstance(card, str):
        put_set(game, plan, table, offer, card)
        return
    code = NO_VALUE
    if isinstance(card, str):
        for held in game.codec.held(table, table.player):
            if notation.cards[held] == card:
                code = held
                break
    try:
        meant = notation.card(card) if code == NO_VALUE and card is not None else code
        value = kind.to_code(notation, getattr(move, kind), table.players) if kinds else NO_VALUE
    except ValueError as error:
        raise EventRefused(str(error)) from None
    if meant != code and offer.from_hand:
        others = partial(others_than, game, held_cards(game, table))
        raise EventRefused(Why(f"player {table.player + 1} does not hold it", others))
    lay_move(game, table, (trigger, meant, value))
    allowed = offer.values(table) if offer.values else 0
    if not (allowed >> value & 1 if value != NO_VALUE else allowed == 0):
        refuse_value(game, offer, table, allowed)


def put_set(game: Declaration, plan: PhasePlan, table: Any, offer: Offer, names: str) -> None:
    """Put the set of cards that is named with an event on the table. Raises Fault if it cannot be named now."""
    try:
        card, form = game.set_named(names)
    except ValueError as error:
        raise EventRefused(str(error)) from None
    cards = set(names.split(SET_OF))
    if offer.from_hand and not cards <= held_cards(game, table).keys():
        raise EventRefused(f"player {table.player + 1} does not hold {'it' if len(cards) == 1 else 'them'}")
    lay_move(game, table, (offer.trigger, card, form))
    assert offer.forms is not None
    if not offer.forms(table) >> form & 1:
        raise EventRefused(against_set(game, plan.arcs[offer.trigger], table, names))


def lay_move(game: Declaration, table: Any, code: Code) -> None:
    """Put the card and the value of a move on a table, if anything is named with it."""
    trigger, card, value = code
    if card != NO_VALUE:
        table.card = card
    if card != NO_VALUE or value != NO_VALUE:
        setattr(table, game.value_fields[trigger], value)
