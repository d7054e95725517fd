"""Small helpers for reading positions and writing values."""

from fractions import Fraction
from math import isinf

__all__ = ["counted", "is_number", "percent", "plain"]

LONGEST = 15


def counted(count: int, one: str, many: str = "") -> str:
    """Write a number with the word for it.

    >>> counted(1, "slot"), counted(2000, "slot"), counted(0, "box", "boxes")
    ('1 slot', '2,000 slots', '0 boxes')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


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


def percent(chance: float) -> str:
    """Write a chance for players.

    >>> percent(0.223), percent(0.0004), percent(1)
    ('22 %', '0.04 %', '100 %')
    """
    return f"{100 * chance:.0f} %" if 0.005 <= chance <= 0.995 or chance in (0, 1) else f"{100 * chance:.2g} %"
