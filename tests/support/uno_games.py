"""Positions of UNO in short, and what a test does with a game of it."""

from __future__ import annotations

from collections import Counter

from plain_uno import CARDS
from short_positions import parts_of

from fsm.games.uno.game import Uno


def whole(short: str) -> str:
    """The whole position that `short` means: facts left out have their defaults, `...` are all cards not named.

    The direction has turned with the reverses of the discard pile, player 1 has dropped its wilds.
    """
    phase, given, piles = parts_of(short, CARDS)
    none = ["0"] * piles["hands"].count("/")
    dropped = piles["discard"].split(",")
    wilds = str(sum(card in ("WC", "WF") for card in dropped))
    facts = {"player": "1", "reversed": str(sum(card[-1] == "R" for card in dropped) % 2), "due": "0", "colour": "-"}
    facts |= {"wilds": "/".join([wilds, *none]), "calls": "/".join(["0", *none]), "ending": "-", "winner": "-"}
    return " ".join([phase, *(f"{name}={value}" for name, value in (facts | given | piles).items())])


def at(short: str, policies: tuple[str, ...] = ()) -> Uno:
    return Uno.at(whole(short), policies)


def turn(game: Uno) -> Uno:
    """Step until a player decides, or the game is over."""
    game.step()
    while not game.starts_turn and game.outcome is None:
        game.step()
    return game


def deck(players: int, opening: str, *top: str) -> str:
    """A case in which `opening` is exposed and `top` lies on the stock."""
    rest = Counter(CARDS)
    rest.subtract([opening, *top])
    cards = sorted(rest.elements())
    dealt = cards[: 7 * players]
    return " ".join([str(players), *dealt, opening, *top, *cards[7 * players :]])
