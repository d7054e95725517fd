"""The risk dial of a game as a page, or as a picture of what is given up for what."""

from pathlib import Path

from rollwise.errors import GameError
from rollwise.model.formatting import figure
from rollwise.playing.risk import RiskDial
from rollwise.reports.page import write_page
from rollwise.solvers.base.blocks import Block, Figure, Grid, Heading, Page, Prose
from rollwise.solvers.base.pictures import Series, standalone, value_curve
from rollwise.solvers.base.writing import write_whole

__all__ = ["write_risk"]

ABOUT = "Each plan is followed exactly, from the start of the game to its end."
FOOTER = "Written by rollwise risk."


def write_risk(dial: RiskDial, name: str, path: Path) -> list[Path]:
    """Write the plans and the positions in which they differ, by the ending of the file. Returns the files."""
    picture = _picture(dial)
    if path.suffix.lower() == ".svg" and not picture:
        raise GameError("this game is too large to follow the plans to the end: there is nothing to draw")
    if path.suffix.lower() == ".svg":
        write_whole(path, standalone(picture))
        return [path]
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
            Prose("Positions of the first rolls, most frequent first; each move with the most careful plan that makes it."),
            Grid(
                ["how often", "position", "moves from careful to bold"],
                [[f"{100 * one.frequency:.2f} %", one.text, "; ".join(f"{move} ({plans[0]})" for move, plans in one.moves)]
                 for one in dial.changes[:30]],
            ),
        ]  # fmt: skip
    return write_page(Page(f"The risk dial of {name}", ABOUT, blocks), path, FOOTER)


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
