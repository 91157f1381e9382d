"""A game that is stepped: one `transitions` event at a time, with the reason of every move, and undo to the start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

from fsm.arcs import Acting, Arc, Choice, Declaration, Offer, Phase, Policy
from fsm.machine import ArcMachine, machine_of
from fsm.policy import RANDOM
from fsm.position import NOTHING, Position, PositionError, fact_text, parse_position, set_fact
from fsm.snapshot import Snapshot, Snapshots, position_key
from rules.chance import SEED_LIMIT, below, shuffle
from rules.ending import NO_WINNER, Ending
from rules.notation import UNKNOWN
from rules.piles import discard_pile, draw_pile
from rules.reading import Dealt
from rules.rule import refusal_of

NONE = -1
LINE = 160
"""Columns of a line in which the hands of many players are shown."""


class IllegalMove(ValueError):
    """The rules refuse an event; the message says why, and what may be done. Nothing has changed."""


class Step(NamedTuple):
    """One fired event: who (players from 1), what, along which arc, and by which decision rule, if one chose it.

    card: the card played or taken, else None. suit: the suit named with it, else None.
    """

    trigger: str
    source: Phase
    dest: Phase
    player: int
    card: str | None
    suit: str | None
    arc: Arc
    rule: str | None


class Move(NamedTuple):
    """An event with its card and suit, ready to be fired with `game.fire(*move)`."""

    trigger: str
    card: str | None = None
    suit: str | None = None

    def __str__(self) -> str:
        naming = f" naming {self.suit}" if self.suit else ""
        return f"{self.trigger} {self.card}{naming}" if self.card else self.trigger


@dataclass(frozen=True)
class Events:
    """The moves that are legal now, and the reason why each other is refused, by its text."""

    legal: tuple[Move, ...]
    refused: Mapping[str, str]

    def __iter__(self) -> Iterator[Move]:
        return iter(self.legal)

    def __len__(self) -> int:
        return len(self.legal)

    def __contains__(self, move: object) -> bool:
        return move in self.legal or move in [str(legal) for legal in self.legal]

    def __repr__(self) -> str:
        lines = [f"may {_listed(self.legal, ' or ') or 'do nothing'}"]
        return "\n".join(lines + [f"may not {move}: {reason}" for move, reason in self.refused.items()])


class Outcome(NamedTuple):
    """How a game ended. winner: the player (from 1), or None. scores: points left with each player."""

    ending: Ending
    winner: int | None
    scores: tuple[int, ...]

    def __str__(self) -> str:
        if self.winner is None:
            return f"no winner: {self.ending}"
        return f"player {self.winner} won, scores {' '.join(map(str, self.scores))}"


class Plan(NamedTuple):
    """What happens in a phase, looked up once: `Acting` with the arcs of each event."""

    forced: tuple[tuple[str, tuple[Arc, ...]], ...]
    certain: str | None
    offers: tuple[Offer, ...]
    arcs: Mapping[str, tuple[Arc, ...]]
    starts_turn: bool

    @classmethod
    def of(cls, game: Declaration, phase: Phase) -> Plan:
        """The plan of a phase. certain: the one event that is forced whatever the guards say."""
        acting = game.acting.get(phase, Acting())
        arcs = {trigger: game.leaving(phase, trigger) for trigger in acting.triggers}
        certain = acting.forced[0] if len(acting.forced) == 1 and not acting.offers else None
        forced = tuple((trigger, arcs[trigger]) for trigger in acting.forced)
        return cls(forced, certain, acting.offers, arcs, acting.starts_turn)


class Game:
    """A game of one declaration. Make one with `deal`, `parse` or `at`; the subclass names the declaration.

    All games of a class share `machine`; only it changes `phase`.
    """

    declaration: ClassVar[Declaration]
    machine: ClassVar[ArcMachine]
    phase: Phase
    fired: Arc
    _snapshots: ClassVar[Snapshots]
    _key: ClassVar[Any]
    _plans: ClassVar[dict[Phase, Plan]]
    _played: ClassVar[frozenset[str]]

    def __init_subclass__(cls) -> None:
        """Make the machine of a game class once, and check that every event has a method."""
        game = cls.declaration
        if missing := [trigger for trigger in game.triggers if not hasattr(cls, trigger)]:
            raise TypeError(f"{cls.__name__}: no method for event {', '.join(missing)}")
        cls.machine = machine_of(game)
        cls._snapshots = Snapshots(game.table)
        blank = game.table()
        lists = tuple(name for name in vars(game.table)["__slots__"] if isinstance(getattr(blank, name), list))
        facts = tuple(fact.field for fact in game.words.facts if fact.field not in lists)
        cls._key = staticmethod(position_key(facts, lists))
        cls._plans = {phase: Plan.of(game, phase) for phase in game.phases}
        offers = (offer for plan in cls._plans.values() for offer in plan.offers)
        cls._played = frozenset(offer.trigger for offer in offers if offer.cards is not None)

    def __init__(self, table: Any, phase: Phase, hands: Sequence[Sequence[int]], policies: Sequence[str] = ()) -> None:
        """Take over `table` in `phase`. hands: card codes in the order in which they came, for display.

        policies: one name for all seats or one for each (default: the first of the declaration). Raises ValueError.
        """
        self.table = table
        self.machine.set_state(phase, self)
        self.opening_card = self._name(table.open_card)
        self.history: list[Step] = []
        self._past: list[Snapshot] = []
        self._first_hands = [list(hand) for hand in hands]
        self._hands = [list(hand) for hand in hands]
        self._told = 0
        self._turns_seen: dict[tuple[Phase, Snapshot], int] = {}
        self._by_hand: list[int] = []
        self.policies = [self.declaration.policy(name) for name in self.seated(self.players, policies)]
        self._watches = all(policy.deterministic for policy in self.policies)

    # ---------------------------------------------------------------- made from cards, a seed, a position

    @classmethod
    def of_deck(
        cls, players: int, deck: Sequence[int], policies: Sequence[str] = (), seed: int = 0, number: int = 0
    ) -> Self:
        """The game that `players` start with `deck`: card codes, the top card first.

        seed, number: the dice of random players. Raises ValueError for a number of players that does not play.
        """
        game = cls.declaration
        table = game.table()
        game.deal(table, deck, cls._checked_players(players))
        table.seed, table.number = _checked("seed", seed), _checked("number", number)
        hands: list[list[int]] = [[] for _ in range(players)]
        for place in range(players * game.words.cards_each(players)):
            hands[game.words.dealt_to(place, players)].append(deck[place])
        return cls(table, game.initial, hands, policies)

    @classmethod
    def deal(cls, players: int, seed: int, number: int = 0, policies: Sequence[str] = ()) -> Self:
        """Game `number` of the endless row of games that belongs to `seed`, the same on every machine.

        Raises ValueError for numbers of players, seeds (0 to below 2**63) or game numbers out of range.
        """
        return cls.of_deck(players, cls.deck_of(players, seed, number), policies, seed, number)

    @classmethod
    def deck_of(cls, players: int, seed: int, number: int = 0) -> bytearray:
        """The card codes of game `number` of `seed`, the top card first. Raises ValueError as `deal` does."""
        cls._checked_players(players)
        deck = cls.full_deck()
        shuffle(deck, _checked("seed", seed), _checked("number", number))
        if amend := cls.declaration.amend:
            amend(deck, players, seed, number)
        return deck

    @classmethod
    def full_deck(cls) -> bytearray:
        """The card codes of the whole deck, unshuffled."""
        deck = bytearray(cls.declaration.deck_size)
        cls.declaration.fill(deck)
        return deck

    @classmethod
    def read(cls, text: str, source: str) -> list[Dealt]:
        """The games of the problem's whole input. Raises InputError, which tells every bad line."""
        raise NotImplementedError

    @classmethod
    def write(cls, players: int, deck: Sequence[int]) -> str:
        """The problem's input for one game."""
        raise NotImplementedError

    @classmethod
    def at(cls, position: str | Position, policies: Sequence[str] = ()) -> Self:
        """The game that stands at `position`, without a history. Raises PositionError if it is none."""
        game = cls.declaration
        if isinstance(position, str):
            position = parse_position(game, position)
        if not position.is_whole:
            raise PositionError(f"position: the cards called {UNKNOWN} must be known before it can be stepped")
        table, hands = cls._table_of(position)
        phase = next(phase for phase in game.phases if str(phase) == position.phase)
        if fault := cls._fault(phase, table):
            raise PositionError(f"position: {phase}: {fault}")
        return cls(table, phase, hands, policies)

    @classmethod
    def seated(cls, players: int, policies: Sequence[str]) -> tuple[str, ...]:
        """The policy of each seat: one name serves all, none is the default. Raises ValueError."""
        game = cls.declaration
        names = [game.policy(name).name for name in policies] or [game.policies[0].name]
        if len(names) not in (1, players):
            raise ValueError(f"{len(names)} policies for {players} players, expected one or one for each")
        return tuple(names * players if len(names) == 1 else names)

    # ---------------------------------------------------------------- what can be seen

    @property
    def player(self) -> int:
        """The player in turn, from 1."""
        return int(self.table.player) + 1

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.table.players)

    @property
    def open_card(self) -> str:
        """The name of the open card."""
        return self._name(self.table.open_card)

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The names of each player's cards, in the order in which they were dealt and drawn."""
        notation = self.declaration.words.notation
        for step in self.history[self._told :]:
            hand = self._hands[step.player - 1]
            if step.card and step.trigger in self._played:
                hand.pop(next(place for place, code in enumerate(hand) if notation.cards[code] == step.card))
            elif step.card:
                hand.append(notation.card(step.card))
        self._told = len(self.history)
        return tuple(tuple(notation.names(hand)) for hand in self._hands)

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """The names of the cards of the draw pile, its top card first."""
        return tuple(self.declaration.words.notation.names(draw_pile(self.table)))

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The names of the cards of the discard pile, its bottom card first."""
        return tuple(self.declaration.words.notation.names(discard_pile(self.table)))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        if self.phase is not self.declaration.final:
            return None
        winner = None if self.table.winner == NO_WINNER else int(self.table.winner) + 1
        scores = (int(self.declaration.score(self.table, seat)) for seat in range(self.players))
        return Outcome(Ending(self.table.ending), winner, tuple(scores))

    @property
    def starts_turn(self) -> bool:
        """Whether a player's turn starts here."""
        return self._plans[self.phase].starts_turn

    @property
    def forced_events(self) -> tuple[str, ...]:
        """The events that happen in this phase by themselves, when they can."""
        return tuple(trigger for trigger, _ in self._plans[self.phase].forced)

    def position(self, seen_by: int | None = None) -> str:
        """The position on one line; what player `seen_by` (from 1) sees of it, if one is given.

        Raises ValueError for a player who is not there.
        """
        whole = self._position()
        if seen_by is not None and not 1 <= seen_by <= self.players:
            raise ValueError(f"player {seen_by} sees nothing, expected 1 to {self.players}")
        return str(whole if seen_by is None else whole.seen_by(seen_by - 1))

    def events(self) -> Events:
        """What may be fired now, and why each other event or card is refused."""
        legal = tuple(self._named(move) for move in self._legal())
        refused: dict[str, str] = {}
        for trigger in self.declaration.triggers:
            cards = dict.fromkeys(self.hands[self.player - 1]) if trigger in self._played else [None]
            for card in cards:
                if not any((move.trigger, move.card) == (trigger, card) for move in legal):
                    refused[str(Move(trigger, card))] = self._refusal(trigger, card)
        return Events(legal, MappingProxyType(refused))

    # ---------------------------------------------------------------- stepping

    def fire(self, trigger: str, card: str | None = None, suit: str | None = None) -> Step:
        """Fire an event, with the name of a card and of a suit if it takes them.

        Raises IllegalMove, which says why and what may be done instead, and changes nothing.
        """
        return self._fire_named(trigger, card, suit, None)

    def step(self) -> Step:
        """Fire the event that is forced, or that the policy of the player in turn chooses.

        Raises IllegalMove when the game is over.
        """
        table = self.table
        plan = self._plans[self.phase]
        if plan.certain:
            return self._sure(self._fire(plan.certain, None))
        if plan.starts_turn and self._watches:
            self._watch()
        for trigger, arcs in plan.forced:
            for arc in arcs:
                if arc.enabled(table):
                    return self._sure(self._fire(trigger, None))
        policy = self.policies[table.player]
        for choice in policy.choices.get(self.phase, ()):
            for applies in choice.when:
                if not applies(table):
                    break
            else:
                return self._choose(choice)
        return self._follow(policy)

    def offer_again(self, step: Step) -> None:
        """Put the card and suit of `step` on the table, as `fire_again` does, and fire nothing."""
        if step.trigger in self._played:
            self._offer(step.trigger, step.card, step.suit)

    def fire_again(self, step: Step) -> Step:
        """Fire what `step` tells, by the same decision rule. Raises IllegalMove as `fire` does."""
        if self._plans[self.phase].starts_turn and self._watches:
            self._watch()
        card, suit = (step.card, step.suit) if step.trigger in self._played else (None, None)
        return self._fire_named(step.trigger, card, suit, step.rule)

    def restarted(self) -> Self:
        """The same game at its start: same cards, same players, no history."""
        table = self.declaration.table()
        self._snapshots.restore(table, self._past[0] if self._past else self._snapshots.take(self.table))
        phase = self.history[0].source if self.history else self.phase
        return type(self)(table, phase, self._first_hands, [policy.name for policy in self.policies])

    def dealt_deck(self) -> list[int]:
        """The card codes of the deck, the top card first, from which the game was dealt."""
        start = self.restarted()
        hands = [list(hand) for hand in self._first_hands]
        dealt_to = self.declaration.words.dealt_to
        dealt = [hands[dealt_to(place, self.players)].pop(0) for place in range(sum(map(len, hands)))]
        return dealt + discard_pile(start.table) + draw_pile(start.table)

    def run(self) -> Outcome:
        """Step to the end of the game."""
        final = self.declaration.final
        while self.phase is not final:
            self.step()
        outcome = self.outcome
        assert outcome is not None
        return outcome

    def undo(self) -> Step:
        """Take back the last event and return it. Raises IllegalMove at the start."""
        if not self.history:
            raise IllegalMove("nothing to undo: no event was fired yet")
        step = self.history.pop()
        if self._told > len(self.history):
            self._hands, self._told = [list(hand) for hand in self._first_hands], 0
        self._snapshots.restore(self.table, self._past.pop())
        self.machine.set_state(step.source, self)
        self.table.returned = 0  # found anew when the game is stepped on
        self._turns_seen = {key: at for key, at in self._turns_seen.items() if at <= len(self.history)}
        while self._by_hand and self._by_hand[-1] > len(self.history):
            self._by_hand.pop()
        return step

    # ---------------------------------------------------------------- how it looks

    def __str__(self) -> str:
        """The table, as the statement of the problem shows it; many players stand in several lines."""
        dealt = self.declaration.words.cards_each(self.players)
        told = [f"player {seat + 1}: {' '.join(hand)}" for seat, hand in enumerate(self.hands)]
        width = len("player 1: ") + 3 * dealt + 5
        fitting = max(LINE // (width + 1), 2) if self.players > 4 else self.players
        rows = [told[first : first + fitting] for first in range(0, len(told), fitting)]
        lines = ["".join(text.ljust(max(width, len(text) + 3)) for text in row).rstrip() for row in rows]
        lines.append(f"discard pile: {' '.join(self.discard_pile)}".rstrip())
        lines.append(f"draw pile:    {' '.join(self.draw_pile)}".rstrip())
        return "\n".join(lines)

    def __repr__(self) -> str:
        outcome = self.outcome
        state = outcome or f"player {self.player} in turn, open card {self.open_card}"
        return f"<{type(self).__name__} {self.phase}: {state}>"

    def __eq__(self, other: object) -> bool:
        """Whether both games stand at the same position; how they came there does not matter."""
        if not isinstance(other, Game):
            return NotImplemented
        same_game = self.declaration is other.declaration
        return same_game and self._position().canonical() == other._position().canonical()

    __hash__ = None  # type: ignore[assignment]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The diagram with the current phase lit, where an installed renderer draws it, and the table as text."""
        bundle: dict[str, Any] = {"text/plain": f"{self!r}\n{self}"}
        for renderer in entry_points(group="maumau.notebook"):
            bundle |= renderer.load()(self)
        return bundle

    # ---------------------------------------------------------------- the work behind it

    def _fire_named(self, trigger: str, card: str | None, suit: str | None, rule: str | None) -> Step:
        table = self.table
        before = table.card, table.suit
        chosen = self._offer_of(trigger) is not None and rule is None
        fault = self._offer(trigger, card, suit)
        step = None if fault else self._fire(trigger, rule)
        if step is None:
            fault = fault or self._refusal(trigger, card)
            table.card, table.suit = before
            raise IllegalMove(self._told_refusal(trigger, card, fault))
        if chosen:
            self._by_hand.append(len(self.history))
        return step

    def _fire(self, trigger: str, rule: str | None) -> Step | None:
        """Fire an event whose card and suit lie on the table; None, and nothing changed, if no arc is enabled."""
        table, source = self.table, self.phase
        past = self._snapshots.take(table)
        player, taken = table.player, table.head
        if not self.machine.events[trigger].trigger(self, table):
            return None
        self._past.append(past)
        card = suit = None
        if trigger in self._played:
            card, suit = self._name(table.card), self._suit_name(table.suit)
        elif table.head != taken:
            card = self._name(table.drawn)
        step = Step(trigger, source, self.phase, player + 1, card, suit, self.fired, rule)
        self.history.append(step)
        return step

    def _choose(self, choice: Choice) -> Step:
        table = self.table
        if choice.card is not None:
            table.card = choice.card(table)
            table.suit = NONE if choice.suit is None else choice.suit(table)
        return self._sure(self._fire(choice.trigger, choice.rule))

    def _follow(self, policy: Policy) -> Step:
        """Choose as a policy without decision rules does: any legal move, or the first."""
        if self.phase is self.declaration.final:
            raise IllegalMove(f"the game is over: {self.outcome}")
        moves = list(self._legal())
        chosen = 0
        table = self.table
        if policy is RANDOM and len(moves) > 1:
            chosen = below(len(moves), table.seed, table.number, table.rolls)
            table.rolls += 1
        trigger, card, suit = moves[chosen]
        if card != NONE:
            table.card, table.suit = card, suit
        return self._sure(self._fire(trigger, policy.name))

    def _sure(self, step: Step | None) -> Step:
        if step is None:
            raise AssertionError(f"{self.declaration.name}: no arc is enabled at {self.position()}")
        return step

    def _arcs(self, trigger: str) -> tuple[Arc, ...]:
        return self._plans[self.phase].arcs.get(trigger, ())

    def _legal(self) -> Iterator[tuple[str, int, int]]:
        """The legal moves in order: trigger, card code and suit code, -1 for none."""
        table, plan = self.table, self._plans[self.phase]
        forced = [trigger for trigger, arcs in plan.forced if any(arc.enabled(table) for arc in arcs)]
        if forced:
            yield from ((trigger, NONE, NONE) for trigger in forced)
            return
        offered = table.card, table.suit
        for offer in plan.offers:
            if offer.cards is None:
                if any(arc.enabled(table) for arc in self._arcs(offer.trigger)):
                    yield offer.trigger, NONE, NONE
                continue
            for card in bits(offer.cards(table)):
                table.card = card
                suits = offer.suits(table) if offer.suits else 0
                table.card = offered[0]
                for suit in bits(suits) if suits else (NONE,):
                    yield offer.trigger, card, suit

    def _offer(self, trigger: str, card: str | None, suit: str | None) -> str | None:
        """Put card and suit on the table for an event; the reason, if they cannot be meant."""
        offer = self._offer_of(trigger)
        if self.phase is self.declaration.final:
            return f"the game is over: {self.outcome}"
        if offer is None or offer.cards is None:
            if not self._arcs(trigger):
                return self._refusal(trigger, card)
            return None if card is None and suit is None else f"{trigger} takes neither a card nor a suit"
        if card is None:
            return "a card must be named"
        table, words = self.table, self.declaration.words
        try:
            words.notation.card(card)
            named = NONE if suit is None else words.notation.suit(suit)
        except ValueError as error:
            return str(error)
        codes = [code for code in words.held(table, table.player) if self._name(code) == card]
        if not codes:
            return f"player {self.player} does not hold it"
        table.card, table.suit = codes[0], named
        if not any(self._name(code) == card for code in bits(offer.cards(table))):
            return None  # the guards say why
        suits = list(bits(offer.suits(table))) if offer.suits else []
        if suits and named not in suits:
            letters = ", ".join(words.notation.suits[code] for code in suits)
            return f"it must name a {words.notation.suit_word}, one of {letters}"
        return f"it names no {words.notation.suit_word}" if named != NONE and not suits else None

    def _offer_of(self, trigger: str) -> Offer | None:
        return next((offer for offer in self._plans[self.phase].offers if offer.trigger == trigger), None)

    def _refusal(self, trigger: str, card: str | None) -> str:
        """Why no arc of an event is enabled, in words; `card` is the one that would be played."""
        table = self.table
        arcs = self._arcs(trigger)
        if not arcs:
            if self.phase is self.declaration.final:
                return f"the game is over: {self.outcome}"
            here = _listed(tuple(self._plans[self.phase].arcs), " or ")
            return f"not an event of {self.phase}, where it is time to {here}"
        before = table.card
        if card is not None:
            held = self.declaration.words.held(table, table.player)
            table.card = next((code for code in held if self._name(code) == card), before)
        failed = [
            guard
            for arc in arcs
            for guard in (*(g for g in arc.when if not g(table)), *(g for g in arc.unless if g(table)))
        ]
        always = [guard for guard, times in Counter(failed).items() if times == len(arcs)]
        first = (always or failed)[0]
        excluded = not any(first in arc.when for arc in arcs)
        table.card = before
        return _excluded(first) if excluded else refusal_of(first).format_map(self._told_facts(card))

    def _told_facts(self, card: str | None) -> dict[str, str]:
        """What refusals may name: the card that is played and the facts of the position."""
        game = self.declaration
        facts = {fact.field: fact_text(game, fact, self.table) for fact in game.words.facts}
        return {**facts, "card": card or "the card", "open_card": self.open_card}

    def _told_refusal(self, trigger: str, card: str | None, fault: str) -> str:
        cannot = f"player {self.player} cannot {trigger}" + (f" {card} on {self.open_card}" if card else "")
        if self.phase is self.declaration.final:
            return f"{cannot}: {fault}"
        moves = [self._named(move) for move in self._legal()]
        first = {move.trigger: str(move) for move in reversed(moves)}
        told = [move.card or move.trigger if str(move) != first[move.trigger] else str(move) for move in moves]
        return f"{cannot}: {fault}; may {_listed(tuple(dict.fromkeys(told)), ' or ')}"

    def _watch(self) -> None:
        """At the start of a turn: note the position, and whether it was there since a move was last made by hand."""
        at, key = len(self.history), (self.phase, self._key(self.table))
        since = self._by_hand[-1] if self._by_hand else 0
        seen = self._turns_seen.setdefault(key, at)
        if seen < since:
            self._turns_seen[key] = at
        self.table.returned = int(since <= seen < at)

    def _named(self, move: tuple[str, int, int]) -> Move:
        trigger, card, suit = move
        return Move(trigger, None if card == NONE else self._name(card), self._suit_name(suit))

    def _name(self, card: int) -> str:
        return self.declaration.words.notation.cards[card]

    def _suit_name(self, suit: int) -> str | None:
        return None if suit == NONE else self.declaration.words.notation.suits[suit]

    def _position(self) -> Position:
        game = self.declaration
        facts = tuple((fact.name, fact_text(game, fact, self.table)) for fact in game.words.facts)
        return Position(str(self.phase), facts, self.hands, self.discard_pile, self.draw_pile)

    @classmethod
    def _checked_players(cls, players: int) -> int:
        words = cls.declaration.words
        if players not in range(words.fewest, words.most + 1):
            raise ValueError(f"{players} players, expected {words.fewest} to {words.most}")
        return players

    @classmethod
    def _table_of(cls, position: Position) -> tuple[Any, list[list[int]]]:
        """The table that `position` describes, and its hands in the order given. Raises PositionError."""
        game = cls.declaration
        table = game.table()
        players = len(position.hands)
        if players not in range(game.words.fewest, game.words.most + 1):
            expected = f"{game.words.fewest} to {game.words.most}"
            raise PositionError(f"position: hands of {players} players, expected {expected}")
        if not position.discard:
            raise PositionError(f"position: discard={NOTHING}, expected at least the open card")
        codes = cls._codes(position)
        table.players = players
        for fact, (_, text) in zip(game.words.facts, position.facts, strict=True):
            set_fact(game, fact, text, table)
        hands = [[codes.pop(0) for _ in hand] for hand in position.hands]
        for seat, hand in enumerate(hands):
            for card in hand:
                game.words.receive(table, seat, card)
        table.ring[: len(codes)] = bytes(codes)
        table.stock, table.tail = len(position.draw), len(codes)
        table.open_card = table.card = codes[-1]
        table.bottom = table.stock
        return table, hands

    @classmethod
    def _codes(cls, position: Position) -> list[int]:
        """The codes of all cards: hands, draw pile, discard pile. Raises PositionError unless they are one deck."""
        game = cls.declaration
        deck = cls.full_deck()
        left: dict[str, list[int]] = {}
        for code in deck:
            left.setdefault(game.words.notation.cards[code], []).append(code)
        codes = []
        for card in (*(card for hand in position.hands for card in hand), *position.draw, *position.discard):
            if not left[card]:
                raise PositionError(f"position: {card} is there too often")
            codes.append(left[card].pop(0))
        if missing := [card for card, rest in left.items() if rest]:
            raise PositionError(f"position: {', '.join(missing)} missing, expected all {len(deck)} cards")
        return codes

    @classmethod
    def _fault(cls, phase: Phase, table: Any) -> str | None:
        """What contradicts the phase in a position, if anything; games say more."""
        if (phase is cls.declaration.final) != (table.ending != Ending.RUNNING):
            return "an ending is expected when the game is over, and only then"
        if (table.ending == Ending.WON) != (table.winner != NO_WINNER):
            return "a winner is expected when the game was won, and only then"
        return None


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set in `mask`, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _checked(what: str, number: int) -> int:
    if not 0 <= number < SEED_LIMIT:
        raise ValueError(f"{what} {number} is out of range, expected 0 to {SEED_LIMIT - 1}")
    return number


def _listed(things: Sequence[object], last: str) -> str:
    """`a, b or c`."""
    texts = [str(thing) for thing in things]
    return last.join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _excluded(guard: Any) -> str:
    return f"not while {(guard.__doc__ or '').split('.')[0].lower()}"
