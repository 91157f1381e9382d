"""Tables at which people and computer players play: the table itself, the terminal, the server."""
