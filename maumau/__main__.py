"""The command: `maumau`, or `python -m maumau`."""

from __future__ import annotations

import gc
import sys

from maumau import check_packages

BAD_USAGE, INTERRUPTED = 2, 130
"""Exit statuses, as `maumau.cli.interrupt` has them."""
COLLECTING = 20_000, 50, 100
"""Thresholds of the garbage collector by generation.

Collections took a twelfth of each start, and up to a quarter of the time of a server of hundreds of games. They find
next to nothing: counting references frees nearly all that a command makes.
"""


def main() -> None:
    """Run the command. Ctrl-C ends it with one line, also while its modules are loaded."""
    gc.set_threshold(*COLLECTING)
    try:
        try:
            check_packages()
            from maumau.cli.interrupt import ending_after_interrupt
            from maumau.cli.main import main as command
        except ImportError as error:
            print(f"maumau: {error}", file=sys.stderr)
            sys.exit(BAD_USAGE)
        with ending_after_interrupt():
            command()
    except KeyboardInterrupt:
        print("maumau: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
