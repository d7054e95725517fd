"""Which rules a game changes: those that its class overrides, or that are set on the game itself."""

from collections.abc import Iterable
from inspect import isabstract
from types import MethodType
from typing import Any

from rollwise.model.game import Game

__all__ = ["NOTATION_RULES", "POINTS_RULES", "POSITION_RULES", "hook", "overridden"]

POINTS_RULES = ("start", "roll", "actions", "play", "gain", "payoff", "mover")
"""The rules of a game played for points."""
POSITION_RULES = ("start", "roll", "actions", "play")
"""The rules that say which positions there are."""
NOTATION_RULES = (*POSITION_RULES, "show_state", "read_state")
"""The rules that say which positions there are, and how they are written."""


def overridden(game: Game[Any, Any, Any], owner: type[Any], rules: Iterable[str]) -> tuple[str, ...]:
    """List those of `rules` that a game does not take from `owner`.

    >>> from rollwise.games.slots import Slots
    >>> class Doubled(Slots):
    ...     def payoff(self, state): return 2 * super().payoff(state)
    >>> overridden(Doubled(), Slots, POINTS_RULES), overridden(Slots(), Slots, POINTS_RULES)
    (('payoff',), ())
    >>> overridden(Slots(), Game, ("payoff",))
    ('payoff',)
    """
    own = getattr(game, "__dict__", {})
    return tuple(rule for rule in rules if rule in own or _written(type(game), rule) is not _written(owner, rule))


def _written(kind: type[Any], name: str) -> Any:
    """Give what a class or its parents wrote under a name; asked often, so without what `inspect` looks at besides."""
    return next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)


def hook(game: Game[Any, Any, Any], name: str, rules: Iterable[str] | None = None) -> Any:
    """Give a game's own method that looks or speaks; the default where its rules are not those that the method's class stated.

    What the class leaves open, the first class below it states. `rules` are those that matter; default: all.

    >>> from rollwise.games.slots import Slots
    >>> class Doubled(Slots):
    ...     def payoff(self, state): return 2 * super().payoff(state)
    >>> hook(Slots(), "say").__qualname__, hook(Doubled(), "say").__qualname__
    ('Slots.say', 'Game.say')
    """
    owner = _stating(type(game), name)
    changed = overridden(game, owner, rules or owner.rule_names)
    return MethodType(getattr(Game, name), game) if changed else getattr(game, name)


def _stating(kind: type[Any], name: str) -> type[Any]:
    """Find the class that states the rules which a method speaks of: its own, or the first below it that leaves none open."""
    classes: tuple[type[Any], ...] = kind.__mro__
    place = next(place for place, one in enumerate(classes) if name in vars(one))
    return next((one for one in reversed(classes[: place + 1]) if not isabstract(one) and issubclass(one, classes[place])), kind)
