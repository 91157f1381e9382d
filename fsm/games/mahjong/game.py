"""Games of mahjong at the table, stepped event by event."""

from fsm.games.mahjong import MAHJONG
from fsm.stepping.game import Game

__all__ = ["Mahjong"]


class Mahjong(Game, declaration=MAHJONG):
    """A game of mahjong at the table, stepped event by event. Tiles are named by digit and suit: `4B`, four bamboos.

    The draw pile is the wall, the discard pile has the tiles that nobody claimed. `pung` and `gang` name the open tile,
    `chow` the lowest tile of the run.
    """
