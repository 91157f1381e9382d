"""House rules: named, documented edits of a declared game; and the words of declarations that they are made of."""

from typing import Any

from fsm.edge.door import found


def __getattr__(name: str) -> Any:
    """A name that `__init__.pyi` lists, imported on first use: a game without house rules starts without them."""
    return globals().setdefault(name, found(__name__, name))
