"""Float mode says "unbounded" only where it is proved; else it asks for exact mode, or gives a value within its bound."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import Expected, GameError, solve
from rollwise.errors import EngineError
from tests.examples import examples
from tests.strategies import TableGame

PAYOFF = -544_290
UNBOUNDED = "the expected total is unbounded: a loop of rolls pays more than it costs"
RARELY = TableGame(
    {0: [("p2", -1), ("p1", -1)], 1: [("p1", 1), ("p0", -1)], 2: [("p1", -1), ("p1", 1)]},
    {"p0": {0: 1, 1: 10**6, 100: 1}, "p1": {0: 1}, "p2": {2: 10**6, 1: 1}},
    {100: PAYOFF},
    {},
)
"""Points of +1 and -1 cancel round loops that are left once in a million rolls, and values are in the millions."""
SLOWLY = TableGame(
    {0: [("p0", 0), ("p1", -1)], 2: [("p0", 1)], 3: [("p2", -1), ("p0", 0)]},
    {"p0": {0: 10**6, 3: 1}, "p1": {0: 1, 2: 10**6}, "p2": {3: 10**6, 0: 10**6, 101: 1}},
    {},
    {},
)


def answer(game: TableGame, *, exact: bool) -> tuple[str, Fraction, Fraction]:
    """What is said about a game, and its value and bound if it has one."""
    try:
        solution = solve(game, Expected(), exact=exact)
    except EngineError as error:
        return ("asks" if "use exact=True" in str(error) else str(error)), Fraction(0), Fraction(0)
    except GameError as error:
        return str(error).partition(" at ")[0], Fraction(0), Fraction(0)
    return "value", Fraction(solution.value()), Fraction(solution.certificate.error_bound)


def check_floats(game: TableGame) -> str:
    """Compare floats with fractions, and give what fractions say."""
    truth, value, _ = answer(game, exact=True)
    said, number, bound = answer(game, exact=False)
    assert said in (truth, "asks")
    assert said != "value" or abs(number - value) <= bound
    return truth


@pytest.mark.parametrize(("game", "value"), [(RARELY, PAYOFF - 10**6 - 2), (SLOWLY, -2 * 10**6 - 1)])
def test_loops_that_are_left_rarely_are_not_unbounded(game: TableGame, value: int) -> None:
    assert answer(game, exact=True)[1] == value
    assert check_floats(game) == "value"


WALK = TableGame(
    {0: [("stop", 0), ("coin", 0)], 1: [("p0", 1)], 2: [("p0", -1)]},
    {"p0": {0: 1}, "coin": {1: 1, 2: 1}, "stop": {100: 1}},
    {},
    {},
)
"""A fair walk that may be stopped: without memory it has no better value than 0, and its loop gains nothing on average."""


def test_a_fair_walk_is_worth_nothing_without_memory() -> None:
    assert solve(WALK, Expected(), exact=True).value() == 0
    assert check_floats(WALK) == "value"


def again(weights: dict[int, int], gains: dict[int, int]) -> TableGame:
    """Roll one pending again for some points, or stop."""
    moves = {state: [("p0", gain), ("p1", 0)] for state, gain in gains.items()}
    return TableGame(moves, {"p0": weights, "p1": {100: 1}}, {100: 1}, {})


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_retry_whose_points_nearly_cancel(more: int) -> None:
    """The sum of weight times gain is `more`, which floats lose in sums of 2**60 and above."""
    game = again({0: 2**60, 1: 2**60 - 1, 2: 2}, {0: 1, 1: -1, 2: -1})
    assert check_floats(game) == "value"
    large = again({0: 2**58 + 1, 1: 2**58, 2: 1}, {0: 2**58, 1: -(2**58) - 1, 2: more})
    assert check_floats(large) == (UNBOUNDED if more > 0 else "value")


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("size", [6, 200])
def test_long_loops_whose_points_nearly_cancel(more: int, size: int) -> None:
    """Gains of +1 and -1 in turn round a ring of steps of one or two, and `more` on leaving the first state."""
    moves = {s: [(f"p{(s + 1) % size}", 1 - 2 * (s % 2))] for s in range(size)}
    moves[0] = [("stop", 0), ("p1", 1 + more)]
    rolls = {f"p{s}": {s: 2, (s + 2) % size: 1} for s in range(size)}
    game = TableGame(moves, {**rolls, "stop": {1000: 1}}, {1000: -1000}, {})
    assert check_floats(game) == (UNBOUNDED if more > 0 else "value")


@st.composite
def rare_loops(draw: st.DrawFn) -> TableGame:
    """Loops of small gains with large payoffs, left once in a long while."""
    n_states, n_pendings = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    rare = draw(st.sampled_from([10**5, 10**6, 10**7, 10**9]))
    pendings = [f"p{i}" for i in range(n_pendings)]
    weight = st.sampled_from([rare, rare, 1])
    rolls = {p: draw(st.dictionaries(st.integers(0, n_states - 1), weight, min_size=1, max_size=2)) for p in pendings}
    rolls = {p: {**roll, 100: 1} if draw(st.booleans()) else roll for p, roll in rolls.items()}
    gains = draw(st.sampled_from([(-1, 0, 1), (-1, 1), (-(10**6), 10**6, 1, -1), (-(2**60), 2**60, 1)]))
    option = st.tuples(st.sampled_from(pendings), st.sampled_from(gains))
    moves = {s: draw(st.lists(option, min_size=1, max_size=3)) for s in range(n_states)}
    return TableGame(moves, rolls, {100: draw(st.sampled_from([0, PAYOFF, 10**9 + 7]))}, {})


@examples(150)
@given(rare_loops())
def test_floats_and_fractions_agree_on_what_is_unbounded(game: TableGame) -> None:
    check_floats(game)
