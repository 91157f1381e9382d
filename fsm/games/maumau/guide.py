"""The rules of Mau-Mau to read, and where its house rules stand in them."""

from __future__ import annotations

from fsm.declaration.guide import Guide

TURNED_UP = "The next card is turned up. It counts as if somebody had just played it."
DRAW_ONE = "If you cannot play, or do not want to, draw one card. If it fits, you may play it at once."
SEVEN_DRAWS, SEVEN_ANSWERED, SEVEN_ENDS = (
    "A seven: the next player draws two cards.",
    "The next player may answer with another seven instead. Then the cards add up for the player after that.",
    "A player who draws these cards plays none in that turn.",
)
EIGHT = "An eight: the next player is skipped."
NOT_ON_JACKS = "It does not fit on another jack."
LAST_CARD = "The first player without cards wins. The last card has no effect."
POINTS = "The others count the cards that they hold: seven to ten as they are, ace 11, jack 20, king 4, queen 3."

GUIDE = Guide(
    aim="Get rid of your cards before the others.",
    deal=(TURNED_UP,),
    turn=(
        "Play a card of the suit or of the rank of the open card: HK and CN both fit on HN.",
        DRAW_ONE,
        "When the draw pile is empty, the cards under the open card are turned over. Nobody shuffles them.",
    ),
    cards={
        "DS HS": (SEVEN_DRAWS, SEVEN_ANSWERED, SEVEN_ENDS),
        "DE HE": (EIGHT,),
        "SJ CJ": (
            "A jack fits on every suit, but not on a seven for which cards must be drawn.",
            NOT_ON_JACKS,
            "Its player names a suit. The next card must be of that suit.",
        ),
    },
    counting=(LAST_CARD, POINTS, "If the last card was a jack, all points count twice. The fewest points are best."),
    instead={
        "cover-eight": (EIGHT,),
        "draw-until-fit": (DRAW_ONE,),
        "drawn-card-not-played": (DRAW_ONE,),
        "jack-on-jack": (NOT_ON_JACKS,),
        "opening-without-effect": (TURNED_UP,),
        "other-scores": (POINTS,),
        "play-on-after-penalty": (SEVEN_ENDS,),
        "sevens-draw-*": (SEVEN_DRAWS,),
        "sevens-not-answered": (SEVEN_ANSWERED,),
    },
    beside={
        "eights-answered": EIGHT,
        "five-each": TURNED_UP,
        "no-action-last": LAST_CARD,
    },
    special={
        "ace-skips": "SA HA",
        "heart-king-draws-five": "HK",
        "king-again": "SK DK",
        "nine-reverses": "SN HN",
        "ten-is-wild": "ST HT",
    },
)
