"""`maumau check --sets`: which sets of house rules break a game."""

from __future__ import annotations

import json
import os
from dataclasses import asdict

from fsm.check.sets import SetReport, check_sets, rule_sets
from fsm.edge.ticker import Ticker, duration
from fsm.hashes import code_hash
from fsm.stepping.game import Game
from maumau.cli.interrupt import NO_WINNER, BadInput, one_line
from maumau.cli.output import check_output, notify, print_message, put_file, read_source, report_written, writing
from rules.notation import many

POSITIONS = 2_000
"""Positions of a small deck that are visited, unless --positions says fewer: a game has hundreds of sets."""


SECONDS_A_SET, SECONDS_A_POSITION = 0.4, 0.0002
"""What checking a set takes, about, and each of its positions in addition."""


def run_sets(kind: type[Game], positions: int, output: str | None, as_json: bool) -> int:
    """Check all sets of rules, print those that break the game, and return the exit status. Raises BadInput."""
    if not kind.rulebook().listed():
        raise BadInput(f"--sets: {kind.declaration.name} has no house rules of its own; use a game that has some")
    limit = min(positions, POSITIONS)
    if output is not None:
        check_output(output)
    checked_code = code_hash(kind.declaration, *(rule.edits for rule in kind.rulebook().listed()))
    head = {"game": kind.declaration.name, "hash": checked_code, "positions": limit}
    known = [] if output is None else _read(output, head)
    sets, decks = len(rule_sets(kind)), kind.declaration.small_decks
    seconds = (sets - len(known)) * (SECONDS_A_SET + limit * len(decks) * SECONDS_A_POSITION)
    size = f"at most {limit:,} position{'s' * (limit > 1)} of each of {many(len(decks), 'small deck')}"
    subject = f"the game without rules and {sets - 1} sets of up to three house rules"
    print_message(f"checking {subject}, {size}: {duration(seconds)}")
    broken, checked, ticker = 0, 0, Ticker(notify)
    for report in check_sets(
        kind,
        limit,
        known=known,
        begun=lambda number, of: ticker.tell(f"{number} of {of} sets are checked", number / of),
    ):
        if output is not None and checked >= len(known):
            _keep(output, *[head] * (checked == 0), asdict(report))
        checked += 1
        if report.rules and report.faults:
            broken += 1
            print(json.dumps(asdict(report)) if as_json else report, flush=True)
    if output is not None:
        report_written(output)
    if not as_json:
        print(f"{broken} of {checked - 1} sets of up to three rules break {kind.declaration.title}")
    return NO_WINNER if broken else 0


def _read(file: str, head: dict[str, object]) -> list[SetReport]:
    """The reports of an earlier run. A line that was not written to its end is found again. Raises BadInput."""
    lines = read_source(file)[0].splitlines(keepends=True) if os.path.exists(file) else []
    whole = [line for line in lines if line.endswith(b"\n")]
    try:
        if whole and json.loads(whole[0]) != head:
            raise ValueError("its first line is of other rules or positions")
        reports = [SetReport.of_plain(json.loads(line)) for line in whole[1:]]
    except (ValueError, KeyError, TypeError) as error:
        text = f"{error}; name a file that `maumau check --sets` wrote with the same rules"
        raise BadInput(f"--output: {one_line(file)}: {text}") from None
    if len(whole) < len(lines):
        put_file(file, b"".join(whole))
    return reports


def _keep(file: str, *records: object) -> None:
    """Append records to a file, a line for each. Raises CannotWrite."""
    with writing(file) as path, path.open("a", encoding="utf-8") as kept:
        kept.write("".join(json.dumps(record) + "\n" for record in records))
