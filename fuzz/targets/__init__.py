"""The fuzz targets: one module for each input format.

`check` takes any bytes and raises if they are answered wrongly. SEEDS are some to begin with, WORDS are what its
language is made of, `near` makes near misses (data, dice).
"""
