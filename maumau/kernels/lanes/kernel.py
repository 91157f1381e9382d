"""Kernels that play games in lanes: made once, kept on disk, and called with the addresses of arrays.

A kernel that is on disk is loaded without numpy and llvmlite. Its name has a hash over everything that it
depends on: the declaration, the fingerprints of rule functions, the table, this package, and the processor. See
`maumau.kernels.compiler.cache` for the rules by which cached kernels are trusted.
"""

from __future__ import annotations

import ctypes
import hashlib
from _thread import RLock
from array import array
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from os.path import dirname, join
from typing import Any

from fsm.declaration.declaration import functions
from fsm.declaration.facts import default_values
from fsm.edge.extras import version_of
from fsm.fingerprint import fingerprint
from maumau.kernels.compiler import objects
from maumau.kernels.compiler.cache import keep, load, sources
from maumau.kernels.compiler.machine_code import description, in_background
from maumau.kernels.compiler.objects import Block, BlockError, LoadedBlock, LoadedObject, packed, unpacked
from maumau.kernels.compiler.program import Plan
from maumau.kernels.compiler.source import source_of
from maumau.kernels.lanes.request import NEON, Request, UntraceableError, why_no_lanes

ARGUMENTS = 11
LINE = 64
MAX_GAMES = 1 << 20
"""Games of one call, at most: numbers of games are 32 bits wide in lanes."""


class WrongDeckError(ValueError):
    """One of the decks is not the whole deck."""


class LaneKernel:
    """A kernel in memory. deals: whether it can shuffle. rolls: whether results depend on the numbers of games.

    operations: of a pass.
    """

    def __init__(
        self, loaded: LoadedBlock | LoadedObject, *, room: int, deals: bool, rolls: bool, operations: int
    ) -> None:
        self.loaded, self.room, self.deals, self.rolls, self.operations = loaded, room, deals, rolls, operations


class Worker:
    """A kernel with the memory of one thread."""

    def __init__(self, kernel: LaneKernel, games: int) -> None:
        """games: of one call, at most."""
        self.kernel = kernel
        self.games = min(games, MAX_GAMES)
        self._room = ctypes.create_string_buffer(kernel.room + 2 * LINE)
        self._left = array("q", bytes(8 * self.games))
        self._room_at = -(-ctypes.addressof(self._room) // LINE) * LINE

    def play(
        self,
        games: int,
        *,
        decks: int = 0,
        seed: int = 0,
        first: int = 0,
        results: int = 0,
        scores: int = 0,
        sums: int = 0,
        fired: int = 0,
        used: int = 0,
    ) -> list[int]:
        """Play games with the decks at an address, or games `first`, `first` + 1, ... of `seed`; the games that left.

        results, scores, sums, fired, used: addresses of arrays; where sums are given, no results are written. A game
        that left in the middle is its number, with its events counted; one whose deck was not dealt is -1 minus its
        number. Raises WrongDeckError.
        """
        assert games <= self.games
        left, _ = self._left.buffer_info()
        count = self.kernel.loaded.call(
            decks, seed, first, games, results, scores, sums, fired, used, left, self._room_at
        )
        if count < 0:
            raise WrongDeckError
        return self._left[:count].tolist() if count else []


_ready: dict[Request, Found] = {}
_making = RLock()
Found = LaneKernel | UntraceableError


def lane_kernel(request: Request, notify: Callable[[str], None] | None = None) -> LaneKernel:
    """The kernel of this process, from disk, or compiled. notify: called with one line when it has to be compiled.

    Raises UntraceableError, which says why the scalar kernel has to play.
    """

    def make() -> None:
        _find(request, lambda: _compiled(request, notify))

    if not _find(request, lambda: _kept(request)):
        in_background(make)
    found = _ready[request]
    if isinstance(found, UntraceableError):
        raise UntraceableError(str(found))
    return found


def _find(request: Request, find: Callable[[], LaneKernel | None]) -> bool:
    """Find a kernel, or the reason why there is none, unless that is done; whether it is known now."""
    with _making:
        if request not in _ready:
            try:
                found: Found | None = find()
            except UntraceableError as error:
                found = error
            if found:
                _ready[request] = found
        return request in _ready


def _kept(request: Request) -> LaneKernel | None:
    """The kernel on disk, if it is there. Raises UntraceableError."""
    if reason := why_no_lanes(request.target):
        raise UntraceableError(reason)
    code = load(_name(request))
    return _loaded(code) if code else None


def _name(request: Request) -> str:
    return f"{request.game.name}-lanes-{key_of(request)}"


def _compiled(request: Request, notify: Callable[[str], None] | None) -> LaneKernel:
    """Compile a kernel and keep it; a reason why there is none is kept, too."""
    if find_spec("llvmlite") is None:
        raise UntraceableError("llvmlite is not installed")
    from maumau.kernels.lanes.module import arm_of, block_from, module_of

    name = _name(request)
    try:
        module = module_of(request)
    except UntraceableError as error:
        keep(name, packed({"reason": str(error)}))
        raise
    if notify:
        notify(f"compiling {request.game.title} to machine code, once for this machine")
    head: dict[str, Any] = {name: getattr(module, name) for name in ("room", "deals", "rolls", "operations")}
    if request.target is NEON:
        content = packed(head, arm_of(module))
    else:
        try:
            block = block_from(module.text, request.target)
        except BlockError as error:
            raise UntraceableError(str(error)) from None
        content = packed(head | {"entry": block.entry}, block.code)
    kernel = _loaded(content)
    keep(name, content)
    return kernel


def _loaded(content: bytes) -> LaneKernel:
    """The kernel in the content of a file. Raises UntraceableError if that is a reason why there is none."""
    head, code = unpacked(content)
    if reason := head.get("reason"):
        raise UntraceableError(reason)
    try:
        return LaneKernel(_in_memory(code, head.pop("entry", None)), **head)
    except (OSError, RuntimeError) as error:
        raise UntraceableError(str(error)) from None


def _in_memory(code: bytes, entry: int | None) -> LoadedBlock | LoadedObject:
    """A block with this entry, or an object file."""
    return LoadedObject(code, "play", ARGUMENTS) if entry is None else LoadedBlock(Block(code, entry), ARGUMENTS)


def key_of(request: Request) -> str:
    """A hash over everything that a kernel depends on."""
    game = request.game
    source = source_of(Plan(game, (request.policy,), tally=True))
    texts = [source.text, fingerprint(*functions(game)), game.table.__name__, repr(default_values(game.table))]
    texts += [repr((request.players, request.policy.name, request.tally, request.dealing, request.target))]
    texts += [repr((game.codec.notation, game.deck_size)), description(), version_of("llvmlite"), _own_source()]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


@cache
def _own_source() -> str:
    """The source of this package, and of the modules that make and load blocks."""
    others = sources(dirname(objects.__file__), "objects.py", "operators.py", "reading.py", join("direct", "lines.py"))
    return "\0".join([*sources(dirname(__file__)), *others])
