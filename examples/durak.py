"""Durak for two: attacks are beaten in pairs or taken, and who is left with cards at the end has lost.

    maumau play --game examples/durak.py:Durak
    maumau check --game examples/durak.py:Durak --games 100

The attacker lays a card, and may add cards of the ranks that lie on the table; the defender beats each by a higher card
of its suit or by a trump, or takes all. A card under the stock shows the trump.
"""

from __future__ import annotations

# fmt: off
from maumau import (  # isort: skip
    BOUT_FACTS, FIRST_LEGAL, RANDOM, STOCK_FACTS, Choice, Declaration, Game, Guide, Invariant, Look, Policy,
    Postcondition, Scoring, SmallDeck, among, best, choose, effect, forced, lay, on, page, phases, query, turn,
)
from rules.bouts import (  # isort: skip
    BoutTable, all_attacks_are_beaten, attacks_are_in_bounds, attacks_fit, beating, begin_bout, clear_table,
    defences_beat, hands_are_refilled, lay_attack, lay_defence, one_attack_is_open, opponent_takes_all,
    refill_hands, some_attack_is_open, somebody_is_out, table_is_clear, to_add,
)
# fmt: on
from rules.cards import FRENCH_36, of_suit
from rules.ending import OUT_OF_CARDS, WON
from rules.invariants import all_hold_cards
from rules.shedding import next_in_turn, next_player
from rules.stock import cards_to_draw, deal_over_turned, turned_card_lies
from rules.tricks import card_leaves_hand, held, is_held

# ---------------------------------------------------------------- the first attacker, and the end


@query
def score(table: BoutTable, seat: int) -> int:
    """The cards that a seat is left with."""
    return table.hands[seat].bit_count()


@query
def lost(table: BoutTable, seat: int) -> int:
    """One point for a player who is left with cards."""
    return 1 if table.hands[seat] != 0 else 0


beats = among(beating, "beats", "{card} does not beat the attack", "The card beats the attack.")
may_add = among(to_add, "may_add", "{card} may not be added: its rank does not lie there, or the bout has all attacks",
                "The card has a rank that lies on the table, and the bout may have another attack.")  # fmt: skip


@query
def first_attacker(table: BoutTable) -> int:
    """The seat that holds the lowest trump in a hand; the first one if nobody has a trump."""
    trumps = (table.hands[0] | table.hands[1]) & of_suit(table.trump)
    return 1 if trumps & -trumps & table.hands[1] != 0 else 0


@effect
def lowest_trump_attacks(table: BoutTable) -> None:
    """The holder of the lowest trump attacks first."""
    table.player = first_attacker(table)


@effect
def who_is_out_wins(table: BoutTable) -> None:
    """The player with cards loses; if both have none, it is a draw."""
    table.ending = OUT_OF_CARDS
    for seat in range(2):
        if table.hands[seat] == 0 and table.hands[1 - seat] != 0:
            table.ending, table.winner = WON, seat


@query
def lowest_trump_has_begun(before: BoutTable, after: BoutTable) -> bool:
    """The first attacker is in turn."""
    return after.player == first_attacker(before)


@query
def loser_holds_cards(table: BoutTable) -> bool:
    """No card can be drawn, and the winner has none, but the other has some; without a winner both have none."""
    if table.ending == WON:
        return table.hands[table.winner] == 0 and table.hands[1 - table.winner] != 0 and cards_to_draw(table) == 0
    return table.hands[0] == 0 and table.hands[1] == 0 and cards_to_draw(table) == 0


# ---------------------------------------------------------------- how the house plays


@query
def cheap_to_add(table: BoutTable) -> int:
    """The cards that may be added and are not trumps."""
    return to_add(table) & ~of_suit(table.trump)


@query
def cheap_to_lead(table: BoutTable) -> int:
    """The cards in hand that are not trumps."""
    return held(table) & ~of_suit(table.trump)


@query
def cheap_to_beat(table: BoutTable) -> int:
    """The cards that beat the attack and are not trumps."""
    return beating(table) & ~of_suit(table.trump)


# ---------------------------------------------------------------- the page


DurakPhase = phases("DurakPhase", "initial attack defence adding taking bout-over game-over")
INITIAL, ATTACK, DEFENCE, ADDING, TAKING, BOUT_OVER, GAME_OVER = DurakPhase
BOUT = (DEFENCE, ADDING, TAKING)

# fmt: off
PAGE = page({
    INITIAL: forced(
        on("begin", ATTACK, before=lowest_trump_attacks, rule="The holder of the lowest trump attacks first.")),
    ATTACK: turn(lay(
        is_held,
        on("lay", DEFENCE, before=(begin_bout, lay_attack, next_player), rule="Any card attacks."))),
    DEFENCE: turn(
        lay(beats, on("beat", ADDING, before=(lay_defence, next_player),
                      rule="A higher card of its suit beats an attack, or any trump if it is not a trump.")),
        on("take", TAKING, before=next_player, rule="The defender announces a take.")),
    ADDING: turn(
        lay(may_add, on("lay", DEFENCE, before=(lay_attack, next_player),
                        rule="A card of a rank that lies on the table is added.")),
        on("done", BOUT_OVER, before=(clear_table, refill_hands, next_player),
           rule="All is beaten and goes out of play. Both refill to six, and the defender attacks.")),
    TAKING: choose(
        lay(may_add, on("lay", TAKING, before=lay_attack, rule="A card is added to those that are taken.")),
        on("done", BOUT_OVER, before=(opponent_takes_all, refill_hands),
           rule="The defender takes all. Both refill to six, and the same player attacks again.")),
    BOUT_OVER: forced(
        on("go_on", ATTACK, unless=somebody_is_out, rule="The next bout begins."),
        on("finish", GAME_OVER, conditions=somebody_is_out, before=who_is_out_wins,
           rule="The stock is gone: the player with cards loses.")),
})

HOUSE = Policy("house", {
    ATTACK: (best("lay", "cheapest", cheap_to_lead, "the lowest card that is not a trump", lowest=True),
             best("lay", "lowest trump", held, "there are only trumps", lowest=True, always=True)),
    DEFENCE: (best("beat", "cheapest", cheap_to_beat, "the lowest card of the suit that beats it", lowest=True),
              best("beat", "lowest trump", beating, "the lowest trump beats it", lowest=True),
              Choice("take", description="no card beats it")),
    ADDING: (best("lay", "cheapest", cheap_to_add, "the lowest card that is not a trump", lowest=True),
             Choice("done", description="all cards of a rank that lies there are trumps")),
    TAKING: (best("lay", "cheapest", cheap_to_add, "the lowest card that is not a trump", lowest=True),
             Choice("done", description="all cards of a rank that lies there are trumps")),
}, description="Attacks with its lowest cards, keeps its trumps, and beats whatever it can.")

DURAK = Declaration(
    title="Durak", page=PAGE, table=BoutTable, deck=FRENCH_36, players=2, cards_each=6,
    facts=(*STOCK_FACTS, *BOUT_FACTS), deal_each=deal_over_turned, score=score,
    scoring=Scoring(lost, target=5, unwon_scores=True), policies=(HOUSE, RANDOM, FIRST_LEGAL),
    reveals={"begin": "the holder of the lowest trump attacks first"},
    look=Look(
        summary="Attacks are beaten or taken; a player who is left with cards at the end has lost.",
        draw_pile="stock", discard_pile="out of play", scores="Cards left",
        events={"lay": "attacks with", "beat": "beats it with", "take": "takes the cards", "done": "is done"},
        usual=("Any card attacks.", "The next bout begins."), asks={"take": "take the cards", "done": "say done"},
        number_facts={"limit": ("1 attack at most", "{} attacks at most")}, silent=("go_on",),
        endings={"out of cards": "nobody has cards left: a draw"},
        guide=Guide(
            aim="Do not be the last player with cards: that one is the fool, the durak.",
            deal=("The next card is turned up under the stock. Its suit is trump. The lowest trump attacks first.",),
            turn=(
                "The attacker lays a card. The defender beats it with a higher card of its suit or with a trump, or "
                "takes the cards.",
                "When all is beaten, the attacker may add a card of a rank that lies on the table, or is done.",
                "A bout has at most six attacks, and no more than the defender held cards.",
                "Then both draw up to six cards, the attacker first. If the defender has beaten all, the cards go out "
                "of play and the defender attacks.",
            ),
            counting=("When the stock is empty, the player who is left with cards loses.",),
        ),
    ),
    invariants=(
        Invariant("the turned card lies there as long as there is a stock, and shows the trump", turned_card_lies),
        Invariant("between bouts the table is clear", table_is_clear, (INITIAL, ATTACK, BOUT_OVER, GAME_OVER)),
        Invariant("both hold cards when a bout begins", all_hold_cards, (INITIAL, ATTACK)),
        Invariant("the defender answers one attack", one_attack_is_open, (DEFENCE,)),
        Invariant("cards are added when all attacks are beaten", all_attacks_are_beaten, (ADDING,)),
        Invariant("an attack that is taken is not beaten", some_attack_is_open, (TAKING,)),
        Invariant("a bout has six attacks at most, and no more than its defender held", attacks_are_in_bounds, BOUT),
        Invariant("each defence beats its attack", defences_beat, BOUT),
        Invariant("each attack but the first has a rank that lay there", attacks_fit, BOUT),
        Invariant("a player who is left with cards has lost", loser_holds_cards, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("the holder of the lowest trump attacks first", lowest_trump_has_begun, ("begin",)),
        Postcondition("the card leaves the hand of its player", card_leaves_hand, ("lay", "beat")),
        Postcondition("the other player is in turn", next_in_turn, ("beat", "take"), (ADDING, TAKING)),
        Postcondition("both have refilled their hands", hands_are_refilled, ("done",)),
        Postcondition("roles change when all is beaten", next_in_turn, ("done",), (), (ADDING,)),
    ),
    small_decks=(SmallDeck("6D 7D 6H 8H 7S", 2, 2), SmallDeck("6D 7D 6H 7H 8H 6S 7S", 2, 2, large=True)),
)
# fmt: on


class Durak(Game, declaration=DURAK):
    """A game of Durak, stepped event by event. Cards are named by rank and suit: `QS`, the queen of spades.

    >>> str(Durak.deal(players=2, seed=7).run().ending)
    'won'
    """
