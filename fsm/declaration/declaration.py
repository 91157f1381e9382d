"""The declaration of a game, validated when it is made: a mistake is reported at import, with the name of the arc.

Everything else is made from a declaration: the stepped machine, the diagrams, the checks, the compiled kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, SupportsIndex

from fsm.declaration.arcs import Choice, Offer, Phase
from fsm.declaration.chart import DeclarationError
from fsm.declaration.checks import GAME
from fsm.declaration.contents import rule_functions, sets, warn_of
from fsm.declaration.dice import RolledParts
from fsm.declaration.facts import NO_VALUE, POINTS_LEFT, SHOWN, ValueKind, default_values
from fsm.declaration.introspection import attributes_read
from fsm.declaration.parts import DEALER, HANDS, RULES_AFTER, TURN, Parts
from fsm.declaration.policy import Policies, named_policy
from fsm.declaration.rewards import Reward
from fsm.declaration.shapes import misfits
from fsm.edge.numbers import as_int
from rules.ending import Ending
from rules.every_game import OF_EVERY_GAME
from rules.notation import expected_name, many, shown
from rules.rule import RuleFunction
from rules.table import copy_taken

__all__ = ["DEALER", "RULES_AFTER", "TURN", "Declaration", "DeclarationError"]


class Declaration(RolledParts):
    """One game: a chart with cards, players and what people need to play it.

    A page, a deck and a score are a game: `Declaration(title="Old Maid", page=page({...}), deck=FRENCH_52,
    score=score)`; all other parts have defaults.

    title, name, page, phases, arcs, control, initial, final, disjoint: as of `Chart`.
    deck: the notation of the cards. deck_size: the number of cards; by default each card of the notation appears once.
    players: the numbers of players that can play, or the only one; by default from two to the seats of the table.
    cards_each: cards dealt to each, a number, one for each number of players (`{2: 7, 3: 5}`) or a function (players);
        by default the whole deck is dealt.
    facts, sets: as of `Codec`. codec: these five in one, for a game that needs another part of `Codec`.
    table: a class whose fields every executor relies on: `players`, `player`, `card`, `suit`, `drawn`, `turns`,
        `returned`, `ending`, `winner`, `seed`, `number`, `rolls` and the piles. The exhaustive check also relies on
        `hands`, a mask of card codes for each seat. `player` is the seat that acts; where that is not always the player
        in turn, the field `turn` is the seat in turn. A game with a dealer has the field `dealer`, which is set before
        the deal; one that several can win together has `winners`, a mask of seats (`rules.ending.win_together`).
    without: names of cards that are left out for some numbers of players: `without={3: "2D"}`. They lie beside the
        game, in the pile and fact `left_out`.
    fill, deal, score: rule functions that make the whole deck (deck), lay out an empty table (table, deck, players),
        and count the points that a seat is left with (table, seat).
    deal_each: a rule function that deals any deck and any number of cards to each (table, deck, players, each), by
        default one card at a time, without an open card. Games with small decks are dealt by it.
    amend: a rule function that makes a shuffled deck fit to be dealt (deck, players, seed, number), where not every
        deck is.
    policies: the first one is the default; without any, RANDOM and FIRST_LEGAL play.
    calls: what players announce when they play a card. look: how the game is shown. chain: what a study counts by
        length. scoring: what a round scores in a match.
    return_ends: whether by the rules a position that returns ends the game, even if players have moved by hand or
        rolled dice since; else only a return that proves that the game would never end does.
    returns: what a seat gains or loses by a game, a whole number, a query (table, seat); by default a winner gains 1,
        and the others lose it in equal shares. zero_sum: whether returns add up to 0.
    reveals: the events of which all see how they end, although that depends on hidden cards, each with the reason why
        the rules make it public. Hidden cards may change nothing that is seen of other events: see `Control.seen_as`.
    invariants, postconditions: what must hold, stated independently of the transitions, for the checks. Invariants also
        hold for given positions, so they read only `players`, the facts of a position, the hands and the piles.
    over_time: what must hold however a game goes on: `always`, `eventually`, `leads_to`.
    small_decks: the decks with which the checks visit every position; the first one is so small that the check needs no
        machine code.

    Raises DeclarationError if the parts do not fit together. For a rule function that cannot be compiled, a
    CompilationWarning names the line.
    """

    _checked_as = GAME

    def __post_init__(self, *given: Any) -> None:
        try:
            super().__post_init__(*given)
        except (AttributeError, TypeError):  # of a part that is none of its type
            for fault in misfits("", self, is_complete=False):
                raise DeclarationError(f"{self.name or self.title}: {fault}") from None
            raise
        warn_of(rule_functions(self))

    def player_count(self, players: SupportsIndex) -> int:
        """Return a number of players as a plain number.

        players: how many. Raises TypeError, or ValueError if so many cannot play.
        """
        plain = as_int("players", players)
        if plain not in self.codec.players:
            raise ValueError(f"{shown(plain)} player{'s' * (plain != 1)} cannot play; use {self.codec.players_text}")
        return plain

    def changes(self, field: str, functions: Iterable[RuleFunction] | None = None) -> bool:
        """Return whether a rule function of the game assigns to a field of the table.

        field: its name. functions: None for all of the game.
        """
        return sets(field, rule_functions(self) if functions is None else functions)

    def reads(self, functions: Iterable[RuleFunction]) -> frozenset[str]:
        """Return the fields of the table that rule functions, and those that they call, read. functions: which."""
        return frozenset(self.defaults).intersection(chain.from_iterable(map(attributes_read, functions)))

    @property
    def held_in(self) -> tuple[str, ...]:
        """The fields with the cards that are held: more than one where a card may be held several times."""
        return self.copies_held or HANDS[:1]

    @property
    def defaults(self) -> Mapping[str, Any]:
        """The value of each field of a new table."""
        return default_values(self.table)

    @cached_property
    def rule_names(self) -> tuple[str, ...]:
        """The names of all decision rules; a policy without choices goes by its own name."""
        names = [choice.rule for _, _, choice in self.choices()]
        names += [policy.name for policy in self.policies if not policy.choices]
        return tuple(dict.fromkeys(names))

    def value_named(self, trigger: str, code: int) -> dict[str, Any]:
        """Return the value that is named with an event, by its kind; empty for none, and for the form of a set.

        trigger: the event. code: of the value.
        """
        kind = self.value_kind(trigger)
        if code == NO_VALUE or kind is ValueKind.FORM:
            return {}
        return {str(kind): kind.from_code(self.codec.notation, code)}

    def masks_named(self, offer: Offer) -> tuple[int, int]:
        """Return the masks of all cards and of all values that can be named with an event; 0 for none.

        offer: that of the event.
        """
        values = offer.kind.how_many(self.codec.notation, self.codec.most) if offer.kind else 0
        return (1 << len(self.codec.notation.cards)) - 1 if offer.cards else 0, (1 << values) - 1

    @cached_property
    def functions(self) -> tuple[RuleFunction, ...]:
        """All rule functions that a program of the game may call."""
        found: list[RuleFunction] = []
        for arc in self.arcs:
            found += [*arc.conditions, *arc.unless, *arc.before]
        found += [guard for counter in self.counters for guard in (*counter.conditions, *counter.unless)]
        found += [function for offer in self.offers for function in (offer.cards, offer.values) if function]
        for _, _, choice in self.choices():
            found += [*choice.conditions, *(function for function in (choice.card, choice.value) if function)]
        found += [function for function in (self.amend, self.deal_each, self.returns) if function]
        found += [condition.holds for condition in self.all_invariants + self.postconditions]
        found += [self.fill, self.deal, self.score, *OF_EVERY_GAME, *[copy_taken] * bool(self.copies_held)]
        return tuple(dict.fromkeys(found))

    @property
    def plain_name(self) -> str:
        """The name of the game without those of its house rules."""
        return self.name.partition(RULES_AFTER)[0]

    @cached_property
    def offered(self) -> frozenset[tuple[Phase, str]]:
        """The events that players choose, each with the phase in which they do."""
        return frozenset((phase, each.trigger) for phase, control in self.control.items() for each in control.offers)

    @cached_property
    def opens_cards(self) -> bool:
        """Whether a card is ever open: the deal opens one, or an effect does."""
        return self.opens_card or sets("open_card", [effect for arc in self.arcs for effect in arc.before])

    @property
    def scores_points_left(self) -> bool:
        """Whether the scores are the points left in hand, not gains, and have no name of their own."""
        return self.look.scores == POINTS_LEFT and not self.scoring.most_wins and not self.is_of_tricks

    @property
    def scores_text(self) -> str:
        """What the scores are called: `Points` where they have no name of their own and are not points left, as where
        the most win or tricks are taken.
        """
        return "Points" if self.look.scores == POINTS_LEFT and not self.scores_points_left else self.look.scores

    def seat_names(self, players: int, policies: Policies) -> tuple[str, ...]:
        """Return the names of the policies of all seats, by which others find them.

        players, policies: as of `seated`. Raises ValueError as well for a policy without such a name.
        """
        chosen = self.seated(players, policies)
        for policy in chosen:
            if policy not in self.policies and named_policy(self, policy.name) is not policy:
                names = ", ".join(each.name for each in self.policies)
                what = f"policy {policy.name} is a Python function without a name that others could use"
                raise ValueError(f"{what}; use one of {names}, or name it by fsm.declaration.policy.admit_policy")
        return tuple(policy.name for policy in chosen)

    def rewards(self, table: Any, reward: Reward | None = None) -> tuple[float, ...]:
        """Return the reward of each seat for a game that is over on `table`. reward: by default that of the game."""
        if points := (reward or Reward.named(self, None)).points(self):
            return tuple(float(points(table, seat)) for seat in range(table.players))
        winners, players = self.winners(table), int(table.players)
        if not winners or len(winners) == players > 1:
            return (0.0,) * players
        lost = Reward.loss(players, len(winners))
        return tuple(1.0 if seat in winners else lost for seat in range(players))

    def carried_from(self, table: Any) -> dict[str, int | list[int]]:
        """Return what the next round of a match takes over. table: of the round that is over."""
        values = {name: getattr(table, name) for name in self.carried}
        return {name: [*each[: table.players]] if isinstance(each, list) else each for name, each in values.items()}

    def dealer_seat(self, players: int, dealer: SupportsIndex) -> int:
        """Return the seat, from 0, of a dealer.

        players: how many. dealer: from 1. Raises TypeError, or ValueError if the game has no such dealer.
        """
        plain = as_int("dealer", dealer, 1, players)
        if plain != FIRST_DEALER and not self.knows_dealer:
            raise ValueError(f"dealer {plain}: {self.title} has no dealer; leave it out")
        return plain - 1

    def checked_deal(self, players: SupportsIndex, deck: Iterable[SupportsIndex]) -> tuple[int, bytes]:
        """Return a number of players and the card codes of a whole deck, those last that are left out for so many.

        players: how many. deck: bytes, an array or any row of whole numbers. Raises TypeError for what is not a whole
        number, ValueError for a number of players that does not play, and if the cards are not those of the deck, each
        as often as it is there.
        """
        players = self.player_count(players)
        codes = list(deck) if isinstance(deck, bytes | bytearray) else [as_int("a card", card) for card in deck]
        expected = self.full_deck()
        if sorted(codes) != sorted(expected):
            raise ValueError(self._fault_of_deck(codes, Counter(expected)))
        return players, self.left_out.put_last(bytes(codes), players)

    def _fault_of_deck(self, codes: list[int], left: Counter[int]) -> str:
        """What is wrong with card codes that are not the whole deck; `left` are the codes of the whole deck."""
        for index, code in enumerate(codes, 1):
            if code not in left:
                return f"card {index}: {shown(code)} is not a code of a card; use {min(left)} to {max(left)}"
        if len(codes) != self.deck_size:
            return f"{many(len(codes), 'card')} are not the whole deck; use {self.deck_size}"
        often = next(code for code, count in Counter(codes).items() if count > left[code])
        name, times = self.codec.notation.cards[often], many(left[often], "time")
        return f"{name} is in the deck more than {times}; use the whole deck of {self.deck_size} cards"


def misasked(game: Parts) -> Iterator[str]:
    """Phases that ask seats without a field for whose turn it is, and events that decline nothing."""
    for phase, control in game.control.items():
        if control.declines and not isinstance(getattr(game.table(), TURN, None), int):
            yield f"phase {phase} asks seats, but the table has no field for whose turn it is; declare {TURN}: int"
        for trigger in control.declines:
            if trigger not in control.triggers:
                yield f"phase {phase}: event {trigger!r} declines nothing; use one of {', '.join(control.triggers)}"


def misseen(game: Parts) -> Iterator[str]:
    """Phases and events that are taken for others, and can be told from them."""
    for phase, control in game.control.items():
        use = f"phase {phase}"
        if control.seen_as is None:
            for offer in control.offers:
                if offer.seen_as is not None:
                    yield f"{use}: offer {offer.trigger!r} is seen as another event; declare seen_as of the phase also"
            continue
        for arc in game.arcs:
            if arc.dest is phase and (arc.source is not control.seen_as or arc.before):
                yield f"{use} is seen as {control.seen_as}: transition {arc}; use one from there without effects"
        for offer in control.offers:
            for arc in game.leaving(phase, offer.trigger) if offer.seen_as is not None else ():
                if arc not in game.disguises:
                    like = f"{control.seen_as} --{offer.seen_as}--> {arc.dest}"
                    yield f"{use}: transition {arc} is seen as {like}; declare such a transition with the same effects"


def unknown_reveals(game: Parts) -> Iterator[str]:
    """Events that are made public and that the game does not have."""
    for trigger in game.reveals:
        if trigger not in game.triggers:
            yield f"reveals: unknown event {trigger!r}; use one of {', '.join(game.triggers)}"


def misnamed(game: Parts) -> Iterator[str]:
    """Offers that name other values than the table has a field for, or than another offer of their event."""
    table = game.table()
    forced = {trigger for control in game.control.values() for trigger in control.forced}
    first: dict[str, Offer] = {}
    for phase, control in game.control.items():
        for offer in control.offers:
            use = f"phase {phase}: offer {offer.trigger!r}"
            if len(offer.masks) > 1:
                yield f"{use} names {' and '.join(kind.masks for kind in offer.masks)}; use one kind of value"
            if offer.kind and not isinstance(getattr(table, offer.kind, None), int):
                field = f"{offer.kind}: int = seen_by_all(-1)"
                yield f"{use} names {offer.kind.masks}, but the table has no such field; declare {field}"
            if offer.forms and (offer.cards is None or game.codec.sets is None):
                yield f"{use} names forms; use it with the lowest cards of sets, and with sets of the codec"
            if offer.trigger in forced and _shape(offer) != "nothing":
                yield f"{use} names {_shape(offer)}, but the event is forced in another phase; use another event"
            other = first.setdefault(offer.trigger, offer)
            may_name_none = offer.cards and other.cards and None in (offer.kind, other.kind)  # no value with some cards
            if not may_name_none and _shape(offer) != _shape(other):
                yield f"{use} names {_shape(offer)}, its other offer {_shape(other)}; use the same in both"


def _shape(offer: Offer) -> str:
    """What is named with an event."""
    named = ["cards"] * (offer.cards is not None) + [kind.masks for kind in offer.masks]
    return " and ".join(named) or "nothing"


def undecided(game: Parts) -> Iterator[str]:
    """Policies without a last resort, or that choose what is not offered."""
    names = [policy.name for policy in game.policies]
    if len(set(names)) < len(names) or not names:
        yield f"the policies are {', '.join(names) or 'none'}; declare one or more, each with its own name"
    for policy in game.policies:
        for phase in policy.choices:
            if phase not in list(game.phases):
                yield f"policy {policy.name}: unknown phase {str(phase)!r}{expected_name(phase, game.phases)}"
        if not (policy.choices or policy.rolls_dice or policy.takes_first):
            yield f"policy {policy.name} has no choices; declare some for each phase with offers"
        for phase, control in game.control.items():
            choices = policy.choices.get(phase, ())
            if policy.choices and control.offers and not (choices and not choices[-1].conditions):
                yield f"policy {policy.name}: phase {phase} has no last resort; add a last choice without conditions"
    for policy, phase, choice in game.choices():
        offers = {offer.trigger: offer for offer in game.control_of(phase).offers}
        if choice.trigger not in offers:
            yield f"policy {policy.name}: phase {phase} has no event {choice.trigger!r}; choose one that it offers"
        elif (choice.card is None) != (offers[choice.trigger].cards is None):
            yield f"policy {policy.name}: phase {phase}: {choice.trigger!r} must name a card exactly if the offer does"
        else:
            yield from _mispicked(f"policy {policy.name}: phase {phase}: {choice.trigger!r}", choice, offers)


def _mispicked(use: str, choice: Choice, offers: Mapping[str, Offer]) -> Iterator[str]:
    """What is wrong with the values that a decision rule picks."""
    offer = offers[choice.trigger]
    for kind in choice.picks:
        if kind is not offer.kind:
            yield f"{use} picks a value of the kind {kind}; the offer names {_shape(offer)}"
    if (offer.cards is None or offer.forms) and offer.kind and not choice.picks:
        yield f"{use} picks nothing; the offer names {_shape(offer)}"


def unsaid(game: Parts) -> Iterator[str]:
    """Properties of unknown phases and events, and several with one description."""
    stated = [(each.description, each.phases) for each in game.all_invariants]
    stated += [(each.description, each.phases) for each in game.responses]
    for description, phases in stated:
        for phase in phases:
            if not isinstance(phase, game.phases):
                yield f"{description!r}: unknown phase {str(phase)!r}{expected_name(phase, game.phases)}"
    stated += [(after.description, ()) for after in game.postconditions]
    for description, times in Counter(description for description, _ in stated).items():
        if times > 1:
            yield f"{description!r} describes {times} properties; describe each differently"
    for after in game.postconditions:
        fired = {arc.trigger for arc in game.arcs if after.concerns(arc)}
        for trigger in after.triggers:
            if trigger not in game.triggers:
                yield from misfits(f"{after.description!r}: ", after)  # a text is taken for its letters
                yield f"{after.description!r}: unknown event {trigger!r}; use one of {', '.join(game.triggers)}"
            elif trigger not in fired:
                yield f"{after.description!r}: event {trigger!r} leads to none of its phases; remove one of them"


def misshown(game: Parts) -> Iterator[str]:
    """Events, facts, endings, sentences and cards that are shown and that the game does not have."""
    facts, endings = [fact.name for fact in game.codec.facts], list(map(str, Ending))
    named = {"event": game.triggers, "fact": facts, "ending": endings}
    expected = {what: f"one of {', '.join(known)}" for what, known in named.items()}
    expected["sentence"] = "that of a transition"
    found = [
        f"{part}: unknown {what} {name!r}; use {expected[what]}"
        for what, known in {**named, "sentence": {arc.description for arc in game.arcs}}.items()
        for part in SHOWN[what]
        for name in getattr(game.look, part)
        if name not in known
    ]
    cards = game.codec.notation.cards
    found += [f"guide: unknown card {name!r}" for name in game.look.guide.pictured if name not in cards]
    if found:
        yield from misfits("", game.look)  # a text in place of a tuple is taken for its letters
        yield from found


FIRST_DEALER = 1
"""The dealer of a game that is played by itself, and of the first round of a match: player 1."""
