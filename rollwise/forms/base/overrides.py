"""Which rules a game changes: those that its class overrides, or that are set on the game itself.

A compact form is written from the data of a family of games (a score sheet, words, groups) and takes the family's own methods for
granted. It may be used only where they are kept: a `Family` names them, and its `unread` finds what a game does otherwise.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import getattr_static
from typing import Any

from rollwise.errors import GameError
from rollwise.model.game import Game
from rollwise.model.objective import Objective

__all__ = ["RULES", "Family", "Unread", "overridden"]

RULES = ("start", "roll", "actions", "play", "gain", "payoff", "mover")
"""The rules of a game played for points."""
SCORING = frozenset({"gain", "points", "payoff", "mover", "cost", "greed"})
"""Rules that change what positions are worth, and not which there are (but for what is carried from turn to turn)."""


def overridden(game: Game[Any, Any, Any], owner: type[Any], rules: Iterable[str]) -> tuple[str, ...]:
    """List those of `rules` that a game does not take from `owner`.

    >>> from rollwise.games.slots import Slots
    >>> class Doubled(Slots):
    ...     def payoff(self, state): return 2 * super().payoff(state)
    >>> overridden(Doubled(), Slots, RULES), overridden(Slots(), Slots, RULES), overridden(Slots(), Game, ("gain", "payoff"))
    (('payoff',), (), ('payoff',))
    """
    return tuple(rule for rule in rules if getattr_static(game, rule) is not getattr_static(owner, rule))


@dataclass(frozen=True)
class Family:
    """The games that a compact form reads, for some objectives: those of `owner` that keep its `rules`.

    `least` gives a number of positions that a game has at least, as long as only its scoring is changed. `derived` says how
    attributes that only the methods look at follow from those that the form reads.
    """

    name: str
    owner: type[Any]
    objectives: tuple[type[Any], ...]
    rules: tuple[str, ...]
    least: Callable[[Any], int]
    derived: Callable[[Any], Mapping[str, Any]] = lambda _: {}

    def reads(self, game: Game[Any, Any, Any], objective: Objective) -> bool:
        """Say whether the compact form is that of this game."""
        return isinstance(game, self.owner) and isinstance(objective, self.objectives) and self.unread(game) is None

    def unread(self, game: Game[Any, Any, Any], more: tuple[str, ...] = ()) -> "Unread | None":
        """Find what a game of the family changes: rules, `more` of its methods, or attributes; None if nothing."""
        methods = overridden(game, self.owner, (*self.rules, *more))
        data = [name for name, value in self.derived(game).items() if getattr(game, name) != value]
        return Unread(self, game, methods, tuple(data)) if methods or data else None

    def refuse(self, game: Game[Any, Any, Any], instead: str) -> None:
        """Raise `GameError` for a game that the compact form is not that of, and say what to do instead."""
        found = self.unread(game)
        if found:
            raise GameError(f"{found}: {instead}")


@dataclass(frozen=True)
class Unread:
    """What keeps a game from the compact form of its family: methods that it overrides, attributes that do not fit the others."""

    family: Family
    game: Game[Any, Any, Any]
    methods: tuple[str, ...]
    data: tuple[str, ...]

    def __str__(self) -> str:
        what = " and ".join([*(f"{name}()" for name in self.methods), *self.data])
        return f"{type(self.game).__name__} overrides {what}, which the compact form of {self.family.name} does not read"

    @property
    def least(self) -> int:
        """How many positions the game has at least, as far as that follows from what it keeps."""
        return self.family.least(self.game) if not self.data and SCORING.issuperset(self.methods) else 0
