"""Studies: statistics of many games, with confidence intervals.

A specification (maumau.study.spec) defines a study. The unit of work is a chunk of game numbers; the results of a chunk
are exact integers (maumau.study.counts) that add up to the same sums in any order, on any number of machines. All
figures are computed from these sums (maumau.study.summary).
"""

from __future__ import annotations

from collections.abc import Mapping

FORMATS: Mapping[str, tuple[str, ...]] = {
    "table": ("rich",),
    "markdown": (),
    "json": (),
    "csv": (),
    "html": ("matplotlib",),
}
"""The formats of reports, with the packages that each needs."""
