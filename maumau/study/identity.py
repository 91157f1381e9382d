"""The versions and the declaration hash that must be equal on all machines that work on a study."""

from __future__ import annotations

import hashlib
import inspect
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import maumau.kernels.bulk.histograms
from fsm.declaration.policy import SteppedPolicy
from fsm.declaration.table_fields import default_values
from fsm.fingerprint import fingerprint
from fsm.registry import game_class
from maumau.kernels.bulk.match_source import source_of as source_of_matches
from maumau.kernels.compiler import Plan, dealing_source, source_of

PACKAGES = ("maumau", "llvmlite", "numpy", "pyarrow")
Identity = Mapping[str, str]


@cache
def identity(*games: str, policies: tuple[str, ...] = ()) -> Identity:
    """Versions by name, a hash of the declaration of each game, and the content hash of each house rule.

    policies: the names of the players; of those that are no policies of the declaration, the content hash is added.
    """
    found = {"python": platform.python_version()} | {name: _version(name) for name in PACKAGES}
    for game in games:
        found["declaration" if game == games[0] else f"declaration of {game}"] = declaration_hash(game)
        found |= {f"rule {rule.name}": rule.digest for rule in game_class(game).rules}
    chosen = {name: game_class(games[0]).declaration.policy(name) for name in policies}
    players = {name: policy.identity for name, policy in chosen.items() if isinstance(policy, SteppedPolicy)}
    return found | {f"policy {name}": digest[:16] for name, digest in players.items()}


def rules_of(whole: Identity) -> Identity:
    """The part of an identity that says how the games are played: no versions."""
    return {name: value for name, value in whole.items() if name not in ("python", *PACKAGES)}


def declaration_hash(name: str) -> str:
    """A hash of everything that determines how a game is played, alone or in a match: arcs, policies, rule functions.

    It is equal on every machine. The modules that determine the content of a chunk are hashed, too.
    """
    game = game_class(name).declaration
    texts = [str(arc) for arc in game.arcs]
    plan = Plan(game, game.policies, tally=True, repetition=True)
    for source in (dealing_source(game), source_of(plan), source_of_matches(plan)):
        texts += [source.text, fingerprint(*source.functions.values())]
    texts += [repr(default_values(game.table)), inspect.getsource(maumau.kernels.bulk.histograms)]
    texts += [
        path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")) if _affects_chunks(path)
    ]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def differences(here: Identity, there: Identity) -> list[str]:
    """The differences in words: `llvmlite 0.44.0, here 0.48.0`."""
    names = dict.fromkeys((*here, *there))
    return [
        f"{name} {there.get(name, 'missing')}, here {here.get(name, 'missing')}"
        for name in names
        if here.get(name) != there.get(name)
    ]


def _affects_chunks(path: Path) -> bool:
    """Whether a module of this package determines the content of a chunk."""
    return path.stem in ("counts", "paired", "playing", "rows")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"
