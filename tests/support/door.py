"""The door of the package: its functions, and the classes whose instances people make to play, with valid arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from random_nets import random_net

import maumau
from fsm.match.transcript import play_stepped
from maumau import Batch, Game, Match, MauMau, Observed, Search, Setup, SmallDeck, StudySpec, Table, bulk
from maumau.kernels.bulk import matches, play, play_dealt, total
from rules.reading import Dealt

SMALL = SmallDeck("DS HS DQ SQ CQ", 2, 1)
GAME = MauMau.declaration
FEW = MauMau.with_deck("DS HS DQ HQ", each=1)
DECKS = bulk.deal(2, 2, 7)
(PLAYED,) = play_stepped(MauMau, [Dealt(2, bytes(MauMau.deck_of(2, 7)))], ["house"], 0)
RECORD = maumau.record_of(PLAYED)
NET = random_net(GAME, 2)
SEATS = maumau.Person("Ann"), maumau.Computer("house")


def play_by(kernel: Callable[..., Any], **own: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A call of `bulk` with all its arguments."""
    return kernel, {"players": 2, "policies": ["random"], "seed": 7, "first": 0, "threads": 2, "tally": False,
                    "game": "maumau", "notify": None, **own}  # fmt: skip


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "bulk.deal": (bulk.deal, {"players": 2, "games": 1, "seed": 7, "first": 0, "game": "maumau"}),
    "bulk.play": play_by(play, decks=DECKS, log=False, into=None),
    "bulk.play_dealt": play_by(play_dealt, games=1, log=False),
    "bulk.total": play_by(total, games=1),
    "bulk.matches": play_by(matches, matches=1, target=100),
    "Batch": (
        Batch,
        {"game": MauMau, "players": 3, "slots": 3, "seed": 7, "others": "house", "learner": 2, "rewards": None, "memory": True, "events": 2,
         "limit": 50, "threads": 2, "notify": None},
    ),
    "Match": (
        Match, {"game": MauMau, "players": 2, "seed": 7, "number": 5, "policies": "house", "target": 100},
    ),
    "Observed": (Observed, {"game": MauMau.deal(2, 7), "memory": True, "events": 3}),
    "Search": (
        Search,
        {"game": MauMau, "players": 3, "worlds": 8, "others": None, "own": None, "infer": True, "by_deal": True, "tree": False,
         "rewards": None, "seed": 7, "threads": 2, "notify": None},
    ),
    "Setup": (
        Setup,
        {"game": "maumau", "seats": SEATS, "key": "", "seed": 7, "number": 5, "target": 100, "turn_seconds": 60,
         "claim_seconds": 9},
    ),
    "StudySpec": (
        StudySpec,
        {"game": "maumau", "players": 2, "games": 4, "seed": 7, "policies": ("house",), "first": 0, "rotate": True,
         "chunk": 4, "until_width": None, "confidence": 0.95, "compared_with": None, "target": None},
    ),
    "Table": (Table, {"setup": Setup(game="maumau", seats=SEATS)}),
    "action_space": (maumau.action_space, {"game": GAME}),
    "choice": (maumau.choice, {"function": lambda table: 0}),
    "effect": (maumau.effect, {"function": lambda table: None}),
    "explore": (maumau.explore, {"kind": MauMau, "small": SMALL, "most": 9, "notify": None}),
    "explore_stepped": (
        maumau.explore_stepped, {"kind": MauMau, "small": SMALL, "most": 9, "first": False, "notify": None},
    ),
    "game_class": (maumau.game_class, {"game": "maumau"}),
    "game_of": (maumau.game_of, {"declaration": GAME}),
    "guard": (maumau.guard, {"refusal": "no"}),
    "information_state": (
        maumau.information_state,
        {"game": MauMau.deal(2, 7), "player": 1, "remembers": True},
    ),
    "layout": (maumau.layout, {"game": GAME, "players": 2, "memory": True, "events": 2}),
    "query": (maumau.query, {"function": lambda table: 0}),
    "read_record": (maumau.read_record, {"line": "{}"}),
    "record_of": (maumau.record_of, {"played": PLAYED}),
    "register": (maumau.register, {"kind": MauMau}),
    "register_form": (maumau.register_form, {"form": maumau.Form("a", "B", "C.", lambda game, text: None)}),
    "render": (maumau.render, {"declaration": GAME, "format": "dot", "shown": maumau.Overlay(), "scale": 1}),
    "replay": (maumau.replay, {"record": RECORD, "expected": None, "of": Game}),
    "rule": (maumau.rule, {"function": lambda table: 0}),
    "best_response": (
        maumau.best_response,
        {"game": MauMau, "players": 2, "to": None, "games": 1, "tested": 2, "seed": 0, "settings": None, "notify": None},
    ),
    "strength": (maumau.strength, {"net": NET, "games": 1, "seed": 0, "others": None}),
    "survey": (maumau.survey, {"kind": FEW, "games": 1, "seed": 7, "notify": None}),
    "train": (
        maumau.train,
        {"game": MauMau, "players": 2, "games": 1, "seed": 0, "others": None, "settings": None, "start": None,
         "notify": None},
    ),
    "write_dataset": (
        maumau.write_dataset,
        {"file": "unwritten.npz", "game": MauMau, "players": 2, "games": 1, "policies": (), "seed": 0, "first": 0, "rewards": None},
    ),
    "TrainingSettings": (
        maumau.TrainingSettings, {"searched": 0.5, "worlds": 2, "hidden": 8, "rewards": None},
    ),
    "respond_to": (
        maumau.respond_to, {"kind": FEW, "policy": "house", "memory": 10**9, "notify": None},
    ),
    "solve_hidden": (
        maumau.solve_hidden,
        {"kind": FEW, "policies": ("house",), "turns": 0, "gap": 0.5, "memory": 10**9, "seed": 0, "state": None,
         "notify": None},
    ),
    "solve_open": (
        maumau.solve_open,
        {"kind": FEW, "players": 2, "policies": ("house",), "memory": 10**9, "state": None, "notify": None},
    ),
    "solve_position": (
        maumau.solve_position, {"game": FEW.parse("2 DS HS DQ HQ"), "memory": 10**9, "notify": None},
    ),
}  # fmt: skip
