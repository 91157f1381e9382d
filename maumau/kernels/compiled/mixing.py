"""Keys: numbers into which others are mixed, so that equal keys stand for equal sequences of numbers."""

from __future__ import annotations

LOW_HALF = 0xFFFFFFFF
"""The lower 32 bits of a number."""


def mixed(key: int, number: int) -> int:
    """Return a key into which a number is mixed."""
    found = (key ^ number) * 0x1E3779B97F4A7C15
    found ^= found >> 29
    found *= 0x3F58476D1CE4E5B9
    return found ^ found >> 32
