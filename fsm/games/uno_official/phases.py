"""The phases of official UNO."""

from __future__ import annotations

from fsm.declaration.arcs import Phase


class UnoOfficialPhase(Phase):
    """The phases of a round of official UNO."""

    INITIAL = "initial"
    AWAIT_PLAY = "await-play"
    DRAWN_CHOICE = "drawn-choice"
    UNO_CALL = "uno-call"
    UNO_PENDING = "uno-pending"
    EFFECT_PENDING = "effect-pending"
    COLOUR_CHOICE = "colour-choice"
    CHALLENGE_PENDING = "challenge-pending"
    SKIP_PENDING = "skip-pending"
    DRAW_PENDING = "draw-pending"
    DRAWING = "drawing"
    RESHUFFLE = "reshuffle"
    ROUND_OVER = "round-over"


(INITIAL, AWAIT_PLAY, DRAWN_CHOICE, UNO_CALL, UNO_PENDING, EFFECT_PENDING, COLOUR_CHOICE, CHALLENGE_PENDING,
 SKIP_PENDING, DRAW_PENDING, DRAWING, RESHUFFLE, ROUND_OVER) = UnoOfficialPhase  # fmt: skip
