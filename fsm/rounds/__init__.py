"""The machine of matches above any game: its chart, what a match is set up with, and the kernel that plays it."""
