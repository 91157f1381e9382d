"""Where the packages under test are: in the source tree, or where the wheel is installed that is tested."""

from pathlib import Path

import fsm

HOME = Path(fsm.__file__).parents[1]
"""The folder of all packages of this distribution."""
