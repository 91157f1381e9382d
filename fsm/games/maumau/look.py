"""How Mau-Mau is displayed: card faces, facts, and the result line of the problem."""

from __future__ import annotations

from fsm.declaration.facts import Look
from fsm.declaration.results import ResultLines
from fsm.games.maumau.arcs import DRAW, PLAIN
from fsm.games.maumau.guide import GUIDE
from rules.faces import FRENCH_RANKS, Face, french_face
from rules.notation import Notation

RANKS = FRENCH_RANKS | {"S": ("7", "seven"), "E": ("8", "eight"), "N": ("9", "nine")}


def face(notation: Notation, name: str) -> Face:
    """A French card: its suit, then its rank by the first letter of its word."""
    suit, (corner, word) = name[0], RANKS[name[1]]
    return french_face(corner, suit, f"{word} of {notation.suit_name(suit)}")


LOOK = Look(
    summary="32 cards, suit on suit or rank on rank: sevens draw two, eights skip, a jack names the suit.",
    at_will={DRAW.rule: "A player who cannot play, or does not want to, draws one card."},
    face=face,
    suit_facts={"suit": "bound suit"},
    number_facts={
        "due": ("1 card to draw", "{} cards to draw"),
        "penalty": ("a penalty", ""),
    },
    usual=(PLAIN.rule,),
    asks={"pass_turn": "pass", "skip": "be skipped"},
    result=ResultLines(laid=True),
    guide=GUIDE,
)
