"""What some games can do beyond their rules, and which rules they change.

An ability is a small class with one to three methods, as in `collections.abc`.

A game has an ability by deriving from its class. Functions with the names of the methods use it, or do the same by the rules
where a game lacks it, or changes a rule that the implementation relies on.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from inspect import isabstract
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from rollwise.errors import GameError

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = [
    "NOTATION_RULES", "POINTS_RULES", "POSITION_RULES", "RULES", "Draws", "Duels", "Heuristic", "InColumns", "KnowsGains",
    "Lifted", "Prefetches", "Races", "SinglePlayer", "Sized", "ability", "can_follow", "dimensions", "draw", "duel",
    "gains_nonnegative", "has_gains", "heuristic", "in_columns", "named_part", "overridden", "prefetch", "project", "rules_of",
    "single_player", "unchanged_since", "unlift", "unlifted",
]  # fmt: skip

Kind = TypeVar("Kind", bound="Ability")

RULES = ("start", "roll", "actions", "play", "gain", "payoff", "mover", "cost")
"""The methods that are the rules of a game; a family may add to them with `extra_rules`."""
POINTS_RULES = ("start", "roll", "actions", "play", "gain", "payoff", "mover")
"""The rules of a game played for points."""
POSITION_RULES = ("start", "roll", "actions", "play")
"""The rules that define the positions."""
NOTATION_RULES = (*POSITION_RULES, "show_state", "read_state")
"""The rules that define the positions, and how they are written."""


class Ability(ABC):  # noqa: B024
    """What a game may be able to do."""

    relies_on: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Methods with the rules that they rely on: a subclass that changes one of these rules loses the ability."""


def ability(game: "Game[Any, Any, Any]", kind: Callable[..., Kind]) -> Kind | None:
    """Give the game itself if it has an ability; None if it lacks it.

    >>> from rollwise.games import load
    >>> ability(load("slots"), Sized).dimensions(), ability(load("slots"), Draws)
    ({'slots': 6, 'faces': 6}, None)
    """
    wanted: Any = kind
    has_it = isinstance(game, wanted) and all(unchanged_since(game, name, rules) for name, rules in wanted.relies_on.items())
    return cast("Kind", game) if has_it else None


class Lifted(Ability):
    """Wraps another game: an objective added something to its positions."""

    @abstractmethod
    def unlifted(self) -> "Game[Any, Any, Any]":
        """Give the wrapped game."""

    @abstractmethod
    def unlift(self, position: Any) -> Any:
        """Give the position of the wrapped game that a position of this one stands for."""


def unlifted(game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
    """Give the game that was described; where an objective added to its positions, the game without that."""
    return game.unlifted() if isinstance(game, Lifted) else game


def unlift(game: "Game[Any, Any, Any]", position: Any) -> Any:
    """Give the position of the game that was described."""
    return game.unlift(position) if isinstance(game, Lifted) else position


class SinglePlayer(Ability):
    """Can be played with the strategies of a game for one player."""

    @abstractmethod
    def single_player(self) -> "Game[Any, Any, Any]":
        """Give the game of one player."""

    @abstractmethod
    def project(self, position: Any) -> Any:
        """Give the position there of the player to move."""


def single_player(game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
    """Give the game of one player by whose strategies this one can be played too: `unlifted`, or the sheet of a duel."""
    return game.single_player() if isinstance(game, SinglePlayer) else unlifted(game)


def project(game: "Game[Any, Any, Any]", position: Any) -> Any:
    """Give the position in `single_player` of the player to move."""
    return game.project(position) if isinstance(game, SinglePlayer) else unlift(game, position)


class Heuristic(Ability):
    """Rates how good an action looks at once, for the `Greedy` policy."""

    @abstractmethod
    def heuristic(self, state: Any, action: Any) -> float:
        """Say how good an action looks."""


def heuristic(game: "Game[Any, Any, Any]", state: Any, action: Any) -> float:
    """Say how good an action looks at once; by default, by its gain."""
    return game.heuristic(state, action) if isinstance(game, Heuristic) else game.gain(state, action)


class Sized(Ability):
    """Knows what makes it large before it is solved."""

    @abstractmethod
    def dimensions(self) -> Mapping[str, int]:
        """Count what makes the game large, by name, so that a server can refuse it."""


def dimensions(game: "Game[Any, Any, Any]") -> Mapping[str, int]:
    """Count what makes a game large, by name, as far as that is known."""
    return game.dimensions() if isinstance(game, Sized) else {}


class KnowsGains(Ability):
    """Knows about its points before its positions are explored."""

    @property
    def gains_nonnegative(self) -> bool | None:
        """Whether some action gains points and no rule takes any away; None where only exploring tells."""
        return None

    @property
    def has_gains(self) -> bool:
        """Whether an action may gain points."""
        return _defines_gain(self)


def gains_nonnegative(game: "Game[Any, Any, Any]") -> bool | None:
    """Say whether some action gains points and no rule takes any away; None where only exploring tells."""
    return game.gains_nonnegative if isinstance(game, KnowsGains) else None


def has_gains(game: "Game[Any, Any, Any]") -> bool:
    """Say whether an action may gain points, as far as that is known before the positions are explored."""
    return game.has_gains if isinstance(game, KnowsGains) else _defines_gain(game)


def _defines_gain(game: Any) -> bool:
    return "gain" in getattr(game, "__dict__", ()) or getattr(type(game).gain, "__qualname__", "") != "Game.gain"


class InColumns(Ability):
    """Has the same rules over packed codes, for many positions at once."""

    @abstractmethod
    def in_columns(self) -> Any:
        """Give these rules; None where a rule of one position replaces them."""


def in_columns(game: "Game[Any, Any, Any]") -> Any:
    """Give the rules of a game over packed codes; None where it has none."""
    return game.in_columns() if isinstance(game, InColumns) else None


class Prefetches(Ability):
    """Computes many states together faster than one after another."""

    @abstractmethod
    def prefetch(self, states: Sequence[Any]) -> None:
        """Prepare for questions about these states."""


def prefetch(game: "Game[Any, Any, Any]", states: Sequence[Any]) -> None:
    """Tell a game that these states will be queried."""
    if isinstance(game, Prefetches):
        game.prefetch(states)


class Draws(Ability):
    """Can roll without listing what may come, where that is too much."""

    relies_on: ClassVar[Mapping[str, tuple[str, ...]]] = {"draw": ("roll",)}

    @abstractmethod
    def draw(self, pending: Any, random: Random) -> Any:
        """Roll once; None: `roll` lists what may come."""

    @abstractmethod
    def can_follow(self, pending: Any, state: Any) -> bool:
        """Say whether a roll may give this state."""


def draw(game: "Game[Any, Any, Any]", pending: Any, random: Random) -> Any:
    """Roll without listing what may come; None where a game cannot."""
    able = ability(game, Draws)
    return None if able is None else able.draw(pending, random)


def can_follow(game: "Game[Any, Any, Any]", pending: Any, state: Any) -> bool:
    """Say whether a roll may give a state."""
    able = ability(game, Draws)
    return state in game.roll(pending) if able is None else able.can_follow(pending, state)


class Races(Ability):
    """Is a race of two, in which best play is one number for each pair of scores: how long to go on, or how much to risk."""

    chooses: ClassVar[str]
    """What this number is: texts are called `report.race.CHOOSES`."""
    target: int

    @abstractmethod
    def choice_at(self, best: Callable[[Any], Any], own: int, other: int) -> int | None:
        """Give this number; `best` gives the best move in a state, None where the state does not occur."""


class Duels(Ability):
    """Can be played by two who take turns, each at a game of his own."""

    @abstractmethod
    def duel(self, ties: Fraction) -> "Game[Any, Any, Any]":
        """Give the game of both. Raises `GameError` where that is not defined."""


def duel(game: "Game[Any, Any, Any]", ties: Fraction) -> "Game[Any, Any, Any]":
    """Give the game of two players who take turns at this one. Raises `GameError` where that is not defined."""
    if isinstance(game, Duels):
        return game.duel(ties)
    raise GameError("a duel is played on score sheets: for another game write both players into the rules, with mover()")


# Which rules a game changes: those that its class overrides, or that are set on the game itself


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
