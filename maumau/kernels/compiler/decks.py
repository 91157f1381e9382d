"""Source that makes decks and checks those that are given."""

from __future__ import annotations

from textwrap import indent

from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import functions
from maumau.kernels.compiler.naming import Source, in_comment, mention, named
from rules.chance import draw_words, shuffle_by_words, words_for

AHEAD = 16
"""Games whose random words a kernel draws at a time."""


def dealing_source(game: Declaration) -> Source:
    """The source of a module whose `deal_all` fills rows with the decks of a seed, from game `first` on."""
    title = in_comment(f"{game.title} dealt: generated from its declaration.")
    text = f'''"""{title}"""


def deal_all(decks, players, seed, first):
    """Fill each row of `decks` with the deck of one game."""
    words = new_integers({words_ahead(game)})
    for game in range(len(decks)):
        deck = row_at(decks.ctypes.data + game * {game.deck_size})
{indent(dealt(game), " " * 8)}
'''
    return named(text, functions(game))


def checking_source(game: Declaration) -> Source:
    """The source of a module whose `first_wrong` finds the first row that is not the whole deck, or -1."""
    title = in_comment(f"{game.title}, its decks checked: generated from its declaration.")
    text = f'''"""{title}"""


def first_wrong(decks, weights, whole):
    """The first row of `decks` whose cards do not weigh what the whole deck does."""
    for game in range(len(decks)):
        deck = row_at(decks.ctypes.data + game * {game.deck_size})
        weight = 0
        for place in range({game.deck_size}):
            weight += weights[deck[place]]
        if weight != whole:
            return game
    return -1
'''
    return named(text, functions(game))


def dealt(game: Declaration, index: str = "game", number: str = "first + game", ahead: int = AHEAD) -> str:
    """Statements that make the deck of a game of a seed.

    index: counts the games of consecutive numbers, from 0. number: of the game. ahead: games whose random words are
    drawn at a time, at most AHEAD.
    """
    lines = [
        f"if {index} % {ahead} == 0:",
        f"    {mention(draw_words)}(words, {ahead}, seed, {number})",
        f"{mention(game.fill)}(deck)",
        f"{mention(shuffle_by_words)}(deck, words, {ahead}, {index} % {ahead}, seed, {number})",
    ]
    if game.amend:
        lines.append(f"{mention(game.amend)}(deck, players, seed, {number})")
    return "\n".join(lines)


def words_ahead(game: Declaration) -> int:
    """How many random words a kernel draws at a time."""
    return words_for(game.deck_size) * AHEAD
