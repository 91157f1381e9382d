"""The commands that play games."""

import click

from maumau.cli.options import (
    FILE,
    GAME,
    LARGEST,
    MATCH,
    NUMBER,
    NUMBER_IN_FILE,
    OTHER_PLAYERS,
    PLAYERS_UNLESS_ONE,
    POLICIES,
    POLICY,
    SEED,
    TARGET,
    TARGET_MODE,
    THREADS,
    Command,
    CommandUse,
    Number,
    flag,
    not_with,
    one_of,
    option,
)

PLAYING = ("--engine", "--policy", "--seed", "--target")
"""The options that say how games are played; records have been played."""
ONE_THREAD = "--trace", "--events", "--json", "--match"
PLAYED = "--policy SEATS --seed SEED --number NUMBER"
DEALT = "--players COUNT --seed SEED --number NUMBER --games GAMES"
OUTPUTS = {
    "": ("results", "results of matches"),
    "--events": ("events", "events of matches"),
    "--trace": ("traces", "traces of matches"),
    "--json": ("records", "records of matches"),
}
"""What the options of the output of simulate print of games and of matches."""
USES_OF_SIMULATE = [
    use
    for output, (of_game, of_match) in OUTPUTS.items()
    for use in (
        CommandUse(f"{output} --engine ENGINE {PLAYED} IN", "decks", of_game),
        CommandUse(f"{output} --from-json IN", "records", of_game),
        CommandUse(f"{output} --match --target TARGET --engine ENGINE {PLAYED} IN", "decks of matches", of_match),
        CommandUse(f"{output} --match --from-json IN", "records of matches", of_match),
    )
]

SERVER = ("starlette", "uvicorn", "websockets")
"""The packages that the server requires."""
SERVED = (
    option(
        "--port",
        type=Number(0, 65535),
        default=8000,
        show_default=True,
        help="The port; 0 for any free one.",
    ),
    option(
        "--others",
        metavar="NAME[,NAME...]",
        help=f"Computer players that the pages offer besides the policies of a game: {OTHER_PLAYERS}.  "
        "[default: search:10,search:1000, and net where it can play]",
    ),
    option(
        "--more-games",
        "folder",
        metavar="FOLDER",
        help="A folder of games that the lobby offers as well: in each file a class that is called as the file, such "
        "as CrazyEights in crazy_eights.py.  [default: examples, if you have a clone]",
    ),
    option(
        "--tables",
        metavar="FILE",
        help="The file that keeps the rooms, or 'memory'.  [default: a file for the port in your state folder; "
        "memory for port 0]",
    ),
)
"""The options of the commands that serve pages."""

COMMANDS = (
    Command(
        "demo",
        """It also prints the commands that do the same.

\b
Examples:
  maumau demo
  maumau demo --game uno-official --players 4 --seed 7
""",
        option("--players", type=Number(), help="Players in the game.  [default: 3 if possible]"),
        SEED,
        option("--output", "-o", default="demo.html", show_default=True, metavar="PAGE", help="Where to write."),
        *GAME,
    ),
    Command(
        "play",
        """The screen shows the table, your hand, the log and the keys. With --plain, or if standard input or output is
not a terminal, the command prints the table line by line, and a program can play through a pipe.

\b
Examples:
  maumau play
  maumau play --game uno-official --others house,bluffer
  maumau play --match --target 50
  maumau play --with sevens-draw-3 --players 4 --plain
""",
        *GAME,
        option(
            "--others",
            default="",
            metavar="NAME[,NAME...]",
            help=f"The policies of the other seats, one for all or one for each: {POLICIES}.",
        ),
        option("--players", type=Number(), help="The number of players, with you.  [default: 3 if possible]"),
        option("--seat", type=Number(1), default=1, show_default=True, help="Your seat."),
        option("--seed", type=Number(0, LARGEST), help="The seed of the cards.  [default: a fresh one]"),
        flag("--match", "is_match", help="Play rounds until a player reaches the target."),
        TARGET,
        flag("--plain", help="Line by line: for screen readers and programs."),
        modes=[TARGET_MODE],
    ),
    Command(
        "simulate",
        """The input and the output have the format of the contest problem.

\b
Examples:
  maumau simulate games.txt
  maumau simulate --trace - < games.txt
  maumau simulate --events --game uno uno.txt
  maumau simulate --json games.txt |
    maumau simulate --from-json -
  maumau deal --match --players 3 |
    maumau simulate --match
""",
        FILE,
        *GAME,
        option(
            "--engine",
            type=click.Choice(["auto", "machine", "compiled"]),
            default="auto",
            show_default=True,
            help="The engine. auto steps up to 1,000 games, and all games with --trace or --events; it plays more "
            "games in machine code if the extra bulk is installed.",
        ),
        THREADS,
        flag("-v", "--verbose", help="Report on standard error which engine plays."),
        flag("--trace", help="Print each game turn by turn, with a reason for every move."),
        flag("--events", help="Print the events of each game on one line."),
        flag("--json", "as_json", help="Print one JSON record for each game, one per line."),
        flag("--from-json", help="Read records instead of decks, and check them against the rules."),
        POLICY,
        SEED,
        NUMBER,
        MATCH,
        TARGET,
        modes=[
            one_of("--trace", "--events", "--json"),
            TARGET_MODE,
            not_with(
                "--from-json",
                *PLAYING,
                "--number",
                "--threads",
            ),
            not_with("--engine", "--threads", value="machine"),
            *(not_with(each, "--threads") for each in ONE_THREAD),
        ],
        uses=USES_OF_SIMULATE,
    ),
    Command(
        "deal",
        """Game N of a seed always has the same deck, on every machine. Match N has 1024 decks: those of game 1024 N
and of the games after it.

\b
Examples:
  maumau deal --players 3 --games 5 | maumau simulate
  maumau deal --players 3 --seed 7 --number 4
""",
        PLAYERS_UNLESS_ONE,
        SEED,
        NUMBER,
        option("--games", type=Number(0), default=1, show_default=True, help="The number of games, or of matches."),
        MATCH,
        *GAME,
        uses=[CommandUse(DEALT, writes="decks"), CommandUse(f"--match {DEALT}", writes="decks of matches")],
    ),
    Command(
        "replay",
        """FILE contains games in the problem's format, or records from simulate --json. The page is a single file and
needs no network.

\b
Examples:
  maumau replay games.txt --number 1 -o second.html --open
  maumau deal --game uno --players 4 --seed 7 |
    maumau replay --game uno -
  maumau simulate --json games.txt | maumau replay -
  maumau deal --match --players 3 |
    maumau replay --match -
""",
        FILE,
        NUMBER_IN_FILE,
        option(
            "-o",
            "--output",
            default="replay.html",
            show_default=True,
            metavar="FILE",
            help="Where to write; - is standard output.",
        ),
        flag("--open", "show", help="Open the page in the browser."),
        flag(
            "--errors",
            help="Mark the errors of two players, judged with open hands, as far back as 256 MB of memory allow.",
        ),
        POLICY,
        SEED,
        MATCH,
        TARGET,
        *GAME,
        modes=[TARGET_MODE, not_with("--match", "--errors")],
        uses=[
            CommandUse("--policy SEATS --seed SEED -o OUT IN", "decks", "pages"),
            CommandUse("-o OUT IN", "records", "pages"),
            CommandUse("-o OUT IN", "counterexamples", "pages of counterexamples"),
            CommandUse(
                "--match --target TARGET --policy SEATS --seed SEED -o OUT IN", "decks of matches", "pages of matches"
            ),
            CommandUse("--match -o OUT IN", "records of matches", "pages of matches"),
        ],
    ),
    Command(
        "party",
        """Anyone who opens the link gives a name and sits down, or watches. Computer players take the remaining seats.
The first person chooses the game. The room stays over rounds, games and a restart, and a person who leaves can come
back.

\b
Examples:
  maumau party
  maumau party --game uno-official
""",
        *SERVED,
        option(
            "--host",
            metavar="ADDRESS",
            help="Listen at this IP address of the machine.  [default: that of the local network]",
        ),
        *GAME,
        requires=SERVER,
    ),
    Command(
        "serve",
        """The page at / is the lobby. It opens a room, with one link for all players. A file keeps the rooms, so they
are there again after a restart at the same port.

The page at /step steps a game with all hands open. It offers all registered games, the one of --game first. A game
starts from a seed, a pasted deck or a position. Every legal event is a button; for every other event the page shows
why the rules refuse it.

\b
Examples:
  maumau serve --port 8000 --open
  maumau serve --game my_game.py:MyGame
  maumau serve --more-games examples
  maumau serve --others search:1000,my_player.py:choose
  maumau serve --host 192.168.1.5
  maumau serve --origin https://cards.example
""",
        *SERVED,
        flag("--open", "show", help="Open the page in the browser."),
        option(
            "--host",
            metavar="ADDRESS",
            help="Listen at this IP address, for people on other machines. The server has no TLS: see the "
            "documentation.  [default: 127.0.0.1]",
        ),
        option(
            "--origin",
            "origins",
            multiple=True,
            metavar="URL",
            help="Another address by which browsers reach the server, through a proxy with TLS: https://cards.example.",
        ),
        *GAME,
        requires=SERVER,
    ),
)
