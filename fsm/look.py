"""How a game is displayed, where the defaults that are derived from its declaration are not enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.faces import Face, face_of
from rules.notation import Notation


@dataclass(frozen=True)
class Look:
    """The display options of a game; each has a default.

    face: the face of the card called by a name. suits: the word of a suit by its letter. suit_facts: what a fact of the
    position that is a suit is called, by its name (`bound suit`). number_facts: what is shown of one that is a number,
    for 1 and for more (`1 card due`, `{} cards due`). events: what a player does, by event (`must draw`). result: the
    printed result of a played game, an `fsm.transcript.Transcript`, without a line end; None for the scores.
    """

    face: Callable[[Notation, str], Face] = face_of
    suits: Mapping[str, str] = field(default_factory=dict)
    suit_facts: Mapping[str, str] = field(default_factory=dict)
    number_facts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    result: Callable[[Any], str] | None = None
