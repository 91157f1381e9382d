"""Mutants of a declared game, and which property kills them."""

from dataclasses import replace

from maumau import DeclarationError, MauMau, explore_stepped

GAME = MauMau.declaration


def with_arc(arc, changed):
    """The arcs with one changed."""
    return tuple(changed if each is arc else each for each in GAME.arcs)


def without_effect(arc, effect):
    """The arc without one of its effects."""
    return replace(arc, before=tuple(each for each in arc.before if each is not effect))


def killed_by(arcs):
    """The first property that fails for MauMau with these arcs, or None."""
    try:
        mutant = type("Mutant", (MauMau,), {"declaration": replace(GAME, arcs=arcs)})
    except DeclarationError as error:
        return f"refused: {error}"
    failures = explore_stepped(mutant, GAME.small_decks[0], first=True).failures
    return failures[0] if failures else None
