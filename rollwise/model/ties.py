"""What a tie counts: a share of a win."""

import re
from fractions import Fraction

from rollwise.errors import GameError, brief

__all__ = ["name_share", "read_share", "read_ties", "show_share"]

COARSEST = 1000
SHARE = re.compile(r"-?[0-9]{0,9}(?:[/.][0-9]{1,9})?")
"""A share as it is written: not in powers of ten, of which `Fraction` would write out all digits."""


def show_share(ties: Fraction) -> str:
    """Write what a tie counts where that is not half a win."""
    given = {Fraction(1, 2): "", Fraction(1): ", ties win", Fraction(0): ", ties lose"}
    return given.get(ties, f", ties {ties}")


def name_share(ties: Fraction) -> str:
    """Name what a tie counts: half, win, lose, or the share."""
    return {Fraction(1, 2): "half", Fraction(1): "win", Fraction(0): "lose"}.get(ties, str(ties))


def read_share(ties: float | Fraction) -> Fraction:
    """Read what a tie counts; a float stands for the decimal number it is written as."""
    if not isinstance(ties, int | float | Fraction) or not 0 <= ties <= 1:
        raise GameError(f"ties count {ties!r}: expected a number from 0 (a loss) to 1 (a win)")
    share = Fraction(repr(ties)) if isinstance(ties, float) else Fraction(ties)
    if share.denominator > COARSEST:
        raise GameError(f"ties count {ties!r}: expected a fraction with a denominator of at most {COARSEST}")
    return share


def read_ties(text: str) -> Fraction:
    """Read what `show_share` writes, without the comma.

    >>> read_ties("ties win"), read_ties("ties 1/3")
    (Fraction(1, 1), Fraction(1, 3))
    """
    word = text.removeprefix(",").strip().removeprefix("ties").strip()
    try:
        written = SHARE.fullmatch({"win": "1", "lose": "0", "half": "1/2"}.get(word, word))
        return read_share(Fraction(written[0] if written else "none"))
    except (ValueError, ZeroDivisionError):
        raise GameError(
            f"{brief(text)} does not say what a tie counts: expected 'ties win', 'ties lose' or 'ties' and a share"
        ) from None
