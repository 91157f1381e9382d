"""Machine code from declarations: the compiler, lanes, games in bulk, the compiled explorer."""
