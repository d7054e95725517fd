"""Climbing columns, turn by turn: a lost turn leads back to its own start."""
