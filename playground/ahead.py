"""The games and house rules of this package as texts of the playground, and their kernels, which are made ahead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from running import made

from fsm.hashes import rules_hash
from fsm.registry import BUILT_IN, game_class
from maumau.kernels.bulk.ahead import wasm_of

Text = dict[str, str]
"""A text of the page: its name, its title and its source."""


def games() -> Iterator[Text]:
    """The games that are built in, alone and with each of their house rules and profiles."""
    for name in BUILT_IN:
        kind = game_class(name)
        book, title = kind.rulebook(), kind.declaration.title
        yield {"name": name, "title": title, "source": _source(f"{title}.", kind.__name__)}
        rules = {rule.name: rule.description for rule in book.listed()}
        rules |= {profile.name: f"{', '.join(profile.rules)}." for profile in book.profiles}
        for rule, description in rules.items():
            source = _source(f"{title}: {description}", kind.__name__, f'.with_rules("{rule}")')
            yield {"name": f"{name}+{rule}", "title": f"{title}: {rule}", "source": source}


def _source(description: str, kind: str, rules: str = "") -> str:
    return f'"""{description}"""\n\nfrom maumau import {kind}\n\nGAME = {kind}{rules}\n'


def write_kernels(folder: Path, texts: Iterable[Text]) -> dict[str, str]:
    """Write a kernel for each game; the names of the texts by the hashes of their games, which the files are called."""
    names: dict[str, str] = {}
    for text in texts:
        game = made(text["source"]).kind.declaration
        key = rules_hash(game, *game.policies, game.chain)
        if key not in names:
            (folder / f"{key}.wasm").write_bytes(wasm_of(game))
            names[key] = text["name"]
    return names
