"""The pages to play on: the lobby, where a table is opened, and the table as the server shows it to a seat."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import TURNED_ROUND, Fact, Look
from fsm.match.transcript import Transcript
from fsm.stepping.game import Game
from render.diagram.model import DiagramError
from render.page.document import Document, assembled, asset, drawing_element, round_document
from render.page.faces import (
    asked_text,
    counted_facts,
    event_text,
    faces,
    naming_text,
    number_words,
    suits,
    text_facts,
    which_texts,
)
from render.page.guide import rules_to_read
from render.page.orders import hand_orders
from render.page.story import (
    game_data,
    heading_of,
    offered_house_rules,
    offered_players,
    offered_profiles,
    story_of,
)

GUIDE = ("dom", "looks", "cards", "words", "rules", "guide")
LOBBY = ("dom", "looks", "cards", "server", "room", "lobby")
TABLE = (
    *("dom", "looks", "cards", "server", "words", "sound", "stream", "chooser", "hand", "prompt", "result", "notes"),
    *("felt", "record", "diagram", "zoom", "machine", "rules", "deal", "room", "menu", "together", "emotes", "play"),
)
"""The modules of the three pages, in the order in which they need each other."""
SAMPLE = 3
"""The cards that stand for a game in the lobby."""


def lobby_page(
    kinds: Sequence[type[Game]], players: Sequence[str] | None = (), more: Sequence[type[Game]] = ()
) -> Document:
    """Return the page on which a table is opened. players: the names of those that may be chosen beside a game's
    policies; None for the usual ones. more: games that are offered after the others.
    """
    games = [_choices(kind, players) | {"further": kind in more} for kind in (*kinds, *more)]
    styles = ("base", "cards", "play")
    return assembled("lobby.html", styles, LOBBY, "Play: maumau", {}, {"games": games}, "'self'")


def table_page(kind: type[Game]) -> Document:
    """The page of a table of a game, for every seat and for who watches: the server pushes what is seen from there.

    Where nothing is installed that draws the machine, and no drawing is shipped, the page has none.
    """
    declaration = kind.declaration
    drawing = ""
    with suppress(DiagramError):
        drawing = drawing_element(declaration)
    styles = ("base", "machine", "cards", "play")
    heading = heading_of(kind)
    title, _, rules = heading.partition(", ")
    shown = f"{escape(title)}{f' <small>{rules}</small>' if rules else ''}"
    parts = {"heading": shown, "drawing": drawing, "rules": asset("rules.html")}
    data = table_data(declaration) | {"heading": heading, "rules": rules_to_read(kind)}
    return assembled("play.html", styles, TABLE, heading, parts, data, "'self'")


def rules_page(kind: type[Game]) -> Document:
    """Return the page with the rules of a game to read, illustrated, with those of its house rules."""
    heading = heading_of(kind)
    data = game_data(kind.declaration) | {"heading": heading, "rules": rules_to_read(kind), "events": {}}
    parts = {"rules": asset("rules.html")}
    return assembled("guide.html", ("base", "cards", "play"), GUIDE, heading, parts, data, "'none'")


def replay_page(game: Game, heading: str, names: Sequence[str], seat: int | None) -> Document:
    """The page that steps through a round that is over, and asks for the chances over it. names: of who played, by
    seat. seat: of who looks; None for who watched.
    """
    story = story_of(Transcript.of(game), heading) | {"names": list(names), "seat": seat}
    return round_document(story, game.declaration)


def notice_page(text: str) -> Document:
    """A page that says why there is no other one."""
    notice = escape(f"{text[:1].upper()}{text[1:]}.")
    return assembled("notice.html", ("base", "play"), (), "Not here", {"notice": notice}, {}, "'none'")


def table_data(declaration: Declaration) -> dict[str, Any]:
    """What all tables of a game share: its phases, arcs and cards; the events that players choose in each phase,
    whether with a card of the hand, and what is asked; facts and questions in words. naming: an event before the card.
    hand, orders: the order of a hand at first, and all orders. turned: the fact that says whether the turn goes round
    the other way, if there is one.
    """
    offers = {
        str(phase): {
            offer.trigger: {
                "hand": offer.cards is not None and offer.from_hand,
                "asks": asked_text(declaration, offer),
            }
            for offer in control.offers
        }
        for phase, control in declaration.control.items()
    }
    events = {trigger: event_text(declaration, trigger) for trigger in declaration.triggers}
    shown = (*text_facts(declaration), *counted_facts(declaration))
    facts = [_fact_data(declaration.look, fact) for fact in shown]
    named: dict[str, Any] = {"game": declaration.name, "seats": declaration.look.seats}
    named["naming"] = {
        trigger: naming_text(declaration, trigger) for trigger in events if trigger in declaration.card_events
    }
    named |= {"sides": declaration.scoring.sides, "which": which_texts(declaration)}
    words = {fact.name: number_words(declaration.look, fact) for fact in shown}
    named |= {"hand": declaration.look.hand, "orders": hand_orders(declaration)._asdict()}
    named["turned"] = next((name for name in words if words[name] == TURNED_ROUND), None)
    return game_data(declaration) | named | {"events": events, "offers": offers, "facts": facts}


def _fact_data(look: Look, fact: Fact) -> dict[str, Any]:
    """A fact that is shown. ordered: whether it is a pile whose cards lie in an order. label: of a suit or a pile.
    phases: in which it is shown, if not in all. words, texts: each value, and what is shown of it. one, many: of a
    number.
    """
    return {
        "name": fact.name,
        "kind": "pile" if fact.in_middle else "cards" if fact.is_pile else fact.kind,
        "ordered": fact.is_queue,
        "label": look.suit_facts.get(fact.name, fact.name.replace("_", " ")),
        "words": list(fact.words),
        "phases": list(look.fact_phases.get(fact.name, ())),
        "texts": [look.worded(fact.name, word) for word in fact.words],
        **dict(zip(("one", "many"), number_words(look, fact), strict=True)),
    }


def _choices(kind: type[Game], players: Sequence[str] | None) -> dict[str, Any]:
    """What is chosen when a table of a game is opened."""
    declaration = kind.declaration
    shown = faces(declaration)
    sample = [list(shown)[index * (len(shown) // SAMPLE + 1) % len(shown)] for index in range(SAMPLE)]
    return {
        "game": declaration.name,
        "title": declaration.title,
        "summary": declaration.look.summary or declaration.look.guide.aim,
        "calls": bool(declaration.calls) and any(control.declines for control in declaration.control.values()),
        "cards": {name: shown[name] for name in sample},
        "sample": sample,
        "suits": suits(declaration),
        "players": sorted(declaration.codec.players),
        "policies": [[policy.name, policy.description] for policy in offered_players(kind, players)],
        "contest": declaration.look.contest,
        "offered": offered_house_rules(kind),
        "profiles": offered_profiles(kind),
        "fixed": [rule.name for rule in kind.rules],
        "target": declaration.scoring.target,
    }
