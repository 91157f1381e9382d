"""Games as machines: declared, stepped, checked, compiled.

from fsm import MauMau
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

Part of maumau.
"""

from typing import Any

from fsm.foreign import check

check("rules")  # before anything of it is imported


def __getattr__(name: str) -> Any:
    """A name that `__init__.pyi` lists, imported on first use."""
    from fsm.edge.door import found

    return globals().setdefault(name, found(__name__, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
