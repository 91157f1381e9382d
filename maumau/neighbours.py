"""The check of the packages of general names beside this one, before anything of them is imported."""

from __future__ import annotations

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from os.path import dirname, join, realpath


@cache
def check_neighbours() -> None:
    """Raise ImportError where Python finds another `rules`, `fsm` or `render`; the message names it.

    The check is a file of this distribution's fsm, which is found whatever else has that name.
    """
    file = join(dirname(dirname(realpath(__file__))), "fsm", "foreign.py")
    spec = spec_from_file_location("maumau.foreign", file)
    assert spec
    assert spec.loader
    foreign = module_from_spec(spec)
    spec.loader.exec_module(foreign)
    foreign.check(*foreign.PACKAGES)
