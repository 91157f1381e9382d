"""The content hashes of house rules, which records have, are those of 0.1.0."""

from __future__ import annotations

from pathlib import Path

from fsm import MauMau

DIGESTS = Path(__file__).parents[1] / "corpus" / "v0.1.0" / "rules_of_maumau.txt"


def test_the_digests_of_all_rules_are_those_of_0_1_0() -> None:
    expected = dict(line.split() for line in DIGESTS.read_text(encoding="utf-8").splitlines())
    assert {rule.name: rule.digest for rule in MauMau.rulebook().rules} == expected
