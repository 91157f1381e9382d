"""Parts of games of tricks: one leads, the others follow, and the best card takes the trick.

The best card is the highest trump, else the highest card of the suit led.

The cards played lie face up in the place of a discard pile, in the order in which they were played, `table.players` to
a trick. A game adds `TRICK_FACTS` to its facts. Codes of cards grow with the rank, four to each (see `rules.cards`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import ANY_CARD, NO_CARD, NO_SUIT, of_rank, of_suit, rank_of, suit_of
from rules.piles import discard_pile, trace
from rules.rule import Reason, RuleFunction, among, effect, guard, query
from rules.table import CardTable
from rules.visibility import seen_by_all

NOBODY = -1


@dataclass(slots=True)
class TrickTable(CardTable):
    """The cards and facts of a game of tricks."""

    is_cleared = True
    led: int = seen_by_all(NO_SUIT)  # the suit led
    laid: int = seen_by_all(0)  # cards of the trick
    best: int = seen_by_all(NO_CARD)  # the card that takes the trick so far
    taker: int = seen_by_all(NOBODY)  # its player
    trump: int = seen_by_all(NO_SUIT)  # a suit that beats the others, in games that have one


# ---------------------------------------------------------------- what may be played


@query
def held(table: CardTable) -> int:
    """The cards of the player in turn."""
    return table.hands[table.player]


is_held = among(held, "is_held", "{card} is not in the hand", "The card is in the hand.")


@query
def following(table: TrickTable) -> int:
    """The cards that follow suit; where there are none, all of the player in turn."""
    hand = table.hands[table.player]
    same = hand & of_suit(table.led)
    return hand if same == 0 else same


@query
def heading(table: TrickTable) -> int:
    """The cards that may follow where suit must be followed, a trump be played by who cannot, and the trick be taken.

    A card that does not take the trick may only be played by a player whose cards of the suit, or trumps, do not.
    """
    hand, best = table.hands[table.player], table.best
    above, cards = ~((2 << best) - 1), hand & of_suit(table.led)
    if cards == 0 and table.trump != NO_SUIT:
        cards = hand & of_suit(table.trump)
    if cards == 0:
        return hand
    taking = cards & above if suit_of(best) == suit_of((cards & -cards).bit_length() - 1) else 0
    if suit_of(best) != table.trump and cards & of_suit(table.led) == 0:
        taking = cards
    return cards if taking == 0 else taking


@query
def others_than_led(table: TrickTable) -> int:
    """The cards of other suits than the one led, where a card of that suit is held."""
    same = of_suit(table.led)
    return ANY_CARD & ~same if table.hands[table.player] & same != 0 else 0


follows_suit = among(
    following, "follows_suit", Reason("{led} must be followed", others_than_led), "The card follows suit."
)
heads_trick = among(
    heading,
    "heads_trick",
    (Reason("{led} must be followed", others_than_led), Reason("a card that takes the trick must be played", ANY_CARD)),
    "The card follows suit, and takes the trick if one does.",
)


@query
def higher_cards(table: TrickTable) -> int:
    """Return the cards that follow suit and take the trick from the best one: of its suit, or a trump."""
    cards = following(table)
    higher = cards & of_suit(suit_of(table.best)) & ~((2 << table.best) - 1)
    if table.trump == NO_SUIT or suit_of(table.best) == table.trump:
        return higher
    return higher | cards & of_suit(table.trump)


@guard("the trick is not full")
def fills_trick(table: TrickTable) -> bool:
    """The card is the last one of the trick."""
    return table.laid == table.players - 1


@guard("cards are left")
def all_played(table: TrickTable) -> bool:
    """Nobody has a card left."""
    return table.hands[table.taker] == 0


# ---------------------------------------------------------------- what is done


@effect
def play_card(table: TrickTable) -> None:
    """The card goes from the hand into the trick."""
    table.hands[table.player] ^= 1 << table.card
    table.ring[table.tail & len(table.ring) - 1] = table.card
    table.tail += 1
    table.open_card = table.card
    trace(table, table.card)
    table.laid += 1


@effect
def lead_suit(table: TrickTable) -> None:
    """Its suit must be followed."""
    table.led = suit_of(table.card)
    table.best = table.card
    table.taker = table.player


@query
def beats(table: TrickTable, card: int, best: int) -> bool:
    """Whether a card that is played takes the trick from the best one so far."""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == table.trump


@effect
def beat(table: TrickTable) -> None:
    """The highest card of the suit led takes the trick."""
    if beats(table, table.card, table.best):
        table.best = table.card
        table.taker = table.player


@effect
def taker_in_turn(table: TrickTable) -> None:
    """Who has taken the trick is in turn, and no trick is on the table."""
    table.player = table.taker
    table.laid = 0
    table.led = NO_SUIT
    table.best = NO_CARD
    table.taker = NOBODY


@query
def taker(table: TrickTable) -> int:
    """The seat that takes the trick."""
    return table.taker


def trick_of(table: CardTable) -> list[tuple[int, int]]:
    """The trick on the table: each seat with the card that it has played, the leader first; empty in other games."""
    if not isinstance(table, TrickTable):
        return []
    played = cards_played(table)
    cards = [card_played(table, place) for place in range(played - table.laid, played)]
    leader = table.taker - cards.index(table.best) if cards else 0
    return [((leader + step) % table.players, card) for step, card in enumerate(cards)]


def last_trick_of(table: CardTable) -> list[tuple[int, int]]:
    """The trick that was taken last, as of `trick_of`; empty while one is on the table, and in other games."""
    cards = discard_pile(table)[-table.players :]
    if not isinstance(table, TrickTable) or table.laid or not cards:
        return []
    best = cards[0]
    for card in cards:
        best = card if beats(table, card, best) else best
    leader = table.player - cards.index(best)  # who has taken it is in turn
    return [((leader + step) % table.players, card) for step, card in enumerate(cards)]


def points_of_trick(values: tuple[int, ...]) -> RuleFunction:
    """Return a query: the points of the cards of the trick on the table. values: of the ranks, by code."""

    @query
    def in_trick(table):  # type: ignore[no-untyped-def]
        """The points of the cards of the trick."""
        total = 0
        for place in range(table.tail - table.laid, table.tail):
            total += values[rank_of(table.ring[place & len(table.ring) - 1])]
        return total

    return in_trick


def taking_points(values: tuple[int, ...]) -> RuleFunction:
    """Return an effect: who takes the trick has the points of its cards, in `points`. values: of the ranks, by code."""
    in_trick = points_of_trick(values)

    @effect
    def take_points(table):  # type: ignore[no-untyped-def]
        """Who takes the trick has the points of its cards."""
        table.points[table.taker] += in_trick(table)

    return take_points


# ---------------------------------------------------------------- what must hold


@query
def card_played(table: TrickTable, place: int) -> int:
    """The card that was played at a place, counted from 0 on."""
    return table.ring[table.head + table.stock + place & len(table.ring) - 1]


@query
def cards_played(table: TrickTable) -> int:
    """How many cards were played, also where others are left to be drawn."""
    return table.tail - table.head - table.stock


@query
def tricks_taken(table: TrickTable) -> int:
    """How many tricks were taken."""
    return (cards_played(table) - table.laid) // table.players


@query
def best_place(table: TrickTable, trick: int, cards: int) -> int:
    """The place in a trick of the card that takes it, among some cards."""
    start, best, most = trick * table.players, 0, -1
    for place in range(cards):
        card = card_played(table, start + place)
        worth = card if suit_of(card) == suit_of(card_played(table, start)) else -1
        if suit_of(card) == table.trump:
            worth = card + 64
        if worth > most:
            best, most = place, worth
    return best


@query
def leader_of_trick(table: TrickTable) -> int:
    """The seat that has led the trick on the table, or leads the next one; of a full trick the last seat is in turn."""
    ahead = table.laid if table.laid < table.players else table.players - 1
    return (table.player + table.players - ahead) % table.players


@query
def leader_of_game(table: TrickTable) -> int:
    """The seat that led first: who takes a trick leads the next one."""
    moved = 0
    for trick in range(tricks_taken(table)):
        moved += best_place(table, trick, table.players)
    return (leader_of_trick(table) + (table.players - 1) * moved) % table.players


@query
def no_trick_lies(table: TrickTable) -> bool:
    """No trick is on the table."""
    return table.laid == 0 and table.led == NO_SUIT and table.best == NO_CARD and table.taker == NOBODY


@query
def hands_fit_trick(table: TrickTable) -> bool:
    """A part of the trick is played: who has played to it holds one card less than the others."""
    for step in range(table.players):
        seat = (leader_of_trick(table) + step) % table.players
        played = 1 if step < table.laid else 0
        if table.hands[seat].bit_count() != table.hands[table.player].bit_count() - played:
            return False
    return 0 < table.laid < table.players and (cards_played(table) - table.laid) % table.players == 0


@query
def trick_is_full(table: TrickTable) -> bool:
    """All have played to the trick."""
    return table.laid == table.players and cards_played(table) >= table.players


@query
def trick_lies(table: TrickTable) -> bool:
    """The suit led, the best card and its player are those of the cards last played."""
    start = tricks_taken(table) * table.players
    best = best_place(table, tricks_taken(table), table.laid)
    seat = (leader_of_trick(table) + best) % table.players
    led = suit_of(card_played(table, start))
    return table.led == led and table.best == card_played(table, start + best) and table.taker == seat


@query
def card_leaves_hand(before: TrickTable, after: TrickTable) -> bool:
    """The card leaves the hand of the player in turn, and the other hands stay as they are."""
    for seat in range(before.players):
        left = 1 << before.card if seat == before.player else 0
        if before.hands[seat] ^ after.hands[seat] != left:
            return False
    return True


@query
def taker_leads(before: TrickTable, after: TrickTable) -> bool:
    """Who played the best card is in turn."""
    return after.player == before.taker


@query
def tricks_of(table: TrickTable, seat: int) -> int:
    """Return how many tricks a seat has taken, by the cards that lie there."""
    found, leader = 0, leader_of_game(table)
    for trick in range(tricks_taken(table)):
        leader = (leader + best_place(table, trick, table.players)) % table.players
        found += 1 if leader == seat else 0
    return found


@query
def cards_in_tricks(table: TrickTable) -> int:
    """Return all cards that were played, as a mask."""
    cards = 0
    for place in range(cards_played(table)):
        cards |= 1 << card_played(table, place)
    return cards


@query
def all_is_played(table: TrickTable) -> bool:
    """Nobody holds a card."""
    for seat in range(table.players):
        if table.hands[seat] != 0:
            return False
    return True


@query
def nothing_in_stock(table: TrickTable) -> bool:
    """All cards that are not held were played."""
    return table.stock == 0


@query
def first_has_led(table: TrickTable) -> bool:
    """Player 1 led to the first trick."""
    return leader_of_game(table) == 0


def points_of_cards(values: tuple[int, ...]) -> RuleFunction:
    """Return a query (cards): the points of the cards of a mask. values: of the ranks, by code."""
    ranks = len(values)

    @query
    def of_cards(cards):  # type: ignore[no-untyped-def]
        """The points of the cards of a mask."""
        total = 0
        for rank in range(ranks):
            total += values[rank] * (cards & of_rank(rank)).bit_count()
        return total

    return of_cards


def points_are_taken(points: RuleFunction) -> RuleFunction:
    """Return a query: each has in `points` those of the tricks taken. points: those of the cards of a mask."""
    taken = points_of_tricks(points)

    @query
    def points_are_of_tricks(table):  # type: ignore[no-untyped-def]
        """Each player has the points of the tricks taken."""
        for seat in range(table.players):
            if table.points[seat] != taken(table, seat):
                return False
        return True

    return points_are_of_tricks


def points_of_tricks(points: RuleFunction) -> RuleFunction:
    """A query (table, seat): the points of the tricks that a seat has taken. points: those of the cards of a mask."""

    @query
    def of_tricks(table, seat):  # type: ignore[no-untyped-def]
        """The points of the tricks that a seat has taken."""
        found, leader = 0, leader_of_game(table)
        for trick in range(tricks_taken(table)):
            leader = (leader + best_place(table, trick, table.players)) % table.players
            if leader == seat:
                for place in range(trick * table.players, (trick + 1) * table.players):
                    found += points(1 << card_played(table, place))
        return found

    return of_tricks
