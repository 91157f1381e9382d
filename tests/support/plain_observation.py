"""An observation of Mau-Mau, UNO or Crazy Eights, found anew from what a player sees: by field, as people read it.

It is written from the description of the fields and the rules of the piles, not from the generated functions.
"""

from __future__ import annotations

from collections import Counter

from fsm import Game, View

PLAYING, TAKING, TURNING = "play", "take", "turn_pile"
HIDDEN = "?"


def plain_observation(game: Game, player: int) -> dict[str, object]:
    """The fields of the observation of `player` (from 1)."""
    view = game.view(player)
    others = {f"+{step}": (player - 1 + step) % view.players + 1 for step in range(1, view.players)}
    found: dict[str, object] = {
        "hand": Counter(view.hand),
        "open card": Counter([view.open_card] if view.open_card else []),
        "discarded": Counter(view.discard_pile),
        "phase": str(view.phase),
        "hand sizes": [view.hand_sizes[(player - 1 + step) % view.players] for step in range(view.players)],
        "pile sizes": [view.draw_pile_size, len(view.discard_pile)],
    }
    if game.declaration.codec.melds:
        laid = [view.melds[(player - 1 + step) % view.players] for step in range(view.players)]
        found |= {f"melds of +{step}": Counter(map(meld, groups)) for step, groups in enumerate(laid)}
    last = last_choices(game)
    found |= {f"last event of {step}": last.get(other) for step, other in others.items()}
    if max(Counter(game.full_deck()).values()) == 1:
        pile, held = known_cards(game, view)
        found["known in draw pile"] = Counter(pile)
        found |= {f"known with {step}": Counter(held[other]) for step, other in others.items()}
    return found


def meld(tiles: tuple[str, ...]) -> str:
    """What a meld of mahjong is: all its tiles are equal, or they are in a row."""
    shape = "run" if len(set(tiles)) > 1 else {3: "triplet", 4: "gang"}[len(tiles)]
    return f"{shape} of {min(tiles)}"


def last_choices(game: Game) -> dict[int, str]:
    """The event that each player chose last, of those that the others see: in mahjong nobody sees who declines a tile."""
    control = game.declaration.control
    offered = {phase: {offer.trigger for offer in control[phase].offers} - {"decline"} for phase in control}
    return {step.player: step.trigger for step in game.history if step.trigger in offered[step.source]}


def known_cards(game: Game, view: View) -> tuple[set[str], dict[int, set[str]]]:
    """The cards that everybody knows to be in the draw pile, and in each hand: those that lay open once.

    The pile is turned over without being shuffled, so who remembers it knows who takes which card.
    """
    start = game.restarted().view(view.viewer)
    pile, lying = [HIDDEN] * start.draw_pile_size, list(start.discard_pile)
    held: dict[int, set[str]] = {other: set() for other in range(1, view.players + 1)}
    for step in view.history:
        if step.trigger == PLAYING:
            assert step.card
            lying.append(step.card)
            held[step.player].discard(step.card)
        elif step.trigger == TAKING:
            held[step.player] |= {pile.pop(0)} - {HIDDEN}
        elif step.trigger == TURNING:
            pile, lying = lying[:-1], lying[-1:]
    return set(pile) - {HIDDEN}, held
