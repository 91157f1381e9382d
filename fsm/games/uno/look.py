"""How UNO is displayed: coloured cards, facts, and the result lines of the problem."""

from __future__ import annotations

from fsm.declaration.facts import TURNED_ROUND, Look
from fsm.declaration.results import ResultLines
from fsm.games.uno.arcs import NUMBER
from fsm.games.uno.guide import GUIDE
from rules.faces import Face
from rules.notation import Notation
from rules.uno.game import calls

ACTIONS = {"S": "skip", "R": "reverse", "D": "draw two"}
SIGNS = {"R": "▲", "Y": "★", "G": "■", "B": "●"}
"""A sign for each colour: the shape that is drawn on its cards."""
BRIEF = {"S": "skip", "R": "reverse", "D": "+2", "WC": "wild", "WF": "wild+4"}
WILDS = {"WC": "wild", "WF": "wild draw four"}


def face(notation: Notation, name: str) -> Face:
    """A coloured card with a number or an action, or a wild."""
    if name in WILDS:
        return Face("uno", name, "", WILDS[name], text=BRIEF[name])
    colour, rank = name[0], name[1]
    label, text = f"{notation.suit_name(colour)} {ACTIONS.get(rank, rank)}", f"{SIGNS[colour]}{BRIEF.get(rank, rank)}"
    return Face("uno", rank, colour, label, text=text)


LOOK = Look(
    summary="The UNO of a contest: a player who can play must, calls come by themselves, and nothing is challenged.",
    face=face,
    contest=True,
    suit_facts={"colour": "named colour"},
    number_facts={
        "due": ("1 card to draw", "{} cards to draw"),
        "reversed": TURNED_ROUND,
        "wilds": ("", ""),
        "calls": ("", ""),
    },
    events={"play": "drops"},
    usual=(NUMBER.rule,),
    result=ResultLines(scores="", marks=calls, always=True),
    guide=GUIDE,
)
