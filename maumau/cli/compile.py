"""`maumau compile`: compile a machine in advance, or print the generated source."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace

from fsm.declaration.arcs import Policy
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.interrupt import BadInput, CannotWrite
from maumau.cli.output import notify, refuse_terminal, write_output
from maumau.kernels.bulk.ahead import wasm_of
from maumau.kernels.compiler.cache import NotStoredWarning, cache_folder
from maumau.kernels.compiler.machine_code import machine_code, require_compiler
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.source import playing, source_of
from maumau.kernels.engine import interface_source
from maumau.kernels.lanes.module import arm_file
from maumau.kernels.lanes.request import UntraceableError
from maumau.kernels.lanes.words import explained, pictured
from rules.errors import raised_as
from rules.notation import many


def run(
    show: str | None, why: bool, target: str | None, players: int | None, file: str, policy: str, game: str
) -> None:
    """Run `maumau compile`."""
    kind = game_class(game)
    declaration = kind.declaration
    with refusing():
        names = chosen_policies(policy)
        chosen = {declaration.seated(1, name, compiled=True)[0] for name in names or (None,)}
    policies = tuple(each for each in declaration.policies if each in chosen)
    if show and not why:
        print(_shown(show, kind, policies, players), end="")
        return
    if target is not None:
        refuse_terminal(file)
    require_compiler()
    if why:
        counts = declaration.codec.players if players is None else [checked_players(kind, players)]
        print("\n".join(explained(declaration, policies, counts)))
        return
    if target is not None:
        found = wasm_of(declaration, policies) if target == "wasm32" else _for_arm(kind, policies, players)
        write_output(file, found)
        return
    started = time.perf_counter()
    _store(KernelPlan(declaration, policies, tally=True))
    print(f"{declaration.title} is ready in {cache_folder()} ({time.perf_counter() - started:.1f} s)")


def _shown(show: str, kind: type[Game], policies: tuple[Policy, ...], players: int | None) -> str:
    """The source that is generated: of the interface, of the scalar kernel, or of the lanes. Raises BadInput."""
    game = kind.declaration
    if show == "interface":
        return interface_source(game, policies).listing
    if show == "kernel":
        return source_of(KernelPlan(game, policies)).listing
    require_compiler()
    players = checked_players(kind, players)
    try:
        return "".join(f"{line}\n" for line in pictured(game, policies, players))
    except UntraceableError as error:
        which = f"{game.name}, {many(players, 'player')}"
        raise BadInput(f"--show lanes: {which}: {error}; --show kernel prints the scalar kernel, which plays") from None


def _store(plan: KernelPlan) -> None:
    """Compile the kernels of a plan that are not in the cache. Raises CannotWrite if they cannot be stored there."""
    with warnings.catch_warnings(), raised_as(CannotWrite, of=NotStoredWarning):
        warnings.simplefilter("error", NotStoredWarning)
        for program in (playing(plan), playing(replace(plan, tally=False, log=True))):
            machine_code(program, notify)


def _for_arm(kind: type[Game], policies: tuple[Policy, ...], players: int | None) -> bytes:
    """The lane kernel for 64-bit Arm. Raises BadInput where there is none."""
    if players is None:
        raise BadInput("--target aarch64 requires --players")
    checked_players(kind, players)
    if len(policies) != 1:
        raise BadInput("--policy and --target aarch64 cannot be used together with several policies")
    with refusing(f"{kind.declaration.name}, {players} players", UntraceableError):
        return arm_file(kind.declaration, players, policies[0])
