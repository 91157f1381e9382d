"""The reports of a study, and of rules that are compared, whatever they are shown as."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, astuple
from functools import partial
from typing import Any

from fsm.registry import game_class
from fsm.stepping.steps import turn_sentence
from maumau.study.counts import ALL_SEATS
from maumau.study.report.tables import (
    Column,
    ColumnKind,
    Row,
    Section,
    StudyReport,
    Value,
    changes,
    digits_of,
    interval,
    pictures,
    text,
)
from maumau.study.summary import Findings, RuleComparison, RuleDifference, Seating, Summary
from rules.notation import many

METHOD = "paired differences, one for each {}; p-values of Student's paired test, adjusted for all figures by Holm"


RESHUFFLES = "reshuffles"
"""The field and the figure that count how often the discard pile was turned over; games that never do leave it out."""


def completion(found: Findings) -> str:
    """Whether the study played all its games, in a sentence."""
    spec = found.spec
    wins = "wins" if spec.compared_with is None else "differences of wins"
    games = f"{found.games:,} {spec.unit.many}"
    if not found.finished:
        return f"Unfinished: {found.games:,} of {spec.games:,} {spec.unit.many} so far."
    if found.stopped:
        return f"Stopped after {games}: all intervals of {wins} are at most {spec.until_width} wide."
    if spec.until_width is not None:
        return f"After all {games}: see whether all intervals of {wins} are {spec.until_width} wide."
    return ""


def plain_head(found: Findings, intervals: str, **more: int) -> dict[str, Any]:
    """What all reports say first, as plain data. more: numbers that follow that of the games."""
    return {
        "question": found.spec.as_json(),
        "games": found.games,
        **more,
        "finished": found.finished,
        "stopped_early": found.stopped,
        "intervals": intervals,
    }


def report_of_study(summary: Summary) -> StudyReport:
    """All tables that are not empty."""
    spec = summary.spec
    who = " / ".join(dict.fromkeys(spec.policies))
    seatings = f", each in {len(summary.seatings)} seatings" if len(summary.seatings) > 1 else ""
    goal = "" if spec.target is None else f" to {spec.target} points"
    games = f"{summary.games:,} {spec.unit.many} of {spec.game}{goal}, {many(spec.players, 'player')}"
    made = (_wins, _points, _compared, _lengths, _endings, _chains, _unfinished, _rules, _arcs, _study)
    plain = plain_head(summary, _intervals(summary), played=summary.played)
    plain |= {
        "seatings": [asdict(seating) for seating in summary.seatings],
        "compared": [asdict(each) for each in summary.differences],
        "chains": None if summary.chains is None else {"lengths": summary.chains.lengths, "mean": summary.chains.mean},
        "without_winner": [asdict(each) for each in summary.unfinished],
        "without_winner_not_listed": summary.unlisted,
        "arcs": [
            {"from": str(arc.source), "event": arc.trigger, "guards": arc.guards, "to": str(arc.dest), "fired": count}
            for arc, count in summary.fired.items()
        ],
        "rules": summary.used,
        "fingerprint": _fingerprint(summary),
    }
    return StudyReport(
        title=f"{games} ({who}), seed {spec.seed}{seatings}",
        remark="",
        ended=completion(summary),
        intervals=_intervals(summary),
        sections=tuple(section for make in made if (section := make(summary)).rows),
        plain=plain,
        pictures=partial(pictures, summary),
        is_closed=True,
    )


def report_of_rules(found: RuleComparison) -> StudyReport:
    """The report of a comparison; a study that may stop early has no p-values."""
    spec = found.spec
    one, other = spec.game_names
    deck = "deck" if spec.target is None else spec.unit.one
    who = " / ".join(dict.fromkeys(spec.policies))
    intervals = f"{100 * spec.confidence:g} %, {found.method}"
    if spec.until_width is None:
        intervals += f" for all figures at once (Bonferroni); {METHOD.format(deck)}"
    columns = (text("figure"), Column(one), Column(other), Column("difference"), *interval())
    rows = [
        (each.figure, each.one, each.other, *astuple(each.difference)[:3], each.adjusted) for each in found.differences
    ]
    table = (*columns, Column("p, adjusted", ColumnKind.P_VALUE)), tuple(rows)
    turns = [turn_sentence(game_class(name).declaration) for name in spec.game_names]
    told = [f"{name}: {turn}" for name, turn in zip(spec.game_names, turns, strict=True)]
    note = turns[0] if turns[0] == turns[1] else " ".join(told)
    decks = f"{found.games:,} {spec.decks}, {many(spec.players, 'player')} ({who}), seed {spec.seed}"
    return StudyReport(
        title=f"{decks}: {other} compared with {one}",
        remark=f"{found.changed:,} of {found.games:,} {spec.decks} are played or scored differently. "
        f"{_in_words(found)}",
        ended=completion(found),
        intervals=intervals,
        sections=(Section("rules", f"paired differences for each {deck}", *table, note, is_rounded=True),),
        plain=plain_head(found, intervals)
        | {
            "one": one,
            "other": other,
            "changed": found.changed,
            "differences": [asdict(each) for each in found.differences],
        },
        pictures=lambda name: [changes(found)],
    )


def _in_words(found: RuleComparison) -> str:
    """The differences that are told from none, with as many digits as their intervals allow."""
    told = [each for each in found.differences if each.difference.low > 0 or each.difference.high < 0]
    if not told:
        return "No figure differs by more than chance explains."
    texts = (_difference_in_words(each) for each in told)
    return f"By more than chance explains: {'; '.join(texts)}."


def _difference_in_words(each: RuleDifference) -> str:
    """`turns rise by 0.16 (0.08 to 0.24), 0.6 %`."""
    share = each.figure.startswith("wins") or "without" in each.figure
    scale, unit = (100, " percentage points") if share else (1, "")
    low, high = sorted(scale * abs(bound) for bound in (each.difference.low, each.difference.high))
    mean, verb = scale * abs(each.difference.mean), "rise" if each.difference.mean > 0 else "fall"
    digits = digits_of(high - low)
    part = "" if share or not each.one else f", {100 * mean / each.one:.{digits_of(100 * (high - low) / each.one)}f} %"
    return f"{each.figure} {verb} by {mean:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f}){part}"


def _intervals(summary: Summary) -> str:
    return f"{100 * summary.spec.confidence:g} %, {summary.method}"


def _fingerprint(summary: Summary) -> str:
    return f"{summary.fingerprint % 2**64:016x}"


def _by_seating(
    summary: Summary,
    title: tuple[str, str],
    columns: tuple[Column, ...],
    rows: Callable[[Seating], Iterable[Row]],
    note: str = "",
) -> Section:
    """A section with rows for each seating; a column names it where there is more than one. title: after the name."""
    several = len(summary.seatings) > 1
    labelled = [(*[", ".join(each.policies)] * several, *row) for each in summary.seatings for row in rows(each)]
    return Section(*title, (*[text("seating")] * several, *columns), tuple(labelled), note)


def _wins(summary: Summary) -> Section:
    columns = (text("seat"), text("policy"), Column("wins", ColumnKind.COUNT), Column("share", ColumnKind.SHARE))
    return _by_seating(
        summary,
        ("wins", "Wins"),
        (*columns, *interval(ColumnKind.SHARE)),
        lambda seating: [(seat.seat, seat.policy, *astuple(seat.wins)) for seat in seating.seats],
    )


def _points(summary: Summary) -> Section:
    title, column, _ = _words(summary)
    game = game_class(summary.spec.game).declaration
    return _by_seating(
        summary,
        ("points", title),
        (text("seat"), text("policy"), Column(column), *interval(), Column("deviation")),
        lambda seating: [
            (seat.seat, seat.policy, *astuple(seat.points))
            for seat in seating.seats
            if game.card_events or seat.points.mean or seat.points.deviation
        ],
    )


def _words(summary: Summary) -> tuple[str, str, str]:
    """What scores are called: in the title of their table, in its column, and in the note of a comparison."""
    if summary.spec.target is not None:
        return "Totals of matches", "total", "totals are those of whole matches"
    game = game_class(summary.spec.game).declaration
    title = game.scores_text
    column = title[0].lower() + title[1:]
    if game.scores_points_left:
        return f"{title} in hand", column, "points are those left in hand, fewer are better"
    return title, column, f"{column} are gains" if game.scoring.most_wins else f"fewer {column} are better"


def _compared(summary: Summary) -> Section:
    p_values = Column("p-value", ColumnKind.P_VALUE), Column("adjusted", ColumnKind.P_VALUE)
    columns = (text("policies"), text("seat"), text("of"), Column("difference"), *interval(), *p_values)
    _, column, meaning = _words(summary)
    rows: list[Row] = [
        (
            f"{each.one} - {each.other}",
            "all" if each.seat == ALL_SEATS else str(each.seat),
            each.measure if each.measure == "wins" else column,
            *astuple(each.difference)[:3],
            each.p_value,
            each.adjusted,
        )
        for each in summary.differences
    ]
    note = (
        "On the same decks, so the luck of the deck cancels: Student's paired test, p-values adjusted for all tests by "
        f"Holm. Wins are of 1 a {summary.spec.unit.one}; {meaning}."
    )
    return Section("compared", "Policies compared", columns, tuple(rows), note)


def _lengths(summary: Summary) -> Section:
    game = game_class(summary.spec.game).declaration
    counts = ("least", *summary.seatings[0].histograms[0].quantiles, "most")
    columns = (text(f"of a {summary.spec.unit.one}"), Column("mean"), *interval(), Column("deviation"))
    return _by_seating(
        summary,
        ("lengths", f"How long {summary.spec.unit.many} are"),
        (*columns, *(Column(name, ColumnKind.COUNT) for name in counts)),
        lambda seating: [
            (each.name, *astuple(each.mean), each.least, *each.quantiles.values(), each.most)
            for each in seating.histograms
            if each.most or (game.card_events and (each.name != RESHUFFLES or game.changes(RESHUFFLES)))
        ],
        turn_sentence(game),
    )


def _endings(summary: Summary) -> Section:
    units, game = summary.spec.unit.many, game_class(summary.spec.game).declaration
    columns = (
        text(units),
        Column("count", ColumnKind.COUNT),
        Column("share", ColumnKind.SHARE),
        *interval(ColumnKind.SHARE),
    )
    return _by_seating(
        summary,
        ("endings", f"How {units} end"),
        columns,
        lambda seating: [
            (game.look.ending(name), *astuple(share))
            for name, share in (*seating.endings.items(), ("with a reshuffle", seating.reshuffled))
            if name in seating.endings or game.changes(RESHUFFLES)
        ],
    )


def _chains(summary: Summary) -> Section:
    chains = summary.chains
    if chains is None or not chains.count:
        return Section("chains", "", (), ())
    columns = (
        Column(f"{chains.things} in a row", ColumnKind.COUNT, key=True),
        Column("chains", ColumnKind.COUNT),
        Column("share", ColumnKind.SHARE),
        Column(f"a {summary.spec.unit.one}"),
    )
    rows = [(length, count, count / chains.count, count / summary.played) for length, count in chains.lengths.items()]
    mean = f"{chains.mean:.4f} {chains.things} each on average"
    note = f"{chains.count:,} chains, {mean}; a last card that answers also counts."
    return Section("chains", f"Chains of {chains.things}", columns, tuple(rows), note)


def _unfinished(summary: Summary) -> Section:
    several = len(summary.seatings) > 1
    columns = (text("number"), Column("ending", ColumnKind.TEXT), Column("played again by", ColumnKind.TEXT))
    look = game_class(summary.spec.game).declaration.look
    rows: list[Row] = [
        (*[", ".join(each.policies)] * several, each.number, look.ending(each.ending), each.command)
        for each in summary.unfinished
    ]
    note = f"{summary.unlisted:,} more are not listed." if summary.unlisted else ""
    title = f"{summary.spec.unit.many.capitalize()} without a winner"
    return Section("unfinished", title, (*[text("seating")] * several, *columns), tuple(rows), note)


def _rules(summary: Summary) -> Section:
    counts = Column("used", ColumnKind.COUNT), Column("of all", ColumnKind.SHARE), Column(f"a {summary.spec.unit.one}")
    whole = max(sum(summary.used.values()), 1)
    rows = [(rule, count, count / whole, count / summary.played) for rule, count in summary.used.items() if count]
    return Section("rules", "Decision rules", (text("decision rule"), *counts), tuple(rows))


def _arcs(summary: Summary) -> Section:
    counts = Column("fired", ColumnKind.COUNT), Column(f"a {summary.spec.unit.one}")
    rows: list[Row] = [
        (str(arc.source), arc.trigger, arc.guards, str(arc.dest), count, count / summary.played)
        for arc, count in summary.fired.items()
    ]
    return Section("arcs", "Transitions", (*map(text, ("from", "event", "guards", "to")), *counts), tuple(rows))


def _study(summary: Summary) -> Section:
    rows = [(name.replace("_", " "), _plain(value)) for name, value in summary.spec.as_json().items()]
    rows += [("games counted", summary.games), ("games played", summary.played)]
    rows += [("intervals", _intervals(summary)), ("fingerprint", _fingerprint(summary))]
    return Section(
        "study", "The study", (text("what"), Column("value", ColumnKind.TEXT)), tuple(rows), completion(summary)
    )


def _plain(value: object) -> Value:
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, bool) or value is None:
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else str(value)
