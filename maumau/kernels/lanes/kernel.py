"""Kernels that play games in lanes: made once, kept on disk, and called with the addresses of arrays.

The name of a kernel on disk has a hash over everything that it depends on: the declaration, the fingerprints of rule
functions, the table, this package, and the processor. See `maumau.kernels.compiler.cache` for the rules by which cached
kernels are trusted.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from mmap import mmap
from os.path import dirname, join

from fsm.edge.numbers import Notify, np
from fsm.hashes import bytecode_hash
from maumau.kernels.compiler import objects
from maumau.kernels.compiler.cache import keep, sources
from maumau.kernels.compiler.machine_code import address_of, around, from_disk, once
from maumau.kernels.compiler.objects import Machine
from maumau.kernels.compiler.program import KernelPlan, blank_rows
from maumau.kernels.compiler.source import source_of
from maumau.kernels.lanes.by_value import ByValue
from maumau.kernels.lanes.request import Request, UntraceableError, why_no_lanes

ARGUMENTS = 14
SAMPLE = 64
"""Games of which is counted how many leave the lanes, when a kernel was compiled."""
MOST_LEFT = 0.5
"""The part of them, at most, with which lanes are still faster than scalar code alone."""
ROUNDS = 4
"""Rounds of each `while` that are computed if so many leave without."""
MAX_GAMES = 1 << 20
"""Games of one call, at most: numbers of games are 32 bits wide in lanes."""


class WrongDeckError(ValueError):
    """One of the decks is not the whole deck."""


@dataclass(frozen=True)
class LaneKernel:
    """A kernel in memory. room: bytes that a call needs. deals: whether it can shuffle. rolls: whether results depend
    on the numbers of games. by_value: where it counts results by value. rounds: as of `Request`.
    """

    machine: Machine
    room: int
    deals: bool
    rolls: bool
    by_value: ByValue
    rounds: int

    @property
    def counts_values(self) -> bool:
        """Whether it can count results by value: they have few values."""
        return bool(self.by_value.columns)


class Worker:
    """A kernel with the memory of one thread."""

    def __init__(self, kernel: LaneKernel, games: int) -> None:
        """games: of one call, at most."""
        self.kernel = kernel
        self.games = min(games, MAX_GAMES)
        self._room = mmap(-1, kernel.room)  # which begins with a page
        self._left = np.empty(self.games, np.int64)  # what is not written takes neither time nor memory

    def play(
        self,
        games: int,
        *,
        decks: int = 0,
        seed: int = 0,
        first: int = 0,
        results: int = 0,
        scores: int = 0,
        rings: int = 0,
        marks: int = 0,
        words: int = 0,
        fired: int = 0,
        used: int = 0,
        seats: int = 0,
    ) -> list[int]:
        """Play games with the decks at an address, or games `first`, `first` + 1, ... of `seed`; the games that left.

        results, scores, rings, marks, words, fired, used: addresses of arrays. rings: where the piles of each game are
        written as they lie at its end. marks: the numbers of seats, of a kernel that keeps them. words: those of
        `ByValue`, in which results are counted by value; none are written to `results` then, but the endings of games
        without a winner, a byte for each game. seats: see `seats_word`. A game that left in the middle is its number,
        with its events counted; one whose deck was not dealt is -1 minus its number. Raises WrongDeckError.
        """
        assert games <= self.games
        left, room = address_of(self._left), address_of(self._room)
        count = self.kernel.machine.call(
            decks, seed, first, games, results, scores, rings, marks, words, fired, used, left, room, seats
        )
        if count < 0:
            raise WrongDeckError
        return self._left[:count].tolist() if count else []


def seats_word(policies: Sequence[int]) -> int:
    """The word that tells a kernel the number of the policy of each seat: of each policy but the first, a byte with the
    bits of the seats that have it.
    """
    return sum(1 << 8 * (policy - 1) + seat for seat, policy in enumerate(policies) if policy)


Found = LaneKernel | UntraceableError
"""A kernel, or the error that there is none."""
_ready: dict[Request, Found] = {}


def lane_kernel(request: Request, notify: Notify | None = None) -> LaneKernel:
    """The kernel of this process, from disk, or compiled. notify: called with one line when it has to be compiled.

    Raises UntraceableError where the scalar kernel has to play.
    """
    found = once(_ready, request, partial(_from_disk, request), partial(_made, request, notify))
    if isinstance(found, UntraceableError):
        raise UntraceableError(str(found))
    return found


def _from_disk(request: Request) -> Found | None:
    if reason := why_no_lanes(request.target):
        return UntraceableError(reason)
    return from_disk(_name(request), partial(_loaded, request))


def _name(request: Request) -> str:
    return f"{request.game.name}-lanes-{key_of(request)}"


def packed(head: Mapping[str, object], code: bytes = b"") -> bytes:
    """Join what has to be known about a kernel, in a line, and its object file."""
    return repr(dict(head)).encode() + b"\n" + code


def _loaded(request: Request, content: bytes) -> Found:
    first, _, code = content.partition(b"\n")
    if not (head := literal_eval(first.decode())):
        why = "'maumau compile --show --why' prints the reason"
        return UntraceableError(f"{request.game.name} is not played in lanes: {why}")
    if left := head.get("left"):
        return UntraceableError(f"{left} of {SAMPLE} games of {request.game.name} leave the lanes")
    by_value = ByValue(request.players, head["columns"])
    machine = Machine(code, "play", ARGUMENTS)
    return LaneKernel(machine, head["room"], head["deals"], head["rolls"], by_value, head["rounds"])


def _made(request: Request, notify: Notify | None) -> Found:
    """What is compiled, and kept on disk: a kernel, or that there is none."""
    content = _content(request, notify)
    found = _loaded(request, content)
    if isinstance(found, LaneKernel) and (left := _left(found, request)) > MOST_LEFT * SAMPLE:
        content = _content(replace(request, rounds=ROUNDS), None)
        found = _loaded(request, content)
        if isinstance(found, UntraceableError) or _left(found, request) > MOST_LEFT * SAMPLE:
            content = packed({"left": left})
            found = _loaded(request, content)
    keep(_name(request), content)
    return found


def _content(request: Request, notify: Notify | None) -> bytes:
    """What is kept on disk of a kernel, or that there is none."""
    from maumau.kernels.lanes.module import code_of, module_of

    try:
        module = module_of(request)
    except UntraceableError:  # its reason names files and lines, on which the key does not depend: it is not kept
        return packed({})
    if notify:
        notify(f"compiling {request.game.title} to machine code, once for this machine")
    return packed(module.head, code_of(module, request.target))


def _left(kernel: LaneKernel, request: Request) -> int:
    """How many of some games leave the lanes, which compare with more than was met while games were stepped."""
    game, players = request.game, request.players
    decks = np.array([game.shuffled_deck(players, 0, number) for number in range(SAMPLE)], np.uint8)
    results, scores = blank_rows(SAMPLE, players)
    marks = np.zeros((SAMPLE, players, len(game.look.marks)), np.int64)
    fired, used = np.zeros(len(game.counters), np.int64), np.zeros(len(game.rule_names), np.int64)
    given = {"decks": decks, "results": results, "scores": scores, "marks": marks, "fired": fired, "used": used}
    return len(Worker(kernel, SAMPLE).play(SAMPLE, **{name: address_of(each) for name, each in given.items()}))


def key_of(request: Request) -> str:
    """A hash over everything that a kernel depends on."""
    game = request.game
    source = source_of(KernelPlan(game, request.policies, tally=True))
    named = [policy.name for policy in request.policies]
    asked = request.players, named, request.tally, request.dealing, request.target
    marks = game.look.marks * request.marks
    texts = game.table.__name__, *map(repr, (game.defaults, asked, game.codec.notation, game.deck_size))
    return bytecode_hash(source.text, *game.functions, *marks, *texts, *_own_sources(), *around())


@cache
def _own_sources() -> list[str]:
    """The sources of this package, and of the modules that make and load object files."""
    others = sources(dirname(objects.__file__), "objects.py", "operators.py", "reading.py", join("direct", "lines.py"))
    return [*sources(dirname(__file__)), *others]
