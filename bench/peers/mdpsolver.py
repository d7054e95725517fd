"""mdpsolver: nested lists, value iteration with Gauss-Seidel updates (the fastest of its methods here), one thread.

It takes only discount factors below 1, so the discount is within 1e-12 of it and the value is off by a few billionths.
"""

from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

import mdpsolver

from bench.model import Model, explored_model
from bench.outcome import Outcome

DISCOUNT = 1 - 1e-12


def solve(game: str, parameters: Mapping[str, Any]) -> Callable[[], Outcome]:
    """Solve a game with a discount so near to 1 that it hardly counts."""
    return lambda: _solve(game, parameters)


def _solve(game: str, parameters: Mapping[str, Any]) -> Outcome:
    model, explored = explored_model(game, parameters)
    rewards, chances, columns = _lists(model)
    process = mdpsolver.model()
    process.mdp(discount=DISCOUNT, rewards=rewards, tranMatProbs=chances, tranMatColumns=columns)
    begun = process_time()
    process.solve(algorithm="vi", update="gs", tolerance=1e-9, postProcessing=False, makeFinalCheck=False, parallel=False)
    return Outcome(process.getValue(0), explored, process_time() - begun, "discount 1 - 1e-12: it has no undiscounted total")


def _lists(model: Model) -> tuple[list[Any], list[Any], list[Any]]:
    """Write gains by node and choice, and chances and columns by node, choice and entry."""
    gain, starts, entries = model.choice_gain.astype(float).tolist(), model.choice_start.tolist(), model.entry_start.tolist()
    chance = (model.entry_weight / model.choice_total[model.entry_choice()]).tolist()
    column = model.entry_node.tolist()
    choices = [range(starts[node], starts[node + 1]) for node in range(model.n_nodes)]
    return (
        [[gain[choice] for choice in some] for some in choices],
        [[chance[entries[choice] : entries[choice + 1]] for choice in some] for some in choices],
        [[column[entries[choice] : entries[choice + 1]] for choice in some] for some in choices],
    )
