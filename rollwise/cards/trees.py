"""Optimal trees: of all decision trees over some comparisons, the one that loses least where the card's play leads (STreeD).

The rows that occur are the instances, and what each verb loses there, times how often the row occurs, are their costs; so a tree
that is optimal for these costs is best for one round of policy improvement, and a few rounds follow one another. A tree becomes
lines: its leaves in order, each with the conditions of the branches that led to it where they hold.

Source: van der Linden, de Weerdt, Demirović, Necessary and Sufficient Conditions for Optimal Decision Trees using Dynamic
Programming, NeurIPS 2023; the package is `pystreed` (MIT), of the extra `rollwise[cards]`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.cards.rules_search import SearchState
from rollwise.model.card import Card, CardLine, Comparison
from rollwise.solvers.graph.card_evaluator import GraphCardEvaluator
from rollwise.solvers.graph.card_play import ALWAYS, Standing
from rollwise.solvers.graph.cuts import Cut

__all__ = ["TreeSearch"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_ROWS, MOST_CUTS, MOST_LEAVES, DEEPEST = 5_000, 24, 16, 4
FEWEST_SECONDS = 10.0
"""Loading what trees need takes some seconds: a shorter search does without."""
ROUNDS = 3
SCALE = 1e4


class TreeSearch:
    """A search for trees."""

    def __init__(self, search_state: SearchState, evaluator: GraphCardEvaluator) -> None:
        self.search_state, self.evaluator = search_state, evaluator
        self.words, self.ranked = self.evaluator.words, self.evaluator.ranked

    def run(self, size: int) -> None:
        """Find trees of up to `size` leaves, where they can be had and there are not too many rows."""
        solver = _solver() if self.evaluator.effort.seconds >= FEWEST_SECONDS and len(self.words.verb) > 1 else None
        if solver is None or not self.ranked.names:
            return
        leaves = 2
        while leaves <= min(size, MOST_LEAVES):
            self._rounds(solver, leaves)
            leaves *= 2

    def _rounds(self, solver: Any, leaves: int) -> None:
        """Fit a tree where best play leads, and again where the tree's play does."""
        card = Card((CardLine(ALWAYS, next(iter(self.words.verb))),))
        for turn in range(ROUNDS):
            standing = Standing.of(self.evaluator, card) if turn else Standing.at_best(self.evaluator, card)
            fitted = self._fit(solver, standing, leaves)
            if fitted is None or fitted == card:
                return
            card = fitted
            self.search_state.worth(card)

    def _fit(self, solver: Any, standing: Standing, leaves: int) -> Card | None:
        rows = np.flatnonzero(standing.met)
        if not 1 < len(rows) <= MOST_ROWS:
            return None
        verbs, cuts = list(self.words.verb), self._cuts(rows, standing)
        costs = self._costs(standing, rows, verbs)
        holds = np.stack([self.ranked.holds(cut, rows) for cut in cuts], axis=1).astype(np.int32)
        depth = min(DEEPEST, leaves - 1, len(cuts))
        self.evaluator.effort.spend(200.0 * len(rows) * len(cuts) * depth)
        model = solver(max_depth=depth, max_num_nodes=min(leaves - 1, 2**depth - 1), time_limit=20)
        model.fit(holds, costs)
        lines = tuple(_lines(model.tree_, [self.ranked.comparison(cut) for cut in cuts], verbs, ()))
        return Card(lines, kind="tree")

    def _costs(self, standing: Standing, rows: Ints, verbs: list[str]) -> Floats:
        """What each verb loses against the best one, by row; one that means nothing does what is done where no line fits."""
        unfit = standing.by_row(np.zeros(self.words.rows, dtype=np.int64))[rows]
        worth = [np.where(self.words.verb[verb][rows] >= 0, standing.verbs[verb][rows], unfit) for verb in verbs]
        lost = np.max(worth, axis=0)[:, None] - np.stack(worth, axis=1)
        return np.asarray(SCALE * lost / max(float(lost.max()), 1e-300))

    def _cuts(self, rows: Ints, standing: Standing) -> list[Cut]:
        """Choose comparisons: for every verb where it would be best to begin or to end with it."""
        found: dict[Cut, float] = {}
        unfit = np.max([standing.verbs[verb][rows] for verb in self.words.verb], axis=0)
        for verb in self.words.verb:
            gain = standing.verbs[verb][rows] - unfit
            gain -= gain.mean()
            for sign in (1.0, -1.0):
                for proposal in self.ranked.conditions(rows, sign * gain, depth=2, width=8):
                    for cut in proposal.cuts:
                        found[cut] = max(found.get(cut, 0.0), proposal.gain)
        return sorted(found, key=lambda cut: (-found[cut], cut))[:MOST_CUTS]


def _solver() -> Any:
    """The solver of optimal trees, if it is installed."""
    try:
        from pystreed import STreeDInstanceCostSensitiveClassifier  # noqa: PLC0415
    except ImportError:
        return None
    return STreeDInstanceCostSensitiveClassifier


def _lines(node: Any, comparisons: list[Comparison], verbs: list[str], path: tuple[Comparison, ...]) -> Iterator[CardLine]:
    """List the leaves of a tree, where a comparison holds before where it does not: there it need not be said."""
    if node.is_leaf_node():
        yield CardLine((path,), verbs[int(node.label)])
        return
    yield from _lines(node.right_child, comparisons, verbs, (*path, comparisons[int(node.feature)]))
    yield from _lines(node.left_child, comparisons, verbs, path)
