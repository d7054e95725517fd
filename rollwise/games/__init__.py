"""Games: load them by name or from a file, and list the catalogue."""

from rollwise.games.catalogue import CATALOGUE, Entry, make
from rollwise.games.users import load

__all__ = ["CATALOGUE", "Entry", "load", "make", "names"]


def names() -> list[str]:
    """List the names of the games in the catalogue.

    >>> names()[:3]
    ['balut', 'bear-off', 'cant-stop']
    """
    return list(CATALOGUE)


def __dir__() -> list[str]:
    return sorted(__all__)
