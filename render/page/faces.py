"""What cards, suits and facts look like and are called: on a page, by a screen reader and in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from fsm.declaration.arcs import Offer
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, Look, ValueKind
from fsm.edge.kept import kept
from fsm.stepping.steps import KINDS
from fsm.table.sight import sight_of
from rules.notation import UNKNOWN, with_article

WHICH = {ValueKind.SEAT: "which player", ValueKind.AMOUNT: "which number", ValueKind.ANSWER: "yes or no"}
"""The question for a value of a kind whose word is not what people call it."""


def faces(game: Declaration) -> dict[str, dict[str, str]]:
    """The face of every card of a game, by the card's name; pages draw it, so its plain texts are left out."""
    notation = game.codec.notation
    shown = {name: asdict(game.look.face(notation, name)) for name in dict.fromkeys(notation.cards)}
    return {
        name: {part: text for part, text in face.items() if part not in ("sign", "text")}
        for name, face in shown.items()
    }


def suits(game: Declaration) -> dict[str, str]:
    """The word of every suit of a game, by the suit's letter."""
    notation = game.codec.notation
    return {letter: notation.suit_name(letter) for letter in notation.suits}


def event_text(game: Declaration, trigger: str) -> str:
    """What a player does by an event: what is named with it follows (`name a colour`, `pass`)."""
    text = trigger.replace("_", " ")
    word = f" {game.codec.notation.card_word}" if trigger in game.card_events else ""
    return game.look.asks.get(trigger) or text.removesuffix(word)


def naming_text(game: Declaration, trigger: str) -> str:
    """The same where the card that is named with it follows: `play`, `lay out a gang of`."""
    of_what = " of" if trigger in game.look.asks and trigger in game.card_events else ""
    return f"{event_text(game, trigger)}{of_what}"


def asked_text(game: Declaration, offer: Offer) -> str:
    """What a player is asked to do: `name a colour`, `pass a card`."""
    if offer.trigger in game.look.asks or offer.cards is None or not offer.from_hand:
        return event_text(game, offer.trigger)
    word = game.codec.notation.card_word
    return f"{event_text(game, offer.trigger)} {with_article(word) if offer.lays else f'{word}s'}"


def which_texts(game: Declaration) -> dict[str, str]:
    """The question for a value of each kind: `which colour`."""
    return {str(kind): WHICH.get(kind, f"which {kind.word(game.codec.notation)}") for kind in KINDS}


def count_text(count: int, word: str) -> str:
    """`0 cards`, `1 card`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def cards_text(game: Declaration, cards: Sequence[str]) -> str:
    """How many cards there are: `3 tiles`."""
    return count_text(len(cards), game.codec.notation.card_word)


def number_words(look: Look, fact: Fact) -> tuple[str, str]:
    """What is shown of a fact that is a number: for 1, and for more with `{}` in place of the number."""
    return look.number_facts.get(fact.name, (f"{fact.name} 1", f"{fact.name} {{}}"))


def number_text(look: Look, fact: Fact, value: int) -> str:
    """What is shown of a fact that is a number; nothing if it has no words for it."""
    one, many = number_words(look, fact)
    return one if value == 1 else many.format(value)


@kept
def text_facts(game: Declaration) -> tuple[Fact, ...]:
    """The facts that are shown as text: piles as well, except for those that lie face up before the seats."""
    shown = (fact for fact in game.codec.facts if fact.kind in ("suit", "number") or fact.is_pile)
    return tuple(fact for fact in shown if fact not in sight_of(game).open_piles)


@kept
def own_piles(game: Declaration) -> tuple[Fact, ...]:
    """The piles before the seats that do not lie face up."""
    return tuple(fact for fact in text_facts(game) if fact.is_pile and not fact.in_middle)


@kept
def noted_facts(game: Declaration) -> tuple[Fact, ...]:
    """The facts that are shown as text beside the cards of all seats."""
    return tuple(fact for fact in text_facts(game) if fact not in own_piles(game))


@kept
def counted_facts(game: Declaration) -> tuple[Fact, ...]:
    """The facts that are shown as a number beside each seat: not those that nobody sees, that have no words or decide
    nothing.
    """
    counts = (fact for fact in game.codec.facts if fact.kind == "counts" and not fact.is_tally)
    worded = (fact for fact in counts if any(number_words(game.look, fact)))
    return tuple(fact for fact in worded if not sight_of(game).is_hidden(fact.field))


def counts_of(game: Declaration, values: Mapping[str, Any], seat: int) -> Iterator[str]:
    """What is counted of a seat (from 0), in words: `tricks 2`, as soon as anything is counted of any seat.

    values: of facts, by name; of each a number for each seat, None where it is hidden.
    """
    for fact in counted_facts(game):
        counts = values[fact.name]
        if any(counts) and (count := counts[seat]) is not None and (text := number_text(game.look, fact, count)):
            yield text


def piles_of(game: Declaration, values: Mapping[str, Any], seat: int) -> Iterator[str]:
    """The piles before a seat (from 0) that do not lie face up, in words.

    values: of facts, by name: of each the names of the cards of the pile of each seat.
    """
    for fact in own_piles(game):
        if pile := values[fact.name][seat]:
            yield f"{fact.name}: {_pile_text(game, pile)}"


def _pile_text(game: Declaration, pile: Sequence[str]) -> str:
    """The cards of a pile, or how many there are where none of them is seen."""
    return cards_text(game, pile) if {*pile} == {UNKNOWN} else " ".join(pile) or "-"


def notes_of(game: Declaration, values: Mapping[str, Any], phase: str = "") -> Iterator[tuple[str, str]]:
    """What holds beside the cards of all seats, in words, each with the letter of the suit that it names, or nothing.

    values: of facts, by name: the letter of a suit, a word, a number, or the names of the cards of a pile.
    phase: leaves out the facts that tables do not show in it.
    """
    for fact in noted_facts(game):
        value = values.get(fact.name)
        is_elsewhere = phase and phase not in game.look.fact_phases.get(fact.name, (phase,))
        if is_elsewhere or value is None or value in (0, *fact.words[:1]):
            continue
        if fact.is_pile:
            [pile] = [value] if not value or isinstance(value[0], str) else value
            if pile:
                yield f"{fact.name}: {_pile_text(game, pile)}", ""
        elif fact.kind == "suit":
            yield game.look.worded(fact.name, suits(game)[value]), value
        elif fact.words:
            yield game.look.worded(fact.name, value), ""
        elif text := number_text(game.look, fact, value):
            yield text, ""
