"""Which rules a game changes: those that its class overrides, or that are set on the game itself."""

from collections.abc import Iterable
from inspect import isabstract
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["NOTATION_RULES", "POINTS_RULES", "POSITION_RULES", "RULES", "named_part", "overridden", "rules_of", "unchanged_since"]

RULES = ("start", "roll", "actions", "play", "gain", "payoff", "mover", "cost")
"""The methods that are the rules of a game; a family may add to them with `extra_rules`."""
POINTS_RULES = ("start", "roll", "actions", "play", "gain", "payoff", "mover")
"""The rules of a game played for points."""
POSITION_RULES = ("start", "roll", "actions", "play")
"""The rules that define the positions."""
NOTATION_RULES = (*POSITION_RULES, "show_state", "read_state")
"""The rules that define the positions, and how they are written."""


def rules_of(kind: type[Any]) -> tuple[str, ...]:
    """List the methods that are the rules of a class of games."""
    return (*RULES, *getattr(kind, "extra_rules", ()))


def overridden(game: "Game[Any, Any, Any]", owner: type[Any], rules: Iterable[str]) -> tuple[str, ...]:
    """List those of `rules` that a game does not take from `owner`.

    >>> from rollwise.games.slots import Slots
    >>> from rollwise.model.game import Game
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
    """Give what a class or its parents define under a name; called often, so without what `inspect` looks at besides."""
    return next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)


def named_part(game: "Game[Any, Any, Any]", name: str, rules: Iterable[str]) -> Any:
    """Give the class that a game names by an attribute such as `view`; None where `rules` changed below the class that names it.

    >>> from rollwise.games.slots import Slots
    >>> class Doubled(Slots):
    ...     def payoff(self, state): return 2 * super().payoff(state)
    >>> named_part(Doubled(), "view", POSITION_RULES).__name__, named_part(Doubled(), "view", RULES)
    ('SlotsView', None)
    """
    return getattr(type(game), name) if unchanged_since(game, name, rules) else None


def unchanged_since(game: "Game[Any, Any, Any]", name: str, rules: Iterable[str] | None = None) -> bool:
    """Say whether the class that defines an attribute describes this game: no rule changed below it (default: no rule at all).

    Rules that this class leaves abstract belong to the first class below it that has none.
    """
    classes: tuple[type[Any], ...] = type(game).__mro__
    place = next(place for place, one in enumerate(classes) if name in vars(one))
    concrete = (one for one in reversed(classes[: place + 1]) if not isabstract(one) and issubclass(one, classes[place]))
    owner = next(concrete, type(game))
    return not overridden(game, owner, rules_of(owner) if rules is None else rules)
