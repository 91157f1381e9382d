"""Attacks on every input: whatever is read is answered rightly or refused clearly, soon, and in little memory.

python -m fuzz                                  the targets
python -m fuzz TARGET -max_total_time=600       a coverage-guided fuzzer on one of them, with libFuzzer's options
"""
