"""The regular expressions of the package, as its sources write them, and texts that would make one of them slow."""

import ast
import re
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from time import perf_counter
from typing import Any

__all__ = ["STEEP", "growth", "hostile_texts", "written_patterns"]

Match = Callable[[str], Any]
MATCHING = ("match", "fullmatch")
CATEGORIES = {sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a"}
SHORT, LONG = 50, 200
STEEP = 8.0
"""A ratio of times that is too much: linear time gives about 4 or less, quadratic time 16."""
SAMPLES = 8


def written_patterns(folder: Path) -> Iterator[tuple[str, str, Match]]:
    """Give every pattern that is written out in the sources: where, its text, and how it is used there; else by search."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "\nimport re\n" not in text:
            continue
        tree = ast.parse(text)
        calls: list[Any] = [
            node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        ]
        named = {id(node.value): node.targets[0].id for node in ast.walk(tree)
                 if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}  # fmt: skip
        for call in calls:
            function = call.func
            if not (isinstance(function.value, ast.Name) and function.value.id == "re"):
                continue
            pattern = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
            if not isinstance(pattern, str):
                continue
            flags = re.NOFLAG
            for name in re.findall(r"re\.([A-Z]+)", ast.unparse(call)):
                flags |= re.RegexFlag[name]
            uses = {function.attr}
            if function.attr == "compile":
                uses = {other.func.attr for other in calls if ast.unparse(other.func.value) == named.get(id(call))}
            for use in {use if use in MATCHING else "search" for use in uses}:
                yield f"{path.name}:{call.lineno}", pattern, getattr(re.compile(pattern, flags), use)


def hostile_texts(pattern: str) -> Iterator[tuple[str, str]]:
    """Give texts near a pattern's own, which do not match in the end: what comes first, and the sign that is repeated then."""
    samples = list(dict.fromkeys(islice(_samples(parser.parse(pattern)), SAMPLES)))
    signs = sorted({*" \t1a.,-", *"".join(samples)})
    yield from {(sample[:place], sign) for sample in samples for place in range(len(sample) + 1) for sign in signs}


def _samples(tree: Any) -> Iterator[str]:
    """Give texts that a pattern matches, about: every branch, and every repeat once."""
    for parts in product(*(list(islice(_part(*part), SAMPLES)) for part in tree)):
        yield "".join(parts)


def _part(kind: Any, given: Any) -> Iterator[str]:
    if kind is sre.LITERAL:
        yield chr(given)
    elif kind is sre.IN:
        yield _member(*given[0])
    elif kind in (sre.ANY, sre.NOT_LITERAL):
        yield "x"
    elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        low, high, tree = given
        yield from (sample * max(low, min(1, high)) for sample in _samples(tree))
    elif kind is sre.SUBPATTERN:
        yield from _samples(given[-1])
    elif kind is sre.BRANCH:
        yield from (sample for tree in given[1] for sample in _samples(tree))
    else:
        yield ""


def _member(kind: Any, given: Any) -> str:
    if kind is sre.CATEGORY:
        return CATEGORIES.get(given, "x")
    return "x" if kind is sre.NEGATE else chr(given if kind is sre.LITERAL else given[0])


def growth(match: Match, before: str, sign: str) -> float:
    """Say how much longer a text takes that is four times as long: about 4 if its time is linear, 16 if it is quadratic.

    The least of several times does not depend on what else the machine does.
    """
    ratio = 0.0
    for tries in (2, 20, 100):
        short, long = (min(_seconds(match, before + sign * size + "\0") for _ in range(tries)) for size in (SHORT, LONG))
        ratio = long / short
        if ratio <= STEEP:
            break
    return ratio


def _seconds(match: Match, text: str) -> float:
    begun = perf_counter()
    match(text)
    return perf_counter() - begun
