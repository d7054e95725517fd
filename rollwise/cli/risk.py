"""`rollwise risk`: the risk dial of a game, from a safe plan to the hunt for a record."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import (
    PLACE,
    add_command,
    add_options,
    add_place,
    add_rules,
    make_game,
    print_json,
    progress_bar,
    quietly,
    solver_for,
    table,
)
from rollwise.model.formatting import figure

if TYPE_CHECKING:
    from rollwise.playing.risk import Change, RiskDial, RiskPlan

__all__ = ["add"]

SHOWN = 10
"""Positions that are listed."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "risk", _risk, "compare plans from careful to bold: mean, worst tenth, moves",
        "rollwise risk yazy\n  rollwise risk slots -o slots-risk.html\n  rollwise risk yazy -p boxes=ones,straight --json",
    )  # fmt: skip
    add_rules(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write a page, FILE.html or FILE.md, or only the picture, FILE.svg"
    )
    add_options(parser, "--json")
    add_place(parser, *(name for name in PLACE if name not in ("--device", "--precision", "--cluster")))


def _risk(options: argparse.Namespace) -> None:
    from rollwise.playing.risk import risk_dial
    from rollwise.reports.page import ENDINGS, check_place
    from rollwise.reports.risk import write_risk

    if options.output is not None:
        check_place(Path(options.output), (*ENDINGS, ".svg"), "the risk dial")
    game, parameters = make_game(options)
    with quietly(), progress_bar() as progress:
        solve = solver_for(options, game, Path(options.game).name, parameters, progress)
        dial = risk_dial(solve, progress)
    if options.output is not None:
        write_risk(dial, options.game, Path(options.output))
    if options.json:
        from rollwise.wire.to_json import describe_risk

        print_json({"game": options.game, "parameters": parameters, **describe_risk(dial)})
        return
    _print(options.game, dial)
    if options.output is not None:
        print(f"risk dial written to {options.output}")


def _print(game: str, dial: "RiskDial") -> None:
    table([game, "mean", "standard deviation", "worst tenth", "median"], [_row(plan) for plan in dial.plans])
    for change in dial.changes[:SHOWN]:
        print(f"{100 * change.frequency:.2f} %  {change.text}: {_moves(change)}")
    if len(dial.changes) > SHOWN:
        print(f"... {len(dial.changes) - SHOWN} more positions with other moves: --json lists all")


def _row(plan: "RiskPlan") -> tuple[str, ...]:
    numbers = (plan.mean, plan.deviation, plan.worst_tenth)
    shown = tuple("-" if number is None else figure(number) for number in numbers)
    return (str(plan.objective), *shown, "-" if plan.median is None else str(plan.median))


def _moves(change: "Change") -> str:
    """Write the moves along the dial, from the most careful plan on."""
    first, *rest = change.moves
    return ", ".join([first.action, *(f"from {move.start} on {move.action}" for move in rest)])
