"""The rules of a game to read: its guide, or what its declaration says, with the house rules of a table merged in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.guide import Guide, found_by_rule
from fsm.stepping.game import Game
from fsm.variants.edits import Variant

NEW, GONE = "new", "gone"
"""The marks of a text that house rules have brought, and of one that does not hold with them."""
Text = tuple[str, str]
"""A text with its mark, which is empty for one of the plain game."""
Entry = tuple[Sequence[str], Sequence[Text]]
"""The names of the cards that are pictured, and the texts beside them."""


def rules_to_read(kind: type[Game]) -> dict[str, Any]:
    """Return the rules of a game to read.

    game: its name. sections: each with its title and entries. house: the house rules with their descriptions; profiles:
    those that consist of them. chosen, forced: the sentences of the arcs by which players choose, and of the others,
    or the numbers of these arcs; where the game has no guide of its own, sections have them instead.
    """
    plain = kind.plain or kind
    names = {rule.name for rule in kind.rules}
    chosen, forced = _marked_sentences(kind.declaration, plain.declaration)
    has_guide = bool(plain.declaration.look.guide)
    sections = _guided(kind, plain) if has_guide else _declared(plain, chosen, forced)
    sections["The deal"] = [*_single(_compared([*_dealt(kind)], [*_dealt(plain)])), *sections["The deal"]]
    sections["Scoring"] += _single(_compared([_match_text(kind.declaration)], [_match_text(plain.declaration)]))
    return {
        "game": kind.declaration.name,
        "sections": [(title, entries) for title, entries in sections.items() if entries],
        "profiles": [each.name for each in kind.rulebook().profiles if names.issuperset(each.rules)],
        "house": [[rule.name, rule.description] for rule in kind.rules],
        "chosen": _by_number(kind.declaration, chosen) if has_guide else [],
        "forced": _by_number(kind.declaration, forced) if has_guide else [],
    }


def _marked_sentences(game: Declaration, plain: Declaration) -> tuple[list[Text], list[Text]]:
    """The sentences of the arcs by which players choose, and of the others. plain: the game without house rules."""
    found, known = _sentences(game), _sentences(plain)
    kept, was = {*found[0], *found[1]}, {*known[0], *known[1]}
    chosen, forced = (
        [(text, "" if text in was else NEW) for text in now] + [(text, GONE) for text in before if text not in kept]
        for now, before in zip(found, known, strict=True)
    )
    return chosen, forced


def _by_number(game: Declaration, texts: Sequence[Text]) -> list[tuple[int | str, str]]:
    """Texts of arcs by the numbers of the arcs, which pages have anyway, with their marks."""
    numbers = {arc.description: number for number, arc in enumerate(game.arcs)}
    return [(numbers.get(text, text), mark) for text, mark in texts]


def _sentences(declaration: Declaration) -> tuple[Sequence[str], Sequence[str]]:
    """The descriptions of the arcs by which players choose, and those of the others."""
    chosen = dict.fromkeys(
        arc.description for arc in declaration.arcs if (arc.source, arc.trigger) in declaration.offered
    )
    return (*chosen,), (
        *dict.fromkeys(each.description for each in declaration.arcs if each.description not in chosen),
    )


def _declared(plain: type[Game], chosen: Sequence[Text], forced: Sequence[Text]) -> dict[str, list[Entry]]:
    """The sections of a game without a guide: what its declaration says."""
    summary = plain.declaration.look.summary
    return {
        "The game": _single([(summary, "")] if summary else ()),
        "The deal": [],
        "Moves": _single(chosen),
        "Events without a choice": _single(forced),
        "Scoring": [],
    }


def _guided(kind: type[Game], plain: type[Game]) -> dict[str, list[Entry]]:
    guide = plain.declaration.look.guide
    merged = _Merged(guide, kind.rules)
    return {
        "The aim": _single(merged.texts([guide.aim])),
        "The deal": _single(merged.texts(guide.deal)),
        "A turn": _single(merged.texts(guide.turn)),
        guide.heading or "Special cards": [*merged.cards()],
        "Scoring": _single(merged.texts(guide.counting)),
    }


class _Merged:
    """The texts of a guide with the house rules of a table."""

    def __init__(self, guide: Guide, rules: Iterable[Variant]) -> None:
        self._guide, self._rules = guide, tuple(rules)

    def texts(self, texts: Iterable[str]) -> tuple[Text, ...]:
        """Each text, followed by the house rules that stand in its place or beside it."""
        return tuple(each for text in texts for each in self._text(text))

    def _text(self, text: str) -> Iterator[Text]:
        replacing = {rule: found_by_rule(self._guide.instead, rule.name) or () for rule in self._rules}
        yield text, GONE if any(text in replaced for replaced in replacing.values()) else ""
        for rule, replaced in replacing.items():
            if text in (*replaced[-1:], found_by_rule(self._guide.beside, rule.name)):
                yield rule.description, NEW

    def cards(self) -> Iterator[Entry]:
        """The special cards, and those to which house rules give an effect."""
        for names, texts in self._guide.cards.items():
            yield names.split(), self.texts(texts)
        for rule in self._rules:
            if pictured := found_by_rule(self._guide.special, rule.name):
                yield pictured.split(), ((rule.description, NEW),)


def _single(texts: Iterable[Text]) -> list[Entry]:
    """Texts without pictures, an entry each."""
    return [((), (text,)) for text in texts]


def _compared(texts: Sequence[str], plain: Sequence[str]) -> tuple[Text, ...]:
    """Texts that are found out, marked where house rules have changed them. plain: those of the plain game."""
    found = [(text, "" if text in plain else NEW) for text in texts]
    return (*found, *((text, GONE) for text in plain if text not in texts))


def _dealt(kind: type[Game]) -> Iterator[str]:
    """How many play, and how many cards each of them is dealt."""
    codec = kind.declaration.codec
    word = codec.notation.card_word
    players = sorted(codec.players)
    decks = sorted({len(kind.deck_of(count, 0)) for count in players})
    yield f"{_range_text(players)} players, {' or '.join(map(str, decks))} {word}s."
    for count, codes in kind.declaration.left_out.items():
        names = " and ".join(codec.notation.names(codes))
        yield f"With {count} players {names} {'is' if len(codes) == 1 else 'are'} left out."
    sizes = {count: tuple(map(len, kind.deal(count, 0).hands)) for count in players}
    for hands, counts in groupby(players, key=lambda count: tuple(sorted(set(sizes[count])))):
        if any(hands):
            each = f"With {_range_text([*counts])} players, each player" if len(sizes) > 1 else "Each player"
            yield f"{each} is dealt {' or '.join(map(str, hands))} {word}{'' if hands == (1,) else 's'}."


def _range_text(counts: Sequence[int]) -> str:
    """Numbers of players in words: `2`, `2 or 3`, `2 to 5`, `2, 4 or 6`."""
    first, last = counts[0], counts[-1]
    if len(counts) > 2 and [*counts] == [*range(first, last + 1)]:
        return f"{first} to {last}"
    return ", ".join(map(str, counts[:-1])) + f" or {last}" if len(counts) > 1 else f"{first}"


def _match_text(game: Declaration) -> str:
    """How a match of several rounds ends."""
    scoring, best = game.scoring, "fewest" if game.scoring.lowest_wins else "most"
    return f"If you play several rounds, they end when somebody has {scoring.target} points. The {best} points win."
