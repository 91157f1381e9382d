"""House rules: named, documented edits of a declared game; and the words of declarations that they are made of."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsm.declaration.arcs import Arc, Choice, Control, Invariant, Offer, Postcondition, SmallDeck
    from fsm.declaration.page import arcs_in, ask, choose, forced, lay, offer, on, turn
    from fsm.variants.draft import ClashError
    from fsm.variants.edits import (
        AddArcs,
        AddDeck,
        AddField,
        AddPhase,
        Allow,
        Arcs,
        Beside,
        ChangeArcs,
        Check,
        Constant,
        CopyPhase,
        Decide,
        DropArcs,
        DropPhase,
        Force,
        Means,
        ReplaceArcs,
        Reveal,
        Reword,
        SetControl,
        SplitArcs,
        Variant,
        Waive,
        Withdraw,
        in_phase,
    )
    from fsm.variants.made import added_phase
    from fsm.variants.rulebook import Family, Profile, Rulebook, UnknownRule

__all__ = [
    "AddArcs",
    "AddDeck",
    "AddField",
    "AddPhase",
    "Allow",
    "Arc",
    "Arcs",
    "Beside",
    "ChangeArcs",
    "Check",
    "Choice",
    "ClashError",
    "Constant",
    "Control",
    "CopyPhase",
    "Decide",
    "DropArcs",
    "DropPhase",
    "Family",
    "Force",
    "Invariant",
    "Means",
    "Offer",
    "Postcondition",
    "Profile",
    "ReplaceArcs",
    "Reveal",
    "Reword",
    "Rulebook",
    "SetControl",
    "SmallDeck",
    "SplitArcs",
    "UnknownRule",
    "Variant",
    "Waive",
    "Withdraw",
    "added_phase",
    "arcs_in",
    "ask",
    "choose",
    "forced",
    "in_phase",
    "lay",
    "offer",
    "on",
    "turn",
]
MODULES = (
    *("fsm.variants.edits", "fsm.variants.rulebook", "fsm.variants.draft", "fsm.variants.made"),
    *("fsm.declaration.page", "fsm.declaration.arcs"),
)
"""Where the names are."""


def __getattr__(name: str) -> Any:
    """One of the names, imported on first use: a game without house rules starts without them."""
    if name in __all__:
        for module in map(import_module, MODULES):
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'fsm.variants' has no attribute {name!r}")
