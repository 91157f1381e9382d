"""Players that learn or search: numbered actions, observations, and batches of games played side by side.

Everything is derived from the declaration of a game, so it serves house rules and games of your own as well.
"""
