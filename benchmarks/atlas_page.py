"""The page of the atlas of house rules: charts first, a sentence for each rule, tables after."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from math import ceil, copysign, log1p, log10
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.atlas_skill import WORLDS

Row = Mapping[str, Any]
Effects = Callable[[Sequence[Row], str], list[dict[str, Any]]]
CELL, NAMES, HEAD = 104, 226, 46
PLAYERS = (2, 4, 10)


class Figure(NamedTuple):
    """A figure of the heat map. title: what it is called. relative: whether its change is shown in per cent of what it
    is in the base game; else it is in percentage points.
    """

    name: str
    title: str
    relative: bool = False


FIGURES = (
    Figure("turns", "length", relative=True),
    Figure("drawn", "cards drawn", relative=True),
    Figure("points", "points won", relative=True),
    Figure("first", "wins of who begins"),
    Figure("comeback", "comebacks"),
    Figure("long chain", "chains of 3"),
    Figure("turned", "pile turned"),
    Figure("endless", "endless"),
    Figure("search", "wins of search"),
)


def change(row: Row, relative: bool) -> tuple[float, float]:
    """The change in per cent, or in percentage points, and the reach of its interval."""
    scale = 100 / row["old"] if relative and row["old"] else 100
    return row["difference"] * scale, row["reach"] * scale


def shown(value: float, reach: float) -> str:
    """A change with as many digits as its interval allows."""
    return f"{value:+.{digits(reach)}f}"


def digits(reach: float) -> int:
    """How many decimals an interval allows that reaches so far to both sides."""
    return min(max(0, ceil(-log10(reach))), 4) if 0 < reach < 1 else 0


def heat_map(title: str, rows: Sequence[str], heads: Sequence[str], values: Mapping[tuple[str, str], Any]) -> str:
    """A heat map as SVG: blue is less, red is more, the strongest is the greatest change of a column.

    values: a number and its text for a row and a head.
    """
    width, height = NAMES + CELL * len(heads) + 10, HEAD + 20 * len(rows) + 12
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             f'font-size="11"><title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>'
             f'<text x="8" y="16" font-weight="bold">{escape(title)}</text>']  # fmt: skip
    for column, head in enumerate(heads):
        x, found = NAMES + CELL * column, [values[name, head][0] for name in rows if (name, head) in values]
        most = max(map(abs, found), default=0) or 1
        parts.append(f'<text x="{x + CELL // 2}" y="{HEAD - 6}" text-anchor="middle">{escape(head)}</text>')
        for line, name in enumerate(rows):
            if (name, head) in values:
                (value, text), y = values[name, head], HEAD + 20 * line
                fill, text = colour(value / most), escape(text)
                parts.append(f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="18" fill="{fill}"/>'
                             f'<text x="{x + CELL // 2}" y="{y + 13}" text-anchor="middle">{text}</text>')  # fmt: skip
    for line, name in enumerate(rows):
        parts.append(f'<text x="{NAMES - 6}" y="{HEAD + 20 * line + 14}" text-anchor="end">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def colour(share: float) -> str:
    """The colour of a value from -1 to 1; the root shows small ones as well."""
    strength = round(150 * min(abs(share), 1) ** 0.5)
    pale = 255 - strength
    return f"rgb(255,{pale},{pale})" if share > 0 else f"rgb({pale},{pale},255)"


def write_page(page: Path, cells: Sequence[Row], effects: Effects, others: Iterable[str]) -> None:
    """Write the page and its charts.

    cells: what was found, a cell for rules and players. effects: the effects on a figure in all cells that have it.
    others: lines about other things that were measured.
    """
    by = {
        figure.name: {(row["rules"], row["players"]): row for row in effects(cells, figure.name)}
        for figure in (*FIGURES, Figure("behind", ""), Figure("chains", ""))
    }
    names = list(dict.fromkeys("+".join(cell["rules"]) for cell in cells))
    singles, pairs = [name for name in names if "+" not in name], [name for name in names if "+" in name]
    for players in PLAYERS:
        title = f"What each rule changes with {players} players: in per cent, and in percentage points from wins on"
        found = _values(by, singles, players)
        heads = [figure.title for figure in FIGURES if any((name, figure.title) in found for name in singles)]
        page.with_name(f"uno-atlas-{players}.svg").write_text(heat_map(title, singles, heads, found))
    page.with_name("uno-atlas-pairs.svg").write_text(_pairs_map(by, singles, pairs))
    page.write_text(wrapped("\n".join(_lines(cells, by, singles, pairs, others)) + "\n"))


def wrapped(text: str) -> str:
    """Return a page whose paragraphs and items have lines of at most 88 characters; tables and pictures stay."""
    blocks = re.split(r"\n(?=[\n|#!-])", text)
    return "\n".join(block if block.startswith(("|", "#", "!")) else _filled(block) for block in blocks)


def _filled(block: str) -> str:
    indent = "  " * block.startswith("- ")
    first = "\n" * block.startswith("\n")
    return first + textwrap.fill(
        " ".join(block.split()), 88, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _values(by: Mapping[str, Any], rules: Sequence[str], players: int) -> dict[tuple[str, str], tuple[float, str]]:
    """The changes of all figures; a dot marks one that is not told from none."""
    found = {}
    for figure in FIGURES:
        for name in rules:
            if row := by[figure.name].get((name, players)):
                number, reach = change(row, figure.relative)
                told = number if abs(number) > reach else 0
                found[name, figure.title] = told, shown(number, reach) if told else "·"
    return found


def _pairs_map(by: Mapping[str, Any], singles: Sequence[str], pairs: Sequence[str]) -> str:
    """The length under pairs of rules, with four players."""
    names = [name for name in singles if any(name in pair.split("+") for pair in pairs)]
    short = {name: "-".join(part[:5] for part in name.split("-")[:2]) for name in names}
    values = {}
    for pair in pairs:
        one, other = pair.split("+")
        number, reach = change(by["turns"][pair, 4], relative=True)
        told = abs(number) > reach
        strength = copysign(log1p(abs(number)), number) if told else 0  # so that a twentieth is seen beside a tenfold
        values[one, short[other]] = values[other, short[one]] = strength, shown(number, reach) if told else "·"
    return heat_map("Length under pairs of rules with 4 players, in per cent", names, list(short.values()), values)


def _lines(
    cells: Sequence[Row], by: Mapping[str, Any], singles: Sequence[str], pairs: Sequence[str], others: Iterable[str]
) -> Iterator[str]:
    yield f"""# What the house rules of UNO do

This page compares each [house rule](uno-official.md#house-rules) of official UNO, each profile and each
allowed pair with the game as it is on the box. House players play the same decks under both rule sets.
{_sizes(by, singles, pairs)}
Intervals are 95 % for all comparisons of a figure at once (Bonferroni), and p-values are adjusted (Holm). A
dot marks a change that is not significant.

- A *comeback*: at the end of one of its turns, the winner was at least seven cards behind the player with the
fewest. Seven are dealt to each.
- *Chains of 3*: rounds in which three or more cards that make somebody draw lie on one another, each as an
answer to the one before.
- *Points won* are those that the winner scores. *Pile turned* are rounds in which the draw pile ran out.
*Endless* rounds are those in which the whole position returned.
- *Wins of search*: one who searches {WORLDS} worlds for each decision, and infers from what the others have
  done, plays against house players, equally often in
each seat.

`python -m benchmarks.atlas` makes this page. It plays ten million decks for each rule and profile with 2, 4
and 10 players, one million with the others and for each pair, and 10,000 for search, unless options say
fewer. It prints an estimate first, and goes on where it stopped.
"""
    for players in PLAYERS:
        yield f"![The effects of each rule with {players} players](uno-atlas-{players}.svg)\n"
    yield "![The length under pairs of rules](uno-atlas-pairs.svg)\n\n## In words\n"
    yield from (_sentence(rules, by) for rules in singles)
    yield from _interactions(by, pairs)
    yield from others
    yield "\n## Rules and profiles\n"
    yield from _table(by, singles, range(2, 11))
    yield "\n## Who wins by skill\n"
    yield from _skill(by, singles)
    yield "\n## Chains of draws\n"
    yield from _chains(cells, by)
    yield "\n## Pairs\n"
    yield from _table(by, pairs, PLAYERS)


def _sizes(by: Mapping[str, Any], singles: Sequence[str], pairs: Sequence[str]) -> str:
    """How many decks were played, in a sentence."""

    def least(figure: str, rules: Sequence[str], players: Sequence[int]) -> str:
        keys = ((each, count) for each in rules for count in players)
        found = [by[figure][key]["rounds"] for key in keys if key in by[figure]]
        if not found:
            return "no"
        return f"{min(found):,}" if min(found) == max(found) else f"{min(found):,} to {max(found):,}"

    others = (3, 5, 6, 7, 8, 9)
    return (
        f"Rules and profiles play {least('turns', singles, PLAYERS)} decks with 2, 4 and 10 players and "
        f"{least('turns', singles, others)} with the others, pairs {least('turns', pairs, PLAYERS)}. Comebacks and "
        f"chains come from the first {least('comeback', singles, PLAYERS)} of these. Search, which takes long, has "
        f"played {least('search', singles, PLAYERS)} rounds under each rule."
    )


def _sentence(rules: str, by: Mapping[str, Any]) -> str:
    lengths = []
    for players in PLAYERS:
        number, reach = change(by["turns"][rules, players], relative=True)
        word = "longer" if number > 0 else "shorter"
        lengths.append("as long" if abs(number) <= reach else f"{shown(abs(number), reach)[1:]} % {word}")
    text = f"- **{rules}**: rounds of 2, 4 and 10 are {lengths[0]}, {lengths[1]} and {lengths[2]}"
    if len(set(lengths)) == 1:
        text = f"- **{rules}**: rounds are {lengths[0]}" + " as before" * (lengths[0] == "as long")
    more = [
        _clause("the first player wins", by["first"].get((rules, 4)), "four"),
        _clause("comebacks are", by["comeback"].get((rules, 4)), "four"),
        _clause("the pile is turned in", by["turned"].get((rules, 10)), "ten"),
        _clause("search wins", by["search"].get((rules, 2)), "two"),
    ]
    endless = by["endless"][rules, 10]["new"]
    more += [f"{100 * endless:.2g} % of the rounds of ten are endless"] if endless else []
    told = [each for each in more if each]
    return "; ".join([text, *told]) + "."


def _clause(what: str, row: Row | None, where: str) -> str:
    """A share under the rules and before, in words, if it is told from what it was. where: of how many players."""
    if row is None or abs(row["difference"]) <= row["reach"]:
        return ""
    places = digits(100 * row["reach"])
    return f"{what} {100 * row['new']:.{places}f} % of the rounds of {where}, not {100 * row['old']:.{places}f}"


def _interactions(by: Mapping[str, Any], pairs: Sequence[str]) -> Iterator[str]:
    """The pairs that change the length most unlike their rules one after the other."""
    found = []
    for pair in pairs:
        for players in PLAYERS:
            one, other = (by["turns"][rule, players] for rule in pair.split("+"))
            both = by["turns"][pair, players]
            expected = one["new"] * other["new"] / one["old"] / other["old"]
            found.append((both["new"] / both["old"] / expected - 1, pair, players, both, expected))
    yield "\nSome pairs change the length differently from what their rules one after the other would do:\n"
    for _, pair, players, both, expected in sorted(found, key=lambda each: -abs(each[0]))[:6]:
        number, reach = change(both, relative=True)
        turns = f"{both['new']:.0f} turns, {shown(number, reach)} % where {100 * expected - 100:+.0f} % were expected"
        yield f"- **{pair}** with {players} players: {turns}."


def _skill(by: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    yield "| rules | players | rounds | search wins, % | in the base game, % | change | ± | p |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for key in ((rules, players) for rules in names for players in PLAYERS):
        if row := by["search"].get(key):
            number, reach = change(row, relative=False)
            yield (f"| {key[0]} | {key[1]} | {row['rounds']:,} | {100 * row['new']:.1f} | {100 * row['old']:.1f} | "
                   f"{shown(number, reach)} | {reach:.2g} | {_p(row)} |")  # fmt: skip


def _chains(cells: Sequence[Row], by: Mapping[str, Any]) -> Iterator[str]:
    yield "Rounds by their longest chain, in per cent, and how many chains of two or more cards a round has.\n"
    yield "| rules | players | none | 1 | 2 | 3 | 4 | 5 | 6 or more | longest | chains |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for cell in cells:
        rules, players, lengths = "+".join(cell["rules"]), cell["players"], cell["lengths"]
        if len(lengths) > 1 and players in PLAYERS and "+" not in rules:
            counts = [*lengths[:6], sum(lengths[6:])] + [0] * (6 - len(lengths))
            shares = " | ".join(f"{100 * count / sum(lengths):.3g}" for count in counts)
            yield f"| {rules} | {players} | {shares} | {len(lengths) - 1} | {by['chains'][rules, players]['new']:.3f} |"


def _table(by: Mapping[str, Any], names: Sequence[str], counts: Iterable[int]) -> Iterator[str]:
    yield ("| rules | players | decks | turns | change, % | ± | p | first player wins | ± | comebacks | pile turned | "
           "endless, % |")  # fmt: skip
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for key in ((rules, players) for rules in names for players in counts):
        if key not in by["turns"]:
            continue
        row, (number, reach) = by["turns"][key], change(by["turns"][key], relative=True)
        first, comeback, turned = (change(by[name][key], relative=False) for name in ("first", "comeback", "turned"))
        turns, endless = f"{row['new']:.{digits(row['reach']) or 1}f}", f"{100 * by['endless'][key]['new']:.2g}"
        cells = [*key, f"{row['rounds']:,}", turns, shown(number, reach), f"{reach:.2g}", _p(row), shown(*first)]
        cells += [f"{first[1]:.2g}", shown(*comeback), shown(*turned), endless]
        yield f"| {' | '.join(map(str, cells))} |"


def _p(row: Row) -> str:
    """An adjusted p-value; none where nothing differs."""
    if row["p"] is None:
        return ""
    return "< 1e-300" if row["p"] == 0 else f"{row['p']:.1e}" if row["p"] < 1e-3 else f"{row['p']:.3f}"
