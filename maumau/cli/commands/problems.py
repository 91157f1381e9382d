"""The commands of other problems, and that of the shell."""

import click

from maumau.cli import SUMMARIES
from maumau.cli.options import FILE, Command, flag, one_of, only_with, option

COMMANDS = (
    Command(
        "waits",
        """The input is that of the contest problem SPOJ MAHJONG: the number of hands, then a line for each hand. The
line has the hidden tiles, then the exposed melds one after another or NONE. A tile is a digit and D, B or M.

\b
Examples:
  maumau waits hands.txt
  maumau waits --explain - < hands.txt
  maumau waits --json hands.txt
""",
        FILE,
        flag("--explain", help="Print the best split of each wait, with every scoring item and its points."),
        flag("--json", "as_json", help="Print one JSON record for each hand, one per line."),
        modes=[one_of("--explain", "--json")],
    ),
    Command(
        "acquaintance",
        """The input is that of the contest problem HOJ 2434, from FILE or standard input: cases until 0 0 or the end
of the input. A case is a line with the numbers of groups and people, then a line for each group: the number of its
members, and the members, from 0. The output is that of the problem, which calls the last person wywcgs.

With --seats, each line of the input is a table: the names of its players, separated by blanks. The output is the
distance between players: 1 if they sat at the same table, never if no chain connects them.

\b
Examples:
  maumau acquaintance groups.txt
  maumau acquaintance --explain - < groups.txt
  maumau acquaintance --seats tables.txt \\
    --between anna dora --between anna emil
""",
        FILE,
        flag("--seats", help="Read tables instead: a line has the names of the players at a table."),
        option(
            "--between",
            nargs=2,
            multiple=True,
            metavar="NAME NAME",
            help="With --seats: a pair of players; may be repeated.  [default: all pairs]",
        ),
        flag("--explain", help="Print a shortest chain, and the groups or tables that connect it."),
        flag("--json", "as_json", help="Print one JSON record for each case or pair, one per line."),
        modes=[one_of("--explain", "--json"), only_with("--seats", "--between")],
    ),
    Command(
        "help",
        """\b
Examples:
  maumau help
  maumau help check
""",
        click.Argument(
            ["command"],
            required=False,
            shell_complete=lambda ctx, param, incomplete: [name for name in SUMMARIES if name.startswith(incomplete)],
        ),
    ),
    Command(
        "completion",
        """\b
Example:
  source <(maumau completion bash)
""",
        click.Argument(["shell"], type=click.Choice(["bash", "zsh", "fish"])),
    ),
)
