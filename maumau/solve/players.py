"""The player `solved:FILE`: the equilibrium that `maumau solve -o FILE` has found, as a strategy of either seat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple

from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import SteppedPolicy
from fsm.edge.atomic import read_regular
from fsm.edge.numbers import Array, np
from fsm.hashes import rules_hash
from fsm.stepping.moves import plans_of
from fsm.stepping.steps import Move
from maumau.kernels.engine import PythonEngine
from maumau.solve.compiled import tree
from maumau.solve.hidden import HiddenHands
from maumau.solve.positions import UNDECIDED
from maumau.solve.seen import follows, seen_of
from maumau.solve.state import FORMAT, packed, unpacked
from rules.chance import words_of
from rules.notation import reason, shown

MAX_BYTES = 1 << 30
EXPECTED = "use a file that maumau solve has written"
CHOOSING = 1 << 25
"""The purpose of the random words by which a strategy chooses."""
ARRAYS = {"told": (1, "i"), "begins": (1, "i"), "chances": (1, "f"), "keys": (2, "i"), "best": (1, "i")}
"""The arrays of a file, each with its dimensions and the kind of its numbers."""


def solution_bytes(solved: HiddenHands) -> bytes:
    """The content of a file with the strategies of both seats, and the best moves where all cards are known."""
    positions, known = solved.tree.positions, len(solved.tree.positions)
    told: list[Array] = []
    begins: list[Array] = []
    chances: list[Array] = []
    for infos, plan in zip(solved.seats, solved.equilibrium.plans, strict=True):
        told.append(solved.tree.heard.keys[infos.rows, tree.KNOWN_AS])
        begins.append(infos.begins + sum(map(len, chances)))
        chances.append(infos.chances(plan).astype(np.float32))
    (first, moves), values = positions.ways, positions.gains(solved.worth)
    lengths = np.where(moves >= 0, solved.worth.length[np.maximum(moves, 0)], 0) if known else values
    values = values * (1.0 - lengths / UNDECIDED)  # a win is reached on the shortest way
    tops = np.repeat(np.maximum.reduceat(values, first[:-1]), np.diff(first)) if known else values
    places = np.arange(len(values)) - np.repeat(first[:-1], np.diff(first))
    best = np.minimum.reduceat(np.where(values == tops, places, 255), first[:-1]) if known else places
    arrays = np.concatenate(told), np.concatenate(begins), np.concatenate(chances), positions.known.rows(0, known), best
    cut = {"cut": solved.cut} if solved.cut else {}
    identity = json.dumps(_identity(solved.kind.declaration) | {"value": solved.equilibrium.value} | cut)
    return packed(identity, dict(zip(ARRAYS, arrays, strict=True)), compressed=True)


def _identity(game: Declaration) -> dict[str, Any]:
    """What a solution is of: the game with its rules, the deck and the cards of each."""
    names = game.codec.notation.names(game.full_deck())
    each = game.codec.cards_each(2)
    return {"format": FORMAT, "game": game.name, "deck": list(names), "each": each, "rules": rules_hash(game)}


class Hearing(NamedTuple):
    """What seats are told of each transition, and what both were told, as in `tree.History`."""

    seen: Array
    told: Array


class Listener:
    """Finds what both seats of a stepped game were told, as the program that visits the tree does, run by Python.

    seen: what seats are told of each transition.
    """

    def __init__(self, game: Declaration) -> None:
        self.game, self.engine, self._follows = game, PythonEngine(game), follows(game)
        self.seen = seen_of(game)

    def knows(self, game: Any) -> bool:
        """Whether all cards are known. Raises ValueError for a game that did not begin with a deal."""
        if game.from_position:
            raise ValueError("the game began at a position; use one that was dealt")
        return bool(self._follows and game.table.head >= game.table.bottom)

    def heard(self, game: Any) -> tuple[list[int], int]:
        """What both seats were told since the deal of a game that began with one, and how many moves there are now."""
        with np.errstate(over="ignore"):  # hashes are signed numbers of 64 bits, as in machine code
            return self._heard(game)

    def _heard(self, game: Any) -> tuple[list[int], int]:
        engine, phases, start = self.engine.interface, list(self.game.phases), game.restarted()
        table, phase = start.table, self.game.phase_numbers[start.phase]
        told = np.zeros(2, np.int64)
        hearing = Hearing(self.seen, told)  # threads share a listener
        for seat in range(2):
            told[seat] = engine.look(table, phase, seat, told[seat])
        phase = tree.settle(engine, hearing, table, phase)
        for step in game.history:
            if step.trigger in self.game.control[step.source].forced:
                continue
            legal = self.engine.moves(table, phase)
            codes = plans_of(self.game)[phases[phase]].moves(table)
            place = [Move.of_code(self.game, code) for code in codes].index(step.move(self.game))
            move = legal[place]
            if len(legal) == 1 and tree.passes_by_itself(engine, phase, move):
                tree.tell(told, 1 - table.player, tree.BY_ITSELF)
            engine.put(table, phase, move)
            arc = engine.chosen(table, phase, move)
            phase = tree.fire(engine, hearing, table, arc, engine.card_of(move), engine.value_of(move))
            phase = tree.settle(engine, hearing, table, phase)
        return told.tolist(), len(self.engine.moves(table, phase))


@dataclass(frozen=True, eq=False)
class SolvedPolicy(SteppedPolicy):
    """A player who follows a solution. game: the declaration. arrays: those of the file. hash: of the file.

    is_cut: whether it is one of games that were cut off; beyond, the player moves by chance.
    """

    game: Declaration = field(kw_only=True)
    arrays: dict[str, Array] = field(kw_only=True, repr=False)
    hash: str = field(kw_only=True)
    is_cut: bool = field(kw_only=True)

    @property
    def digest(self) -> str:
        """A hash of the file."""
        return self.hash

    def check_players(self, players: int) -> None:
        """Raise ValueError unless two play."""
        if players != 2:
            raise ValueError(f"policy {self.name}: it is a solution for 2 players, not for {players}; use 2 players")

    @cached_property
    def _listener(self) -> Listener:
        return Listener(self.game)

    @cached_property
    def _begins(self) -> dict[int, int]:
        return dict(zip(self.arrays["told"].tolist(), self.arrays["begins"].tolist(), strict=True))

    @cached_property
    def _best(self) -> dict[bytes, int]:
        keys = np.ascontiguousarray(self.arrays["keys"])
        return {row.tobytes(): best for row, best in zip(keys, self.arrays["best"].tolist(), strict=True)}

    def chances_of(self, told: int, count: int) -> Array:
        """The chances of the moves of an information set. Raises ValueError for one that is not in the solution."""
        chances = self.arrays["chances"]
        if self.is_cut and told not in self._begins:
            return np.full(count, 1 / count)
        begin = self._begins.get(told, len(chances))
        if not 0 <= begin <= len(chances) - count:
            raise ValueError(f"policy {self.name}: the solution has no such information set")
        return np.asarray(chances[begin : begin + count], float)

    def place_in(self, row: Sequence[int]) -> int:
        """The place of the best move in a position in which all cards are known; the first one in others."""
        return self._best.get(np.array(row, np.int64).tobytes(), 0)

    def chances_in(self, game: Any) -> Sequence[float]:
        """The chances of the legal moves in a stepped game. Raises ValueError for another game."""
        if not self._listener.knows(game):
            told, count = self._listener.heard(game)
            return list(self.chances_of(told[game.player - 1], count).tolist()) if count > 1 else [1.0]
        count = len(game.events(()))
        best = self.place_in(self._listener.engine.row_of(game.phase, game.table)) if count > 1 else 0
        return [float(place == best) for place in range(count)]

    def repeats(self, game: Any) -> bool:
        """Where all cards are known it plays by the position alone."""
        return self._listener.knows(game)

    def choose(self, game: Any) -> Any:
        """A move by the chances of the strategy, with the dice of the game. Raises ValueError for another game."""
        chances = np.cumsum(self.chances_in(game))
        word, *_ = words_of(game.table.seed, game.table.number, len(game.history), CHOOSING)
        place = int(np.searchsorted(chances, word / 2**32 * chances[-1], side="right"))
        return game.events(()).legal[min(place, len(chances) - 1)]


def solved_policy(game: Declaration, operand: str, description: str) -> SolvedPolicy:
    """The player `solved:FILE`, described in a sentence. Raises ValueError."""
    file = shown(operand, 200)
    try:
        data = read_regular(operand, MAX_BYTES)
        identity, arrays = _read(data)
    except OSError as error:
        raise ValueError(f"{file}: {reason(error)}; {EXPECTED}") from None
    except ValueError as error:
        raise ValueError(f"{file}: {error}; {EXPECTED}") from None
    for name, own in _identity(game).items():
        if identity.get(name) != own:
            raise ValueError(
                f"{file}: a solution for {_in_words(name, identity)}; use one for {game.name} as it is here"
            )
    hashed, is_cut = sha256(data).hexdigest(), bool(identity.get("cut"))
    name = f"solved:{operand}"
    return SolvedPolicy(name, game=game, arrays=arrays, hash=hashed, is_cut=is_cut, description=description)


def _in_words(name: str, identity: dict[str, Any]) -> str:
    """What a solution is of, for a message: the value of a name in its identity."""
    if name == "rules":
        return "other rules"
    value = identity.get(name)
    if value is None:
        return f"a game without {name}"
    return f"{name} {shown(' '.join(map(str, value)) if isinstance(value, list) else value, 120)}"


def _read(data: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """What a solution is of, and its arrays. Raises ValueError."""
    text, arrays = unpacked(BytesIO(data))
    identity = json.loads(text)
    found = {name: (array.ndim, array.dtype.kind) for name, array in arrays.items()}
    if not isinstance(identity, dict) or found != ARRAYS:
        raise ValueError("its arrays do not match")
    if len(arrays["told"]) != len(arrays["begins"]) or len(arrays["keys"]) != len(arrays["best"]):
        raise ValueError("its arrays are of different lengths")
    return identity, arrays
