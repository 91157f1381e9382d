"""The phases and arcs of mahjong at the table, and who acts in each phase."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Control, Offer, Phase
from fsm.declaration.asking import Asking
from rules.asking import ask_first
from rules.mahjong.play import claims, discard, wall, winning


class MahjongPhase(Phase):
    """The phases of a game of mahjong."""

    INITIAL = "initial"
    DRAW = "draw"
    TURN = "turn"
    REPLACEMENT = "replacement"
    DISCARD = "discard"
    ASK_WIN = "ask-win"
    ASK_SET = "ask-set"
    ASK_RUN = "ask-run"
    GAME_OVER = "game-over"


INITIAL, DRAW, TURN, REPLACEMENT, DISCARD, ASK_WIN, ASK_SET, ASK_RUN, GAME_OVER = MahjongPhase
ASKING = (ASK_WIN, ASK_SET, ASK_RUN)

LAID_ON_PILE = "A tile of the hand goes on the pile, and the others are asked whether they claim it."
GANG_LAID = "Four equal tiles are laid out; another tile is taken."

WIN_CLAIMS = Asking(phase=ASK_WIN, nobody=ASK_SET, then=(ask_first,), able=winning.wins_with_discard,
                    description="Nobody wins with it: pungs and gangs are asked for.")  # fmt: skip
SET_CLAIMS = Asking(phase=ASK_SET, nobody=ASK_RUN, then=(ask_first,), able=claims.two_held,
                    description="Nobody claims it as a set: the next player is asked for a chow.")  # fmt: skip
RUN_CLAIM = Asking(phase=ASK_RUN, nobody=DRAW, another=None, able=claims.run_can_be_made,
                   description="Nobody claims it: it stays on the pile, and the next player is in turn.")  # fmt: skip

ARCS = (
    Arc("open", INITIAL, DRAW, description="The first player begins; no tile is open."),
    Arc("take", DRAW, TURN, when=(wall.wall_left,), then=(wall.take_tile,), description="The top tile of the wall."),
    Arc("exhaust", DRAW, GAME_OVER, unless=(wall.wall_left,), then=(winning.exhaust_wall,),
        description="The wall is exhausted: nobody wins."),
    Arc("win", TURN, GAME_OVER, when=(winning.hand_wins,), then=(winning.win,),
        description="The hand wins: every other player pays its score."),
    Arc("gang", TURN, REPLACEMENT, when=(claims.four_held, wall.wall_left), then=(claims.lay_gang,),
        description=GANG_LAID),
    Arc("gang", TURN, REPLACEMENT, when=(claims.joins_pung, wall.wall_left), then=(claims.add_to_pung,),
        description="The fourth tile is laid to a pung; another tile is taken."),
    Arc("discard", TURN, ASK_WIN, when=(discard.is_in_hand,), then=(discard.discard_tile, ask_first),
        description=LAID_ON_PILE),
    Arc("take", REPLACEMENT, TURN, then=(wall.take_tile,), description="The top tile of the wall replaces the gang."),
    Arc("discard", DISCARD, ASK_WIN, when=(discard.is_in_hand,), then=(discard.discard_tile, ask_first),
        description=LAID_ON_PILE),
    Arc("win", ASK_WIN, GAME_OVER, when=(winning.wins_with_discard,), then=(winning.win_with_discard,),
        description="The hand wins with the open tile: who discarded it pays its score."),
    *WIN_CLAIMS.arcs(),
    Arc("gang", ASK_SET, REPLACEMENT, when=(claims.is_open_tile, claims.three_held, wall.wall_left),
        then=(claims.claim_gang,), description=GANG_LAID),
    Arc("pung", ASK_SET, DISCARD, when=(claims.is_open_tile, claims.two_held), then=(claims.claim_pung,),
        description="Three equal tiles are laid out; a tile is discarded."),
    *SET_CLAIMS.arcs(),
    Arc("chow", ASK_RUN, DISCARD, when=(claims.begins_run,), then=(claims.claim_chow,),
        description="Three tiles in a row are laid out; a tile is discarded."),
    *RUN_CLAIM.arcs(),
)  # fmt: skip
DISJOINT = ((claims.four_held, claims.joins_pung),)

CONTROL = {
    INITIAL: Control(forced=("open",)),
    DRAW: Control(forced=("take", "exhaust"), starts_turn=True),
    TURN: Control(offers=(
        Offer("win"), Offer("gang", cards=claims.gangs_in_turn), Offer("discard", cards=discard.tiles_in_hand))),
    REPLACEMENT: Control(forced=("take",)),
    DISCARD: Control(offers=(Offer("discard", cards=discard.tiles_in_hand),), starts_turn=True),
    ASK_WIN: WIN_CLAIMS.control(Offer("win")),
    ASK_SET: SET_CLAIMS.control(
        Offer("gang", cards=claims.gang_claims, from_hand=False),
        Offer("pung", cards=claims.pung_tiles, from_hand=False)),
    ASK_RUN: RUN_CLAIM.control(Offer("chow", cards=claims.run_starts, from_hand=False)),
}  # fmt: skip
