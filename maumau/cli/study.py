"""`maumau study`: statistics of many games, with confidence intervals."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from maumau.cli.bulk import check_bulk, notify, print_message, progress_bar
from maumau.cli.games import check_target, match_option, target_mode, target_option
from maumau.cli.interrupt import INTERRUPTED, NO_WINNER, BadInput
from maumau.cli.modes import given_options, modes, not_with, only_with, refuse_given
from maumau.cli.options import (
    Command,
    Format,
    Use,
    check_seats,
    checked_players,
    chosen_game,
    chosen_policies,
    game_option,
    game_with_rules,
    policy_option,
    seed_option,
    threads_option,
)
from maumau.cli.output import STANDARD_OUTPUT, check_output, write_output
from maumau.study.formats import FORMATS

if TYPE_CHECKING:
    from maumau.study.counts import Progress
    from maumau.study.playing import Workers
    from maumau.study.spec import StudySpec

ENDINGS = {".md": "markdown", ".htm": "html", ".txt": "table"}
SPEC_OPTIONS = (
    "game",
    "players",
    "games",
    "seed",
    "first",
    "policy",
    "rotate",
    "chunk",
    "until_width",
    "confidence",
    "target",
)
"""The options on which the result depends, besides --compare-rules."""
WORKERS = ("--threads", "--cluster", "--chunk-timeout")
"""The options that say who plays the games."""
LARGEST = 10**9
"""The limit of games for a study with --until-width and without --games."""


HELP = """Play many games and report wins and lengths of games, with confidence intervals.

Different policies play each deck in every seating, so the comparison is independent of the deal.
A study with --out can be killed at any time and continued with --resume; its result is the same.

\b
Examples:
  maumau study --players 4 --games 1000000 --seed 7
  maumau study --players 2 --games 100000 --policy house,random --format markdown
  maumau study --players 3 --until-width 0.001 --out three-players
  maumau study --out three-players --resume
  maumau study --compare-rules nine-reverses --players 3 --games 100000 --out nines
  maumau study --match --players 3 --games 10000
  maumau study --report three-players -o report.html
  maumau study --verify three-players
"""
QUESTION = "--players COUNT --games GAMES --seed SEED --first NUMBER --no-rotate --policy SEATS"
USES = tuple(
    use
    for of, study, report in (
        ("", Format.STUDIES, Format.REPORTS),
        ("--match --target TARGET", Format.MATCH_STUDIES, Format.MATCH_REPORTS),
    )
    for use in (
        Use(f"{of} {QUESTION} --out OUT", writes=study, compiled=bool(of)),
        Use(f"{of} {QUESTION} --format json", writes=report, compiled=bool(of)),
        Use("--report IN --format json", study, report),
        Use("--resume --out IN --format json", study, report),
        Use("--verify IN", study),
    )
)


@click.command(cls=Command, help=HELP, uses=USES)
@modes(
    target_mode,
    only_with("--out", "--resume", reason="the folder of the study to continue"),
    only_with("--cluster", "--chunk-timeout", reason="whose workers may be silent"),
    not_with("--cluster", "--threads", reason="whose workers have their own threads"),
    not_with("--compare-rules", "--rotate", reason="for which the same policies play in the same seats"),
    not_with("--report", "--out", "--resume", *WORKERS, reason="which plays no games"),
    not_with("--verify", "--out", "--resume", "--report", *WORKERS, reason="which plays no games"),
    not_with("--verify", "--format", "--output", reason="which writes no report"),
)
@game_option
@click.option("--players", type=int, help="Players of each game.")
@click.option("--games", type=int, help="Number of games, or the maximum with --until-width.")
@seed_option
@click.option("--first", type=int, default=0, show_default=True, help="The number of the first game.")
@policy_option
@click.option(
    "--rotate/--no-rotate",
    default=True,
    show_default=True,
    help="Play each deck in all seatings of the policies, and compare them.",
)
@match_option
@target_option
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level of all intervals.")
@click.option(
    "--until-width",
    type=float,
    metavar="W",
    help="Stop when no interval of wins, or of differences of wins, is wider.",
)
@click.option("--chunk", type=int, help="Game numbers in a chunk, the unit of work.")
@threads_option
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster: local, local:N, or tcp://SCHEDULER:PORT.")
@click.option(
    "--chunk-timeout",
    type=float,
    default=300,
    show_default=True,
    help="Seconds after which a chunk is given to another worker.",
)
@click.option("--compare-rules", metavar="NAME[,NAME...]", help="Play each deck with these house rules, too; compare.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Store every game in this folder, as Parquet."
)
@click.option("--resume", is_flag=True, help="Continue the study in --out.")
@click.option("--report", type=click.Path(path_type=Path), metavar="DIR", help="Only report the study in this folder.")
@click.option("--verify", type=click.Path(path_type=Path), metavar="DIR", help="Only verify the study in this folder.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(list(FORMATS)),
    help="Format of the report.  [default: by the ending of FILE, else table]",
)
@click.option(
    "--output", "-o", "file", default="-", metavar="FILE", help="Where to write the report; - is standard output."
)
def study(**options: Any) -> int:
    """Run `maumau study`."""
    output_format = options["output_format"] or _by_ending(options["file"])
    _check(options, output_format)
    named = given_options()
    given = {name for name in SPEC_OPTIONS if f"--{name.replace('_', '-')}" in named}
    if "--with" in named:
        given.add("game")
    _choose(options, given)
    if path := options["verify"] or options["report"]:
        from maumau.study.folder import Folder

        if folder := Folder.find(path):
            folder.check(_changed(folder.spec, {name: options[name] for name in given}))
        return _verify(path) if options["verify"] else _report(path, output_format, options["file"])
    return _run(options, given, output_format)


def _by_ending(file: str) -> str:
    ending = Path(file).suffix.lower()
    output_format = ENDINGS.get(ending, ending[1:])
    return output_format if output_format in FORMATS else "table"


def _check(options: dict[str, Any], output_format: str) -> None:
    """Raise, before any game is played, errors that would prevent the report."""
    from maumau.study.errors import require
    from maumau.study.report import check

    if not options["chunk_timeout"] > 0:  # nan is refused, too
        raise BadInput(f"--chunk-timeout: {options['chunk_timeout']:g}, expected more than 0")
    require("study", "a study", "numpy", "scipy")
    check(output_format)
    if options["file"] != STANDARD_OUTPUT:
        check_output(options["file"])


def _changed(spec: StudySpec, named: dict[str, Any]) -> StudySpec:
    """The same study but for the parameters that are named; the policies of other seats are the default."""
    stored = spec.as_json()
    if named.get("players", spec.players) != spec.players:
        stored["policies"] = ()
    return type(spec).of(**stored | named)


def _report(path: Path, output_format: str, file: str) -> int:
    """Report the study in a folder."""
    from maumau.study.folder import Folder, resume_command
    from maumau.study.run import stored_progress

    folder = Folder.read(path)
    progress = stored_progress(folder.spec, folder)
    for files in () if progress.finished else folder.missing(progress.chunks):
        again = resume_command(path, folder.spec)
        print_message(f"{files}: missing, no games from there on are counted; continue with: {again}")
    if not progress.chunks:
        raise BadInput(f"{path}: no chunk is completed yet, continue with: {resume_command(path, folder.spec)}")
    _write_report(progress, output_format, file)
    return 0


def _verify(path: Path) -> int:
    """Verify the study in a folder, and print all faults."""
    from maumau.study.folder import verify

    verified = verify(path)
    for fault in verified.faults:
        print(fault)
    faults = f"{len(verified.faults):,} {'fault' if len(verified.faults) == 1 else 'faults'}"
    print(f"{path}: {faults}; {verified.chunks:,} chunks with {verified.games:,} games are valid")
    return NO_WINNER if verified.faults else 0


def _run(options: dict[str, Any], given: set[str], output_format: str) -> int:
    """Run or resume the study, and report."""
    from maumau.study.errors import StudyError
    from maumau.study.folder import Folder
    from maumau.study.playing import prepare
    from maumau.study.run import Interrupted, run

    check_bulk()
    out: Path | None = options["out"]
    requested = _spec(options, given)
    workers = _workers(options)
    with Folder.open(out, requested, options["resume"], print_message) if out else nullcontext() as folder:
        spec = folder.spec if folder else requested
        assert spec
        try:
            with progress_bar(spec) as on_progress:
                prepare(spec, notify)
                progress = run(spec, workers, folder, on_progress)
        except Interrupted as interrupted:
            return _report_interruption(interrupted.progress, out, output_format, options["file"])
        except StudyError as error:
            raise type(error)(f"{error}{_resume_hint(out, spec)}") from None
    _write_report(progress, output_format, options["file"])
    return 0


def _spec(options: dict[str, Any], given: set[str]) -> StudySpec | None:
    """The specification; with --resume, options that are not given are those of the folder. None: all are."""
    from maumau.study.folder import Folder
    from maumau.study.spec import StudySpec

    if options["resume"] and not given:
        return None
    spec = {name: options[name] for name in SPEC_OPTIONS if name not in ("policy", "chunk")}
    spec["policies"] = options["policies"]
    if "chunk" in given:
        spec["chunk"] = options["chunk"]
    if "compared_with" in given:
        spec["compared_with"] = options["compared_with"]
    if options["resume"] and (folder := Folder.find(options["out"])):
        return _changed(folder.spec, {name: spec[name] for name in given})
    if len(set(options["policies"])) < 2:
        refuse_given("several policies, which change their seats (--policy)", "--rotate")
    if spec["players"] is None:
        raise BadInput("--players: expected the number of players")
    if spec["games"] is None and spec["until_width"] is None:
        raise BadInput("--games: expected the number of games, or --until-width")
    spec["games"] = LARGEST if spec["games"] is None else spec["games"]
    kind = chosen_game(options["game"])
    check_seats(kind, {checked_players(kind, spec["players"])}, spec["policies"], compiled=options["is_match"])
    return StudySpec.of(**spec)


def _choose(options: dict[str, Any], given: set[str]) -> None:
    """Set the target of matches, the game with the rules of --compare-rules, for which each deck has one seating, and
    the policies, which makes players of files known before a folder is read that names them. Raises BadInput.
    """
    check_target(options["target"])
    if options["is_match"]:
        given.add("target")
        options["target"] = options["target"] or chosen_game(options["game"]).declaration.scoring.target
    if options["compare_rules"] is not None:
        from fsm.declaration.declaration import RULES_AFTER

        plain = options["game"].split(RULES_AFTER)[0]
        options["compared_with"] = game_with_rules(plain, options["compare_rules"], "--compare-rules")
        options["rotate"] = False
        given.add("compared_with")
    options["policies"] = tuple(chosen_policies(options["policy"])) if "policy" in given else ()
    if "policy" in given:
        given ^= {"policy", "policies"}


def _workers(options: dict[str, Any]) -> Workers:
    """The workers: threads of this process, or a cluster."""
    from maumau.study.cluster import Cluster
    from maumau.study.playing import Threads

    if options["cluster"] is None:
        return Threads(options["threads"])
    return Cluster(options["cluster"], options["chunk_timeout"], notify=print_message)


def _write_report(progress: Progress, output_format: str, file: str) -> None:
    """Write the report."""
    from maumau.study.report import render
    from maumau.study.summary import comparison, summary

    text = render((summary if progress.spec.compared_with is None else comparison)(progress), output_format)
    if file == STANDARD_OUTPUT:
        print(text, end="")
    else:
        write_output(file, text)


def _report_interruption(progress: Progress, out: Path | None, output_format: str, file: str) -> int:
    """Report an interruption, and the figures up to now unless they are stored."""
    print(f"maumau: interrupted after {progress.done:,} games{_resume_hint(out, progress.spec)}", file=sys.stderr)
    if not out and progress.chunks:
        _write_report(progress, output_format, file)
    return INTERRUPTED


def _resume_hint(out: Path | None, spec: StudySpec) -> str:
    from maumau.study.folder import resume_command

    return f"; completed chunks are stored, continue with: {resume_command(out, spec)}" if out else ""
