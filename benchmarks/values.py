"""What games are worth: `python -m benchmarks.values` writes the page docs/values.md and its picture.

Nothing is sampled: all figures are exact, and equal on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import registered_game
from maumau.solve.hands import solve_open
from maumau.solve.hidden import HiddenHands, solve_hidden

DECKS = (
    ("DQ HQ DT HT", 1),
    ("DQ HQ DT HT DK", 1),
    ("DQ HQ DT HT DK SK", 1),
    ("DS HS DE HE DJ HJ", 1),
    ("DQ HQ DS HS DK SJ", 2),
    ("DQ HQ DS HS DE DJ HJ", 2),
    ("DQ HQ DS HS DK SJ SE HE", 2),
)
RULED = "DS HS DE HE DJ HJ"
RULES = ("", "sevens-draw-3", "eights-answered", "jack-on-jack")
OTHERS = (
    ("uno", "Y1 Y1 R1 RS YR RD YD WC", 1),
    ("examples/kuhn_poker.py:KuhnPoker", "", 1),
    ("examples/leduc_poker.py:LeducPoker", "", 1),
)
POLICIES = ("house", "first-legal", "random")
PAGE = Path("docs/values.md")
WIDTH, LINE = 640, 22


class Row(NamedTuple):
    """A game that is solved: its name, the solution, and how many deals are won, without winner and lost when open."""

    name: str
    hidden: HiddenHands
    counts: tuple[int, int, int] | None


def solved(kind: type[Game], name: str, open_too: bool = True) -> Row:
    """Solve a game."""
    print(name, file=sys.stderr)
    found = solve_open(kind) if open_too else None
    return Row(name, solve_hidden(kind, POLICIES), found.counted(found.worth) if found else None)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A table of solutions."""
    yield "| deck | deals | information sets | value | house loses | first-legal loses | random loses |"
    yield "|---|---|---|---|---|---|---|"
    for name, hidden, _ in rows:
        first, second = hidden.information_sets
        lost = " | ".join(f"{hidden.judge(number).exploitability:.4f}" for number in range(len(POLICIES)))
        size = f"{len(hidden.tree.deals):,} | {first:,} + {second:,}"
        yield f"| {name} | {size} | {hidden.equilibrium.value:+.6f} | {lost} |"


def open_table(rows: Sequence[Row]) -> Iterator[str]:
    """A table of open and hidden values side by side, with what policies lose to a player who does not exploit them."""
    yield "| deck | open: mean of the deals | nobody can win | hidden | house loses to the equilibrium | random does |"
    yield "|---|---|---|---|---|---|"
    for name, hidden, counts in rows:
        if counts:
            won, nobody, lost = counts
            deals = won + nobody + lost
            mean = f"{(won - lost) / deals:+.4f} | {nobody / deals:.1%}"
            losses = f"{hidden.loss(0):.4f} | {hidden.loss(2):.4f}"
            yield f"| {name} | {mean} | {hidden.equilibrium.value:+.4f} | {losses} |"


def picture(rows: Sequence[Row]) -> str:
    """What policies lose to a perfect player, as bars."""
    lines, colours = [], ("#264653", "#2a9d8f", "#e9c46a")
    y = 2 * LINE
    for number, (policy, colour) in enumerate(zip(POLICIES, colours, strict=True)):
        x = 260 + 120 * number
        lines.append(f'<rect x="{x}" y="8" width="12" height="12" fill="{colour}"/>')
        lines.append(f'<text x="{x + 18}" y="18">{policy}</text>')
    for name, hidden, _ in rows:
        lines.append(f'<text x="0" y="{y + 14}">{name}</text>')
        for number, colour in enumerate(colours):
            lost = hidden.judge(number).exploitability
            bar = f'<rect x="260" y="{y + 7 * number}" width="{max(380 * lost, 0.5):.1f}" height="6" fill="{colour}"/>'
            lines.append(bar)
        y += LINE + 8
    title = "What policies lose a game to a perfect player"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, f"<title>{title}</title>", *lines, "</svg>\n"])


def main() -> None:
    """Write the page and the picture."""
    maumau = game_class("maumau")
    rows = [solved(maumau.with_deck(deck, each), f"{deck}, {each} each") for deck, each in DECKS]
    ruled = [
        solved(maumau.with_rules(*filter(None, [rule])).with_deck(RULED, 1), rule or "no house rule") for rule in RULES
    ]
    others = []
    for name, deck, each in OTHERS:
        kind = game_class(registered_game(name, "--game") if ":" in name else name)
        small = kind.with_deck(deck, each) if deck else kind
        others.append(solved(small, f"{kind.declaration.title}{deck and ': '}{deck}", open_too=False))
    text = PAGE.read_text(encoding="utf-8")
    for mark, lines in {
        "decks": table(rows),
        "open": open_table(rows),
        "rules": table(ruled),
        "games": table(others),
    }.items():
        begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = before + begin + "\n" + "\n".join(lines) + "\n\n" + end + after
    PAGE.write_text(text, encoding="utf-8")
    PAGE.with_suffix(".svg").write_text(picture(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
