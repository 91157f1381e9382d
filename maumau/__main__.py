"""The command: `maumau`, or `python -m maumau`."""

from __future__ import annotations

import gc
import sys
from typing import Any

BAD_USAGE, INTERRUPTED = 2, 130
"""Exit statuses, as `maumau.cli.interrupt` has them."""


def main() -> None:
    """Run the command. Ctrl-C ends it with one line, also while its modules are loaded."""
    gc.disable()  # until a command is carried out: what is imported stays
    try:
        from maumau.neighbours import check_neighbours

        check_neighbours()
        from maumau.cli.main import main as command
    except KeyboardInterrupt:
        print("maumau: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except ImportError as error:
        print(f"maumau: {error}", file=sys.stderr)
        sys.exit(BAD_USAGE)
    command()


def __getattr__(name: str) -> Any:
    """`app`, the group of all commands with the formats that each reads and writes, imported on first use."""
    if name == "app":
        from maumau.cli.main import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if __name__ == "__main__":
    main()
