"""Every engine, float and exact, on random games, against the reference."""

from dataclasses import replace
from fractions import Fraction
from math import isinf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import AtLeast, Expected, Fewest, GameError, Lowest, PositionError, Solution, solve
from rollwise.errors import EngineError
from rollwise.model.objective import Objective
from rollwise.solvers.graph.values import Engine
from tests.examples import examples
from tests.reference import enumerate_policies, evaluate, gap, positions, recursion
from tests.strategies import TableGame, cyclic_games, ending_games, for_two, layered_games, mirrored, repeatable, retry_games

EXAMPLES = examples(60)


def agree(game: TableGame, objective: Objective, truth: Fraction | None, *engines: Engine | None) -> Solution:
    """All engines give the truth: exactly in exact mode, within the stated bound in floats; the policy attains it."""
    for engine in engines:
        exact = solve(game, objective, exact=True, engine=engine)
        if truth is None:
            assert isinf(exact.value())
            assert isinf(solve(game, objective, engine=engine).value())
            continue
        assert exact.value() == truth
        assert exact.certificate.residual == 0
        number = solve(game, objective, engine=engine)
        assert abs(Fraction(number.value()) - truth) <= number.certificate.error_bound
        assert number.certificate.error_bound < 1e-6
        if not isinstance(objective, AtLeast):
            for solution in (exact, number):
                policy = {row.state: row.action for row in solution.policy()}
                attained = evaluate(game, objective, {s: policy.get(s, 0) for s in positions(game)[0] if game.actions(s)})
                assert attained is not None
                assert abs(attained - truth) <= solution.certificate.error_bound
    return solve(game, objective)


@EXAMPLES
@given(layered_games())
def test_layers(game: TableGame) -> None:
    for objective in (Expected(), Fewest()):
        agree(game, objective, recursion(game, objective), None, "induction", "retry", "policy")


@EXAMPLES
@given(layered_games(), st.integers(-5, 15))
def test_threshold_of_any_points_game(game: TableGame, target: int) -> None:
    agree(game, AtLeast(target), recursion(game, AtLeast(target)), None, "induction", "policy")


@EXAMPLES
@given(layered_games(low=0), st.integers(-2, 20))
def test_threshold_of_a_game_without_losses(game: TableGame, target: int) -> None:
    agree(game, AtLeast(target), recursion(game, AtLeast(target)), None, "induction")


@EXAMPLES
@given(retry_games())
def test_retries(game: TableGame) -> None:
    for objective in (Expected(), Fewest()):
        agree(game, objective, enumerate_policies(game, objective, 10**5), None, "retry", "policy")


@EXAMPLES
@given(retry_games(free=True))
def test_free_retries(game: TableGame) -> None:
    agree(game, Expected(), enumerate_policies(game, Expected(), 10**5), None, "retry", "policy")


@EXAMPLES
@given(cyclic_games())
def test_cycles_counting_rolls(game: TableGame) -> None:
    agree(game, Fewest(), enumerate_policies(game, Fewest()), None, "policy")


@EXAMPLES
@given(cyclic_games().map(repeatable))
def test_cycles_with_repeats_suit_label_setting(game: TableGame) -> None:
    agree(game, Fewest(), enumerate_policies(game, Fewest(), 10**6), None, "shortest", "policy")


@EXAMPLES
@given(cyclic_games(gain=2))
def test_cycles_with_prices(game: TableGame) -> None:
    truth = enumerate_policies(game, Expected())
    if truth is None:
        for exact in (False, True):
            with pytest.raises(GameError, match=r"never ends|surely ends"):
                solve(game, Expected(), exact=exact)
    else:
        agree(game, Expected(), truth, None, "policy")


@EXAMPLES
@given(cyclic_games())
def test_free_cycles(game: TableGame) -> None:
    truth = enumerate_policies(game, Expected())
    if truth is None:
        with pytest.raises(GameError, match=r"never ends|surely ends"):
            solve(game, Expected())
    else:
        agree(game, Expected(), truth, None, "policy")


def waiting(first: str) -> TableGame:
    """Wait for free, or toss a coin for one point."""
    options = [("p0", 0), ("coin", 0)]
    return TableGame({0: options if first == "wait" else options[::-1]}, {"p0": {0: 1}, "coin": {100: 1, 101: 1}}, {100: 1}, {})


@pytest.mark.parametrize("first", ["wait", "toss"])
@pytest.mark.parametrize("engine", [None, "retry", "policy"])
@pytest.mark.parametrize("objective", [Expected(), AtLeast(1)])
def test_waiting_is_not_winning(first: str, engine: Engine | None, objective: Objective) -> None:
    """A value of 1 satisfies the optimality equation of `waiting`, but the truth is 1/2 and the policy must toss."""
    toss = 1 if first == "wait" else 0
    exact = solve(waiting(first), objective, exact=True, engine=engine)
    assert (exact.value(), exact.best(0)) == (Fraction(1, 2), toss)
    number = solve(waiting(first), objective, engine=engine)
    assert (number.value(), number.best(0)) == (0.5, toss)


def test_waiting_round_a_longer_loop() -> None:
    game = TableGame(
        {0: [("p1", 0), ("coin", 0)], 1: [("p0", 0)], 2: [("p0", 0), ("p1", 0)]},
        {"p0": {0: 1, 2: 1}, "p1": {1: 1, 2: 1}, "coin": {100: 1, 101: 2}},
        {100: 1},
        {},
    )
    agree(game, Expected(), Fraction(1, 3), None, "policy")


NO_REPEAT = TableGame({0: [("far", 0)], 1: [("p0", 0)]}, {"p0": {100: 1, 0: 1}, "far": {1: 1}}, {}, {"p0": 1, "far": 4})
"""After a miss the roll cannot be repeated at once; careless label setting says 2."""


def test_a_cycle_without_a_repeat_option() -> None:
    solution = agree(NO_REPEAT, Fewest(), Fraction(6), None, "policy")
    assert "policy" in solution.engine
    for exact in (False, True):
        with pytest.raises(EngineError, match="engine 'shortest' cannot .* use engine='policy'"):
            solve(NO_REPEAT, Fewest(), engine="shortest", exact=exact)


def test_label_setting_out_of_order_is_refused() -> None:
    """An outcome that cannot repeat and costs more than the roll that leads to it breaks the increasing order."""
    game = TableGame(
        {0: [("long", 0)], 1: [("p0", 0), ("p1", 0)], 2: [("p1", 0)]},
        {"p0": {100: 3, 0: 1, 1: 1}, "long": {100: 1}, "p1": {2: 1, 1: 1, 100: 1}},
        {},
        {"long": 90},
    )
    agree(game, Fewest(), enumerate_policies(game, Fewest()), None, "policy")
    with pytest.raises(EngineError, match="use engine='policy'"):
        solve(game, Fewest(), engine="shortest")


UNREACHABLE = TableGame({0: [("p0", 0)]}, {"p0": {0: 1}}, {}, {})


def test_a_goal_that_cannot_be_reached() -> None:
    solution = solve(UNREACHABLE, Fewest())
    assert isinf(solution.value())
    assert list(solution.policy()) == []
    with pytest.raises(PositionError, match="no strategy surely ends"):
        solution.best(0)
    with pytest.raises(GameError, match="never ends"):
        solve(UNREACHABLE, Expected())


def test_a_goal_that_may_be_missed_for_ever() -> None:
    game = TableGame({0: [("p1", 0)]}, {"p0": {100: 1, 0: 1}, "p1": {0: 1}}, {}, {})
    assert isinf(solve(game, Fewest()).value())
    with pytest.raises(GameError, match="no strategy surely ends"):
        solve(game, Expected())


@pytest.mark.parametrize("exact", [False, True])
def test_an_unbounded_total_is_an_error(exact: bool) -> None:
    retry = TableGame({0: [("p0", 1), ("p1", 0)]}, {"p0": {0: 1}, "p1": {100: 1}}, {}, {})
    longer = TableGame({0: [("p1", 1), ("p2", 0)], 1: [("p0", 0)]}, {"p0": {0: 1}, "p1": {1: 1}, "p2": {100: 1}}, {}, {})
    for game in (retry, longer):
        with pytest.raises(GameError, match="unbounded.*at pending p"):
            solve(game, Expected(), exact=exact)


def test_forced_engines_name_the_one_to_use() -> None:
    with pytest.raises(EngineError, match="use engine='retry'"):
        solve(waiting("wait"), Expected(), engine="induction")
    with pytest.raises(EngineError, match="use engine='shortest'"):
        solve(NO_REPEAT, Fewest(), engine="retry")
    with pytest.raises(EngineError, match="positive cost .* use engine='policy'"):
        solve(waiting("wait"), Expected(), engine="shortest")
    with pytest.raises(GameError, match="unknown engine 'polcy': did you mean 'policy'"):
        solve(NO_REPEAT, Fewest(), engine="polcy")


def test_gains_that_cancel_round_a_loop() -> None:
    """A tied loop of +1 and -1: floats cannot certify it and say so; exact mode can."""
    game = TableGame({0: [("p1", 1), ("end", 0)], 1: [("p0", -1)]}, {"p0": {0: 1}, "p1": {1: 1}, "end": {100: 1}}, {100: 2}, {})
    assert solve(game, Expected(), exact=True).value() == 2
    with pytest.raises(EngineError, match="use exact=True"):
        solve(game, Expected())


@pytest.mark.parametrize("rare", [10**5, 10**7, 10**9])
def test_rounding_is_not_taken_for_an_unbounded_total(rare: int) -> None:
    """Nothing is gained anywhere, so the value is the payoff, however rarely the loops are left."""
    game = TableGame(
        {0: [("p0", 0)], 1: [("p0", 0), ("p1", 0)], 2: [("p2", 0)]},
        {"p0": {0: rare, 1: 1}, "p1": {1: rare, 2: 1}, "p2": {100: 1}},
        {100: 1},
        {},
    )
    assert solve(game, Expected(), exact=True).value() == 1
    try:
        number = solve(game, Expected())
    except EngineError as error:
        assert "use exact=True" in str(error)  # noqa: PT017
    else:
        assert abs(float(number.value()) - 1) <= number.certificate.error_bound


@pytest.mark.parametrize("objective", [Expected(), Fewest()])
def test_a_nearly_singular_loop(objective: Objective) -> None:
    game = TableGame({0: [("p1", 0)], 1: [("p0", 0)]}, {"p0": {0: 1}, "p1": {1: 2**60, 100: 1}}, {100: 3}, {})
    value = solve(game, objective, exact=True).value()
    assert value == (3 if isinstance(objective, Expected) else 2 * (2**60 + 1))
    try:
        number = solve(game, objective)
    except EngineError as error:
        assert "use exact=True" in str(error)  # noqa: PT017
    else:
        assert gap(number.value(), value) <= number.certificate.error_bound


@EXAMPLES
@given(st.one_of(layered_games(), retry_games(), for_two(layered_games()), for_two(ending_games())), st.booleans())
def test_the_lowest_total_is_the_highest_of_points_turned(game: TableGame, exact: bool) -> None:
    turned = replace(mirrored(game), movers=game.movers)
    try:
        highest = solve(turned, Expected(), exact=exact)
    except (GameError, EngineError) as error:
        with pytest.raises(type(error)):
            solve(game, Lowest(), exact=exact)
        return
    lowest = solve(game, Lowest(), exact=exact)
    assert lowest.value() == 0 - highest.value()
    assert [row.action for row in lowest.policy()] == [row.action for row in highest.policy()]
