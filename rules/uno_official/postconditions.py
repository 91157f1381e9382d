"""What each event of a round of official UNO does: said once more, for the checks.

Each function says a rule of the printed sheet without the guards and callbacks by which it is played.
"""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.invariants import NO, YES, all_under_open_card_turned
from rules.piles import cards_under_open_card
from rules.rule import query
from rules.seats import seat_after
from rules.uno.cards import (
    COLOUR_CARDS,
    DRAW_TWOS,
    FIRST_WILD,
    NO_COLOUR,
    NUMBERS,
    REVERSES,
    WILD_DRAW_FOURS,
)
from rules.uno.invariants import (
    cards_held,
    following_seat,
    other_hands_stay,
    penalty_of,
    same_hand,
)
from rules.uno_official.game import CAUGHT, GUILT, NOBODY, OWN_DRAW, VICTIM, UnoOfficialTable
from rules.uno_official.invariants import (
    FOR_A_WRONG_CHALLENGE,
    FOR_SILENCE,
    NOBODY_DRAWS,
    demanded,
    fits,
    is_open,
    is_out,
    nothing_drawn,
)


@query
def same_in_turn(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The same player is in turn and acts."""
    return after.turn == before.turn and after.player == before.player


@query
def next_in_turn(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The following seat in the direction of play is in turn and acts."""
    return after.turn == following_seat(after, before.turn) == after.player


@query
def turn_is_counted(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A turn more was taken."""
    return after.turns == before.turns + 1


@query
def no_turn_is_counted(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """No turn more was taken."""
    return after.turns == before.turns


@query
def own_draw_is_a_turn(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who has drawn of his own will has taken a turn, a victim has not."""
    return after.turns == before.turns + (1 if before.why == OWN_DRAW else 0)


@query
def direction_turns(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The direction turns exactly if a reverse is open and more than two play."""
    turns = YES if is_open(before, REVERSES) and before.players > 2 and not is_out(before) else NO
    return after.reversed == before.reversed ^ turns


@query
def opening_names_the_first_player(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The seat after the dealer is in turn; after a reverse the dealer, unless two play."""
    if is_open(before, REVERSES) and before.players > 2:
        return after.turn == after.player == before.dealer
    return after.turn == after.player == seat_after(before.dealer, before.players)


@query
def nothing_is_due_but_for_a_draw_two(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Two cards are due from the player in turn exactly if a draw two is open."""
    if is_open(before, DRAW_TWOS):
        return after.due == penalty_of(before.open_card) and after.why == VICTIM
    return nothing_drawn(after)


@query
def guilt_is_settled(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who lays a wild draw four is guilty exactly if a card of the colour before is left in the hand."""
    if (WILD_DRAW_FOURS >> before.card & 1) == 0:
        return after.guilty == NO and after.colour_before == NO_COLOUR
    held = after.hands[before.player] & COLOUR_CARDS[before.colour] != 0
    return after.colour_before == before.colour and after.guilty == (YES if held else NO)


@query
def laid_card_fits(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The card fits or is a wild; after drawing it is the drawn one, or one that looks alike."""
    if not fits(before, before.card) or after.laid_by != before.player:
        return False
    alike = before.card == before.drawn or (before.card | 3 == before.drawn | 3 and before.drawn >= FIRST_WILD)
    return before.drawn == NO_CARD or alike


@query
def not_one_card_is_left_after(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """None is left, or two or more."""
    return cards_held(after, before.player) != 1


@query
def card_is_drawn(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The card that is taken is the one just drawn."""
    return after.drawn == before.ring[before.head & len(before.ring) - 1]


@query
def one_is_due(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """One card is due, as the player likes; or what was due before."""
    if before.why == NOBODY_DRAWS:
        return after.due == 1 and after.why == OWN_DRAW
    return after.due == before.due and after.why == before.why


@query
def call_is_counted(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The player in turn has called once more, nobody else has."""
    for seat in range(before.players):
        called = 1 if seat == before.turn else 0
        if after.uno_calls[seat] - before.uno_calls[seat] != called:
            return False
    return True


@query
def next_is_asked(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The following seat is asked, the turn stays."""
    return after.player == following_seat(before, before.player) and after.turn == before.turn


@query
def all_were_asked(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The seat that was asked last comes before the player in turn, who acts again."""
    return following_seat(before, before.player) == before.turn == after.turn == after.player


@query
def silence_costs_two(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The player in turn, who acts again, draws two cards."""
    return after.due == FOR_SILENCE and after.why == CAUGHT and after.turn == after.player == before.turn


@query
def effect_is_left_out(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who laid the open card is out, and it makes nobody draw."""
    return is_out(before) and penalty_of(before.open_card) == 0


@query
def number_or_reverse(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A number is open, or a reverse of more than two players; who laid it is not out."""
    reverse = is_open(before, REVERSES) and before.players > 2
    return not is_out(before) and (is_open(before, NUMBERS) or reverse)


@query
def is_drawing(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A draw two is open, or a wild draw four as last card; all that it demands is due from the next player."""
    makes_draw = is_open(before, DRAW_TWOS) or (is_open(before, WILD_DRAW_FOURS) and is_out(before))
    return makes_draw and after.due == penalty_of(before.open_card) and after.why == VICTIM


@query
def named_colour_is_current(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The named colour is the current one."""
    return after.colour == before.suit


@query
def colour_stays(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The current colour stays."""
    return after.colour == before.colour


@query
def turn_of_who_named(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who named the colour of the opening wild is in turn; who laid a wild is not any more."""
    if before.laid_by == NOBODY:
        return same_in_turn(before, after)
    return next_in_turn(before, after)


@query
def challenge_costs(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Four cards are due from who is guilty; else six from the challenger."""
    if before.guilty == YES:
        return after.player == before.laid_by and after.due == penalty_of(before.open_card) and after.why == GUILT
    return after.player == before.turn and after.due == FOR_A_WRONG_CHALLENGE and after.why == VICTIM


@query
def acceptance_costs_four(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Four cards are due from the player in turn."""
    return after.player == before.turn and after.due == demanded(before) and after.why == VICTIM


@query
def turn_stays(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """It is the turn of the same player."""
    return after.turn == before.turn


@query
def due_and_reason_stay(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """As many cards are due, for the same reason."""
    return after.due == before.due and after.why == before.why and after.drawn == before.drawn


@query
def drawing_is_over(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """No card was due any more."""
    return before.due == 0


@query
def neither_pile_had_a_card(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A card was due and neither pile had one: nothing is due any more."""
    return before.due > 0 and before.stock == 0 and cards_under_open_card(before) == 0 and after.due == 0


@query
def penalty_was_announced(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Cards are drawn that were due before, or of one's own will, or because one was caught."""
    return before.due > 0 or after.why in (OWN_DRAW, CAUGHT)


@query
def reason_and_card_stay(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Cards are drawn for the same reason, and the card drawn last is the same."""
    return after.why == before.why and after.drawn == before.drawn


@query
def drawn_card_could_be_laid(table: UnoOfficialTable) -> bool:
    """A card was drawn that fits, or is a wild."""
    return table.drawn != NO_CARD and fits(table, table.drawn)


@query
def drawn_card_is_kept(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Of an own draw no card was taken that may be laid; else who laid the open card is not out."""
    if before.why == OWN_DRAW:
        return not drawn_card_could_be_laid(before)
    return before.why == VICTIM and not is_out(before)


@query
def challenger_goes_on(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who was guilty has drawn; the challenger, whose turn it is, acts."""
    return before.why == GUILT and after.turn == after.player == before.turn


@query
def caught_goes_on(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who was caught has drawn; the effect of the open card is the same player's."""
    return before.why == CAUGHT and same_in_turn(before, after) and after.laid_by == before.laid_by


@query
def effect_goes_on(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who laid the open card, guilt and the colour before stay."""
    same = after.laid_by == before.laid_by and after.guilty == before.guilty
    return same and after.colour_before == before.colour_before


@query
def pile_is_turned(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The draw pile is turned over in its order, hands stay."""
    same = same_hand(before, after, before.player) and other_hands_stay(before, after)
    return same and all_under_open_card_turned(before, after)
