"""How mahjong is displayed: tiles, the details of claims, discards and wins, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsm.declaration.facts import Details, Look
from fsm.declaration.results import ResultLines
from fsm.games.mahjong.guide import GUIDE
from rules.faces import Face
from rules.mahjong import decision
from rules.mahjong.game import MahjongTable, groups_of, joins_pung
from rules.mahjong.hand import wait_for
from rules.mahjong.tiles import SUIT_NAMES, TILES, Group
from rules.notation import Notation
from rules.table import held_with_copies

if TYPE_CHECKING:
    from fsm.stepping.steps import Step

EXHAUSTED = "wall exhausted"
FIRST_SIGNS = {"D": 0x1F019, "B": 0x1F010, "M": 0x1F007}
"""The code points of the ones in Unicode; those of the other ranks follow."""
SUIT_SIGNS = {"D": "●", "B": "║", "M": "萬"}
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def face(notation: Notation, name: str) -> Face:
    """A tile: its rank and its suit."""
    word = notation.suit_name(name[1]).removesuffix("s" if name[0] == "1" else "")
    rank = int(name[0])
    label, sign = f"{NUMBERS[rank - 1]} {word}", chr(FIRST_SIGNS[name[1]] + rank - 1)
    return Face("tile", name[0], name[1], label, sign, f"{rank}{SUIT_SIGNS[name[1]]}")


# ---------------------------------------------------------------- details of an event


def details(before: MahjongTable, step: Step) -> Details:
    """Whose tile is claimed and the meld; how a hand wins and who pays; the unwanted suit or the worth of a discard."""
    if step.trigger == "win":
        return Details(_win(before))
    if step.trigger in ("pung", "chow", "gang"):
        return Details(_meld(before, step))
    if step.trigger == "discard" and step.rule is not None:
        return Details(why=_discard(before, step))
    return Details()


def _win(before: MahjongTable) -> str:
    """`: with the 5D of player 2, 1D2D3D 5D5D and 2B2B2B (base 1, gang 1). Player 2 pays 2`."""
    seat = before.player
    drawn = before.turn == seat
    hidden = held_with_copies(before, seat)
    tile = before.open_card
    if drawn:
        tile = before.drawn if before.drawn in hidden else hidden[0]
        hidden.remove(tile)
    exposed = tuple(groups_of(before.melds[seat]))
    wait = wait_for(tile, hidden, exposed)
    assert wait is not None
    tile_text = f"with the {TILES.cards[tile]} {'taken' if drawn else f'of player {before.turn + 1}'}"
    payer = "Every other player" if drawn else f"Player {before.turn + 1}"
    concealed = sorted((*wait.win.hidden, *wait.win.pairs), key=lambda group: (len(group.tiles) == 2, group.tile))
    laid_out = f", laid out {_groups(exposed)}" if exposed else ""
    items = ", ".join(f"{scored.item.name} {scored.points}" for scored in wait.items)
    return f" {tile_text}: {_groups(concealed)}{laid_out}; {items}. {payer} pays {wait.score}"


def _groups(groups: Sequence[Group]) -> str:
    return " ".join(map(str, groups))


def _meld(before: MahjongTable, step: Step) -> str:
    """`, discarded by player 1: 1M1M1M`."""
    tile = TILES.card(str(step.card))
    if step.trigger == "chow":
        names = TILES.names(range(tile, tile + 3))
        return f" with the {TILES.cards[before.open_card]} of player {before.turn + 1}: {''.join(names)}"
    count = 3 if step.trigger == "pung" else 4
    if before.turn != before.player:
        return f" with the tile of player {before.turn + 1}: {str(step.card) * count}"
    before.card = tile
    return f", adding to a pung: {str(step.card) * count}" if joins_pung(before) else f": {str(step.card) * count}"


def _discard(before: MahjongTable, step: Step) -> str:
    """`characters are unwanted and being cleared, worth 4`."""
    unwanted, tile = decision.unwanted_suit(before), TILES.card(str(step.card))
    worth = f"worth {decision.worth(before, tile)}"
    if unwanted == decision.NO_SUIT:
        return f"no suit is unwanted, {worth}"
    cleared = "being cleared" if decision.unwanted_is_held(before) else "cleared"
    return f"{SUIT_NAMES[unwanted]} are unwanted and {cleared}, {worth}"


LOOK = Look(
    summary="Draw, and claim what others discard, until four groups and a pair are complete, in at most two suits.",
    face=face,
    number_facts={"score": ("the hand scores 1", "the hand scores {}")},
    events={
        "win": "wins",
        "gang": "lays out a gang of",
        "pung": "claims a pung of",
        "chow": "claims a chow from",
        "decline": "declines",
    },
    details=details,
    silent=("open", "pass_over"),
    asks={"gang": "lay out a gang", "pung": "claim a pung", "chow": "claim a chow", "decline": "let it pass"},
    seats=("East", "South", "West", "North"),
    draw_pile="wall",
    discard_pile="pile",
    scores="Scores",
    endings={"out of cards": EXHAUSTED},
    result=ResultLines(scores=""),
    guide=GUIDE,
)
