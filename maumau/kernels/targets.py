"""What is generated for a game before it is played: source to read, kernels in the cache, or why there are none."""

from __future__ import annotations

import warnings
from dataclasses import replace

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.edge.errors import CompilationError
from fsm.edge.numbers import Notify
from maumau.kernels.compiler.cache import NotStoredWarning, cache_folder
from maumau.kernels.compiler.direct.building import module_text
from maumau.kernels.compiler.machine_code import machine_code, require_compiler
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.source import playing, source_of
from maumau.kernels.engine import interface_source


def listing(what: str, game: Declaration, policies: tuple[Policy, ...], players: int) -> str:
    """Return the source of the `interface` of a game, of its scalar `kernel`, or of its `lanes`.

    players: in the lanes. Raises UntraceableError where no lanes play the game, and MissingExtra without llvmlite.
    """
    if what == "lanes":
        from maumau.kernels.lanes.words import pictured

        require_compiler()
        return "".join(f"{line}\n" for line in pictured(game, policies, players))
    of_interface = what == "interface"
    return (interface_source(game, policies) if of_interface else source_of(KernelPlan(game, policies))).listing


def compile_ahead(game: Declaration, policies: tuple[Policy, ...], notify: Notify) -> str:
    """Compile the kernels of a game that are not in the cache, and return its folder.

    Raises NotStoredWarning if they cannot be stored there.
    """
    plan = KernelPlan(game, policies, tally=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotStoredWarning)
        for program in (playing(plan), playing(replace(plan, tally=False, log=True))):
            machine_code(program, notify)
    return cache_folder()


def why_not_compiled(game: Declaration) -> str:
    """Return what of a game cannot be compiled, and where; empty if all can, and where that cannot be known."""
    program = playing(KernelPlan(game, game.policies))
    try:
        module_text(program, program.write(program.subject))
    except CompilationError as error:
        return str(error)
    except ImportError:  # of NumPy
        pass
    return ""
