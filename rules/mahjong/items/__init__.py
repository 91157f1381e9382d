"""The scoring items, a module each, all of one form. A new one is a new module, and its name in this list."""

from rules.mahjong.items.all_triplets import all_triplets
from rules.mahjong.items.base import base
from rules.mahjong.items.gang import gang
from rules.mahjong.items.one_suit import one_suit
from rules.mahjong.items.ones_and_nines import ones_and_nines
from rules.mahjong.items.seven_pairs import seven_pairs
from rules.mahjong.items.two_five_eight import two_five_eight

ITEMS = (base, gang, one_suit, seven_pairs, all_triplets, two_five_eight, ones_and_nines)
"""All items, in the order of the output."""
