"""The rules of a game in words, for people: paragraphs, and what each box pays, with dice that show it."""

from inspect import cleandoc
from typing import Any, NamedTuple

from rollwise.model.message import Message, Text

__all__ = ["BoxRule", "Example", "Rules", "rules_from_docstring"]


class Example(NamedTuple):
    """Dice, and the points that a box pays for them."""

    dice: tuple[Any, ...]
    points: int


class BoxRule(NamedTuple):
    """A box, what it pays in words, and examples: one that pays and, where that helps, one that almost does."""

    name: str
    pays: Text
    examples: tuple[Example, ...] = ()


class Rules(NamedTuple):
    """Paragraphs, and the boxes of a game that has boxes."""

    paragraphs: tuple[Text, ...]
    boxes: tuple[BoxRule, ...] = ()


def rules_from_docstring(kind: type) -> Rules:
    """Give what a class says about itself, without examples in code and what it raises.

    >>> class Coin:
    ...     '''Toss a coin: heads count one.
    ...
    ...     >>> Coin()
    ...     '''
    >>> rules_from_docstring(Coin).paragraphs
    ('Toss a coin: heads count one.',)
    """
    written = cleandoc(kind.__doc__ or "").split("\n\n")
    told = tuple(" ".join(part.split()) for part in written if part.strip() and not part.startswith((">>>", "Raises")))
    return Rules(told or (Message("rules.none"),))
