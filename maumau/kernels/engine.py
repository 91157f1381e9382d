"""The engine of a game: one small interface in machine code, against which programs are written.

A program is an ordinary typed function that calls the functions of the interface
(`maumau.kernels.compiled.interface`) and takes records of arrays (`maumau.kernels.compiled.workspace`). `program_of`
joins both for one game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, Protocol, TypeVar, cast

from fsm.declaration.arcs import Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.edge.numbers import Notify, np
from fsm.table.layout import layout_of
from maumau.kernels.compiled.ends import STUCK
from maumau.kernels.compiled.interface import Interface
from maumau.kernels.compiled.mixing import mixed
from maumau.kernels.compiled.rows import pack, unpack
from maumau.kernels.compiled.sights import look
from maumau.kernels.compiled.stepping import STEPPING
from maumau.kernels.compiled.turns import NOT_FORCED
from maumau.kernels.compiler.loops import Loops
from maumau.kernels.compiler.machine_code import NativeCode, machine_code, ready_code
from maumau.kernels.compiler.phases import moves_of, phases_of
from maumau.kernels.compiler.program import KernelPlan, KernelSource, Program, module_source, source_of_entry
from maumau.kernels.compiler.rows import row_constants, row_width
from maumau.kernels.compiler.sights import sight_constants
from maumau.kernels.compiler.source import Constants, constants_source

MAX_MOVES = 4096
"""Legal moves of a position, at most: each of 64 cards with each of 64 values."""
CALLED = *STEPPING, mixed, look, pack, unpack
"""The functions of the interface, and those that they call."""


def interface_constants(game: Declaration, policies: tuple[Policy, ...]) -> Constants:
    """Return what the functions of the interface read of a game. policies: those that `choose` knows, by number."""
    numbers = game.phase_numbers
    return (
        sight_constants(game, layout_of(game).hands)
        | row_constants(game)
        | {
            "ARCS": tuple(
                (number, numbers[arc.dest], arc.before, ((arc.conditions, arc.unless),))
                for number, arc in enumerate(game.arcs)
            ),
            "DECLARES_RETURNS": game.returns is not None,
            "FINAL": numbers[game.final],
            "INITIAL": numbers[game.initial],
            "MOVES": tuple((numbers[phase], moves_of(game, phase)) for phase in game.control),
            "NOT_FORCED": NOT_FORCED,
            "PHASES": phases_of(KernelPlan(game, policies)),
            "PHASE_NAMES": tuple(map(str, game.phases)),
            "SHARES_WINS": game.shares_wins,
            "STUCK": STUCK,
            "TURN_STARTS": tuple(int(game.control_of(phase).starts_turn) for phase in game.phases),
            "final_score": game.score,
            **({"returns": game.returns} if game.returns else {}),
            **({"deal_each": game.deal_each} if game.deal_each else {}),
        }
    )


@dataclass(frozen=True)
class Consumer:
    """A function that is written against the interface of a game.

    policies: those that `choose` knows, by number. entry: the function; its annotations say which arrays it takes.
    """

    game: Declaration
    policies: tuple[Policy, ...]
    entry: Callable[..., Any]


class NativeProgram(Program):
    """A program that knows its machine code."""

    def code(self, notify: Notify | None = None) -> NativeCode:
        """Return the entry in machine code: of this process, from disk, or compiled.

        notify: called with one line when it has to be compiled and takes long. Raises MissingExtra without llvmlite,
        and CompilationError for source that cannot be compiled.
        """
        return machine_code(self, notify)

    @property
    def is_ready(self) -> bool:
        """Whether the machine code is in this process or on disk, so that nothing has to be compiled."""
        return ready_code(self) is not None


def program_of(
    entry: Callable[..., Any], game: Declaration | None = None, policies: tuple[Policy, ...] = ()
) -> NativeProgram:
    """Return the program of a function that is written against the interface of a game; without one, of any game.

    entry: the function, whose arguments are annotated as numbers, arrays (`fsm.edge.arrays`) and
    workspaces. policies: those that `choose` knows, by number.
    """
    if game is None:
        return NativeProgram(entry, source_of_entry, entry)
    consumer = Consumer(game, policies, entry)
    return NativeProgram(entry, consumer_source, consumer, game, large=True)


class PlanOfGame(Protocol):
    """What a program is written for; equal plans have one program."""

    @property
    def game(self) -> Declaration:
        """The declaration."""


P = TypeVar("P", bound=PlanOfGame)


@dataclass(frozen=True)
class LoopConsumer(Generic[P]):
    """A function that is written against loops over a game. entry: the function. plan, loops: `loops(plan)` are they.

    It is hashed by the plan, from which the source is made.
    """

    entry: Callable[..., Any]
    loops: Callable[[P], Loops]
    plan: P


class LoopProgram(NativeProgram, Generic[P]):
    """The program of a function that is written against loops over a game (`maumau.kernels.compiler.loops`)."""

    def __init__(self, entry: Callable[..., Any], loops: Callable[[P], Loops], plan: P) -> None:
        """entry: the function, annotated as for `program_of`. loops: makes the source for a plan. plan: what it is
        written for.
        """
        consumer = LoopConsumer(entry, loops, plan)
        super().__init__(entry, _loop_source, consumer, plan.game, large=True)


def _loop_source(consumer: LoopConsumer[Any]) -> KernelSource:
    return consumer.loops(consumer.plan).source


def consumer_source(consumer: Consumer) -> KernelSource:
    """Return the source of the module of a program: the interface of its game, and its function."""
    return interface_source(consumer.game, consumer.policies, consumer.entry)


def interface_source(game: Declaration, policies: tuple[Policy, ...], *called: Callable[..., Any]) -> KernelSource:
    """Return the source of the interface of a game. called: functions that call it."""
    title = f"The interface of {game.title} with {', '.join(p.name for p in policies)}: generated from its declaration."
    constants = constants_source(interface_constants(game, policies))
    return module_source(title, [constants], game.functions, (*called, *CALLED))


@kept
def _packing(game: Declaration) -> tuple[Callable[..., Any], ...]:
    """`pack` and `unpack` for a game; tables are new when they are unpacked."""
    source = KernelSource("", {"pack": pack, "unpack": unpack})
    names = source.in_python({"reset": lambda table: None, **row_constants(game)})
    return names["pack"], names["unpack"]


@dataclass(frozen=True)
class PythonEngine:
    """The interface of a game run by Python, on tables in place of records."""

    game: Declaration

    @cached_property
    def interface(self) -> Interface:
        """The functions of the interface, without policies; tables are new when they are reset."""
        names = interface_source(self.game, ()).in_python({"reset": lambda table: None})
        return cast(Interface, SimpleNamespace(**names))

    def moves(self, table: Any, phase: int) -> list[int]:
        """Return the legal moves of a phase in which nothing is forced, as numbers, ascending."""
        out = np.zeros(MAX_MOVES, np.int64)
        return list(out[: self.interface.moves(table, phase, out)].tolist())

    def row_of(self, phase: Phase, table: Any) -> list[int]:
        """Return a position as the row that stands for it in a graph."""
        row = [0] * row_width(self.game, table.players)
        _packing(self.game)[0](table, self.game.phase_numbers[phase], row, self.game.deck_size)
        return row

    def position_of(self, row: Sequence[int], players: int) -> tuple[Phase, Any]:
        """Return the phase and a new table of a row: what `row_of` has made."""
        table = self.game.table()
        phase = _packing(self.game)[1](table, row, players)
        return list(self.game.phases)[phase], table
