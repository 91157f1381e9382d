"""Errors in a game that was played: moves that are worth less with open hands than the best ones."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Notify
from fsm.match.played import PlayedGame
from fsm.stepping.steps import Move
from maumau.kernels.compiler.machine_code import require_compiler
from maumau.kernels.engine import PythonEngine
from maumau.solve.compiled.graph import MOVES
from maumau.solve.dealt import TooLarge
from maumau.solve.hands import check_solvable, grow
from maumau.solve.positions import Positions
from rules.notation import many

MEMORY = 256 << 20
"""Bytes for the positions that may follow."""
WORDS = {1: "won", 0: "nobody's", -1: "lost"}


@dataclass(frozen=True)
class ErrorMarks:
    """Errors of a game. texts: what is said of them, by step. judged: how many of the last of all choices."""

    texts: dict[int, str]
    judged: int
    choices: int

    def __str__(self) -> str:
        why = f"judged: the positions that may follow do not fit in {MEMORY >> 20} MB"
        if self.choices and not self.judged:
            return f"no choice could be {why}"
        told = f"{many(len(self.texts), 'error')} in "
        if self.judged == self.choices:
            return f"{told}{many(self.choices, 'choice')}"
        return f"{told}the last {self.judged} of {self.choices} choices; no earlier one could be {why}"


@dataclass(frozen=True)
class MarkedMove:
    """A move of a game. step: its index. row: of the position. place: among the moves, of which there are `codes`."""

    step: int
    row: list[int]
    place: int
    codes: list[tuple[str, int, int]]


def marks_of(played: PlayedGame, memory: int = MEMORY, notify: Notify | None = None) -> ErrorMarks:
    """The errors of a game of two players, as far back as all that may follow a position fits in memory.

    memory: bytes. notify: called with a line before machine code is compiled, and now and then. Raises ValueError;
    MissingExtra.
    """
    require_compiler()
    check_solvable(played.kind, played.players)
    if played.players != 2:
        raise ValueError(f"{played.players} players cannot be judged; use 2")
    choices, positions = choices_of(played), Positions(played.kind, 2)
    game = played.kind.declaration
    engine = PythonEngine(game)
    judged: list[tuple[MarkedMove, int]] = []
    for choice in reversed(choices):
        before = len(positions), int(positions.state[MOVES])
        judged.append((choice, positions.add(*engine.position_of(choice.row, 2))))
        try:
            grow(positions, memory, notify)
        except TooLarge:
            positions.cut(*before)
            judged.pop()
            break
    gains, (first, _), texts = positions.gains(positions.values()), positions.ways, {}
    for choice, number in judged:
        values = gains[first[number] : first[number + 1]]
        top, got = values.max(), values[choice.place]
        if got < top:
            best = " or ".join(str(Move.of_code(game, choice.codes[place])) for place in (values == top).nonzero()[0])
            texts[choice.step] = f"from {word(game, top)} to {word(game, got)}; best: {best}"
    return ErrorMarks(texts, len(judged), len(choices))


def word(game: Declaration, value: float) -> str:
    """What a position is worth, in a word; what is gained where the game declares returns."""
    return f"{value:+g}" if game.returns else WORDS[int(value)]


def choices_of(played: PlayedGame) -> list[MarkedMove]:
    """All moves of a game that were chosen among several."""
    stepped, declaration = played.start(), played.kind.declaration
    found, engine = [], PythonEngine(declaration)
    for index, step in enumerate(played.steps):
        plan = stepped.plans[stepped.phase]
        if step.trigger in plan.offer:
            codes = list(plan.moves(stepped.table))
            place = [Move.of_code(declaration, code) for code in codes].index(step.move(declaration))
            if len(codes) > 1:
                row = engine.row_of(stepped.phase, stepped.table)
                found.append(MarkedMove(index, row, place, codes))
        stepped.fire_again(step)
    return found
