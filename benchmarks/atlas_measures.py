"""What a round of official UNO shows besides its result: how far behind its winner was, and chains of cards that make
somebody draw.

A house rule that changes nothing notes it on the table. It stands in the results as the points of the winner, who is
left with none. The notes belong to the position, so an endless round may be found to be one some turns later.
"""

from __future__ import annotations

from typing import Any

from fsm.edge.numbers import Array, np
from fsm.games.uno_official.house.answering import Stacking, add_to_total, adds, forget_total
from fsm.variants.edits import AddField, Means, Variant
from rules.rule import effect, query
from rules.uno.game import score
from rules.uno_official.game import UnoOfficialTable, forget

BITS, MOST = 6, 63
"""Bits of the number of cards by which a seat was behind, and the largest; more count as that."""
LONGEST, LENGTHS = 1 << BITS, 32
"""What a card of the longest chain counts in the points of the winner; above all lengths."""
CHAINS, MOST_CHAINS = LONGEST * LENGTHS, 31
"""What a chain counts, and how many are counted at most: in a round that never ends the notes come to an end."""


class Measured(UnoOfficialTable):
    """A table that knows by how many cards each seat was behind, BITS bits a seat."""

    behind: int


class MeasuredChains(Stacking):
    """A table that knows how long the chain under way and the longest one are, and how many there were."""

    behind: int
    chain: int
    longest: int
    chains: int


@query
def size(table: UnoOfficialTable, seat: int) -> int:
    """How many cards a seat holds."""
    return table.hands[seat].bit_count() + table.twins[seat].bit_count()


@effect
def compare_and_forget(table: Measured) -> None:
    """A turn is over: how far the seat that had it is behind the one with the fewest cards."""
    own = fewest = size(table, table.turn)
    for seat in range(table.players):
        fewest = min(fewest, size(table, seat))
    now, most = min(own - fewest, MOST), table.behind >> BITS * table.turn & MOST
    if now > most:
        table.behind += now - most << BITS * table.turn
    forget(table)


@effect
def add_and_count(table: MeasuredChains) -> None:
    """A card that adds to the total makes the chain longer."""
    add_to_total(table)
    if adds(table.open_card) > 0:
        table.chain += 1
        table.longest = max(table.longest, table.chain)
        if table.chain == 2 and table.chains < MOST_CHAINS:
            table.chains += 1


@effect
def forget_chain(table: MeasuredChains) -> None:
    """The total is drawn: the chain is over."""
    forget_total(table)
    table.chain = 0


@query
def score_or_measures(table: MeasuredChains, seat: int) -> int:
    """The points that a seat is left with; of the winner what was measured."""
    if table.winner == seat:
        return (table.behind >> BITS * seat & MOST) + LONGEST * table.longest + CHAINS * table.chains
    return score(table, seat)


MEASURES = Variant(
    "measured",
    "Deficits and chains are noted.",
    (
        *(AddField(name) for name in ("behind", "chain", "longest", "chains")),
        Means(forget, compare_and_forget),
        Means(score, score_or_measures),
        Means(add_to_total, add_and_count, if_used=True),
        Means(forget_total, forget_chain, if_used=True),
    ),
)


def measures(played: Any) -> dict[str, Array]:
    """Of each round by how many cards its winner was behind at most, the longest chain, and how many chains of two or
    more cards there were; zeros where nobody has won.
    """
    games = played.games
    noted = played.scores[np.arange(len(games)), games["winner"]] * (games["winner"] >= 0)
    return {"behind": noted % LONGEST, "longest": noted // LONGEST % LENGTHS, "chains": noted // CHAINS}
