"""Solve a game: explore, pick engines, run, certify."""

from time import perf_counter
from typing import Any, Literal, cast, get_args

from rollwise.errors import EngineError, GameError, one_of
from rollwise.forms.base.solution import GraphSolution, Solution
from rollwise.forms.graph.certify import certify
from rollwise.forms.graph.explore import MAX_STATES, Explored
from rollwise.forms.graph.retry import Unbounded
from rollwise.forms.graph.run import Engine, Refused, run
from rollwise.forms.graph.two_players import Endless
from rollwise.forms.partitions.solution import GROUPS, solve_groups
from rollwise.forms.rerolls.solution import WORDS, solve_words
from rollwise.forms.sheets.duel import solve_duel
from rollwise.forms.sheets.expected import SheetEngine, solve_sheet_game
from rollwise.forms.sheets.reading import SHEETS
from rollwise.forms.sheets.targets import PointsEngine, solve_points_game, totals_are_dense
from rollwise.games.sheet import Sheet
from rollwise.model.faults import blaming
from rollwise.model.game import Game, Progress, aim_of, wants_game
from rollwise.model.duel import Duel
from rollwise.model.expected import Expected
from rollwise.model.objective import Objective
from rollwise.solving.general import explore_rules, unread

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

    A game of a family with a compact form is solved by that, unless it overrides rules that the form does not read; any other
    by exploring its graph, with engines that follow from its structure, component by component. `engine` forces one; the general
    ones solve any game. With `exact=True` all values are fractions. `threads` (default: all cores) changes the time, never the
    result. Under `Fewest` the value is infinite where no strategy surely ends the game.

    Raises `GameError` when the rules are faulty, the budget `max_states` is exceeded, the total is unbounded, or the game cannot
    surely be brought to an end; `EngineError` when a forced engine does not apply.
    """
    wants_game(game, "solve")
    if engine is not None:
        one_of("engine", engine, ENGINES)
    if max_states < 1:
        raise GameError(f"a budget of {max_states} positions was given: expected at least 1")
    if threads is not None and threads < 1:
        raise GameError(f"{threads} threads were asked for: expected at least 1")
    with blaming(game):
        objective = aim_of(game, objective)
    if isinstance(objective, Duel):
        return _solve_duel(game, objective, exact or engine is not None, threads, progress)
    compact = None if engine in GENERAL else _solve_compact(game, objective, exact, engine, threads, progress)
    if compact is not None:
        return compact
    if engine is not None and engine not in GENERAL:
        raise EngineError(_unfit(game, objective, engine))
    return _solve_graph(game, objective, exact, cast("Engine | None", engine), max_states, progress)


def _unfit(game: Game[Any, Any, Any], objective: Objective, engine: str) -> str:
    """Say why a compact engine does not solve a game."""
    found = unread(game, objective)
    if found is None:
        return f"engine {engine!r} does not solve this game for {objective} in this mode: leave it out"
    return f"engine {engine!r} does not solve this game, as {found}: leave it out"


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
    rules: Any = game
    if SHEETS.reads(game, objective):
        return _solve_sheet(rules, objective, exact, engine, threads, progress)
    if WORDS.reads(game, objective) and not exact and engine in (None, "sweeps"):
        return solve_words(rules, progress=progress)
    if GROUPS.reads(game, objective) and not exact and engine in (None, "partitions"):
        return solve_groups(rules, progress=progress)
    return None


def _solve_sheet(
    sheet: Sheet,
    objective: Any,
    exact: bool,
    engine: AnyEngine | None,
    threads: int | None,
    progress: Progress | None,
) -> Solution | None:
    if isinstance(objective, Expected):
        if engine not in (None, *get_args(SheetEngine)):
            return None
        return solve_sheet_game(sheet, exact=exact, engine=cast("SheetEngine | None", engine), threads=threads, progress=progress)
    if exact or not _takes_points(sheet, engine):
        return None
    return solve_points_game(sheet, objective, engine=cast("PointsEngine | None", engine), threads=threads, progress=progress)


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
    explored = explore_rules(game, objective, max_states=max_states, progress=progress)
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
