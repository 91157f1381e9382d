"""The declaration of a game, validated when it is made: a mistake is reported at import, with the name of the arc.

Everything else is made from a declaration: the stepped machine, the diagrams, the checks, the compiled kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fsm.declaration.arcs import (
    Arc,
    Call,
    Choice,
    Codec,
    Control,
    Fact,
    Invariant,
    Offer,
    Phase,
    Policy,
    Postcondition,
    SmallDeck,
)
from fsm.declaration.chain import Chain, Counter, counters_of
from fsm.declaration.chart import (
    Chart,
    DeclarationError,
    Use,
    ambiguous,
    arc_uses,
    bad_ends,
    done_twice,
    listed,
    never_enabled,
    no_end,
    nobody_acts,
    nothing_done,
    unknown_names,
    wrong_roles,
)
from fsm.declaration.contents import unfit_deck, unfit_facts, unfit_small_decks, unfit_table
from fsm.declaration.look import Look
from fsm.declaration.policy import (
    FIRST_LEGAL,
    RANDOM,
    FunctionPolicy,
    Policies,
    PolicyLike,
    SteppedPolicy,
    forms,
    named_policy,
)
from fsm.declaration.scoring import Scoring
from fsm.declaration.table_fields import default_values, list_fields
from fsm.declaration.values import ValueKind
from fsm.edge.numbers import as_int, between, of_type
from rules.invariants import game_goes_on, game_has_ended, player_is_seated, winner_has_won
from rules.notation import shown
from rules.rule import Role, RuleFunction, label, mark_of, named_in, refusal_of

__all__ = ["DEALER", "DEFINITION", "RULES_AFTER", "TURN", "Declaration", "DeclarationError"]

TURN = "turn"
"""The field of a table, and the fact, that tells whose turn it is where others act, too; there `player` is who acts."""
DEALER = "dealer"
"""The field of a table, and the fact, that tells who the dealer is in a game that knows one; set before the deal."""
RULES_AFTER = "+"
"""Separates the name of a game from the names of its house rules."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Declaration(Chart):
    """One game: a chart with cards, players and what people need to play it.

    title: its name for people. name: its name in commands and records. phases, arcs: all of them. initial, final: the
    pseudo-state before the first event, and the phase in which the game is over. control: who acts in each other phase.
    disjoint: groups of guards of which at most one holds; with guards that one arc demands and another excludes they
    show that no two arcs are ever enabled at once. codec: the names of cards, suits and facts.
    table: every executor relies on its fields `players`, `player`, `card`, `suit`, `drawn`, `turns`, `returned`,
    `ending`, `winner`, `seed`, `number`, `rolls` and the piles, the exhaustive check besides on `hands`, a mask of card
    codes for each seat. `player` is the seat that acts; where that is not always the player in turn, the field `turn`
    is the seat whose turn it is. A game that knows a dealer has the field `dealer`, which is set before the deal.
    deck_size: cards in the deck. fill, deal, score: rule functions that make the whole deck (deck), lay out an empty
    table (table, deck, players), and count the points a seat is left with (table, seat). amend: one that makes a
    shuffled deck fit to be dealt (deck, players, seed, number), where not every deck is. deal_each: one that deals any
    deck and any number of cards to each (table, deck, players, each); games with small decks are dealt by it.
    policies: the first one is the default. calls: what players announce when they play a card. look: how the game is
    shown. chain: what a study counts by length. scoring: what a round scores in a match. return_ends: whether by the
    rules a position that returns ends the game even if players have moved by hand or rolled dice since; else only a
    return that proves that the game would never end.
    reveals: the events of which all see how they end, although that depends on hidden cards, each with the reason why
    the rules make it public. Hidden cards may change nothing that is seen of other events: see `Control.seen_as`.
    invariants, postconditions: what must hold, stated independently of the arcs, for the checks; invariants also for
    given positions, so they read only `players`, the facts of a position, the hands and the piles. small_decks: the
    decks with which the checks visit every position; the first one is so small that no machine code is needed.

    Raises DeclarationError if the parts do not fit together.
    """

    codec: Codec
    deck_size: int
    fill: RuleFunction
    deal: RuleFunction
    score: RuleFunction
    policies: tuple[Policy, ...]
    amend: RuleFunction | None = None
    deal_each: RuleFunction | None = None
    calls: tuple[Call, ...] = ()
    look: Look = Look()
    chain: Chain | None = None
    return_ends: bool = False
    scoring: Scoring = Scoring()
    invariants: tuple[Invariant, ...] = ()
    postconditions: tuple[Postcondition, ...] = ()
    small_decks: tuple[SmallDeck, ...] = ()
    reveals: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.name)

    def faults(self) -> Iterator[str]:
        """What is wrong with the declaration, the most basic first."""
        for faults in DEFINITION.values():
            yield from faults(self)

    @cached_property
    def all_invariants(self) -> tuple[Invariant, ...]:
        """What holds in the positions of every game, then the game's own invariants, which may rely on it."""
        running = tuple(phase for phase in self.phases if phase is not self.final)
        general = (
            Invariant("one of the players is in turn", player_is_seated),
            Invariant("a game without an ending goes on", game_goes_on, running),
            Invariant("a game that is over has an ending", game_has_ended, (self.final,)),
            Invariant("there is a winner exactly if the game was won", winner_has_won),
        )
        return general + self.invariants

    def broken_invariant(self, phase: Phase, table: Any) -> Invariant | None:
        """The first invariant that does not hold on `table` in `phase`; None for a table that a game may come to."""
        for invariant in self.all_invariants:
            if phase in (invariant.phases or (phase,)) and not invariant.holds(table):
                return invariant
        return None

    @cached_property
    def counters(self) -> tuple[Counter, ...]:
        """What executors count of a game, in the order of the arcs."""
        return tuple(counters_of(self.arcs, self.chain))

    @cached_property
    def knows_dealer(self) -> bool:
        """Whether it matters in this game who the dealer is."""
        return DEALER in default_values(self.table)

    @cached_property
    def position_facts(self) -> tuple[Fact, ...]:
        """The facts with one value that make a position, without tallies."""
        lists = list_fields(self.table)
        return tuple(fact for fact in self.codec.facts if fact.field not in lists and not fact.is_tally)

    @cached_property
    def position_lists(self) -> tuple[str, ...]:
        """The fields with a value for each seat that make a position, hands included, without tallies."""
        tallies = [fact.field for fact in self.codec.facts if fact.is_tally]
        return tuple(name for name in list_fields(self.table) if name not in tallies)

    @cached_property
    def compared_alike(self) -> tuple[int, ...]:
        """Masks of card codes with one name each, where a position returns whichever of them lies where.

        There are none where a return only proves that a game is endless: it does so later, too.
        """
        names = self.codec.notation.cards
        several = [name for name in dict.fromkeys(names) if names.count(name) > 1] if self.return_ends else []
        return tuple(sum(1 << code for code, other in enumerate(names) if other == name) for name in several)

    @cached_property
    def value_kinds(self) -> Mapping[str, ValueKind]:
        """The kind of the value that is named with each event, for those with which one is named."""
        offers = (offer for control in self.control.values() for offer in control.offers)
        return {offer.trigger: offer.kind for offer in offers if offer.kind}

    @cached_property
    def card_events(self) -> frozenset[str]:
        """The events with which a card is named."""
        offers = (offer for control in self.control.values() for offer in control.offers)
        return frozenset(offer.trigger for offer in offers if offer.cards is not None)

    @cached_property
    def face_down(self) -> frozenset[str]:
        """The events with which a player names what the others do not see."""
        offers = (offer for control in self.control.values() for offer in control.offers)
        return frozenset(offer.trigger for offer in offers if offer.face_down)

    def phase_seen(self, phase: Phase, *, acts: bool) -> Phase:
        """The phase that a player sees in `phase`. acts: whether it is the player who acts."""
        control = self.control.get(phase)
        if acts or control is None:
            return phase
        return control.seen_as or self.asked_in_secret.get(phase, phase)

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
            if (seen.dest, seen.then) == (arc.dest, arc.then)
        }

    @cached_property
    def own_kinds(self) -> tuple[ValueKind, ...]:
        """The kinds of values other than suits that are named in this game: its records have a field for each."""
        named = set(self.value_kinds.values()) - {ValueKind.SUIT}
        return tuple(kind for kind in ValueKind if kind in named)

    @cached_property
    def value_fields(self) -> Mapping[str, str]:
        """The field of the table for the value that is, or would be, named with each event."""
        return {trigger: self.value_kind(trigger).value for trigger in self.triggers}

    def value_kind(self, trigger: str) -> ValueKind:
        """The kind of the value that is, or would be, named with event `trigger`: a suit if the offers name none."""
        return self.value_kinds.get(trigger, ValueKind.SUIT)

    def choice(self, policy: str, phase: Phase, trigger: str, rule: str | None) -> Choice | None:
        """The decision rule `rule` of the policy named `policy` for the event `trigger` in `phase`, if it has one."""
        choices = self.policy(policy).choices.get(phase, ())
        return next((choice for choice in choices if (choice.trigger, choice.rule) == (trigger, rule)), None)

    def policy(self, choice: PolicyLike) -> Policy:
        """A policy of this game.

        choice: its name, a function of a view that returns a move, or a policy itself; None is the default. Raises
        TypeError, or ValueError, which lists the known names.
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
        if callable(choice):
            return FunctionPolicy(getattr(choice, "__name__", type(choice).__name__), decide=choice)
        of_type("policy", choice, str, "the name of a policy, or a function of a view")
        known = [*(policy.name for policy in self.policies), *map(str, forms())]
        raise ValueError(f"unknown policy {shown(choice)}, expected one of {', '.join(known)}")

    def seated(self, players: int, policies: Policies, compiled: bool = False) -> tuple[Policy, ...]:
        """The policy of each seat.

        players: how many. policies: one for all seats or one for each, none for the default. compiled: whether those
        that play stepped games only are refused. Raises TypeError or ValueError.
        """
        players = as_int("players", players)
        each = policies if isinstance(policies, Sequence) and not isinstance(policies, str) else (policies,)
        chosen = tuple(map(self.policy, each)) or self.policies[:1]
        if len(chosen) not in (1, players):
            raise ValueError(f"{len(chosen)} policies for {players} players, expected one or one for each")
        for policy in dict.fromkeys(chosen):
            if not isinstance(policy, SteppedPolicy):
                continue
            if compiled:
                names = ", ".join(each.name for each in self.policies)
                raise ValueError(f"policy {policy.name} plays stepped games only, expected one of {names}")
            policy.check_players(players)
        return chosen * between(1, self.codec.most, "players", players) if len(chosen) == 1 else chosen

    def choices(self) -> Iterator[tuple[Policy, Phase, Choice]]:
        """Every decision rule with the policy and the phase that it stands in."""
        for policy in self.policies:
            for phase, choices in policy.choices.items():
                for choice in choices:
                    yield policy, phase, choice


def _wrong_roles(game: Declaration) -> Iterator[str]:
    yield from wrong_roles(_uses(game))
    yield from _unknown_in_refusals(game)


def _unknown_in_refusals(game: Declaration) -> Iterator[str]:
    known = ("card", "open_card", *(fact.field for fact in game.codec.facts))
    for arc in game.arcs:
        for guard in filter(mark_of, arc.when):
            for name in named_in(refusal_of(guard)):
                if name not in known:
                    yield f"arc {arc}: the refusal of {label(guard)!r} names {name!r}, expected {', '.join(known)}"


def _uses(game: Declaration) -> Iterator[Use]:
    """Every use of rule functions in a declaration, in words, with the role that they must have."""
    yield from arc_uses(game)
    for phase, control in game.control.items():
        for offer in control.offers:
            yield f"phase {phase}: offer {offer.trigger!r}", Role.QUERY, (offer.cards, *offer.masks.values())
    for policy, phase, choice in game.choices():
        use = f"policy {policy.name}: phase {phase}: {choice.trigger!r}"
        yield f"{use}: when", Role.GUARD, choice.when
        yield use, Role.CHOICE, (choice.card, *choice.picks.values())
    for group in game.disjoint:
        yield "disjoint", Role.GUARD, group
    for condition in game.invariants:
        yield f"invariant {condition.description!r}", Role.QUERY, (condition.holds,)
    for after in game.postconditions:
        yield f"postcondition {after.description!r}", Role.QUERY, (after.holds,)
    for call in game.calls:
        yield f"call {call.description!r}", Role.QUERY, (call.count,)
    for name in ("fill", "deal", "amend", "deal_each"):
        yield name, Role.EFFECT, (getattr(game, name),)
    for trigger, doer in game.look.doers.items():
        yield f"look: who does {trigger!r}", Role.QUERY, (doer,)
    yield "score", Role.QUERY, (game.score,)
    yield "scoring: points", Role.QUERY, (game.scoring.points,)


def _misasked(game: Declaration) -> Iterator[str]:
    for phase, control in game.control.items():
        if control.declines and not isinstance(getattr(game.table(), TURN, None), int):
            yield f"phase {phase} asks seats, the table has no field for whose turn it is, expected {TURN}: int"
        for trigger in control.declines:
            if trigger not in control.triggers:
                yield f"phase {phase}: event {trigger!r} declines nothing, the phase has {', '.join(control.triggers)}"


def _misseen(game: Declaration) -> Iterator[str]:
    for phase, control in game.control.items():
        use = f"phase {phase}"
        if control.seen_as is None:
            for offer in control.offers:
                if offer.seen_as is not None:
                    yield f"{use}: offer {offer.trigger!r} is seen as another event, the phase is seen as it is"
            continue
        for arc in game.arcs:
            if arc.dest is phase and (arc.source is not control.seen_as or arc.then):
                yield f"{use} is seen as {control.seen_as}: arc {arc}, expected arcs from there without effects"
        for offer in control.offers:
            for arc in game.leaving(phase, offer.trigger) if offer.seen_as is not None else ():
                if arc not in game.disguises:
                    like = f"{control.seen_as} --{offer.seen_as}--> {arc.dest}"
                    yield f"{use}: arc {arc} is seen as {like}, expected such an arc with the same effects"


def _unknown_reveals(game: Declaration) -> Iterator[str]:
    for trigger in game.reveals:
        if trigger not in game.triggers:
            yield f"reveals: unknown event {trigger!r}, expected one of {', '.join(game.triggers)}"


def _misnamed(game: Declaration) -> Iterator[str]:
    table = game.table()
    forced = {trigger for control in game.control.values() for trigger in control.forced}
    first: dict[str, Offer] = {}
    for phase, control in game.control.items():
        for offer in control.offers:
            use = f"phase {phase}: offer {offer.trigger!r}"
            if len(offer.masks) > 1:
                yield f"{use} names {' and '.join(kind.masks for kind in offer.masks)}, expected one kind of value"
            if offer.kind and not isinstance(getattr(table, offer.kind, None), int):
                field = f"{offer.kind}: int = seen_by_all(-1)"
                yield f"{use} names {offer.kind.masks}, the table has no such field, expected {field}"
            if offer.trigger in forced and _shape(offer) != "nothing":
                yield f"{use} names {_shape(offer)}, the event is forced in another phase, expected another event"
            other = first.setdefault(offer.trigger, offer)
            if not _alike(offer, other):
                yield f"{use} names {_shape(offer)}, another offer of the event {_shape(other)}, expected the same"


def _alike(offer: Offer, other: Offer) -> bool:
    """Whether two offers of one event take the same card and value; with a card, one of them may take no value."""
    if offer.cards and other.cards and None in (offer.kind, other.kind):
        return True
    return _shape(offer) == _shape(other)


def _shape(offer: Offer) -> str:
    """What is named with an event."""
    named = ["cards"] * (offer.cards is not None) + [kind.masks for kind in offer.masks]
    return " and ".join(named) or "nothing"


def _undecided(game: Declaration) -> Iterator[str]:
    for policy in game.policies:
        if not policy.choices and policy not in (RANDOM, FIRST_LEGAL):
            yield f"policy {policy.name} has no choices, expected some for each phase with offers"
        for phase, control in game.control.items():
            choices = policy.choices.get(phase, ())
            if policy.choices and control.offers and not (choices and not choices[-1].when):
                yield f"policy {policy.name}: phase {phase} needs a last choice that always applies"
    for policy, phase, choice in game.choices():
        offers = {offer.trigger: offer for offer in game.control.get(phase, Control()).offers}
        if choice.trigger not in offers:
            yield f"policy {policy.name}: phase {phase} has no event {choice.trigger!r} to choose"
        elif (choice.card is None) != (offers[choice.trigger].cards is None):
            yield f"policy {policy.name}: phase {phase}: {choice.trigger!r} needs a card exactly if one is offered"
        else:
            yield from _mispicked(f"policy {policy.name}: phase {phase}: {choice.trigger!r}", choice, offers)


def _mispicked(use: str, choice: Choice, offers: Mapping[str, Offer]) -> Iterator[str]:
    """What is wrong with the values that a decision rule picks."""
    offer = offers[choice.trigger]
    for kind in choice.picks:
        if kind is not offer.kind:
            yield f"{use} picks a value of the kind {kind}, the offer names {_shape(offer)}"
    if offer.cards is None and offer.kind and not choice.picks:
        yield f"{use} picks nothing, the offer names {_shape(offer)}"


def _unsaid(game: Declaration) -> Iterator[str]:
    for invariant in game.invariants:
        for phase in invariant.phases:
            if not isinstance(phase, game.phases):
                yield f"{invariant.description!r}: unknown phase {str(phase)!r}, expected one of {listed(game.phases)}"
    for after in game.postconditions:
        fired = [arc for arc in game.arcs if after.concerns(arc)]
        for trigger in after.triggers:
            if trigger not in [arc.trigger for arc in fired]:
                yield f"{after.description!r}: event {trigger!r} leads to none of its phases"


DEFINITION: dict[str, Callable[[Declaration], Iterator[str]]] = {
    "every phase of an arc is known, and every arc has a description": unknown_names,
    "every function has the role of its place: guard, effect, choice or query": _wrong_roles,
    "every phase is reached from the initial one, all but the final have a way out": bad_ends,
    "from every phase a row of arcs leads to the final one": no_end,
    "every phase has a control, and every event of it an arc": nobody_acts,
    "where seats are asked they may decline, and the table tells whose turn it is": _misasked,
    "a phase and an event that others take for another one cannot be told from it": _misseen,
    "what the rules make public is how events of the game end": _unknown_reveals,
    "every event names values of one kind, for which the table has a field": _misnamed,
    "the deck has cards of the notation, for one or more players": unfit_deck,
    "the table has integers, lists and byte rings only, with room for all seats and cards": unfit_table,
    "every fact is a field of the table, of a known kind, under a name of its own": unfit_facts,
    "every small deck has cards of the game, enough for its players": unfit_small_decks,
    "every policy has a last resort, and chooses what is offered": _undecided,
    "of two arcs of one event, one demands what the other excludes": ambiguous,
    "no arc contradicts itself": never_enabled,
    "no arc leads back to its phase and does nothing": nothing_done,
    "no arc has a guard or an effect twice": done_twice,
    "every invariant and postcondition is about something": _unsaid,
}
"""What can be checked in a declaration without playing, each with the function that finds what is wrong."""
