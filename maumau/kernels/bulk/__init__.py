"""Millions of games a second: decks dealt, played and counted by the compiled kernel, on all cores.

from maumau import bulk
decks = bulk.deal(players=3, games=1_000_000, seed=7)
results = bulk.play(3, decks)
totals = bulk.total(players=3, games=1_000_000_000, seed=7)     # nothing stored
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, Notify, as_array, np
from fsm.match.setup import unit_of
from fsm.registry import DEFAULT, declaration_of
from maumau.kernels.bulk.chunks import CHUNK, decks_of
from maumau.kernels.bulk.lanes import writable
from maumau.kernels.bulk.runner import Runner, of_decks, of_seed, rows_with_last
from maumau.kernels.compiled.loop import first_wrong
from maumau.kernels.compiled.results import result_type
from maumau.kernels.compiler.machine_code import machine_code, require_compiler
from maumau.kernels.compiler.program import Results, Totals, of_any_game
from maumau.kernels.lanes.kernel import WrongDeckError

if TYPE_CHECKING:
    from fsm.stepping.game import Game

FIRST_WRONG = of_any_game(first_wrong)
"""Finds the first row that is not the whole deck, or -1 (decks, weights, whole)."""


def deal(players: int, games: int, seed: int, first: int = 0, game: str | type[Game] = DEFAULT) -> Array:
    """Return the decks of games `first`, `first` + 1, ... of `seed`: an array of card codes, shape (games, cards),
    bytes.

    Row k is the deck of `MauMau.deal(players, seed, first + k)`. players, games: how many. game: a game class or the
    name of a registered game. Raises ValueError for numbers out of range, MissingExtra.
    """
    require_compiler()
    declaration = declaration_of(game)
    players, seed, first, games = unit_of(None).numbers(declaration, players, seed, first, games)
    return decks_of(declaration, players, seed, first, games)


def play(
    players: int,
    decks: Array,
    policies: Sequence[str] = (),
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    tally: bool = False,
    log: bool = False,
    game: str | type[Game] = DEFAULT,
    notify: Notify | None = None,
    into: Results | None = None,
) -> Results:
    """Play one game with each row of `decks`: card codes, shape (games, cards), bytes, the top card first.

    The array may be read-only, as a memory map or a column of Arrow is, and of any integer type; it is not written to.
    players: how many. policies: one name for all seats or one for each. seed, first: the dice of random players; row k
    rolls those of game `first` + k. threads: by default one for each core. tally: count arcs and decision rules. log:
    keep every event and the final tables. notify: called when a kernel has to be compiled. into: earlier results of as
    many games and players, whose arrays are used again: `games` and `scores` as they were returned, or arrays of the
    same shapes and types that are writable, aligned, contiguous in C order, and overlap neither each other nor `decks`.
    game: a class or a registered name. Raises ValueError for decks, policies or earlier results that do not fit,
    TypeError for what is not a number or no results, and ScoreError for a score of more than 32 bits.
    """
    require_compiler()
    declaration = declaration_of(game)
    decks = _rows(declaration, as_array("decks", decks))
    runner, first, games = _prepared(
        players, len(decks), seed, first, policies, tally=tally, log=log, game=game, notify=notify
    )
    if into is not None:
        _check_into(into, decks, runner.players)
    decks = rows_with_last(declaration.left_out.get(runner.players, ()), decks)
    if not runner.prepare(games, dealing=False):
        _check_decks(declaration, decks)
    try:
        with of_decks(
            declaration, runner.players, lambda number: (f"deck {number - first}", bytes(decks[number - first]))
        ):
            return runner.play(decks, first, games, threads, into=into)
    except WrongDeckError:
        _check_decks(declaration, decks)
        raise


def play_dealt(
    players: int,
    games: int,
    seed: int,
    first: int = 0,
    policies: Sequence[str] = (),
    *,
    threads: int | None = None,
    tally: bool = False,
    log: bool = False,
    game: str | type[Game] = DEFAULT,
    notify: Notify | None = None,
) -> Results:
    """Deal and play games `first`, `first` + 1, ... of `seed` without storing their decks.

    players, games: how many. policies, threads, tally, log, game, notify: as for `play`.
    """
    runner, first, games = _prepared(
        players, games, seed, first, policies, tally=tally, log=log, game=game, notify=notify
    )
    with of_seed(runner.plan.game, runner.players, seed):
        return runner.play(None, first, games, threads)


def total(
    players: int,
    games: int,
    seed: int,
    first: int = 0,
    policies: Sequence[str] = (),
    *,
    threads: int | None = None,
    tally: bool = True,
    game: str | type[Game] = DEFAULT,
    notify: Notify | None = None,
) -> Totals:
    """Deal, play and count games `first`, `first` + 1, ... of `seed`; memory does not grow with their number.

    players, games: how many. tally: count arcs and decision rules too. policies, threads, game, notify: as for `play`.
    """
    runner, first, games = _prepared(
        players, games, seed, first, policies, tally=tally, log=False, game=game, notify=notify
    )
    with of_seed(runner.plan.game, runner.players, seed):
        return runner.total(first, games, threads)


def matches(
    players: int,
    matches: int,
    seed: int,
    first: int = 0,
    policies: Sequence[str] = (),
    *,
    target: int | None = None,
    threads: int | None = None,
    tally: bool = False,
    game: str | type[Game] = DEFAULT,
    notify: Notify | None = None,
) -> Results:
    """Deal and play matches `first`, `first` + 1, ... of `seed`: rounds with cumulative points to a target.

    Row k is `Match(game, players, seed, first + k)`. players, matches: how many. target: that of the game, if none is
    given. tally: count arcs and decision rules of the rounds. policies, threads, game, notify: as for `play`.
    """
    goal = declaration_of(game).scoring.match_target(target)
    runner, first, count = _prepared(
        players, matches, seed, first, policies, tally=tally, log=False, game=game, notify=notify, target=goal
    )
    with of_seed(runner.plan.game, runner.players, seed):
        return runner.play(None, first, count, threads)


def _prepared(
    players: int,
    games: int,
    seed: int,
    first: int,
    policies: Sequence[str],
    *,
    tally: bool,
    log: bool,
    game: str | type[Game],
    notify: Notify | None,
    target: int | None = None,
) -> tuple[Runner, int, int]:
    """The runner for the games or matches of a seed, with the checked first number and number of them."""
    require_compiler()
    declaration = declaration_of(game)
    players, seed, first, games = unit_of(target).numbers(declaration, players, seed, first, games)
    return Runner(declaration, players, policies, seed, tally, log, notify, target), first, games


def _rows(game: Declaration, decks: Array) -> Array:
    """The decks as rows of bytes. Raises TypeError or ValueError for what cannot be that."""
    if decks.size and decks.dtype.kind not in "iu":
        raise TypeError(f"decks: the numbers are of type {decks.dtype}; give whole numbers: card codes")
    if decks.ndim != 2 or decks.shape[1] != game.deck_size:
        raise ValueError(f"decks: the shape is {decks.shape}; use (games, {game.deck_size})")
    beyond = ((decks < 0) | (decks > 255)).any(axis=1) if decks.dtype != np.uint8 else np.zeros(0, bool)
    if beyond.any():
        raise ValueError(
            f"deck {int(beyond.argmax())} is not a whole deck; use each of the {game.deck_size} cards once"
        )
    return np.ascontiguousarray(decks, np.uint8)


def _check_into(into: Results, decks: Array, players: int) -> None:
    """Raise TypeError or ValueError unless earlier results can take those of games with these decks."""
    if not isinstance(into, Results):
        raise TypeError(f"into: it is of type {type(into).__name__}; give Results")
    _check_output("into.games", into.games, (len(decks),), result_type())
    _check_output("into.scores", into.scores, (len(decks), players), np.dtype(np.int32))
    named = {"into.games": into.games, "into.scores": into.scores, "decks": decks}
    for (one, array), (other, its) in combinations(named.items(), 2):
        if np.may_share_memory(array, its):  # exact here: each of them lies in one piece
            raise ValueError(f"{one} shares memory with {other}; use arrays that do not overlap")


def _check_output(what: str, array: object, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Raise TypeError or ValueError unless machine code can write into `array`, which is given to it by its address.

    It must be a NumPy array of exactly this shape and type, writable, aligned and contiguous in C order.
    """
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{what}: the array is of type {type(array).__name__}; give a NumPy array")
    if array.shape != shape:
        raise ValueError(f"{what}: the shape is {array.shape}; give one of shape {shape}")
    if array.dtype != dtype:
        raise ValueError(f"{what}: the numbers are of type {array.dtype}; give an array of {dtype}")
    if not array.flags.writeable:
        raise ValueError(f"{what}: the array is read-only; give one that can be written to")
    if not array.flags.carray:
        raise ValueError(f"{what}: the strides are {array.strides}; give an aligned array in C order")


def _check_decks(game: Declaration, decks: Array) -> None:
    """Raise ValueError for a row that is not the whole deck.

    Each card code has a random weight of 56 bits; a wrong deck weighs the same as the right one once in 2**56.
    """

    weights = np.random.default_rng(seed=1).integers(2**56, size=256)
    whole = int(weights[np.frombuffer(game.full_deck(), np.uint8)].sum())
    find = machine_code(FIRST_WRONG)
    for start in range(0, len(decks), CHUNK):
        wrong = find(writable(decks[start : start + CHUNK]), weights, whole)
        if wrong >= 0:
            raise ValueError(f"deck {start + wrong} is not a whole deck; use each of the {game.deck_size} cards once")
