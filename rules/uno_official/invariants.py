"""What holds at every moment of a round of official UNO: said once more, for the checks.

Each function says a rule of the printed sheet without the guards and callbacks by which it is played.
"""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.ending import ENDLESS, WON
from rules.invariants import NO, YES, all_hold_cards
from rules.piles import cards_under_open_card
from rules.rule import query
from rules.seats import seat_after
from rules.uno.cards import (
    COLOUR_CARDS,
    DRAW_TWOS,
    FIRST_WILD,
    MATCHING_CARDS,
    NO_COLOUR,
    REVERSES,
    SKIPS,
    WILD_DRAW_FOURS,
    WILDS,
)
from rules.uno.invariants import (
    cards_held,
    direction_is_valid,
    following_seat,
    hand_is_out,
    penalty_of,
)
from rules.uno_official.game import CAUGHT, GUILT, NOBODY, OWN_DRAW, VICTIM, UnoOfficialTable

NOBODY_DRAWS = 0
FOR_SILENCE = 2
FOR_A_WRONG_CHALLENGE = 6

# ---------------------------------------------------------------- what holds


@query
def is_open(table: UnoOfficialTable, cards: int) -> bool:
    """Whether the open card is one of a mask."""
    return (cards >> table.open_card & 1) == 1


@query
def facts_are_in_range(table: UnoOfficialTable) -> bool:
    """Yes or no, seats, colours and reasons to draw are what they can be; of two players the direction stays."""
    seats = 0 <= table.turn < table.players and 0 <= table.dealer < table.players
    seats = seats and NOBODY <= table.laid_by < table.players
    colours = NO_COLOUR <= table.colour < 4 and NO_COLOUR <= table.colour_before < 4
    answers = direction_is_valid(table) and table.guilty in (NO, YES)
    stays = table.players > 2 or table.reversed == NO
    return seats and colours and answers and stays and NOBODY_DRAWS <= table.why <= GUILT


@query
def hands_are_dealt(table: UnoOfficialTable) -> bool:
    """All hold equally many cards, the seat after the dealer is in turn, clockwise, and no wild draw four is open."""
    for seat in range(table.players):
        if cards_held(table, seat) != cards_held(table, 0) or table.uno_calls[seat] > 0:
            return False
    first = table.turn == seat_after(table.dealer, table.players) and table.reversed == NO
    return first and not is_open(table, WILD_DRAW_FOURS)


@query
def who_acts_is_in_turn(table: UnoOfficialTable) -> bool:
    """The player in turn acts."""
    return table.player == table.turn


@query
def another_is_asked(table: UnoOfficialTable) -> bool:
    """Another than the player in turn acts."""
    return table.player != table.turn


@query
def nothing_drawn(table: UnoOfficialTable) -> bool:
    """Nobody draws, and no card is due."""
    return table.due == 0 and table.why == NOBODY_DRAWS and table.drawn == NO_CARD


@query
def no_effect_goes_on(table: UnoOfficialTable) -> bool:
    """No card takes effect, and nobody is guilty."""
    return table.laid_by == NOBODY and table.guilty == NO and table.colour_before == NO_COLOUR


@query
def opening_card_is_open(table: UnoOfficialTable) -> bool:
    """The opening card takes effect: it lies alone, and the seat after the dealer is in turn, clockwise."""
    first = table.turn == seat_after(table.dealer, table.players) and table.reversed == NO
    return first and cards_under_open_card(table) == 0


@query
def who_laid_wild_names_colour(table: UnoOfficialTable) -> bool:
    """The player in turn has laid the open card, or it is the opening card, a plain wild."""
    if table.laid_by == NOBODY:
        return opening_card_is_open(table) and is_open(table, WILDS)
    return table.laid_by == table.turn


@query
def wild_has_colour_in_time(table: UnoOfficialTable) -> bool:
    """An open wild has a current colour, unless who laid it was caught or has no card left."""
    if table.open_card < FIRST_WILD:
        return True
    return (table.colour == NO_COLOUR) == (table.why == CAUGHT or is_out(table))


@query
def card_of_player_in_turn(table: UnoOfficialTable) -> bool:
    """The player in turn has laid the open card."""
    return table.laid_by == table.turn


@query
def one_card_is_left(table: UnoOfficialTable) -> bool:
    """The player in turn holds one card."""
    return cards_held(table, table.turn) == 1


@query
def only_who_laid_may_be_out(table: UnoOfficialTable) -> bool:
    """All but who laid the open card hold cards."""
    for seat in range(table.players):
        if table.hands[seat] == 0 and seat != table.laid_by:
            return False
    return True


@query
def is_out(table: UnoOfficialTable) -> bool:
    """Who laid the open card has no card left."""
    return table.laid_by != NOBODY and table.hands[table.laid_by] == 0


@query
def colour_of_coloured_card(table: UnoOfficialTable) -> bool:
    """The current colour is that of the open card, unless it is a wild."""
    if table.open_card >= FIRST_WILD:
        return True
    return table.colour != NO_COLOUR and (COLOUR_CARDS[table.colour] >> table.open_card & 1) == 1


@query
def colour_is_known(table: UnoOfficialTable) -> bool:
    """There is a current colour."""
    return table.colour != NO_COLOUR


@query
def wild_has_no_colour(table: UnoOfficialTable) -> bool:
    """No colour is named yet with an open wild."""
    return table.open_card < FIRST_WILD or table.colour == NO_COLOUR


@query
def wild_is_open(table: UnoOfficialTable) -> bool:
    """A wild is open."""
    return table.open_card >= FIRST_WILD


@query
def guilt_is_of_a_draw_four(table: UnoOfficialTable) -> bool:
    """Guilt and a colour before are of an open wild draw four that takes effect; who is guilty holds that colour."""
    if table.colour_before == NO_COLOUR:
        return table.guilty == NO
    if not is_open(table, WILD_DRAW_FOURS) or table.laid_by == NOBODY:
        return False
    held = table.hands[table.laid_by] & COLOUR_CARDS[table.colour_before] != 0
    return held if table.guilty == YES else not held or 1 < cards_held(table, table.laid_by) <= 1 + FOR_SILENCE


@query
def guilt_is_shown(table: UnoOfficialTable) -> bool:
    """Who has one card left is guilty exactly if it has the colour before the wild draw four."""
    if table.colour_before == NO_COLOUR:
        return table.guilty == NO
    return (table.hands[table.turn] & COLOUR_CARDS[table.colour_before] != 0) == (table.guilty == YES)


@query
def innocent_when_out(table: UnoOfficialTable) -> bool:
    """An empty hand is innocent."""
    return not is_out(table) or table.guilty == NO


@query
def draw_four_has_colour_before(table: UnoOfficialTable) -> bool:
    """Of an open wild draw four that takes effect the colour before is known."""
    return not is_open(table, WILD_DRAW_FOURS) or (table.colour_before != NO_COLOUR and table.laid_by != NOBODY)


@query
def challenge_is_possible(table: UnoOfficialTable) -> bool:
    """A wild draw four is open; who laid it holds a card and comes before the player in turn."""
    if not is_open(table, WILD_DRAW_FOURS) or table.laid_by == NOBODY or table.hands[table.laid_by] == 0:
        return False
    return following_seat(table, table.laid_by) == table.turn


@query
def turn_is_missed(table: UnoOfficialTable) -> bool:
    """A skip is open, or a reverse of two players."""
    return is_open(table, SKIPS) or (table.players == 2 and is_open(table, REVERSES))


@query
def drawn_card_may_be_laid(table: UnoOfficialTable) -> bool:
    """The player has drawn a card of his own will, it is in the hand beside others, and fits or is a wild draw four."""
    if table.drawn == NO_CARD or table.why != OWN_DRAW or table.due > 0 or cards_held(table, table.player) == 1:
        return False
    return (table.hands[table.player] >> table.drawn & 1) == 1 and fits(table, table.drawn)


@query
def fits(table: UnoOfficialTable, card: int) -> bool:
    """Whether a card has the current colour or the symbol of the open card, or is a wild."""
    if card >= FIRST_WILD or (COLOUR_CARDS[table.colour] >> card & 1) == 1:
        return True
    return table.open_card < FIRST_WILD and (MATCHING_CARDS[table.open_card] >> card & 1) == 1


@query
def most_due(table: UnoOfficialTable) -> int:
    """How many cards at most are due for the reason for which they are drawn; -1 if there is no such reason."""
    if table.why == OWN_DRAW:
        return 1 if table.laid_by == NOBODY and table.turn == table.player else -1
    if table.why == CAUGHT:
        return FOR_SILENCE if table.laid_by == table.turn == table.player else -1
    if table.why == GUILT:
        guilty = table.guilty == YES and challenge_is_possible(table) and table.player == table.laid_by
        return penalty_of(table.open_card) if guilty else -1
    return most_for_victim(table)


@query
def demanded(table: UnoOfficialTable) -> int:
    """How many cards the open card demands."""
    return penalty_of(table.open_card)


@query
def may_be_challenged(table: UnoOfficialTable) -> bool:
    """The open wild draw four can be challenged wrongly: it is honest, and who laid it is not out."""
    return is_open(table, WILD_DRAW_FOURS) and table.guilty == NO and table.hands[table.laid_by] != 0


@query
def most_for_victim(table: UnoOfficialTable) -> int:
    """How many cards at most the player in turn draws for the open card; -1 if he does not."""
    if table.why != VICTIM or table.turn != table.player:
        return -1
    if table.laid_by == NOBODY:
        return penalty_of(table.open_card) if is_open(table, DRAW_TWOS) and opening_card_is_open(table) else -1
    if following_seat(table, table.laid_by) != table.turn:
        return -1
    if may_be_challenged(table):
        return FOR_A_WRONG_CHALLENGE
    return demanded(table) if demanded(table) > 0 else -1


@query
def fewest_drawn(table: UnoOfficialTable) -> int:
    """How many cards at least were drawn for the reason for which they are: none if what is due lapsed."""
    if table.due == 0 and table.stock == 0 and cards_under_open_card(table) == 0:
        return 0
    accepted = min(most_due(table), demanded(table)) if table.why == VICTIM else most_due(table)
    return (accepted if table.due <= accepted else FOR_A_WRONG_CHALLENGE) - table.due


@query
def drawn_cards_are_held(table: UnoOfficialTable) -> bool:
    """What was drawn is in the hand, besides one card or more that were there before; one when silence costs two."""
    held, drawn = cards_held(table, table.player), fewest_drawn(table)
    if table.why == CAUGHT and held > 1 + FOR_SILENCE - table.due:
        return False
    if table.drawn == NO_CARD:
        return drawn <= 0 and held > 0
    return held > max(drawn, 1) and (table.hands[table.player] >> table.drawn & 1) == 1


@query
def drawing_is_on(table: UnoOfficialTable) -> bool:
    """Cards are drawn for a reason, no more than are due for it; what was drawn is in the hand."""
    return 0 <= table.due <= most_due(table) and drawn_cards_are_held(table)


@query
def penalty_is_due(table: UnoOfficialTable) -> bool:
    """All that the open card demands is due, or six cards for a wrong challenge, and nothing was drawn of it."""
    if table.drawn != NO_CARD or table.why not in (VICTIM, GUILT):
        return False
    six = most_due(table) == FOR_A_WRONG_CHALLENGE and table.due == FOR_A_WRONG_CHALLENGE
    return six or table.due == demanded(table)


@query
def pile_is_to_be_turned(table: UnoOfficialTable) -> bool:
    """A card is due, the draw pile is empty, and cards lie under the open card."""
    return table.due > 0 and table.stock == 0 and cards_under_open_card(table) > 0


@query
def ended_rightly(table: UnoOfficialTable) -> bool:
    """The winner alone has no card left, laid the open one and acts, or the next player, who has drawn for it; or all
    hold cards, the player in turn acts, and a position has returned.
    """
    if table.due > 0:
        return False
    if table.ending == WON:
        out = table.winner == table.laid_by and hand_is_out(table, table.winner) and wild_has_colour_in_time(table)
        if penalty_of(table.open_card) > 0:
            return out and drawing_is_on(table)
        return out and nothing_drawn(table) and table.player == table.turn == table.winner
    waits = who_acts_is_in_turn(table) and no_effect_goes_on(table) and nothing_drawn(table)
    return table.ending == ENDLESS and all_hold_cards(table) and waits and colour_is_known(table)
