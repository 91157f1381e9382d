"""A game that is stepped: an event is named, put on the table and triggered on the machine, or refused; and undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn

from transitions import MachineError

from fsm.declaration.arcs import Arc, Choice, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.endless import LONGEST, LongGameError
from fsm.declaration.policy import RANDOM, SteppedPolicy
from fsm.declaration.values import ValueKind
from fsm.edge.numbers import of_type
from fsm.stepping.history import History
from fsm.stepping.moves import IllegalMove, Plan, choice_of, named_value
from fsm.stepping.refusal import Fault, misnamed, reason_against, refuse_value, refused, refused_move
from fsm.stepping.snapshot import NONE, Snapshot, put_on_table
from fsm.stepping.steps import KINDS, Move, Outcome, Step, told_from_past
from fsm.stepping.view import open_card
from rules.cards import NO_CARD
from rules.chance import below
from rules.notation import shown
from rules.table import card_taken

Told = tuple[bool, str | None, bool]
"""What is told of an event: whether a card is named, the field of the value that is named, and whether the past is."""


def told_of(game: Declaration) -> Mapping[str, Told]:
    """What is told of the events of a game."""
    past = told_from_past(game)
    fields = {trigger: field if trigger in game.value_kinds else None for trigger, field in game.value_fields.items()}
    return {each: (each in game.card_events, field, each in past) for each, field in fields.items()}


def put_move(game: Declaration, plan: Plan, table: Any, move: Move) -> None:
    """Put on the table what is named with an event. Raises Fault if it cannot be named."""
    trigger, card, *values = move
    if trigger not in plan.arcs:
        raise Fault(reason_against(game, plan, table, trigger, card))
    offer = plan.offer.get(trigger)
    named = [kind for kind, value in zip(KINDS, values, strict=True) if value is not None]
    if offer is None or (offer.cards is None and offer.kind is None):
        if card is not None or named:
            raise Fault(misnamed(game, offer, move))
        return
    notation, kind = game.codec.notation, game.value_kinds.get(trigger, ValueKind.SUIT)
    if (card is None) is not (offer.cards is None) or named not in ([kind], [] if offer.cards else [kind]):
        raise Fault(misnamed(game, offer, move))
    held = game.codec.held(table, table.player) if isinstance(card, str) else ()
    code = next((code for code in held if notation.cards[code] == card), NONE)
    try:
        meant = notation.card(card) if code == NONE and card is not None else code
        value = kind.to_code(notation, getattr(move, kind), table.players) if named else NONE
    except ValueError as error:
        raise Fault(str(error)) from None
    if meant != code and offer.from_hand:
        raise Fault(f"player {table.player + 1} does not hold it")
    put_on_table(game, table, (trigger, meant, value))
    allowed = offer.values(table) if offer.values else 0
    if not (allowed >> value & 1 if value != NONE else allowed == 0):
        refuse_value(game, offer, table, allowed)


class Stepped(History):
    """How a game is stepped."""

    _key: ClassVar[Any]
    _told: ClassVar[Mapping[str, Told]]
    _actor: ClassVar[tuple[int, ...]]
    """Where snapshots have the player who acts, and the top of the draw pile."""

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
        if isinstance(trigger, Move):
            return self._fire_named(trigger, None)
        of_type("event", trigger, str, "the name of an event, or a Move")
        return self._fire_named(Move(trigger, card, suit, seat, rank, amount, answer), None)

    def trigger(self, event: str, *named: Any, **by_kind: Any) -> bool:
        """Fire `event`, a name, with what `fire` takes; whether the rules permitted it, else nothing has changed.

        As for any model of `transitions`: raises MachineError for an event that does not leave the phase, and
        AttributeError for one that the game does not have. `fire` gives the reason of a refusal.
        """
        of_type("event", event, str, "the name of an event")
        if event not in self.machine.events:
            raise AttributeError(f"{type(self).__name__} has no event {event!r}")
        state = self.machine.get_model_state(self)
        if event not in self.machine.get_triggers(state):
            raise MachineError(f"cannot fire event {event} in phase {state.value}")
        try:
            self.fire(event, *named, **by_kind)
        except IllegalMove:
            return False
        return True

    def may_trigger(self, event: str, *named: Any, **by_kind: Any) -> bool:
        """Whether the rules permit `event` now, with what `fire` takes: a card, a suit or another value (`seat=2`)."""
        of_type("event", event, str, "the name of an event")
        game, plan, table = self.declaration, self._plans[self._phase], self.table
        before = self._snapshots.named(table)
        try:
            put_move(game, plan, table, Move(event, *named, **by_kind))
            return any(arc.enabled(table) for arc in plan.arcs[event])
        except Fault:
            return False
        finally:
            self._snapshots.put_back(table, before)

    def step(self) -> Step:
        """Fire the event that is forced, or that the policy of the player in turn chooses.

        Raises IllegalMove when the game is over.
        """
        table = self.table
        plan = self._plans[self._phase]
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
        """Fire the event of `step` by the same decision rule. Raises IllegalMove as `fire` does."""
        of_type("step", step, Step, "a Step")
        if self._plans[self._phase].may_return:
            self._find_return()
        return self._fire_named(Move.of(self.declaration, step.trigger, step.card, step.named), step.rule)

    def run(self) -> Outcome:
        """Step to the end of the game.

        Raises LongGameError if that takes more than a million events.
        """
        final = self.declaration.final
        for _ in range(LONGEST):
            if self._phase is final:
                break
            self.step()
        else:
            raise LongGameError(self.declaration.name, self.table.number)
        outcome = self.outcome
        assert outcome is not None
        return outcome

    def undo(self) -> Step:
        """Take back the last event and return it. Raises IllegalMove at the start."""
        step = super().undo()
        self.table.returned = 0  # found anew when the game is stepped on
        if self.declaration.return_ends and self._plans[self._phase].may_return:
            self._find_return()
        return step

    def redo(self) -> Step:
        """Fire the event again that was taken back last, and return it; hooks are not called.

        Raises IllegalMove if none was taken back since the last event was fired.
        """
        plan = self._plans[self._phase]
        if plan.may_return and self._undone and not self.in_hook:
            self._find_return()
        step = super().redo()
        if step.rule is None and step.trigger in plan.offer and not self.declaration.return_ends:
            self._repetitions.by_hand.append(len(self.history))
        return step

    # ---------------------------------------------------------------- firing

    def _fire_named(self, move: Move, rule: str | None) -> Step:
        game, plan, table = self.declaration, self._plans[self._phase], self.table
        before = self._snapshots.named(table)
        chosen = rule is None and move.trigger in plan.offer
        try:
            if chosen and game.return_ends and plan.may_return:
                self._find_return()
                for forced in plan.forced_now(table):
                    raise Fault(f"{forced} is forced")
            put_move(game, plan, table, move)
            step = self._fire(move.trigger, rule)
            if step is None:
                raise Fault(reason_against(game, plan, table, move.trigger, move.card))
        except Fault as fault:
            self._snapshots.put_back(table, before)
            text = refused_move(move, open_card(game, table))
            raise IllegalMove(refused(game, plan, table, text, str(fault))) from None
        if chosen and not game.return_ends:
            self._repetitions.by_hand.append(len(self.history))
        return step

    def _arrive(self, arc: Arc) -> None:
        if self.declaration.return_ends and self._plans[arc.dest].may_return:
            self._find_return()

    def _forget(self, events: int) -> None:
        self._repetitions.undo(events)
        if self._shown_events > events:
            self._reset_hands()

    def _step_of(self, arc: Arc, past: Snapshot, rule: str | None) -> Step:
        table, trigger = self.table, arc.trigger
        names_card, field, from_past = self._told[trigger]
        (actor, top), values = self._actor, past[0]
        player, head = values[actor], values[top]
        card, value, scene = None, NONE, self._scene
        if names_card:
            card = self.declaration.codec.notation.cards[table.card]
        elif table.head != head and (code := card_taken(table, player, head)) != NO_CARD:
            card = self.declaration.codec.notation.cards[code]
        if field is not None:
            value = getattr(table, field)
        if from_past:
            scene = scene.after(past)
        if value == NONE:
            return Step(trigger, arc.source, arc.dest, player + 1, card, None, arc, rule, scene)
        named = {"suit": None, **named_value(self.declaration, trigger, value)}
        return Step(trigger, arc.source, arc.dest, player + 1, card, arc=arc, rule=rule, scene=scene, **named)

    def _follow(self, policy: Policy) -> Step:
        """Fire what a policy without decision rules chooses where nothing is forced: any legal move, or the first."""
        if self.phase is self.declaration.final:
            raise IllegalMove(f"the game is over: {self.outcome}")
        if isinstance(policy, SteppedPolicy):
            return self._fire_chosen(policy)
        table = self.table
        moves = list(self._plans[self._phase].offered(table))
        chosen, rolls = 0, table.rolls
        if policy is RANDOM and len(moves) > 1:
            chosen = below(len(moves), table.seed, table.number, table.rolls)
            table.rolls += 1
        put_on_table(self.declaration, table, moves[chosen])
        try:
            return self._fire(moves[chosen][0], policy.name) or self._fail()
        except BaseException:  # of a hook
            table.rolls = rolls
            raise

    def _fire_chosen(self, policy: SteppedPolicy) -> Step:
        """Fire what a policy that is computed in Python chooses. Raises IllegalMove."""
        chosen = policy.move(self)
        try:
            if isinstance(chosen, tuple) and 0 < len(chosen) <= len(Move._fields):
                return self._fire_named(Move(*chosen), None)
            fault = f"expected a Move, one of those in view.moves, not {shown(chosen)}"
        except IllegalMove as error:
            fault = str(error)
        raise IllegalMove(f"policy {policy.name} of player {self.table.player + 1}: {fault}")

    def _fail(self, choice: Choice | None = None) -> NoReturn:
        """Raise the error that no arc is enabled. choice: the decision rule that has chosen the event."""
        reason = ", expected an event that is always possible there, such as one that gives up"
        if choice is not None:
            names, card = self.declaration.codec.notation.cards, self.table.card
            named = f" {names[card]}" if choice.card and 0 <= card < len(names) else ""
            policy = self.policies[self.table.player].name
            reason = f": {choice.rule} of policy {policy} chooses {choice.trigger}{named}, expected a legal move"
        raise AssertionError(f"{self.declaration.name}: no arc is enabled at {self._position()}{reason}")

    def _find_return(self) -> None:
        """At the start of a turn: find out whether this position was there before."""
        position = self.phase, self._key(self.table)
        self.table.returned = int(self._repetitions.returns(position, len(self.history)))
