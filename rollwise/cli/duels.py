"""What the commands share about duels: two players on the same score sheet."""

import argparse
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rollwise.cli.shared import cache_folder, cluster_of, make_game, progress_bar, rely, warn
from rollwise.errors import GameError, one_of
from rollwise.model.formatting import counted
from rollwise.model.objectives import Duel
from rollwise.playing.objective_options import TIES

if TYPE_CHECKING:
    from rollwise.cli.shared import Check
    from rollwise.solvers.base.solution import Solution
    from rollwise.solvers.sheets.duel_plan import DuelPlan

__all__ = ["add_duel", "check_duel", "plan_workers", "say_plan", "show_plan", "show_time", "solve_duel_game"]

QUIET_SECONDS = 5.0


def add_duel(parser: Any) -> None:
    """Add the options of a duel."""
    parser.add_argument(
        "--duel", action="store_true", help="solve the duel of two optimal players who take turns on this score sheet"
    )
    parser.add_argument("--device", metavar="cpu|gpu", help="where to solve a duel (default cpu; gpu: an NVIDIA GPU)")
    parser.add_argument("--precision", metavar="float64|float32", help="precision of the values of a duel (default float64)")


def check_duel(options: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if not options.duel:
        if options.device is not None or options.precision is not None:
            raise GameError("--device and --precision belong to a duel: give --duel")
        return
    for name in ("objective", "at_least", "against", "best_of"):
        if getattr(options, name) is not None:
            raise GameError(f"--duel does not go with --{name.replace('_', '-')}: give one of them")
    if options.max_states is not None or getattr(options, "outlook", False):
        raise GameError(
            "--duel does not go with --max-states or --outlook: --plan says how large it is, and a value is the chance"
        )
    if options.exact:
        raise GameError("--duel does not go with --exact: the error of a duel is at most the one its certificate states")
    one_of("device", "cpu" if options.device is None else options.device, ("cpu", "gpu"))
    one_of("precision", "float64" if options.precision is None else options.precision, ("float32", "float64"))


def _objective(options: argparse.Namespace) -> Duel:
    return Duel(Fraction(TIES[options.ties or "half"]))


def _precision(options: argparse.Namespace) -> Any:
    return options.precision or "float64"


def say_plan(options: argparse.Namespace) -> "DuelPlan":
    """Compute what a duel takes. Raises `GameError` if it cannot be laid out at all."""
    found = _plan(options)
    if found is None:
        raise GameError(f"{options.game} has rules of its own: its duel is explored, and its size is not known before")
    return found


def _plan(options: argparse.Namespace) -> "DuelPlan | None":
    """Compute what a duel takes; None for a sheet with rules of its own, which is explored."""
    from rollwise.solvers.base.options import SolveOptions
    from rollwise.solvers.choose_solver import choose_solver
    from rollwise.solvers.solve import plan

    (game, _), objective = make_game(options), _objective(options)
    objective.restate(game)
    solve_options = SolveOptions(precision=_precision(options), checkpoint=None if options.no_cache else Path("layers"))
    return (
        cast("DuelPlan", plan(game, objective, solve_options)) if choose_solver(game, objective, solve_options).layered else None
    )


def plan_workers(plan: "DuelPlan", options: argparse.Namespace) -> dict[str, int]:
    """Say what a worker of a cluster takes, and how many there are, as far as that is known; nothing without a cluster."""
    if options.cluster is None:
        return {}
    from rollwise.cluster.backend import Cluster
    from rollwise.cluster.worker import worker_memory
    from rollwise.solvers.base.options import SolveOptions
    from rollwise.solvers.choose_solver import choose_solver

    cluster, (game, _), objective, solve_options = (
        Cluster(options.cluster),
        make_game(options),
        _objective(options),
        SolveOptions(),
    )
    rows = choose_solver(game, objective, solve_options).worker_bytes(game, objective, solve_options) or 0
    layer = plan.largest_layer_bytes
    found = {"worker_memory_bytes": worker_memory(rows, layer), "worker_mapped_bytes": layer}
    return found | ({"workers": cluster.count} if cluster.here else {})


def show_plan(plan: "DuelPlan", options: argparse.Namespace) -> list[tuple[str, str]]:
    """Give the plan as rows of a table."""
    size = f"{counted(plan.states, 'turn start')} ({plan.full_range_states:,} with every difference), "
    size += counted(plan.rows, "pair of sheets", "pairs of sheets")
    rows = [("size", size), ("memory", f"{plan.memory_bytes / 2**30:,.2f} GiB")]
    rows += [("on disk", f"{plan.disk_bytes / 2**30:,.2f} GiB")] if plan.disk_bytes else []
    worker = plan_workers(plan, options)
    if worker:
        memory, mapped = (worker[f"worker_{kind}_bytes"] / 2**30 for kind in ("memory", "mapped"))
        rows.append(("each worker", f"{memory:,.2f} GiB of memory; up to {mapped:,.2f} GiB of mapped files, shared by a node"))
    return rows if options.device == "gpu" else [*rows, ("time", f"about {show_time(plan.seconds)} on the cores here")]


def show_time(seconds: float) -> str:
    """Write a time in the largest unit of which there are two."""
    units = ((3.15e7, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"))
    return next((f"{seconds / unit:,.1f} {name}" for unit, name in units if seconds >= 2 * unit), f"{seconds:.1f} seconds")


def solve_duel_game(
    options: argparse.Namespace, check: "Check | None" = None, *, whole: bool = True
) -> tuple["Solution", dict[str, str]]:
    """Solve the duel that the options name, or load it, with its plan and progress on standard error.

    `check` sees the game for two before it is solved. Not `whole`, what is loaded is compared where it is read.
    """
    from rollwise import cache
    from rollwise.solvers import solve as solver

    folder, (game, parameters), objective = cache_folder(options), make_game(options), _objective(options)
    two, cluster = objective.restate(game), cluster_of(options)
    whole, _ = rely(options, whole=whole, trust=False)
    if check is not None:
        check(two)
    if sys.stderr.isatty():
        plan = _plan(options)
        if plan is not None and plan.seconds > QUIET_SECONDS:
            warn("; ".join(f"{name}: {text}" for name, text in show_plan(plan, options)))
    with progress_bar() as progress:
        how: dict[str, Any] = {"precision": _precision(options), "device": options.device or "cpu", "progress": progress}
        how["cluster"] = cluster
        if options.no_cache:
            solution = solver.solve(game, objective, **how)
        else:
            how |= {"name": Path(options.game).name, "parameters": parameters, "refused": warn, "whole": whole}
            solution = cache.solve(game, objective, directory=folder, **how)
    return solution, parameters
