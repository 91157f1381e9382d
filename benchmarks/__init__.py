"""Benchmarks that measure all contenders alternately in one run and print tables of ratios."""
