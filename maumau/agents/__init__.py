"""Players that learn or search: numbered actions, observations, and batches of games played side by side.

Everything is derived from the declaration of a game, so it serves house rules and games of your own as well.
"""

import maumau.agents.players  # noqa: F401  # it registers the forms of their names
