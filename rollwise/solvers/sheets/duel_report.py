"""The page about a solved duel: what moving first is worth, how players for points fare, where they part ways, leads and chances.

Values of strategies are exact. Where duellists depart from players for points is seen in simulated games with a fixed seed, and
chances by lead are averages over the sheets that those games met; the page says so.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from rollwise.model.game import Progress
from rollwise.solvers.base.blocks import Block, Figure, Grid, Heading, Prose
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.pictures import Series, bar_list, curve
from rollwise.solvers.sheets.arrays import Floats
from rollwise.solvers.sheets.duel_follow import BEST, Side, follow_sides, points_table
from rollwise.solvers.sheets.duel_simulate import Watched, watch_duel

if TYPE_CHECKING:
    from rollwise.solvers.sheets.duel import DuelSolution

__all__ = ["duel_figures", "duel_sections"]

GAMES = 2000
SEED = 0
SHEETS = 300
"""Pairs of sheets that a chance by lead is the average of."""
LEADS = (-60, -40, -20, -10, 0, 10, 20, 40, 60)
PAIRS = (("duel", "duel"), ("duel", "expected"), ("expected", "duel"), ("best", "expected"), ("expected", "best"))
NAMES = {"duel": "duellist", "expected": "player for points", "best": "best answer"}


def duel_sections(solution: "DuelSolution", progress: Progress | None) -> list[Block]:
    """All sections that only duels have."""
    worth = _worths(solution, SolveOptions(progress=progress))
    watched = watch_duel(solution, games=GAMES, seed=SEED, progress=progress)
    return [
        Heading("What playing for the win is worth"),
        *_strategies(worth, solution.game.tie),
        Heading("Where a duellist does something else"),
        *_departures(solution, watched),
        Heading("The chance to win by lead and boxes left"),
        *_chances(solution, watched),
    ]


def _worths(solution: "DuelSolution", options: SolveOptions) -> dict[tuple[str, str], float]:
    """The first player's worth by who plays."""
    sides = {
        "duel": Side(layers=solution.all_layers()), "expected": Side(table=points_table(solution.arrays)), "best": BEST
    }  # fmt: skip
    found = {PAIRS[0]: float(solution.value())}
    for first, second in PAIRS[1:]:
        both = sides[first], sides[second]
        found[first, second] = follow_sides(solution.duel, both, float(solution.game.tie), options)
    return found


def _percent(chance: float) -> str:
    return f"{100 * chance:.2f} %"


def duel_figures(solution: "DuelSolution", progress: Progress | None) -> list[tuple[str, str]]:
    """What each player may expect, and how a duel ends."""
    first, split = float(solution.value()), solution.split(progress=progress)
    return [
        ("first player", _percent(first)),
        ("second player", _percent(1 - first)),
        ("moving first is worth", f"{200 * first - 100:+.2f} points of 100"),
        ("first player wins", _percent(split.win)),
        ("tie", _percent(split.tie)),
        ("second player wins", _percent(split.loss)),
    ]


def _strategies(worth: Mapping[tuple[str, str], float], tie: Fraction) -> list[Block]:
    rows = [(NAMES[first], NAMES[second], _percent(worth[first, second])) for first, second in PAIRS]
    gain = [
        ("duellist first, against a player for points", worth["duel", "expected"] - 0.5),
        ("duellist second, against a player for points", 0.5 - worth["expected", "duel"]),
        ("best answer first, against a player for points", worth["best", "expected"] - 0.5),
        ("best answer second, against a player for points", 0.5 - worth["expected", "best"]),
    ]
    mean = (worth["duel", "expected"] + 1 - worth["expected", "duel"]) / 2
    halves = f"A duellist who moves first half of the time gets {_percent(mean)} against him, ties half. "
    text = (
        "A player for points makes every move that has the highest expected score, and never looks at the other sheet. "
        f"{halves if tie == Fraction(1, 2) else ''}The best answer knows that the other plays for points, and uses it. Between "
        f"two duellists the first player's worth, wins and his share of ties, is {_percent(worth['duel', 'duel'])}."
    )
    about = "Chances above one half, by who plays."
    picture = bar_list("What it is worth above an even game", about, gain, "chance to win above 50 %", show=_percent)
    return [
        Prose(text),
        Grid(("first player", "second player", "first player's worth"), rows),
        Figure(picture, "Chance above one half of the player who does not play for points alone."),
    ]


def _departures(solution: "DuelSolution", watched: Watched) -> list[Block]:
    turns = []
    for turn in range(solution.arrays.n_boxes):
        both = slice(2 * turn, 2 * turn + 2)
        decisions, departures = int(watched.decisions[both].sum()), int(watched.departures[both].sum())
        cost = float(watched.cost[both].sum()) / (2 * watched.games)
        share = _percent(departures / decisions) if decisions else "-"
        turns.append((str(turn + 1), share, f"{100 * cost:.3f}"))
    text = (
        f"In {watched.games:,} simulated games between two duellists (seed {SEED}), every decision was compared with that of a "
        "player for points. The cost is what his choices would have lost, in points of 100 of the chance to win, per player and "
        "game."
    )
    rows = [(row.state, row.duel, row.expected, f"{100 * row.cost:.1f}") for row in watched.largest]
    return [
        Prose(text),
        Grid(("turn", "decisions that differ", "cost per game"), turns),
        Prose("The costliest of them: the position (mover's dice, rerolls and boxes; the other's boxes; the mover's lead)."),
        Grid(("position", "duellist", "player for points", "cost"), rows),
    ]


def _chances(solution: "DuelSolution", watched: Watched) -> list[Block]:
    n = solution.arrays.n_boxes
    shown = sorted({1, max(1, n // 3), max(1, 2 * n // 3)})
    lines = {boxes: _by_lead(solution, watched, boxes) for boxes in sorted({*shown, *range(1, n)})}
    series = [Series(_boxes(boxes), _points(lines[boxes])) for boxes in shown]
    picture = curve(
        "Chance to win by lead",
        "One line for each number of boxes left.",
        series,
        ("points ahead, before one's turn", "chance to win"),
    )
    table = [(str(boxes), *(_share(lines[boxes][LONG.index(lead)]) for lead in LEADS)) for boxes in sorted(lines)]
    text = (
        "What the player to move may expect when both have as many boxes open, by his lead: an average over the sheets met in "
        "the simulated games with which that lead can occur (-: with none)."
    )
    return [
        Prose(text),
        Figure(picture, "With few boxes left a small lead decides more."),
        Grid(("boxes left", *(f"{lead:+d}" for lead in LEADS)), table),
    ]


LONG = tuple(range(-80, 81))


def _points(line: Floats) -> list[tuple[float, float]]:
    return [(lead, worth) for lead, worth in zip(LONG, line.tolist(), strict=True) if not np.isnan(worth)]


def _share(worth: float) -> str:
    return "-" if np.isnan(worth) else _percent(worth)


def _boxes(count: int) -> str:
    return f"{count} box{'' if count == 1 else 'es'} left"


def _by_lead(solution: "DuelSolution", watched: Watched, boxes: int) -> Floats:
    """The mover's worth at every lead of `LONG`, averaged over pairs of sheets with so many boxes open; NaN: cannot occur."""
    starts = watched.starts[2 * (solution.arrays.n_boxes - boxes)][:, :SHEETS]
    total, count = np.zeros(len(LONG)), np.zeros(len(LONG))
    for opened, carry, other, other_carry in starts.T.tolist():
        leads, worth = solution.win_by_lead(opened, other, carry, other_carry)
        inside = (leads >= LONG[0]) & (leads <= LONG[-1])
        total[leads[inside] - LONG[0]] += worth[inside]
        count[leads[inside] - LONG[0]] += 1
    mean: Floats = np.divide(total, count, out=np.full(len(LONG), np.nan), where=count > 0)
    return mean
