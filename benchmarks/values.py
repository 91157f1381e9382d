"""What games are worth: `python -m benchmarks.values` writes the page docs/values.md and its picture.

Nothing is sampled: all figures are exact, and equal on every machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from benchmarks.smallest import Right, Without
from fsm import MauMau, game_of
from fsm.declaration.arcs import Policy
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.agents.training import TrainingSettings, train
from maumau.cli.chosen import registered_game
from maumau.solve.hands import OpenHands, solve_open
from maumau.solve.hidden import GAP as EXACT
from maumau.solve.hidden import HiddenHands, random_effect, relative_skill, solve_hidden
from maumau.solve.players import solution_bytes, solved_policy
from maumau.solve.responses import respond_to

DECKS = (
    ("DQ HQ DT HT", 1),
    ("DQ HQ DT HT DK", 1),
    ("DQ HQ DT HT DK SK", 1),
    ("DS HS DE HE DJ HJ", 1),
    ("DQ HQ DS HS DK SJ", 2),
    ("DQ HQ DS HS DE DJ HJ", 2),
    ("DQ HQ DS HS DK SJ SE HE", 2),
    ("DQ HQ DS HS DK SJ SE HE DJ", 3),
    ("DQ HQ DS HS DK SJ SE HE DJ HK", 4),
)
TEN = DECKS[-1][0]
LARGER = (DECKS[-2][0], 2), (TEN, 3), (f"{TEN} SK", 4)
"""Decks with which policies are judged by best responses alone."""
RULED = "DS HE HK DJ DA HT", "DS HS DE HE DJ HJ"
NO_EFFECT = {
    "nine-reverses": "with two players",
    "five-each": "cards are dealt by the deck",
    "other-scores": "scores play no part",
}
OTHERS = (
    ("uno", "Y1 Y1 R1 RS YR RD YD WC", 1),
    ("examples/kuhn_poker.py:KuhnPoker", "", 1),
    ("examples/leduc_poker.py:LeducPoker", "", 1),
)
POLICIES = ("random", "first-legal", "house")
SEARCH, NET = "search:20", "net"
COMPUTED = {SEARCH: (6, 7), NET: (6, 7, 8)}
"""Cards of decks with which players who are computed are judged as well: of fewer there is nothing to learn."""
BY_CHANCE, OPENED, EXACTLY = 9, 9, 8
"""Cards of decks up to which random players are judged, hands are solved open, and bounds are EXACT."""
TRAINED = 200_000
"""Games from which a net has learned."""
GAP, MEMORY = 1e-3, 6 << 30
SMALLEST = {
    "Mixed": ("CS CQ DQ CK DK HK", ("mixed moves", "a draw at will")),
    "Kept": ("CS DS CE HE CJ DJ", ("which would win, is kept",)),
}
"""Decks of six cards in which something is right: the page declares them under these names."""
PAGE = Path("docs/values.md")
WIDTH, LINE = 640, 22


class Row(NamedTuple):
    """A game that is solved: its name, what each policy loses, and the random effect.

    opened: with open hands, if they are solved. losses: what policies lose to the equilibrium.
    """

    name: str
    hidden: HiddenHands
    opened: OpenHands | None
    lost: dict[str, float]
    losses: dict[str, float]
    random: float


def solved(kind: type[Game], name: str, open_too: bool = True, computed: bool = False) -> Row:
    """Solve a game. computed: whether players who search or have learned are judged as well."""
    print(name, file=sys.stderr, flush=True)
    cards, names = kind.declaration.deck_size, list(POLICIES)
    opened = solve_open(kind, memory=MEMORY) if open_too and cards <= OPENED else None
    gap = EXACT if cards <= EXACTLY else GAP
    if cards > BY_CHANCE:
        names.remove("random")
    with tempfile.TemporaryDirectory() as folder:
        if computed and cards in COMPUTED[SEARCH]:
            names.append(SEARCH)
        if computed and cards in COMPUTED[NET]:
            file = Path(folder) / "net"
            train(kind, 2, games=TRAINED, seed=1, others="self", settings=TrainingSettings(0.0, hidden=32)).save(file)
            names.append(f"{NET}:{file}")
        hidden = solve_hidden(kind, names, gap=gap, memory=MEMORY)
        lost = {
            each.partition("/")[0].rstrip(":"): hidden.judge(place).exploitability for place, each in enumerate(names)
        }
    losses = {each: hidden.loss(place) for place, each in enumerate(names) if each in ("house", "random")}
    return Row(name, hidden, opened, lost, losses, random_effect(hidden, gap, MEMORY))


def shown(number: float | None) -> str:
    """A number in a table, or that there is none."""
    return "" if number is None else f"{number:.4f}"


def value(hidden: HiddenHands) -> str:
    """The value of a game, with as many digits as are proven."""
    found = hidden.equilibrium
    wide = found.upper - found.lower
    return f"{found.value:+.6f}" if wide < 1e-6 else f"{found.value:+.4f} ± {wide / 2:.0e}"


def table(rows: Sequence[Row], policies: Sequence[str] = POLICIES) -> Iterator[str]:
    """A table of solutions."""
    yield "| deck | deals | information sets | value | " + " | ".join(f"{name} loses" for name in policies) + " |"
    yield "|---" * (4 + len(policies)) + "|"
    for row in rows:
        first, second = row.hidden.information_sets
        lost = " | ".join(shown(row.lost.get(name)) for name in policies)
        size = f"{len(row.hidden.tree.deals):,} | {first:,} + {second:,}"
        yield f"| {row.name} | {size} | {value(row.hidden)} | {lost} |"


def larger_table() -> Iterator[str]:
    """What policies lose where there is no room for the equilibrium."""
    yield "| deck | deals | information sets that answer the house | value | first-legal loses | house loses |"
    yield "|---" * 6 + "|"
    for deck, each in LARGER:
        print(f"{deck}, {each} each, by responses", file=sys.stderr, flush=True)
        kind = MauMau.with_deck(deck, each)
        found = [respond_to(kind, policy, MEMORY) for policy in ("first-legal", "house")]
        first, second = found[1].information_sets
        low, high = max(each.judged.first_worst for each in found), min(each.judged.second_worst for each in found)
        lost = " | ".join(shown(each.judged.exploitability) for each in found)
        size = f"{found[1].deals:,} | {first:,} + {second:,}"
        yield f"| {deck}, {each} each | {size} | {low:+.4f} to {high:+.4f} | {lost} |"


def rules_table(deck: str, rows: Sequence[Row]) -> Iterator[str]:
    """The table of a deck with single house rules, those that change its values."""
    yield f"With the deck {deck}, one card each:"
    yield ""
    plain, *ruled = rows
    yield from table([plain, *(row for row in ruled if _figures(row) != _figures(plain))])
    yield ""


def _figures(row: Row) -> list[str]:
    return [value(row.hidden), *map(shown, row.lost.values())]


def skill_table(rows: Sequence[Row]) -> Iterator[str]:
    """How much of each game is skill, by who is the beginner."""
    yield "| deck | random effect | " + " | ".join(f"beginner: {name}" for name in POLICIES) + " |"
    yield "|---" * (2 + len(POLICIES)) + "|"
    for row in rows:
        parts = (row.lost.get(name) for name in POLICIES)
        skills = " | ".join(shown(None if lost is None else relative_skill(lost, row.random)) for lost in parts)
        yield f"| {row.name} | {abs(row.random):.4f} | {skills} |"


def open_table(rows: Sequence[Row]) -> Iterator[str]:
    """Open and hidden values side by side, with what policies lose to a player who does not exploit them."""
    yield (
        "| deck | open: mean of the deals | deals nobody can win | positions nobody can win | hidden"
        " | house loses to the equilibrium | random does |"
    )
    yield "|---" * 7 + "|"
    for row in rows:
        if row.opened:
            won, nobody, lost = row.opened.counted(row.opened.worth)
            deals = won + nobody + lost
            open_value = (
                f"{(won - lost) / deals:+.4f} | {nobody / deals:.1%} | {(row.opened.worth.points == 0).mean():.1%}"
            )
            losses = f"{shown(row.losses['house'])} | {shown(row.losses.get('random'))}"
            yield f"| {row.name} | {open_value} | {row.hidden.equilibrium.value:+.4f} | {losses} |"


def examples() -> Iterator[str]:
    """Where mixed moves, draws at will, and keeping a card that would win are right, with replays."""
    base = game_of(replace(MauMau.declaration, name="small-deck"))
    for name, (deck, kinds) in SMALLEST.items():
        small = base.with_deck(deck, each=2)
        without, file = Without(small), f"{name.lower()}.npz"
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / file).write_bytes(solution_bytes(without.solved))
            player = solved_policy(small.declaration, str(Path(folder) / file), "")
        yield from (f"```sh\nmaumau solve --game small_decks.py:{name} -o {file}", "```", "")
        for kind in kinds:
            rights = (right for right in without.right() if right.what.endswith(kind))
            yield from _example(name, small, player, rights)


def _example(name: str, small: type[Game], player: Policy, rights: Iterator[Right]) -> Iterator[str]:
    """The first of some information sets to which players of the solution come and draw."""
    right, seed = next((right, seed) for right in rights if (seed := _shows(small, player, right.game)) is not None)
    game, names = right.game, small.declaration.codec.notation.names
    moves = zip(game.events().legal, right.chances, strict=True)
    yield f"{right.what[0].upper()}{right.what[1:]}: {', '.join(f'`{move}` {chance:g}' for move, chance in moves)}."
    yield f"Without it the game is worth {right.costs:.4f} less to player {game.player}, who is at"
    yield f"`{game.position()}`."
    yield ""
    line = f"1\\n2 {' '.join(names(game.dealt_deck()))}\\n"
    page = f"{right.what.rpartition(' ')[2]}.html"
    command = f"maumau replay --game small_decks.py:{name} --policy solved:{name.lower()}.npz --seed {seed} -o {page}"
    yield from ("```sh", f"printf '{line}' | {command}", "```", "")


def _shows(kind: type[Game], player: Policy, wanted: Game) -> int | None:
    """A seed with which players of the solution come to a position, and the next one draws; None if there is none."""
    for seed in range(100):
        game = kind.of_deck(2, wanted.dealt_deck(), player, seed)
        while game.outcome is None:
            here = game.position() == wanted.position()
            if game.step().trigger == "draw" and here:
                return seed
    return None


def picture(rows: Sequence[Row]) -> str:
    """What policies lose to a perfect player, as bars."""
    lines, colours = [], ("#264653", "#2a9d8f", "#e9c46a")
    y = 2 * LINE
    for number, (policy, colour) in enumerate(zip(POLICIES, colours, strict=True)):
        x = 260 + 120 * number
        lines.append(f'<rect x="{x}" y="8" width="12" height="12" fill="{colour}"/>')
        lines.append(f'<text x="{x + 18}" y="18">{policy}</text>')
    for row in rows:
        lines.append(f'<text x="0" y="{y + 14}">{row.name}</text>')
        for number, (policy, colour) in enumerate(zip(POLICIES, colours, strict=True)):
            lost = row.lost.get(policy, 0.0)
            bar = f'<rect x="260" y="{y + 7 * number}" width="{max(380 * lost, 0.5):.1f}" height="6" fill="{colour}"/>'
            lines.append(bar)
        y += LINE + 8
    title = "What policies lose a game to a perfect player"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, f"<title>{title}</title>", *lines, "</svg>\n"])


def main() -> None:
    """Write the page and the picture."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    rows = [solved(MauMau.with_deck(deck, each), f"{deck}, {each} each", computed=True) for deck, each in DECKS]
    rules = ["", *(rule.name for rule in MauMau.rulebook().listed() if rule.name not in NO_EFFECT)]
    ruled = [
        [solved(MauMau.with_rules(*filter(None, [rule])).with_deck(deck, 1), rule or "no house rule") for rule in rules]
        for deck in RULED
    ]
    others = []
    for name, deck, each in OTHERS:
        kind = game_class(registered_game(name, "--game") if ":" in name else name)
        small = kind.with_deck(deck, each) if deck else kind
        others.append(solved(small, f"{kind.declaration.title}{deck and ': '}{deck}", open_too=False))
    text = PAGE.read_text(encoding="utf-8")
    for mark, lines in {
        "decks": table(rows, (*POLICIES, SEARCH, NET)),
        "larger": larger_table(),
        "skill": skill_table([*rows, *others]),
        "open": open_table(rows),
        "rules": chain.from_iterable(map(rules_table, RULED, ruled)),
        "games": table(others),
        "smallest": examples(),
    }.items():
        begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = before + begin + "\n" + "\n".join(lines).rstrip() + "\n\n" + end + after
    PAGE.write_text(text, encoding="utf-8")
    PAGE.with_suffix(".svg").write_text(picture(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
