"""Lines on how far something is that takes long."""

from __future__ import annotations

import time
from collections.abc import Callable

from rules.notation import many

INTERVAL = 10.0
"""Seconds between two lines."""


class Ticker:
    """Tells now and then how far something is, and about how long the rest takes. Time counts from when it is made."""

    def __init__(self, notify: Callable[[str], None] | None) -> None:
        self._notify = notify
        self._started = self._told = time.monotonic()
        self._first: tuple[float, float] | None = None

    def tell(self, text: str, part: float | None = None) -> None:
        """Tell it if it is time. text: how far it is. part: how much of all is done, from 0 to 1, if that is known."""
        now, left = time.monotonic(), ""
        if part is not None:
            since, done = self._first = self._first or (now, part)
            if part > done:
                left = f", {duration((now - since) * (1 - part) / (part - done))} left"
        if self._notify and now - self._told > INTERVAL:
            self._told = now
            self._notify(f"{text} after {now - self._started:.0f} s{left}")


def duration(seconds: float) -> str:
    """About how long something takes, in words."""
    minutes = round(seconds / 60)
    return f"about {many(minutes, 'minute')}" if minutes else "less than a minute"
