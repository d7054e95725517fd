"""Words and groups by their compact forms: the same answers as the general engines, at any size."""

from fractions import Fraction
from math import comb, isinf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import GameError, PositionError, solve
from rollwise.games import load
from rollwise.games.words import Words
from rollwise.solvers.partitions.recursion import _retry
from rollwise.solvers.partitions.solution import PartitionSolution
from rollwise.solvers.rerolls.solution import RerollSolution
from rollwise.solvers.rerolls.sweeps import NumpySweeps, sweep
from rollwise.solvers.rerolls.sweeps_numba import NumbaSweeps
from tests.examples import examples
from tests.reference import gap

EXAMPLES = examples(60)


@st.composite
def dictionaries(draw: st.DrawFn) -> Words:
    """Up to four dice with repeated symbols, some of them equal, and a few words."""
    die = st.text("ABC", min_size=1, max_size=4)
    dice = draw(st.lists(die, min_size=1, max_size=3))
    dice += [draw(st.sampled_from(dice))] if draw(st.booleans()) else []
    words = draw(st.lists(st.text("ABC", min_size=len(dice), max_size=len(dice)), min_size=1, max_size=4))
    return Words(dice, words)


@EXAMPLES
@given(dictionaries())
def test_sweeps_agree_with_label_setting(game: Words) -> None:
    swept, labelled = solve(game), solve(game, engine="shortest", exact=True)
    assert isinstance(swept, RerollSolution)
    if isinf(labelled.value()):
        assert isinf(swept.value())
        assert list(swept.policy()) == []
        return
    bound = swept.certificate.error_bound
    assert bound < 1e-9
    explored: Any = labelled.explored  # type: ignore[attr-defined]
    for state in explored.states:
        assert gap(swept.value(state), labelled.value(state)) <= bound
    for pending in explored.pendings:
        assert gap(swept.value(pending), labelled.value(pending)) <= bound
    for row in swept.policy():
        best = [m.action for m in labelled.ranked(row.state) if m.loss <= 2 * bound]
        assert row.action in best


@EXAMPLES
@given(dictionaries())
def test_sweep_kernels_agree(game: Words) -> None:
    solution = solve(game)
    assert isinstance(solution, RerollSolution)
    compiled = sweep(solution.arrays, NumbaSweeps())
    assert np.allclose(compiled.value, sweep(solution.arrays, NumpySweeps()).value, rtol=1e-12, atol=0)


def test_equal_dice_collapse() -> None:
    """Six standard dice, all sixes: the array holds multisets, not 7 ** 6 entries."""
    solution = solve(load("words", dice=["123456"] * 6, words=["666666"]))
    assert solution.states + solution.pendings == 924


@pytest.mark.full
def test_seven_different_dice() -> None:
    dice = ["ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZ0123", "456789", "abcdef"]
    words = ["AGMSY4a", "BHNTZ5b", "LRX39fF"]
    solution = solve(load("words", dice=dice, words=words))
    assert solution.certificate.error_bound < 1e-9
    start = solution.value()
    # one roll from the start, by the definition: 1 + mean over all faces of the best choice, sampled at one pending of two dice
    pending = ("A", "G", "M", "S", "Y", "*", "*")
    game = solution.game
    mean = np.mean([float(solution.value(state)) for state in game.roll(pending)])
    assert float(solution.value(pending)) == pytest.approx(1 + mean, abs=1e-11)
    assert float(start) > 7


def test_words_too_large_are_refused() -> None:
    dice = ["".join(chr(200 + 6 * i + j) for j in range(6)) for i in range(12)]
    with pytest.raises(GameError, match="13,841,287,201 positions"):
        solve(load("words", dice=dice, words=["".join(die[0] for die in dice)]))


def test_word_positions_that_do_not_occur() -> None:
    solution = solve(load("words", dice="AB,CD", words="AC"))
    for position in (("A", "X"), ("A",), ("*", "X")):
        with pytest.raises(PositionError, match="does not occur"):
            solution.value(position)


goals = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@EXAMPLES
@given(goals, st.integers(0, 3))
def test_partitions_agree_with_the_retry_engine(sizes: list[int], extra: int) -> None:
    game = load("groups", faces=len(sizes) + extra, sizes=sizes)
    compact, general = solve(game), solve(game, engine="retry", exact=True)
    assert isinstance(compact, PartitionSolution)
    bound = compact.certificate.error_bound
    assert bound < 1e-11
    for pending in general.explored.pendings:  # type: ignore[attr-defined]
        assert gap(compact.value(pending), general.value(pending)) <= bound
    rows = {d.state: d.action for d in compact.policy()}
    assert rows.keys() == {d.state for d in general.policy()}
    for state, action in rows.items():
        assert action in [m.action for m in general.ranked(state) if m.loss <= 2 * bound]


@EXAMPLES
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 20)), min_size=1, max_size=6), st.integers(0, 4))
def test_sorted_prefixes_on_the_general_retry_form(outcomes: list[tuple[int, int]], spare: int) -> None:
    """Official data never needs a proper prefix; this does: x = 1 + mean of min(v, x), by trying every kept set."""
    weight = np.array([[float(w)] for w, _ in outcomes])
    value = np.array([[float(v)] for _, v in outcomes])
    faces = sum(w for w, _ in outcomes) + spare
    kept = [[i for i in range(len(outcomes)) if chosen >> i & 1] for chosen in range(1, 1 << len(outcomes))]
    truth = min(Fraction(faces + sum(outcomes[i][0] * outcomes[i][1] for i in k), sum(outcomes[i][0] for i in k)) for k in kept)
    assert _retry(weight, value, faces)[0] == pytest.approx(float(truth), rel=1e-14)


def test_eighty_dice() -> None:
    solution = solve(load("groups", faces=80, sizes=[10, 10, 10, 10, 10, 10, 10, 10]))
    assert solution.certificate.error_bound < 1e-8
    assert solution.states == 43758  # the partitions inside an 8 x 10 box: 18 choose 8
    assert float(solution.value()) > 80


def test_group_positions_that_do_not_occur() -> None:
    solution = solve(load("groups", faces=6, sizes=[3, 2]))
    for position in ((4,), (1, 2), (3, 2), ((1,), 2), ((3, 2), 0), ((), 1)):
        with pytest.raises(PositionError, match="does not occur"):
            solution.value(position)
    assert solution.value(((3, 1), 1)) == 0
    assert solution.value(((3, 1), 3)) == solution.value((3, 1))


@pytest.mark.full
def test_large_groups() -> None:
    assert solve(load("groups", faces=6, sizes=[40000])).value() == pytest.approx(1 + 39999 * 6, rel=1e-12)
    for sizes in ([31] * 40, [34] * 33):
        with pytest.raises(GameError, match="groupings: too many"):
            solve(load("groups", faces=50, sizes=sizes))
    with pytest.raises(GameError, match="expected at most 1,000,000"):
        load("groups", faces=10**24, sizes=[1])


@pytest.mark.full
def test_twelve_equal_dice() -> None:
    """The largest of twelve geometric waiting times: a sum over how many dice are still missing."""
    solution = solve(load("words", dice=["ABCDEF"] * 12, words=["A" * 12]))
    left = [Fraction(0)]
    for n in range(1, 13):
        rest = sum(comb(n, k) * Fraction(5 ** (n - k), 6**n) * left[n - k] for k in range(1, n + 1))
        left.append((1 + rest) / (1 - Fraction(5**n, 6**n)))
    assert gap(solution.value(), left[12]) <= solution.certificate.error_bound
