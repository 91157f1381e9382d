"""The report of two rule sets that are compared."""

from __future__ import annotations

from dataclasses import asdict, astuple

from maumau.study.compare import RuleComparison
from maumau.study.report.model import Column, Kind, Report, Section, completion, interval, plain_head, text

METHOD = "paired differences, one for each {}; p-values of Student's paired test, adjusted for all figures by Holm"


def report_of_rules(found: RuleComparison) -> Report:
    """The report of a comparison; a study that may stop early has no p-values."""
    spec = found.spec
    deck = "deck" if spec.target is None else spec.unit
    who = " / ".join(dict.fromkeys(spec.policies))
    intervals = f"{100 * spec.confidence:g} %, {found.method}"
    if spec.until_width is None:
        intervals += f"; {METHOD.format(deck)}"
    columns = (text("figure"), Column(found.one), Column(found.other), Column("difference"), *interval())
    rows = [
        (each.figure, each.one, each.other, *astuple(each.difference)[:3], each.adjusted) for each in found.differences
    ]
    table = (*columns, Column("p, adjusted", Kind.P_VALUE)), tuple(rows)
    decks = f"{found.games:,} {spec.decks}, {spec.players} players ({who}), seed {spec.seed}"
    return Report(
        title=f"{decks}: {found.other} compared with {found.one}",
        remark=f"{found.changed:,} of {found.games:,} {spec.decks} are played otherwise or score otherwise.",
        ended=completion(found),
        intervals=intervals,
        sections=(Section("rules", f"paired differences for each {deck}", *table),),
        plain=plain_head(found, intervals)
        | {
            "one": found.one,
            "other": found.other,
            "changed": found.changed,
            "differences": [asdict(each) for each in found.differences],
        },
    )
