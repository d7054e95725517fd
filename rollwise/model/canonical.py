"""Write positions so that equal ones read alike: what a position is known by where it is not at hand.

`canonical` follows what `==` compares, and nothing else: 1, True and 1.0 are one number, a named tuple is its tuple, a frozenset
has no order, a dataclass is its class and the fields that it compares. What has an equality of its own cannot be written.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from math import isfinite
from numbers import Integral
from typing import Any

__all__ = ["NotCanonical", "canonical", "named", "position_digest"]

SIMPLE = ({int}, {str}, {int, str}, set[type]())
"""Kinds of parts that a tuple is written with by Python itself, quickly."""
DIGEST_BYTES = 16
GENERATED = "<string>"
"""The file that methods seem to come from which `dataclass` writes."""


class NotCanonical(Exception):
    """A value that cannot be written so that equal ones read alike."""


def position_digest(position: Any) -> bytes:
    """Digest a position: equal positions have equal digests, and others have others. Raises `NotCanonical`.

    >>> position_digest((1, frozenset({"a", "b"}))) == position_digest((True, frozenset({"b", "a"})))
    True
    """
    return blake2b(canonical(position).encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def canonical(value: Any) -> str:
    """Write a value; two texts are equal just when the values are. Raises `NotCanonical`.

    >>> canonical((1.0, "a", frozenset({True, 0})))
    "(1, 'a', {0, 1})"
    """
    try:
        return _write(value)
    except RecursionError:
        raise NotCanonical("it is nested too deeply") from None


def _write(value: Any) -> str:
    kind: Any = type(value)
    if kind is int:
        return _integer(value)
    equal: Any = kind.__eq__
    if equal is tuple.__eq__:
        return _tuple(value)
    return _writer(kind)(value)


def _tuple(value: Any) -> str:
    """Write a tuple; one of small integers and plain texts is written by Python itself, which is quick, in the same way."""
    if {*map(type, value)} in SIMPLE:
        try:
            text = tuple.__repr__(value)
        except ValueError:
            text = "…"
        if text.isascii():
            return text
    return f"({', '.join(map(_write, value))}{',' * (len(value) == 1)})"


def _integer(value: int) -> str:
    try:
        return int.__repr__(value)
    except ValueError:  # it has thousands of digits
        return hex(value)


@cache
def _writer(kind: Any) -> Callable[[Any], str]:
    """Find how values of a class are written: by what their `==` compares."""
    equal: Any = kind.__eq__
    if equal in PLAIN:
        return PLAIN[equal]
    if equal is object.__eq__ and issubclass(kind, Enum):
        return lambda member: f"#{named(kind)}{_member(member)}"
    if kind in (type(None), type(Ellipsis)):
        return repr
    if kind.__module__ == "numpy" and (issubclass(kind, Integral | float | str | bytes) or kind.__name__ in ("bool", "bool_")):
        return lambda value: _write(value.item())
    if is_dataclass(kind) and _is_generated(equal):
        made: Any = kind
        owner: Any = next(one for one in made.__mro__ if "__eq__" in vars(one))
        names = [field.name for field in fields(owner) if field.compare]
        return lambda value: f"@{named(kind)}({''.join(f'{_write(getattr(value, name))}, ' for name in names)})"
    raise NotCanonical(f"{kind.__module__}.{kind.__qualname__} has an equality of its own")


def _is_generated(equal: Any) -> bool:
    code = getattr(equal, "__code__", None)
    return code is not None and code.co_filename == GENERATED


def named(kind: Any) -> str:
    """Write the name of a class or function."""
    return ascii(f"{kind.__module__}:{kind.__qualname__}")


def _member(member: Enum) -> str:
    if member.name is None:
        raise NotCanonical(f"{member!r} has no name")
    return ascii(member.name)


def _number(value: Any) -> str:
    if isinstance(value, complex):
        return f"({_number(value.real)} + {_number(value.imag)} i)" if value.imag else _number(value.real)
    if isinstance(value, Integral):
        return _integer(int(value))
    if value != value:  # noqa: PLR0124  (NaN)
        raise NotCanonical("a NaN is not equal to itself")
    if not isfinite(value):
        return "inf" if value > 0 else "-inf"
    top, bottom = value.as_integer_ratio()
    return _integer(top) if bottom == 1 else f"{_integer(top)}/{_integer(bottom)}"


PLAIN: dict[Any, Callable[[Any], str]] = {
    **dict.fromkeys((int.__eq__, float.__eq__, complex.__eq__, Fraction.__eq__, Decimal.__eq__), _number),
    str.__eq__: lambda text: ascii(str.__str__(text)),
    bytes.__eq__: lambda text: repr(bytes(text)),
    frozenset.__eq__: lambda members: f"{{{', '.join(sorted(map(_write, members)))}}}",
}
"""How values are written that compare as these classes do."""
