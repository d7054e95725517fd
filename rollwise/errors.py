"""What can go wrong, said in one line.

Every error a user can cause is a `RollwiseError` whose text says what was expected, what came, where (in the game's own
notation) and what to do. Front doors print that line and nothing else.
"""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["EngineError", "GameError", "PositionError", "RollwiseError", "one_of"]


class RollwiseError(ValueError):
    """The base of every error this library raises on purpose."""


class GameError(RollwiseError):
    """A game, its parameters or its rules are faulty, or too large for the budget."""


class PositionError(RollwiseError):
    """A text is not a position, or a position does not occur in the game."""


class EngineError(RollwiseError):
    """An engine was asked for something outside its precondition; the text names the engine to use."""


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
    near = get_close_matches(name, names, n=1, cutoff=0.5) or get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f": did you mean {near[0]!r}?" if near else ""
    raise GameError(f"unknown {what} {name!r}{hint} (known: {', '.join(names) or 'none'})")
