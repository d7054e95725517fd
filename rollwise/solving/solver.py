"""Solve a game: explore, pick engines, run, certify."""

from time import perf_counter
from typing import Any, Literal, cast, get_args

from rollwise.errors import EngineError, GameError, one_of
from rollwise.forms.base.solution import GraphSolution, Solution
from rollwise.forms.graph.certify import certify
from rollwise.forms.graph.explore import MAX_STATES, Explored, explore
from rollwise.forms.graph.retry import Unbounded
from rollwise.forms.graph.run import Engine, Refused, run
from rollwise.forms.graph.two_players import Endless
from rollwise.forms.partitions.solution import solve_groups
from rollwise.forms.rerolls.solution import solve_words
from rollwise.forms.sheets.duel import solve_duel
from rollwise.forms.sheets.expected import SheetEngine, solve_sheet_game
from rollwise.forms.sheets.targets import PointsEngine, solve_points_game, totals_are_dense
from rollwise.games.groups import Groups
from rollwise.games.sheet import Sheet
from rollwise.games.words import Words
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Duel, Expected, Fewest, Objective, Winning

__all__ = ["ENGINES", "solve"]

AnyEngine = Engine | SheetEngine | PointsEngine | Literal["sweeps", "partitions"]
GENERAL = get_args(Engine)
ENGINES: tuple[str, ...] = (*GENERAL, *get_args(SheetEngine), *get_args(PointsEngine), "sweeps", "partitions")


def solve(
    game: Game[Any, Any, Any],
    objective: Objective | None = None,
    *,
    exact: bool = False,
    engine: AnyEngine | None = None,
    threads: int | None = None,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Solution:
    """Find the best strategy of `game` for `objective` (default: the game's own), its value, and a certificate.

    >>> from rollwise import AtLeast
    >>> from rollwise.games import load
    >>> solve(load("slots"), AtLeast(51), exact=True).value()
    Fraction(115, 3888)

    A game of a family with a compact form is solved by that; any other by exploring its graph, with engines that follow from its
    structure, component by component. `engine` forces one; the general ones solve any game. With `exact=True` all values are
    fractions. `threads` (default: all cores) changes the time, never the result. Under `Fewest` the value is infinite where no
    strategy surely ends the game.

    Raises `GameError` when the rules are faulty, the budget `max_states` is exceeded, the total is unbounded, or the game cannot
    surely be brought to an end; `EngineError` when a forced engine does not apply.
    """
    if engine is not None:
        one_of("engine", engine, ENGINES)
    if max_states < 1:
        raise GameError(f"a budget of {max_states} positions was given: expected at least 1")
    if threads is not None and threads < 1:
        raise GameError(f"{threads} threads were asked for: expected at least 1")
    objective = game.objective if objective is None else objective
    if not isinstance(objective, Objective):
        raise GameError(f"the objective is {objective!r}: expected Expected(), AtLeast(t), Against(scores), Fewest() or Duel()")
    if isinstance(objective, Duel):
        return _solve_duel(game, objective, exact or engine is not None, threads, progress)
    compact = None if engine in GENERAL else _solve_compact(game, objective, exact, engine, threads, progress)
    if compact is not None:
        return compact
    if engine is not None and engine not in GENERAL:
        raise EngineError(f"engine {engine!r} does not solve this game for {objective} in this mode: leave it out")
    return _solve_graph(game, objective, exact, cast("Engine | None", engine), max_states, progress)


def _solve_duel(
    game: Game[Any, Any, Any], objective: Duel, special: bool, threads: int | None, progress: Progress | None
) -> Solution:
    if not isinstance(game, Sheet):
        raise GameError("a duel is played on score sheets: for another game write both players into the rules, with mover()")
    if special:
        raise EngineError("a duel has one engine and no exact mode: solve DuelGame(sheet) by a general engine for that")
    return solve_duel(game, tie=objective.ties, threads=threads, progress=progress)


def _solve_compact(
    game: Game[Any, Any, Any],
    objective: Objective,
    exact: bool,
    engine: AnyEngine | None,
    threads: int | None,
    progress: Progress | None,
) -> Solution | None:
    """Solve a game of a family by its compact form; None if there is none for this."""
    if isinstance(game, Sheet) and isinstance(objective, Expected) and engine in (None, *get_args(SheetEngine)):
        return solve_sheet_game(game, exact=exact, engine=cast("SheetEngine | None", engine), threads=threads, progress=progress)
    if isinstance(game, Sheet) and isinstance(objective, Winning) and not exact and _takes_points(game, engine):
        return solve_points_game(game, objective, engine=cast("PointsEngine | None", engine), threads=threads, progress=progress)
    if isinstance(game, Words) and isinstance(objective, Fewest) and not exact and engine in (None, "sweeps"):
        return solve_words(game, progress=progress)
    if isinstance(game, Groups) and isinstance(objective, Fewest) and not exact and engine in (None, "partitions"):
        return solve_groups(game, progress=progress)
    return None


def _takes_points(sheet: Sheet, engine: AnyEngine | None) -> bool:
    return engine in get_args(PointsEngine) or (engine is None and totals_are_dense(sheet))


def _solve_graph(
    game: Game[Any, Any, Any],
    objective: Objective,
    exact: bool,
    engine: Engine | None,
    max_states: int,
    progress: Progress | None,
) -> Solution:
    begun = perf_counter()
    explored = explore(game, objective, max_states=max_states, progress=progress)
    graph = explored.graph
    nodes = graph.n_states + graph.n_pendings
    try:
        result = run(
            graph,
            engine=engine,
            exact=exact,
            tick=lambda done: progress("solving", done, nodes) if progress else None,
        )
    except Refused as refusal:
        where = explored.game.show_pending(explored.pendings[refusal.pending])
        raise EngineError(
            f"engine {refusal.engine!r} cannot solve this game: at pending {where}, {refusal.reason}; use engine={refusal.use!r}"
        ) from None
    except (Unbounded, Endless) as loop:
        raise GameError(f"{loop} at pending {explored.game.show_pending(explored.pendings[loop.pending])}") from None
    if graph.maximise and result.work.pending[0] == float("-inf"):
        raise GameError(_endless(explored))
    return GraphSolution(
        explored.game,
        objective,
        certify(graph, result).scaled(explored.unit),
        "+".join(result.engines),
        perf_counter() - begun,
        graph.n_states,
        graph.n_pendings,
        explored=explored,
        result=result,
    )


def _endless(explored: Explored) -> str:
    over = [s for s in range(explored.graph.n_states) if explored.graph.action_start[s] == explored.graph.action_start[s + 1]]
    if not over:
        return "the game never ends: no reachable state is without actions; let actions() return () where it is over"
    return "no strategy surely ends the game from the start: some roll can lead to a place from which the end is out of reach"
