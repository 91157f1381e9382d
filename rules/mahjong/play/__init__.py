"""The rules of mahjong at the table: draw, discard, claims, melds, winning and scores."""
