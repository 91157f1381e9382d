"""Studies: what many games tell, and how sure that is.

A study asks a question (study.spec). Its unit of work is a chunk of game numbers; what a chunk tells are exact
integers (study.counts) that add up to the same sums in any order, on any number of machines. Figures are computed from
the sums alone (study.summary).

Part of maumau.
"""

from _maumau import check

check("rules", "fsm")  # before anything of them is imported
