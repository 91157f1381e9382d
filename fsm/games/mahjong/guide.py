"""The rules of mahjong to read."""

from __future__ import annotations

from fsm.declaration.guide import Guide

GUIDE = Guide(
    aim="Complete a hand of four groups and a pair, in at most two suits, before the others.",
    deal=(
        "There are nine tiles each of dots, such as 1D, bamboos, such as 5B, and characters, such as 9M. Each tile is "
        "there four times. The tiles that are left are the wall.",
    ),
    turn=(
        "Take a tile from the wall, then discard one.",
        "You may claim a tile that somebody else has just discarded: to win, or for a pung or a gang. Only the player "
        "after the discarder may claim it for a chow. To win comes first, a chow last.",
        "A claimed group lies open before you. It is your turn then: discard a tile.",
    ),
    heading="Groups and pairs",
    cards={
        "2B 3B 4B": ("Chow: three tiles of one suit in a row.",),
        "5D 5D 5D": ("Pung: three equal tiles.",),
        "7M 7M 7M 7M": (
            "Gang: four equal tiles, which are laid out. You take another tile from the wall.",
            "The fourth tile may be added to a pung that lies before you.",
        ),
        "9D 9D": ("Pair: two equal tiles. Seven pairs also win, if nothing was laid out.",),
    },
    counting=(
        "If you win with a discarded tile, the player who discarded it pays the score of your hand. If you took the "
        "tile from the wall, every other player pays it.",
        "If the wall is used up, nobody wins.",
    ),
)
