"""`maumau party`: a room for people in the same network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from maumau.cli.interrupt import print_error
from maumau.cli.serve import serving
from maumau.play.server.guard import ServerAddress

if TYPE_CHECKING:
    from maumau.play.server.tables.hall import Hall

AN_EVENING = 12 * 3600.0
"""Seconds after which another party begins."""


def run(port: int, others: str | None, folder: str | None, tables: str | None, host: str | None, game: str) -> None:
    """Run `maumau party`."""

    def ready(address: str, hall: Hall) -> None:
        from maumau.play.server.tables.link import printed_qr_code

        link = f"{address}room/{hall.latest(AN_EVENING) or hall.open_for(game)}"
        print_error(f"{printed_qr_code(link)}maumau: {link} (for all in this network; Ctrl-C ends it)")

    serving(ready, port, others, folder, tables, ServerAddress.in_network(host), game)
