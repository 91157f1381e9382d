"""`maumau compile`: compile a machine in advance, or print the generated source."""

from __future__ import annotations

import time

from fsm.edge.extras import require
from fsm.registry import game_class
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.commands.analysis import COMPILER
from maumau.cli.interrupt import BadInput, CannotWrite
from maumau.cli.output import notify, refuse_terminal, write_output
from maumau.kernels.bulk.ahead import wasm_of
from maumau.kernels.lanes.module import arm_file
from maumau.kernels.lanes.request import UntraceableError
from maumau.kernels.lanes.words import explained
from maumau.kernels.targets import compile_ahead, listing
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
    if why or show not in ("interface", "kernel"):
        require("maumau compile", *COMPILER)
    if show and not why:
        seats = checked_players(kind, players) if show == "lanes" else 0
        try:
            print(listing(show, declaration, policies, seats), end="")
        except UntraceableError as error:
            which = f"{declaration.name}, {many(seats, 'player')}"
            hint = "--show kernel prints the scalar kernel, which plays"
            raise BadInput(f"--show lanes: {which}: {error}; {hint}") from None
        return
    if target is not None:
        refuse_terminal(file)
    if why:
        counts = declaration.codec.players if players is None else [checked_players(kind, players)]
        print("\n".join(explained(declaration, policies, counts, notify)))
        return
    if target == "wasm32":
        write_output(file, wasm_of(declaration, policies))
        return
    if target is not None:
        if players is None:
            raise BadInput("--target aarch64 requires --players")
        checked_players(kind, players)
        if len(policies) != 1:
            raise BadInput("--policy and --target aarch64 cannot be used together with several policies")
        with refusing(f"{declaration.name}, {players} players", UntraceableError):
            write_output(file, arm_file(declaration, players, policies[0]))
        return
    started = time.perf_counter()
    with raised_as(CannotWrite, of=Warning):  # of what is not stored
        folder = compile_ahead(declaration, policies, notify)
    print(f"{declaration.title} is ready in {folder} ({time.perf_counter() - started:.1f} s)")
