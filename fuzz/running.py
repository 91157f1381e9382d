"""Runs targets under atheris: coverage-guided fuzzing with libFuzzer."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

PACKAGES = ["rules", "fsm", "render", "maumau.kernels", "maumau.play", "maumau.cli"]
"""The packages that are instrumented."""
LIMITS = {"timeout": 10, "rss_limit_mb": 1024, "max_len": 16_384}
"""Seconds for an input, memory in all, bytes of an input; an option that is given twice counts as given last."""
NEAR = 0.3
"""How often a near miss of the target is tried instead of what libFuzzer makes of the bytes."""
FOUND = Path(__file__).parent / "found"
"""The folder for inputs on which a target fails."""


def run(targets: Sequence[str], options: Sequence[str]) -> int:
    """Fuzz each target in a process of its own, as many at a time as there are processors, until a failure, or as
    libFuzzer's `options` request. Returns 0 if none failed.
    """
    import atheris

    with atheris.instrument_imports(include=PACKAGES):  # once, as it takes longer than a short fuzz
        import_all(PACKAGES)
        attacked = [import_module(f"fuzz.targets.{target}") for target in targets]
    FOUND.mkdir(exist_ok=True)
    failed, at_once = 0, os.cpu_count() or 1
    for number in range(len(attacked) + at_once):
        if number >= at_once:
            failed |= os.waitstatus_to_exitcode(os.wait()[1])
        if number < len(attacked) and not os.fork():
            attack(attacked[number], options)
    return failed


def attack(attacked: Any, options: Sequence[str]) -> None:
    """Fuzz a target; it ends this process."""
    import atheris

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        dice = random.Random(seed)
        found: bytes = attacked.near(data, dice)[:most] if dice.random() < NEAR else atheris.Mutate(data, most)
        return found

    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for number, seed in enumerate(attacked.SEEDS):
            (corpus / f"seed-{number}").write_bytes(seed)
        words = Path(folder, "words")
        words.write_text(dictionary(attacked.WORDS))
        usual = {**LIMITS, "artifact_prefix": f"{FOUND}/", "dict": words}
        defaults = [f"-{name}={value}" for name, value in usual.items()]
        atheris.Setup(
            [sys.argv[0], *defaults, *options, str(corpus)],
            attacked.check,
            custom_mutator=mutated,
        )
        atheris.Fuzz()


def import_all(packages: Iterable[str]) -> None:
    """Import every module that needs no extra, including those that are otherwise imported on use."""
    for package in packages:
        for module in walk_packages([package.replace(".", "/")], f"{package}."):
            if not module.name.endswith("__main__"):
                with suppress(ImportError):
                    import_module(module.name)


def dictionary(words: Iterable[str]) -> str:
    """A dictionary in the format of libFuzzer, all bytes in hexadecimal digits."""
    return "".join(f'"{"".join(f"{chr(92)}x{byte:02x}" for byte in word.encode())}"\n' for word in words)
