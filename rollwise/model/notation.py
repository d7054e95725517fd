"""Small helpers for reading positions and writing values."""

from fractions import Fraction
from math import isinf

__all__ = ["is_number", "plain"]

LONGEST = 15


def is_number(text: str, *, negative: bool = False) -> bool:
    """Say whether a text is a whole number of reasonable length, in plain digits.

    >>> is_number("45"), is_number("-3"), is_number("-3", negative=True), is_number("²")
    (True, False, True, False)
    """
    digits = text.removeprefix("-") if negative else text
    return digits.isascii() and digits.isdigit() and len(digits) <= LONGEST


def plain(value: float | Fraction) -> float | str:
    """Write a value in JSON types.

    >>> plain(Fraction(1, 2)), plain(float("inf"))
    (0.5, 'impossible')
    """
    return "impossible" if isinf(value) else float(value)
