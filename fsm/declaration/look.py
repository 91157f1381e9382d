"""How a game is displayed, where the defaults that are derived from its declaration are not enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.faces import Face, face_of
from rules.notation import Notation
from rules.rule import Query


class Details(NamedTuple):
    """What a game tells of one event beside its verb and card: more of what was done, and of the reason."""

    what: str = ""
    why: str = ""


@dataclass(frozen=True)
class Look:
    """The display options of a game; each has a default.

    summary: the game in one sentence, by which people choose it.
    face: the face of the card called by a name. suit_facts: what a fact of the position that is a suit, or has words,
    is called, by its name (`bound suit`). word_facts: what is shown of one that has words, by its name and the word;
    the default is both (`led: hearts`). number_facts: what is shown of one that is
    a number, for 1 and for more (`1 card due`, `{} cards due`). events: what a player does, by event (`must draw`).
    at_will: the sentence in place of that of an arc, by the latter, where a player did without need what others
    must do, or may have: the reader does not always know. doers: who does a forced event that is not done by the
    player in turn, by event: a query of the table before it that returns the seat, as of who takes a trick.
    details: what is told of an event besides, from the table before it and its step. silent: events that traces and
    lists of events leave out, as nobody does anything by them.
    usual: sentences of arcs by which nothing happens but what always does; logs of tables leave them out. asks: what a
    player is asked to do, by event (`name a colour`), where that is more than the event.
    seats: what the seats are called besides, from player 1 on (`East`). draw_pile, discard_pile: what the piles are
    called.
    scores: what the scores are called. endings: how a game without a winner ended, by the text of the ending. result:
    the printed result of a played game, an `fsm.stepping.transcript.Transcript`, without a line end; None for the
    scores.
    """

    summary: str = ""
    face: Callable[[Notation, str], Face] = face_of
    suit_facts: Mapping[str, str] = field(default_factory=dict)
    word_facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    number_facts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    at_will: Mapping[str, str] = field(default_factory=dict)
    doers: Mapping[str, Query[Any]] = field(default_factory=dict)
    details: Callable[[Any, Any], Details] | None = None
    silent: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    asks: Mapping[str, str] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    draw_pile: str = "draw pile"
    discard_pile: str = "discard pile"
    scores: str = "Points left"
    endings: Mapping[str, str] = field(default_factory=dict)
    result: Callable[[Any], str] | None = None

    def worded(self, fact: str, word: str) -> str:
        """What is shown of a fact. fact: its name. word: that of its value, which is a suit or has words."""
        return self.word_facts.get(fact, {}).get(word) or f"{self.suit_facts.get(fact, fact)}: {word}"

    def ending(self, ending: object) -> str:
        """How a game without a winner ended, in words. ending: a member of the game's endings, or its text."""
        return self.endings.get(str(ending), str(ending))
