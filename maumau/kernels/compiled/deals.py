"""Every deal of a small deck, one after another: hands, then single cards, which are the open card and the draw pile.

Deals that differ only in the order of a hand are one, and equal cards do not change places: each block of the deck
ascends. So the next deal is the next one in the order of the blocks, as in a dictionary.
"""

from __future__ import annotations

from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import Array, np


def deal_on(
    cards: Array1D[np.int64],
    ends: Array1D[np.int64],
    spare: Array1D[np.int64],
    places: Array1D[np.int64],
    begun: int,
    decks: Array2D[np.uint8],
) -> int:
    """Write the next deals into `decks`; how many, which are fewer if there are no more.

    cards: the cards of the last deal, block by block, or sorted ones. ends: for each the place after its block. spare:
    room for the cards. places: for each place of a deck, where its card lies in `cards`. begun: 0 before the first.
    """
    for number in range(len(decks)):
        if begun + number > 0 and not follows(cards, ends, spare):
            return number
        for place in range(len(places)):
            decks[number, place] = cards[places[place]]
    return len(decks)


def follows(cards: Array, ends: Array, spare: Array) -> bool:
    """Put the cards into the next order; whether there is one.

    The last card gives way for which a greater one lies behind it, and as many greater ones as complete its block.
    """
    for count in range(len(cards)):
        place = len(cards) - 1 - count
        greater = 0
        while greater < count and spare[greater] <= cards[place]:
            greater += 1
        if count - greater >= ends[place] - place:
            rearrange(cards, place, ends[place], spare, greater, count)
            return True
        for index in range(count - greater):
            spare[count - index] = spare[count - index - 1]
        spare[greater] = cards[place]
    return False


def rearrange(cards: Array, place: int, end: int, spare: Array, greater: int, count: int) -> None:
    """Put the least cards of `spare` that it can have into a block from a place on, and the others behind the block.

    end: the place after the block. greater: the index of the card for the place. count: how many there are.
    """
    card = spare[greater]
    spare[greater] = cards[place]
    cards[place] = card
    for more in range(1, end - place):
        cards[place + more] = spare[greater + more]
    at = end
    for index in range(count):
        if index <= greater or index >= greater + end - place:
            cards[at] = spare[index]
            at += 1
