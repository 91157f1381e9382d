"""`maumau check --sets`: which sets of house rules break a game."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO

from fsm.check.sets import SetReport, check_sets
from fsm.match.played import play_hash
from fsm.stepping.game import Game
from maumau.cli.interrupt import NO_WINNER, BadInput
from maumau.cli.output import print_message

POSITIONS = 2_000
"""Positions of a small deck that are visited, unless --positions says fewer: a game has hundreds of sets."""
NOTICE_INTERVAL = 20.0
"""Seconds between two lines on how long it takes."""


def run_sets(kind: type[Game], positions: int, out: str | None, as_json: bool) -> int:
    """Check all sets of rules, print those that break the game, and return the exit status. Raises BadInput."""
    if not kind.rulebook().listed():
        raise BadInput(f"--sets: {kind.declaration.name} has no house rules of its own")
    limit = min(positions, POSITIONS)
    file = None if out is None else Path(out)
    head = {"game": kind.declaration.name, "hash": _hash(kind), "positions": limit}
    known = [] if file is None else _read(file, head)
    broken = checked = 0
    with nullcontext() if file is None else file.open("a", encoding="utf-8") as kept:
        for report in check_sets(kind, limit, known=known, begun=_Estimate(len(known))):
            if kept is not None:
                _keep(kept, report, head, checked, len(known))
            checked += 1
            is_broken = bool(report.rules and report.faults)
            broken += is_broken
            if is_broken:
                print(json.dumps(report.plain()) if as_json else report, flush=True)
    if not as_json:
        print(f"{broken} of {checked - 1} sets of up to three rules break {kind.declaration.title}")
    return NO_WINNER if broken else 0


def _hash(kind: type[Game]) -> str:
    return " ".join((play_hash(kind.declaration), *(rule.digest for rule in kind.rulebook().listed())))


def _read(file: Path, head: dict[str, object]) -> list[SetReport]:
    """The reports of an earlier run. A line that was not written to its end is found again. Raises BadInput."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"--out: {file}: {error}") from None
    whole = [line for line in lines if line.endswith("\n")]
    try:
        if whole and json.loads(whole[0]) != head:
            raise ValueError("its first line is not that of these rules and positions")
        reports = [SetReport.of_plain(json.loads(line)) for line in whole[1:]]
    except (ValueError, KeyError, TypeError) as error:
        text = f"{error}, expected a file that `maumau check --sets` of the same rules has written"
        raise BadInput(f"--out: {file}: {text}") from None
    if len(whole) < len(lines):
        file.write_text("".join(whole), encoding="utf-8")
    return reports


def _keep(kept: TextIO, report: SetReport, head: dict[str, object], number: int, known: int) -> None:
    if number == known == 0:
        kept.write(json.dumps(head) + "\n")
    if number >= known:
        kept.write(json.dumps(report.plain()) + "\n")
        kept.flush()


class _Estimate:
    """Tells how long all sets take, once the first few are done, and now and then how many are."""

    def __init__(self, known: int) -> None:
        self._known, self._started, self._told = known, time.monotonic(), 0.0

    def __call__(self, number: int, sets: int) -> None:
        now = time.monotonic()
        done = number - self._known
        if done > 0 and (now - self._told >= NOTICE_INTERVAL or self._told == 0):
            self._told = now
            minutes = (now - self._started) / done * (sets - number) / 60
            print_message(f"{number} of {sets} sets are checked, about {minutes:.0f} minutes left")
