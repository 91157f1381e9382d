"""A report as JSON: all figures at full precision, complete histograms and lists."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite
from typing import Any

from maumau.study.report.registry import renderer
from maumau.study.report.sections import interval_method
from maumau.study.summary import Summary


@renderer("json")
def records(summary: Summary) -> str:
    """The summary as one JSON object; a bound that is not known is null."""
    plain: dict[str, Any] = {
        "question": summary.spec.as_json(),
        "games": summary.games,
        "played": summary.played,
        "finished": summary.finished,
        "stopped_early": summary.stopped,
        "intervals": interval_method(summary),
        "seatings": [asdict(seating) for seating in summary.seatings],
        "compared": [asdict(each) for each in summary.differences],
        "chains": None if summary.chains is None else {"lengths": summary.chains.lengths, "mean": summary.chains.mean},
        "without_winner": [asdict(each) for each in summary.unfinished],
        "without_winner_not_listed": summary.unlisted,
        "arcs": [
            {"from": str(arc.source), "event": arc.trigger, "guards": arc.guards, "to": str(arc.dest), "fired": count}
            for arc, count in summary.fired.items()
        ],
        "rules": summary.used,
        "fingerprint": f"{summary.fingerprint % 2**64:016x}",
    }
    return json.dumps(known(plain), indent=1, allow_nan=False) + "\n"


def known(value: Any) -> Any:
    """The same with null for what is not finite."""
    if isinstance(value, dict):
        return {str(key): known(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [known(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
