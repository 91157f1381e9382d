"""Studies: statistics of many games, with confidence intervals.

A specification (study.spec) defines a study. The unit of work is a chunk of game numbers; the results of a chunk are
exact integers (study.counts) that add up to the same sums in any order, on any number of machines. All figures are
computed from these sums (study.summary).

Part of maumau.
"""

from _maumau import check

check("rules", "fsm", "agents")  # before any of their modules is imported
