"""The commands that draw, check and compile the machine of a game."""

import click

from maumau.cli.options import (
    GAME,
    JSON,
    LARGEST,
    NUMBER_IN_FILE,
    PLAIN_GAME,
    PLAYERS,
    POLICY,
    SEED,
    Command,
    CommandUse,
    GameName,
    Number,
    completing,
    flag,
    not_with,
    one_of,
    only_with,
    option,
)

OF_DECK = ("--deck", "--players", "--each")
"""The options of a small deck of one's own."""

COMMANDS = (
    Command(
        "diagram",
        """\b
Examples:
  maumau diagram -o maumau.svg
  maumau diagram --format events
  maumau diagram --match -o match.svg
  maumau diagram -o maumau.scxml    # a state chart
  maumau diagram --format xstate -o maumau.json
  maumau diagram --with nine-reverses --marked -o nine.svg
  maumau diagram --traffic 1000000 -o traffic.svg
  maumau deal --players 3 --seed 7 |
    maumau diagram --path - --until 12 -o path.svg
""",
        option("-o", "--output", "file", default="-", metavar="FILE", help="Where to write; - is standard output."),
        option(
            "--format",
            "output_format",
            help="A drawing: dot, svg, png, pdf, mermaid. A state chart: scxml, xstate. A page with the drawing "
            "and all tables: markdown. Tables: table for all, phases, events.  [default: by the ending of FILE, else "
            "dot]",
        ),
        option("--phase", help="Highlight this phase."),
        option(
            "--path", metavar="FILE", help="Show the path of a game of FILE (as for replay): its transitions in order."
        ),
        option("--until", type=Number(0), help="Show only the first N events of the path."),
        NUMBER_IN_FILE,
        flag("--marked", help="Mark the transitions that house rules (--with) add, change and remove."),
        flag("--fold", help="Fold the phases that ask one seat after another."),
        option(
            "--scale",
            type=Number(1),
            default=1,
            help="Draw an svg or png this number of times as large, up to 8, for example for a projector.",
        ),
        option(
            "--traffic",
            type=Number(1, LARGEST),
            metavar="GAMES",
            help="Show how often each transition fires in this number of games.",
        ),
        PLAYERS,
        POLICY,
        SEED,
        flag("--match", "is_match", help="Draw the machine of matches of the game instead."),
        *GAME,
        modes=[
            one_of("--path", "--traffic"),
            only_with("--path", "--until", "--number"),
            only_with("--traffic", "--players"),
            only_with(("--path", "--traffic"), "--policy", "--seed"),
            not_with("--match", "--path", "--traffic", "--marked", "--fold"),
        ],
        uses=[
            CommandUse("--path IN --policy SEATS --seed SEED --format dot", "decks", "paths in DOT"),
            CommandUse("--path IN --format dot", "records", "paths in DOT"),
            CommandUse("--path IN --format dot", "counterexamples", "paths of counterexamples in DOT"),
            CommandUse(
                "--traffic GAMES --players COUNT --policy SEATS --seed SEED --format dot", writes="traffic in DOT"
            ),
        ],
    ),
    Command(
        "check",
        """With a small deck, the checker tries every deal and every legal event, so it visits every reachable
position. It evaluates every property of the game in each position and after each event. It prints a failed property
with a counterexample, and the exit status is 1.

\b
Examples:
  maumau check --games 1000 --verbose
  maumau check --exhaustive --game uno
  maumau check --match --game uno
  maumau check --deck 'DQ HQ DS HS DE DJ HJ' \\
    --players 3 --each 2
  maumau check --sets --game uno-official -o sets.jsonl
  maumau check --json > failures.jsonl ||
    maumau replay failures.jsonl
""",
        option("--games", type=Number(0), default=10, show_default=True, help="Games for each number of players."),
        SEED,
        flag(
            "--exhaustive",
            help="Also explore the large ones of the small decks, millions of positions, in machine code.",
        ),
        option("--deck", metavar="CARDS", help="A small deck of your own: 'DQ HQ DS HS DJ'."),
        PLAYERS,
        option(
            "--each",
            type=Number(),
            default=1,
            show_default=True,
            help="Cards dealt to each player from the small deck.",
        ),
        option(
            "--positions",
            type=Number(1),
            default=40_000_000,
            show_default=True,
            help="Maximum number of positions to visit.",
        ),
        flag("-v", "--verbose", help="Print every property, phase and transition instead of a summary."),
        flag("--match", "is_match", help="Check the machine of matches, and play matches of the game."),
        flag(
            "--sets",
            help="Check all sets of up to three house rules on small decks, and print those that break the game.",
        ),
        option(
            "-o",
            "--output",
            metavar="FILE",
            help="With --sets: keep the results in this file, and go on where a run stopped.",
        ),
        flag(
            "--json",
            "as_json",
            help="Print a JSON record for each failure, which maumau replay shows, or for each broken set.",
        ),
        *GAME,
        modes=[
            not_with(
                "--sets",
                "--match",
                "--games",
                "--seed",
                "--exhaustive",
                *OF_DECK,
                "--verbose",
            ),
            only_with("--sets", "--output"),
            not_with("--match", "--exhaustive", *OF_DECK, "--positions", "--json"),
            not_with("--json", "--verbose"),
            only_with("--deck", *OF_DECK),
            not_with("--deck", "--exhaustive"),
            not_with("--games", "--seed", value=0),
        ],
        uses=[CommandUse("--json --games 0", writes="counterexamples")],
    ),
    Command(
        "rules",
        """Every other command with --game takes house rules with --with.

\b
Examples:
  maumau rules
  maumau rules nine-reverses
  maumau rules examples/nine_reverses.py:NINES
  maumau deal --players 4 --seed 7 |
    maumau simulate --with lively,five-each --trace -
""",
        click.Argument(["name"], required=False, shell_complete=completing("rules")),
        PLAIN_GAME,
    ),
    Command(
        "actions",
        """Seats count from the player who acts: +1 is the next one.

\b
Examples:
  maumau actions --players 3
  maumau actions --game uno --json
""",
        PLAYERS,
        JSON,
        *GAME,
    ),
    Command(
        "compile",
        """The machine code is for the policies of --policy. Later commands find it in the cache.

\b
Examples:
  maumau compile
  maumau compile --show --policy house,random
  maumau compile --show lanes --players 3
  maumau compile --show --why
  maumau compile --target wasm32 -o game.wasm
  maumau compile --target aarch64 --players 3 -o game.o
""",
        option(
            "--show",
            type=click.Choice(["interface", "kernel", "lanes"]),
            is_flag=False,
            flag_value="interface",
            help="Print what is generated, without compiling it: the interface of the game, through which every "
            "program steps it (without a value); the scalar kernel; or the lanes, as operations in words and as text "
            "for this processor.",
        ),
        flag(
            "--why",
            help="With --show: also print which kernel plays, and why. The lanes are compiled, to count the games that "
            "leave them.",
        ),
        option(
            "--target",
            type=click.Choice(["wasm32", "aarch64"]),
            help="Write a kernel for another machine: a scalar one for wasm32; lanes for aarch64, which requires "
            "--players.",
        ),
        option(
            "--players",
            type=Number(),
            help="With --target aarch64, --show lanes or --why: for this number of players.",
        ),
        option(
            "-o",
            "--output",
            "file",
            default="-",
            metavar="FILE",
            help="With --target: the file; - is standard output.",
        ),
        POLICY,
        *GAME,
        modes=[
            one_of("--show", "--target"),
            only_with("--show", "--why"),
            only_with("--target", "--output"),
            not_with("--show", "--why", value="kernel"),
            not_with("--show", "--why", value="lanes"),
            only_with(("--show", "--target"), "--players"),
            not_with("--show", "--players", value="interface", without="--why"),
            not_with("--show", "--players", value="kernel"),
            not_with("--target", "--players", value="wasm32"),
        ],
    ),
    Command(
        "new",
        """The game in FILE.py is named after the file. It runs, is checked and drawn as it is; the places to change are
marked CHANGE. A file that exists is not overwritten; - is standard output.

\b
  shedding   lay a card that fits, or take one
  tricks     follow suit; the highest trump takes a trick
  climbing   lay sets, and then higher ones
  fishing    take cards of one rank from the middle

\b
Examples:
  maumau new our_game.py --kind shedding
  maumau new - --kind tricks
""",
        click.Argument(["file"], metavar="FILE.py"),
        option(
            "--kind",
            required=True,
            type=click.Choice(["shedding", "tricks", "climbing", "fishing"]),
            help="The kind of game.",
        ),
    ),
    Command(
        "stubs",
        """Python makes the methods for the events of a game when it makes the class. The stub of FILE.py is FILE.pyi
beside it. It has all names of FILE.py, and lists these methods with their parameters and the sentences of the rules.
Write it again when FILE.py changes. For a registered game, the command prints the stub.

\b
Examples:
  maumau stubs examples/crazy_eights.py:CrazyEights
  maumau stubs uno -o -
""",
        click.Argument(["game"], type=GameName()),
        option(
            "-o",
            "--output",
            "file",
            metavar="FILE",
            help="Where to write; - is standard output.  [default: FILE.pyi of FILE.py:NAME, else -]",
        ),
    ),
)
