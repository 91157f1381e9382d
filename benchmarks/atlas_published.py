"""Figures that others have published, and the same here: stacking, by two kinds of players and two readings of the
rule, and two random players.

Those of stacking are from everygamemade.com/strategy/uno.html ('How to Win UNO - the stacking math', read in November
2026): mean turns, and rounds in per cent with a chain of two or more, and of three or more cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from benchmarks.atlas_measures import MEASURES, measures
from benchmarks.atlas_random import steps
from fsm.games.uno_official.house.answering import Stacking
from fsm.games.uno_official.house.stack_draws import answers_with_wilds
from fsm.registry import game_class
from fsm.variants.edits import Means, Variant
from maumau.kernels import bulk
from rules.rule import query
from rules.uno.cards import DRAW_TWOS, WILD_DRAW_FOURS, one_of


@query
def any_draw_card(table: Stacking) -> int:
    """The cards that make somebody draw, as a mask: each answers each."""
    hand = table.hands[table.player]
    return hand & DRAW_TWOS | one_of(hand & WILD_DRAW_FOURS)


ANY_ON_ANY = Variant(
    "any-on-any", "A draw two answers a wild draw four, too.", (Means(answers_with_wilds, any_draw_card),)
)
RULES: dict[str, tuple[str | Variant, ...]] = {
    "none": (),
    "stack-draw-two": ("stack-draw-two",),
    "stack-draws": ("stack-draws",),
    "stack-draws, a draw two on a wild draw four, too": ("stack-draws", ANY_ON_ANY),
}
PUBLISHED = {
    ("none", 2): (51.1, 0.0, 0.0),
    ("stack-draw-two", 2): (47.9, 33.1, 10.1),
    ("stack-draws", 2): (56.6, 53.0, 21.1),
    ("none", 4): (55.1, 0.0, 0.0),
    ("stack-draw-two", 4): (53.0, 44.7, 14.5),
    ("stack-draws", 4): (52.3, 70.9, 33.9),
}
"""By rules and players: turns, rounds with chains of two or more, and of three or more, in per cent."""
PLAYERS = {"house": "house", "random": "random-legal-card"}


class Stacked(NamedTuple):
    """The figures of stacking with some players. figures: those of `PUBLISHED`, by who plays."""

    rules: str
    players: int
    figures: dict[str, tuple[float, float, float]]


def stacked(rounds: int, seed: int) -> Iterator[Stacked]:
    """The published figures and those found here in so many rounds, for 2 and 4 players."""
    for players in (2, 4):
        for name, rules in RULES.items():
            figures = {"published": PUBLISHED[name, players]} if (name, players) in PUBLISHED else {}
            kind = game_class("uno-official").with_rules(*rules, MEASURES)
            for who, policy in PLAYERS.items():
                played = bulk.play_dealt(players, rounds, seed, policies=[policy], game=kind)
                longest = measures(played)["longest"]
                two, three = (float(100 * (longest >= length).mean()) for length in (2, 3))
                figures[who] = float(played.games["turns"].mean()), two, three
            yield Stacked(name, players, figures)


def lines(rounds: int, seed: int) -> Iterator[str]:
    """The part of the page. rounds: of each kind that are played; a tenth of the ones that are not compiled."""
    yield """
## Published figures

The table compares stacking as published by everygamemade.com (strategy/uno) with house players and with
`random-legal-card` players here. It has turns, and the rounds in per cent with a chain of two or more cards,
and of three or more.
"""
    columns = (
        f"{title}{who}" for title in ("turns, ", "2 or more, ", "3 or more, ") for who in ("published", *PLAYERS)
    )
    yield f"| stacking | players | {' | '.join(columns)} |\n|---|{'---:|' * 10}"
    for each in stacked(rounds, seed):
        by = [each.figures.get(who) for who in ("published", *PLAYERS)]
        texts = [f"{figures[index]:.1f}" if figures else "" for index in range(3) for figures in by]
        yield f"| {each.rules} | {each.players} | {' | '.join(texts)} |"
    yield """
With four players the figures agree: either kind of stacking shortens rounds by a few per cent. With two
players the published rounds become 10.8 % longer with both kinds of stacking. Here the rounds of the house
become hardly longer, and those of random players shorter. The published chains of both kinds are longer than
ours. One difference may explain it: our rule forbids a draw two on a wild draw four, and without that our chains
become longer by about as much. Another difference is that the published players need more turns than the
house and fewer than random ones. The source says no more about their rules.

B. Pfann published figures of two random players (*Tackling UNO card game with reinforcement learning*, 2021):
41 turns, and the first player wins 52 %. His program is public (bernhard-pfann/uno-card-game_rl). `python -m
benchmarks.atlas_random` states its rules again, apart from the declaration, and removes one difference after
the other:

| from here on | turns | ± | first player wins, % |
|---|---:|---:|---:|"""
    found = list(steps(rounds // 10))
    for sentence, row in found:
        yield f"| {sentence} | {row['turns']:.1f} | {row['reach']:.1f} | {100 * row['first']:.1f} |"
    games = bulk.play_dealt(2, rounds, seed, policies=["random-legal-card"], game="uno-official").games
    turns, reach = games["turns"].mean(), 1.96 * games["turns"].std() / sqrt(rounds)
    first, told = 100 * (games["winner"] == 1).mean(), found[0][1]
    yield f"| the declaration, two `random-legal-card` players | {turns:.1f} | {reach:.1f} | {first:.1f} |"
    yield f"""
So {turns:.0f} turns take the place of 41 for two reasons: random players name any colour, and they draw two for
a forgotten
call. Missed turns shorten the rounds by as much as turns that the program does not count lengthen them. Its
own rules do not give 52 % either: with them the first player wins {100 * told["first"]:.1f} %, give or take
{100 * told["first reach"]:.1f}."""
