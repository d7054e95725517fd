"""The compiled way through a graph agrees with the others, and its bounds hold."""

from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest

import rollwise
from bench.games import ShutTheBox
from rollwise.errors import EngineError, RollwiseError
from rollwise.games import load
from rollwise.games.groups import GroupingGame
from rollwise.games.words import RerollGame
from rollwise.model.game import Game
from rollwise.solvers.graph import compilers, run
from rollwise.solvers.graph.arrays import Graph, rows_of
from rollwise.solvers.graph.certify import certify
from rollwise.solvers.graph.explore import explore
from rollwise.solvers.graph.kernels.check import measure, policy_ends
from rollwise.solvers.graph.kernels.sweep import ALONE
from rollwise.solvers.graph.retry import Unbounded
from rollwise.solvers.graph.two_players import Endless
from tests.big_graphs import grid, two_dice_pig
from tests.column_games import FarkleTurn, Threes
from tests.random_graphs import random_graph

SAMPLE = range(240)
MANY = range(1000, 7000)


def tried(graph: Graph, **how: Any) -> tuple[run.Result | None, RollwiseError | None]:
    try:
        return run.run(graph, **how), None
    except RollwiseError as error:
        return None, error


def fixed(graph: Graph, choice: Any, player: int | None) -> Graph:
    """The graph in which a player, or both, do as chosen."""
    keep = np.ones(len(graph.action_pending), dtype=bool)
    for state in np.flatnonzero(choice >= 0).tolist():
        if player is None or graph.state_mover[state] == player:
            low = int(graph.action_start[state])
            keep[low : int(graph.action_start[state + 1])] = False
            keep[low + int(choice[state])] = True
    kept = np.concatenate([[0], np.cumsum(keep)])
    return replace(
        graph,
        action_start=kept[graph.action_start],
        action_pending=graph.action_pending[keep],
        action_gain=graph.action_gain[keep],
    )


def within(exact: list[Any], value: Any, up: Any, down: Any) -> bool:
    """Whether values are within their bounds of the truth, in fractions; None: this side does not matter."""
    rows = zip(
        exact, value.tolist(), (value if up is None else up).tolist(), (value if down is None else down).tolist(), strict=True
    )
    return all(
        truth == found
        if inf in {abs(truth), abs(found)}
        else (down is None or truth >= Fraction(found) - Fraction(b)) and (up is None or truth <= Fraction(found) + Fraction(a))
        for truth, found, a, b in rows
    )


def check_bounds(graph: Graph) -> None:
    """Solve by sweeps and in fractions: the same values within bounds that the chosen strategies keep, or a refusal by both."""
    exact, refused = tried(graph, exact=True)
    swept, refused_too = tried(graph, engine="sweep")
    if exact and isinstance(refused_too, EngineError):
        assert isinstance(tried(graph)[1], EngineError), "gains that cancel round a loop are beyond floats by levels, too"
        return
    if exact is None or swept is None:
        assert isinstance(refused, Unbounded | Endless)
        assert isinstance(refused_too, Unbounded | Endless)
        return
    values = swept.values
    assert certify(graph, swept).ends
    assert within(exact.state_exact or [], values.state, values.state_up, values.state_down)
    assert within(exact.pending_exact or [], values.pending, values.pending_up, values.pending_down)
    if graph.two_players:
        first, second = (run.run(fixed(graph, values.choice, player), exact=True) for player in (0, 1))
        assert within(first.pending_exact or [], values.pending, None, values.pending_down)
        assert within(second.pending_exact or [], values.pending, values.pending_up, None)
    else:
        attained = run.run(fixed(graph, values.choice, None), exact=True)
        assert within(attained.state_exact or [], values.state, None, values.state_down)


@pytest.mark.parametrize("begin", SAMPLE[::40])
def test_bounds_hold_against_fractions(begin: int) -> None:
    for seed in SAMPLE[begin : begin + 40]:
        check_bounds(random_graph(seed))


@pytest.mark.audit
@pytest.mark.parametrize("begin", MANY[::500])
def test_bounds_hold_against_fractions_on_thousands(begin: int) -> None:
    for seed in range(begin, begin + 500):
        check_bounds(random_graph(seed))


def test_most_random_graphs_are_left_to_nobody_else() -> None:
    found = [tried(random_graph(seed), engine="sweep")[0] for seed in SAMPLE]
    alone = [result.engines == ("sweep",) for result in found if result]
    assert np.mean(alone) > 0.95


@pytest.mark.parametrize(
    "game",
    [
        load("slots"), load("pig", target=15), GroupingGame(6, [3, 2]), RerollGame(["ABC", "ABD", "BCD"], ["ABC", "BAD"]),
        Threes(), FarkleTurn(100), ShutTheBox(9),
    ],
    ids=lambda game: type(game).__name__,
)  # fmt: skip
def test_games_come_out_as_by_levels(game: Game[Any, Any, Any]) -> None:
    graph = explore(game).graph
    by_levels, swept = run.run(graph), run.run(graph, engine="sweep")
    proof = certify(graph, swept)
    assert swept.engines == ("sweep",)
    assert np.allclose(by_levels.values.state, swept.values.state, rtol=1e-9, atol=2 * proof.error_bound + 1e-12)
    assert np.mean(by_levels.values.choice == swept.values.choice) == 1


def test_large_graphs_are_swept_and_small_ones_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph between the two is swept only if that was compiled before, or if nothing else solves it."""
    small, large = two_dice_pig(8), two_dice_pig(32)
    monkeypatch.setattr(compilers, "is_compiled", lambda _: True)
    assert not compilers.is_large(small)
    assert compilers.is_large(large)
    monkeypatch.setattr(compilers, "is_compiled", lambda _: False)
    assert not compilers.is_large(large)
    monkeypatch.setattr(compilers, "WORTH", 200_000)
    assert compilers.is_large(large)
    monkeypatch.setattr(compilers, "is_large", lambda _: False)
    monkeypatch.setattr(run, "is_large", lambda _: False)
    monkeypatch.setattr(run, "LARGEST_CYCLE", 1000)
    result = run.run(large)
    assert result.engines == ("sweep",)
    proof = certify(large, result)
    assert proof.ends
    assert proof.error_bound < 1e-11
    by_levels = run.run(small)
    assert "sweep" not in by_levels.engines
    assert run.run(small, engine="sweep").values.pending[0] == pytest.approx(by_levels.values.pending[0], abs=1e-12)


def test_both_ways_to_check_measure_the_same() -> None:
    for seed in (*range(12), 1000):
        graph = random_graph(seed)
        result, _ = tried(graph, engine="sweep")
        if result is None:
            continue
        proof, values = certify(graph, result), result.values
        residual, shortfall, _ = measure(rows_of(graph.maximising()), values.state, values.pending, values.choice)
        assert residual == pytest.approx(proof.residual, abs=1e-13)
        assert shortfall == pytest.approx(proof.shortfall, abs=1e-13)
        assert policy_ends(rows_of(graph), values.state, values.pending, values.choice)


def test_a_choice_that_goes_round_for_ever_is_found() -> None:
    graph = grid(40, wait=True)
    result = run.run(graph, engine="sweep")
    values = result.values
    rows = rows_of(graph)
    assert policy_ends(rows, values.state, values.pending, values.choice)
    waits = np.where(values.choice >= 0, 0, values.choice).astype(values.choice.dtype)
    assert not policy_ends(rows, values.state, values.pending, waits)


@pytest.mark.parametrize("wide", [np.int32, np.int64])
def test_integers_of_any_length_give_the_same_bits(wide: Any) -> None:
    graph = two_dice_pig(9)
    numbers = {name: array.astype(wide) for name, array in vars(graph).items() if getattr(array, "dtype", None) == np.int32}
    other = replace(graph, **numbers)
    assert np.array_equal(run.run(graph, engine="sweep").values.pending, run.run(other, engine="sweep").values.pending)
    assert np.array_equal(run.run(graph).values.pending, run.run(other).values.pending)


@pytest.mark.audit
def test_weights_that_need_64_bits() -> None:
    graph = two_dice_pig(8)
    heavy = replace(graph, outcome_weight=graph.outcome_weight.astype(np.int64) * 2**40)
    assert np.allclose(run.run(graph, engine="sweep").values.pending, run.run(heavy, engine="sweep").values.pending, atol=1e-12)


def test_a_large_cycle_with_waiting_is_proved() -> None:
    """Wait for nothing anywhere, as long as one likes: one free loop through everything."""
    graph = grid(190, wait=True)
    result = run.run(graph)
    assert result.engines == ("sweep",)
    assert certify(graph, result).error_bound < 1e-9
    assert np.all(np.isfinite(result.values.state))


@pytest.mark.full
def test_a_large_cycle_that_pays_is_refused() -> None:
    with pytest.raises(Unbounded):
        run.run(grid(190, gain=1, wait=True))


def test_a_large_game_for_two_that_may_never_end_is_refused() -> None:
    with pytest.raises(Endless, match="go round for ever"):
        run.run(grid(190, wait=True, two=True))


def test_sweeps_are_asked_for_by_name() -> None:
    solution = rollwise.solve(load("slots"), engine="sweep")
    assert solution.engine == "sweep"
    assert solution.value() == pytest.approx(13817 / 46656, abs=1e-14)
    with pytest.raises(EngineError, match="floats"):
        rollwise.solve(load("slots"), engine="sweep", exact=True)


def test_without_a_compiler_large_graphs_go_by_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "LARGE", 1000)
    monkeypatch.setattr(compilers, "can_compile", lambda: False)
    monkeypatch.setattr(run, "can_compile", lambda: False)
    graph = two_dice_pig(8)
    result = run.run(graph)
    assert "sweep" not in result.engines
    assert certify(graph, result).ends
    with pytest.raises(EngineError, match="needs a compiler"):
        run.run(graph, engine="sweep")


def test_the_largest_cycle_for_policy_iteration_is_known_to_the_sweeps() -> None:
    assert ALONE == run.LARGEST_CYCLE


def test_progress_is_told_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    from rollwise.solvers.graph import sweeping  # noqa: PLC0415

    monkeypatch.setattr(sweeping, "SLICE", 1000)
    graph = two_dice_pig(8)
    told: list[int] = []
    result = run.run(graph, engine="sweep", tick=told.append)
    assert len(told) > 20
    assert told == sorted(told)
    assert told[-1] == graph.n_states + graph.n_pendings
    monkeypatch.undo()
    assert np.array_equal(result.values.pending, run.run(graph, engine="sweep").values.pending)
