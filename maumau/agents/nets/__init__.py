"""Players that have learned: a network of two hidden layers, its training, and the files that keep it."""
