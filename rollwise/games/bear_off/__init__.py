"""Bearing off in backgammon: one side, and the race of two."""
