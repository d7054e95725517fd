"""yatzy-solver: a solver written for Scandinavian Yatzy and American Yahtzee, in double precision, on all cores it is given."""

from collections.abc import Callable

import yatzy_solver

from bench.outcome import NotOffered, Outcome


def build(variant: str) -> Callable[[], Outcome]:
    """Solve one of its variants from scratch."""
    if variant not in yatzy_solver.builtin_variants():
        raise NotOffered(f"cannot: only its {len(yatzy_solver.builtin_variants())} built-in variants of Yatzy and Yahtzee")
    return lambda: _build(variant)


def _build(variant: str) -> Outcome:
    solver = yatzy_solver.Solver.build(yatzy_solver.Variant(variant))
    return Outcome(solver.state_value("upper 0 | filled -"), note=f"variant {variant}, {solver.precision}")
