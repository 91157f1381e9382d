"""The invariants and postconditions of mahjong, and the small walls with which they are checked."""

from fsm.declaration.arcs import Invariant, Postcondition, ScoreInvariant, SmallDeck
from fsm.games.mahjong.arcs import (
    ASK_RUN,
    ASK_SET,
    ASK_WIN,
    ASKING,
    DISCARD,
    DRAW,
    GAME_OVER,
    INITIAL,
    REPLACEMENT,
    TURN,
)
from rules.mahjong import invariants, postconditions

RUNNING = (INITIAL, DRAW, TURN, REPLACEMENT, DISCARD, *ASKING)

INVARIANTS = (
    Invariant("the open tile is the last one of the pile", invariants.piles_are_sound),
    Invariant("the turn is a player's", invariants.turn_is_a_seat),
    Invariant("hand and three times the melds are 3m + 1 tiles", invariants.hands_are_even,
              (INITIAL, DRAW, REPLACEMENT, *ASKING)),
    Invariant("a player who is to discard has one tile more", invariants.player_has_one_more, (TURN, DISCARD)),
    Invariant("the winner has one tile more", invariants.winner_has_one_more, (GAME_OVER,)),
    Invariant("at the start nothing lies on the pile or is laid out", invariants.nothing_has_happened, (INITIAL,)),
    Invariant("the player after the one in turn draws", invariants.next_one_draws, (DRAW,)),
    Invariant("the player whose turn it is acts", invariants.turn_acts, (TURN, REPLACEMENT, DISCARD)),
    Invariant("a gang that is laid out is replaced from the wall", invariants.gang_is_replaced, (REPLACEMENT,)),
    Invariant("others than the player in turn are asked for the open tile", invariants.other_is_asked, ASKING),
    Invariant("the player after the one in turn is asked for a chow", invariants.next_to_turn_acts, (ASK_RUN,)),
    Invariant("nobody pays before the end", invariants.nothing_is_paid, RUNNING),
    Invariant("a game ends won, and who must pays, or with an empty wall", invariants.ended_rightly, (GAME_OVER,)),
    ScoreInvariant("the winner gains what the others pay: the worth of the hand", invariants.is_paid, (GAME_OVER,)),
)  # fmt: skip
POSTCONDITIONS = (
    Postcondition("nobody's tiles change except those of the player who acts", postconditions.others_keep_their_tiles),
    Postcondition("no tile moves except by a draw, a discard or a claim", postconditions.nothing_moves,
                  ("open", "exhaust", "decline", "pass_over")),
    Postcondition("the same player goes on", postconditions.same_player, ("open", "take", "pung", "gang", "chow")),
    Postcondition("the top tile of the wall is taken", postconditions.tile_is_taken, ("take",)),
    Postcondition("a tile goes from the hand on the pile", postconditions.tile_is_discarded, ("discard",)),
    Postcondition("a pung is the open tile and two of the hand", postconditions.pung_is_laid, ("pung",)),
    Postcondition("a gang is four equal tiles", postconditions.gang_is_laid, ("gang",)),
    Postcondition("a chow is the open tile and two of the hand in a row", postconditions.run_is_laid, ("chow",)),
    Postcondition("a player who wins has won, with the open tile if it is another's turn",
                  postconditions.who_acts_wins, ("win",)),
    Postcondition("a player who may win or lay out a gang has taken a tile",
                  postconditions.tile_is_taken, dests=(TURN,)),
    Postcondition("a player who must discard has claimed the open tile",
                  postconditions.meld_is_claimed, dests=(DISCARD,)),
    Postcondition("a discard is first offered to those who win with it", postconditions.nothing_moves,
                  dests=(DRAW, ASK_SET, ASK_RUN)),
    Postcondition("nobody is asked twice to win with a tile", postconditions.another_was_left,
                  ("decline", "pass_over"), (ASK_WIN,)),
    Postcondition("the players are asked in turn order, from the one after the discarder",
                  postconditions.next_seat_is_asked, ("decline", "pass_over"), ASKING),
    Postcondition("a player who was asked last is in turn if nobody claims", postconditions.same_player,
                  ("decline", "pass_over"), (DRAW,)),
    Postcondition("a player who declines to win could win", postconditions.could_win, ("decline",), (ASK_WIN,)),
    Postcondition("a player who is passed over could not win",
                  postconditions.could_not_win, ("pass_over",), (ASK_WIN,)),
    Postcondition("the last player who declines to win could win", postconditions.could_win_or_claim_set,
                  ("decline",), (ASK_SET,)),
    Postcondition("the last player who is passed over could not win", postconditions.could_not_win_or_claim_set,
                  ("pass_over",), (ASK_SET,)),
    Postcondition("a player who declines a set could claim one",
                  postconditions.could_claim_set, ("decline",), (ASK_RUN,)),
    Postcondition("a player who is passed over could not claim a set", postconditions.could_not_claim_set,
                  ("pass_over",), (ASK_RUN,)),
    Postcondition("a player who declines a chow could claim one",
                  postconditions.could_claim_run, ("decline",), (DRAW,)),
    Postcondition("a player who is passed over could not claim a chow",
                  postconditions.could_not_claim_run, ("pass_over",), (DRAW,)),
)  # fmt: skip

SMALL_DECKS = (
    SmallDeck("1D 1D 1D 1D 2D 2D 2D 2D 3D 3D", 2, 4),
    SmallDeck("2B 2M 2B 1B 1B 1B 2B 1B 2M 2M 2D 2D", 2, 4, large=True),
    SmallDeck("2D 1B 3D 1B 1D 1M 2D 1D 1M 3D 1D 1B 1B 3D", 3, 4, large=True),
)
