"""A small game in which sets of cards are named in one move: pairs, triples, quadruples and runs of three.

In turn each player lays a set of the hand face up, or sheds one card. Who has no card left wins.
"""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Choice, Codec, Invariant, Phase, Policy, Postcondition, SmallDeck
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.declaration.page import forced, lay, on, page, turn
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from fsm.stepping.game import Game
from rules.cards import FRENCH_52
from rules.invariants import all_hold_cards
from rules.piles import trace
from rules.rule import among, any_of, choice, effect, guard, query
from rules.sets import CardSets, cards_named, forms_at, lowest_cards, of_a_rank, runs
from rules.shedding import lay_card, next_player, win
from rules.table import CardTable, deal_in_turn_unopened, dealing, each_seat, fill_once
from rules.tricks import held
from rules.visibility import seen_by_all

SEATS = 4
SETS = CardSets(of_a_rank(FRENCH_52, (2, 3, 4)) + runs(FRENCH_52, (3,)))


@dataclass(slots=True)
class Table(CardTable):
    """The sets that were laid, and the form of the one that is named."""

    melded: list[int] = seen_by_all(factory=each_seat(SEATS))
    form: int = seen_by_all(-1)


@query
def cards_each(players: int) -> int:
    return 6


@query
def score(table: Table, seat: int) -> int:
    return table.hands[seat].bit_count()


lowest_to_meld = lowest_cards(SETS, held)
forms_to_meld = forms_at(SETS, held)
named = cards_named(SETS)
may_meld = among(lowest_to_meld, "may_meld", "{card} begins no set", "The cards are a set of the hand.")
may_shed = among(held, "may_shed", "{card} is no card of the hand", "The card is one of the hand.")


@guard("a card is left")
def melds_last(table: Table) -> bool:
    """The set is the whole hand."""
    return table.hands[table.player] == named(table)


@guard("a card is left")
def sheds_last(table: Table) -> bool:
    """The card is the whole hand."""
    return table.hands[table.player] == 1 << table.card


@effect
def meld(table: Table) -> None:
    table.hands[table.player] ^= named(table)
    table.melded[table.player] |= named(table)
    trace(table, table.card)


@choice
def first_lowest(table: Table) -> int:
    cards = lowest_to_meld(table)
    return (cards & -cards).bit_length() - 1


@choice
def greatest_form(table: Table) -> int:
    best, most = -1, 0
    forms = forms_to_meld(table)
    for form in range(len(FORMS)):
        if forms >> form & 1 == 1 and FORMS[form].bit_count() > most:
            best, most = form, FORMS[form].bit_count()
    return best


@choice
def highest_card(table: Table) -> int:
    return table.hands[table.player].bit_length() - 1


FORMS = SETS.forms


@query
def set_is_laid(before: Table, after: Table) -> bool:
    """The cards that were laid are of one rank, or three in a row of one suit."""
    laid = after.melded[before.player] ^ before.melded[before.player]
    low = (laid & -laid).bit_length() - 1
    of_rank = laid >> 4 * (low >> 2) <= 0b1111 and laid.bit_count() > 1
    return before.hands[before.player] ^ after.hands[before.player] == laid and (of_rank or laid == 0b100010001 << low)


@query
def nothing_is_laid(table: Table) -> bool:
    for seat in range(table.players):
        if table.melded[seat] != 0:
            return False
    return True


class MeldingPhase(Phase):
    INITIAL = "initial"
    PLAYING = "playing"
    GAME_OVER = "game-over"


INITIAL, PLAYING, GAME_OVER = MeldingPhase

# fmt: off
ARCS, CONTROL = page({
    INITIAL: forced(on("begin", PLAYING, rule="Player 1 begins.")),
    PLAYING: turn(
        lay(may_meld,
            on("meld", PLAYING, before=(meld, next_player), rule="A set is laid."),
            on("meld", GAME_OVER, conditions=melds_last, before=(meld, win), rule="The last cards are laid."),
            forms=forms_to_meld),
        lay(may_shed,
            on("shed", PLAYING, before=(lay_card, next_player), rule="A card is shed."),
            on("shed", GAME_OVER, conditions=sheds_last, before=(lay_card, win), rule="The last card is shed."))),
})

HOUSE = Policy("house", {PLAYING: (
    Choice("meld", "set", (any_of(lowest_to_meld),), first_lowest, form=greatest_form, description="a set is there"),
    Choice("shed", "highest", card=highest_card, description="the highest card"),
)})
# fmt: on

MELDING = Declaration(
    title="Melding",
    name="melding",
    table=Table,
    codec=Codec(
        notation=FRENCH_52,
        players=range(2, SEATS + 1),
        cards_each=cards_each,
        facts=(Fact("melded", "melded", "cards"),),
        sets=SETS,
    ),
    deck_size=52,
    fill=fill_once,
    deal=dealing(cards_each, deal_in_turn_unopened),
    deal_each=deal_in_turn_unopened,
    score=score,
    phases=MeldingPhase,
    initial=INITIAL,
    final=GAME_OVER,
    control=CONTROL,
    arcs=ARCS,
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    invariants=(
        Invariant("at the start nothing is laid", nothing_is_laid, (INITIAL,)),
        Invariant("while the game runs all hold cards", all_hold_cards, (INITIAL, PLAYING)),
    ),
    postconditions=(Postcondition("the cards laid are a set", set_is_laid, ("meld",)),),
    small_decks=(SmallDeck("2D 2H 2S 3D 3H 4D 5D", players=2, each=3),),
)


class Melding(Game, declaration=MELDING):
    """The game, stepped event by event."""
