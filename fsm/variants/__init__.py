"""House rules: named, documented edits of a declared game; and the words of declarations that they are made of."""

from typing import Any

from fsm.edge.door import imported

MODULES = {
    "fsm.declaration.arcs": "Arc Choice Control Invariant Offer Postcondition SmallDeck",
    "fsm.declaration.page": "arcs_in ask choose forced lay offer on turn",
    "fsm.variants.draft": "ClashError",
    "fsm.variants.edits": (
        "AddArcs AddDeck AddField AddPhase Allow Arcs Beside ChangeArcs Check Constant CopyPhase Decide DropArcs "
        "DropPhase Force Means Refuse ReplaceArcs Reveal Reword SetControl Show SplitArcs Variant Waive Withdraw"
    ),
    "fsm.variants.happening": "in_phase",
    "fsm.variants.made": "added_phase",
    "fsm.variants.rulebook": "Family Profile Rulebook UnknownRule",
}
"""Names by the module that defines them; `__init__.pyi` lists them for type checkers and editors."""
__all__ = [name for names in MODULES.values() for name in names.split()]


def __getattr__(name: str) -> Any:
    """Import a name of `MODULES` on first use."""
    return globals().setdefault(name, imported(__name__, MODULES, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
