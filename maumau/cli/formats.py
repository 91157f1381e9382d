"""The formats in which games go from one command to another: each command declares what it writes and what it reads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import click


class Format(StrEnum):
    """What a command can write or read, by its name in the documentation."""

    DECKS = "decks"
    RECORDS = "records"
    RESULTS = "results"
    EVENTS = "events"
    TRACES = "traces"
    PAGES = "pages"
    PATHS = "paths in DOT"
    TRAFFIC = "traffic in DOT"
    STUDIES = "studies"
    REPORTS = "reports in JSON"
    RATINGS = "ratings in JSON"
    MATCH_DECKS = "decks of matches"
    MATCH_RECORDS = "records of matches"
    MATCH_RESULTS = "results of matches"
    MATCH_EVENTS = "events of matches"
    MATCH_TRACES = "traces of matches"
    MATCH_PAGES = "pages of matches"
    MATCH_STUDIES = "studies of matches"
    MATCH_REPORTS = "reports of matches in JSON"


@dataclass(frozen=True)
class Use:
    """One way to call a command.

    arguments: those that it is called with, beside `--game` and `--with`. Words in capitals stand for values: `IN` and
    `OUT` for the names of what is read and written (standard output without `OUT`), others for the value of the option
    before them. reads, writes: the formats of what goes in and comes out. compiled: whether only machine code plays, so
    that players who are stepped are refused.
    """

    arguments: str
    reads: Format | None = None
    writes: Format | None = None
    compiled: bool = False


class Command(click.Command):
    """A command that says in which formats it hands games on. uses: the ways to call it so."""

    def __init__(self, *arguments: Any, uses: tuple[Use, ...], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.uses = uses
