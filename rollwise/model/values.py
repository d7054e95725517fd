"""Write positions as Python expressions, and read them back without running them.

Besides literals, named tuples, dataclasses and enumerations are written as the calls and names that make them, to any depth:
`State(dice=(1, 2), phase=Phase.ROLL)`. What is read is parsed and put together by hand: a call may only name a class that the
reader knows, so that no text can run anything else.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

__all__ = ["classes_in", "has_notation", "read_value", "write_value"]

PLAIN = {int, str, bool, float, bytes, complex, type(None)}

Find = Callable[[str], type | None]


def write_value(value: Any) -> str:
    """Write a value as `repr` does, but in a form that `read_value` reads.

    >>> from typing import NamedTuple
    >>> class Place(NamedTuple):
    ...     row: int
    ...     names: frozenset[str]
    >>> write_value((Place(1, frozenset("ba")), None))
    "(Place(row=1, names=frozenset({'a', 'b'})), None)"
    """
    kind = type(value)
    if kind is tuple:
        return f"({', '.join(map(write_value, value))}{',' * (len(value) == 1)})"
    if kind not in PLAIN and has_notation(kind):
        return _write_own(kind, value)
    if kind is frozenset and value:
        return f"frozenset({{{', '.join(sorted(map(write_value, value)))}}})"
    if kind.__module__ == "numpy" and hasattr(value, "item"):
        return write_value(value.item())
    return repr(value)


def _write_own(kind: type, value: Any) -> str:
    if isinstance(value, Enum):
        return f"{kind.__name__}.{value.name}"
    return f"{kind.__name__}({', '.join(f'{name}={write_value(getattr(value, name))}' for name in _names(kind))})"


def read_value(text: str, find: Find) -> Any:
    """Read what `write_value` wrote; `find` gives the class of a name, or None.

    >>> read_value("(1, frozenset({2}))", lambda name: None)
    (1, frozenset({2}))

    Raises `ValueError` in one line for anything else.
    """
    try:
        return _read(ast.parse(text.strip(), mode="eval").body, find)
    except ValueError:
        raise
    except (SyntaxError, MemoryError, RecursionError):
        raise ValueError("it is no Python expression") from None
    except Exception as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def has_notation(kind: type) -> bool:
    """Say whether values of a class are written as a call or a name."""
    return is_dataclass(kind) or issubclass(kind, Enum) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))


def classes_in(values: Iterable[Any]) -> Iterator[type]:
    """Find the classes with a notation in values, to any depth."""
    for value in values:
        kind = type(value)
        if has_notation(kind):
            yield kind
        if isinstance(value, tuple | frozenset):
            yield from classes_in(value)
        elif is_dataclass(kind):
            yield from classes_in(getattr(value, name) for name in _names(kind))


def _names(kind: type) -> list[str]:
    if is_dataclass(kind):
        return [field.name for field in fields(kind) if field.init]
    return list(kind._fields)  # type: ignore[attr-defined]


def _read(node: ast.expr, find: Find) -> Any:
    match node:
        case ast.Tuple(elts=parts):
            return tuple(_read(part, find) for part in parts)
        case ast.List(elts=parts):
            return [_read(part, find) for part in parts]
        case ast.Set(elts=parts):
            return {_read(part, find) for part in parts}
        case ast.Call(func=called, args=parts, keywords=words):
            made, given = _class(called, find), [_read(part, find) for part in parts]
            if made is Fraction and not all(type(part) is int for part in given):
                raise ValueError("a Fraction is made of two integers")
            return made(*given, **{_word(word): _read(word.value, find) for word in words})
        case ast.Attribute(value=owner, attr=name):
            return _member(_class(owner, find), name)
    return ast.literal_eval(node)


def _class(node: ast.expr, find: Find) -> Any:
    """The class that is called; of a dotted name the last part counts."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else "an expression"
    builtin = {"frozenset": frozenset, "Fraction": Fraction}.get(name)
    found = builtin or find(name)
    if found is None or not (builtin or has_notation(found)):
        raise ValueError(f"{name} is no class that this game uses")
    return found


def _member(kind: Any, name: str) -> Any:
    if not (isinstance(kind, type) and issubclass(kind, Enum)) or name not in kind.__members__:
        raise ValueError(f"there is no {kind.__name__}.{name}")
    return kind.__members__[name]


def _word(word: ast.keyword) -> str:
    if word.arg is None:
        raise ValueError("two stars have no place in a position")
    return word.arg
