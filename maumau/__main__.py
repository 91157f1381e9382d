"""The command: `maumau`, or `python -m maumau`."""

from __future__ import annotations

import sys

from maumau import check_packages

BAD_USAGE, INTERRUPTED = 2, 130
"""Exit statuses, as `maumau.cli.interrupt` has them."""


def main() -> None:
    """Run the command. Ctrl-C ends it with one line, also while its modules are loaded."""
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
