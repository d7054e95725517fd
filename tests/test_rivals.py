"""Games for two: every engine, float and exact, on random games, against the reference; and what a solution is used for."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import AtLeast, Expected, GameError, RollwiseError, Solution, distribution, evaluate, simulate, solve
from rollwise.errors import EngineError
from rollwise.games import load
from rollwise.model.objective import Objective
from rollwise.policies import Optimal, RandomPolicy
from rollwise.solvers.graph.values import Engine
from tests.examples import examples
from tests.reference import enumerate_pairs, gap, recursion
from tests.reference import evaluate as follow
from tests.strategies import TableGame, cyclic_games, ending_games, for_two, layered_games, mirrored, retry_games

EXAMPLES = examples(60)


def agree(game: TableGame, objective: Objective, truth: Fraction, *engines: Engine | None) -> None:
    """All engines give the truth: exactly in exact mode, within the stated bound in floats; both strategies secure it."""
    for engine in engines:
        exact = solve(game, objective, exact=True, engine=engine)
        assert exact.value() == truth
        assert exact.certificate.residual == exact.certificate.shortfall == 0
        number = solve(game, objective, engine=engine)
        assert gap(number.value(), truth) <= number.certificate.error_bound < 1e-6
        if isinstance(objective, Expected):
            for solution in (exact, number):
                secured = [enumerate_pairs(bound_to(game, solution, player)) for player in (0, 1)]
                assert all(value is not None and gap(value, truth) <= solution.certificate.error_bound for value in secured)


def bound_to(game: TableGame, solution: Solution, player: int) -> TableGame:
    """The game in which one player can only follow the solution."""
    chosen = {row.state: row.action for row in solution.policy()}
    moves = {
        state: [options[chosen.get(state, 0)]] if game.mover(state) == player else options
        for state, options in game.moves.items()
    }
    return replace(game, moves=moves)


@EXAMPLES
@given(for_two(layered_games()))
def test_layers(game: TableGame) -> None:
    agree(game, Expected(), recursion(game, Expected()), None, "induction", "policy")


@EXAMPLES
@given(for_two(layered_games()), st.integers(-5, 15))
def test_thresholds(game: TableGame, target: int) -> None:
    agree(game, AtLeast(target), recursion(game, AtLeast(target)), None, "induction")


@examples(300)
@given(for_two(ending_games()))
def test_cycles(game: TableGame) -> None:
    truth = enumerate_pairs(game)
    if truth is not None:
        agree(game, Expected(), truth, None, "policy")
        return
    for exact in (False, True):
        try:
            solution = solve(game, Expected(), exact=exact)
        except RollwiseError as error:
            assert any(word in str(error) for word in ("surely end", "unbounded", "use exact=True", "never ends"))  # noqa: PT017
        else:
            choice = {row.state: row.action for row in solution.policy()}
            attained = follow(game, Expected(), {s: choice.get(s, 0) for s in game.moves})
            assert attained is not None
            assert gap(attained, solution.value()) <= solution.certificate.error_bound


@EXAMPLES
@given(st.one_of(for_two(layered_games()), retry_games(), retry_games(free=True), cyclic_games(gain=2), for_two(ending_games())))
def test_changing_sides_changes_the_sign(game: TableGame) -> None:
    """A game for one becomes one for player 1 alone."""
    try:
        values = [solve(game, Expected(), exact=exact) for exact in (True, False)]
        others = [solve(mirrored(game), Expected(), exact=exact) for exact in (True, False)]
    except RollwiseError:
        return
    assert values[0].value() == -others[0].value()
    assert gap(values[1].value(), -others[1].value()) <= values[1].certificate.error_bound + others[1].certificate.error_bound
    assert {r.state: r.action for r in values[0].policy()} == {r.state: r.action for r in others[0].policy()}


@pytest.mark.parametrize("engine", [None, "policy"])
def test_waiting_for_player_1(engine: Engine | None) -> None:
    """A cycle in which one player chooses is his to leave, as in a game for one."""
    game = TableGame({0: [("p0", 0), ("coin", 0)]}, {"p0": {0: 1}, "coin": {100: 1, 101: 1}}, {100: 1}, {}, {0: 1})
    exact = solve(game, exact=True, engine=engine)
    assert (exact.value(), exact.best(0)) == (Fraction(1, 2), 1)
    assert (solve(game, engine=engine).value(), solve(game, engine=engine).best(0)) == (0.5, 1)


PASSING = TableGame(
    {0: [("p1", 0), ("coin", 0)], 1: [("p0", 0), ("coin", 0)]},
    {"p0": {0: 1}, "p1": {1: 1}, "coin": {100: 1, 101: 1}},
    {100: 1},
    {},
    {1: 1},
)
"""Both players may pass, or toss a coin."""


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("engine", [None, "policy"])
def test_a_cycle_that_both_can_go_round_for_ever_is_refused(exact: bool, engine: Engine | None) -> None:
    with pytest.raises(GameError, match="must surely end, but the players can go round for ever at pending p"):
        solve(PASSING, exact=exact, engine=engine)


@pytest.mark.parametrize("exact", [False, True])
def test_a_place_without_a_way_out_is_refused(exact: bool) -> None:
    retry = TableGame({0: [("p1", 0), ("end", 0)], 1: [("p1", 0)]}, {"p0": {0: 1}, "p1": {1: 1}, "end": {100: 1}}, {}, {}, {0: 1})
    longer = replace(retry, moves={**retry.moves, 1: [("p2", 0)]}, rolls={**retry.rolls, "p2": {1: 1}})
    for game in (retry, longer):
        with pytest.raises(GameError, match="some player cannot bring it to an end at pending p"):
            solve(game, exact=exact)


@pytest.mark.parametrize("rare", [10**3, 10**7, 10**9])
def test_loops_that_are_left_rarely(rare: int) -> None:
    game = replace(PASSING, rolls={**PASSING.rolls, "p0": {0: rare, 101: 1}, "p1": {1: rare, 100: 1}})
    truth = enumerate_pairs(game)
    assert truth is not None
    assert solve(game, exact=True).value() == truth
    try:
        number = solve(game)
    except EngineError as error:
        assert "use exact=True" in str(error)  # noqa: PT017
    else:
        assert gap(number.value(), truth) <= number.certificate.error_bound


def test_both_following_the_solution_get_the_value() -> None:
    game = load("pig", target=12, faces=3)
    solution = solve(game, exact=True)
    assert evaluate(game, Optimal(solution), exact=True).value == solution.value()
    number = solve(game)
    assert evaluate(game, Optimal(number)).value == pytest.approx(number.value(), abs=1e-12)
    assert evaluate(game, RandomPolicy()).value < 1
    assert distribution(number).at_least(1) == pytest.approx(number.value(), abs=1e-9)
    assert abs(simulate(number, 20_000, seed=3).z_score) < 4
