"""Mau-Mau of two players with a small deck, solved by plain Python from the rules alone; nothing of the project is used.

A state is (player, hands, queue, stock, due, bound, drawn): the queue is the draw pile, its top card first, then the
discard pile, the open card last; stock is the size of the draw pile. due is what the player has to draw; beyond ALONE
nothing answers it; SKIPPED or PASSED_OVER is an eight or an ace that may be answered. bound is the suit that an open
jack binds, "" for an opening jack. drawn is the card that was drawn in this turn and fits, else None.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

SUITS = "CSHD"
State = tuple[int, tuple[frozenset[str], frozenset[str]], tuple[str, ...], int, int, str, str | None]
Move = tuple[str, str, str]
"""What is done (play, draw, pass), with which card, naming which suit."""
NOBODY, ENDED = 0, "ended"
Rules = frozenset[str]
PLAIN: Rules = frozenset()
ALONE, SKIPPED, PASSED_OVER = 100, -1, -2


def deals(deck: list[str], each: int) -> Iterator[tuple[tuple[frozenset[str], frozenset[str]], tuple[str, ...]]]:
    """The hands, and the open card with the draw pile behind it."""
    for first in combinations(deck, each):
        for second in combinations([card for card in deck if card not in first], each):
            rest = [card for card in deck if card not in first and card not in second]
            for order in permutations(rest):
                yield (frozenset(first), frozenset(second)), order


def start(hands: tuple[frozenset[str], frozenset[str]], order: tuple[str, ...], rules: Rules = PLAIN) -> State:
    player, due = (0, 0) if "opening-without-effect" in rules else effect(order[0], 1, 0, rules)
    if order[0][1] == "K" and due == 0:
        player = 0
    return player, hands, (*order[1:], order[0]), len(order) - 1, due, "", None


def effect(card: str, player: int, due: int, rules: Rules) -> tuple[int, int]:
    """Who acts after `player` has laid a card while so much was due, and what is due then."""
    other = 1 - player
    if card[1] == "S":
        each = 3 if "sevens-draw-3" in rules else 2
        return other, ALONE + each if "sevens-not-answered" in rules else max(due, 0) + each
    if card == "HK" and "heart-king-draws-five" in rules:
        return other, ALONE + 5
    if card[1] == "K" and "king-again" in rules:
        return player, 0
    if card[1] == "E" or (card[1] == "A" and "ace-skips" in rules):
        answered = SKIPPED if card[1] == "E" else PASSED_OVER
        return (other, answered) if "eights-answered" in rules else (player, 0)
    return other, 0


def fits(card: str, state: State, rules: Rules = PLAIN) -> bool:
    player, hands, queue, _, due, bound, _ = state
    top = queue[-1]
    if "no-action-last" in rules and len(hands[player]) == 1 and card[1] in "SEJ":
        return False
    if due:
        return due < ALONE and card[1] == {SKIPPED: "E", PASSED_OVER: "A"}.get(due, "S")
    if "ten-is-wild" in rules and "T" in (card[1], top[1]):
        return True
    if "jack-on-jack" in rules and card[1] == "J":
        return True
    if top[1] == "J":
        return card[1] != "J" and (not bound or card[0] == bound)
    return card[1] == "J" or card[0] == top[0] or card[1] == top[1]


def moves(state: State, rules: Rules = PLAIN) -> list[Move]:
    player, hands, queue, _, due, _, drawn = state
    hand = hands[player]
    found: list[Move] = []
    for card in sorted(hand) if drawn is None else [drawn]:
        if fits(card, state, rules):
            names = SUITS if card[1] == "J" and len(hand) > 1 else ("",)
            found += [("play", card, suit) for suit in names]
    if drawn is not None:
        return [*found, ("pass", "", "")]
    if due < 0:
        return [*found, ("skip", "", "")]
    if len(queue) > 1 or not found:
        found.append(("draw", "", ""))
    return found


def after(state: State, move: Move, rules: Rules = PLAIN) -> tuple[Any, list[str], bool]:
    """The next state, or (ENDED, value); the cards that were drawn; whether the turn passed by itself."""
    player, hands, queue, stock, due, bound, _ = state
    what, card, suit = move
    other = 1 - player
    if what in ("pass", "skip"):
        return (other, hands, queue, stock, 0, bound, None), [], False
    if what == "play":
        hand = hands[player] - {card}
        if not hand:
            return (ENDED, 1 - 2 * player), [], False
        both = (hand, hands[1]) if player == 0 else (hands[0], hand)
        following, sum_due = effect(card, player, due, rules)
        return (following, both, (*queue, card), stock, sum_due, suit, None), [], False
    taken: list[str] = []
    for _ in range(due % ALONE or 1):
        if stock == 0:
            stock = len(queue) - 1
        if stock == 0:
            return (ENDED, NOBODY), taken, False
        taken.append(queue[0])
        queue, stock = queue[1:], stock - 1
        if stock == 0:
            stock = len(queue) - 1
    hand = hands[player] | set(taken)
    both = (hand, hands[1]) if player == 0 else (hands[0], hand)
    if due:
        return (other, both, queue, stock, 0, bound, None), taken, False
    inside: State = player, both, queue, stock, 0, bound, taken[0]
    if "drawn-card-not-played" not in rules and fits(taken[0], inside, rules):
        return inside, taken, False
    return (other, both, queue, stock, 0, bound, None), taken, True


def worth_of(states: list[State], rules: Rules = PLAIN) -> dict[Any, int]:
    """What all states that can be reached are worth with open hands."""
    following: dict[State, list[Any]] = {}
    waiting = deque(states)
    while waiting:
        state = waiting.popleft()
        if state in following:
            continue
        following[state] = [after(state, move, rules)[0] for move in moves(state, rules)]
        waiting += [each for each in following[state] if each[0] != ENDED]
    worth: dict[Any, int] = {}
    changed = True
    while changed:
        changed = False
        for state, nexts in following.items():
            if state in worth:
                continue
            mine = 1 - 2 * state[0]
            values = [each[1] if each[0] == ENDED else worth.get(each, NOBODY) for each in nexts]
            if mine in values or all(value == -mine for value in values):
                worth[state] = mine if mine in values else -mine
                changed = True
    return {state: worth.get(state, NOBODY) for state in following}


class Hidden:
    """The game with hidden hands as linear programs: information sets, and what pairs of sequences gain."""

    def __init__(self, deck: list[str], each: int, rules: Rules = PLAIN) -> None:
        self.rules = rules
        self.dealt = [start(hands, order, rules) for hands, order in deals(deck, each)]
        self.sets: list[dict[Any, tuple[int, int]]] = [{}, {}]
        self.sizes, self.parents = [1, 1], [[], []]  # type: ignore[var-annotated]
        self.gains: dict[tuple[int, int], float] = {}
        self.worth: dict[Any, int] = {}
        for hands, order in deals(deck, each):
            state = start(hands, order, rules)
            seen = [(hands[seat], order[0]) for seat in (0, 1)]
            self.visit(state, len(order) - 1, seen, [0, 0])

    def visit(self, state: Any, fresh: int, seen: list[Any], last: list[int]) -> None:
        if state[0] == ENDED or fresh <= 0:
            if state[0] != ENDED and state not in self.worth:
                self.worth |= worth_of([state], self.rules)
            value = state[1] if state[0] == ENDED else self.worth[state]
            pair = last[0], last[1]
            self.gains[pair] = self.gains.get(pair, 0) + value / len(self.dealt)
            return
        seat, possible = state[0], moves(state, self.rules)
        begin = 0
        if len(possible) > 1:
            if seen[seat] not in self.sets[seat]:
                self.sets[seat][seen[seat]] = self.sizes[seat], len(possible)
                self.parents[seat].append(last[seat])
                self.sizes[seat] += len(possible)
            begin, _ = self.sets[seat][seen[seat]]
        for number, move in enumerate(possible):
            reached, taken, by_itself = after(state, move, self.rules)
            told = [(*seen[each], seat, move, len(taken), by_itself) for each in (0, 1)]
            told[seat] = (*told[seat], tuple(taken))
            now = last[:]
            if begin:
                now[seat] = begin + number
            self.visit(reached, fresh - len(taken), told, now)

    def value(self) -> float:
        """The value of the game to player 1, by linear programming."""
        import numpy as np
        from scipy.optimize import linprog

        matrix = np.zeros(self.sizes)
        for pair, gain in self.gains.items():
            matrix[pair] = gain
        rows = []
        for seat in (0, 1):
            row = np.zeros((len(self.sets[seat]) + 1, self.sizes[seat]))
            row[0, 0] = 1
            for line, (begin, count) in enumerate(self.sets[seat].values(), 1):
                row[line, begin : begin + count] = 1
                row[line, self.parents[seat][line - 1]] = -1
            rows.append(row)
        plans, values = self.sizes[0], len(rows[1])
        cost = np.zeros(plans + values)
        cost[plans] = -1
        fixed = np.hstack([rows[0], np.zeros((len(rows[0]), values))])
        limits = [(0, None)] * plans + [(None, None)] * values
        begin = np.eye(1, len(rows[0]))[0]
        found = linprog(cost, np.hstack([-matrix.T, rows[1].T]), np.zeros(self.sizes[1]), fixed, begin, limits)
        return float(-found.fun)
