"""Attack and defence in pairs on the table, as in Durak: a card is beaten by a higher one of its suit, or by a trump.

Attacks lie in the order in which they were laid, and so do the cards that beat them: the first one beats the first
attack. The facts are `BOUT_FACTS`, beside those of a stock with a turned card (`rules.stock`). `player` acts; of two
players the other one is the opponent.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import of_rank, of_suit, rank_of, suit_of
from rules.piles import lay_open, trace
from rules.queues import put_last, queue_card, queue_cards, queue_size, queues, take_first
from rules.rule import effect, guard, query, rule
from rules.seats import seat_after
from rules.stock import StockTable, cards_to_draw, refill
from rules.visibility import seen_by_all

MOST_ATTACKS, HAND = 6, 6
"""The most attacks of a bout, and the cards to which hands are refilled after it."""
RANKS = 13


@dataclass(slots=True)
class BoutTable(StockTable):
    """The cards and facts of a game of bouts."""

    is_cleared = True
    attacks: bytearray = seen_by_all(factory=queues(1))
    defences: bytearray = seen_by_all(factory=queues(1))
    limit: int = seen_by_all(0)  # attacks that the bout may have


# ---------------------------------------------------------------- what may be laid


@query
def open_attack(table: BoutTable) -> int:
    """Return the first attack that is not beaten; there must be one."""
    return queue_card(table.attacks, 0, queue_size(table.defences, 0))


@query
def beats_attack(card: int, attack: int, trump: int) -> bool:
    """Return whether a card beats an attack: a higher one of its suit, or any trump unless it is one."""
    if suit_of(card) == suit_of(attack):
        return card > attack
    return suit_of(card) == trump


@query
def beating(table: BoutTable) -> int:
    """The cards in hand that beat the open attack."""
    attack = open_attack(table)
    hand = table.hands[table.player]
    higher = hand & of_suit(suit_of(attack)) & ~((2 << attack) - 1)
    return higher if suit_of(attack) == table.trump else higher | hand & of_suit(table.trump)


@query
def of_ranks_that_lie(table: BoutTable) -> int:
    """All cards of the ranks that lie on the table."""
    lying, found = queue_cards(table.attacks, 0) | queue_cards(table.defences, 0), 0
    for rank in range(RANKS):
        if lying & of_rank(rank) != 0:
            found |= of_rank(rank)
    return found


@query
def to_add(table: BoutTable) -> int:
    """The cards in hand that may be added to the attack: of a rank that lies there, while it has not all attacks."""
    if queue_size(table.attacks, 0) >= table.limit:
        return 0
    return table.hands[table.player] & of_ranks_that_lie(table)


@guard("both players hold cards, or can draw some")
def somebody_is_out(table: BoutTable) -> bool:
    """The stock is gone, and a player has no card."""
    return cards_to_draw(table) == 0 and (table.hands[0] == 0 or table.hands[1] == 0)


# ---------------------------------------------------------------- what is done


@effect
def begin_bout(table: BoutTable) -> None:
    """A bout has at most six attacks, and no more than its defender holds cards."""
    table.limit = min(MOST_ATTACKS, table.hands[seat_after(table.player, table.players)].bit_count())


@effect
def lay_attack(table: BoutTable) -> None:
    """The card attacks."""
    table.hands[table.player] ^= 1 << table.card
    put_last(table.attacks, 0, table.card)


@effect
def lay_defence(table: BoutTable) -> None:
    """The card beats the open attack."""
    table.hands[table.player] ^= 1 << table.card
    put_last(table.defences, 0, table.card)


@effect
def refill_hands(table: BoutTable) -> None:
    """Both refill their hands to six cards while there is stock, the attacker first."""
    refill(table, table.player, HAND)
    refill(table, seat_after(table.player, table.players), HAND)
    table.limit = 0


@rule
def lay_away(table: BoutTable, card: int) -> None:
    """Lay a card on the discard pile."""
    lay_open(table, card)
    trace(table, card)


@effect
def clear_table(table: BoutTable) -> None:
    """All cards on the table go out of play, pair by pair."""
    while queue_size(table.defences, 0) > 0:
        lay_away(table, take_first(table.attacks, 0))
        lay_away(table, take_first(table.defences, 0))


@effect
def opponent_takes_all(table: BoutTable) -> None:
    """The opponent takes all cards on the table, and the turn is over."""
    seat = seat_after(table.player, table.players)
    while queue_size(table.attacks, 0) > 0:
        table.hands[seat] |= 1 << take_first(table.attacks, 0)
    while queue_size(table.defences, 0) > 0:
        table.hands[seat] |= 1 << take_first(table.defences, 0)
    table.turns += 1


# ---------------------------------------------------------------- what must hold


@query
def table_is_clear(table: BoutTable) -> bool:
    """No card lies on the table."""
    return queue_size(table.attacks, 0) == 0 and queue_size(table.defences, 0) == 0 and table.limit == 0


@query
def one_attack_is_open(table: BoutTable) -> bool:
    """All attacks but the last one are beaten."""
    return queue_size(table.attacks, 0) == queue_size(table.defences, 0) + 1


@query
def all_attacks_are_beaten(table: BoutTable) -> bool:
    """There are attacks, and all are beaten."""
    return queue_size(table.attacks, 0) == queue_size(table.defences, 0) > 0


@query
def some_attack_is_open(table: BoutTable) -> bool:
    """An attack or more is not beaten."""
    return queue_size(table.attacks, 0) > queue_size(table.defences, 0)


@query
def attacks_are_in_bounds(table: BoutTable) -> bool:
    """The bout has no more attacks than six and than the cards of its defender when it began."""
    attacks, defences = queue_size(table.attacks, 0), queue_size(table.defences, 0)
    return attacks <= table.limit <= MOST_ATTACKS and defences <= attacks


@query
def defences_beat(table: BoutTable) -> bool:
    """Each card that was laid against an attack beats it."""
    for place in range(queue_size(table.defences, 0)):
        attack, card = queue_card(table.attacks, 0, place), queue_card(table.defences, 0, place)
        if not beats_attack(card, attack, table.trump):
            return False
    return True


@query
def attacks_fit(table: BoutTable) -> bool:
    """Each attack but the first one has a rank that lay on the table before."""
    lying = 0
    for place in range(queue_size(table.attacks, 0)):
        attack = queue_card(table.attacks, 0, place)
        if place > 0 and lying & of_rank(rank_of(attack)) == 0:
            return False
        lying |= 1 << attack
        if place < queue_size(table.defences, 0):
            lying |= 1 << queue_card(table.defences, 0, place)
    return True


@query
def hands_are_refilled(before: BoutTable, after: BoutTable) -> bool:
    """Both hold six cards or more, unless all was drawn; the table is clear."""
    for seat in range(after.players):
        if cards_to_draw(after) > 0 and after.hands[seat].bit_count() < HAND:
            return False
    return queue_size(after.attacks, 0) == 0 and queue_size(after.defences, 0) == 0
