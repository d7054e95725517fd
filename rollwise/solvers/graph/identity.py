"""Which game of this library a game is: a digest of its class and its parameters, known without exploring.

The version and the text of this library's games and model say what such a game does, so the rest is data: its attributes to any
depth, and those of its objective. Rules that were written elsewhere (a class, a method or a function that is not this library's)
may look at anything while they are asked; such a game has no identity, and is known by its explored graph.
"""

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

import rollwise
from rollwise.games.users import local_module_files
from rollwise.model.canonical import NotCanonical, canonical, named
from rollwise.model.game import Game
from rollwise.model.objective import Objective

__all__ = ["identity", "source_digest"]

OWN = "rollwise"
ROOMS = ("games", "model")
"""The packages of this library that rules are written in."""


def identity(game: Game[Any, Any, Any], objective: Objective) -> str | None:
    """Digest a game of this library and its objective; None where some of the rules were written elsewhere.

    >>> from rollwise import Expected
    >>> from rollwise.games import load
    >>> one, same, other = (identity(load("slots", target=t), Expected()) for t in (45, 45, 46))
    >>> one == same != other
    True
    """
    digest = sha256(library_source().encode())
    try:
        for part in (*_written(game, objective), objective.key):
            digest.update(f"{part}\n".encode("utf-8", "surrogatepass"))
    except NotCanonical:
        return None
    return digest.hexdigest()[:24]


def source_digest(game: Game[Any, Any, Any]) -> str:
    """Digest the text of a game's file and of the modules beside it; "" for a class of this library, or without a file."""
    module = type(game).__module__
    file = None if _is_own(module) else getattr(sys.modules.get(module), "__file__", None)
    try:
        files = [Path(file), *local_module_files(Path(file).parent)] if file else []
        return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16] if files else ""
    except OSError:
        return ""


def _written(*values: Any) -> Iterator[str]:
    """Write plain data, and objects of this library, each once. Raises `NotCanonical` for anything else."""
    todo, seen = [*reversed(values)], dict[int, int]()
    alive: list[Any] = []
    while todo:
        value = todo.pop()
        text, parts = _taken_apart(value)
        if not isinstance(value, tuple | list | dict) and parts:
            if id(value) in seen:
                yield f"again {seen[id(value)]}"
                continue
            seen[id(value)] = len(seen)
            alive.append(value)
        yield text
        todo += reversed(parts)


def _taken_apart(value: Any) -> tuple[str, list[Any]]:
    """Give what a value is, and what it is made of."""
    kind = type(value)
    if kind in (tuple, list, dict):
        return f"{kind.__name__} {len(value)}", [*value, *(value.values() if kind is dict else ())]
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return f"{value.dtype.str} {value.shape} {sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}", []
    found = _function(value)
    if found is not None:
        return found
    if _is_own(kind.__module__):
        return _object(value)
    if not _is_known(kind.__module__):
        raise NotCanonical(f"{named(kind)} was written elsewhere")
    return f"{kind.__name__} {canonical(value)}", []


def _function(value: Any) -> tuple[str, list[Any]] | None:
    """Take a function or a class of this library or of Python apart; None for anything else."""
    if isinstance(value, MethodType):
        return "method", [value.__func__, value.__self__]
    if isinstance(value, FunctionType) and _is_own(value.__module__):
        closed = [cell.cell_contents for cell in value.__closure__ or ()]
        return f"{named(value)} {value.__code__.co_firstlineno}", [closed, value.__defaults__, value.__kwdefaults__]
    builtin = isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType)
    return (named(value), []) if builtin or (isinstance(value, type) and _is_known(value.__module__)) else None


def _object(value: Any) -> tuple[str, list[Any]]:
    """Take an object of this library apart: its class, and its attributes but for those that follow from the others."""
    kind, numbers = type(value), []
    for one in kind.__mro__:
        for name, member in sorted(vars(one).items()):
            if isinstance(member, FunctionType) and not _is_known(member.__module__):
                raise NotCanonical(f"{name} of {named(one)} was changed")
            if type(member) in (int, bool, float) and not name.startswith("__"):
                numbers.append((name, member))
    own: Any = kind.__getstate__
    if own is not object.__getstate__:
        known = value.__getstate__()
    else:
        known = {field.name: getattr(value, field.name) for field in fields(value)} if is_dataclass(value) else {}
        known |= getattr(value, "__dict__", {})
    known = {name: part for name, part in known.items() if not _follows(value, name, part)}
    base = [*value] if isinstance(value, tuple) else canonical(value) if isinstance(value, str | int | frozenset) else ""
    return f"{named(kind)} {numbers}", [base, *(part for name in sorted(known) for part in (name, known[name]))]


def _follows(value: Any, name: str, part: Any) -> bool:
    """Say whether an attribute was computed from the others when it was first read. Raises `NotCanonical` if it was then set."""
    member = getattr(type(value), name, None)
    if not isinstance(member, cached_property):
        return False
    if [*_written(member.func(value))] != [*_written(part)]:
        raise NotCanonical(f"{name} was changed")
    return True


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == OWN


def _is_known(module: str) -> bool:
    """Say whether a module is this library's or Python's."""
    top = module.partition(".")[0]
    return top == OWN or (top in sys.stdlib_module_names and top != "__main__") or top.startswith("namedtuple_")


@cache
def library_source() -> str:
    """Digest the version of this library, and the text of its games and model."""
    digest = sha256(rollwise.__version__.encode())
    for room in ROOMS:
        for file in sorted((Path(rollwise.__file__).parent / room).rglob("*.py")):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()
