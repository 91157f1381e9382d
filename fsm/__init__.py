"""Games as machines: declared, stepped, checked, compiled.

from fsm import MauMau
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

Part of maumau.
"""

from typing import Any

from fsm.edge.door import imported

MODULES = {
    "fsm.declaration.arcs": "Arc Choice Control Offer Policy",
    "fsm.declaration.declaration": "Declaration DeclarationError",
    "fsm.declaration.endless": "LongGameError",
    "fsm.declaration.scoring": "Scoring",
    "fsm.games.maumau": "MauMauPhase",
    "fsm.games.maumau.game": "MauMau",
    "fsm.games.uno.game": "Uno",
    "fsm.games.uno_official.game": "UnoOfficial",
    "fsm.match.stepped": "Match",
    "fsm.registry": "RegistryError game_class register",
    "fsm.stepping.game": "Game game_of",
    "fsm.stepping.moves": "Events IllegalMove",
    "fsm.stepping.position": "Position",
    "fsm.table.layout": "PositionError",
    "fsm.stepping.outcomes": "Outcome",
    "fsm.stepping.steps": "Move Step",
    "fsm.stepping.view": "View",
}
"""Names by the module that defines them; `__init__.pyi` lists them for type checkers and editors."""
__all__ = [name for names in MODULES.values() for name in names.split()]


def __getattr__(name: str) -> Any:
    """Import a name of `MODULES` on first use."""
    return globals().setdefault(name, imported(__name__, MODULES, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
