"""Run the engines over a graph, component by component, in floats or in rationals.

`run` walks the levels of a graph from the ends to the start; large graphs are swept instead (`sweeping`). Which engine solves a
component follows from its structure; a caller may name one engine, and then either all of the graph is within its precondition or
an `EngineError` says which node is not and what to use instead. Both number systems offer the same steps, so there is one driver.
"""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import Any, Protocol

import numpy as np

from rollwise.errors import EngineError, GameError
from rollwise.solvers.base.offsets import gather
from rollwise.solvers.graph import exact, induction, retry, two_players
from rollwise.solvers.graph import policy_iteration as policy
from rollwise.solvers.graph.compilers import can_compile, is_large
from rollwise.solvers.graph.component import Component, cut, proper, surely_ending
from rollwise.solvers.graph.explore import Graph
from rollwise.solvers.graph.label_setting import set_labels
from rollwise.solvers.graph.levels import Level, levels, one_level
from rollwise.solvers.graph.renewal import solve_renewal
from rollwise.solvers.graph.values import Engine, Floats, Ints, Result, Used, Values, nearest, uncertain

__all__ = ["Engine", "Refused", "Result", "run"]

LARGEST_CYCLE = 100_000
FIRST, SECOND, BOTH = range(3)


class TooLarge(EngineError):
    """A cycle with more positions than policy iteration takes."""


class Refused(Exception):
    """An engine's precondition fails at a state or pending (by number)."""

    def __init__(self, engine: Engine, reason: str, use: Engine, pending: int) -> None:
        super().__init__(reason)
        self.engine, self.reason, self.use, self.pending = engine, reason, use, pending


class _Steps(Protocol):
    def pendings(self, rows: Ints) -> None: ...
    def states(self, rows: Ints) -> None: ...
    def retries(self, rows: Ints) -> None: ...
    def renewal(self, components: list[tuple[Ints, Ints]]) -> list[tuple[Ints, Ints]]: ...
    def cyclic(self, states: Ints, pendings: Ints, engine: Engine | None) -> Engine: ...


def run(
    graph: Graph, *, engine: Engine | None = None, exact: bool = False, tick: Callable[[int], None] = lambda _: None
) -> Result:
    """Solve a graph; `tick` is told the number of nodes done after each level."""
    # Beyond 1.8e308 a float is infinite, which here means that no policy ends; fractions keep floats only as a first guess.
    with np.errstate(over="ignore" if exact else "raise", invalid="ignore" if exact else None):
        try:
            return _run(graph, engine, exact, tick)
        except FloatingPointError:
            raise EngineError("a value is too large for floating point: use exact=True") from None
        except TooLarge:
            if engine is not None or exact or not can_compile():
                raise
            return _swept(graph.maximising(), exact, tick)


def _run(graph: Graph, engine: Engine | None, exact: bool, tick: Callable[[int], None]) -> Result:
    graph = graph.maximising()
    if engine == "sweep" or (engine is None and not exact and is_large(graph)):
        return _swept(graph, exact, tick)
    values = Values.empty(graph)
    steps: _Steps = _Exact(graph, values) if exact else _Float(graph, values)
    used: list[Used] = []
    whole = engine in ("shortest", "policy")
    for level in [one_level(graph)] if whole else levels(graph):
        _check(graph, level, engine)
        steps.pendings(level.pendings)
        steps.states(level.states)
        if level.states.size or level.pendings.size:
            used.append("induction")
        if level.retry.size:
            steps.retries(level.retry)
            used.append("retry")
            _check_ends(graph, values, level.retry)
        rest = level.cyclic if whole or not graph.two_players else steps.renewal(level.cyclic)
        if len(rest) < len(level.cyclic):
            used.append("return")
        used.extend(steps.cyclic(states, pendings, engine) for states, pendings in rest)
        tick(int(np.count_nonzero(~np.isnan(values.state)) + np.count_nonzero(~np.isnan(values.pending))))
    state, pending = (steps.state, steps.pending) if isinstance(steps, _Exact) else (None, None)
    return Result(values, state, pending, tuple(dict.fromkeys(used)))


def _swept(graph: Graph, exact: bool, tick: Callable[[int], None]) -> Result:
    """Solve a large graph by compiled sweeps, and by the other engines what these cannot prove."""
    if exact:
        raise EngineError("engine 'sweep' calculates in floats: leave it out, or use exact=False")
    if not can_compile():
        raise EngineError("engine 'sweep' needs a compiler, and Numba cannot be used here: leave it out")
    # Compiled code is loaded only where it is used.
    from rollwise.solvers.graph.sweeping import sweep_graph  # noqa: PLC0415

    used: list[Used] = ["sweep"]

    def cyclic(values: Values) -> Callable[[Ints, Ints], None]:
        steps = _Float(graph, values)
        return lambda states, pendings: used.append(steps.component(states, pendings))

    values = sweep_graph(graph, cyclic, tick)
    return Result(values, None, None, tuple(dict.fromkeys(used)))


def _check(graph: Graph, level: Level, engine: Engine | None) -> None:
    """Refuse a level that a named engine cannot solve."""
    if engine == "induction" and level.retry.size:
        raise Refused(
            engine, "it can be rolled again, and backward induction needs a game without cycles", "retry", int(level.retry[0])
        )
    if engine in ("induction", "retry") and level.cyclic:
        pending = int(level.cyclic[0][1][0])
        use: Engine = "policy" if graph.maximise and not (graph.pending_cost < 0).any() else "shortest"
        needs = "a game without cycles" if engine == "induction" else "cycles through a single roll"
        raise Refused(engine, f"it lies on a cycle, and {engine} needs {needs}", use, pending)


def _check_ends(graph: Graph, values: Values, pendings: Ints) -> None:
    """Refuse a game for two that cannot surely be ended from everywhere."""
    lost = pendings[np.isneginf(values.pending[pendings])]
    if graph.two_players and lost.size:
        raise two_players.Endless(int(lost[0]), two_players.NO_WAY)


class _Float:
    """The steps in float64, with rigorous bounds."""

    def __init__(self, graph: Graph, values: Values) -> None:
        self.graph, self.values = graph, values

    def pendings(self, rows: Ints) -> None:
        induction.solve_pendings(self.graph, self.values, rows)

    def states(self, rows: Ints) -> None:
        induction.solve_states(self.graph, self.values, rows)

    def retries(self, rows: Ints) -> None:
        retry.solve_retries(self.graph, self.values, rows)

    def renewal(self, components: list[tuple[Ints, Ints]]) -> list[tuple[Ints, Ints]]:
        return solve_renewal(self.graph, self.values, components)

    def cyclic(self, states: Ints, pendings: Ints, engine: Engine | None) -> Engine:
        graph, values = self.graph, self.values
        part = cut(graph, values, states, pendings)
        players = _choosers(graph, states)
        if players == BOTH:
            return self._shared(part, states, pendings, engine)
        sign = -1 if players == SECOND else 1
        part = part if sign == 1 else two_players.mirror(part)
        state, pending, start = surely_ending(part)
        if graph.two_players and not pending.all():
            raise two_players.Endless(int(pendings[np.argmin(pending)]), two_players.NO_WAY)
        chosen = _pick(part, pendings, engine)
        if chosen == "shortest":
            labels = set_labels(graph, states, pendings, values.state, values.pending)
            broken = _broken(labels.pending, labels.broken, pending)
            if broken is not None:
                chosen = _fall_back(engine, pendings, broken)
            else:
                state_value, pending_value = -np.array(labels.state), -np.array(labels.pending)
        if chosen == "policy":
            _check_size(part.n_states + part.n_pendings)
            try:
                state_value, pending_value = policy.iterate(part, state, pending, start)
            except retry.Unbounded as error:
                raise retry.Unbounded(int(pendings[error.pending])) from None
        if not (np.array_equal(np.isfinite(state_value), state) and np.array_equal(np.isfinite(pending_value), pending)):
            raise uncertain()
        choice = policy.choose(part, pending_value, state)
        if _counts_rolls(part):
            state_slack, pending_slack = policy.bounds_by_cost(part, state_value, pending_value, choice)
        else:
            state_slack, pending_slack = policy.bounds(part, state_value, pending_value)
        self._write(states, pendings, (sign * state_value, sign * pending_value), (state_slack, pending_slack), choice)
        return chosen

    def component(self, states: Ints, pendings: Ints) -> Used:
        """Solve one component by the engine that its structure asks for, and say which it was."""
        _check_size(len(states) + len(pendings))
        if len(pendings) == 1 and _choosers(self.graph, states) == FIRST:
            self.retries(pendings)
            _check_ends(self.graph, self.values, pendings)
            return "retry"
        if self.graph.two_players and not self.renewal([(states, pendings)]):
            return "return"
        return self.cyclic(states, pendings, None)

    def _shared(self, part: Component, states: Ints, pendings: Ints, engine: Engine | None) -> Engine:
        """Solve a component in which both players choose."""
        _check_shared(part, pendings, engine)
        second = self.graph.state_mover[states] == 1
        values = two_players.iterate(part, second)
        choice = two_players.choose(part, second, values[1])
        self._write(states, pendings, values, two_players.bounds(part, second, choice, *values), choice)
        return "policy"

    def _write(
        self, states: Ints, pendings: Ints, found: tuple[Floats, Floats], slack: tuple[Floats, Floats], choice: Ints
    ) -> None:
        graph, values = self.graph, self.values
        up, down = _outside(graph, values, states, pendings)
        values.state[states], values.pending[pendings] = found
        values.state_up[states], values.state_down[states] = slack[0] + up, slack[0] + down
        values.pending_up[pendings], values.pending_down[pendings] = slack[1] + up, slack[1] + down
        _write_choice(graph, values, states, choice)


def _choosers(graph: Graph, states: Ints) -> int:
    """Say who has a choice among these states: player 0 or nobody, only player 1, or both."""
    choices = graph.action_start[states + 1] - graph.action_start[states] > 1
    second = graph.state_mover[states] == 1
    if not (choices & second).any():
        return FIRST
    return BOTH if (choices & ~second).any() else SECOND


def _check_shared(part: Component, pendings: Ints, engine: Engine | None) -> None:
    if engine == "shortest":
        raise Refused("shortest", "two players choose, and label setting is for one", "policy", int(pendings[0]))
    two_players.check_stopping(part, pendings)
    _check_size(part.n_states + part.n_pendings)


def _pick(part: Component, pendings: Ints, engine: Engine | None) -> Engine:
    if engine == "policy":
        return "policy"
    if _counts_rolls(part):
        return "shortest"
    if engine == "shortest":
        worst = int(pendings[int(part.cost.argmax())])
        raise Refused("shortest", "label setting needs a positive cost for every roll and nothing gained", "policy", worst)
    return "policy"


def _check_size(size: int) -> None:
    """Refuse a component whose linear systems could take for ever."""
    if size > LARGEST_CYCLE:
        raise TooLarge(
            f"a cycle through {size:,} positions is too large for policy iteration, which takes at most {LARGEST_CYCLE:,}: "
            "make the game smaller"
        )


def _counts_rolls(part: Component) -> bool:
    return bool(part.cost.max() < 0 and not part.action_gain.any() and not part.payoff.any())


def _broken(label: list[Any], broken: int | None, ending: Any) -> int | None:
    """The local pending at which label setting failed: out of order, or without a label although it can surely end."""
    if broken is not None:
        return broken
    return next((p for p, value in enumerate(label) if value == inf and ending[p]), None)


def _fall_back(engine: Engine | None, pendings: Ints, broken: int) -> Engine:
    if engine == "shortest":
        reason = "label setting needs an outcome that costs more than the roll itself to be able to roll it again"
        raise Refused("shortest", reason, "policy", int(pendings[broken]))
    return "policy"


def _outside(graph: Graph, values: Values, states: Ints, pendings: Ints) -> tuple[float, float]:
    """The largest bounds among the solved neighbours of a component: it is left surely, so they count once."""
    actions, _ = gather(graph.action_start, states)
    outcomes, _ = gather(graph.outcome_start, pendings)
    pending, state = graph.action_pending[actions], graph.outcome_state[outcomes]
    up = np.fmax.reduce(np.concatenate([values.pending_up[pending], values.state_up[state], [0.0]]))
    down = np.fmax.reduce(np.concatenate([values.pending_down[pending], values.state_down[state], [0.0]]))
    return float(up), float(down)


def _write_choice(graph: Graph, values: Values, states: Ints, choice: Ints) -> None:
    """Store a part's action numbers as places within their states."""
    actions = np.append(gather(graph.action_start, states)[0], 0)
    values.choice[states] = np.where(choice >= 0, actions[choice] - graph.action_start[states], -1)


def _float_policy(graph: Graph, part: Component, states: Ints, ending: tuple[Any, Any, Ints]) -> Ints:
    if _choosers(graph, states) == BOTH:
        second = graph.state_mover[states] == 1
        return two_players.choose(part, second, two_players.iterate(part, second)[1])
    state, pending, start = ending
    return policy.choose(part, policy.iterate(part, state, pending, start)[1], state)


class _Exact:
    """The steps in rationals; the workspace keeps their floats."""

    def __init__(self, graph: Graph, values: Values) -> None:
        self.graph, self.values = graph, values
        self.state: list[Any] = [None] * graph.n_states
        self.pending: list[Any] = [None] * graph.n_pendings
        for bound in (values.state_up, values.state_down, values.pending_up, values.pending_down):
            bound[:] = 0.0

    def _put_pending(self, pending: int, value: Any) -> None:
        self.pending[pending] = value
        self.values.pending[pending] = nearest(value)

    def _put_state(self, state: int) -> None:
        values = exact.state_values(self.graph, state, self.pending)
        best = exact.best_of(self.graph, state, values) if values else Fraction(int(self.graph.state_payoff[state]))
        self.state[state] = best
        self.values.state[state] = nearest(best)
        self.values.choice[state] = values.index(best) if values and best > -inf else -1

    def pendings(self, rows: Ints) -> None:
        for p in rows.tolist():
            self._put_pending(p, exact.pending_value(self.graph, p, self.state))

    def states(self, rows: Ints) -> None:
        for s in rows.tolist():
            self._put_state(s)

    def retries(self, rows: Ints) -> None:
        graph = self.graph
        for p in rows.tolist():
            self._put_pending(p, exact.best_prefix(graph, p, self.state, self.pending))
            outcomes = graph.outcome_state[graph.outcome_start[p] : graph.outcome_start[p + 1]]
            inside = np.array([s for s in sorted(set(outcomes.tolist())) if self.state[s] is None], dtype=np.int64)
            for s in inside.tolist():
                self._put_state(s)
            self._choose(inside, np.array([p]))

    def renewal(self, components: list[tuple[Ints, Ints]]) -> list[tuple[Ints, Ints]]:
        """Leave everything to `cyclic`: strategy improvement ends with exact ties, root finding need not."""
        return components

    def cyclic(self, states: Ints, pendings: Ints, engine: Engine | None) -> Engine:
        part = cut(self.graph, self.values, states, pendings)
        players = _choosers(self.graph, states)
        if players == BOTH:
            _check_shared(part, pendings, engine)
        part = two_players.mirror(part) if players == SECOND else part
        state, pending, start = surely_ending(part)
        if self.graph.two_players and not pending.all():
            raise two_players.Endless(int(pendings[np.argmin(pending)]), two_players.NO_WAY)
        chosen = "policy" if players == BOTH else _pick(part, pendings, engine)
        if chosen == "shortest":
            labels = set_labels(self.graph, states, pendings, self.state, self.pending, exact=True)
            broken = _broken(labels.pending, labels.broken, pending)
            if broken is not None:
                chosen = _fall_back(engine, pendings, broken)
            else:
                for p, value in zip(pendings.tolist(), labels.pending, strict=True):
                    self._put_pending(p, -value)
        if chosen == "policy":
            _check_size(part.n_states + part.n_pendings)
            self._iterate(part, states, pendings, (state, pending, start))
        for s in states.tolist():
            self._put_state(s)
        self._choose(states, pendings)
        return chosen

    def _iterate(self, part: Component, states: Ints, pendings: Ints, ending: tuple[Any, Any, Ints]) -> None:
        """Policy iteration in rationals, from the policy that floats find.

        Player 1 switches only when player 0 has no better answer (see `two_players`).
        """
        _, pending, start = ending
        graph = self.graph
        with suppress(GameError, EngineError):  # floats may fail where fractions do not: then start from any policy that ends
            start = _float_policy(graph, part, states, ending)
        actions = np.append(gather(graph.action_start, states)[0], 0)
        choice = {int(s): int(actions[c]) for s, c in zip(states, start, strict=True) if c >= 0}
        movers = graph.state_mover[states]
        first, second = states[movers == 0].tolist(), states[movers == 1].tolist()
        for s in states[part.ends].tolist():
            self._put_state(s)
        for p in pendings[~pending].tolist():
            self._put_pending(p, -inf)
        while True:
            for p, value in exact.value_policy(graph, pendings[pending], choice, self.state, self.pending).items():
                self._put_pending(p, value)
            if not any(exact.improve(graph, player, choice, self.pending) for player in (first, second)):
                return
            self._check_bounded(part, states, pendings, choice)

    def _check_bounded(self, part: Component, states: Ints, pendings: Ints, choice: dict[int, int]) -> None:
        """A strict improvement that goes round for ever gains without end."""
        first = np.concatenate([[0], np.cumsum(np.bincount(part.action_state, minlength=part.n_states))])
        local = np.full(len(states), -1, dtype=np.int64)
        for place, s in enumerate(states.tolist()):
            if s in choice:
                local[place] = first[place] + choice[s] - int(self.graph.action_start[s])
        used = np.zeros(len(part.action_state), dtype=np.bool_)
        used[local[local >= 0]] = True
        stuck = np.flatnonzero((local >= 0) & (proper(part, local, used) < 0))
        if stuck.size:
            raise retry.Unbounded(int(pendings[part.action_pending[local[stuck[0]]]]))

    def _choose(self, states: Ints, pendings: Ints) -> None:
        """Among exact ties, choose the first actions that surely end."""
        if not states.size:
            return
        graph = self.graph
        part = cut(graph, self.values, states, pendings)
        tied = np.array(
            [v == self.state[s] and v > -inf for s in states.tolist() for v in exact.state_values(graph, s, self.pending)],
            dtype=np.bool_,
        )
        first = np.full(len(states), -1, dtype=np.int64)
        acting, place = np.unique(part.action_state[tied], return_index=True)
        first[acting] = np.flatnonzero(tied)[place]
        _write_choice(graph, self.values, states, proper(part, first, tied))
