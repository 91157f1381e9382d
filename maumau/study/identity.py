"""The versions and the declaration hash that must be equal on all machines that work on a study."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from typing import Any

from fsm.declaration.policy import SteppedPolicy
from fsm.edge.extras import version_of
from fsm.match.identity import play_hash
from fsm.registry import game_class

PACKAGE = "maumau"
PACKAGES = (PACKAGE, "llvmlite", "numpy", "pyarrow")
RULES = ("declaration", "rule ", "policy ")
"""How the names of what says how the games are played begin."""
SINCE_0_1_0 = {
    "b92d92bbde8d273f": "de1c017d5d8eb4d9",  # maumau
    "f1a749be6bd01278": "fe856f59dd4122ad",  # uno
    "dc3052440c9d977a": "114f7ae16d836fe1",  # uno-official
    "cc762fe670f5ca25": "54da6e91f4258ced",  # mahjong
}
"""The hashes of declarations by 0.1.0, which depended on its modules and on the bytecode of Python 3.11, and what they
are now: games that are played as before. It may go when studies of 0.1.0 need not be read any more.
"""
Identity = Mapping[str, str]


@cache
def identity(*games: str, policies: tuple[str, ...] = ()) -> Identity:
    """Versions by name, a hash of the declaration of each game, and the content hash of each house rule.

    policies: the names of the players; of those that are no policies of the declaration, the content hash is added.
    """
    found = {"python": platform.python_version()} | {name: version_of(name) or "missing" for name in PACKAGES}
    for game in games:
        found["declaration" if game == games[0] else f"declaration of {game}"] = play_hash(game_class(game).declaration)
        found |= {f"rule {rule.name}": rule.digest for rule in game_class(game).rules}
    chosen = {name: game_class(games[0]).declaration.policy(name) for name in policies}
    players = {name: policy.identity for name, policy in chosen.items() if isinstance(policy, SteppedPolicy)}
    return found | {f"policy {name}": digest[:16] for name, digest in players.items()}


def rules_of(whole: Identity) -> Identity:
    """The part of an identity that says how the games are played: no versions."""
    return {name: value for name, value in whole.items() if name.startswith(RULES)}


def known_now(plain: Mapping[str, Any]) -> dict[str, Any]:
    """An identity, or an origin of rows, with the hash of the declaration that is now in place of that by 0.1.0."""
    return {
        name: SINCE_0_1_0.get(value, value) if name == "declaration" and isinstance(value, str) else value
        for name, value in plain.items()
    }


def differences(here: Identity, there: Identity) -> list[str]:
    """The differences in words: `llvmlite 0.44.0, here 0.48.0`."""
    names = dict.fromkeys((*here, *there))
    return [
        f"{name} {there.get(name, 'missing')}, here {here.get(name, 'missing')}"
        for name in names
        if here.get(name) != there.get(name)
    ]
