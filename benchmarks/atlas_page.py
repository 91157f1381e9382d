"""The page of the atlas of house rules: charts first, a sentence for each rule, tables after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import ceil, log10
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
CELL, NAMES, HEAD = 118, 250, 46
COLUMNS = (
    ("turns", "length", True),
    ("drawn", "cards drawn", True),
    ("points", "points of the winner", True),
    ("first", "wins of who begins", False),
    ("turned", "pile turned", False),
)
"""The figures of the heat map: their titles, and whether the change is relative; else it is in percentage points."""


def change(row: Row, relative: bool) -> tuple[float, float]:
    """The change in per cent, or in percentage points, and the reach of its interval."""
    scale = 100 / row["old"] if relative and row["old"] else 100
    return row["difference"] * scale, row["reach"] * scale


def shown(value: float, reach: float) -> str:
    """A change with as many digits as its interval allows."""
    digits = max(0, ceil(-log10(reach))) if 0 < reach < 1 else 0
    return f"{value:+.{min(digits, 3)}f}"


def heat_map(title: str, rows: Sequence[str], heads: Sequence[str], values: Mapping[tuple[str, str], Any]) -> str:
    """A heat map as SVG: blue is less, red is more. values: a number and its text for a row and a head."""
    most = max((abs(value) for value, _ in values.values()), default=1) or 1
    width, height = NAMES + CELL * len(heads) + 10, HEAD + 20 * len(rows) + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             f'font-size="11"><title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>'
             f'<text x="8" y="16" font-weight="bold">{escape(title)}</text>']  # fmt: skip
    for column, head in enumerate(heads):
        parts.append(f'<text x="{NAMES + CELL * column + CELL // 2}" y="{HEAD - 6}" text-anchor="middle">'
                     f"{escape(head)}</text>")  # fmt: skip
    for line, name in enumerate(rows):
        y = HEAD + 20 * line
        parts.append(f'<text x="{NAMES - 6}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        for column, head in enumerate(heads):
            if (name, head) not in values:
                continue
            value, text = values[name, head]
            x, text = NAMES + CELL * column, escape(text)
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="18" fill="{colour(value / most)}"/>'
                         f'<text x="{x + CELL // 2}" y="{y + 13}" text-anchor="middle">{text}</text>')  # fmt: skip
    return "\n".join([*parts, "</svg>", ""])


def colour(share: float) -> str:
    """The colour of a value from -1 to 1; the root shows small ones, too."""
    strength = round(150 * min(abs(share), 1) ** 0.5)
    pale = 255 - strength
    return f"rgb(255,{pale},{pale})" if share > 0 else f"rgb({pale},{pale},255)"


def write_page(
    page: Path, found: Sequence[Row], tables: Mapping[str, Sequence[Row]], two: Row, rounds: int, pair_rounds: int
) -> None:
    """Write the page and its charts. tables: by figure the effects in all comparisons. two: of two random players."""
    by = {name: {(row["rules"], row["players"]): row for row in rows} for name, rows in tables.items()}
    singles = list(dict.fromkeys(row["rules"] for row in tables["turns"] if "+" not in row["rules"]))
    pairs = list(dict.fromkeys(row["rules"] for row in tables["turns"] if "+" in row["rules"]))
    for players in (2, 4, 10):
        values = {}
        for name, head, relative in COLUMNS:
            for rules in singles:
                number, reach = change(by[name][rules, players], relative)
                values[rules, head] = number, shown(number, reach) + ("" if abs(number) > reach else " ·")
        heads = [head for _, head, _ in COLUMNS]
        title = f"What each rule changes with {players} players, in per cent (wins, pile: percentage points)"
        page.with_name(f"uno-atlas-{players}.svg").write_text(heat_map(title, singles, heads, values))
    values = {}
    for rules in pairs:
        number, reach = change(by["turns"][rules, 4], True)
        one, other = rules.split("+")
        values[one, other] = values[other, one] = number, shown(number, reach)
    names = [name for name in singles if any(name in each for each in values)]
    short = {name: "-".join(part[:5] for part in name.split("-")[:2]) for name in names}
    cut = {(one, short[other]): value for (one, other), value in values.items()}
    pairs_map = heat_map("Length with pairs of rules and 4 players, in per cent", names, list(short.values()), cut)
    page.with_name("uno-atlas-pairs.svg").write_text(pairs_map)
    page.write_text("\n".join(_lines(found, by, singles, pairs, two, rounds, pair_rounds)) + "\n")


def _lines(
    found: Sequence[Row], by: Mapping[str, Any], singles: Sequence[str], pairs: Sequence[str], two: Row, rounds: int,
    pair_rounds: int,
) -> Iterator[str]:  # fmt: skip
    yield f"""# What the house rules of UNO do

Each [house rule](uno-official.md#house-rules) of official UNO, each profile and each allowed pair, compared with the
game as it is on the box: house players, the same decks under both rule sets. Of rules and profiles {rounds:,} decks
with 2, 4 and 10 players and a tenth of it with the others, of pairs {pair_rounds:,}. Intervals are 95 % for all
comparisons of a figure at once (Bonferroni), p-values are adjusted (Holm); a dot marks a change
that is not told from none.
`python -m benchmarks.atlas` makes this page again, with ten million and one million decks unless `--rounds` and
`--pair-rounds` say fewer; it goes on where it stopped.
"""
    for players in (2, 4, 10):
        yield f"![The effects of each rule with {players} players](uno-atlas-{players}.svg)\n"
    yield "![The length under pairs of rules](uno-atlas-pairs.svg)\n\n## In words\n"
    yield from (_sentence(rules, by) for rules in singles)
    yield from _published(found, by, two)
    yield "\n## Rules and profiles\n"
    yield from _table(by, singles, (2, 3, 4, 5, 6, 7, 8, 9, 10))
    yield "\n## Pairs\n"
    yield from _table(by, pairs, (2, 4, 10))


def _sentence(rules: str, by: Mapping[str, Any]) -> str:
    parts = []
    for players in (2, 4, 10):
        number, reach = change(by["turns"][rules, players], True)
        word = "longer" if number > 0 else "shorter"
        same = "rounds are as long as before" if abs(number) <= reach else f"{shown(abs(number), reach)[1:]} % {word}"
        parts.append(f"with {players} players {same}")
    first, reach = change(by["first"][rules, 4], False)
    who = "who begins wins as often" if abs(first) <= reach else f"who begins wins {shown(first, reach)} points"
    endless = by["endless"][rules, 10]["new"]
    ends = f"; {100 * endless:.2g} % of the rounds of ten are endless" if endless else ""
    return f"- **{rules}**: {', '.join(parts)}; {who} with four{ends}."


def _published(found: Sequence[Row], by: Mapping[str, Any], two: Row) -> Iterator[str]:
    stacked = {players: change(by["turns"]["stack-draws", players], True) for players in (2, 4)}
    chains = {
        (cell["rules"][0], cell["players"]): sum(n for k, n in cell["chains"].items() if int(k) >= 3)
        / max(sum(cell["chains"].values()), 1)
        for cell in found if cell["chains"] and len(cell["rules"]) == 1
    }  # fmt: skip
    yield f"""
## Published figures

| figure | published | here |
|---|---:|---:|
| stacking, length with four players | -5.2 % | {shown(*stacked[4])} % |
| stacking, length with two players | +10.8 % | {shown(*stacked[2])} % |
| rounds with a chain of three or more, four players, S2 | 34 % | {100 * chains["stack-draw-two", 4]:.1f} % |
| the same, SS | 34 % | {100 * chains["stack-draws", 4]:.1f} % |
| two random players: who begins wins | 52 % | {100 * two["first"]:.1f} % |
| two random players: turns | 41 | {two["turns"]:.1f} |

S2 is stack-draw-two, SS stack-draws. The figures of stacking are published by everygamemade.com (strategy/uno);
its players and rules are not those of the house here, so the differences need not be those of stacking alone. Those of
random players are of Pfann, *Tackling UNO card game with reinforcement learning* (2021). Here they are two
`random-legal-card` players in {two["rounds"]:,} rounds of the official game: they challenge every second wild
draw four, stay silent every second time with one card left, and a missed turn is no turn."""


def _table(by: Mapping[str, Any], names: Sequence[str], counts: Sequence[int]) -> Iterator[str]:
    heads = "rules", "players", "turns", "change, %", "±", "p", "who begins wins", "±", "pile turned", "endless, %"
    yield f"| {' | '.join(heads)} |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for rules in names:
        for players in counts:
            row, first = by["turns"][rules, players], by["first"][rules, players]
            (length, reach), (begins, about) = change(row, True), change(first, False)
            turned, around = change(by["turned"][rules, players], False)
            p = "" if row["p"] is None else f"{row['p']:.1e}" if row["p"] < 1e-3 else f"{row['p']:.3f}"
            yield (
                f"| {rules} | {players} | {row['new']:.1f} | {shown(length, reach)} | {reach:.2g} | {p} | "
                f"{shown(begins, about)} | {about:.2g} | {shown(turned, around)} | "
                f"{100 * by['endless'][rules, players]['new']:.2g} |"
            )
