"""How official UNO is displayed: the cards of UNO, its own facts, and two result lines."""

from __future__ import annotations

from fsm.declaration.facts import TURNED_ROUND, Look
from fsm.declaration.results import ResultLines
from fsm.games.uno.look import face
from fsm.games.uno_official.arcs import NO_EFFECT, TAKES_EFFECT
from fsm.games.uno_official.guide import GUIDE
from rules.uno.game import calls

LOOK = Look(
    summary="The UNO in the box: players call and catch, and a wild draw four may be a bluff.",
    face=face,
    suit_facts={"colour": "current colour", "colour_before": "colour before"},
    word_facts={
        "why": {
            "own-draw": "instead of playing a card",
            "caught": 'a penalty for the missing "Uno"',
            "victim": "the turn is lost",
            "guilt": "a penalty for a wild draw four that was not allowed",
        }
    },
    number_facts={
        "due": ("1 card to draw", "{} cards to draw"),
        "guilty": ("guilty", ""),
        "reversed": TURNED_ROUND,
    },
    events={
        "call": 'calls "Uno"',
        "catch": "catches the silent player",
        "draw": "draws",
        "keep": "keeps it",
        "let_pass": "lets it pass",
        "stay_silent": "stays silent",
    },
    usual=(NO_EFFECT, TAKES_EFFECT),
    asks={
        "call": 'say "Uno!"',
        "stay_silent": "say nothing",
        "catch": "catch the silent player",
        "let_pass": "let it pass",
        "keep": "keep the drawn card",
        "name": "name a colour",
        "accept": "take the cards",
        "challenge": "challenge it",
        "pass_turn": "pass",
    },
    result=ResultLines(scores="", marks=calls),
    guide=GUIDE,
)
