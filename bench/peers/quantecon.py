"""quantecon: sparse state-action pairs, undiscounted backward induction over the longest game.

Its infinite-horizon methods refuse a discount factor of 1, so the horizon is given. Its kernels are compiled by Numba when
first called: a game of one box warms them.
"""

import warnings
from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

import numpy as np
from quantecon.markov import DiscreteDP, backward_induction
from scipy.sparse import csr_matrix

from bench.model import explored_model
from bench.outcome import Outcome


def solve(game: str, parameters: Mapping[str, Any], horizon: int) -> Callable[[], Outcome]:
    """Solve a game that ends within `horizon` steps, a roll and a move being one each."""
    warnings.filterwarnings("ignore", message="infinite horizon solution methods are disabled")
    _solve("yazy", {"boxes": "ones"}, 9)
    return lambda: _solve(game, parameters, horizon)


def _solve(game: str, parameters: Mapping[str, Any], horizon: int) -> Outcome:
    model, explored = explored_model(game, parameters)
    chance = model.entry_weight / model.choice_total[model.entry_choice()]
    matrix = csr_matrix((chance, model.entry_node, model.entry_start), shape=(model.n_choices, model.n_nodes))
    node = model.choice_node()
    action = np.arange(model.n_choices) - model.choice_start[node]
    problem = DiscreteDP(model.choice_gain.astype(float), matrix, 1.0, node, action)
    begun = process_time()
    values, _ = backward_induction(problem, horizon)
    return Outcome(float(values[0, 0]), explored, process_time() - begun, "finite horizon; warmed on one box")
