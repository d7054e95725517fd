"""Small helpers for reading positions and writing values."""

import sys
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import floor, inf, log10

__all__ = ["counted", "digits", "figure", "fits_float", "infinite", "is_number", "percent", "plain", "power", "show_fraction"]

LONGEST = 15
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LONG_BITS = 10_000
"""Python itself writes integers up to this length, whatever its limit on digits is set to."""


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


def infinite(value: float | Fraction) -> bool:
    """Say whether a value is infinite; a fraction never is, however large.

    >>> infinite(float("-inf")), infinite(Fraction(10**400))
    (True, False)
    """
    return abs(value) == inf


def fits_float(value: float | Fraction) -> bool:
    """Say whether a value is infinite or small enough for a float: a fraction may be larger than 1.8e308."""
    return infinite(value) or -sys.float_info.max <= value <= sys.float_info.max


def plain(value: float | Fraction) -> float | str:
    """Write a value in JSON types; a fraction beyond all floats becomes text.

    >>> plain(Fraction(1, 2)), plain(float("inf")), plain(Fraction(10**400, 3))
    (0.5, 'impossible', '3.3333333333333333e+399')
    """
    if infinite(value):
        return "impossible"
    return float(value) if fits_float(value) else digits(value, 17)


def digits(value: float | Fraction, places: int, sign: str = "") -> str:
    """Write a number in some significant digits, also where it is too large or too small for a float.

    >>> digits(Fraction(1, 3), 3), digits(Fraction(-10**400, 3), 6), digits(Fraction(1, 10**400), 3, "+")
    ('0.333', '-3.33333e+399', '+1e-400')
    """
    if isinstance(value, Fraction) and value and (not fits_float(value) or not float(value)):
        context = Context(prec=places, Emax=MAX_EMAX, Emin=MIN_EMIN)
        quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
        return f"{context.normalize(quotient):{sign}.{places}g}"
    return f"{float(value):{sign}.{places}g}"


def figure(value: float | Fraction, sign: str = "") -> str:
    """Write a number for people: at most two decimals, or two significant digits of a small one.

    >>> figure(254.5896), figure(10), figure(0.31, "+"), figure(-0.00012), figure(12345.678)
    ('254.59', '10', '+0.31', '-0.00012', '12,345.68')
    """
    size: float | Fraction = max(value, -value)
    if not fits_float(value) or size >= 10**LONGEST or 0 < size < 1e-4:
        return digits(value, 2 if size < 1 else 6, sign)
    places = 1 - floor(log10(size)) if 0 < size < 0.01 else 2
    return f"{float(value):{sign},.{places}f}".rstrip("0").rstrip(".")


def show_fraction(value: Fraction) -> str:
    """Write a fraction whole, of whatever length.

    >>> show_fraction(Fraction(13, 4)), show_fraction(Fraction(3)), len(show_fraction(Fraction(10**5000, 3)))
    ('13/4', '3', 5003)
    """
    top = _whole(value.numerator)
    return top if value.denominator == 1 else f"{top}/{_whole(value.denominator)}"


def _whole(number: int) -> str:
    return str(number) if number.bit_length() <= LONG_BITS else f"{Decimal(number):f}"


def percent(chance: float) -> str:
    """Write a chance for players.

    >>> percent(0.223), percent(0.0004), percent(1), percent(0.9997)
    ('22 %', '0.04 %', '100 %', 'over 99 %')
    """
    if 0.995 < chance < 1 - 1e-9:
        return "over 99 %"
    return f"{100 * chance:.0f} %" if chance >= 0.005 or not chance else f"{100 * chance:.2g} %"


def power(number: float) -> str:
    """Write a small number.

    >>> power(0.00012), power(0.0)
    ('1.2 · 10⁻⁴', '0')
    """
    if not number:
        return "0"
    first, _, tens = f"{number:.1e}".partition("e")
    return f"{first} · 10{str(int(tens)).translate(RAISED)}"
