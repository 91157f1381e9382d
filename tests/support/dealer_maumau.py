"""Mau-Mau that knows a dealer: the seat after the dealer is in turn first. Everything else is as in Mau-Mau."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fsm import MauMau
from fsm.declaration.facts import Fact
from fsm.games.maumau import MAUMAU
from rules.maumau import game as maumau
from rules.rule import effect
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Table(maumau.MauMauTable):
    """The table of Mau-Mau, and who the dealer is."""

    dealer: int = seen_by_all(0)


@effect
def deal(table: Table, deck: Sequence[int], players: int) -> None:
    """Deal as in Mau-Mau; the seat after the dealer begins."""
    maumau.deal(table, deck, players)
    table.player = (table.dealer + 1) % players


DEALER_MAUMAU = replace(
    MAUMAU,
    title="Mau-Mau with a dealer",
    name="dealer-maumau",
    table=Table,
    deal=deal,
    deal_each=None,
    invariants=tuple(each for each in MAUMAU.invariants if "player 1" not in each.description),
    small_decks=(),
    codec=replace(MAUMAU.codec, facts=(*MAUMAU.codec.facts, Fact("dealer", "dealer", "seat"))),
)


class DealerMauMau(MauMau, declaration=DEALER_MAUMAU):
    """A game of Mau-Mau with a dealer."""
