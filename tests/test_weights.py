"""Weights and totals at the edges of 64 bits: policies are checked like dice, and nothing wraps around."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from rollwise import Expected, GameError, distribution, evaluate, simulate, solve
from tests.strategies import TableGame


@dataclass(frozen=True)
class Mixed:
    """The same weights everywhere that there is a choice."""

    shares: Any

    def weights(self, game: Any, state: Any) -> Any:
        return self.shares if len(game.actions(state)) > 1 else {0: 1}


CHOICE = TableGame({0: [("p1", 0), ("p2", 0)]}, {"p0": {0: 1}, "p1": {100: 1}, "p2": {101: 1}}, {100: 100, 101: 0}, {})
ROUND = TableGame({0: [("p1", -1), ("p2", 0)], 1: [("p0", 0)]}, {"p0": {0: 1}, "p1": {1: 1}, "p2": {100: 1}}, {100: 1}, {})
"""Pay 1 and come back, or end with 1: following it needs a linear system."""

WRONG = [
    ({0: 1.9, 1: 1}, r"the policy Mixed at state 0: the weight of 0 is 1\.9: expected a positive integer"),
    ({0: Fraction(1, 2), 1: 1}, r"the weight of 0 is Fraction\(1, 2\)"),
    ({0: 0, 1: 1}, "the weight of 0 is 0: expected a positive integer"),
    ({0: 2**62, 1: 2**62 + 1}, r"Mixed at state 0: the weights in lowest terms add up to 2\*\*62 or more"),
    ({0: 10**30, 1: 1}, r"add up to 2\*\*62 or more: use smaller ones"),
    ({}, "does nothing at state 0"),
    ([0, 1], r"the policy gives \[0, 1\] at state 0: expected a mapping"),
    ({2: 1}, "plays 2 at state 0, which is not an action there"),
]


@pytest.mark.parametrize(("shares", "message"), WRONG)
def test_wrong_weights_are_refused_in_one_line(shares: Any, message: str) -> None:
    solution = solve(CHOICE, Expected())
    for exact in (False, True):
        with pytest.raises(GameError, match=message) as told:
            evaluate(CHOICE, Mixed(shares), Expected(), exact=exact)
        assert "\n" not in str(told.value)
    with pytest.raises(GameError, match=message):
        distribution(solution, Mixed(shares))


RIGHT: list[tuple[Mapping[int, int], Fraction]] = [
    ({0: 10**30, 1: 10**30}, Fraction(50)),
    ({0: 2**62, 1: 2**62}, Fraction(50)),
    ({0: 19 * 10**40, 1: 10**41}, Fraction(1900, 29)),
    ({0: 2**61, 1: 2**61 - 1}, Fraction(100 * 2**61, 2**62 - 1)),
]


@pytest.mark.parametrize(("shares", "truth"), RIGHT)
def test_large_weights_in_lowest_terms(shares: Mapping[int, int], truth: Fraction) -> None:
    assert evaluate(CHOICE, Mixed(shares), Expected(), exact=True).value == truth
    number = evaluate(CHOICE, Mixed(shares), Expected())
    assert abs(Fraction(number.value) - truth) <= number.certificate.error_bound
    assert distribution(solve(CHOICE, Expected()), Mixed(shares)).mean == pytest.approx(float(truth))


def test_weights_that_add_up_to_2_to_the_63_do_not_wrap_around() -> None:
    """With chance p to come back, the worth is 1 - p / (1 - p); sums in 64 bits would change their sign."""
    wrapping = {0: 3 * 2**61, 1: 2**61}
    assert evaluate(ROUND, Mixed(wrapping), Expected(), exact=True).value == -2
    with pytest.raises(GameError, match="add up to"):
        evaluate(ROUND, Mixed({0: 2**63 - 5, 1: 5}), Expected(), exact=True)
    limit = {0: 2**62 - 4, 1: 3}
    assert evaluate(ROUND, Mixed(limit), Expected(), exact=True).value == 1 - Fraction(2**62 - 4, 3)


LARGE = 4 * 10**18
FAR = TableGame(
    {0: [("p1", LARGE)], 1: [("p1", -LARGE)], 2: [("p2", -LARGE)], 3: [("p2", LARGE)], 4: [("p3", 0)]},
    {"p0": {0: 1, 1: 3}, "p1": {2: 1, 3: 1}, "p2": {4: 1}, "p3": {100: 1}},
    {100: 7},
    {},
)
"""Totals on the way differ by 8e18 and at the end by 16e18."""
NEAR = TableGame(
    {0: [("p1", LARGE)], 1: [("p2", 0)]},
    {"p0": {0: 1, 1: 3}, "p1": {100: 1}, "p2": {101: 1}},
    {100: 5 - LARGE, 101: 5},
    {},
)
HIGH = TableGame(
    {0: [("p1", LARGE)], 1: [("p2", LARGE)], 2: [("p3", LARGE)]},
    {"p0": {0: 1}, "p1": {1: 1}, "p2": {2: 1}, "p3": {100: 1, 101: 1}},
    {100: 0, 101: 1},
    {},
)


def test_totals_that_differ_much_on_the_way() -> None:
    found = distribution(solve(NEAR, Expected()))
    assert (found.lowest, found.chance.tolist()) == (5, [1.0])


def test_totals_beyond_64_bits_are_added_up_in_full() -> None:
    found = distribution(solve(HIGH, Expected()))
    assert (found.lowest, found.chance.tolist()) == (3 * LARGE, [0.5, 0.5])
    played = simulate(solve(HIGH, Expected()), 20, seed=1)
    assert set(played.counts) <= {3 * LARGE, 3 * LARGE + 1}


def test_totals_far_apart_are_played_in_full() -> None:
    played = simulate(solve(FAR, Expected()), 50, seed=1)
    assert set(played.counts) <= {7 - 2 * LARGE, 7, 7 + 2 * LARGE}
    assert evaluate(FAR, Mixed({0: 1}), Expected(), exact=True).value == 7 - Fraction(LARGE, 2)
