"""A deal that is fixed before it is played: its hash is shown at once, and what was hashed when the round is over.

Whoever has seen the hash can check then that nobody has exchanged a card since: `printf '%s' 'SALT DECK' | sha256sum`.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple


class SealedDeal(NamedTuple):
    """A deal with a secret.

    salt: the secret, which makes it useless to try out decks. deck: as `maumau deal` prints it, on one line.

    >>> SealedDeal("6d61", "2 SS HA").hash[:16]
    'a6f9498289ae282e'
    """

    salt: str
    deck: str

    @property
    def hash(self) -> str:
        """The SHA-256 of both with a space between them, in hexadecimal digits."""
        return sha256(f"{self.salt} {self.deck}".encode()).hexdigest()

    def data(self, is_open: bool) -> dict[str, str]:
        """Return what all see, as plain data: the hash, and when the deal `is_open` the salt and the deck."""
        return {"hash": self.hash} | (self._asdict() if is_open else {})
