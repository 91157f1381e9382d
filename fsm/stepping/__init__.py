"""Games that are stepped, event by event: the machine, positions, history, hooks, copies."""
