"""A game that is stepped: one `transitions` event at a time, with the reason of every move, and undo to the start."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import urandom
from types import new_class
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from fsm.declaration.arcs import Arc, Choice, Phase, Policy
from fsm.declaration.checked import FIRST_DEALER, deck_codes, player_count
from fsm.declaration.declaration import TURN, Declaration
from fsm.declaration.endless import LONGEST, LongGameError
from fsm.declaration.policy import RANDOM, Policies, SteppedPolicy, named_policy
from fsm.edge.numbers import of_type
from fsm.stepping.copies import Copies
from fsm.stepping.display import notebook_bundle, table_text
from fsm.stepping.events import event_methods
from fsm.stepping.fast_machine import FastMachine, fast_machine_of, read_only_phase
from fsm.stepping.history import History
from fsm.stepping.hooks import Hooks
from fsm.stepping.input import PlainInput
from fsm.stepping.legality import events_of, put_move, reason_against, refused_move
from fsm.stepping.moves import NONE, Events, IllegalMove, Plan, named_value, on_table, put_back, put_on_table
from fsm.stepping.position import Melds, Position, melds_of, parse_position, position_of, seen_position
from fsm.stepping.refusal import refused
from fsm.stepping.setup import dealt_table, full_deck, reachable_table, shuffled_deck
from fsm.stepping.small_deck import SmallDecks
from fsm.stepping.snapshot import Snapshot, Snapshots, position_key, snapshots_of
from fsm.stepping.steps import Move, Outcome, Scene, Step, told_from_past
from fsm.stepping.view import View, open_card, seat_of, view_of
from fsm.variants.classes import HouseRules
from rules.cards import NO_CARD
from rules.chance import below
from rules.notation import shown
from rules.piles import discard_pile, draw_pile
from rules.table import card_taken

if TYPE_CHECKING:
    from fsm.stepping.model import Model

FRESH_SEEDS = 10**9
"""Fresh seeds are below this: short enough to be typed."""


def fresh_seed() -> int:
    """A seed that no game had before."""
    return int.from_bytes(urandom(8)) % FRESH_SEEDS


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is needed whenever an event is fired, looked up once for all games of a class."""

    snapshots: Snapshots
    cards: tuple[str, ...]
    card_events: frozenset[str]
    value_fields: Mapping[str, str]
    past_of: frozenset[str]
    return_ends: bool

    @classmethod
    def of(cls, game: Declaration) -> Prepared:
        """What the events of `game` need."""
        return cls(
            snapshots=snapshots_of(game.table),
            cards=tuple(game.codec.notation.cards),
            card_events=game.card_events,
            value_fields={trigger: kind.value for trigger, kind in game.value_kinds.items()},
            past_of=told_from_past(game),
            return_ends=game.return_ends,
        )


Firing = tuple[int, int, Snapshot, str | None]
"""The event that is being fired: who acts, the top of the draw pile and the table before it, and the decision rule."""


class Game(Hooks, History, Copies, PlainInput, SmallDecks, HouseRules):
    """A game of one declaration. Make one with `deal`, `parse` or `at`.

    A declaration is enough to have a class of games, with a method for each event, docstrings made of the sentences of
    the arcs, and the plain input format (see `rules.reading.DeckFormat`):

        class Countdown(Game, declaration=COUNTDOWN):
            \"\"\"A game of Countdown.\"\"\"

    or `Countdown = game_of(COUNTDOWN)`. The class may replace each of these.

    rules: the house rules that it is played with; plain: the class of the game without them, if there are any.
    Only `machine` changes `phase`. All games of a class share it, but for those that have hooks of their own.
    """

    declaration: ClassVar[Declaration]
    plain: ClassVar[type[Game] | None] = None
    machine: FastMachine
    phase: Phase = read_only_phase()
    _phase: Phase
    table: Any
    opening_card: str
    history: list[Step]
    policies: list[Policy]
    in_hook = False
    _firing: Firing | None = None
    _fresh_seed = False
    _snapshots: ClassVar[Snapshots]
    _key: ClassVar[Any]
    _plans: ClassVar[dict[Phase, Plan]]
    _prepared: ClassVar[Prepared]

    def __init_subclass__(cls, declaration: Declaration | None = None) -> None:
        """Make the machine of a game class once, and a method for every event that the class does not define."""
        if declaration is not None:
            cls.declaration = declaration
        game = cls.declaration
        for name, method in event_methods(game, cls, Game).items():
            setattr(cls, name, method)
        cls.machine = fast_machine_of(game)
        cls._snapshots = snapshots_of(game.table)
        cls._key = staticmethod(position_key(game))
        cls._plans = {phase: Plan.of(game, phase) for phase in game.phases}
        cls._prepared = Prepared.of(game)
        cls._name_hooks()

    def __init__(
        self,
        table: Any = None,
        phase: Phase | None = None,
        hands: Sequence[Sequence[int]] = (),
        policies: Policies = (),
    ) -> None:
        """Take over `table` in `phase`; without a table, deal with a fresh seed as `deal()` does.

        hands: card codes in the order in which they came, for display. policies: one name for all seats or one for
        each (default: the first of the declaration). Raises TypeError or ValueError.
        """
        if table is None and phase is None:
            vars(self).update(vars(self.deal(policies=policies)))
            return
        of_type("table", table, self.declaration.table, "a table of the game; see deal, parse and at")
        of_type("phase", phase, self.declaration.phases, "the phase of the table")
        assert phase is not None
        self.table = table
        self.machine.set_state(phase, self)
        self.opening_card = self.open_card
        self._begin_history(hands)
        self.policies = list(self.declaration.seated(self.players, policies))
        self._scene = Scene(self.declaration, self.opening_card, tuple(policy.name for policy in self.policies))

    # ---------------------------------------------------------------- made from cards, a seed, a position

    @classmethod
    def of_deck(
        cls,
        players: int,
        deck: Sequence[int],
        policies: Policies = (),
        seed: int = 0,
        number: int = 0,
        dealer: int = FIRST_DEALER,
    ) -> Self:
        """The game that `players` start with `deck`: card codes, the top card first.

        policies: one for all seats or one for each. seed, number: the dice of random players. dealer: from 1, in a game
        that knows a dealer. Raises ValueError for a number of players that does not play, for a dealer that cannot be,
        and for cards that are not the whole deck or must not be dealt, TypeError for what is no whole number.
        """
        game = cls.declaration
        dealt = cls._of_valid_deck(player_count(game, players), deck_codes(game, deck), policies, seed, number, dealer)
        if broken := game.broken_invariant(game.initial, dealt.table):
            raise ValueError(f"the deck must not be dealt, expected: {broken.description}")
        return dealt

    @classmethod
    def deal(
        cls,
        players: int | None = None,
        seed: int | None = None,
        number: int = 0,
        policies: Policies = (),
        dealer: int = FIRST_DEALER,
    ) -> Self:
        """Game `number` of the sequence of games of `seed`, the same on every machine.

        players: the fewest that can play, if not given. seed: a fresh one, if not given; `repr` shows it. policies: one
        for all seats or one for each. dealer: from 1, in a game that knows a dealer. Raises ValueError for numbers of
        players, dealers, seeds (0 to below 2**63) or game numbers out of range.
        """
        players = player_count(cls.declaration, cls.declaration.codec.fewest if players is None else players)
        chosen = fresh_seed() if seed is None else seed
        game = cls._of_valid_deck(players, cls.deck_of(players, chosen, number), policies, chosen, number, dealer)
        game._fresh_seed = seed is None
        return game

    @classmethod
    def deck_of(cls, players: int, seed: int, number: int = 0) -> bytearray:
        """The deck of game `number` of `seed` for `players`: card codes, the top card first. Raises ValueError."""
        return shuffled_deck(cls.declaration, players, seed, number)

    @classmethod
    def full_deck(cls) -> bytearray:
        """The card codes of the whole deck, unshuffled."""
        return full_deck(cls.declaration)

    @classmethod
    def at(cls, position: str | Position, policies: Policies = ()) -> Self:
        """The game at `position`, a line of text or a Position, without a history.

        policies: one for all seats or one for each. Raises PositionError, TypeError for what is no position.
        """
        game = cls.declaration
        of_type("position", position, (str, Position), "a position on one line, or a Position")
        if isinstance(position, str):
            position = parse_position(game, position)
        table, phase, hands = reachable_table(game, position)
        return cls(table, phase, hands, policies)

    @classmethod
    def machine_config(cls) -> dict[str, Any]:
        """The keyword arguments that make any machine class of `transitions` a machine of this game: plain data.

        `Machine(MauMau.model(deck), **MauMau.machine_config())`; see fsm.stepping.model.
        """
        from fsm.stepping.model import machine_config

        return machine_config(cls.declaration)

    @classmethod
    def model(cls, deck: Sequence[int], players: int | None = None) -> Model:
        """The model that such a machine steps: a newly dealt table, guards and effects as methods.

        deck: card codes, the top card first, as from `deck_of`. players: the fewest that can play, if not given.
        Raises ValueError for a number of players that does not play.
        """
        from fsm.stepping.model import model_class

        players = cls.declaration.codec.fewest if players is None else players
        return model_class(cls.declaration)(cls.of_deck(players, deck).table, cls)

    @classmethod
    def seated(cls, players: int, policies: Policies) -> tuple[str, ...]:
        """The names of the policies of all seats.

        players: how many. policies: one for all seats or one for each, none for the default. Raises ValueError, also
        for a Python function that has no name by which others could call it.
        """
        game = cls.declaration
        chosen = game.seated(player_count(game, players), policies)
        for policy in chosen:
            if policy not in game.policies and named_policy(game, policy.name) is not policy:
                names = ", ".join(each.name for each in game.policies)
                what = f"policy {policy.name} is a Python function without a name that others could use"
                raise ValueError(f"{what}; expected one of {names}, or see fsm.declaration.policy.admit_policy")
        return tuple(policy.name for policy in chosen)

    # ---------------------------------------------------------------- the state of the game

    @property
    def player(self) -> int:
        """The player who acts, from 1: the one in turn, or the one who is asked."""
        return int(self.table.player) + 1

    @property
    def turn(self) -> int:
        """The player whose turn it is, from 1: not always the one who acts."""
        return int(getattr(self.table, TURN, self.table.player)) + 1

    @property
    def dealer(self) -> int | None:
        """The dealer, from 1; None in a game that knows none."""
        return int(self.table.dealer) + 1 if self.declaration.knows_dealer else None

    @property
    def who_acts(self) -> str:
        """Who acts, in words: `player 2 in turn`, or `player 3 is asked, player 2 in turn`."""
        if self.player == self.turn:
            return f"player {self.player} in turn"
        does = "is asked" if self._plans[self.phase].asks else "acts"
        return f"player {self.player} {does}, player {self.turn} in turn"

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.table.players)

    @property
    def open_card(self) -> str:
        """The name of the open card; empty where none is open."""
        return open_card(self.declaration, self.table)

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """The names of the cards of the draw pile, its top card first."""
        return tuple(self.declaration.codec.notation.names(draw_pile(self.table)))

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The names of the cards of the discard pile, its bottom card first."""
        return tuple(self.declaration.codec.notation.names(discard_pile(self.table)))

    @property
    def melds(self) -> tuple[Melds, ...]:
        """The names of the cards of each meld that lies before each player; none in games without melds."""
        return melds_of(self.declaration, self.table)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return Outcome.of(self.declaration, self.table) if self.phase is self.declaration.final else None

    @property
    def starts_turn(self) -> bool:
        """Whether a player's turn starts here."""
        return self._plans[self.phase].starts_turn

    @property
    def forced_events(self) -> tuple[str, ...]:
        """The events that are forced in this phase while one of their arcs is enabled."""
        return tuple(trigger for trigger, _ in self._plans[self.phase].forced)

    def position(self, seen_by: int | None = None) -> str:
        """The position on one line; what player `seen_by` (from 1) sees of it, if one is given.

        Raises ValueError for a player who is not there.
        """
        if seen_by is None:
            return str(self._position())
        seat = seat_of(self.table, seen_by)
        return str(seen_position(self.declaration, self._position(), self.table, seat))

    def view(self, viewer: int) -> View:
        """What player `viewer` (from 1) sees of the game. Raises ValueError for a player who is not there."""
        seat = seat_of(self.table, viewer)
        return view_of(
            self.declaration, self._plans[self.phase], self.table, self._position(), self._history_seen_by(seat), seat
        )

    def events(self) -> Events:
        """The legal moves, and the reason why each other event or card is refused."""
        hand = self.hands[self.player - 1]
        return events_of(self.declaration, self._plans[self.phase], self.table, hand)

    # ---------------------------------------------------------------- stepping

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
        for choice in policy.choices.get(plan.phase, ()):
            for applies in choice.when:
                if not applies(table):
                    break
            else:
                return self._choose(choice)
        return self._follow(policy)

    def fire_again(self, step: Step) -> Step:
        """Fire the event of `step` by the same decision rule. Raises IllegalMove as `fire` does."""
        of_type("step", step, Step, "a Step")
        if self._plans[self.phase].may_return:
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

    # ---------------------------------------------------------------- display

    def __str__(self) -> str:
        """The table, as the statement of the problem shows it; many players stand in several lines."""
        dealt = self.declaration.codec.cards_each(self.players)
        return table_text(self.declaration.look, self.hands, self.melds, dealt, self.discard_pile, self.draw_pile)

    def __repr__(self) -> str:
        outcome = self.outcome
        opened = f", open card {self.open_card}" if self.open_card else ""
        state = outcome or f"{self.who_acts}{opened}"
        seed = f", deal({self.players}, seed={self.table.seed})" if self._fresh_seed else ""
        return f"<{type(self).__name__} {self.phase}: {state}{seed}>"

    def __eq__(self, other: object) -> bool:
        """Whether both games are at the same position; their histories do not matter."""
        if not isinstance(other, Game):
            return NotImplemented
        same_game = self.declaration == other.declaration
        return same_game and self._position().canonical() == other._position().canonical()

    __hash__ = None  # type: ignore[assignment]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """What a notebook shows, by MIME type."""
        return notebook_bundle(self)

    # ---------------------------------------------------------------- firing

    def _fire_named(self, move: Move, rule: str | None) -> Step:
        game, plan, table, trigger = self.declaration, self._plans[self.phase], self.table, move.trigger
        before = on_table(game, table)
        chosen = plan.offer(trigger) is not None and rule is None
        fault = self._forced_by_return(plan) if chosen and game.return_ends else None
        fault = fault or put_move(game, plan, table, move)
        step = None if fault else self._fire(trigger, rule)
        if step is None:
            fault = fault or reason_against(game, plan, table, trigger, move.card)
            put_back(game, table, before)
            raise IllegalMove(refused(game, plan, table, refused_move(move, self.open_card), fault))
        if chosen and not game.return_ends:
            self._repetitions.moved_by_hand(len(self.history))
        return step

    def _fire(self, trigger: str, rule: str | None) -> Step | None:
        """Fire an event whose card and value lie on the table; None, and nothing changed, if no arc is enabled."""
        if self.in_hook:
            self._check_no_hook()
        table, source, events = self.table, self._phase, len(self._past)
        past = self._prepared.snapshots.take(table)
        self._firing = table.player, table.head, past, rule
        try:
            fired = self.machine.events[trigger].trigger(self, table)
        except BaseException:  # of a hook
            self._restore(events, past, source)
            raise
        finally:
            self._firing = None
        if not fired:
            if len(self.history) > events:  # a hook for exceptions has taken that of another hook
                self._restore(events, past, source)
            return None
        if self._undone:
            self._undone.clear()
        return self.history[-1]

    def _restore(self, events: int, past: Snapshot, source: Phase) -> None:
        """Leave everything as it was after the first `events` events: the next one has not taken place."""
        del self.history[events:], self._past[events:]
        self._prepared.snapshots.restore(self.table, past)
        self.machine.set_state(source, self)
        self._repetitions.undo(events)
        if self._shown_events > events:
            self._reset_hands()

    def foresee_arc(self, arc: Arc) -> None:
        """Put the step of `arc`, whose event will take place, into the history, where its first hooks find it."""
        if self._firing is None:
            return
        for effect in arc.then:
            effect(self.table)
        self.history.append(self._step_of(arc, self._firing))
        self._prepared.snapshots.restore(self.table, self._firing[2])

    def record_arc(self, arc: Arc) -> None:
        """Go on to the phase to which `arc` leads, and put the step of its event into the history."""
        self._phase = arc.dest
        if (firing := self._firing) is None:
            return
        if len(self.history) == len(self._past):
            self.history.append(self._step_of(arc, firing))
        self._past.append(firing[2])
        if self._prepared.return_ends and self._plans[arc.dest].may_return:
            self._find_return()

    def _step_of(self, arc: Arc, firing: Firing) -> Step:
        """The step of an event whose effects are on the table."""
        prepared, table, trigger = self._prepared, self.table, arc.trigger
        player, head, past, rule = firing
        card = None
        if trigger in prepared.card_events:
            card = prepared.cards[table.card]
        elif table.head != head and (code := card_taken(table, player, head)) != NO_CARD:
            card = prepared.cards[code]
        value = NONE
        if trigger in prepared.value_fields:
            value = getattr(table, prepared.value_fields[trigger])
        scene = self._scene.after(past) if trigger in prepared.past_of else self._scene
        if value == NONE:
            return Step(trigger, arc.source, arc.dest, player + 1, card, None, arc, rule, scene)
        named = {"suit": None, **named_value(self.declaration, trigger, value)}
        return Step(trigger, arc.source, arc.dest, player + 1, card, arc=arc, rule=rule, scene=scene, **named)

    def _choose(self, choice: Choice) -> Step:
        table, pick = self.table, choice.value
        if choice.card is not None:
            table.card = choice.card(table)
        elif pick is None:
            return self._fire(choice.trigger, choice.rule) or self._fail(choice)
        field = self._prepared.value_fields.get(choice.trigger, "suit")
        setattr(table, field, NONE if pick is None else pick(table))
        return self._fire(choice.trigger, choice.rule) or self._fail(choice)

    def _follow(self, policy: Policy) -> Step:
        """Fire what a policy without decision rules chooses where nothing is forced: any legal move, or the first."""
        if self.phase is self.declaration.final:
            raise IllegalMove(f"the game is over: {self.outcome}")
        if isinstance(policy, SteppedPolicy):
            return self._fire_chosen(policy)
        table = self.table
        moves = list(self._plans[self.phase].offered(table))
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
        raise IllegalMove(f"policy {policy.name} of player {self.player}: {fault}")

    def _fail(self, choice: Choice | None = None) -> NoReturn:
        """Raise the error that no arc is enabled. choice: the decision rule that has chosen the event."""
        reason = ""
        if choice is not None:
            names, card = self.declaration.codec.notation.cards, self.table.card
            named = f" {names[card]}" if choice.card and 0 <= card < len(names) else ""
            policy = self.policies[self.table.player].name
            reason = f": {choice.rule} of policy {policy} chooses {choice.trigger}{named}, expected a legal move"
        raise AssertionError(f"{self.declaration.name}: no arc is enabled at {self.position()}{reason}")

    def _forced_by_return(self, plan: Plan) -> str | None:
        """Why nothing can be chosen where a turn starts, if the position was there before."""
        if not plan.may_return:
            return None
        self._find_return()
        forced = (arc.trigger for _, arcs in plan.forced for arc in arcs if arc.enabled(self.table))
        return next((f"{trigger} is forced" for trigger in forced), None)

    def _find_return(self) -> None:
        """At the start of a turn: find out whether this position was there before."""
        position = self.phase, self._key(self.table)
        self.table.returned = int(self._repetitions.returns(position, len(self.history)))

    def _name(self, card: int) -> str:
        return self.declaration.codec.notation.cards[card]

    def _suit_name(self, suit: int) -> str | None:
        return None if suit == NONE else self.declaration.codec.notation.suits[suit]

    def _position(self) -> Position:
        return position_of(self.declaration, self.phase, self.table, self.hands)

    @classmethod
    def _of_valid_deck(
        cls, players: int, deck: Sequence[int], policies: Policies, seed: int, number: int, dealer: int
    ) -> Self:
        table, hands = dealt_table(cls.declaration, players, deck, seed, number, dealer)
        made = cls(table, cls.declaration.initial, hands, policies)
        made._deck = bytes(deck)
        return made


def game_of(declaration: Declaration) -> type[Game]:
    """The class of the games of `declaration`, named after its title: `CrazyEights` for `Crazy Eights`.

    Type checkers know its events from a stub: `maumau stubs FILE.py:CrazyEights`.
    Raises TypeError for what is no declaration.
    """
    of_type("declaration", declaration, Declaration, "a Declaration")
    name = "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", declaration.title)) or "OwnGame"
    body = {"__doc__": f"A game of {declaration.title}, stepped event by event."}
    return new_class(name, (Game,), {"declaration": declaration}, lambda names: names.update(body))
