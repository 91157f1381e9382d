"""The forms of names of players that this package has, registered so that every game knows them: `search:1000`."""

from __future__ import annotations
