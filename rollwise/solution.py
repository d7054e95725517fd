"""The result of solving a game: values, best actions, the whole strategy, and why to trust them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from rollwise.engines.certify import Certificate
from rollwise.engines.run import Result
from rollwise.errors import PositionError
from rollwise.graph import Explored
from rollwise.objective import Objective

__all__ = ["Decision", "Ranked", "Solution"]

Number = float | Fraction
Kind = Literal["state", "pending"]


class Ranked(NamedTuple):
    """An action, its value, and how much worse it is than the best."""

    action: Any
    value: Number
    loss: Number


class Decision(NamedTuple):
    """One row of the strategy: a state, what to do, the value, and the loss of the second best action (None: no choice)."""

    state: Any
    action: Any
    value: Number
    second_loss: Number | None


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved game.

    >>> from rollwise.games import load
    >>> import rollwise
    >>> solution = rollwise.solve(load("slots"), exact=True)
    >>> solution.value()
    Fraction(13817, 46656)
    >>> state = solution.game.read_state("all 0 6")
    >>> [(move.action, str(move.value)) for move in solution.ranked(state)][:2]
    [('x2even', '3773/7776'), ('x3', '131/288')]
    """

    explored: Explored
    result: Result
    certificate: Certificate
    seconds: float

    @property
    def game(self) -> Any:
        """The game in the form it was solved: for `AtLeast` on a game that banks points, positions say what is needed."""
        return self.explored.game

    @property
    def objective(self) -> Objective:
        """What was optimised."""
        return self.explored.objective

    @property
    def engine(self) -> str:
        """The engines that were used, joined by '+'."""
        return "+".join(self.result.engines)

    @property
    def exact(self) -> bool:
        """Whether values are exact fractions."""
        return self.certificate.exact

    @property
    def states(self) -> int:
        """The number of states, ends included."""
        return len(self.explored.states)

    @property
    def pendings(self) -> int:
        """The number of pending rolls."""
        return len(self.explored.pendings)

    @cached_property
    def fingerprint(self) -> str:
        """A short digest of the arrays that were solved: the same for the same game, rules and objective."""
        graph = self.explored.graph
        digest = sha256(str((type(self.game).__qualname__, str(self.objective), graph.maximise)).encode())
        for array in (
            graph.state_payoff, graph.action_start, graph.action_pending, graph.action_gain,
            graph.pending_cost, graph.outcome_start, graph.outcome_state, graph.outcome_weight,
        ):  # fmt: skip
            digest.update(array.tobytes())
        return digest.hexdigest()[:16]

    def value(self, position: Any = None, *, kind: Kind | None = None) -> Number:
        """Give the value of a state or pending roll; of the start if none is given. Infinite means impossible.

        `kind` is needed only where a state and a pending roll of the game are equal objects.
        """
        if position is None:
            return self._pending_value(0)
        state = _find(self.explored.state_index, position) if kind != "pending" else None
        pending = _find(self.explored.pending_index, position) if kind != "state" else None
        if state is not None and pending is not None and self._state_value(state) != self._pending_value(pending):
            raise PositionError(f"{position!r} is both a state and a pending roll: say kind='state' or kind='pending'")
        if pending is not None:
            return self._pending_value(pending)
        return self._state_value(self._number(position) if state is None else state)

    def best(self, state: Any) -> Any:
        """Give the best action (the first listed among ties). Raises `PositionError` where there is none."""
        number = self._number(state)
        choice = int(self.result.work.choice[number])
        if choice < 0:
            over = not len(self.game.actions(state))
            why = "the game is over there" if over else "no strategy surely ends the game from there"
            raise PositionError(f"state {self.game.show_state(state)} has no best action: {why}")
        return self.game.actions(state)[choice]

    def ranked(self, state: Any) -> list[Ranked]:
        """List all actions from best to worst, the chosen one first; an end has none."""
        number = self._number(state)
        graph = self.explored.graph
        first = int(graph.action_start[number])
        best = self._state_value(number)
        chosen = int(self.result.work.choice[number])
        rows = []
        for place, action in enumerate(self.game.actions(state)):
            value = int(graph.action_gain[first + place]) + self._pending_value(int(graph.action_pending[first + place]))
            loss = abs(best - value) if value != best else value - value if abs(value) < float("inf") else 0.0
            rows.append((place != chosen, loss, place, Ranked(action, value, loss)))
        return [row[3] for row in sorted(rows, key=lambda row: row[:3])]

    def policy(self) -> Iterator[Decision]:
        """Iterate over the whole strategy: one row per reachable decision from which the game can surely end."""
        for number, state in enumerate(self.explored.states):
            if self.result.work.choice[number] >= 0:
                ranked = self.ranked(state)
                yield Decision(state, ranked[0].action, ranked[0].value, ranked[1].loss if len(ranked) > 1 else None)

    def _number(self, state: Any) -> int:
        number = _find(self.explored.state_index, state)
        if number is None:
            raise PositionError(f"{self._name(state)} does not occur in this game: check it against the rules")
        return number

    def _name(self, state: Any) -> str:
        try:
            return f"state {self.game.show_state(state)}"
        except Exception:
            return f"{state!r}"

    def _pending_value(self, pending: int) -> Number:
        if self.result.pending_exact is not None:
            return self._signed(self.result.pending_exact[pending])
        return self._signed(float(self.result.work.pending[pending]))

    def _state_value(self, state: int) -> Number:
        if self.result.state_exact is not None:
            return self._signed(self.result.state_exact[state])
        return self._signed(float(self.result.work.state[state]))

    def _signed(self, value: Number) -> Number:
        return value if self.explored.graph.maximise else -value


def _find(numbers: Mapping[Any, int], position: Any) -> int | None:
    try:
        return numbers.get(position)
    except TypeError:
        raise PositionError(f"{position!r} is not a position: positions are hashable") from None
