"""Card games as declared finite-state machines: stepped, drawn, checked, compiled.

from maumau import MauMau, bulk
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

All public names are imported from here, each when it is first asked for: `import maumau` takes no time.

Part of maumau.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """A name that `__init__.pyi` lists, imported on first use."""
    from maumau.neighbours import check_neighbours

    check_neighbours()
    from fsm.edge.door import found

    return globals().setdefault(name, found(__name__, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
