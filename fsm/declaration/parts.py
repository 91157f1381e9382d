"""The parts of the declaration of a game, and what follows from them: which events name what, what makes a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from typing import Any

from fsm.declaration.arcs import (
    Arc,
    Call,
    Choice,
    Invariant,
    Page,
    Phase,
    Policy,
    Postcondition,
    ScoreInvariant,
    SmallDeck,
)
from fsm.declaration.chain import Chain, Counter, counters_of
from fsm.declaration.chart import FOLLOWS, Chart
from fsm.declaration.codec import Codec
from fsm.declaration.defaults import complete_deal
from fsm.declaration.facts import Fact, Look, ValueKind, default_values, list_fields
from fsm.declaration.policy import (
    FIRST_LEGAL,
    RANDOM,
    RANDOM_LEGAL_CARD,
    Policies,
    PolicyLike,
    SteppedPolicy,
    UnknownPolicy,
    forms,
    named_policy,
    policy_of_object,
)
from fsm.declaration.ranges import ValueRanges, ranges_of
from fsm.declaration.scoring import Scoring
from fsm.declaration.temporal import Response
from fsm.edge.numbers import as_int, of_type
from rules.ending import NO_WINNER
from rules.every_game import stated_of_every_game
from rules.invariants import each_scores
from rules.notation import Notation, expected_name, shown
from rules.rule import RuleFunction
from rules.sets import CardSets
from rules.without import LeftOut

WINNERS = "winners"
"""The field of a table, a mask of seats, that tells who has won in a game that several can win together."""
SET_OF = ","
"""Separates the names of the cards of a set."""
TURN = "turn"
"""The field of a table, and the fact, that tells whose turn it is where others act as well; there `player` is who
acts."""
DEALER = "dealer"
"""The field of a table, and the fact, that tells who the dealer is in a game that knows one; set before the deal."""
HANDS = ("hands", "twins", "triples", "quadruples")
"""The fields of a table with the cards that are held, with those that are held twice, and so on (`rules.table`)."""
RULES_AFTER = "+"
"""Separates the name of a game from the names of its house rules."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Parts(Chart):
    """The parts of the declaration of a game, and what follows from them."""

    deck: InitVar[Notation | None] = None
    players: InitVar[int | Sequence[int] | None] = None
    cards_each: InitVar[int | Mapping[int, int] | Callable[[int], int] | None] = None
    facts: InitVar[tuple[Fact, ...]] = ()
    sets: InitVar[CardSets | None] = None
    codec: Codec = FOLLOWS
    without: Mapping[int, str] = field(default_factory=dict)
    deck_size: int = FOLLOWS
    fill: RuleFunction = FOLLOWS
    deal: RuleFunction = FOLLOWS
    score: RuleFunction
    policies: tuple[Policy, ...] = (RANDOM, FIRST_LEGAL)
    amend: RuleFunction | None = None
    deal_each: RuleFunction | None = None
    calls: tuple[Call, ...] = ()
    look: Look = Look()
    chain: Chain | None = None
    return_ends: bool = False
    scoring: Scoring = Scoring()
    returns: RuleFunction | None = None
    zero_sum: bool = False
    invariants: tuple[Invariant, ...] = ()
    postconditions: tuple[Postcondition, ...] = ()
    over_time: tuple[Invariant | Response, ...] = ()
    small_decks: tuple[SmallDeck, ...] = ()
    reveals: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.name)

    def __post_init__(self, page: Page | None, deck: Notation | None, *given: Any) -> None:
        """Set what follows from the other parts."""
        complete_deal(self, deck, *given)
        super().__post_init__(page)

    def check(self) -> None:
        """Complete the policies of a game in which cards are laid and that has a random player by RANDOM_LEGAL_CARD."""
        rolls = RANDOM in self.policies and RANDOM_LEGAL_CARD not in self.policies
        if rolls and any(offer.lays for offer in self.offers):
            object.__setattr__(self, "policies", (*self.policies, RANDOM_LEGAL_CARD))
        super().check()

    @cached_property
    def ranges(self) -> ValueRanges:
        """The values of the fields that have a bound."""
        return ranges_of(self.table, self.codec, self.value_kinds.values(), self.fill, self.deck_size)

    @cached_property
    def left_out(self) -> LeftOut:
        """The codes of the cards that are left out, by the number of players."""
        card = self.codec.notation.card
        codes = {players: tuple(map(card, names.split())) for players, names in self.without.items()}
        return LeftOut(codes, max((self.codec.most, *self.without)))

    @cached_property
    def all_invariants(self) -> tuple[Invariant, ...]:
        """What holds in the positions of every game, then the game's own invariants, which may rely on it."""
        running = tuple(phase for phase in self.phases if phase is not self.final)
        returns = self.returns if self.zero_sum else None
        stated = stated_of_every_game(self.shares_wins, returns, self.round_points, self.scoring.sides)
        found = [
            Invariant(description, holds, () if when_over is None else (self.final,) if when_over else running)
            for description, holds, when_over in stated
        ]
        if self.without:
            found.append(Invariant("the cards that are left out lie beside the game", self.left_out.lie()))
        return (*found, *map(self._of_table, self.own_invariants))

    def _of_table(self, invariant: Invariant) -> Invariant:
        """An invariant of the table alone: what is said of points is about those that the game counts."""
        if not isinstance(invariant, ScoreInvariant):
            return invariant
        points = self.round_points if invariant.in_match else self.score
        return Invariant(
            invariant.description, each_scores(points, invariant.holds, invariant.in_match), invariant.phases
        )

    @cached_property
    def own_invariants(self) -> tuple[Invariant, ...]:
        """What holds in the positions of this game."""
        return self.invariants + tuple(each for each in self.over_time if isinstance(each, Invariant))

    @cached_property
    def responses(self) -> tuple[Response, ...]:
        """What must come about in every way in which a game can go on."""
        return tuple(each for each in self.over_time if isinstance(each, Response))

    def broken_invariant(self, phase: Phase, table: Any) -> Invariant | None:
        """Return the first invariant that does not hold on `table` in `phase`; None for a table that a game may come
        to.
        """
        for invariant in self.all_invariants:
            if invariant.concerns(phase) and not invariant.holds(table):
                return invariant
        return None

    @cached_property
    def counters(self) -> tuple[Counter, ...]:
        """What executors count of a game, in the order of the arcs."""
        return tuple(counters_of(self.arcs, self.chain))

    @cached_property
    def is_of_tricks(self) -> bool:
        """Whether tricks are played: then a trick is shown, and piles only where there are cards in them."""
        from rules.tricks import TrickTable  # few games have tricks

        return issubclass(self.table, TrickTable)

    @cached_property
    def clears_table(self) -> bool:
        """Whether laid cards leave the table from time to time, so that it does not show them as a discard pile."""
        return getattr(self.table, "is_cleared", False)

    @cached_property
    def has_draw_pile(self) -> bool:
        """Whether cards are left over by the deal, with some number of players."""
        sizes = ((each, self.deck_size - len(self.left_out.get(each, ()))) for each in self.codec.players)
        return any(players * self.codec.cards_each(players) < size for players, size in sizes)

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """The fields that a round of a match takes over from the round before."""
        return tuple(fact.field for fact in self.codec.facts if fact.carried)

    @cached_property
    def knows_dealer(self) -> bool:
        """Whether it matters in this game who the dealer is."""
        return DEALER in default_values(self.table)

    @property
    def round_points(self) -> RuleFunction:
        """The rule function that counts the points of a round that was won (table, seat)."""
        return self.scoring.points or self.score

    @cached_property
    def shares_wins(self) -> bool:
        """Whether several can win a game together: then a field of the table tells who did."""
        return WINNERS in default_values(self.table)

    def full_deck(self) -> bytearray:
        """Return the card codes of the whole deck, unshuffled."""
        deck = bytearray(self.deck_size)
        self.fill(deck)
        return deck

    def winners(self, table: Any) -> tuple[int, ...]:
        """Return the seats that have won the game on `table`."""
        if self.shares_wins:
            return tuple(seat for seat in range(table.players) if table.winners >> seat & 1)
        return () if table.winner == NO_WINNER else (int(table.winner),)

    @cached_property
    def piles(self) -> tuple[Fact, ...]:
        """The piles beside the hands, the draw pile and the discard pile: before each seat, or in the middle."""
        return tuple(fact for fact in self.codec.facts if fact.is_pile)

    @cached_property
    def copies_held(self) -> tuple[str, ...]:
        """The fields of hands in which a card may be several times; none where each card appears once."""
        found = tuple(name for name in HANDS if name in list_fields(self.table))
        return found if len(found) > 1 else ()

    @cached_property
    def value_kinds(self) -> Mapping[str, ValueKind]:
        """The kind of the value that is named with each event, for those with which one is named."""
        return {offer.trigger: offer.kind for offer in self.offers if offer.kind}

    @cached_property
    def card_events(self) -> frozenset[str]:
        """The events with which a card is named."""
        return frozenset(offer.trigger for offer in self.offers if offer.cards is not None)

    @cached_property
    def face_down(self) -> frozenset[str]:
        """The events with which a player names what the others do not see."""
        return frozenset(offer.trigger for offer in self.offers if offer.face_down)

    def phase_seen(self, phase: Phase, *, acts: bool) -> Phase:
        """Return the phase that a player sees in `phase`. acts: whether it is the player who acts."""
        if acts:
            return phase
        return self.control_of(phase).seen_as or self.asked_in_secret.get(phase, phase)

    def arc_seen(self, arc: Arc) -> Arc | None:
        """Return what other players see of the event of an arc: the arc for which it passes, None for nothing."""
        declined = arc.source in self.asked_in_secret and arc.trigger in self.control[arc.source].declines
        hidden = declined or self.phase_seen(arc.dest, acts=False) is not arc.dest
        return None if hidden else self.disguises.get(arc, arc)

    @cached_property
    def seen_by_all(self) -> frozenset[tuple[Phase, str]]:
        """The events, with the phase in which each happens, that all see as what they are, whichever arc they take."""
        secret = {(arc.source, arc.trigger) for arc in self.arcs if self.arc_seen(arc) is not arc}
        return frozenset((arc.source, arc.trigger) for arc in self.arcs) - secret

    @cached_property
    def asked_in_secret(self) -> Mapping[Phase, Phase]:
        """The phases in which others do not see which seat is asked, nor that it declines: some are only passed over.

        Each with the phase that they see, the first of those that lead to it by declining.
        """
        declines = {
            phase: control.declines
            for phase, control in self.control.items()
            if not set(control.declines).isdisjoint(control.forced)
        }

        def first(phase: Phase) -> Phase:
            into = [arc for arc in self.arcs if arc.dest is phase and arc.source is not phase]
            follows = into and all(arc.trigger in declines.get(arc.source, ()) for arc in into)
            return first(into[0].source) if follows else phase

        return {phase: first(phase) for phase in declines}

    @cached_property
    def disguises(self) -> Mapping[Arc, Arc]:
        """The arcs of events that the others see as another event, each with the arc that they see instead."""
        return {
            arc: seen
            for phase, control in self.control.items()
            if control.seen_as is not None
            for offer in control.offers
            if offer.seen_as is not None
            for arc in self.leaving(phase, offer.trigger)
            for seen in self.leaving(control.seen_as, offer.seen_as)
            if (seen.dest, seen.before) == (arc.dest, arc.before)
        }

    @cached_property
    def own_kinds(self) -> tuple[ValueKind, ...]:
        """The kinds of values other than suits that are named in this game: except for forms its records have a field
        for each.
        """
        named = set(self.value_kinds.values()) - {ValueKind.SUIT}
        return tuple(kind for kind in ValueKind if kind in named)

    @cached_property
    def value_fields(self) -> Mapping[str, str]:
        """The field of the table for the value that is, or would be, named with each event."""
        return {trigger: self.value_kind(trigger).value for trigger in self.triggers}

    def value_kind(self, trigger: str) -> ValueKind:
        """Return the kind of the value that is, or would be, named with event `trigger`: a suit if the offers name
        none.
        """
        return self.value_kinds.get(trigger, ValueKind.SUIT)

    def card_name(self, trigger: str, card: int, value: int) -> str:
        """Return the name of the card that is named with an event; of a set those of all, joined.

        trigger: the event. card: a code, of a set its lowest. value: the form of a set.
        """
        names, sets = self.codec.notation.cards, self.codec.sets
        if sets is None or self.value_kinds.get(trigger) is not ValueKind.FORM:
            return names[card]
        return SET_OF.join(names[code] for code in range(len(names)) if sets.mask(card, value) >> code & 1)

    def set_named(self, names: str) -> tuple[int, int]:
        """Return the lowest card and the form of a set.

        names: of its cards, joined. Raises ValueError if it is none.
        """
        assert self.codec.sets is not None
        codes = [self.codec.notation.card(name) for name in names.split(SET_OF)]
        found = self.codec.sets.named(sum(1 << code for code in {*codes}))
        if found is None or len({*codes}) < len(codes):
            raise ValueError(f"{shown(names)} is not a set of this game")
        return found

    def choice(self, policy: str, phase: Phase, trigger: str, rule: str | None) -> Choice | None:
        """Return the decision rule `rule` of the policy named `policy` for the event `trigger` in `phase`, if it has
        one.
        """
        choices = self.policy(policy).choices.get(phase, ())
        return next((choice for choice in choices if (choice.trigger, choice.rule) == (trigger, rule)), None)

    def policy(self, choice: PolicyLike, more: str = "") -> Policy:
        """Return a policy of this game.

        choice: its name, a function of a view that returns a move, a policy itself, or an object that stands for one,
        such as a net; None is the default. more: what else may be used, for the message. Raises TypeError, or
        ValueError, which lists the known names.
        """
        if choice is None:
            return self.policies[0]
        if isinstance(choice, SteppedPolicy) or choice in self.policies:
            return choice
        for policy in self.policies:
            if policy.name == choice:
                return policy
        if isinstance(choice, str) and (found := named_policy(self, choice)):
            return found
        if not isinstance(choice, str) and (meant := policy_of_object(self, choice)):
            return meant
        of_type("policy", choice, str, "the name of a policy, or a function of a view")
        if choice == RANDOM_LEGAL_CARD.name:
            raise ValueError(
                f"policy {choice}: no cards are laid in {self.name}, or nobody plays at random; use another policy"
            )
        known = [*(policy.name for policy in self.policies), *map(str, forms())]
        raise UnknownPolicy(f"unknown policy {shown(choice)}{expected_name(choice, known)}{more}")

    def seated(self, players: int, policies: Policies, compiled: bool = False) -> tuple[Policy, ...]:
        """Return the policy of each seat.

        players: how many. policies: one for all seats or one for each, none for the default. compiled: whether those
        that play stepped games only are refused. Raises TypeError or ValueError.
        """
        players = as_int("players", players)
        each = policies if isinstance(policies, Sequence) and not isinstance(policies, str) else (policies,)
        chosen = tuple(map(self.policy, each)) or self.policies[:1]
        if len(chosen) not in (1, players):
            raise ValueError(f"{len(chosen)} policies for {players} players; use one or one for each")
        for policy in dict.fromkeys(chosen):
            if compiled and policy.is_computed:
                names = ", ".join(each.name for each in self.policies)
                raise ValueError(f"policy {policy.name} plays stepped games only; use one of {names}")
            policy.check_players(players)
        return chosen * as_int("players", players, 1, self.codec.most) if len(chosen) == 1 else chosen

    def choices(self) -> Iterator[tuple[Policy, Phase, Choice]]:
        """Return every decision rule with the policy and the phase that it stands in."""
        for policy in self.policies:
            for phase, choices in policy.choices.items():
                for choice in choices:
                    yield policy, phase, choice
