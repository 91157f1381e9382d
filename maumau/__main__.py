"""The command: `maumau`, or `python -m maumau`."""

from __future__ import annotations

import sys

BAD_USAGE, INTERRUPTED = 2, 130
"""Exit statuses, as `maumau.cli.failure` has them."""


def main() -> None:
    """Run the command. Ctrl-C ends it with one line, also while its modules are loaded."""
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


if __name__ == "__main__":
    main()
