"""Card games as declared finite-state machines."""
