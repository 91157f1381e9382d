"""What the playground imports is pure Python: it works where every compiled package is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "playground" / "python"
FIVE = """
@query
def divides(table):
    return 6 // (table.shown - 5) < 7


class Five(
    Game,
    declaration=throwing(
        one_die, title="Five", invariants=(Invariant("never five", is_no_five), Invariant("divided", divides))
    ).declaration,
):
    'A five is a fault, and a rule function raises an error.'
"""
SCRIPT = (
    f"FIVE = {FIVE!r}"
    + """
import re, sys

class Compiled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"numpy", "llvmlite", "scipy", "pyarrow", "pygraphviz", "matplotlib", "numba", "rich"}:
            raise ModuleNotFoundError(f"{name} is compiled", name=name)

sys.meta_path.insert(0, Compiled())
sys.path.insert(0, sys.argv[1])
import million
import playground
from pathlib import Path

session = playground.Session()
for file in sys.argv[2:]:
    text = Path(file).read_text(encoding="utf-8")
    found = session.load(text)
    assert "error" not in found, found
    assert found["dot"].startswith("digraph")
    assert session.step()["count"] == 1
session.load(Path(sys.argv[2]).read_text(encoding="utf-8"))
told = session.run("game.push()")["output"].splitlines()
assert told[1:-1] == ['  File "<console>", line 1, in <module>'], told
assert told[-1].startswith("fsm.stepping.moves.IllegalMove: player 1 cannot push: "), told
found = playground.check(Path(sys.argv[2]).read_text(encoding="utf-8"))
assert (found["positions"], found["failures"], found["never"]) == (12, [], [])
thrown = Path("tests/support/throwing.py").read_text(encoding="utf-8") + FIVE
lines = {line["text"]: line for line in playground.check(thrown)["properties"]}
raised = lines["no rule function raises an error"]
assert re.search("ZeroDivisionError: .*by zero$", raised["error"]), raised
session.load(thrown)
for example in (raised["example"], lines["never five"]["example"]):
    *dealt, events = (example[name] for name in ("cards", "each", "line", "number", "events"))
    state = session.replay(*dealt, events)
    assert state["position"] == example["position"], (example, state)
    assert session.replay(*dealt, events[:-1])["count"] == len(events) - 1
GAME = playground.MauMau.declaration
key = million.rules_hash(GAME, *GAME.policies, GAME.chain)
million.kernels = lambda: {key: "maumau"}
asked = million.asked("from maumau import MauMau", 3, 7, 10)
assert asked["key"] == key, asked
found = million.counted("from maumau import MauMau", [0] * asked["counters"]["words"], 3, 7, 10)
assert found["command"] == "maumau study --game maumau --players 3 --seed 7 --games 10", found
own = {module.partition(".")[0] for module, loaded in sys.modules.items()
       if (getattr(loaded, "__file__", None) or "").endswith((".so", ".pyd")) and "site-packages" in loaded.__file__}
assert own <= {"coverage"}, own  # which watches the tests
"""
)


def test_it_loads_draws_steps_and_checks_without_compiled_packages() -> None:
    files = ["docs/course/turnstile.py", "docs/howto/follow_suit.py", "examples/nine_reverses.py"]
    command = [sys.executable, "-c", SCRIPT, PYTHON, *(ROOT / file for file in files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stderr, done.returncode) == ("", 0)
