"""The modelling interface: what a dice game is.

A game is a graph of two kinds of nodes. In a *state* the player chooses; in a *pending* roll nature chooses. A game says where
it starts, what a roll may give, which actions a state offers and what each leads to. Points are integers: `gain` when an
action is taken, `payoff` at the end. `cost` is what `Fewest` counts for a roll. In a game for two, `mover` says whose choice
a state is; all points are those of player 0, who wants many, and player 1 wants few.

Everything a game returns is immutable and hashable; equal states are one state. Pendings are shared: many states may lead to
the same pending, and its outcomes are stored once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import unwrap
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakKeyDictionary

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.objective import Expected, Objective
from rollwise.model.values import classes_in, has_notation, read_value, write_value

__all__ = ["RULES", "Game", "Parameter", "Progress", "aim_of", "own_classes", "read_flag", "wants_game"]

State = TypeVar("State", bound=Hashable)
Pending = TypeVar("Pending", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much is done, and how much there is (None if unknown)."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game's constructor, for catalogues and command lines: `read` turns text into the value."""

    name: str
    read: Callable[[str], Any]
    help: str
    default: str = ""


def read_flag(text: str) -> bool:
    """Read yes or no.

    >>> read_flag("yes"), read_flag("no")
    (True, False)
    """
    answers = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if text.lower() not in answers:
        raise ValueError(f"{text!r} is neither yes nor no")
    return answers[text.lower()]


class Game(ABC, Generic[State, Pending, Action]):
    """A dice game; subclass it and write down the rules.

    >>> import rollwise
    >>> class TwoRolls(Game[tuple[int, int], tuple[int, int], str]):
    ...     '''Roll a die; keep what it shows, or roll once more.'''
    ...     def start(self): return (0, 2)
    ...     def roll(self, pending):
    ...         kept, rolls = pending
    ...         return rollwise.die(6).map(lambda face: (face, rolls - 1)) if rolls else {(kept, -1): 1}
    ...     def actions(self, state): return ("keep", "again")[: state[1] + 1]
    ...     def play(self, state, action): return (0, state[1]) if action == "again" else (state[0], 0)
    ...     def payoff(self, state): return state[0]
    >>> rollwise.solve(TwoRolls(), exact=True).value()
    Fraction(17, 4)
    """

    parameters: ClassVar[tuple[Parameter, ...]] = ()
    action_word: ClassVar[str] = "action"
    cost_word: ClassVar[str] = "rolls"
    """What `cost` counts, in the plural."""

    @property
    def objective(self) -> Objective:
        """What is best when the caller does not say."""
        return Expected()

    @abstractmethod
    def start(self) -> Pending:
        """Give the first roll, before it is rolled."""

    @abstractmethod
    def roll(self, pending: Pending) -> Mapping[State, int]:
        """Say what a pending roll may give: states with positive integer weights."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """List what the player may do; an empty sequence means the game is over. Earlier actions win ties."""

    @abstractmethod
    def play(self, state: State, action: Action) -> Pending:
        """Say which roll an action leads to."""

    def gain(self, state: State, action: Action) -> int:
        """Say how many points an action banks."""
        return 0

    def payoff(self, state: State) -> int:
        """Say how many points the end of the game adds."""
        return 0

    def mover(self, state: State) -> int:
        """Say who chooses: player 0, who maximises, or player 1, who minimises what player 0 gets."""
        return 0

    def cost(self, pending: Pending) -> int:
        """Say what `Fewest` counts for this roll; the default counts rolls, but not one that can go only one way."""
        return int(len(self.roll(pending)) > 1)

    def greed(self, state: State, action: Action) -> float:
        """Say how good an action looks at once, for the `Greedy` policy; the default is its gain."""
        return self.gain(state, action)

    def show_state(self, state: State) -> str:
        """Write a state as text; `read_state` is its inverse. Whoever writes only that reads what `repr` gives."""
        return write_value(state) if type(self).read_state is Game.read_state else repr(state)

    def read_state(self, text: str) -> State:
        """Read a state; the default reads Python literals and the game's own classes. Raises `PositionError`."""
        return _read(self, "state", text)  # type: ignore[no-any-return]

    def show_action(self, action: Action) -> str:
        """Write an action as text; `read_action` is its inverse."""
        if isinstance(action, str) and not has_notation(type(action)):
            return action
        return write_value(action) if type(self).read_action is Game.read_action else repr(action)

    def read_action(self, text: str) -> Action:
        """Read an action; the default reads as for states, and any other text as itself. Raises `PositionError`."""
        try:
            return _read(self, "action", text)  # type: ignore[no-any-return]
        except PositionError:
            return text  # type: ignore[return-value]

    def show_pending(self, pending: Pending) -> str:
        """Write a pending roll as text, for messages."""
        return repr(pending)

    def columns(self, state: State) -> Mapping[str, str]:
        """Split a state into named columns, for tables of the strategy."""
        return {"state": self.show_state(state)}


RULES = tuple(name for name in vars(Game) if not name.startswith("_"))
"""What a game may say about itself."""

MET = 100
"""Positions that are looked at for the classes of a game."""

_CLASSES: WeakKeyDictionary[type, dict[str, type]] = WeakKeyDictionary()


def wants_game(thing: object, asker: str) -> None:
    """Refuse what is not a game, with the way to one. Raises `GameError`.

    >>> wants_game("slots", "solve")
    Traceback (most recent call last):
        ...
    rollwise.errors.GameError: solve was given the text 'slots': make a game of it first, rollwise.games.load('slots')
    """
    if isinstance(thing, Game):
        return
    if isinstance(thing, type) and issubclass(thing, Game):
        raise GameError(f"{asker} was given the class {thing.__name__}: make a game of it first, {thing.__name__}()")
    if isinstance(thing, str):
        way = f"rollwise.games.users.find_game({thing!r}, {{}})" if thing.endswith(".py") else f"rollwise.games.load({thing!r})"
        raise GameError(f"{asker} was given the text {brief(thing)}: make a game of it first, {way}")
    raise GameError(f"{asker} was given {brief(thing)}: expected a game, such as rollwise.games.load('slots')")


def aim_of(game: Game[Any, Any, Any], objective: Objective | None = None) -> Objective:
    """Give the objective, or the game's own. Raises `GameError` for anything that is none."""
    found: object = game.objective if objective is None else objective
    if isinstance(found, Objective):
        return found
    tip = "expected Expected(), AtLeast(t), Against(scores), Fewest() or Duel()"
    if isinstance(found, type) and issubclass(found, Objective):
        tip = f"expected one that is made, {found.__name__}(...)"
    elif callable(found):
        tip = "expected a property, put @property above it"
    raise GameError(f"the objective is {brief(found)}: {tip}")


def own_classes(game: Game[Any, Any, Any]) -> Iterator[type]:
    """Give the classes that a game is made of and that are not this library's, its own first."""
    for kind in type(game).__mro__:
        if issubclass(kind, Game) and kind.__module__.split(".")[0] != "rollwise":
            yield kind


def _read(game: Game[Any, Any, Any], what: str, text: str) -> Any:
    try:
        return read_value(text, lambda name: _class(game, name))
    except ValueError as error:
        tip = "expected a Python literal such as (1, 2)" if str(error).startswith(("malformed", "it is no")) else error
        raise PositionError(f"{brief(text)} is not a {what}: {tip}") from None


def _class(game: Game[Any, Any, Any], name: str) -> type | None:
    """Find a class by its name among those that a game uses."""
    known = _CLASSES.get(type(game))
    if known is None:
        found = {kind.__name__: kind for kind in (*_in_reach(game), *_met(game))}
        known = _CLASSES[type(game)] = {name: kind for name, kind in found.items() if not issubclass(kind, Game)}
    return known.get(name)


def _in_reach(game: Game[Any, Any, Any]) -> Iterator[type]:
    """Give the classes with a notation that a game's own file and class name."""
    for kind in own_classes(game):
        rules = [unwrap(rule) for rule in vars(kind).values() if callable(rule) and not isinstance(rule, type)]
        spaces = {id(space): space for rule in rules if (space := getattr(rule, "__globals__", None)) is not None}
        for space in (*spaces.values(), vars(kind)):
            yield from (value for value in tuple(space.values()) if isinstance(value, type) and has_notation(value))


def _met(game: Game[Any, Any, Any]) -> list[type]:
    """Give the classes of the first positions and actions, as far as the rules answer."""
    found: list[type] = []
    try:
        pendings = [game.start()]
        states = [state for state, _ in zip(game.roll(pendings[0]), range(MET), strict=False)]
        found += classes_in([*pendings, *states])
        for state in states:
            actions = list(game.actions(state))
            found += classes_in([*actions, *(game.play(state, action) for action in actions)])
    except Exception:
        return found
    return found
