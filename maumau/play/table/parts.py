"""Parts of what is sent to players: what several of them see is encoded once, however many they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar("T")
ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)


class Part:
    """Some fields of an object as plain data, and as JSON."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """fields: at least one; they do not change any more."""
        self.fields = fields

    @cached_property
    def text(self) -> str:
        """The fields as JSON, without the braces."""
        return ENCODER.encode(self.fields)[1:-1]


def encoded(parts: Iterable[Part]) -> str:
    """An object as JSON, from parts without a common field."""
    return f"{{{','.join([part.text for part in parts])}}}"


class FoundOnce(dict[Hashable, tuple[Any, Any]]):
    """Things that are found once as long as what they follow from is the same."""

    def once(self, what: Hashable, source: Any, find: Callable[[], T]) -> T:
        """A thing: found now, or before from the same `source`."""
        kept = self.get(what)
        if kept is None or kept[0] != source:
            kept = self[what] = source, find()
        found: T = kept[1]
        return found
