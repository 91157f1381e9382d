"""The house rules of Mau-Mau, one module a rule, each an edit of the declaration; and the profiles."""

from fsm.games.maumau.house import (
    ace_skips,
    cover_eight,
    draw_until_fit,
    drawn_card_not_played,
    eights_answered,
    five_each,
    heart_king_draws_five,
    jack_on_jack,
    king_again,
    nine_reverses,
    no_action_last,
    opening_without_effect,
    other_scores,
    play_on_after_penalty,
    sevens_draw,
    sevens_not_answered,
    ten_is_wild,
)
from fsm.variants.rulebook import Profile, Rulebook

PROFILES = (
    Profile(
        "wikipedia-like",
        ("five-each", "eights-answered"),
        "after the article Mau-Mau of the English Wikipedia, from memory",
        "Five cards each",
    ),
    Profile(
        "prsi-like",
        ("five-each", "ace-skips", "eights-answered", "drawn-card-not-played", "jack-on-jack"),
        "after Czech Prší; eights, plain there, still skip here",
        "Czech rules",
    ),
    Profile(
        "lively",
        ("nine-reverses", "king-again", "heart-king-draws-five", "play-on-after-penalty", "no-action-last"),
        "a neutral name: no source known",
        "More special cards",
    ),
)

RULEBOOK = Rulebook(
    rules=(
        nine_reverses.RULE,
        draw_until_fit.RULE,
        jack_on_jack.RULE,
        eights_answered.RULE,
        sevens_not_answered.RULE,
        drawn_card_not_played.RULE,
        opening_without_effect.RULE,
        king_again.RULE,
        ace_skips.RULE,
        heart_king_draws_five.RULE,
        five_each.RULE,
        play_on_after_penalty.RULE,
        no_action_last.RULE,
        cover_eight.RULE,
        ten_is_wild.RULE,
        other_scores.RULE,
    ),
    families=(sevens_draw.RULES,),
    profiles=PROFILES,
)
