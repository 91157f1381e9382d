"""An independent judge for mahjong at the table, written from the rules alone; it imports nothing from the project.

A state is plain lists of tiles as words. `legal` names all that may be done, `done` does it on a copy. Splits and scores
are those of `plain_mahjong`, which is independent, too.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

import plain_mahjong

ORDER = [f"{digit}{suit}" for suit in "DBM" for digit in "123456789"]
Event = tuple[int, str, str]
"""Seat from 1, event, tile or nothing."""


@dataclass
class State:
    players: int
    wall: list[str]
    hands: list[list[str]]
    whole: int
    melds: list[list[list[str]]] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    phase: str = "draw"
    player: int = 0
    turn: int = 0
    scores: list[int] | None = None
    events: list[Event] = field(default_factory=list)

    def after(self, seat: int) -> int:
        return (seat + 1) % self.players


def dealt(players: int, deck: list[str], each: int = 13) -> State:
    hands = [deck[seat : players * each : players] for seat in range(players)]
    return State(players, deck[players * each :], hands, each, [[] for _ in range(players)])


def is_over(state: State) -> bool:
    return state.phase == "over"


def best(state: State, seat: int, extra: str = "") -> int:
    """The score of a hand, with one tile more; 0 if it does not win."""
    hand = sorted(state.hands[seat] + ([extra] if extra else []), key=ORDER.index)
    return best_of(tuple(hand), tuple(tuple(meld) for meld in state.melds[seat]), state.whole)


@cache
def best_of(hand: tuple[str, ...], melds: tuple[tuple[str, ...], ...], whole: int) -> int:
    tiles = [*hand, *(tile for meld in melds for tile in meld)]
    sizes = sorted(len([tile for tile in hand if tile[1] == suit]) % 3 for suit in "DBM")
    pairs = not melds and len(hand) == 14 and all(hand.count(tile) % 2 == 0 for tile in hand)
    if len({tile[1] for tile in tiles}) > 2 or not (sizes == [0, 0, 2] or pairs):
        return 0
    ways = plain_mahjong.splits(list(hand), melds)
    if whole != 13:
        ways = {way for way in ways if any(len(group) > 2 for group in way)}
    return max(map(plain_mahjong.score, ways), default=0)


def runs(state: State) -> list[str]:
    """The lowest tiles of the runs that who acts can make with the open tile."""
    tile, hand = state.pile[-1], state.hands[state.player]
    found = []
    for first in range(int(tile[0]) - 2, int(tile[0]) + 1):
        run = [f"{digit}{tile[1]}" for digit in range(first, first + 3)]
        if all(each in ORDER for each in run) and all(each == tile or each in hand for each in run):
            found.append(run[0])
    return found


def gangs(state: State) -> list[str]:
    hand, melds = state.hands[state.player], state.melds[state.player]
    return [
        tile for tile in ORDER if state.wall and (hand.count(tile) == 4 or (tile in hand and [tile] * 3 in melds))
    ]  # fmt: skip


def legal(state: State) -> list[tuple[str, str]]:
    """What may be done, as events with their tiles."""
    seat, phase = state.player, state.phase
    hand = state.hands[seat]
    discards = [("discard", tile) for tile in ORDER if tile in hand]
    if phase in ("draw", "replacement"):
        return [("take", "")] if state.wall else [("exhaust", "")]
    if phase == "turn":
        return [("win", "")] * (best(state, seat) > 0) + [("gang", tile) for tile in gangs(state)] + discards
    if phase == "discard":
        return discards
    tile = state.pile[-1]
    found: list[tuple[str, str]] = []
    if phase == "ask-win" and best(state, seat, tile):
        found = [("win", "")]
    if phase == "ask-set" and hand.count(tile) >= 2:
        found = [("gang", tile)] * (hand.count(tile) == 3 and bool(state.wall)) + [("pung", tile)]
    if phase == "ask-run":
        found = [("chow", first) for first in runs(state)]
    return [*found, ("decline", "")] if found else [("pass_over", "")]


def do(state: State, event: str, tile: str) -> None:
    """Do it, and write it down unless nobody did anything."""
    seat = state.player
    hand = state.hands[seat]
    if event == "take":
        tile = state.wall.pop(0)
        hand.append(tile)
        state.turn, state.phase = seat, "turn"
    elif event == "exhaust":
        state.phase = "over"
    elif event == "discard":
        hand.remove(tile)
        state.pile.append(tile)
        state.player, state.phase = state.after(seat), "ask-win"
    elif event == "win":
        won(state)
    elif event == "gang" and state.phase == "turn":
        if hand.count(tile) == 4:
            state.melds[seat].append([tile] * 4)
        else:
            state.melds[seat][state.melds[seat].index([tile] * 3)] = [tile] * 4
        while tile in hand:
            hand.remove(tile)
        state.phase = "replacement"
    elif event in ("gang", "pung", "chow"):
        claim(state, event, tile)
    else:
        ask_next(state)
    if event != "pass_over":
        state.events.append((seat + 1, event, tile))


def claim(state: State, event: str, tile: str) -> None:
    seat, claimed = state.player, state.pile.pop()
    meld = [tile] * (4 if event == "gang" else 3)
    if event == "chow":
        meld = [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
    state.melds[seat].append(meld)
    needed = list(meld)
    needed.remove(claimed)
    for each in needed:
        state.hands[seat].remove(each)
    state.turn, state.phase = seat, "replacement" if event == "gang" else "discard"


def ask_next(state: State) -> None:
    following = {"ask-win": "ask-set", "ask-set": "ask-run", "ask-run": "draw"}
    seat = state.after(state.player)
    if state.phase != "ask-run" and seat != state.turn:
        state.player = seat
    else:
        state.player, state.phase = state.after(state.turn), following[state.phase]


def won(state: State) -> None:
    winner = state.player
    if state.phase == "turn":
        score, payers = best(state, winner), [seat for seat in range(state.players) if seat != winner]
    else:
        score, payers = best(state, winner, state.pile[-1]), [state.turn]
        state.hands[winner].append(state.pile.pop())
    state.scores = [-score if seat in payers else 0 for seat in range(state.players)]
    state.scores[winner] = score * len(payers)
    state.phase = "over"


# ---------------------------------------------------------------- the house policy


def unwanted(state: State) -> str:
    """The letter of the unwanted suit, or nothing."""
    laid = {meld[0][1] for meld in state.melds[state.player]}
    free = [suit for suit in "DBM" if suit not in laid]
    held = [sum(tile[1] == suit for tile in state.hands[state.player]) for suit in free]
    fewest = [suit for suit, count in zip(free, held, strict=True) if count == min(held)]
    return fewest[-1] if fewest else ""


def worth(hand: list[str], tile: str) -> int:
    def there(step: int) -> bool:
        return f"{int(tile[0]) + step}{tile[1]}" in hand

    return 4 * (hand.count(tile) >= 2) + 2 * (there(-1) + there(1)) + there(-2) + there(2)


def house(state: State, may: list[tuple[str, str]]) -> tuple[str, str]:
    hand, suit = state.hands[state.player], unwanted(state)
    events = [event for event, _ in may]
    if "win" in events:
        return ("win", "")
    wanted = [(event, tile) for event, tile in may if event in ("gang", "pung") and tile[1] != suit]
    if "gang" in events or "pung" in events:
        gang = [each for each in wanted if each[0] == "gang"]
        if gang or ("gang" not in events and wanted):
            return (gang or wanted)[0]
    if "chow" in events:
        tile = state.pile[-1]
        if tile[1] != suit and tile not in hand and not any(each[1] == suit for each in hand):
            return next(each for each in may if each[0] == "chow")
    if "decline" in events:
        return ("decline", "")
    clearing = [tile for tile in hand if tile[1] == suit] or hand
    return ("discard", min(clearing, key=lambda tile: (worth(hand, tile), -abs(int(tile[0]) - 5), ORDER.index(tile))))


def played(state: State, choose: Callable[[State, list[tuple[str, str]]], tuple[str, str]] = house) -> State:
    """Play to the end."""
    while not is_over(state):
        may = legal(state)
        do(state, *(may[0] if len(may) == 1 else choose(state, may)))
    return state


def simulate(players: int, deck: list[str]) -> State:
    """A game of the house policy."""
    return played(dealt(players, deck))


def line(events: list[Event]) -> str:
    return ", ".join(" ".join(filter(None, (str(seat), event, tile))) for seat, event, tile in events)


def result(state: State) -> str:
    return " ".join(map(str, state.scores)) if state.scores else "No score: wall exhausted"


def all_plays(state: State) -> Iterator[State]:
    """Every way in which a game can end, whatever the seats choose."""
    if is_over(state):
        yield state
        return
    for event, tile in legal(state):
        other = copy.deepcopy(state)
        do(other, event, tile)
        yield from all_plays(other)
