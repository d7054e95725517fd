"""Small helpers for reading positions."""

__all__ = ["is_number"]

LONGEST = 15


def is_number(text: str, *, negative: bool = False) -> bool:
    """Say whether a text is a whole number of reasonable length, in plain digits.

    >>> is_number("45"), is_number("-3"), is_number("-3", negative=True), is_number("²")
    (True, False, True, False)
    """
    digits = text.removeprefix("-") if negative else text
    return digits.isascii() and digits.isdigit() and len(digits) <= LONGEST
