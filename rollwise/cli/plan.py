"""`rollwise plan`: what solving a game takes, as far as that is known before it is solved."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import (
    add_command,
    add_game,
    add_options,
    aim,
    make_game,
    name_objective,
    print_json,
    progress_bar,
    table,
    warn,
)
from rollwise.errors import GameError

if TYPE_CHECKING:
    from rollwise.model.game import Game
    from rollwise.model.objective import Objective
    from rollwise.solvers.base.plan import Plan

__all__ = ["add", "announce"]

QUIET_SECONDS = 5.0
GIB = 2**30


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "plan", _plan, "estimate a solve's size: duels, and games with rules in columns",
        "rollwise plan yazy --objective duel\n  rollwise plan pig --json\n"
        "  rollwise plan yazy --objective duel --cluster local:2",
    )  # fmt: skip
    add_game(parser)
    add_options(parser, "--json")


def announce(options: argparse.Namespace, game: "Game[Any, Any, Any]", objective: "Objective") -> None:
    """Say at a terminal what a solve in layers takes that is not done at once."""
    if not sys.stderr.isatty() or not _layered(options, game, objective):
        return
    found = _make_plan(options, game, objective)
    if (found.seconds or 0) > QUIET_SECONDS:
        warn("; ".join(f"{name}: {text}" for name, text in _rows(found, _worker(found, options, game, objective), options)))


def _plan(options: argparse.Namespace) -> None:
    from rollwise.wire.to_json import describe_plan

    game, _ = make_game(options)
    objective = aim(options, game)
    if not objective.is_resolved:
        raise GameError(f"the size for {str(objective)!r} depends on the opponent's scores: give --at-least N")
    found = _make_plan(options, game, objective)
    if found.states is None or found.memory_bytes is None:
        raise GameError(
            f"there is no plan for {options.game}: only for duels, and for games whose rules are written in columns, such as pig"
        )
    worker = _worker(found, options, game, objective)
    if options.json:
        print_json({**describe_plan(found), **worker})
    else:
        table(["", f"{options.game}, {name_objective(objective, game)}"], _rows(found, worker, options))


def _layered(options: argparse.Namespace, game: "Game[Any, Any, Any]", objective: "Objective") -> bool:
    from rollwise.solvers.base.options import SolveOptions
    from rollwise.solvers.choose_solver import choose_solver

    how = SolveOptions(exact=options.exact, precision=getattr(options, "precision", None) or "float64")
    return objective.is_resolved and choose_solver(game, objective, how).layered


def _make_plan(options: argparse.Namespace, game: "Game[Any, Any, Any]", objective: "Objective") -> "Plan":
    from rollwise.solvers.base.options import MAX_STATES, SolveOptions
    from rollwise.solvers.solve import plan

    checkpoint = Path("layers") if not options.no_cache and _layered(options, game, objective) else None
    most = MAX_STATES if options.max_states is None else options.max_states
    with progress_bar() as progress:
        how = SolveOptions(
            exact=options.exact, precision=getattr(options, "precision", None) or "float64", checkpoint=checkpoint,
            max_states=most, progress=progress,
        )  # fmt: skip
        return plan(game, objective, how)


def _worker(plan: "Plan", options: argparse.Namespace, game: "Game[Any, Any, Any]", objective: "Objective") -> dict[str, int]:
    """Say what a worker of a cluster takes, and how many there are, as far as that is known; nothing without a cluster."""
    if getattr(options, "cluster", None) is None:
        return {}
    from rollwise.cluster.backend import Cluster
    from rollwise.cluster.worker import worker_memory
    from rollwise.solvers.base.options import SolveOptions
    from rollwise.solvers.choose_solver import choose_solver

    cluster, how = Cluster(options.cluster), SolveOptions()
    rows = choose_solver(game, objective, how).worker_bytes(game, objective, how) or 0
    layer = getattr(plan, "largest_layer_bytes", 0)
    found = {"worker_memory_bytes": worker_memory(rows, layer), "worker_mapped_bytes": layer}
    return found | ({"workers": cluster.count} if cluster.here else {})


def _rows(plan: "Plan", worker: dict[str, int], options: argparse.Namespace) -> list[tuple[str, str]]:
    """Give a plan as rows of a table."""
    rows = [("size", plan.size()), ("memory", _size(plan.memory_bytes or 0))]
    rows += [("on disk", _size(plan.disk_bytes))] if plan.disk_bytes else []
    if worker:
        memory, mapped = (_size(worker[f"worker_{kind}_bytes"]) for kind in ("memory", "mapped"))
        rows.append(("each worker", f"{memory} of memory; up to {mapped} of mapped files, shared by a node"))
    if plan.seconds is not None and getattr(options, "device", None) != "gpu":
        rows.append(("time", f"about {_time(plan.seconds)} on the cores here"))
    return rows


def _size(size: int) -> str:
    return f"{size / GIB:,.2f} GiB" if size >= GIB / 10 else f"{size / 2**20:,.0f} MiB"


def _time(seconds: float) -> str:
    """Write a time in the largest unit of which there are two."""
    units = ((3.15e7, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"))
    return next((f"{seconds / unit:,.1f} {name}" for unit, name in units if seconds >= 2 * unit), f"{seconds:.1f} seconds")
