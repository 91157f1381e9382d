"""The page of mahjong at the table: what is forced in each phase, and what may be chosen and claimed."""

from fsm.declaration.arcs import phases
from fsm.declaration.page import Asking, ask, choose, forced, lay, offer, on, page, turn
from rules.asking import ask_first
from rules.mahjong import game, winning

MahjongPhase = phases("MahjongPhase", "initial draw turn replacement discard ask-win ask-set ask-run game-over")
INITIAL, DRAW, TURN, REPLACEMENT, DISCARD, ASK_WIN, ASK_SET, ASK_RUN, GAME_OVER = MahjongPhase
ASKING = (ASK_WIN, ASK_SET, ASK_RUN)

WIN_CLAIMS = Asking(phase=ASK_WIN, nobody=ASK_SET, before=(ask_first,), able=winning.wins_with_discard,
                    description="Nobody wins with it: pungs and gangs are asked for.")  # fmt: skip
SET_CLAIMS = Asking(phase=ASK_SET, nobody=ASK_RUN, before=(ask_first,), able=game.two_held,
                    description="Nobody claims it as a set: the next player is asked for a chow.")  # fmt: skip
RUN_CLAIM = Asking(phase=ASK_RUN, nobody=DRAW, another=None, able=game.run_can_be_made,
                   description="Nobody claims it: it stays on the pile, and it is the next player's turn.")  # fmt: skip

DISCARD_TILE = offer(
    on("discard", ASK_WIN, conditions=game.is_in_hand, before=(game.discard_tile, ask_first),
       rule="A tile of the hand goes on the pile, and the others are asked whether they claim it."),
    cards=game.tiles_in_hand)  # fmt: skip
GANG = on("gang", REPLACEMENT, conditions=(game.four_held, game.wall_left), before=game.lay_gang,
          rule="Four equal tiles are laid out; another tile is taken.")  # fmt: skip
DISJOINT = ((game.four_held, game.joins_pung),)

ARCS, CONTROL = page({
    INITIAL: forced(on("open", DRAW, rule="The first player begins; no tile is open.")),
    DRAW: forced(
        on("take", TURN, conditions=game.wall_left, before=game.take_tile, rule="The top tile of the wall."),
        on("exhaust", GAME_OVER, unless=game.wall_left, before=winning.exhaust_wall,
           rule="The wall is exhausted: nobody wins.")) | turn(),
    TURN: choose(
        on("win", GAME_OVER, conditions=winning.hand_wins, before=winning.win,
           rule="The hand wins: every other player pays its score."),
        offer(
            GANG,
            on("gang", REPLACEMENT, conditions=(game.joins_pung, game.wall_left), before=game.add_to_pung,
               rule="The fourth tile is laid to a pung; another tile is taken."),
            cards=game.gangs_in_turn),
        DISCARD_TILE),
    REPLACEMENT: forced(on("take", TURN, before=game.take_tile, rule="The top tile of the wall replaces the gang.")),
    DISCARD: turn(DISCARD_TILE),
    ASK_WIN: ask(
        WIN_CLAIMS,
        on("win", GAME_OVER, conditions=winning.wins_with_discard, before=winning.win_with_discard,
           rule="The hand wins with the open tile: the player who discarded it pays its score.")),
    ASK_SET: ask(
        SET_CLAIMS,
        offer(
            on("gang", REPLACEMENT, conditions=(game.is_open_tile, game.three_held, game.wall_left),
               before=game.claim_gang, rule=GANG.rule),
            cards=game.gang_claims, from_hand=False),
        offer(
            on("pung", DISCARD, conditions=(game.is_open_tile, game.two_held), before=game.claim_pung,
               rule="Three equal tiles are laid out; a tile is discarded."),
            cards=game.pung_tiles, from_hand=False)),
    ASK_RUN: ask(
        RUN_CLAIM,
        lay(game.begins_run,
            on("chow", DISCARD, before=game.claim_chow,
               rule="Three tiles in a row are laid out; a tile is discarded."),
            from_hand=False)),
}, DISJOINT)  # fmt: skip
