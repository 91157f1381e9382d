"""Whether a text can be read on its ground, as WCAG 2 measures it."""

from __future__ import annotations

from collections.abc import Iterable

READABLE = 4.5
"""The contrast that WCAG 1.4.3 asks for."""


def luminance(colour: Iterable[int]) -> float:
    """The relative luminance of red, green and blue from 0 to 255."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(*luminances: float) -> float:
    """Between the darkest and the lightest of some luminances."""
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)
