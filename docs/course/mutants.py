"""Turnstiles that are changed on purpose: each change is an edit of the declared machine."""

from turnstile import Turnstile

from maumau import Arcs, ChangeArcs, Variant, effect


@effect
def take_two_coins(table):
    table.coins += 2


FREE = Variant("free", "A coin is not counted.", (ChangeArcs(Arcs("coin"), before=()),))
TWICE = Variant("twice", "A coin is counted twice.", (ChangeArcs(Arcs("coin"), before=(take_two_coins,)),))

Free, Twice = map(Turnstile.with_rules, (FREE, TWICE))
