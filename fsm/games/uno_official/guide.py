"""The rules of official UNO to read, and where its house rules stand in them."""

from __future__ import annotations

from fsm.declaration.guide import Guide

FITS = (
    "Lay a card of the colour, the number or the symbol of the open card: R5 and GS both fit on G5. A wild always fits."
)
DRAW_ONE = "Or draw one card, even if you could play."
LAY_OR_KEEP = "If the drawn card fits, you may lay it at once, or keep it."
SKIPPED_OF_TWO = "With two players the other one misses the turn."
DRAW_TWO = "Draw two: the next player draws two cards and misses the turn."
BLUFF = (
    "You may lay it all the same. If the next player challenges a card that is not honest, you draw the four cards. If "
    "it was honest, the challenger draws six."
)
DRAW_AT_THE_END = "If the last card is a draw two or a wild draw four, the next player still draws."

GUIDE = Guide(
    aim="Get rid of your cards before the others. The winner scores the cards that they hold.",
    deal=(
        "The top card of the draw pile is turned up, and the player after the dealer begins. A skip, draw two or wild "
        "that is turned up takes effect on this player. After a reverse the direction turns, and the dealer begins.",
    ),
    turn=(
        FITS,
        DRAW_ONE,
        LAY_OR_KEEP,
        "With one card left, say “Uno!”. If you say nothing and somebody catches you, you draw two cards.",
    ),
    cards={
        "BS": ("Skip: the next player misses the turn.",),
        "GR": ("Reverse: the direction of play turns.", SKIPPED_OF_TWO),
        "YD": (DRAW_TWO,),
        "WC": ("Wild: its player names the colour.",),
        "WF": (
            "Wild draw four: its player names the colour. The next player draws four cards and misses the turn.",
            "It is honest if its player holds no card of the colour before.",
            BLUFF,
        ),
    },
    counting=(
        "The first player without cards wins the round, and scores what the others hold: numbers as they are, skip, "
        "reverse and draw two 20, wilds 50.",
        DRAW_AT_THE_END,
    ),
    instead={
        "draw-until-fit": (DRAW_ONE, LAY_OR_KEEP),
        "must-play": (DRAW_ONE, LAY_OR_KEEP),
        "no-action-last": (DRAW_AT_THE_END,),
        "no-bluff": (BLUFF,),
        "no-draw-on-last": (DRAW_AT_THE_END,),
        "reverse-skips-nothing-with-two": (SKIPPED_OF_TWO,),
    },
    beside={"jump-in": FITS, "stack-draw-two": DRAW_TWO, "stack-draws": DRAW_TWO},
    special={"seven-zero": "R7 R0"},
)
