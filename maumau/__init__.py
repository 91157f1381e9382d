"""Card games as declared finite-state machines: stepped, drawn, checked, compiled.

from maumau import MauMau, bulk
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

All public names are imported from here, each when it is first asked for: `import maumau` takes no time.

Part of maumau.
"""

from typing import Any

from maumau.door import names
from maumau.neighbours import check_neighbours


def __getattr__(name: str) -> Any:
    """A name that `__init__.pyi` lists, imported on first use, and `__all__`, the list of them."""
    if name == "__all__":
        return sorted(names())
    if name not in names():
        raise AttributeError(f"module 'maumau' has no attribute {name!r}")
    check_neighbours()
    found = globals()[name] = getattr(__import__(names()[name], fromlist=[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *names()})
