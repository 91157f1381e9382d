"""The texts with which the examples and the levels of the playground begin: files, some with a few words replaced."""

from __future__ import annotations

from pathlib import Path

PACKED = Path(__file__).parent / "texts"
"""Where the files lie in the archive of the playground."""
ROOT = Path(__file__).parent / ".." / ".."
"""Where they lie in the repository."""
FILES = {
    "turnstile": "docs/course/turnstile.py",
    "traffic-light": "docs/course/traffic_light.py",
    "follow-suit": "docs/howto/follow_suit.py",
    "nine-reverses": "examples/nine_reverses.py",
    "tens-skip": "examples/tens_skip.py",
    "crazy-eights": "examples/crazy_eights.py",
    **{name: f"playground/levels/{name}.py" for name in ("door", "lift", "refund", "one-way-box", "ace-again")},
}
"""The files, from the root of the repository, by the names that links and levels use."""
Change = tuple[str, str]


def text_of(name: str, *changes: Change) -> str:
    """The text of a file. changes: what stands there, and what is put in its place wherever it does.

    Raises ValueError where it does not stand there.
    """
    packed = PACKED / f"{name}.py"
    text = (packed if packed.exists() else ROOT / FILES[name]).read_text(encoding="utf-8")
    return changed_text(text, *changes)


def changed_text(text: str, *changes: Change) -> str:
    """A text with words replaced, as for `text_of`."""
    for old, new in changes:
        if old not in text:
            raise ValueError(f"the text has no {old!r}")
        text = text.replace(old, new)
    return text
