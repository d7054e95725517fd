"""The rules of a game in words, for people: paragraphs, and what each box pays, with dice that show it."""

from inspect import cleandoc
from typing import Any, NamedTuple

__all__ = ["BoxRule", "Example", "Rules", "told_by"]


class Example(NamedTuple):
    """Dice, and the points that a box pays for them."""

    dice: tuple[Any, ...]
    points: int


class BoxRule(NamedTuple):
    """A box, what it pays in words, and examples: one that pays and, where that helps, one that almost does."""

    name: str
    pays: str
    examples: tuple[Example, ...] = ()


class Rules(NamedTuple):
    """Paragraphs, and the boxes of a game that has boxes."""

    paragraphs: tuple[str, ...]
    boxes: tuple[BoxRule, ...] = ()


def told_by(kind: type) -> Rules:
    """Give what a class says about itself, without examples in code and what it raises.

    >>> class Coin:
    ...     '''Toss a coin: heads count one.
    ...
    ...     >>> Coin()
    ...     '''
    >>> told_by(Coin).paragraphs
    ('Toss a coin: heads count one.',)
    """
    written = cleandoc(kind.__doc__ or "").split("\n\n")
    told = tuple(" ".join(part.split()) for part in written if part.strip() and not part.startswith((">>>", "Raises")))
    return Rules(told or ("Nobody has written down the rules of this game in words: its moves are all there is.",))
