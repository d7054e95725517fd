"""Dice of icepool as rolls and rolls as its dice (extra `rollwise[icepool]`).

Both hold outcomes with integer weights, so nothing is rounded; weights stay as they are, also where they could be shortened.
Whatever takes a roll takes an `icepool.Die` as it is. `from_icepool` is for what a roll can do beyond that, for pools, and for
icepool's vectors, whose `==` is not that of a position.
"""

from typing import Any

try:
    import icepool
except ImportError:
    raise ImportError("dice of icepool need icepool: pip install 'rollwise[icepool]'") from None

from collections.abc import Mapping

from rollwise.errors import GameError, brief
from rollwise.model.roll import Roll

__all__ = ["from_icepool", "to_icepool"]


def from_icepool(source: Any) -> Roll[Any]:
    """Read a die, deck or pool of icepool as a roll; outcomes of a pool are sorted hands, vectors are read as tuples.

    >>> from_icepool(icepool.d(3) + icepool.d(2))
    Roll({2: 1, 3: 2, 4: 2, 5: 1})
    >>> from_icepool(icepool.d(3).pool(2)) == __import__("rollwise").dice(2, 3)
    True

    Raises `GameError` for anything else, and for a die without outcomes.
    """
    found = source.expand() if isinstance(source, icepool.MultisetExpression) else source
    if not isinstance(found, icepool.Population):
        raise GameError(f"from_icepool was given {brief(source)}: expected a die, deck or pool of icepool")
    return Roll({_plain(outcome): weight for outcome, weight in found.items()})


def to_icepool(roll: Mapping[Any, int]) -> Any:
    """Make a die of icepool from a roll.

    >>> import rollwise
    >>> to_icepool(rollwise.dice(2).map(sum)).mean()
    Fraction(7, 1)

    Raises `GameError` for outcomes that have no order: icepool sorts them.
    """
    try:
        return icepool.Die(dict(Roll(roll)))
    except TypeError:
        some = ", ".join(brief(outcome, 30) for outcome in list(roll)[:3])
        raise GameError(f"icepool sorts outcomes, and {some} have no common order: map them to numbers or text first") from None


def _plain(outcome: Any) -> Any:
    """Give vectors, at any depth, as tuples."""
    if isinstance(outcome, icepool.Vector | tuple):
        return type(outcome)._make(map(_plain, outcome)) if hasattr(outcome, "_make") else tuple(map(_plain, outcome))
    return outcome
