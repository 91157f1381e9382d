"""The formats of reports."""

from __future__ import annotations

from collections.abc import Mapping

FORMATS: Mapping[str, tuple[str, ...]] = {
    "table": ("rich",),
    "markdown": (),
    "json": (),
    "csv": (),
    "html": ("matplotlib",),
}
"""Their names, and the packages that each needs."""
