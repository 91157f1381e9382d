"""Players that have learned: a network of two hidden layers, and the files that keep it."""
