"""A study of a game from outside: workers of a cluster receive its file and its hash, and refuse another one."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from outside import game_file

from fsm import outside, registry
from fsm.outside import admit, read_source
from study.cluster import identity_of, sent_game
from study.identity import differences, identity


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    monkeypatch.setattr(outside, "_sources", {})
    identity.cache_clear()


def test_a_worker_knows_the_game_by_its_file_alone(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    admit(read_source(f"{path}:Other"))
    here, sent = identity("other"), pickle.loads(pickle.dumps(sent_game("other")))
    path.unlink()
    registry._registered.pop("other")
    assert differences(here, identity_of("other", sent)) == []
    assert sent_game("maumau") is None


def test_a_worker_refuses_a_file_with_another_hash(tmp_path: Path) -> None:
    admit(read_source(f"{game_file(tmp_path)}:Other"))
    sent = sent_game("other")
    assert sent
    changed = sent._replace(source=replace(sent.source, text=b"raise AssertionError('executed')"))
    registry._registered.pop("other")
    output = " ".join(differences(identity("maumau"), identity_of("other", changed)))
    assert "the file that arrived has the hash" in output
    assert "other" not in registry._registered


def test_a_worker_that_has_another_game_of_the_name_refuses(tmp_path: Path) -> None:
    admit(read_source(f"{game_file(tmp_path)}:Other"))
    sent = sent_game("other")
    registry._registered.pop("other")
    admit(read_source(f"{game_file(tmp_path, more='# changed')}:Other"))
    assert "the name 'other' is taken" in identity_of("other", sent)["game"]


def test_the_identity_is_that_of_the_content(tmp_path: Path) -> None:
    """Neither the place of the file nor a comment in it changes how the game is played."""
    found = []
    for folder, more in (("a", ""), ("b", ""), ("c", "# a comment")):
        (tmp_path / folder).mkdir()
        admit(read_source(f"{game_file(tmp_path / folder, more=more)}:Other"))
        found.append(identity("other")["declaration"])
        identity.cache_clear()
        registry._registered.pop("other")
    assert found == [found[0]] * 3
