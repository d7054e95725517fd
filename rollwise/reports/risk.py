"""The risk dial of a game as a page, or as a picture of what is given up for what."""

from functools import partial
from pathlib import Path

from rollwise.errors import GameError
from rollwise.model.abilities import unlifted
from rollwise.model.formatting import figure
from rollwise.model.game import Progress
from rollwise.model.risk import RiskObjective
from rollwise.playing.risk import RiskDial, risk_dial
from rollwise.reports.page import write_page
from rollwise.solvers.base.abilities import AnswersTargets, ability
from rollwise.solvers.base.blocks import Block, Figure, Grid, Heading, Page, Prose
from rollwise.solvers.base.pictures import Series, standalone, value_curve
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.base.writing import write_whole
from rollwise.solvers.solve import solve

__all__ = ["risk_sections", "write_risk"]

ABOUT = "Each plan is followed exactly, from the start of the game to its end."
FOOTER = "Written by rollwise risk."
CHANGES, FEW_CHANGES = 30, 10
"""Positions that are listed on a page of its own, and in a report."""


def write_risk(dial: RiskDial, name: str, path: Path) -> list[Path]:
    """Write the plans and the positions in which they differ, by the ending of the file. Returns the files."""
    if path.suffix.lower() == ".svg":
        picture = _picture(dial)
        if not picture:
            raise GameError("this game is too large to follow the plans to the end: there is nothing to draw")
        write_whole(path, standalone(picture))
        return [path]
    return write_page(Page(f"The risk dial of {name}", ABOUT, risk_blocks(dial, CHANGES)), path, FOOTER)


def risk_sections(solution: Solution, progress: Progress | None) -> list[Block]:
    """Show the risk dial in the report of a plan on it; nothing for other objectives."""
    if not isinstance(solution.objective, RiskObjective):
        return []
    dial = risk_dial(partial(_solved, solution, progress), progress)
    return [Heading("The risk dial"), *risk_blocks(dial, FEW_CHANGES)]


def _solved(solution: Solution, progress: Progress | None, aim: RiskObjective) -> Solution:
    known = ability(solution, AnswersTargets).for_objective(aim)
    return known or solve(unlifted(solution.game), aim, progress=progress)


def risk_blocks(dial: RiskDial, most: int) -> list[Block]:
    """Show the plans, and at most so many positions in which they differ."""
    picture = _picture(dial)
    header = ["plan", "mean", "standard deviation", "worst tenth", "median"]
    rows = [
        [
            str(plan.objective),
            *("-" if n is None else figure(n) for n in (plan.mean, plan.deviation, plan.worst_tenth, plan.median)),
        ]
        for plan in dial.plans
    ]
    blocks: list[Block] = [
        Prose("Plans from careful to bold. The worst 100% is the highest mean; a quantile of 90% is reached in one game of ten."),
        *([Figure(picture, f"Mean, median and mean of the worst tenth of games, by plan. {ABOUT}")] if picture else []),
        Grid(header, rows),
    ]
    if dial.changes:
        blocks += [
            Heading("Where the plans differ"),
            Prose("The positions that come up most often when playing for the mean, and the best moves from careful to bold."),
            Grid(
                ["how often", "position", "moves from careful to bold"],
                [[f"{100 * one.frequency:.2f} %", one.text, "; ".join(f"{move.action} ({move.start})" for move in one.moves)]
                 for one in dial.changes[:most]],
            ),
        ]  # fmt: skip
    return blocks


def _picture(dial: RiskDial) -> str:
    followed = [plan for plan in dial.plans if plan.mean is not None]
    if not followed:
        return ""
    lines = (
        ("mean", [plan.mean for plan in followed]),
        ("median", [plan.median for plan in followed]),
        ("worst tenth", [plan.worst_tenth for plan in followed]),
    )
    series = [
        Series(name, [(float(place), float(value)) for place, value in enumerate(values) if value is not None])
        for name, values in lines
    ]
    places = [str(plan.objective).partition(",")[0] for plan in followed]
    about = "Mean, median and mean of the worst tenth of games for plans from careful to bold."
    return value_curve("Risk dial", about, series, ("plan", "points"), show=lambda number: f"{number:g}", places=places)
