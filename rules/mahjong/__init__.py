"""The rules of mahjong, as the problem has them: which tiles a hand waits for, and what it then scores.

from rules.mahjong import read_hand, waits
waits(*read_hand("8D8D8D5D2D2D2D 6D6D6D7D7D7D"))
"""

from rules.mahjong.hand import Wait, dead_waits, waits
from rules.mahjong.problem import read_hand, read_hands

__all__ = ["Wait", "dead_waits", "read_hand", "read_hands", "waits"]
