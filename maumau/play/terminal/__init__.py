"""A table in the terminal: line by line, and as a screen."""
