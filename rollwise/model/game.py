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
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from rollwise.errors import GameError, PositionError
from rollwise.model.expected import Expected
from rollwise.model.notation import percent
from rollwise.model.objective import Objective
from rollwise.model.parameter import Parameter

__all__ = ["Facts", "Game", "Parameter", "Progress"]

State = TypeVar("State", bound=Hashable)
Pending = TypeVar("Pending", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much is done, and how much there is (None if unknown)."""

Facts = Mapping[str, Any]
"""What a solution knows about a move: always `objective`; a form adds what it has, such as what dice are kept for."""


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
    """What `cost` counts."""

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

    # How the game looks and speaks. All of it has defaults; none of it changes a value.

    def unlifted(self) -> "Game[Any, Any, Any]":
        """Give the game that was described; where an objective added to its positions, the game without that."""
        return self

    def unlift(self, position: Any) -> Any:
        """Give the position of `unlifted` that a position of this game stands for."""
        return position

    def show_dice(self, state: State) -> Sequence[Any]:
        """List the dice that lie on the table."""
        return ()

    def say(self, state: State, action: Action, facts: Facts) -> str:
        """Say in one sentence what a move does."""
        roll = self.roll(self.play(state, action))
        over = sum(weight for after, weight in roll.items() if not self.actions(after)) / sum(roll.values())
        gain = self.gain(state, action)
        if facts["objective"].counts == "costs":
            return f"the next roll ends the game with {percent(over)}"
        if facts["objective"].wins or not gain:
            return f"then {len(roll)} outcome{'' if len(roll) == 1 else 's'}, {percent(over)} of them final"
        return f"gains {gain} at once"

    def to_go(self, pending: Pending) -> str | None:
        """Say how much is still to be played, such as "2 boxes", or "" for nothing; None where there is no saying."""
        return None

    def describe(self, state: State) -> str:
        """Describe a position in a line, for a player who knows the rules."""
        return ", ".join(f"{name} {text}" for name, text in self.columns(state).items())

    def choices(self, state: State) -> str:
        """List what may be done, in a line that begins with a word for it; "" for the plain list of moves."""
        return ""

    def tidy(self, text: str) -> str:
        """Write what a player types as an action is written."""
        return " ".join(text.split())

    def board(self) -> Mapping[str, Any]:
        """Describe what lies on the table, in JSON types; `kind` says what draws it."""
        return {"kind": "any", "start": self.show_pending(self.start())}

    def position(self, state: State) -> Mapping[str, Any]:
        """Describe a state, in JSON types."""
        return {"kind": "any", "dice": [str(face) for face in self.show_dice(state)], "columns": dict(self.columns(state))}

    def dimensions(self) -> Mapping[str, int]:
        """Count what makes the game large, by name, so that a server can refuse it before it is solved."""
        return {}

    def draw(self, pending: Pending, random: Random) -> State | None:
        """Roll without listing what may come, where that is too much; None: `roll` lists it."""
        return None

    def can_follow(self, pending: Pending, state: State) -> bool:
        """Say whether a roll may give this state."""
        return state in self.roll(pending)

    def duel(self, ties: Fraction) -> "Game[Any, Any, Any]":
        """Give the game of two players who take turns at this one. Raises `GameError` where that is not defined."""
        raise GameError("a duel is played on score sheets: for another game write both players into the rules, with mover()")


def _literal(what: str, text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise PositionError(f"{text!r} is not a {what}: expected a Python literal such as (1, 2)") from None
