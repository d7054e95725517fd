"""Names that are almost those of rules: a game that defines `payof` pays nothing, and every value of it is certified."""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cached_property
from typing import Any
from warnings import warn

from rollwise.errors import GameWarning
from rollwise.model.game import RULES, Game, own_classes

__all__ = ["misspelt", "warn_of_misspelt"]

ALIKE = 0.85
"""How much of a name must be that of a rule to be taken for it."""


def misspelt(game: Game[Any, Any, Any]) -> Iterator[str]:
    """Find public names that are almost those of rules which the game leaves out, and say so in a line each."""
    own = {name: kind for kind in own_classes(game) for name in vars(kind)}
    for name, kind in own.items():
        if name.startswith("_") or name in RULES:
            continue
        method = _is_method(vars(kind)[name])
        known = {rule.replace("_", ""): rule for rule in RULES if method or not _is_method(vars(Game)[rule])}
        for near in get_close_matches(name.lower().replace("_", ""), known, n=1, cutoff=ALIKE):
            if known[near] not in own:
                yield f"{kind.__name__} defines {name}, which no solver uses: did you mean {known[near]}?"


def warn_of_misspelt(game: Game[Any, Any, Any], *, stacklevel: int = 1) -> None:
    """Warn of every name that is almost that of a rule; `stacklevel` 1 blames the line that called the caller."""
    for line in misspelt(game):
        warn(line, GameWarning, stacklevel=stacklevel + 2)


def _is_method(thing: object) -> bool:
    return isinstance(thing, property | cached_property | classmethod) or (callable(thing) and not isinstance(thing, type))
