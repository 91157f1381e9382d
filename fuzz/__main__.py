"""List the targets, or run some: python -m fuzz [TARGET... [OPTION...]]."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pkgutil import iter_modules

from fsm.edge.extras import install_command
from fuzz import targets


def main(arguments: Sequence[str]) -> int:
    """Run the targets that are named, or print all names."""
    names = [module.name for module in iter_modules(targets.__path__)]
    if not arguments:
        print("\n".join(names))
        return 0
    options = [argument for argument in arguments if argument.startswith("-")]
    chosen = [argument for argument in arguments if argument not in options]
    for target in chosen:
        if target not in names:
            print(f"unknown target {target!r}; use one of {', '.join(names)}", file=sys.stderr)
            return 2
    try:
        from fuzz.running import run

        return run(chosen, options)
    except ModuleNotFoundError as error:
        if error.name != "atheris":
            raise
        print(f"fuzzing needs atheris: {install_command('fuzz')}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
