"""What can go wrong, said in one line.

Every error a user can cause is a `RollwiseError` whose text says what was expected, what came, where (in the game's own
notation) and what to do. Front doors print that line and nothing else.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

__all__ = [
    "CertificateError", "EngineError", "GameError", "GameWarning", "PositionError", "RollwiseError", "brief", "hint", "hint_file",
    "nearest", "one_of", "require",
]  # fmt: skip


MOST_FILES = 10_000
"""Files of a folder that are looked at for one that was meant."""


class RollwiseError(ValueError):
    """The base class of the errors of this library: one line that says what was expected, what came, and what to do."""

    @property
    def said(self) -> Any:
        """What it says: a text, or a message."""
        return self.args[0] if len(self.args) == 1 else str(self)


class GameError(RollwiseError):
    """A game, its parameters or its rules are faulty, or the game is too large.

    For a fault in a game file, `line` and `column` are its place, both from 1.
    """

    line: int | None = None
    column: int | None = None

    def placed(self, line: int | None, column: int | None) -> "GameError":
        """Give this error with its place in a game file."""
        self.line, self.column = line, column
        return self


class GameWarning(UserWarning):
    """Warns of rules that can be solved, but look like a mistake."""


class PositionError(RollwiseError):
    """A text cannot be read as a position, or a position does not occur in the game."""


class EngineError(RollwiseError):
    """An engine cannot do what its options ask for; the text names the engine to use."""


class CertificateError(RollwiseError):
    """A result failed its check: a fault of this library, never of the game."""


def require(holds: bool, otherwise: str) -> None:
    """Check what a certificate says, however Python was started.

    >>> require(2 + 2 == 5, "two and two are not five")
    Traceback (most recent call last):
        ...
    rollwise.errors.CertificateError: two and two are not five: no result is given; this is a fault of rollwise, please report it
    """
    if not holds:
        raise CertificateError(f"{otherwise}: no result is given; this is a fault of rollwise, please report it")


def one_of(what: str, name: str, known: Iterable[str]) -> str:
    """Return `name` if it is known; else raise a `GameError` that suggests the nearest name.

    >>> one_of("game", "yazzy", ["slots", "yazy"])
    Traceback (most recent call last):
        ...
    rollwise.errors.GameError: unknown game 'yazzy': did you mean 'yazy'? (known: slots, yazy)
    """
    names = sorted(known)
    if name in names:
        return name
    raise GameError(f"unknown {what} {name!r}{hint(name, names, 0.5)} (known: {', '.join(names) or 'none'})")


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """Find the known name that is most like one that was given; None if none is `alike`, from 0 to 1.

    >>> nearest("Yazzy", ["slots", "yazy"])
    'yazy'
    """
    names = sorted(known)
    near = get_close_matches(name, names, n=1, cutoff=alike) or get_close_matches(name.lower(), names, n=1, cutoff=alike)
    return near[0] if near else None


def hint(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Ask whether the known name was meant that is most like one that was given; "" if none is.

    >>> hint("yazzy", ["slots", "yazy"])
    ": did you mean 'yazy'?"
    """
    near = nearest(name, known, alike)
    return "" if near is None else f": did you mean {near!r}?"


def hint_file(name: str) -> str:
    """Ask whether a file beside one that is not there was meant, with the same ending; "" if none is like it."""
    path = Path(name)
    try:
        beside = [other.name for other in islice(path.parent.iterdir(), MOST_FILES) if other.suffix == path.suffix != ""]
        near = nearest(path.name, [other for other in beside if (path.parent / other).is_file()])
    except (OSError, ValueError):
        return ""
    return "" if near is None else f"; did you mean {str(path.parent / near)!r}?"


def brief(thing: object, most: int = 100) -> str:
    """Write anything for a message: on one line, shortened, whatever its own `repr` does.

    >>> brief(list(range(10**6)), 20)
    '[0, 1, 2, 3, 4, 5, 6... (7,888,890 characters)'
    """
    try:
        text = repr(thing).replace("\n", " ")
    except Exception:
        text = object.__repr__(thing)
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"
