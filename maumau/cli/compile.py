"""`maumau compile`: compile a machine in advance, or print the generated source."""

from __future__ import annotations

import time

from fsm.declaration.arcs import Policy
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.interrupt import BadInput
from maumau.cli.output import notify, refuse_terminal, write_output
from maumau.kernels.bulk.ahead import wasm_of
from maumau.kernels.compiler.machine_code import require_compiler
from maumau.kernels.lanes.module import arm_file
from maumau.kernels.lanes.request import UntraceableError
from maumau.kernels.lanes.words import explained
from maumau.kernels.targets import compile_ahead, listing
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
        print(_listing(show, kind, policies, players), end="")
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
    folder = compile_ahead(declaration, policies, notify)
    print(f"{declaration.title} is ready in {folder} ({time.perf_counter() - started:.1f} s)")


def _listing(show: str, kind: type[Game], policies: tuple[Policy, ...], players: int | None) -> str:
    """The source that is generated: of the interface, of the scalar kernel, or of the lanes. Raises BadInput."""
    seats = checked_players(kind, players) if show == "lanes" else 0
    try:
        return listing(show, kind.declaration, policies, seats)
    except UntraceableError as error:
        which = f"{kind.declaration.name}, {many(seats, 'player')}"
        raise BadInput(f"--show lanes: {which}: {error}; --show kernel prints the scalar kernel, which plays") from None


def _for_arm(kind: type[Game], policies: tuple[Policy, ...], players: int | None) -> bytes:
    """The lane kernel for 64-bit Arm. Raises BadInput where there is none."""
    if players is None:
        raise BadInput("--target aarch64 requires --players")
    checked_players(kind, players)
    if len(policies) != 1:
        raise BadInput("--policy and --target aarch64 cannot be used together with several policies")
    with refusing(f"{kind.declaration.name}, {players} players", UntraceableError):
        return arm_file(kind.declaration, players, policies[0])
