"""The committed diagrams of all games, with their traffic: python -m maumau.diagrams [FOLDER]."""
