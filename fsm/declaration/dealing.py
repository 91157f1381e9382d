"""How the deck of a game is dealt, and games with small decks of some of its cards."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import replace
from functools import cached_property, wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

from fsm.declaration.arcs import Invariant
from fsm.declaration.defaults import check_names
from fsm.declaration.parts import HANDS, Parts
from fsm.edge.numbers import seed_number
from rules.cards import NO_CARD
from rules.chance import below, shuffle
from rules.notation import listed
from rules.rule import RuleFunction, effect

AMENDING = 1 << 20
"""The first of the places of the dice by which a small deck is amended: above those of the players."""


class DealtParts(Parts):
    """The parts of the declaration of a game, and what follows from how it is dealt."""

    if not TYPE_CHECKING:  # it knows the names of the parts from the dataclass

        @wraps(Parts.__init__)
        def __init__(self, *unnamed: object, **given: Any) -> None:
            check_names(Parts.__init__, unnamed, given)
            super().__init__(**given)

    @cached_property
    def dealable_deck(self) -> bytearray:
        """A deck whose deal raises no error: the unshuffled one, or else the first such one when cards are cut from its
        top to its bottom one by one. Errors that only some decks raise are left to checks to find.
        """
        deck, errors = self.full_deck(), list[Exception]()
        while len(errors) < len(deck):
            try:
                self.deal(self.table(), deck, self.codec.fewest)
            except Exception as error:
                errors.append(error)
                deck.append(deck.pop(0))
            else:
                return deck
        raise errors[0]

    @cached_property
    def held_in(self) -> tuple[str, ...]:
        """The fields with the cards that are held: more than one where a card may be held several times."""
        return self.copies_held or HANDS[:1]

    @cached_property
    def opens_card(self) -> bool:
        """Whether the deal exposes a card."""
        table = self.table()
        self.deal(table, self.dealable_deck, self.codec.fewest)
        return bool(table.open_card != NO_CARD)

    def shuffled_deck(self, players: int, seed: SupportsIndex, number: SupportsIndex) -> bytearray:
        """Return the card codes of a deck, the top card first.

        players: how many. seed, number: of the game. Raises TypeError or ValueError.
        """
        seed, deck = seed_number("seed", seed), self.full_deck()
        number = seed_number("number", number)
        shuffle(deck, seed, number)
        if self.amend:
            self.amend(deck, players, seed, number)
        return deck

    @cached_property
    def has_twins(self) -> bool:
        """Whether some card is in the deck more than once."""
        return len({self.codec.notation.cards[code] for code in self.full_deck()}) < self.deck_size

    def seats_dealt(self, players: int, each: int | None = None) -> list[int]:
        """Return the seat that is dealt each card, from the top of the deck on.

        players: how many. each: cards dealt to each, if not as many as of the whole deck; the last players get a card
        less where the deck ends before.
        """
        each = self.codec.cards_each(players) if each is None else each
        return [self.codec.dealt_to(index, players, each) for index in range(min(players * each, self.deck_size))]

    def hands_dealt(self, players: int, cards: Iterable[int], each: int | None = None) -> list[list[int]]:
        """Return what each seat is dealt, in order.

        players: how many. cards: the codes of the deck, or its places. each: as of `seats_dealt`.
        """
        hands: list[list[int]] = [[] for _ in range(players)]
        for seat, card in zip(self.seats_dealt(players, each), cards, strict=False):
            hands[seat].append(card)
        return hands

    def sizes_dealt(self, players: int) -> list[int]:
        """Return how many cards each seat is dealt. players: how many."""
        return list(map(self.seats_dealt(players).count, range(players)))

    def places_dealt(self, players: int) -> list[int]:
        """Return for each card that is dealt to a seat its place in all hands, one after another.

        players: how many.
        """
        seats = self.seats_dealt(players)
        places = iter(range(len(seats)))
        hands = [list(islice(places, size)) for size in self.sizes_dealt(players)]
        return [hands[seat].pop() for seat in seats]

    def with_sorted_hands(self, players: int, deck: Sequence[int]) -> Sequence[int]:
        """Return a deck that deals the same hands, each sorted by the names of its cards; the same deck if that could
        matter.

        players: how many. deck: card codes. A game with `deal_each` deals by the cards of a hand, whatever their order:
        others are refused where it is declared.
        """
        if self.deal_each is None:
            return deck
        names, seats = self.codec.notation.cards, self.seats_dealt(players)
        hands: list[list[int]] = [[] for _ in range(players)]
        for code, seat in sorted(zip(deck, seats, strict=False), key=lambda dealt: names[dealt[0]])[::-1]:
            hands[seat].append(code)
        return [*(hands[seat].pop() for seat in seats), *deck[len(seats) :]]

    def codes_of(self, names: Iterable[str]) -> tuple[list[int], list[str]]:
        """Return the codes of cards by name, no card twice, and the names of those that are left.

        names: of the cards. Raises ValueError.
        """
        left, codes = self.codec.notation.by_name(self.full_deck()), []
        for name in names:
            self.codec.notation.card(name)
            if not left.get(name):
                raise ValueError(f"{name} appears too often; use each card as often as the deck has it")
            codes.append(left[name].pop(0))
        return codes, [name for name, rest in left.items() if rest]

    def broken_by_deal(self, players: int, deck: Sequence[int]) -> Invariant | None:
        """Return the first invariant that does not hold when a deck is dealt; None for one that may be dealt, as its
        first open card may lie open.

        players: how many. deck: card codes. Errors are left to checks to find.
        """
        table = self.table()

        def may_hold(invariant: Invariant) -> bool:
            try:
                return bool(invariant.holds(table))
            except Exception:
                return True

        try:
            self.deal(table, deck, players)
        except Exception:
            return None
        stated = (each for each in self.all_invariants if each.concerns(self.initial))
        return next((each for each in stated if not may_hold(each)), None)

    @cached_property
    def starters(self) -> frozenset[int]:
        """The codes of the cards with which a game may start, lying open; all in a game that opens none."""
        deck, players = self.full_deck(), self.codec.fewest
        opening = len(self.seats_dealt(players))

        def begun(code: int) -> bytearray:
            dealt = bytearray(deck)
            index = dealt.index(code)
            dealt[opening], dealt[index] = dealt[index], dealt[opening]
            return dealt

        return frozenset(
            code for code in deck if not self.opens_card or self.broken_by_deal(players, begun(code)) is None
        )

    # ---------------------------------------------------------------- small decks

    def fewest_cards(self, players: int, each: int) -> int:
        """Return the cards of the smallest deck from which `each` are dealt to every player. players: how many."""
        is_dealt_out = any(count * self.codec.cards_each(count) > self.deck_size for count in self.codec.players)
        spared = players - 1 if each and is_dealt_out else 0  # where some have a card less
        return players * each - spared + self.opens_card

    def small_deck(self, cards: str, players: int, each: int) -> tuple[int, ...]:
        """Return the codes of a small deck, ascending.

        cards: names with blanks between them. players: the fewest that are dealt to. each: cards dealt to each of them.
        Raises ValueError for cards that the game does not have, or has fewer of, if there are too few, and for a number
        of cards each with which the game cannot be played.
        """
        codes = tuple(sorted(self.codes_of(cards.split())[0]))
        least, needed = min(1, self.codec.cards_each(self.codec.fewest)), self.fewest_cards(players, each)
        if each < least or len(codes) < needed:
            expected = f"{least} or more each, and {needed} or more in the deck of {players} players"
            raise ValueError(f"{len(codes)} cards, {each} each; use {expected}")
        if self.codec.hand_sizes and each not in self.codec.hand_sizes:
            expected = listed(self.codec.hand_sizes, " or ")
            raise ValueError(f"{each} {self.codec.notation.card_word}s each; use {expected}")
        return codes

    def with_small_deck(self, cards: str, each: int) -> Self:
        """Return the declaration of this game with a small deck.

        cards, each: as of `small_deck`. Raises ValueError as well if no card may lie open at the start, and for a game
        that is played only with its whole deck.
        """
        if self.deal_each is None:
            raise ValueError(f"{self.title} is played only with its whole deck; leave out the small deck")
        codes = self.small_deck(cards, self.codec.fewest, each)
        deal_each = self.deal_each

        @effect
        def fill(deck: MutableSequence[int]) -> None:
            for index in range(len(codes)):
                deck[index] = codes[index]

        @effect
        def deal(table: Any, deck: Sequence[int], players: int) -> None:
            deal_each(table, deck, players, each)

        seated = tuple(players for players in self.codec.players if self.fewest_cards(players, each) <= len(codes))
        codec = replace(self.codec, cards_each=lambda players: each, players=seated)
        small = replace(
            self, deck_size=len(codes), fill=fill, deal=deal, amend=None, codec=codec, without={}, small_decks=()
        )
        if not small.starters:
            broken = small.broken_by_deal(small.codec.fewest, small.full_deck())
            raise ValueError(
                f"{cards}: no card may lie open at the start; this must hold: {broken and broken.description}"
            )
        return replace(small, amend=small._amending(each)) if self.amend else small

    def _amending(self, each: int) -> RuleFunction | None:
        """What exchanges a first open card that may not lie open with any card that may, so that all decks that may be
        dealt stay equally likely; None where all cards may.
        """
        codes, size = self.starters, self.deck_size
        fit = tuple(code in codes for code in range(max(self.full_deck()) + 1))

        @effect
        def amend(deck: MutableSequence[int], players: int, seed: int, number: int) -> None:
            opening = index = players * each
            roll = AMENDING
            while not fit[deck[index]]:
                index = below(size, seed, number, roll)
                roll += 1
            deck[opening], deck[index] = deck[index], deck[opening]

        return amend if codes < {*self.full_deck()} else None
