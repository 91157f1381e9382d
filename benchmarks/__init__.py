"""How fast it is: benchmarks that measure everything side by side, in turn, and print a table of ratios."""
