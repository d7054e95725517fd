"""The solver of any game: its graph, solved component by component."""

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from time import perf_counter
from typing import Any

from rollwise.model.canonical import NotCanonical, canonical
from rollwise.model.game import Game
from rollwise.model.objective import Objective
from rollwise.solvers.base.digest import digest
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import PackedSolution, Solution
from rollwise.solvers.base.solver import Solver
from rollwise.solvers.graph.explore import Explored, count_positions, explore
from rollwise.solvers.graph.identity import identity, source_digest
from rollwise.solvers.graph.serialize import VALUES, compare_start, fingerprint, unpack_whole
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.solvers.graph.values import ENGINES, Result, Values

__all__ = ["GraphSolver"]

PEAK = 1.8
"""What exploring in columns takes at most, beside its result."""
PLAIN = (int, bool, float, str, bytes, tuple, frozenset)
BYTES_A_NODE = 53
"""Values, bounds, choices and the order of a sweep; a cycle through many positions takes more."""


class GraphSolver(Solver):
    """Any game and objective: explore the positions, then solve what the engines' preconditions allow, in floats or fractions."""

    name = "graph"
    worth_seconds = 2.0
    what = "any game"
    engines = ENGINES
    exact = True
    explores = True

    large = "*"

    def fits(self, game: Any, objective: Any, options: SolveOptions) -> bool:
        """Say whether the graph solver solves games for an objective."""
        return bool(objective.general)

    def key(self, game: Game[Any, Any, Any], objective: Objective) -> str:
        """Name a game of this library by its parameters; of any other, which must be explored, begin by class and attributes."""
        found = identity(game, objective)
        if found is not None:
            return f"graph-{found}"
        return f"graph-{digest(type(game).__qualname__, objective.key, _plain_attributes(game))[:8]}-"

    def plan(self, game: Game[Any, Any, Any], objective: Objective, options: SolveOptions) -> Plan:
        """Count the positions of rules in columns; of others nothing is known before they are explored."""
        found = count_positions(game, objective, max_states=options.max_states, progress=options.progress)
        if found is None:
            return Plan()
        nodes = found.states + found.pendings
        solving = found.nbytes + BYTES_A_NODE * nodes
        return Plan(states=nodes, memory_bytes=max(int(PEAK * found.nbytes), solving))

    def solve(self, game: Game[Any, Any, Any] | Explored, objective: Objective, options: SolveOptions) -> Solution:
        """Solve a game, which may be explored already."""
        from rollwise.solvers.graph.solving import solve_explored  # noqa: PLC0415  (reading a solution needs no engines)

        begun = perf_counter()
        explored = (
            game
            if isinstance(game, Explored)
            else explore(game, objective, max_states=options.max_states, progress=options.progress)
        )
        return solve_explored(explored, options, begun)

    def explored_key(self, key: str, explored: Explored) -> str:
        return key + fingerprint(explored.game, explored.objective, explored.graph)

    def is_same_source(self, game: Game[Any, Any, Any], rest: Mapping[str, Any]) -> bool:
        return source_digest(game) == rest.get("source") != ""

    def unpack(self, game: Any, objective: Objective, packed: PackedSolution) -> Solution:
        """Put a solution together; one of which only the values were kept needs the explored game."""
        engines: Any = tuple(map(str, packed.rest["engines"]))
        if isinstance(game, Explored):
            values = Values(**{name: packed.arrays[name] for name in VALUES})
            return GraphSolution(game.game, objective, *packed.head, explored=game, result=Result(values, None, None, engines))
        explored, values, kept = unpack_whole(game, objective, packed.arrays, packed.rest, packed.refuse)
        result = Result(values, None, None, engines)
        solution = GraphSolution(explored.game, objective, *packed.head, explored=explored, result=result, kept=kept)
        compare_start(solution, kept)
        return solution


def _plain_attributes(game: Game[Any, Any, Any]) -> list[tuple[str, str]]:
    """Write those attributes of a game that cannot change while it is played, and are no memory of what was computed."""
    found = []
    for name, value in sorted(vars(game).items()):
        if type(value) in PLAIN and not isinstance(getattr(type(game), name, None), cached_property):
            with suppress(NotCanonical):
                found.append((name, canonical(value)))
    return found
