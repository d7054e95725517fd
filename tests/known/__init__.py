"""What is known about each game of the catalogue, in rows: see `tests/known_games.py`."""
