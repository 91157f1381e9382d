"""The command that writes data for learners."""

from __future__ import annotations

import click

from maumau.cli.options import GAME, LARGEST, NUMBER, PLAYERS, POLICY, SEED, Command, Number, option

COMMANDS = (
    Command(
        "dataset",
        """The players of --policy play games, and the command writes a row for each decision: what the player saw, the
legal actions, the action, its return, its seat, the game and the seed. The end of the name of FILE chooses
the format: .npz, .parquet (extra study), or .minari, a folder with an episode for each seat and game (extra
minari). FILE.card.json says what each number means and how the data were made.

\b
Examples:
  maumau dataset --games 1000 -o house.npz
  maumau dataset --players 3 --games 20 -o search.npz \\
    --policy search:20,house,house
""",
        PLAYERS,
        option("--games", type=Number(1, LARGEST), default=1000, show_default=True, help="How many games."),
        SEED,
        NUMBER,
        POLICY,
        option(
            "--rewards",
            type=click.Choice(("returns", "win", "score", "match")),
            help="The reward that the returns are.  [default: the returns of the game, or winning]",
        ),
        option(
            "-o",
            "--output",
            metavar="FILE",
            required=True,
            help="The file or folder to write: FILE.npz, FILE.parquet or FILE.minari.",
        ),
        *GAME,
        requires=("numpy",),
    ),
)
