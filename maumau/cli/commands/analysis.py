"""The commands that compare players and rules: training, tournaments, studies."""

import click

from maumau.cli.options import (
    GAME,
    JSON,
    JSON_FORMAT,
    LARGEST,
    MATCH,
    NUMBER,
    PLAYERS,
    PLAYERS_UNLESS_ONE,
    POLICY,
    SEED,
    TARGET,
    TARGET_MODE,
    THREADS,
    Command,
    CommandUse,
    Number,
    PositiveNumber,
    flag,
    not_with,
    one_of,
    only_with,
    option,
)
from maumau.study import FORMATS

COMPILER = ("llvmlite", "numpy")
"""The packages that machine code requires."""
MINUTES = 5.0
"""How long train learns, if nothing is said."""
WORKERS = ("--threads", "--cluster", "--chunk-timeout")
"""The options that say who plays the games of a study."""
SEED_OF_DICE = option("--seed", type=Number(0, LARGEST), default=0, show_default=True, help="The seed of the dice.")
STATE_OF_BOTH = ("--open and --hidden cannot be used together with --state",)
OPEN_ONLY = not_with("--open", "--turns", "--gap", "--skill", "--output", without="--hidden")
QUESTION = "--players COUNT --games GAMES --seed SEED --number NUMBER --no-rotate --policy SEATS"
USES_OF_STUDY = [
    use
    for of, study, report in (
        ("", "studies", "reports in JSON"),
        ("--match --target TARGET", "studies of matches", "reports of matches in JSON"),
    )
    for use in (
        CommandUse(f"{of} {QUESTION} --out OUT", writes=study),
        CommandUse(f"{of} {QUESTION} --format json", writes=report),
        CommandUse("--report IN --format json", study, report),
        CommandUse("--resume --out IN --format json", study, report),
        CommandUse("--verify IN", study),
    )
]

COMMANDS = (
    Command(
        "train",
        """In games in which only cards are hidden, the player learns from searches what moves are worth, in other games
from its own games. Every half minute the command writes the file, and prints the loss and the share of wins with its
95 % interval. Ctrl-C leaves the player as it is then. With --games the same command gives the same file on the same
machine. With --minutes the file depends on the speed of the machine.

\b
Examples:
  maumau train --minutes 3 -o me.net
  maumau train --minutes 3 --from me.net -o better.net
  maumau train --game uno --games 300000 -o uno.net
  maumau train --others net --searched 0 -o response.net
  maumau tournament --policy net:me.net,house
""",
        PLAYERS,
        option("--games", type=Number(1), help="The least number of games to learn from."),
        option("--minutes", type=PositiveNumber(most=1_000_000), help=f"Minutes to learn.  [default: {MINUTES:g}]"),
        option(
            "--others",
            metavar="NAME",
            help="The player of the other seats, as for --policy of other commands, or self. A net that learns against "
            "a player finds out how much can be won from it.  [default: the first policy of the game]",
        ),
        option(
            "--searched",
            type=Number(0, 1, float),
            default=1.0,
            show_default=True,
            help="The share of the training that learns from searches, if the game can be searched. The rest "
            "learns from games.",
        ),
        option(
            "--worlds",
            type=Number(1, 255),
            default=16,
            show_default=True,
            help="Worlds in each of these searches.",
        ),
        option(
            "--hidden",
            type=Number(1, 1024),
            help="The width of the hidden layers.  [default: 128]",
        ),
        option(
            "--rewards",
            type=click.Choice(("returns", "win", "score", "match")),
            help="The reward to learn for.  [default: the returns of the game, or winning]",
        ),
        option("--from", "start", metavar="FILE", help="A net that learns more; train has written the file."),
        option("--curve", metavar="FILE", help="Also write the curve of the training as CSV: loss, wins, seconds."),
        option("-o", "--output", metavar="FILE", required=True, help="The file to write."),
        SEED,
        *GAME,
        modes=[
            one_of("--games", "--minutes"),
            not_with("--from", "--hidden", "--rewards"),
            not_with("--searched", "--worlds", value=0),
        ],
        requires=COMPILER,
    ),
    Command(
        "tournament",
        """The players of --policy play the same decks in all seatings. If there are fewer players than seats, each
table has all of them, some more than once. Ratings are on Elo's scale: a player who is 400 points better is ten times
as strong, and the mean is 0. Of a game that ends with places, the mean place is shown. The intervals are 95 %
intervals.

\b
Examples:
  maumau tournament --policy house,random,first-legal
  maumau tournament --players 3 --games 200 --json \\
    --policy house,search:100
""",
        PLAYERS,
        option(
            "--games",
            type=Number(1, 10**9),
            default=1000,
            show_default=True,
            help="Decks that each seating plays.",
        ),
        SEED,
        POLICY,
        THREADS,
        option(
            "--format",
            "output_format",
            type=click.Choice(("table", "json", "csv")),
            help="The format.  [default: table]",
        ),
        JSON_FORMAT,
        *GAME,
        modes=[one_of("--format", "--json")],
        requires=COMPILER,
        uses=[CommandUse("--players COUNT --games GAMES --seed SEED --policy NAMES --json", writes="ratings in JSON")],
    ),
    Command(
        "benchmark",
        """A task has a name with a version. It says the game, the other players and the decks, and none of them ever
changes, so results can be compared and cited. The player has each seat with the same decks. The result is its share of
wins, or its mean returns where the game declares returns, with a 95 % interval. Without TASK the command lists all
tasks.

\b
Examples:
  maumau benchmark
  maumau benchmark maumau-2-v1 --policy net
  maumau benchmark uno-4-v1 --policy random --decks 99
""",
        click.Argument(["task"], required=False, metavar="[TASK]"),
        option(
            "--policy",
            metavar="NAME",
            help="The player: house, random, random-legal-card, first-legal, net, net:FILE, search:WORLDS[:OWN], "
            "solved:FILE, FILE.py:NAME.",
        ),
        option(
            "--decks",
            type=Number(1, 10**9),
            help="Decks of each game, for an estimate.  [default: those of the task]",
        ),
        THREADS,
        JSON,
    ),
    Command(
        "study",
        """Different policies play each deck in every rotation of the seats, so each policy has each seat, and the
comparison is independent of the deal. The order around the table stays the same; a tournament plays all seatings. You
can kill a study with --out at any time and continue it with --resume; its result is the same.

\b
Examples:
  maumau study --players 4 --games 1000000 --seed 7
  maumau study --players 2 --games 100000 \\
    --policy house,random --format markdown
  maumau study --players 3 --until-width 0.001 --out three
  maumau study --out three --resume
  maumau study --players 3 --games 100000 --out nines \\
    --compare-rules nine-reverses
  maumau study --match --players 3 --games 10000
  maumau study --report three -o report.html
  maumau study --verify three
""",
        *GAME,
        PLAYERS_UNLESS_ONE,
        option("--games", type=Number(), help="The number of games, or the maximum with --until-width."),
        SEED,
        NUMBER,
        POLICY,
        option(
            "--rotate/--no-rotate",
            default=True,
            show_default=True,
            help="Play each deck in all rotations of the policies over the seats, and compare the policies.",
        ),
        MATCH,
        TARGET,
        option(
            "--confidence",
            type=Number(kind=float),
            default=0.95,
            show_default=True,
            help="The confidence level of all intervals.",
        ),
        option(
            "--until-width",
            type=Number(kind=float),
            metavar="W",
            help="Stop when no interval of wins, or of differences of wins, is wider than W.",
        ),
        option("--chunk", type=Number(), help="Game numbers in a chunk, the unit of work."),
        THREADS,
        option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster: local, local:N, or tcp://SCHEDULER:PORT."),
        option(
            "--chunk-timeout",
            type=PositiveNumber(),
            default=300,
            show_default=True,
            help="Seconds after which another worker gets a chunk.",
        ),
        option(
            "--compare-rules", metavar="NAME[,NAME...]", help="Also play each deck with these house rules, and compare."
        ),
        option("--out", type=click.Path(), metavar="DIR", help="Store every game in this folder, as Parquet."),
        flag("--resume", help="Continue the study in --out."),
        option("--report", type=click.Path(), metavar="DIR", help="Only report the study in this folder."),
        option("--verify", type=click.Path(), metavar="DIR", help="Only verify the study in this folder."),
        option(
            "--format",
            "output_format",
            type=click.Choice(list(FORMATS)),
            help="The format of the report.  [default: by the ending of FILE, else table]",
        ),
        JSON_FORMAT,
        option(
            "-o",
            "--output",
            "file",
            default="-",
            metavar="FILE",
            help="Where to write the report; - is standard output.",
        ),
        modes=[
            TARGET_MODE,
            only_with("--out", "--resume"),
            only_with("--cluster", "--chunk-timeout"),
            not_with("--cluster", "--threads"),
            not_with("--compare-rules", "--rotate"),
            not_with("--report", "--out", "--resume", *WORKERS),
            not_with("--verify", "--out", "--resume", "--report", *WORKERS),
            not_with("--verify", "--format", "--json", "--output"),
            one_of("--format", "--json"),
        ],
        uses=USES_OF_STUDY,
        requires=("numpy", "scipy"),
    ),
    Command(
        "odds",
        """POSITION is a line as `game.position()` returns it. After each legal move the command plays the rest of the
game --games times. All cards stay where POSITION has them, hidden ones too: the games differ by their dice alone. So
players who roll no dice play the same game each time. A game of more than 2,000 choices is given up.

\b
Examples:
  maumau odds --game examples/kuhn_poker.py:KuhnPoker \\
    'opening player=1 stakes=1/1 raises=0 acted=0
    winners=- ending=- winner=- hands=Q/J
    discard=- draw=K'
""",
        click.Argument(["position"], metavar="POSITION"),
        option("--games", type=Number(1, 10**9), default=10_000, show_default=True, help="Games after each move."),
        SEED_OF_DICE,
        option(
            "--policy",
            default="random",
            show_default=True,
            metavar="NAME[,NAME...]",
            help="The players of the rest of the game: policies of the game, one for all or one for each seat.",
        ),
        JSON,
        *GAME,
        requires=COMPILER,
    ),
    Command(
        "solve",
        """With hidden hands (two players), the command finds the equilibrium, with bounds that best responses prove,
and what policies lose to a perfect player. With --open all cards are visible, and it finds the value of every deal,
and how often policies err. Values are those of the first player: 1 for a win, -1 for a loss, 0 if nobody wins. The
command refuses a game that does not fit in memory, and reports bounds of its size, as soon as it knows them.

\b
Examples:
  maumau solve --deck 'DQ HQ DS HS DK SJ' --each 2 \\
    --hidden --exploit house,random
  maumau solve --deck 'DQ HQ DS HS DK SJ' --each 2 --open
  maumau solve --deck 'DQ HQ DT HT DK SK' --open --json \\
    --exploit house
  maumau solve --deck 'DQ HQ DS HS DK SJ SE HE DJ' \\
    --each 2 --exploit house --responses
""",
        option("--deck", metavar="CARDS", help="A small deck: 'DQ HQ DS HS DJ'.  [default: the whole deck]"),
        PLAYERS,
        option("--each", type=Number(), default=1, show_default=True, help="Cards of --deck dealt to each player."),
        flag("--open", "is_open", help="Solve the game with open hands."),
        flag("--hidden", help="Solve the game with hidden hands.  [default: without --open]"),
        option("--position", metavar="LINE", help="Solve the rest of the game from this position, with open hands."),
        option("--exploit", default="", metavar="NAME[,NAME...]", help="Policies to compare with perfect play."),
        option(
            "--policy",
            default="",
            metavar="NAME[,NAME...]",
            help="Players, one for all or one for each seat: report what each seat's best answer to the others is "
            "worth.",
        ),
        option("--turns", type=Number(1), help="Cut games with hidden hands off after N turns."),
        option(
            "--gap",
            type=PositiveNumber(),
            default=5e-7,
            show_default=True,
            help="The largest distance between the bounds of the value.",
        ),
        flag("--responses", help="Find only best responses to the policies of --exploit. This allows larger decks."),
        flag("--skill", help="Report how much of the game is skill, with the policies of --exploit as beginners."),
        option("--memory", type=Number(64), default=2048, show_default=True, help="Memory to use, in MB."),
        option(
            "--seed",
            type=Number(0, LARGEST),
            default=0,
            show_default=True,
            help="The dice of players who search.",
        ),
        option(
            "--state",
            metavar="FILE",
            help="The file in which Ctrl-C leaves the results so far; the same command goes on from there.",
        ),
        flag("--deals", "by_deal", help="Also report the value of each deal."),
        option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the equilibrium to this file, which is the player solved:FILE.",
        ),
        JSON,
        *GAME,
        modes=[
            one_of("--open", "--position"),
            one_of("--hidden", "--position"),
            not_with("--position", "--output"),
            only_with("--deck", "--each"),
            only_with("--json", "--deals"),
            only_with("--open", "--deals"),
            only_with("--open", "--policy"),
            only_with("--exploit", "--responses"),
            not_with(
                "--responses",
                "--open",
                "--position",
                "--output",
                "--skill",
                "--turns",
                "--gap",
                "--state",
                "--seed",
            ),
            lambda given: STATE_OF_BOTH if {"--state", "--open", "--hidden"} <= given.keys() else (),
            OPEN_ONLY,
            not_with(
                "--position",
                "--players",
                "--exploit",
                "--seed",
                "--state",
                "--turns",
                "--gap",
                "--skill",
            ),
        ],
        uses=[CommandUse("--open --deck DECK --each EACH --players COUNT --json", writes="solutions in JSON")],
    ),
)
