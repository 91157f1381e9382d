"""Matches above any game: declared as a chart of its own, stepped, compiled, played from an input.

from fsm import Match, MauMau
Match(MauMau, players=3, seed=7).run()
"""
