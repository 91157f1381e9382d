"""The rules of the UNO of a contest, to read."""

from __future__ import annotations

from fsm.declaration.guide import Guide

GUIDE = Guide(
    aim="Get rid of your cards before the others.",
    deal=("The next card is turned up. It counts as if player 1 had dropped it, with its effect.",),
    turn=(
        "If you can drop a card, you must: one of the colour or the symbol of the open card, or a wild.",
        "If you cannot, you draw one card, and your turn is over.",
        "Nobody has to say “Uno”: the calls come by themselves.",
    ),
    cards={
        "BS": ("Skip: the next player loses the turn.",),
        "GR": ("Reverse: the direction of play turns.",),
        "YD": ("Draw two: the next player draws two cards and loses the turn.",),
        "WC": ("Wild: its player names the colour.",),
        "WF": (
            "Wild draw four: its player names the colour. The next player draws four cards and loses the turn.",
            "You may drop it only if no other card of your hand may be dropped.",
        ),
    },
    counting=(
        "The first player without cards wins the round. If a card must be drawn and there is none, nobody wins.",
        "Cards that are left count: numbers as they are, skip, reverse and draw two 20, wilds 50. In a match the "
        "winner scores what the others hold.",
    ),
)
