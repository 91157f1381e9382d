"""The house rules of official UNO, one module a rule, each an edit of the declaration; and the profiles."""

from fsm.games.uno_official.house import (
    draw_until_fit,
    jump_in,
    must_play,
    no_action_last,
    no_bluff,
    no_draw_on_last,
    reverse_skips_nothing_with_two,
    seven_zero,
    stack_draw_two,
    stack_draws,
)
from fsm.variants.rulebook import Profile, Rulebook

PROFILES = (
    Profile(
        "progressive-uno",
        ("stack-draws",),
        "the name that stacking goes by in the English Wikipedia, from memory",
    ),
    Profile(
        "family-uno",
        ("stack-draw-two", "draw-until-fit", "seven-zero", "jump-in"),
        "the three that the Wikibook UNO calls the most common (there stacking is stack-draws), and the draw until a "
        "card fits",
    ),
    Profile("strict-uno", ("must-play", "no-bluff", "no-action-last"), "a neutral name: no source known"),
)

RULEBOOK = Rulebook(
    rules=(
        stack_draw_two.RULE,
        stack_draws.RULE,
        draw_until_fit.RULE,
        must_play.RULE,
        no_bluff.RULE,
        seven_zero.RULE,
        jump_in.RULE,
        reverse_skips_nothing_with_two.RULE,
        no_draw_on_last.RULE,
        no_action_last.RULE,
    ),
    profiles=PROFILES,
)
