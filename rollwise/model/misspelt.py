"""Names that are almost those of rules: a game that defines `payof` pays nothing, and every value of it is certified."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any
from warnings import warn

from rollwise.errors import GameWarning
from rollwise.model.game import PUBLIC, Game
from rollwise.model.notation import own_classes
from rollwise.model.overrides import overridden, rules_of

__all__ = ["misspelt", "warn_of_misspelt"]

ALIKE = 0.85
"""How much of a name must be that of a rule to be taken for it."""


def misspelt(game: Game[Any, Any, Any], rules: Sequence[str] = PUBLIC) -> Iterator[str]:
    """Find public names that are almost those of rules which neither the game nor its family states, and say so in a line each.

    What this library's own classes have, and what is marked as a rule of a game in columns, is asked for.
    """
    own = {name: kind for kind in own_classes(game) for name in vars(kind)}
    asked = {name for kind in type(game).__mro__ if kind not in own_classes(game) for name in vars(kind)}
    stated = overridden(game, Game, rules)
    methods = {rule: _is_method(vars(Game)[rule]) for rule in rules if rule in vars(Game) and rule not in stated}
    for name, kind in own.items():
        found = vars(kind)[name]
        if name.startswith("_") or name in asked or hasattr(found, "_rule_mark"):
            continue
        known = {rule.replace("_", ""): rule for rule, method in methods.items() if _is_method(found) or not method}
        for near in get_close_matches(name.lower().replace("_", ""), known, n=1, cutoff=ALIKE):
            yield f"{kind.__name__} defines {name}, which no solver uses: did you mean {known[near]}?"


def warn_of_misspelt(game: Game[Any, Any, Any], *, stacklevel: int = 1) -> None:
    """Warn of every name that is almost that of a rule that changes values; `stacklevel` 1 blames who called the caller."""
    if isinstance(game, Game):
        for line in misspelt(game, (*rules_of(type(game)), "objective")):
            warn(line, GameWarning, stacklevel=stacklevel + 2)


def _is_method(thing: object) -> bool:
    return isinstance(thing, property | cached_property | classmethod) or (callable(thing) and not isinstance(thing, type))
