"""`maumau check --sets`: which sets of house rules break a game."""

from __future__ import annotations

import json
import os
from dataclasses import asdict

from fsm.check.sets import SetsCheck
from fsm.stepping.game import Game
from maumau.cli.interrupt import NO_WINNER, BadInput, one_line
from maumau.cli.output import check_output, notify, print_message, put_file, read_source, report_written, writing


def run_sets(kind: type[Game], positions: int, output: str | None, as_json: bool) -> int:
    """Check all sets of rules, print those that break the game, and return the exit status. Raises BadInput."""
    if not kind.rulebook().listed():
        raise BadInput(f"--sets: {kind.declaration.name} has no house rules of its own; use a game that has some")
    if output is not None:
        check_output(output)
    check = SetsCheck(kind, positions)
    if output is not None:
        _read(output, check)
    print_message(str(check))
    broken = checked = 0
    for report in check.reports(notify):
        if output is not None and checked >= len(check.known):
            _keep(output, *[check.head] * (checked == 0), asdict(report))
        checked += 1
        if report.rules and report.faults:
            broken += 1
            print(json.dumps(asdict(report)) if as_json else report, flush=True)
    if output is not None:
        report_written(output)
    if not as_json:
        print(f"{broken} of {checked - 1} sets of up to three rules break {kind.declaration.title}")
    return NO_WINNER if broken else 0


def _read(file: str, check: SetsCheck) -> None:
    """Read the reports of an earlier run. A line that was not written to its end is found again. Raises BadInput."""
    lines = read_source(file)[0].splitlines(keepends=True) if os.path.exists(file) else []
    whole = [line for line in lines if line.endswith(b"\n")]
    try:
        check.read(whole)
    except (ValueError, KeyError, TypeError) as error:
        text = f"{error}; name a file that `maumau check --sets` wrote with the same rules"
        raise BadInput(f"--output: {one_line(file)}: {text}") from None
    if len(whole) < len(lines):
        put_file(file, b"".join(whole))


def _keep(file: str, *records: object) -> None:
    """Append records to a file, a line for each. Raises CannotWrite."""
    with writing(file) as path, path.open("a", encoding="utf-8") as kept:
        kept.write("".join(json.dumps(record) + "\n" for record in records))
