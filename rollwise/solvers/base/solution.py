"""The result of solving a game: values, best actions, the whole strategy, and why to trust them.

`Solution` is what users see. How values are kept is its subclasses' business. A solution may be able to do more than answer:
follow a strategy to the end, play many games at once, list its decisions in columns, say more on a page, be stored. Each of
these has a default, which leaves it to the graph of the game or to its rules; a form overrides what it does better.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.abilities import unlifted
from rollwise.model.formatting import counted, digits, fits_float, infinite, power
from rollwise.model.game import Game, Progress, wants_game
from rollwise.model.message import Message, Text
from rollwise.model.objective import Objective
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.model.summary import Shown, Summary, cut
from rollwise.solvers.base.bench import CardBench
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.chunks import Chunk, Coded, Column
from rollwise.solvers.base.held import Held, hold
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.base.pictures import for_notebooks, target_curve
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.reasons import ByRules
from rollwise.solvers.base.spread import Spread
from rollwise.solvers.base.table import StrategyTable
from rollwise.solvers.base.tabulated import Tabulated

__all__ = [
    "BYTES_A_POSITION",
    "Arrays",
    "Chunk",
    "Coded",
    "Column",
    "Decision",
    "Evaluation",
    "Follow",
    "Head",
    "Kind",
    "Number",
    "Player",
    "Ranked",
    "Shelf",
    "Solution",
    "Spent",
    "Split",
    "Stored",
    "Work",
    "wants_solution",
]  # fmt: skip

Ints = npt.NDArray[np.int64]
Arrays = dict[str, Any]
Number = float | Fraction
Kind = Literal["state", "pending"]

BYTES_A_POSITION = 1500
"""What a position takes that is kept as an object, about."""


class Ranked(NamedTuple):
    """An action, its value (player 0's, whoever moves), and how much worse it is than the best for the player who moves."""

    action: Any
    value: Number
    loss: Number


class Decision(NamedTuple):
    """One row of the strategy: a state, what to do, the value, and the loss of the second best action (None: no choice)."""

    state: Any
    action: Any
    value: Number
    second_loss: Number | None


class Spent(GameError):
    """Following a strategy took more work than it may."""


@dataclass
class Work:
    """Work that following a strategy may take, in outcomes of rolls. Raises `Spent` when there is none left."""

    left: int

    def take(self, outcomes: int) -> None:
        """Take some of it."""
        self.left -= outcomes
        if self.left < 0:
            raise Spent("following the strategy to the end takes too long to be done unasked: ask for the outlook")


class Follow(NamedTuple):
    """How much memory and work following a strategy may take (None: most of what is here), and whom to tell how far it is."""

    max_bytes: int | None = None
    progress: Progress | None = None
    work: Work | None = None


class Player(NamedTuple):
    """Plays many games at once: `play(random, games)` gives their totals, `most` games at a time."""

    play: Callable[["np.random.Generator", int], Ints]
    most: int


class Head(NamedTuple):
    """What every solution begins with, after the game and the objective."""

    certificate: Certificate
    engine: str
    seconds: float
    states: int
    pendings: int


@dataclass(frozen=True)
class Stored:
    """A solution taken apart: its head, its arrays, and what else is needed, in JSON types.

    One that comes from a store brings `refuse`: it takes a reason, removes the entry, and gives the error to raise.
    """

    head: Head
    arrays: Arrays
    rest: Mapping[str, Any]
    refuse: Callable[[str], Exception] = GameError


class Shelf(ABC):
    """A place beside a solution for what was worked out from it and took long, by name."""

    @abstractmethod
    def get(self, solution: "Solution", name: str) -> Stored | None:
        """Give what is kept; None if there is nothing that can be used."""

    @abstractmethod
    def put(self, solution: "Solution", name: str, stored: Stored) -> None:
        """Keep something, if that can be done."""

    @abstractmethod
    def drop(self, name: str, reason: str) -> None:
        """Throw away what turned out to be damaged."""


@dataclass(frozen=True)
class Split:
    """How a game for two ends for player 0: the chances to win, to tie and to lose."""

    win: float
    tie: float
    loss: float


@dataclass(frozen=True)
class Evaluation:
    """What a strategy is worth from the start; infinite where costs are counted if it may never end."""

    value: Number
    certificate: Certificate


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Shown, ABC):
    """A solved game.

    >>> from rollwise.games import load
    >>> import rollwise
    >>> solution = rollwise.solve(load("slots"), exact=True)
    >>> solution.value()
    Fraction(13817, 46656)
    >>> state = solution.game.read_state("all 0 6")
    >>> [(move.action, str(move.value)) for move in solution.ranked(state)][:2]
    [('x2even', '3773/7776'), ('x3', '131/288')]

    `game` is the game in the form it was solved: for `AtLeast` and `Against` on a game that banks points, positions say
    what is needed or what the total is so far.
    `engine` names the engines used. `states` and `pendings` count what was solved and stored. In a game for two a value is
    always player 0's, and the best action of player 1 is the one with the lowest.
    """

    game: Any
    objective: Objective
    certificate: Certificate
    engine: str
    seconds: float
    states: int
    pendings: int

    def line(self) -> str:
        exact = ", exact" if self.exact else ""
        found = f"{self.heading}: {self._shown_value(lambda value: digits(value, 12))}{exact}"
        return f"<{type(self).__name__} of {found}, {self.states:,} states, engine {self.engine}>"

    @property
    def heading(self) -> str:
        """The game, and what it is played for."""
        return f"{type(unlifted(self.game)).__name__} ({cut(str(self.objective))})"

    def _shown_value(self, show: Callable[[Number], str]) -> str:
        """The value in words; what cannot be told must not keep a solution from being shown."""
        try:
            return show(self.value())
        except Exception:
            return "value unknown"

    def summary(self) -> Summary:
        words = self.objective.words(self.game)
        whose = f"first player's {words.value}" if self.two_players else words.value
        sure = "exact" if self.exact else f"within {power(self.certificate.error_bound)}"
        facts = [
            (whose, self._shown_value(lambda value: words.show(value) if fits_float(value) else digits(value, 6))),
            ("proved", sure),
            ("size", self.size()),
            ("engine", self.engine),
        ]
        return Summary(self.heading, f"{self.objective.aim(unlifted(self.game))}.", facts, picture=self._picture())

    def _picture(self) -> str:
        """The best chance by target, where there is such a curve."""
        curve = list(self.curve()) if self.objective.mark is not None else []
        return for_notebooks(target_curve(curve)) if len(curve) > 1 else ""

    def table(
        self, *, where: Mapping[str, str] | None = None, limit: int | None = None, text: Sequence[str] = ()
    ) -> StrategyTable:
        """Give the strategy as a table for polars, pandas, DuckDB or PyArrow, in batches, without a file.

        `where` and `limit` choose a part: only rows whose columns read so, and at most so many. Columns named in `text` stay
        texts, even where they look like whole numbers.

        >>> from rollwise.games import load
        >>> import rollwise
        >>> rollwise.solve(load("groups", faces=6, sizes=[1, 2])).table().columns
        ('held groups', 'die joins group of', 'die', 'expected rolls', 'loss of second best')
        """
        return StrategyTable(self, dict(where or {}), limit, tuple(text))

    @property
    def exact(self) -> bool:
        """Whether values are exact fractions."""
        return self.certificate.exact

    @property
    def decisions(self) -> int:
        """An upper bound of the number of rows of `policy`."""
        return self.states

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
        """Give the value of a state or pending roll; of the start if none is given. Infinite means impossible.

        `kind` is needed only where a state and a pending roll of the game are equal objects.
        """
        return self._found(position, kind)

    def _found(self, position: Any, kind: Kind | None) -> Number:
        """The value of a position as it is kept, which in `value` may be that of another player."""
        if position is None:
            position, kind = self.game.start(), "pending"
        state = self._state_value(position) if kind != "pending" else None
        pending = self._pending_value(position) if kind != "state" else None
        if state is not None and pending is not None and state != pending:
            raise PositionError(f"{position!r} is both a state and a pending roll: say kind='state' or kind='pending'")
        found = pending if state is None else state
        if found is None:
            raise self._unknown(position)
        return found

    def best(self, state: Any) -> Any:
        """Give the best action (the first listed among ties). Raises `PositionError` where there is none."""
        value = self.value(state, kind="state")
        ranked = self.ranked(state)
        if not ranked or infinite(value):
            why = "no strategy surely ends the game from there" if ranked else "the game is over there"
            raise PositionError(f"state {self.game.show_state(state)} has no best action: {why}")
        return ranked[0].action

    def ranked(self, state: Any) -> list[Ranked]:
        """List all actions from best to worst, the chosen one first; an end has none."""
        best = self._found(state, "state")
        rows = [Ranked(action, value, _loss(best, value)) for action, value in self._valued(state)]
        if not rows:
            return []
        chosen = self._choice(state, best, rows)
        order = sorted(range(len(rows)), key=lambda place: (place != chosen, rows[place].loss, place))
        return [rows[place] for place in order]

    def policy(self) -> Iterator[Decision]:
        """Iterate over the whole strategy: one row per reachable decision from which the game can surely end."""
        for state in self._states():
            ranked = self.ranked(state)
            yield Decision(state, ranked[0].action, ranked[0].value, ranked[1].loss if len(ranked) > 1 else None)

    def met(self, state: Any) -> Any:
        """Give a state as the rules made it: a plain tuple may equal a named one, but has no names."""
        return state

    # What a solution may be able to do. Every default leaves it to the graph of the game, or to its rules.

    form_name: ClassVar[str] = ""
    """The name of the form that made it."""
    worth_seconds: ClassVar[float] = 0.25
    """A solve that was quicker is not worth a file."""
    size_word: ClassVar[str] = "positions"
    """What `states` counts."""
    checked: ClassVar[str] = "by the check"
    """Where the residual of the certificate was found."""

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return sum(self.held().values())

    def held(self) -> Held:
        """Give about how much memory it takes by what takes it: its arrays, or as much as positions take one by one.

        What several solutions share has the same key in all of them. What was worked out since it was solved counts too.
        """
        try:
            return hold(self.pack().arrays.values())
        except GameError:
            return {id(self): BYTES_A_POSITION * (self.states + self.pendings)}

    def facts(self, state: Any, action: Any) -> Mapping[str, Any]:
        """Give what the solver knows about a move, by name, for the sentence about it."""
        return {}

    def parts(self, state: Any, action: Any, value: Number | None = None) -> tuple[Part, ...]:
        """Take the value of a move apart by where it comes from; the parts add up to it. Raises `PositionError`.

        `value` is that of the move, where the caller knows it.
        """
        if value is None:
            value = next((row.value for row in self.ranked(state) if row.action == action), None)
        if value is None:
            raise PositionError(f"{self.game.show_action(action)} is no move of state {self.game.show_state(state)}")
        return self._parts(state, action, value)

    def _parts(self, state: Any, action: Any, value: Number) -> tuple[Part, ...]:
        """The parts of a move with this value."""
        return self._by_rules.parts(state, action, value)

    @cached_property
    def _by_rules(self) -> ByRules:
        return ByRules(self)

    @property
    def two_players(self) -> bool:
        """Whether player 1 has something to decide."""
        return False

    def answer(self, policy: Policy, player: int) -> "Solution | None":
        """Give the values of positions where a player is bound to a policy; None where they are not quickly had."""
        return None

    def steps(self, state: Any) -> int:
        """Say about how many places following the moves of a state to the end goes through."""
        return self.states + self.pendings

    def spread(self, policy: Policy | None, pending: Any, follow: Follow) -> Spread | None:
        """Follow a policy (None: its own) from a pending roll to the end; None: the graph does that."""
        return None

    def spreads(self, pendings: list[Any], follow: Follow) -> list[Spread] | None:
        """Follow its own strategy from several pending rolls at once; None: one after another."""
        return None

    def quick_spreads(self, pendings: list[Any], follow: Follow, *, build: bool = False) -> list[Spread] | None:
        """Give distributions that are there already, each with a bound of its error; None: there are none.

        `build` works them out first, once for all positions, where that is possible.
        """
        return None

    def quick_plan(self) -> Plan | None:
        """Say what working out the distributions of all positions takes; None: that is not possible, or they are there."""
        return None

    def beside(self, shelf: Shelf) -> "Solution":
        """Give the same solution with a place for what is worked out from it."""
        return self

    def player(self, tick: Callable[[int], None]) -> Player | None:
        """Play many games at once by its own strategy; None: one by one, by the rules. `tick` is told how many are done."""
        return None

    def follower(self, policy: Policy, tick: Callable[[int], None]) -> Player | None:
        """Play many games at once by another strategy; None: one by one, by the rules."""
        return None

    def card_bench(self, progress: Progress | None = None) -> CardBench | None:
        """Give a bench on which strategy cards are worked out fast; None: the graph of the game has one."""
        return None

    def split(self, *, threads: int | None = None, progress: Progress | None = None) -> Split:
        """Split the value of a game for two into the chances of player 0 to win, to tie and to lose."""
        raise GameError(f"the value of this game, played for {self.objective}, cannot be split: solve a score sheet for Duel()")

    def chunks(self, words: tuple[str, str], rows: int, where: Mapping[str, str]) -> Iterator[Chunk] | None:
        """List the decisions in chunks of about `rows`, those that `where` may concern; None: decision by decision.

        `words` name the value and the loss of the second best.
        """
        return None

    def count(self, where: Mapping[str, str]) -> int:
        """Give an upper bound of the number of decisions that `where` may concern."""
        return self.decisions

    def curve(self) -> Any:
        """Give the best chance of at least t points for every t from 0 on, where one solution answers that; else nothing."""
        return []

    def size(self) -> str:
        """Say how large it is, for people."""
        return f"{counted(self.states, 'state')}, {counted(self.pendings, 'pending roll')}"

    def trust(self) -> str:
        """Say what was checked after solving, in a sentence, and no more than that."""
        return "After solving, every roll was checked against the equation that the values must satisfy."

    def bounds(self) -> str:
        """Say how far from the truth its values may be, after `trust`."""
        proof = self.certificate
        if proof.exact:
            return "All numbers are fractions: nothing was rounded, and the difference is exactly 0."
        return (
            "The numbers are floating point; adding up every rounding that can have happened, the value is within "
            f"{power(proof.error_bound)} of the truth. The largest difference found {self.checked} is "
            f"{power(float(proof.residual))}."
        )

    def figures(self, found: Spread | None, progress: Progress | None) -> list[tuple[str, str]] | None:
        """Give the figures that a page begins with, each with its name; None: the value, and what the distribution says."""
        return None

    def sections(self, found: Spread | None, progress: Progress | None) -> list[Block]:
        """Give what a page about it says beyond what every page does; `found` is the distribution under best play."""
        return []

    def pack(self) -> Stored:
        """Take it apart for the store. Raises `GameError` where that cannot be done."""
        raise GameError(f"a {type(self).__name__} cannot be stored")

    def tabulate(self, follow: Follow, *, build: bool = False) -> Tabulated | None:
        """Give it as small arrays from which a page works out any position; None: only its positions one by one will do.

        `build` works out first how the game may end from all positions, where that is not there already.
        """
        return None

    @property
    def covers(self) -> str:
        """Say what it answers, for listings."""
        return str(self.objective)

    @property
    def variant(self) -> str:
        """What its name in a store ends with, where an option of solving changed its values."""
        return ""

    @property
    def head(self) -> Head:
        """What every solution begins with, after the game and the objective."""
        return Head(self.certificate, self.engine, self.seconds, self.states, self.pendings)

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
        try:
            name: Text = Message("error.state", {"state": self.game.show_state(position)})
        except Exception:
            name = repr(position)
        return PositionError(Message("error.no-state", {"what": name}))


def wants_solution(thing: object, asker: str) -> None:
    """Refuse what is not a solution, with the way to one. Raises `GameError`."""
    if isinstance(thing, Solution):
        return
    if isinstance(thing, Game):
        raise GameError(f"{asker} was given the game {type(thing).__name__}: solve it first, {asker}(solve(game), ...)")
    wants_game(thing, asker) if isinstance(thing, str | type) else None
    raise GameError(f"{asker} was given {brief(thing)}: expected a solution, such as solve(rollwise.games.load('slots'))")


def _loss(best: Number, value: Number) -> Number:
    """How much worse than the best; two infinite values are equal."""
    if isinstance(best, Fraction) and isinstance(value, Fraction):
        return abs(best - value)
    if best == value:
        return 0.0
    return inf if infinite(best) or infinite(value) else abs(float(best) - float(value))
