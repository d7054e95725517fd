"""The form of any game: its graph, solved component by component."""

from time import perf_counter
from typing import Any, get_args

import numpy as np

from rollwise.errors import EngineError, GameError
from rollwise.forms.base.digest import digest
from rollwise.forms.base.form import Form
from rollwise.forms.base.how import How
from rollwise.forms.base.plan import Plan
from rollwise.forms.base.solution import Head, Solution, Stored
from rollwise.forms.graph.certify import certify
from rollwise.forms.graph.compare import compare_start
from rollwise.forms.graph.explore import Explored, count_positions, explore
from rollwise.forms.graph.identity import identity
from rollwise.forms.graph.kept import VALUES, unpack_whole
from rollwise.forms.graph.retry import Unbounded
from rollwise.forms.graph.run import Engine, Refused, Result, run
from rollwise.forms.graph.solution import GraphSolution
from rollwise.forms.graph.two_players import Endless
from rollwise.forms.graph.values import Values
from rollwise.model.game import Game
from rollwise.model.objective import Objective

__all__ = ["GraphForm", "solve_explored"]

PEAK = 1.8
"""What exploring in columns takes at most, beside its result."""
BYTES_A_NODE = 53
"""Values, bounds, choices and the order of a sweep; a cycle through many positions takes more."""


class GraphForm(Form):
    """Any game and objective: explore the positions, then solve what the engines' preconditions allow, in floats or fractions."""

    name = "graph"
    what = "any game"
    engines = get_args(Engine)
    exact = True
    explores = True

    large = "*"

    def key(self, game: Game[Any, Any, Any], objective: Objective) -> str:
        """Name a game that can be written down by what it is; of any other, the hint."""
        found = identity(game, objective)
        return self.hint(game, objective) if found is None else f"graph-{found}"

    def hint(self, game: Game[Any, Any, Any], objective: Objective) -> str:
        """Begin the name of the entries of a game that must be explored: by class and plain attributes."""
        plain = {key: value for key, value in vars(game).items() if isinstance(value, int | str)}
        return f"graph-{digest(type(game).__qualname__, objective.key, sorted(plain.items()))[:8]}-"

    def plan(self, game: Game[Any, Any, Any], objective: Objective, how: How) -> Plan:
        """Count the positions of rules in columns; of others nothing is known before they are explored."""
        found = count_positions(game, objective, max_states=how.max_states, progress=how.progress)
        if found is None:
            return Plan()
        nodes = found.states + found.pendings
        solving = found.nbytes + BYTES_A_NODE * nodes
        return Plan(states=nodes, memory_bytes=max(int(PEAK * found.nbytes), solving))

    def solve(self, game: Game[Any, Any, Any], objective: Objective, how: How) -> Solution:
        begun = perf_counter()
        return solve_explored(explore(game, objective, max_states=how.max_states, progress=how.progress), how, begun)

    def unpack(self, game: Any, objective: Objective, stored: Stored) -> Solution:
        """Put a solution together; one of which only the values were kept needs the explored game."""
        engines: Any = tuple(map(str, stored.rest["engines"]))
        if isinstance(game, Explored):
            values = Values(**{name: stored.arrays[name] for name in VALUES})
            return GraphSolution(game.game, objective, *stored.head, explored=game, result=Result(values, None, None, engines))
        explored, values, kept = unpack_whole(game, objective, stored.arrays, stored.rest, stored.refuse)
        result = Result(values, None, None, engines)
        solution = GraphSolution(explored.game, objective, *stored.head, explored=explored, result=result, kept=kept)
        compare_start(solution, kept)
        return solution


def solve_explored(explored: Explored, how: How, begun: float) -> GraphSolution:
    """Solve an explored game and check the result. Raises `GameError` or `EngineError`, naming the position."""
    graph = explored.graph
    nodes = graph.n_states + graph.n_pendings
    engine: Any = how.engine
    try:
        result = run(graph, engine=engine, exact=how.exact, tick=lambda done: how.tick("solving", done, nodes))
    except Refused as refusal:
        where = explored.game.show_pending(explored.pendings[refusal.pending])
        raise EngineError(
            f"engine {refusal.engine!r} cannot solve this game: at pending {where}, {refusal.reason}; use engine={refusal.use!r}"
        ) from None
    except (Unbounded, Endless) as loop:
        raise GameError(f"{loop} at pending {explored.game.show_pending(explored.pendings[loop.pending])}") from None
    if graph.maximise and result.values.pending[0] == float("-inf"):
        raise GameError(_endless(explored))
    proof = certify(graph, result).scaled(explored.unit)
    head = Head(proof, "+".join(result.engines), perf_counter() - begun, graph.n_states, graph.n_pendings)
    return GraphSolution(explored.game, explored.objective, *head, explored=explored, result=result)


def _endless(explored: Explored) -> str:
    if np.diff(explored.graph.action_start).all():
        tip = "where it is over no action may be legal (actions() gives (), or no when holds)"
        return f"the game never ends: no reachable state is without actions; {tip}"
    return "no strategy surely ends the game from the start: some roll can lead to a place from which the end is out of reach"
