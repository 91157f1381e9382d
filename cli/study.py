"""`maumau study`: what many games tell, and how sure that is."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cli.bulk import check_bulk, notify
from cli.failure import INTERRUPTED, NO_WINNER, BadInput, CannotWrite
from cli.options import chosen_policies, game_option, game_with_rules, policy_option, seed_option
from cli.output import STANDARD_OUTPUT, write_output
from cli.progress import progress_bar, tell_line

if TYPE_CHECKING:
    from study.run import Progress
    from study.spec import StudySpec
    from study.workers import Workers

FORMATS = ("table", "markdown", "json", "csv", "html")
ENDINGS = {".md": "markdown", ".htm": "html", ".txt": "table"}
ASKED = ("game", "players", "games", "seed", "first", "policy", "rotate", "chunk", "until_width", "confidence")
"""The options on which the answer depends."""
LARGEST = 10**9
"""Games after which a study ends that was asked for narrow intervals only."""


HELP = """Play many games and tell who wins, how long it takes, and how sure that is.

Different policies play each deck in every seating: they are compared without the luck of the deck.
A study that was begun with --out can be killed at any time and goes on with --resume; its result is the same.

\b
Examples:
  maumau study --players 4 --games 1000000 --seed 7
  maumau study --players 2 --games 100000 --policy house,random --format markdown
  maumau study --players 3 --until-width 0.001 --out three-players
  maumau study --out three-players --resume
  maumau study --compare-rules nine-reverses --players 3 --games 100000
  maumau study --report three-players -o report.html
  maumau study --verify three-players
"""


@click.command(help=HELP)
@game_option
@click.option("--players", type=int, help="Players of each game.")
@click.option("--games", type=int, help="How many games, or at most how many with --until-width.")
@seed_option
@click.option("--first", type=int, default=0, show_default=True, help="The number of the first game.")
@policy_option
@click.option(
    "--rotate/--no-rotate",
    default=True,
    show_default=True,
    help="Play each deck in all seatings of different policies, and compare them.",
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of all intervals.")
@click.option("--until-width", type=float, metavar="W", help="Stop when the intervals of all wins are that narrow.")
@click.option("--chunk", type=int, help="Game numbers of a chunk, the unit of work.")
@click.option("--threads", type=click.IntRange(1), help="Threads of this machine.  [default: one a core]")
@click.option("--cluster", metavar="ADDRESS", help="Play on Dask: local, local:N, or tcp://SCHEDULER:PORT.")
@click.option(
    "--chunk-timeout",
    type=float,
    default=300,
    show_default=True,
    help="Seconds until a chunk goes to another worker.",
)
@click.option("--compare-rules", metavar="NAME[,NAME...]", help="Play each deck with these house rules, too; compare.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Keep every game there, as Parquet.")
@click.option("--resume", is_flag=True, help="Go on with the study in --out.")
@click.option("--report", type=click.Path(path_type=Path), metavar="DIR", help="Only report what lies in a folder.")
@click.option("--verify", type=click.Path(path_type=Path), metavar="DIR", help="Only verify what lies in a folder.")
@click.option("--format", "wanted", type=click.Choice(FORMATS), help="[default: as FILE ends, else table]")
@click.option("--output", "-o", "file", default="-", metavar="FILE", help="Where the report is written.")
@click.pass_context
def study(context: click.Context, /, **options: Any) -> int:
    """Run `maumau study`."""
    from study.errors import NotWritten, StudyError

    wanted = options["wanted"] or _by_ending(options["file"])
    try:
        _check(options, wanted)
        if options["compare_rules"] is not None:
            return _compare_rules(options, wanted)
        if options["verify"]:
            return _verify(options["verify"])
        if options["report"]:
            return _report(options["report"], wanted, options["file"])
        given = {name for name in ASKED if context.get_parameter_source(name) is not ParameterSource.DEFAULT}
        if context.get_parameter_source("rules") is not ParameterSource.DEFAULT:
            given.add("game")
        return _answer(options, given, wanted)
    except NotWritten as error:
        raise CannotWrite(str(error)) from None
    except StudyError as error:
        raise BadInput(str(error)) from None


def _by_ending(file: str) -> str:
    ending = Path(file).suffix.lower()
    wanted = ENDINGS.get(ending, ending[1:])
    return wanted if wanted in FORMATS else FORMATS[0]


def _check(options: dict[str, Any], wanted: str) -> None:
    """Raise before any game is played what would hinder the report."""
    from render.study import check
    from study.errors import require

    if options["resume"] and not options["out"]:
        raise BadInput("--resume: expected --out DIR, the folder to go on in")
    if options["report"] and (options["out"] or options["resume"]):
        raise BadInput("--report: expected neither --out nor --resume with it")
    if options["verify"] and (options["out"] or options["resume"] or options["report"]):
        raise BadInput("--verify: expected neither --out nor --resume nor --report with it")
    if options["chunk_timeout"] <= 0:
        raise BadInput(f"--chunk-timeout: {options['chunk_timeout']:g}, expected more than 0")
    require("study", "a study", "numpy", "scipy")
    check(wanted)
    folder = Path(options["file"]).absolute().parent
    if options["file"] != "-" and not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise CannotWrite(f"--output: {options['file']}, expected a file in a folder that can be written to")


def _report(path: Path, wanted: str, file: str) -> int:
    """Report what lies in a folder."""
    from study.folder import Folder
    from study.run import so_far

    folder = Folder.read(path)
    progress = so_far(folder.spec, folder)
    if not progress.chunks:
        raise BadInput(f"{path}: its first games are not there yet, go on with: maumau study --out {path} --resume")
    _show(progress, wanted, file)
    return 0


def _verify(path: Path) -> int:
    """Verify what lies in a folder, and print what is wrong."""
    from study.verify import verify

    check_bulk()
    verified = verify(path, notify)
    for fault in verified.faults:
        print(fault)
    sound = f"{verified.chunks:,} chunks of {verified.games:,} games are sound, {verified.replayed:,} were played again"
    faults = f"{len(verified.faults):,} {'fault' if len(verified.faults) == 1 else 'faults'}"
    print(f"{path}: {faults}; {sound}")
    return NO_WINNER if verified.faults else 0


def _answer(options: dict[str, Any], given: set[str], wanted: str) -> int:
    """Do the study, or go on with it, and report."""
    from study.errors import StudyError
    from study.folder import Folder
    from study.playing import prepare
    from study.run import Interrupted, run

    check_bulk()
    out: Path | None = options["out"]
    spec = _question(options, given)
    workers = _workers(options)
    with Folder.begun(out, spec, options["resume"], tell_line) if out else nullcontext() as folder:
        asked = folder.spec if folder else spec
        assert asked
        try:
            with progress_bar(asked) as tell:
                prepare(asked, notify)
                progress = run(asked, workers, folder, tell)
        except Interrupted as stopped:
            return _stopped(stopped.progress, out, wanted, options["file"])
        except StudyError as error:
            raise type(error)(f"{error}{_how_to_go_on(out)}") from None
    _show(progress, wanted, options["file"])
    return 0


def _question(options: dict[str, Any], given: set[str]) -> StudySpec | None:
    """What is asked: with --resume what is not given stands in the folder. None: all of it does."""
    from study.folder import Folder
    from study.spec import StudySpec

    asked = {name: options[name] for name in ASKED if name not in ("policy", "chunk")} | {"policies": ()}
    if "chunk" in given:
        asked["chunk"] = options["chunk"]
    if "policy" in given:
        asked["policies"] = tuple(chosen_policies(options["policy"]))
        given = given - {"policy"} | {"policies"}
    if options["resume"] and (there := Folder.found(options["out"])):
        known = there.spec.as_json()
        if not given:
            return None
        asked = known | {name: asked[name] for name in given}
    elif options["resume"] and not given:
        return None
    if asked["players"] is None:
        raise BadInput("--players: expected the number of players")
    if asked["games"] is None and asked["until_width"] is None:
        raise BadInput("--games: expected how many games, or --until-width")
    asked["games"] = LARGEST if asked["games"] is None else asked["games"]
    return StudySpec.of(**asked)


def _compare_rules(options: dict[str, Any], wanted: str) -> int:
    """Play the same decks under two rule sets, and report the differences."""
    from render.study.rules import FORMATS as KNOWN
    from render.study.rules import render_comparison
    from study.compare import compare_rules
    from study.spec import StudySpec

    for name in ("out", "resume", "report", "verify", "cluster", "until_width"):
        if options[name]:
            raise BadInput(f"--compare-rules: expected without --{name.replace('_', '-')}")
    for name in ("players", "games"):
        if options[name] is None:
            raise BadInput(f"--{name}: expected the number of {name}")
    if wanted not in KNOWN:
        raise BadInput(f"--format: {wanted!r}, expected one of {', '.join(KNOWN)} with --compare-rules")
    check_bulk()
    other = game_with_rules(options["game"].split("+")[0], options["compare_rules"])
    asked = {name: options[name] for name in ("game", "players", "games", "seed", "first", "confidence")}
    spec = StudySpec.of(**asked, policies=tuple(chosen_policies(options["policy"])))
    text = render_comparison(compare_rules(spec, other, options["threads"], notify), wanted)
    if options["file"] == STANDARD_OUTPUT:
        print(text, end="")
    else:
        write_output(options["file"], text.encode())
    return 0


def _workers(options: dict[str, Any]) -> Workers:
    """Who plays: threads of this process, or a cluster."""
    from study.cluster import Cluster
    from study.workers import Threads

    if not options["cluster"]:
        return Threads(options["threads"])
    if options["threads"]:
        raise BadInput("--threads: expected without --cluster, whose workers have their own")
    return Cluster(options["cluster"], options["chunk_timeout"], tell=tell_line)


def _show(progress: Progress, wanted: str, file: str) -> None:
    """Write the report."""
    from render.study import render
    from study.summary import summary

    text = render(summary(progress), wanted)
    if file == STANDARD_OUTPUT:
        print(text, end="")
    else:
        write_output(file, text.encode())


def _stopped(progress: Progress, out: Path | None, wanted: str, file: str) -> int:
    """After Ctrl-C: what is kept goes on; what is not, is reported as far as it is."""
    print(f"maumau: interrupted after {progress.done:,} games{_how_to_go_on(out)}", file=sys.stderr)
    if not out and progress.chunks:
        _show(progress, wanted, file)
    return INTERRUPTED


def _how_to_go_on(out: Path | None) -> str:
    return f"; what is done is kept, go on with: maumau study --out {quote(str(out))} --resume" if out else ""
