"""Card games as declared finite-state machines: stepped, drawn, checked, compiled.

from maumau import MauMau, bulk
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

All public names are imported from here, each when it is first asked for: `import maumau` takes no time.

Part of maumau.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """A name that `__init__.pyi` lists, imported on first use, and `__all__`, the list of them."""
    from maumau.door import found, names

    if name == "__all__":
        return sorted(names())
    if name not in names():
        raise AttributeError(f"module 'maumau' has no attribute {name!r}")
    return globals().setdefault(name, found(name))


def __dir__() -> list[str]:
    from maumau.door import names

    return sorted({*globals(), *names()})
