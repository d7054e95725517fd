"""The result of solving a game: values, best actions, the whole strategy, and why to trust them.

`Solution` is what users see. How values are kept is its subclasses' business. What some of them can do beyond answering (follow a
strategy to the end, play many games at once, list decisions in columns, say more on a page) are abilities: see `abilities`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Literal, NamedTuple

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.abilities import unlifted
from rollwise.model.formatting import counted, digits, fits_float, infinite, power
from rollwise.model.game import Game
from rollwise.model.ids import read_position
from rollwise.model.message import Message, Text
from rollwise.model.moves import read_move
from rollwise.model.objective import Objective
from rollwise.model.summary import Shown, Summary
from rollwise.solvers.base.abilities import AnswersTargets, ability
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.base.pictures import for_notebooks, target_curve
from rollwise.solvers.base.reasons import ByRules
from rollwise.solvers.base.table import StrategyTable, heading

__all__ = [
    "Arrays",
    "Decision",
    "DerivedCache",
    "Evaluation",
    "Head",
    "Kind",
    "Number",
    "PackedSolution",
    "Ranked",
    "Solution",
    "require_solution",
    "unknown_position",
]  # fmt: skip

Arrays = dict[str, Any]
Number = float | Fraction
Kind = Literal["state", "pending"]


class Ranked(NamedTuple):
    """An action, its value (player 0's, whichever player moves), and how much worse it is than the best for the player who
    moves.
    """

    action: Any
    value: Number
    loss: Number


class Decision(NamedTuple):
    """One row of the strategy: a state, what to do, the value, and the loss of the second best action (None: no choice)."""

    state: Any
    action: Any
    value: Number
    second_loss: Number | None


class Head(NamedTuple):
    """What every solution begins with, after the game and the objective."""

    certificate: Certificate
    engine: str
    seconds: float
    states: int
    pendings: int


@dataclass(frozen=True)
class PackedSolution:
    """A solution taken apart: its head, its arrays, and what else is needed, in JSON types.

    `covers` says what it answers, for listings, where that is more than its objective. One that comes from a cache brings
    `refuse`: it takes a reason, removes the entry, and gives the error to raise.
    """

    head: Head
    arrays: Arrays
    rest: Mapping[str, Any]
    covers: str = ""
    refuse: Callable[[str], Exception] = GameError

    @classmethod
    def of(cls, solution: "Solution", arrays: Arrays, rest: Mapping[str, Any], covers: str = "") -> "PackedSolution":
        """Take a solution apart, given its arrays and what else is needed."""
        head = Head(solution.certificate, solution.engine, solution.seconds, solution.states, solution.pendings)
        return cls(head, arrays, rest, covers)


class DerivedCache(ABC):
    """A place beside a solution for what was computed from it and took long, by name."""

    @abstractmethod
    def get(self, solution: "Solution", name: str) -> PackedSolution | None:
        """Give what is kept; None if there is nothing that can be used."""

    @abstractmethod
    def put(self, solution: "Solution", name: str, packed: PackedSolution) -> None:
        """Keep something, if that can be done."""

    @abstractmethod
    def drop(self, name: str, reason: str) -> None:
        """Throw away what turned out to be damaged."""


@dataclass(frozen=True)
class Evaluation:
    """What a strategy is worth from the start; infinite where costs are counted if it may never end."""

    value: Number
    certificate: Certificate


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Shown, ABC):
    """A solved game.

    >>> import rollwise
    >>> solution = rollwise.solve("slots", exact=True)
    >>> solution.value(), solution.best("all 0 6")
    (Fraction(13817, 46656), 'x2even')
    >>> [(move.action, str(move.value)) for move in solution.ranked("all 0 6")][:2]
    [('x2even', '3773/7776'), ('x3', '131/288')]

    A position is a state or its text; in a game whose states are texts, a text that is a state is that state. `game` is the game
    as it was solved: for `AtLeast` and `Against` in a game that banks points, its positions include the points that are needed
    or the total so far. `engine` names the engines used, `states` and `pendings` count the positions and rolls that were solved.
    In a game for two a value is always player 0's, and the best action of player 1 is the one with the lowest value.
    """

    game: Any
    objective: Objective
    certificate: Certificate
    engine: str
    seconds: float
    states: int
    pendings: int

    solver_name: ClassVar[str] = ""
    """The name of the solver that made it."""

    def __dir__(self) -> list[str]:
        """List what every solution has; what only some solvers add is for other parts of this library."""
        return sorted({*dir(Solution), *Solution.__dataclass_fields__})

    def line(self) -> str:
        exact = ", exact" if self.exact else ""
        found = f"{heading(self)}: {self._shown_value(lambda value: digits(value, 12))}{exact}"
        return f"<{type(self).__name__} of {found}, {self.states:,} states, engine {self.engine}>"

    def _shown_value(self, show: Callable[[Number], str]) -> str:
        """The value in words; what cannot be told must not keep a solution from being shown."""
        try:
            return show(self.value())
        except Exception:
            return "value unknown"

    def summary(self) -> Summary:
        words = self.objective.words(self.game)
        whose = f"first player's {words.value}" if self.two_players else words.value
        sure = "exact" if self.exact else f"± {power(self.certificate.error_bound)}"
        facts = [
            (whose, self._shown_value(lambda value: words.show(value) if fits_float(value) else digits(value, 6))),
            ("proved", sure),
            ("size", self.size()),
            ("engine", self.engine),
        ]
        return Summary(heading(self), f"{self.objective.aim(unlifted(self.game))}.", facts, picture=self._picture())

    def _picture(self) -> str:
        """The best chance by target, where there is such a curve."""
        chances = list(ability(self, AnswersTargets).curve()) if self.objective.mark is not None else []
        return for_notebooks(target_curve(chances)) if len(chances) > 1 else ""

    def table(
        self, *, where: Mapping[str, str] | None = None, limit: int | None = None, text: Sequence[str] = ()
    ) -> StrategyTable:
        """Return the strategy as a table that polars, pandas, DuckDB and PyArrow read, in batches, without a file.

        `where` (column to text) and `limit` select rows. Columns named in `text` stay texts, even where they look like whole
        numbers.

        >>> import rollwise
        >>> from rollwise.games import load
        >>> rollwise.solve(load("groups", faces=6, sizes=[1, 2])).table().columns
        ('held groups', 'die joins group of', 'die', 'expected rolls', 'loss of second best')
        """
        return StrategyTable(self, dict(where or {}), limit, tuple(text))

    @property
    def exact(self) -> bool:
        """Whether values are exact fractions."""
        return self.certificate.exact

    @property
    def _start(self) -> Any:
        """The pending roll that it begins with: that of the game, unless only what follows a position was solved."""
        return self.game.start()

    @property
    def two_players(self) -> bool:
        """Whether player 1 has something to decide."""
        return False

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short digest of what was solved: the same for the same game, rules and objective."""

    @abstractmethod
    def _state_value(self, state: Any) -> Number | None:
        """The value of a state; None if there is no such state."""

    @abstractmethod
    def _pending_value(self, pending: Any) -> Number | None:
        """The value of a pending; None if there is no such pending."""

    @abstractmethod
    def _states(self) -> Iterator[Any]:
        """All states in which there is something to decide."""

    def value(self, position: Any = None, *, kind: Kind | None = None) -> Number:
        """Return the value of a position: a state, its text, or a pending roll; default: the start of the game.

        `kind` is needed only where a state and a pending roll of the game are equal objects. Infinite means impossible. Raises
        `PositionError` for a position that does not occur.
        """
        return self._found(position if kind == "pending" else self._read_state(position), kind)

    def _read_state(self, position: Any) -> Any:
        """Read a position that is given as text; a text that is itself a position of the game stays as it is."""
        if not isinstance(position, str) or self._knows_text(position):
            return position
        return read_position(self.game, position)

    def _knows_text(self, text: str) -> bool:
        """Whether a text is itself a position, as in games whose positions are texts."""
        return False

    def _read_action(self, state: Any, action: Any) -> Any:
        """Read an action that is given as text, as players type it; a text that is itself an action of the state stays as it is.

        Raises `PositionError` for what is not an action of the state.
        """
        actions = self.game.actions(state)
        if action in actions:
            return action
        if isinstance(action, str):
            return read_move(self.game, state, action)
        raise PositionError(f"the move {self.game.show_action(action)} is not allowed at state {self.game.show_state(state)}")

    def _found(self, position: Any, kind: Kind | None) -> Number:
        """The value of a position as it is kept, which in `value` may be that of another player."""
        if position is None:
            position, kind = self._start, "pending"
        state = self._state_value(position) if kind != "pending" else None
        pending = self._pending_value(position) if kind != "state" else None
        if state is not None and pending is not None and state != pending:
            raise PositionError(f"{position!r} is both a state and a pending roll: say kind='state' or kind='pending'")
        found = pending if state is None else state
        if found is None:
            raise self._unknown(position)
        return found

    def best(self, state: Any) -> Any:
        """Return the best action in a state, or in a position given as text; the first listed among ties.

        Raises `PositionError` where there is none.
        """
        state = self._read_state(state)
        value = self.value(state, kind="state")
        ranked = self.ranked(state)
        if not ranked or infinite(value):
            why = "no strategy surely ends the game from there" if ranked else "the game is over there"
            raise PositionError(f"state {self.game.show_state(state)} has no best action: {why}")
        return ranked[0].action

    def ranked(self, state: Any) -> list[Ranked]:
        """List the actions in a state, or in a position given as text, from best to worst; an end has none.

        Raises `PositionError` for a position that does not occur.
        """
        state = self._read_state(state)
        best = self._found(state, "state")
        rows = [Ranked(action, value, _loss(best, value)) for action, value in self._valued(state)]
        if not rows:
            return []
        chosen = self._choice(state, best, rows)
        order = sorted(range(len(rows)), key=lambda place: (place != chosen, rows[place].loss, place))
        return [rows[place] for place in order]

    def policy(self) -> Iterator[Decision]:
        """Iterate over the whole strategy: one row for each reachable decision from which the game can surely end."""
        for state in self._states():
            ranked = self.ranked(state)
            yield Decision(state, ranked[0].action, ranked[0].value, ranked[1].loss if len(ranked) > 1 else None)

    def size(self) -> str:
        """Describe the number of positions in words."""
        return f"{counted(self.states, 'state')}, {counted(self.pendings, 'pending roll')}"

    def pack(self) -> PackedSolution:
        """Return its arrays and facts, for the cache. Raises `GameError` where it cannot be stored."""
        raise GameError(f"a {type(self).__name__} cannot be stored")

    @cached_property
    def _by_rules(self) -> ByRules:
        """What moves consist of, by the rules; what is met on the way is kept in mind."""
        return ByRules(self)

    def _valued(self, state: Any) -> Iterator[tuple[Any, Number]]:
        """Every action with its value, in the game's order."""
        for action in self.game.actions(state):
            pending = self.game.play(state, action)
            value = self._pending_value(pending)
            if value is None:
                where = self.game.show_state(state)
                raise PositionError(f"play({where}, {action!r}) is {pending!r}, which was not met when solving: check the rules")
            yield (
                action,
                value + self.game.gain(state, action) if self.objective.adds and self.objective.counts == "points" else value,
            )

    def _choice(self, state: Any, best: Number, rows: list[Ranked]) -> int:
        """The place of the chosen action: the first among the ties."""
        width = 0.0 if self.exact else TIE * abs(float(best))
        return next(place for place, row in enumerate(rows) if row.loss <= width)

    def _unknown(self, position: Any) -> PositionError:
        return unknown_position(self.game, position)


def unknown_position(game: Any, position: Any) -> PositionError:
    """Say that a position does not occur."""
    try:
        name: Text = Message("error.state", {"state": game.show_state(position)})
    except Exception:
        name = repr(position)
    return PositionError(Message("error.no-state", {"what": name}))


def require_solution(thing: object, caller: str) -> None:
    """Refuse what is not a solution, and say what to do instead. Raises `GameError`."""
    if isinstance(thing, Solution):
        return
    if isinstance(thing, Game):
        raise GameError(f"{caller} was given the game {type(thing).__name__}: solve it first, {caller}(solve(game), ...)")
    raise GameError(f"{caller} was given {brief(thing)}: expected a solution, such as solve('yahtzee')")


def _loss(best: Number, value: Number) -> Number:
    """How much worse than the best; two infinite values are equal."""
    if isinstance(best, Fraction) and isinstance(value, Fraction):
        return abs(best - value)
    if best == value:
        return 0.0
    return inf if infinite(best) or infinite(value) else abs(float(best) - float(value))
