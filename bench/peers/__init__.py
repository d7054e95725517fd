"""The peers, one module each. Every function prepares (imports, warm-up) and returns the call to measure.

The general solvers get their model from `rollwise.explore`, and that time counts, as building any model of that size would;
the time of the solver alone is given beside it.
"""

from collections.abc import Callable

from bench.outcome import NotOffered, Outcome


def too_large() -> Callable[[], Outcome]:
    """Say why a full sheet with a bonus is no model for a general solver."""
    raise NotOffered("not tried: the general model has 1,430,528 turn starts of some 20,000 entries; see yazy, 8 boxes")
