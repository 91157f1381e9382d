"""Text output: traces, the problems' output, explanations and records of the other problems."""
