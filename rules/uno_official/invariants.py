"""What holds at every moment of a round of official UNO, and what each event does: said once more, for the checks.

Each function says a rule of the printed sheet without the guards and callbacks by which it is played.
"""

from __future__ import annotations

from rules.cards import NO_CARD
from rules.ending import ENDLESS, RUNNING, WON
from rules.invariants import NO, YES, all_hold_cards, all_under_open_card_turned
from rules.piles import cards_under_open_card
from rules.rule import query
from rules.seats import seat_after
from rules.uno.cards import (
    COLOUR_CARDS,
    DRAW_TWOS,
    FIRST_WILD,
    MATCHING_CARDS,
    NO_COLOUR,
    NUMBERS,
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
    other_hands_stay,
    penalty_of,
    same_hand,
)
from rules.uno_official.drawing import CAUGHT, GUILT, OWN_DRAW, VICTIM
from rules.uno_official.table import NOBODY, UnoOfficialTable

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
def most_for_victim(table: UnoOfficialTable) -> int:
    """How many cards at most the player in turn draws for the open card; -1 if he does not."""
    if table.why != VICTIM or table.turn != table.player:
        return -1
    if table.laid_by == NOBODY:
        return penalty_of(table.open_card) if is_open(table, DRAW_TWOS) and opening_card_is_open(table) else -1
    if following_seat(table, table.laid_by) != table.turn:
        return -1
    challenged = is_open(table, WILD_DRAW_FOURS) and table.guilty == NO and table.hands[table.laid_by] != 0
    if challenged:
        return FOR_A_WRONG_CHALLENGE
    return penalty_of(table.open_card) if penalty_of(table.open_card) > 0 else -1


@query
def fewest_drawn(table: UnoOfficialTable) -> int:
    """How many cards at least were drawn for the reason for which they are: none if what is due lapsed."""
    if table.due == 0 and table.stock == 0 and cards_under_open_card(table) == 0:
        return 0
    accepted = min(most_due(table), penalty_of(table.open_card)) if table.why == VICTIM else most_due(table)
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
    return six or table.due == penalty_of(table.open_card)


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


# ---------------------------------------------------------------- what events do


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
def one_card_is_left_after(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """One card is left."""
    return cards_held(after, before.player) == 1


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
def is_skipping(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A skip is open, or a reverse of two players; who laid it is not out."""
    return turn_is_missed(before) and not is_out(before)


@query
def is_drawing(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A draw two is open, or a wild draw four as last card; all that it demands is due from the next player."""
    makes_draw = is_open(before, DRAW_TWOS) or (is_open(before, WILD_DRAW_FOURS) and is_out(before))
    return makes_draw and after.due == penalty_of(before.open_card) and after.why == VICTIM


@query
def is_naming(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A wild is open, and who laid it is not out."""
    return is_open(before, WILDS | WILD_DRAW_FOURS) and not is_out(before)


@query
def number_or_reverse_is_open(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A number is open, or a reverse of more than two players."""
    return is_open(before, NUMBERS) or (is_open(before, REVERSES) and before.players > 2)


@query
def plain_wild_is_open(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A wild is open, and no wild draw four."""
    return is_open(before, WILDS)


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
    return after.player == before.turn and after.due == penalty_of(before.open_card) and after.why == VICTIM


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
def drawn_card_is_kept(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Of an own draw no card was taken that may be laid; else who laid the open card is not out."""
    if before.why == OWN_DRAW:
        return before.drawn == NO_CARD or not fits(before, before.drawn)
    return before.why == VICTIM and not is_out(before)


@query
def last_card_is_settled(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """A victim has drawn for the last card."""
    return before.why == VICTIM and is_out(before)


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


@query
def nobody_wins(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The round has no winner."""
    return after.ending == ENDLESS


@query
def who_laid_last_card_wins(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who laid the last card wins."""
    return after.ending == WON and after.winner == before.laid_by and before.ending == RUNNING
