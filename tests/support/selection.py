"""Which of many tests a run takes: one part of them, or the sample of a commit, chosen by their names alone."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from zlib import crc32

SAMPLE = 200
"""One in so many tests is in a sample."""


@dataclass(frozen=True)
class Part:
    """Part `number` of `of`, counted from 1: each test is in exactly one."""

    number: int
    of: int

    def has(self, test: str) -> bool:
        return crc32(test.encode()) % self.of == self.number - 1


def part(text: str) -> Part:
    """The part that the option `--part K/N` names."""
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f"expected K/N with K from 1 to N, not {text!r}")
    return Part(int(number), int(of))


def in_sample(test: str, commit: str) -> bool:
    """Whether a commit's sample has a test: over the commits, each has its turn."""
    return crc32(f"{commit} {test}".encode()) % SAMPLE == 0
