"""Positions of UNO: which are refused, and that each one of a game round-trips."""

from __future__ import annotations

import pytest
from uno_games import at

from fsm import PositionError


@pytest.mark.parametrize(
    ("short", "fault"),
    [
        ("await-play hands=R1/B1 discard=R3,WC draw=...", "a card that is not a wild"),
        ("await-play colour=R hands=R1/B1 discard=R3 draw=...", "matched on a card that is not a wild"),
        (
            "await-play reversed=2 hands=R1/B1 discard=R3 draw=...",
            "the direction of play is reversed or is not, which is 1 or 0",
        ),
        ("await-play due=1 hands=R1/B1 discard=R3 draw=...", "where nobody draws no card is due"),
        ("await-play hands=R1/- discard=R3 draw=...", "while nobody draws all hold cards"),
        ("await-play wilds=1 hands=R1/B1 discard=R3 draw=...", "use a number for each of 2 players"),
        ("await-play calls=1/x hands=R1/B1 discard=R3 draw=...", "use a number from 0"),
        ("await-play hands=R0,R0/B1 discard=R3 draw=...", "R0 appears too often"),
        ("await-play hands=R1/B1 discard=R3 draw=R4", "missing; use all 108 cards"),
        ("await-play hands=R1 discard=R3 draw=...", "hands of 1 player; use 2 to 10"),
        ("colour-named hands=R1/B1 discard=R3,WC draw=...", "a colour is named exactly"),
        ("initial hands=R1/B1 discard=WC draw=...", "matched on a card that is not a wild"),
        ("skip-pending hands=R1/B1 discard=R3 draw=...", "an open skip"),
        ("draw-pending due=4 hands=R1/B1 discard=RD draw=...", "two or four cards due"),
        ("draw-pending due=2 hands=-/- discard=R3,RD draw=...", "one card is drawn where none fits"),
        ("draw-pending due=4 hands=R1/B1 discard=R3,WF draw=...", "a colour is named exactly"),
        ("drawing due=2 hands=R1/B1 discard=R3 draw=...", "one card is drawn where none fits"),
        ("drawing due=1 hands=B1/- discard=R3 draw=...", "one card is drawn where none fits"),
        ("game-over hands=R1/- discard=R3 draw=...", "a game that is over has an ending"),
        ("await-play reversed=1 hands=R1/B1 discard=R3 draw=...", "has turned with each reverse"),
        ("await-play reversed=0 hands=R1/B1 discard=R3,RR draw=...", "has turned with each reverse"),
        ("await-play wilds=1/0 hands=R1/B1 discard=R3 draw=...", "with which colours were named lie on the discard"),
        ("await-play wilds=0/0 hands=R1/B1 discard=R3,WC,R4 draw=...", "with which colours were named lie on"),
        ("await-play calls=1/1 hands=R1/B1 discard=R3,R4 draw=...", "a player who calls has dropped a card"),
        ("initial player=2 hands=R1/B1 discard=R3 draw=...", "player 1 is in turn"),
        ("initial reversed=1 hands=R1/B1 discard=RR draw=...", "player 1 is in turn"),
        ("initial hands=R1/B1,B2 discard=R3 draw=...", "all hold equally many cards"),
        ("initial hands=R1/B1 discard=R3,R4 draw=...", "only the opening card"),
        ("initial hands=R1/B1 discard=R3 draw=...", "newly dealt; use 7 in each hand"),
        ("drawing due=1 hands=R1/B1 discard=R3 draw=...", "one card is drawn where none fits"),
        ("drawing due=2 colour=G hands=R1/B1 discard=R3,WF draw=...", "what was drawn is in the hand"),
        ("drawing due=0 hands=B1/B1 discard=R3 draw=...", "what was drawn is in the hand"),
        ("draw-pending due=4 colour=G hands=R1/- discard=R3,WF draw=...", "that was not the last card"),
        ("game-over ending=won winner=1 player=2 hands=-/B1 discard=R4,R3 draw=...", "rightly so"),
        ("game-over ending=won winner=1 player=1 hands=-/B1,B2 discard=R3,RD draw=...", "rightly so"),
        ("game-over ending=won winner=1 player=2 due=1 hands=-/B1,B2 discard=R3,RD draw=...", "rightly so"),
        ("game-over ending=won winner=1 hands=-/B1 discard=R3 draw=...", "a player who calls has dropped a card"),
        ("game-over ending=endless hands=R1/B1 discard=R3 draw=...", "rightly so"),
        ("game-over ending=out-of-cards due=1 hands=B1/B1 discard=R3 draw=...", "rightly so"),
        ("game-over ending=out-of-cards due=1 hands=R1/B1 discard=...,R3 draw=-", "rightly so"),
    ],
)
def test_what_is_no_position_is_refused(short: str, fault: str) -> None:
    with pytest.raises(PositionError, match=fault):
        at(short)
