"""The rules of games: families of them, one file a game, and the catalogue."""

from rollwise.games.catalogue import CATALOGUE, Entry, load, make

__all__ = ["CATALOGUE", "Entry", "load", "make"]
