"""The result of solving a game: values, best actions, the whole strategy, and why to trust them.

`Solution` is what users see. How values are kept is its subclasses' business: `GraphSolution` holds the arrays of an explored
graph; a family of games that recomputes values on demand has its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import inf
from typing import Any, Literal, NamedTuple

from rollwise.errors import GameError, PositionError, brief
from rollwise.forms.graph.certify import Certificate
from rollwise.forms.graph.explore import Explored
from rollwise.forms.graph.run import Result
from rollwise.forms.graph.values import TIE
from rollwise.model.game import Game, wants_game
from rollwise.model.notation import infinite
from rollwise.model.objective import Against, Expected, Fewest, Objective

__all__ = ["Decision", "GraphSolution", "Ranked", "Solution", "wants_solution"]

Number = float | Fraction
Kind = Literal["state", "pending"]


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


@dataclass(frozen=True, eq=False, repr=False)
class Solution(ABC):
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

    def __repr__(self) -> str:
        game = type(getattr(self.game, "game", self.game)).__name__
        try:
            value = f"{float(self.value()):.12g}"
        except Exception:
            value = "value unknown"
        exact = ", exact" if self.exact else ""
        return (
            f"<{type(self).__name__} of {game} ({self.objective}): {value}{exact}, {self.states:,} states, engine {self.engine}>"
        )

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
        best = self.value(state, kind="state")
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

    def _valued(self, state: Any) -> Iterator[tuple[Any, Number]]:
        """Every action with its value, in the game's order."""
        for action in self.game.actions(state):
            pending = self.game.play(state, action)
            value = self._pending_value(pending)
            if value is None:
                where = self.game.show_state(state)
                raise PositionError(f"play({where}, {action!r}) is {pending!r}, which was not met when solving: check the rules")
            yield action, value + self.game.gain(state, action) if isinstance(self.objective, Expected) else value

    def _choice(self, state: Any, best: Number, rows: list[Ranked]) -> int:
        """The place of the chosen action: the first among the ties."""
        width = 0.0 if self.exact else TIE * abs(float(best))
        return next(place for place, row in enumerate(rows) if row.loss <= width)

    def _unknown(self, position: Any) -> PositionError:
        try:
            name = f"state {self.game.show_state(position)}"
        except Exception:
            name = repr(position)
        return PositionError(f"{name} does not occur in this game: check it against the rules")


@dataclass(frozen=True, eq=False, repr=False)
class GraphSolution(Solution):
    """A solution kept as the arrays of an explored graph."""

    explored: Explored
    result: Result

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays."""
        graph = self.explored.graph
        digest = sha256(str((type(self.game).__qualname__, self._aim, graph.maximise)).encode())
        for array in (
            graph.state_payoff, graph.action_start, graph.action_pending, graph.action_gain,
            graph.pending_cost, graph.outcome_start, graph.outcome_state, graph.outcome_weight,
        ):  # fmt: skip
            digest.update(array.tobytes())
        if graph.two_players:
            digest.update(graph.state_mover.tobytes())
        return digest.hexdigest()[:16]

    @property
    def _aim(self) -> str:
        return repr(self.objective) if isinstance(self.objective, Against) else str(self.objective)

    def met(self, state: Any) -> Any:
        """Give a state as the rules made it."""
        number = _find(self.explored.state_index, state)
        return state if number is None else self.explored.states[number]

    def ranked(self, state: Any) -> list[Ranked]:
        """List all actions from best to worst, the chosen one first; an end has none."""
        return super().ranked(self.met(state))

    def _state_value(self, state: Any) -> Number | None:
        number = _find(self.explored.state_index, state)
        exact, floats = self.result.state_exact, self.result.work.state
        return None if number is None else self._signed(float(floats[number]) if exact is None else exact[number])

    def _pending_value(self, pending: Any) -> Number | None:
        number = _find(self.explored.pending_index, pending)
        exact, floats = self.result.pending_exact, self.result.work.pending
        return None if number is None else self._signed(float(floats[number]) if exact is None else exact[number])

    def _choice(self, state: Any, best: Number, rows: list[Ranked]) -> int:
        return int(self.result.work.choice[self.explored.state_index[state]])

    def _states(self) -> Iterator[Any]:
        choice = self.result.work.choice
        return (state for number, state in enumerate(self.explored.states) if choice[number] >= 0)

    def _signed(self, value: Number) -> Number:
        if self.explored.unit > 1:
            return value / self.explored.unit
        return 0 - value if isinstance(self.objective, Fewest) else value


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


def _find(numbers: Mapping[Any, int], position: Any) -> int | None:
    try:
        return numbers.get(position)
    except TypeError:
        raise PositionError(f"{position!r} is not a position: positions are hashable") from None
