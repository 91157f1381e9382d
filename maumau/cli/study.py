"""`maumau study`: statistics of many games, with confidence intervals."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fsm.edge.extras import require
from fsm.registry import game_class
from maumau.cli.chosen import check_seats, chosen_policies, chosen_target, game_with_rules, named_players
from maumau.cli.commands.analysis import COMPILER
from maumau.cli.interrupt import INTERRUPTED, NO_WINNER, BadInput
from maumau.cli.options import given_options, refuse_given
from maumau.cli.output import (
    STANDARD_OUTPUT,
    check_output,
    format_of,
    notify,
    print_message,
    report_written,
    write_output,
)
from maumau.study import FORMATS
from maumau.study.cluster import workers_of
from maumau.study.counts import StudyProgress
from maumau.study.folder import Folder
from maumau.study.report import check, report_text
from maumau.study.run import Interrupted
from maumau.study.run import run as run_study
from maumau.study.spec import SpecError, StudyError, StudySpec, Unplayable
from rules.errors import raised_as
from rules.notation import many

ENDINGS = {".md": "markdown", ".htm": "html", ".txt": "table"}
SPEC_OPTIONS = (
    "game",
    "players",
    "games",
    "seed",
    "number",
    "policy",
    "rotate",
    "chunk",
    "until_width",
    "confidence",
    "target",
)
"""The options on which the result depends, besides --compare-rules."""
FOLDERS = ("out", "report", "verify")
"""The options that name folders."""
LARGEST = 10**9
"""The limit of games for a study with --until-width and without --games."""


def run(**options: Any) -> int:
    """Run `maumau study`."""
    options |= {name: Path(options[name]) for name in FOLDERS if options[name] is not None}
    json = "json" if options["as_json"] else None
    output_format = json or options["output_format"] or format_of(options["file"], FORMATS, ENDINGS, "table")
    _check(options, output_format)
    asked = _asked(options)
    if path := options["verify"] or options["report"]:
        if folder := Folder.find(path):
            folder.check(_changed(folder.spec, asked))
        return _verify(path) if options["verify"] else _report(path, output_format, options["file"])
    return _run(options, asked, output_format)


@contextmanager
def _progress_bar(spec: StudySpec) -> Iterator[Callable[[StudyProgress], None]]:
    """A progress bar of a study: games, games a second, time left. It needs rich and a terminal."""
    if not sys.stderr.isatty() or find_spec("rich") is None:
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {spec.unit.many}"),
        BarColumn(),
        TextColumn("{task.fields[rate]:,.0f} a second"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=spec.games, rate=0.0)
        yield lambda progress: bar.update(task, completed=progress.done, rate=bar.tasks[0].speed or 0.0)


def _check(options: dict[str, Any], output_format: str) -> None:
    """Raise, before any game is played, errors that would prevent the report."""
    check(output_format)
    if options["file"] != STANDARD_OUTPUT:
        check_output(options["file"])


def _asked(options: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the study that the command names. Players of files are known from then on, before a folder is
    read that names them. Raises BadInput.
    """
    named, game = given_options(), options["game"]
    kind = game_class(game)
    asked = {name: options[name] for name in SPEC_OPTIONS if f"--{name.replace('_', '-')}" in named}
    goal = chosen_target(kind, options["is_match"], options["target"])
    if "--with" in named:
        asked["game"] = game
    if goal is not None:
        asked["target"] = goal
    if (rules := options["compare_rules"]) is not None:
        asked["compared_with"] = game_with_rules((kind.plain or kind).declaration.name, rules, "--compare-rules")
    if "number" in asked:
        asked["first"] = asked.pop("number")
    if "policy" in asked:
        asked["policies"] = tuple(chosen_policies(asked.pop("policy")))
    return asked


def _changed(spec: StudySpec, asked: dict[str, Any]) -> StudySpec:
    """The same study except for the parameters that are named; the policies of other seats are the default."""
    stored = spec.as_json()
    if asked.get("players", spec.players) != spec.players:
        stored["policies"] = ()
    return type(spec).of(**stored | asked)


def _report(path: Path, output_format: str, file: str) -> int:
    """Report the study in a folder."""
    folder = Folder.read(path)
    progress = folder.progress()
    for files in () if progress.finished else folder.missing(progress.chunks):
        again = folder.spec.resume_command(path)
        print_message(f"{files}: missing, no games from there on are counted; continue with: {again}")
    if not progress.chunks:
        raise BadInput(f"{path}: no chunk is completed yet; continue with: {folder.spec.resume_command(path)}")
    _write_report(progress, output_format, file)
    return 0


def _verify(path: Path) -> int:
    """Verify the study in a folder, and print all faults."""
    verified = Folder.verify(path)
    for fault in verified.faults:
        print(fault)
    faults, chunks = len(verified.faults), verified.chunks
    valid = f"{many(chunks, 'chunk')} with {many(verified.games, 'game')}"
    print(f"{path}: {many(faults, 'fault')}; {valid} {'is' if chunks == 1 else 'are'} valid")
    return NO_WINNER if verified.faults else 0


def _run(options: dict[str, Any], asked: dict[str, Any], output_format: str) -> int:
    """Run or resume the study, and report."""
    require("maumau study", *COMPILER)
    out: Path | None = options["out"]
    try:
        requested = _spec(options, asked)
    except SpecError as error:  # it begins with the names of fields
        fields = rf"(?m)^({'|'.join(SPEC_OPTIONS)}|first|compared_with)(?=: )"
        options_of = {"first": "number", "compared_with": "compare-rules"}
        raise SpecError(
            re.sub(fields, lambda name: f"--{options_of.get(name[0], name[0]).replace('_', '-')}", str(error))
        ) from None
    with raised_as(StudyError, "--cluster: ", of=StudyError):
        workers = workers_of(options["threads"], options["cluster"], options["chunk_timeout"], print_message)
    with Folder.open(out, requested, options["resume"], print_message) if out else nullcontext() as folder:
        spec = folder.spec if folder else requested
        assert spec
        try:
            with _progress_bar(spec) as on_progress:
                progress = run_study(spec, workers, folder, on_progress, notify)
        except Interrupted as interrupted:
            return _report_interruption(interrupted.progress, out, output_format, options["file"])
        except Unplayable:
            raise
        except StudyError as error:
            raise type(error)(f"{error}{_resume_hint(out, spec)}") from None
    if out:
        report_written(out)
    _write_report(progress, output_format, options["file"])
    return 0


def _spec(options: dict[str, Any], asked: dict[str, Any]) -> StudySpec | None:
    """The specification; with --resume, parameters that are not named are those of the folder. None: all are."""
    if options["resume"]:
        if not asked:
            return None
        if folder := Folder.find(options["out"]):
            return _changed(folder.spec, asked)
    policies = asked.get("policies", ())
    if len(set(policies)) < 2:
        refuse_given("requires several policies (--policy)", "--rotate")
    if options["games"] is None and options["until_width"] is None:
        raise BadInput("--games is missing; give it, or --until-width")
    kind = game_class(options["game"])
    players = named_players(kind, options["players"])
    check_seats(kind, {players}, policies, compiled=False)
    usual = {
        "game": options["game"],
        "players": players,
        "seed": options["seed"],
        "games": LARGEST,
        "rotate": "compared_with" not in asked,
    }
    return StudySpec.of(**usual | asked)


def _write_report(progress: StudyProgress, output_format: str, file: str) -> None:
    text = report_text(progress, output_format)
    if file == STANDARD_OUTPUT:
        print(text, end="")
    else:
        write_output(file, text)


def _report_interruption(progress: StudyProgress, out: Path | None, output_format: str, file: str) -> int:
    """Report an interruption, and the figures up to now unless they are stored."""
    print_message(f"interrupted after {many(progress.done, 'game')}{_resume_hint(out, progress.spec)}")
    if not out and progress.chunks:
        _write_report(progress, output_format, file)
    return INTERRUPTED


def _resume_hint(out: Path | None, spec: StudySpec) -> str:
    return f"; completed chunks are stored, continue with: {spec.resume_command(out)}" if out else ""
