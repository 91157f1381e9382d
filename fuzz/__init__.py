"""Fuzz targets for every input: right answers to valid input, clear errors for the rest, in bounded time and memory.

python -m fuzz                                  the targets
python -m fuzz TARGET... -max_total_time=600    a coverage-guided fuzzer on some of them, with libFuzzer's options
"""
