"""Boards with captures: positions numbered by a formula, successors computed, values proved by bounds."""
