"""The modelling interface: what a dice game is.

A game is a graph of two kinds of nodes. In a *state* the player chooses; in a *pending* roll nature chooses. A game says where
it starts, what a roll may give, which actions a state offers and what each leads to. Points are integers: `gain` when an
action is taken, `payoff` at the end. `cost` is what `Fewest` counts, once per roll. In a game for two, `mover` says whose choice
a state is; all points are those of player 0, who wants many, and player 1 wants few.

Everything a game returns is immutable and hashable; equal states are one state. Pendings are shared: many states may lead to
the same pending, and its outcomes are stored once.
"""

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from rollwise.errors import PositionError
from rollwise.model.objective import Expected, Objective

__all__ = ["Game", "Parameter", "Progress", "read_flag"]

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
        """Say what `Fewest` counts for this roll."""
        return 1

    def greed(self, state: State, action: Action) -> float:
        """Say how good an action looks at once, for the `Greedy` policy; the default is its gain."""
        return self.gain(state, action)

    def show_state(self, state: State) -> str:
        """Write a state as text; `read_state` is its inverse."""
        return repr(state)

    def read_state(self, text: str) -> State:
        """Read a state; the default reads Python literals. Raises `PositionError`."""
        return _literal("state", text)  # type: ignore[no-any-return]

    def show_action(self, action: Action) -> str:
        """Write an action as text; `read_action` is its inverse."""
        return action if isinstance(action, str) else repr(action)

    def read_action(self, text: str) -> Action:
        """Read an action; the default reads Python literals, and any other text as itself. Raises `PositionError`."""
        try:
            return _literal("action", text)  # type: ignore[no-any-return]
        except PositionError:
            return text  # type: ignore[return-value]

    def show_pending(self, pending: Pending) -> str:
        """Write a pending roll as text, for messages."""
        return repr(pending)

    def columns(self, state: State) -> Mapping[str, str]:
        """Split a state into named columns, for tables of the strategy."""
        return {"state": self.show_state(state)}


def _literal(what: str, text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise PositionError(f"{text!r} is not a {what}: expected a Python literal such as (1, 2)") from None
