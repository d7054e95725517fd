"""Play many games by a strategy and compare the mean with its exact value; a card for two plays against the best player."""

from collections import Counter
from dataclasses import replace
from typing import Any

from rollwise.cards.evaluate import evaluator_of
from rollwise.model.abilities import unlifted
from rollwise.model.game import Progress
from rollwise.model.policy import Optimal, PolicyPair
from rollwise.playing.evaluate import evaluate
from rollwise.playing.simulate import Simulated, simulate
from rollwise.solvers.base.solution import Solution

__all__ = ["simulate_policy"]


def simulate_policy(solution: Solution, policy: Any, games: int, seed: int, *, progress: Progress | None = None) -> Simulated:
    """Play games by a strategy (None: the best one); `value` is its exact value, of a card that of `evaluate_card`.

    A card for two goes first in one half of the games, second in the other, against the best player.
    """
    if policy is None:
        return simulate(solution, games, seed=seed, progress=progress)
    if policy.name != "card":
        value = evaluate(unlifted(solution.game), policy, solution.objective, progress=progress).value
        return replace(simulate(solution, games, seed=seed, policy=policy, progress=progress), value=value)
    value = evaluator_of(solution, progress=progress).value(policy)
    if not solution.two_players:
        return replace(simulate(solution, games, seed=seed, policy=policy, progress=progress), value=value)
    return _both_sides(solution, policy, max(games, 4), seed, value, progress)


def _both_sides(solution: Solution, card: Any, games: int, seed: int, value: float, progress: Progress | None) -> Simulated:
    best = Optimal(solution)
    first = simulate(solution, games - games // 2, seed=seed, policy=PolicyPair(card, best), progress=progress)
    second = simulate(solution, games // 2, seed=seed + 1, policy=PolicyPair(best, card), progress=progress)
    whole = first.unit if solution.objective.wins else 0
    mine = Counter(first.counts)
    for total, count in second.counts.items():
        mine[whole - total] += count
    return replace(first, games=first.games + second.games, seed=seed, counts=dict(sorted(mine.items())), value=value)
