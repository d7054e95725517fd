"""The modelling interface: what a dice game is.

A game is a graph of two kinds of nodes. In a *state* the player chooses; in a *pending* roll nature chooses. A game says where
it starts, what a roll may give, which actions a state offers and what each leads to. Points are integers: `gain` when an
action is taken, `payoff` at the end. `cost` is what `Fewest` counts for a roll. In a game for two, `mover` says whose choice
a state is; all points are those of player 0, who wants many, and player 1 wants few.

Everything a game returns is immutable and hashable; equal states are one state. Pendings are shared: many states may lead to
the same pending, and its outcomes are stored once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from rollwise.errors import GameError, brief
from rollwise.model.card import Vocabulary
from rollwise.model.moves import read_move
from rollwise.model.notation import Notation
from rollwise.model.objective import Expected, Objective
from rollwise.model.parameter import Parameter
from rollwise.model.plain_words import plain_vocabulary
from rollwise.model.values import has_notation
from rollwise.model.view import View

__all__ = ["PUBLIC", "Game", "Parameter", "Progress", "objective_of", "require_game"]

State = TypeVar("State", bound=Hashable)
Pending = TypeVar("Pending", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much is done, and how much there is (None if unknown)."""


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
    notation: ClassVar[type[Notation]] = Notation
    """How positions and actions are written."""
    view: ClassVar[type[View]] = View
    """How the game looks and speaks."""

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

    @property
    def players(self) -> int:
        """How many players choose."""
        return 1 if type(self).mover is Game.mover else 2

    def __dir__(self) -> list[str]:
        """List the rules, the parameters, and what classes of users define."""
        own = [kind for kind in type(self).__mro__ if not kind.__module__.startswith("rollwise.")]
        names = {name for kind in own for name in vars(kind)} | {one.name for one in self.parameters if hasattr(self, one.name)}
        return sorted({*PUBLIC, *names, *(vars(self) if own[0] is type(self) else ())})

    # How it is written, for short: all of it is left to `notation`.

    def show_state(self, state: State) -> str:
        """Write a state as text; `read_state` is its inverse. A game that overrides only that reads what `repr` gives."""
        return type(self).notation(self).show_state(state) if type(self).read_state is Game.read_state else repr(state)

    def read_state(self, text: str) -> State:
        """Read a state; the default reads Python literals and the game's own classes. Raises `PositionError`."""
        return type(self).notation(self).read_state(text)  # type: ignore[no-any-return]

    def show_action(self, action: Action) -> str:
        """Write an action as text; `read_action` is its inverse."""
        plain = isinstance(action, str) and not has_notation(type(action))
        default = plain or type(self).read_action is Game.read_action
        return type(self).notation(self).show_action(action) if default else repr(action)

    def read_action(self, text: str, state: State | None = None) -> Action:
        """Read an action as it is written, or one of a state as players type it: `reroll 1 2`. Raises `PositionError`.

        The default reads as for states, and any other text as itself.
        """
        found: Action = type(self).notation(self).read_action(text) if state is None else read_move(self, state, text)
        return found

    def vocabulary(self) -> Vocabulary:
        """Give the words of a strategy card: what a player sees in a position, and what moves are called."""
        return plain_vocabulary(self)


PUBLIC = tuple(name for name in vars(Game) if not name.startswith("_"))
"""What a game may define."""


def require_game(thing: object, caller: str) -> None:
    """Refuse what is not a game, and say what to do instead. Raises `GameError`.

    >>> require_game(7, "solve")
    Traceback (most recent call last):
        ...
    rollwise.errors.GameError: solve was given 7: expected a game, a name such as 'yahtzee', or the path of a game file
    """
    if isinstance(thing, Game):
        return
    if isinstance(thing, type) and issubclass(thing, Game):
        raise GameError(f"{caller} was given the class {thing.__name__}: expected a game, such as {thing.__name__}()")
    raise GameError(f"{caller} was given {brief(thing)}: expected a game, a name such as 'yahtzee', or the path of a game file")


def objective_of(game: Game[Any, Any, Any], objective: Objective | None = None) -> Objective:
    """Give the objective, or the game's own. Raises `GameError` for anything that is none."""
    found: object = game.objective if objective is None else objective
    if isinstance(found, Objective):
        return found if objective is None else found.fitted(game)
    tip = "expected Expected(), AtLeast(t), Against(scores), Lowest(), AtMost(t), Win(), Fewest() or Duel()"
    if isinstance(found, type) and issubclass(found, Objective):
        tip = f"expected one that is made, {found.__name__}(...)"
    elif callable(found):
        tip = "expected a property, put @property above it"
    raise GameError(f"the objective is {brief(found)}: {tip}")
