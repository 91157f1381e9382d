"""Game classes of many kinds: built in, from outside, with house rules, and small ones made for tests."""

from __future__ import annotations

from auction import Auction
from stacking import Stacking
from tucking import Tucking
from turned_trump import TurnedTrump

from examples.beggar_my_neighbour import BeggarMyNeighbour
from examples.crazy_eights import CrazyEights
from examples.go_fish import GoFish
from examples.hearts import Hearts
from examples.leduc_poker import LeducPoker
from examples.president import President
from examples.spades import SharedSpades, Spades
from fsm import Game, MauMau, Uno, game_class

OFFICIAL_UNO, MAHJONG = game_class("uno-official"), game_class("mahjong")
GAMES: tuple[type[Game], ...] = (
    *(MauMau, Uno, OFFICIAL_UNO, MAHJONG),
    *(
        CrazyEights,
        Hearts,
        GoFish,
        LeducPoker,
        Spades,
        SharedSpades,
        BeggarMyNeighbour,
        President,
        Auction,
        Tucking,
        Stacking,
        TurnedTrump,
    ),
)
UNO_HOUSE_RULES = tuple(rule.name for rule in OFFICIAL_UNO.rulebook().listed())
HOUSE_RULES = tuple(rule.name for rule in MauMau.rulebook().listed())
