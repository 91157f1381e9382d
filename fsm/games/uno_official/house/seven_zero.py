"""A player who lays a seven swaps hands with another player; a zero passes all hands on."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Choice, Control, Invariant, Offer, Postcondition, SmallDeck
from fsm.declaration.facts import Look
from fsm.games.uno_official.arcs import AWAIT_PLAY, EFFECT_PENDING
from fsm.games.uno_official.house.where import decide
from fsm.variants import edits
from fsm.variants.edits import Arcs, Check
from fsm.variants.made import added_phase
from rules.invariants import all_hold_cards, piles_stay
from rules.rule import choice, effect, guard, query
from rules.seats import seat_after, seat_before
from rules.uno.cards import RANK_CARDS
from rules.uno.game import number
from rules.uno.invariants import direction_stays, following_seat, nothing_moves, same_hand
from rules.uno_official import game, invariants, postconditions
from rules.uno_official.game import UnoOfficialTable
from rules.uno_official.postconditions import same_in_turn

ZEROS, SEVENS = RANK_CARDS[0], RANK_CARDS[7]


class Swapping(UnoOfficialTable):
    """A table on which a seat is named."""

    seat: int


@guard("{card} is not a seven")
def seven(table: Swapping) -> bool:
    """The card that is laid is a seven."""
    return SEVENS >> table.card & 1 == 1


@guard("{card} is not a zero")
def zero(table: Swapping) -> bool:
    """The card that is laid is a zero."""
    return ZEROS >> table.card & 1 == 1


@query
def other_seats(table: Swapping) -> int:
    """The seats with which hands can be swapped, as a mask: all others."""
    return (1 << table.players) - 1 & ~(1 << table.player)


@effect
def swap_hands(table: Swapping) -> None:
    """The player in turn and the named seat swap hands."""
    one, other = table.player, table.seat
    hand, twins = table.hands[one], table.twins[one]
    table.hands[one] = table.hands[other]
    table.twins[one] = table.twins[other]
    table.hands[other] = hand
    table.twins[other] = twins


@effect
def pass_hands_on(table: Swapping) -> None:
    """Every hand goes to the next seat in the direction of play."""
    seat = table.player
    hand, twins = table.hands[seat], table.twins[seat]
    for _ in range(table.players - 1):
        giver = seat_after(seat, table.players) if table.reversed == 1 else seat_before(seat, table.players)
        table.hands[seat] = table.hands[giver]
        table.twins[seat] = table.twins[giver]
        seat = giver
    table.hands[seat] = hand
    table.twins[seat] = twins


@query
def next_seat(table: Swapping, seat: int) -> int:
    """The seat after another one in the direction of play."""
    return seat_before(seat, table.players) if table.reversed == 1 else seat_after(seat, table.players)


@query
def size(table: Swapping, seat: int) -> int:
    """How many cards a seat holds."""
    return table.hands[seat].bit_count() + table.twins[seat].bit_count()


@choice
def smallest_hand(table: Swapping) -> int:
    """The other seat with the fewest cards; of equals the first in the direction of play."""
    seat = best = next_seat(table, table.player)
    for _ in range(table.players - 2):
        seat = next_seat(table, seat)
        if size(table, seat) < size(table, best):
            best = seat
    return best


@query
def seven_is_open(table: Swapping) -> bool:
    """A seven is open that the player in turn has laid."""
    return SEVENS >> table.open_card & 1 == 1 and table.laid_by == table.turn == table.player


@query
def seven_is_laid(before: Swapping, after: Swapping) -> bool:
    """A seven is open, and who has laid it goes on."""
    return SEVENS >> before.open_card & 1 == 1 and same_in_turn(before, after)


@query
def goes_to(before: Swapping, after: Swapping, giver: int, taker: int) -> bool:
    """Whether the hand of one seat is that of another one now."""
    return after.hands[taker] == before.hands[giver] and after.twins[taker] == before.twins[giver]


@query
def hands_are_swapped(before: Swapping, after: Swapping) -> bool:
    """The player in turn and another seat, the named one, have each other's hands, and no other card moves."""
    one, other = before.turn, before.seat
    for seat in range(before.players):
        if seat not in (one, other) and not same_hand(before, after, seat):
            return False
    both = goes_to(before, after, one, other) and goes_to(before, after, other, one)
    return one != other and both and piles_stay(before, after)


@query
def zero_passes_hands_on(before: Swapping, after: Swapping) -> bool:
    """A zero that is not the last card moves all hands on; no other card that takes effect moves any card."""
    if ZEROS >> before.open_card & 1 == 0 or before.hands[before.turn] == 0:
        return nothing_moves(before, after)
    for seat in range(before.players):
        if not goes_to(before, after, seat, following_seat(before, seat)):
            return False
    return piles_stay(before, after)


@query
def swap_leaves_the_rest(before: Swapping, after: Swapping) -> bool:
    """No turn more is counted, and the colour stays."""
    return after.turns == before.turns and after.colour == before.colour


SWAP_CHOICE = added_phase("swap-choice")
A_SEVEN = "A seven: its player swaps hands with another player."
A_ZERO = "A zero: every hand goes to the next player."
NUMBER = Arcs("take_effect", EFFECT_PENDING, AWAIT_PLAY, conditions=(number,))

RULE = edits.Variant(
    "seven-zero",
    "A player who lays a seven swaps hands with another player; a zero passes all hands on.",
    (
        edits.AddField("seat", "seat", -1, named=True),
        edits.AddPhase(SWAP_CHOICE, Control(offers=(Offer("swap", seats=other_seats),))),
        edits.AddArcs((Arc("swap", SWAP_CHOICE, AWAIT_PLAY, before=(swap_hands, game.next_player),
                           description="The hands are swapped."),)),
        edits.SplitArcs(NUMBER, seven, A_SEVEN, dest=SWAP_CHOICE, before=()),
        edits.SplitArcs(NUMBER, zero, A_ZERO, put_before=((game.next_player, (pass_hands_on,)),)),
        *decide(SWAP_CHOICE, Choice("swap", "swap", seat=smallest_hand, description="the seat with the fewest cards")),
        edits.Show(Look(events={"swap": "swaps hands with"}, asks={"swap": "swap hands with"})),
        edits.Reveal("swap", "a player who swaps sees the cards of the other player"),
        edits.Reveal("take_effect", "a zero gives every player the cards of another one"),
        edits.Waive("no card moves except by play, take and the turning of the pile", ("take_effect",)),
        Check(Invariant("a player who swaps has laid the open seven", seven_is_open, (SWAP_CHOICE,))),
        Check(Invariant("a player who swaps draws nothing", invariants.nothing_drawn, (SWAP_CHOICE,))),
        Check(Invariant("all who swap hold cards", all_hold_cards, (SWAP_CHOICE,))),
        Check(Postcondition("a seven makes its player swap", seven_is_laid, ("take_effect",), (SWAP_CHOICE,))),
        Check(Postcondition("a zero passes all hands on, and no other card moves cards", zero_passes_hands_on,
                            ("take_effect",))),
        Check(Postcondition("two hands are swapped", hands_are_swapped, ("swap",))),
        Check(Postcondition("after a swap the next player is in turn", postconditions.next_in_turn, ("swap",))),
        Check(Postcondition("a swap turns no direction", direction_stays, ("swap",))),
        Check(Postcondition("a swap is not another turn, and leaves the colour", swap_leaves_the_rest, ("swap",))),
        edits.AddDeck(SmallDeck("Y1 Y0 G7 Y7 R1", 2, 1)),
    ),
)  # fmt: skip
