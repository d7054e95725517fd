"""Farkle: one turn, and the race of two."""
