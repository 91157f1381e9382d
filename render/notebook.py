"""A game in a notebook: its table as cards, and below it the diagram with the active phase highlighted.

The table is self-contained HTML: hands, open card, sizes of the piles and facts, without a script.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from fsm.check.properties import Report
from fsm.declaration.chart import Chart
from fsm.declaration.declaration import Declaration
from fsm.edge.notebook import Sheet
from fsm.stepping.game import Game
from render.diagram.dot import svg
from render.diagram.model import DiagramError, extract
from render.diagram.overlay import PLAIN, Overlay
from render.page.document import asset
from render.page.faces import cards_text, count_text
from render.page.story import calls_made, counts, laid_before, notes
from rules.faces import SIGNS
from rules.notation import many

TEXT_STYLE = "\N{VARIATION SELECTOR-15}"
"""Keeps a browser from drawing the sign before it as a coloured picture."""


def board(game: Game) -> str:
    """The table of `game` as it is now, all hands open. Every text of the game is escaped; all sizes are in cards."""
    rows = [_heading(game), *_seats(game), _piles(game), _facts(game)]
    return f'<style>{asset("board.css")}</style><div class="maumau-board">{"".join(rows)}</div>'


def _heading(game: Game) -> str:
    state = str(game.outcome) if game.outcome else game.who_acts
    return _row("heading", f"<b>{escape(game.declaration.title)}</b> · {escape(f'{game.phase} · {state}')}")


def _seats(game: Game) -> Iterator[str]:
    for seat, (calls, counted) in enumerate(zip(calls_made(game), counts(game), strict=True)):
        called, hand = count_text(calls, "call") if calls else "", game.hands[seat]
        turn = " turn" if game.outcome is None and seat + 1 == game.player else ""
        words = " · ".join(filter(None, [f"player {seat + 1}", cards_text(game.declaration, hand), called, counted]))
        label = f'<span class="label{turn}">{escape(words)}</span>'
        melds = "".join(_cards(game, meld) for meld in laid_before(game)[seat])
        laid_out = f'<div class="melds">{melds}</div>' if melds else ""
        yield _row("seat", f"{label}{_cards(game, hand)}{laid_out}")


def _piles(game: Game) -> str:
    look = game.declaration.look
    piles = {look.draw_pile: game.draw_pile, look.discard_pile: game.discard_pile}
    shown = {name: pile for name, pile in piles.items() if pile or not game.declaration.clears_table}
    sizes = " · ".join(f"{name}: {cards_text(game.declaration, pile)}" for name, pile in shown.items())
    word = game.declaration.codec.notation.card_word
    opened = f" · open {word}:{_cards(game, [game.open_card])}" if game.open_card else ""
    return _row("piles", f"{escape(sizes)}{opened}")


def _facts(game: Game) -> str:
    """What holds beside the cards; empty if nothing does."""
    texts = [text for text, _ in notes(game)]
    return _row("facts", escape(" · ".join(texts))) if texts else ""


def _cards(game: Game, names: Iterable[str]) -> str:
    return f'<div class="cards">{" ".join(_card(game.declaration, name) for name in names)}</div>'


def _card(game: Declaration, name: str) -> str:
    face = game.look.face(game.codec.notation, name)
    suit = f"{SIGNS[face.style].get(face.suit, face.suit)}{TEXT_STYLE}" if face.style in SIGNS else ""
    kinds, sign = f"card {face.style} suit-{face.suit}", face.sign or f"{face.rank}{suit}"
    label, below = escape(face.label), "" if sign == name else f'<span class="name">{escape(name)}</span>'
    shown = f'<span class="face">{escape(sign)}</span>{below}'
    return f'<span class="{escape(kinds)}" title="{label}" role="img" aria-label="{label}">{shown}</span>'


def _row(kind: str, content: str) -> str:
    return f'<div class="{kind}">{content}</div>'


def bundle(value: object) -> dict[str, str]:
    """What a notebook shows of a game, a chart, a report of a check or a sheet, by MIME type; nothing of anything else.

    text/html: the table of a game, or tables, with the diagram. image/svg+xml: the diagram alone. Where nothing is
    installed that draws it, there is no diagram.
    """
    match value:
        case Game():
            words = f"State diagram of {value.declaration.title}; the active phase is {value.phase}"
            return _with_diagram(board(value), value.declaration, words, Overlay(active=value.phase))
        case Chart():
            words = f"State diagram of {value.title}"
            return _with_diagram(sheet(f"The transitions of {value.title}", _arcs(value)), value, words)
        case Report():
            return {"text/html": _checked(value)}
        case Sheet():
            return {"text/html": sheet(value.title, *(table(*each) for each in value.tables))}
    return {}


def _with_diagram(shown: str, chart: Chart, words: str, overlay: Overlay = PLAIN) -> dict[str, str]:
    """Something, and below it the diagram of its machine, as wide as the notebook; above the arcs of a chart."""
    try:
        picture = svg(extract(chart, overlay))
    except DiagramError:
        return {"text/html": f"<div>{shown}</div>"}
    parts = (shown, drawing(picture, words))
    return {
        "text/html": f"<div>{''.join(parts if overlay.active else parts[::-1])}</div>",
        "image/svg+xml": picture,
    }


def _arcs(chart: Chart) -> str:
    """The arcs of a machine as a table."""
    diagram = extract(chart)
    titles = {node.name: node.title for node in diagram.nodes}
    rows = [
        (titles[edge.source], line.event, line.condition, titles[edge.dest], line.description)
        for edge in diagram.edges
        for line in edge.lines
    ]
    return table(("phase", "event", "guards", "next phase", "rule"), rows)


def _checked(report: Report) -> str:
    """The figures of a check, how often each property failed, and the arcs that never fired."""
    figures = {"positions": report.positions, "events": report.events, "tried": report.tried, "games": report.games}
    failed = [(text, report.failed[number] or "holds") for number, text in enumerate(report.properties)]
    failed.sort(key=lambda row: row[1] == "holds")
    never = [(str(arc.source), arc.trigger, arc.description) for arc in report.never_fired]
    count = len(report.failures)
    verdict = f"{many(count, 'property', 'properties')} failed" if count else "every property holds"
    return sheet(
        f"Check of {report.game.title}: {verdict}{'' if report.complete else '; not complete'}",
        table(tuple(figures), [tuple(figures.values())]),
        table(("property", "failures"), failed),
        *([table(("phase", "event", "rule"), never, "Transitions that never fired")] if never else []),
    )


DRAWING = (
    '<div style="overflow-x:auto"><img style="width:100%;min-width:48em;background:#ffffff;border-radius:8px" '
    'alt="{}" src="data:image/svg+xml;base64,{}"></div>'
)


def sheet(title: str, *parts: str) -> str:
    """Return a sheet with a title. parts: HTML, as of `table`."""
    style = asset("sheet.css")
    return f'<style>{style}</style><div class="maumau-sheet"><b>{escape(title)}</b>{"".join(parts)}</div>'


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "", note: str = "") -> str:
    """Return a table. Numbers have commas, and stand at the right, like texts that begin with a digit.

    columns: the heading of each. rows: the cells of each row, numbers or text. note: what is written below.
    """
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cell(value: object) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    is_number = text.lstrip("-+")[:1].isdigit()
    return f"<td{' class=number' if is_number else ''}>{escape(text)}</td>"


def drawing(picture: str, words: str) -> str:
    """Return a drawing as wide as the sheet. picture: an SVG. words: what it shows, for screen readers.

    It is an image: its ids cannot clash with those of other outputs, and it runs no script.
    """
    return DRAWING.format(escape(words), b64encode(picture.encode()).decode())
