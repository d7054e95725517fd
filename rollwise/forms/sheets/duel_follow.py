"""What duels come to under given strategies, exactly: how often the first player wins, and how well score players do.

A player's strategy is "duel", what the solved duel's `best` says; "expected", the sheet's strategy for the highest expected
score, which does not look at the other; or "best", the best answer to what the other does.
"""

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from os import cpu_count
from typing import Literal, get_args

import numpy as np

from rollwise.errors import GameError, one_of
from rollwise.forms.sheets.arrays import Floats
from rollwise.forms.sheets.duel import DuelSolution
from rollwise.forms.sheets.duel_arrays import DuelArrays, DuelKernel, Layer, Values, last_layer, solve_layers
from rollwise.forms.sheets.expected import solve_sheet_game
from rollwise.forms.sheets.kernels.duel_follow_numba import numba_follow, numba_mix
from rollwise.forms.sheets.kernels.duel_numba import numba_duel
from rollwise.forms.sheets.kernels.outcomes_numba import numba_chances
from rollwise.games.sheet import Sheet
from rollwise.model.game import Progress

__all__ = ["Split", "Strategy", "follow_duel", "split_duel"]

Strategy = Literal["duel", "expected", "best"]


@dataclass(frozen=True)
class Split:
    """How a duel ends for the first player: the chances to win, to tie and to lose."""

    win: float
    tie: float
    loss: float


def follow_duel(
    solution: DuelSolution,
    first: Strategy = "duel",
    second: Strategy = "duel",
    *,
    tie: Fraction | float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> float:
    """Give the first player's worth when both play like this; a tie counts as `tie` for him (default: as when solved).

    >>> from rollwise.forms.sheets.duel import solve_duel
    >>> from rollwise.games import load
    >>> solution = solve_duel(load("yazy", boxes="ones,five-of-a-kind"))
    >>> [round(follow_duel(solution, *players), 6) for players in (("duel", "expected"), ("expected", "duel"))]
    [0.640698, 0.340677]

    Raises `GameError` if a player plays "duel" and not all layers were kept.
    """
    for strategy in (first, second):
        one_of("strategy", strategy, get_args(Strategy))
    if "duel" in (first, second) and len(solution.layers) < solution.duel.n_layers:
        raise GameError("following a duel needs all its layers: solve with keep='all'")
    kernels = {strategy: _kernel(solution, strategy) for strategy in {first, second}}
    tie = solution.game.tie if tie is None else tie
    return _run(solution, kernels[first], kernels[second], float(tie), threads or cpu_count() or 1, progress)


def split_duel(solution: DuelSolution, *, threads: int | None = None, progress: Progress | None = None) -> Split:
    """Split the value of a duel between two players who do what `best` says into the chances to win, to tie and to lose.

    Other strategies may be as good and tie more or less often; that is a matter of which action among ties is taken.

    >>> from rollwise.forms.sheets.duel import solve_duel
    >>> from rollwise.games import load
    >>> split = split_duel(solve_duel(load("yazy", boxes="ones,five-of-a-kind")))
    >>> round(split.win, 6), round(split.tie, 6), round(split.loss, 6)
    (0.375675, 0.246617, 0.377708)
    """
    value, worth = float(solution.value()), float(solution.game.tie)
    if solution.precision == "float32":
        win, not_lost = (follow_duel(solution, tie=tie, threads=threads, progress=progress) for tie in (0, 1))
        return Split(win, not_lost - win, 1 - not_lost)
    if worth >= 0.5:
        win = follow_duel(solution, tie=0, threads=threads, progress=progress)
        tie = (value - win) / worth
        return Split(win, tie, 1 - win - tie)
    not_lost = follow_duel(solution, tie=1, threads=threads, progress=progress)
    tie = (not_lost - value) / (1 - worth)
    return Split(not_lost - tie, tie, 1 - not_lost)


def _run(
    solution: DuelSolution, first: DuelKernel, second: DuelKernel, tie: float, threads: int, progress: Progress | None
) -> float:
    """The first player's worth at the start; he moves when the number of half-turns left is even."""
    done = 0

    def tick(values: int) -> None:
        nonlocal done
        done += values
        if progress:
            progress("following", done, solution.states)

    def kernel(form: DuelArrays, layer: Layer, previous: Layer, before: Values, values: Values, begin: int, end: int) -> None:
        (second if layer.left % 2 else first)(form, layer, previous, before, values, begin, end)

    begin = 0, last_layer(solution.duel, tie, np.float64)
    ((_, values),) = deque(solve_layers(solution.duel, kernel, begin, threads=threads, tick=tick), maxlen=1)
    return 1 - float(values[0])


def _kernel(solution: DuelSolution, strategy: Strategy) -> DuelKernel:
    if strategy == "duel":
        return numba_follow({left: np.asarray(values) for left, values in solution.layers.items()})
    return numba_mix(_move_chances(solution.duel, solution.game.sheet)) if strategy == "expected" else numba_duel


def _move_chances(form: DuelArrays, sheet: Sheet) -> Floats:
    """The chance of every move of the form when it is played for the highest expected score."""
    outers, first = form.outers, int(form.outers.start[1])
    table = np.asarray(solve_sheet_game(sheet).table)
    chance = numba_chances(form.sheet, table, False, outers.opened[first:], outers.carry[first:])
    owner = np.repeat(np.arange(len(outers.opened)), np.diff(form.move_start))
    found: Floats = chance[owner - first, form.move_effect]
    return found
