"""Searches against OpenSpiel's `simple_gin_rummy_bot`, in Gin Rummy as OpenSpiel has it: each deck in both seats.

python -m benchmarks.gin_rummy [--decks N] [--players NAME ...] [--first DECK] [--json FILE]
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from statistics import mean
from typing import Any

from benchmarks.measuring import Decided, half_width, markdown, surroundings, whole_number, write_json
from examples.gin_rummy import NOTATION, OPEN_SPIEL, GinRummy
from fsm import Move, Step

SEED = 5
SUITS, RANKS = "SCDH", "A23456789TJQK"
UPCARD, STOCK, PASS, KNOCK, FIRST_MELD = 52, 53, 54, 55, 56
"""OpenSpiel's numbers of actions."""
ACTIONS = {
    "take_upcard": UPCARD,
    "draw": STOCK,
    "pass_turn": PASS,
    "stop_melding": PASS,
    "stop_laying_off": PASS,
    "knock": KNOCK,
}
AS_OPEN_SPIEL = GinRummy.with_rules(OPEN_SPIEL)
HEAD = ["player", "deals", "points a deal", "interval", "ms"]

LEGEND = """\
Each player plays the same decks in both seats against the bot. points a deal: what it gains in the mean, with the 95 %
interval over the decks. ms: processor time of a decision, on one thread."""


class Counterpart:
    """The game of OpenSpiel, and the numbers of our moves in it. pyspiel: the module."""

    def __init__(self, pyspiel: Any) -> None:
        self.pyspiel, self.game = pyspiel, pyspiel.load_game("gin_rummy")

    @cached_property
    def melds(self) -> dict[frozenset[str], int]:
        """The numbers of melds, by their cards."""
        state, found = self.game.new_initial_state(), {}
        for action in range(FIRST_MELD, self.game.num_distinct_actions()):
            text = state.action_to_string(0, action).split()[-1]
            found[frozenset(card.upper() for card in re.findall("..", text))] = action
        return found

    def dealt(self, deck: bytes) -> Any:
        """Return the state after the deal. The hands are dealt one after the other; later cards are not dealt yet."""
        state, cards = self.game.new_initial_state(), [number_of(NOTATION.cards[code]) for code in deck]
        for card in (*cards[0:20:2], *cards[1:20:2], cards[20]):
            state.apply_action(card)
        return state

    def action(self, move: Move | Step) -> int:
        """Return the number of a move."""
        if move.trigger == "meld":
            return self.melds[frozenset(str(move.card).split(","))]
        return ACTIONS.get(move.trigger) or (0 if move.card is None else number_of(move.card))

    def apply(self, state: Any, move: Move | Step, drawn: str | None) -> None:
        """Make a move; a card that is drawn is dealt by chance."""
        state.apply_action(self.action(move))
        if state.is_chance_node():
            assert drawn is not None
            assert number_of(drawn) in [action for action, _ in state.chance_outcomes()]
            state.apply_action(number_of(drawn))


def number_of(card: str) -> int:
    """Return OpenSpiel's number of a card: one suit after another, the ace first."""
    return len(RANKS) * SUITS.index(card[1]) + RANKS.index(card[0])


def cells(row: Decided) -> list[str]:
    """The cells of a player."""
    gain, wide = mean(row.gains), half_width(row.gains)
    interval = f"{gain - wide:+.2f} to {gain + wide:+.2f}"
    return [row.player, f"{2 * len(row.gains):,}", f"{gain:+.2f}", interval, f"{row.milliseconds:.1f}"]


def play(counterpart: Counterpart, row: Decided, policy: Any, deck: int, seat: int) -> float:
    """Play a deck against the bot; what the seat of the policy gains."""
    game = AS_OPEN_SPIEL.deal(2, SEED, deck, policy)
    bot = counterpart.pyspiel.make_simple_gin_rummy_bot(counterpart.game.get_parameters(), 2 - seat)
    state = counterpart.dealt(bytes(game.dealt_deck()))
    game.step()
    while game.outcome is None:
        moves = {counterpart.action(move): move for move in game.events().legal}
        legal = state.legal_actions()
        if game.player != seat:
            action = bot.step(state)
        elif len(legal) == 1:
            action = legal[0]
        else:
            action = counterpart.action(row.timed(lambda: game.clone().step()))
            if action not in legal:  # OpenSpiel does not see each knock
                action = legal[0]
        step = game.fire(moves[action])
        counterpart.apply(state, step, step.card)
    return float(game.outcome.returns[seat - 1])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    import pyspiel

    parser = argparse.ArgumentParser(prog="python -m benchmarks.gin_rummy", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decks", type=whole_number, default=500, help="of each player (default: %(default)s)")
    usual = ["house", "search:500", "search:500:tree"]
    parser.add_argument("--players", nargs="+", default=usual, help="policies (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first deck (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    print(f"{surroundings('llvmlite', 'numpy', 'open_spiel')}\n\n{LEGEND}\n")
    counterpart, rows = Counterpart(pyspiel), [Decided(name) for name in options.players]
    for deck in range(options.first, options.first + options.decks):
        for row in rows:
            row.gains.append(mean(play(counterpart, row, row.player, deck, seat) for seat in (1, 2)))
    print(markdown(HEAD, map(cells, rows)))
    write_json(options.json, [asdict(row) for row in rows])


if __name__ == "__main__":
    main()
