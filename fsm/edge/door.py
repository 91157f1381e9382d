"""Public names that a package imports on first use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsm.edge.extras import naming_extras


def imported(package: str, modules: Mapping[str, str], name: str) -> Any:
    """Import a public name of a package.

    modules: by the name of a module, the names that it defines, separated by spaces. Raises AttributeError, or
    MissingExtra where the module requires an extra that is not installed.
    """
    for module, names in modules.items():
        if name in names.split():
            with naming_extras(f"{package}.{name}"):
                return getattr(__import__(module, fromlist=[name]), name)  # which imports a module of this name, too
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
