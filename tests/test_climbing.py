"""The form of Can't Stop: against the general engine everywhere, its counts, its distribution, its files and its refusals."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import GameError, PositionError, Solution, advise, distribution, plan, solve
from rollwise import cache as kept
from rollwise.games.cant_stop import CantStop, Climb
from rollwise.solvers.climbing.arrays import board_of, count_board
from rollwise.solvers.climbing.plan import ClimbPlan
from rollwise.solvers.climbing.solution import ClimbSolution
from tests.reference import gap

BOARDS = (
    CantStop(2, 2), CantStop(2, 3, markers=1), CantStop(2, 1, markers=2, columns_to_win=2), CantStop(3, 1, columns_to_win=1),
)  # fmt: skip
boards = pytest.mark.parametrize("game", BOARDS, ids=lambda game: f"{game.lengths} {game.markers} {game.columns_to_win}")


def compact(game: CantStop, **options: Any) -> ClimbSolution:
    found = solve(game, **options)
    assert isinstance(found, ClimbSolution)
    return found


def general(game: CantStop) -> Solution:
    return solve(game, engine="policy")


@boards
def test_every_position_against_the_general_engine(game: CantStop) -> None:
    quick, slow = compact(game), general(game)
    bound = quick.certificate.error_bound + slow.certificate.error_bound
    assert bound < 1e-10
    explored: Any = slow
    for state in explored.explored.states:
        assert gap(quick.value(state), slow.value(state)) <= bound
        losses = {move.action: move.loss for move in slow.ranked(state)}
        assert all(gap(move.loss, losses[move.action]) <= 2 * bound for move in quick.ranked(state))
    for pending in explored.explored.pendings:
        assert gap(quick.value(pending, kind="pending"), slow.value(pending, kind="pending")) <= bound


@boards
def test_turns_spread_as_on_the_graph(game: CantStop) -> None:
    quick, slow = distribution(compact(game)), distribution(general(game))
    size = min(len(quick.chance), len(slow.chance))
    assert quick.lowest == slow.lowest
    assert np.abs(quick.chance[:size] - slow.chance[:size]).max() < 1e-9
    assert quick.mean == pytest.approx(compact(game).value(), abs=1e-9)


@boards
def test_outlooks_of_a_turn_that_has_begun(game: CantStop) -> None:
    """What is followed without exploring the game is the same as on its graph; the turn that has begun is not counted."""
    state = next(iter(game.roll(game.start())))
    for quick, slow in zip(*(advise(solved(game), state, outlook=True).moves for solved in (compact, general)), strict=True):
        assert quick.outlook is not None
        assert slow.outlook is not None
        size = min(len(quick.outlook.chance), len(slow.outlook.chance))
        assert (quick.action, quick.outlook.lowest) == (slow.action, slow.outlook.lowest)
        assert np.abs(quick.outlook.chance[:size] - slow.outlook.chance[:size]).max() < 1e-9
        assert quick.outlook.mean == pytest.approx(quick.value, abs=1e-9)


@boards
def test_counts(game: CantStop) -> None:
    starts = [saved for saved in product(*(range(length + 1) for length in game.lengths)) if not game.is_won(saved)]
    positions = sum(1 for saved in starts for _ in compact(game)._positions(saved))
    assert count_board(board_of(game)) == (len(starts), positions)
    assert compact(game).states == len(starts)


def test_the_board_of_the_box_is_planned() -> None:
    game = CantStop(sides=6, shortest=3)
    assert game.lengths == (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
    found = plan(game)
    assert isinstance(found, ClimbPlan)
    assert found.states == 6_066_786_123
    assert found.value_bytes == 8 * found.states
    assert found.positions == 49_229_984_057_238
    with pytest.raises(GameError, match="use fewer sides or shorter columns"):
        solve(game)


def test_threads_change_nothing_and_mirror_images_are_worth_the_same() -> None:
    one, two = (compact(CantStop(3, 2), threads=threads).array for threads in (1, 2))
    assert one.tobytes() == two.tobytes()
    board = board_of(CantStop(3, 2))
    codes = np.arange(board.size)
    assert np.array_equal(one[codes], one[board.mirrored(codes)])


def test_more_steps_never_cost_a_turn() -> None:
    """A better start is not always worth less, as a finished column is closed; but it never costs a whole turn."""
    game = CantStop(3, 2)
    board, value = board_of(game), compact(game).array
    for stride, length in zip(board.stride, board.length, strict=True):
        codes = np.arange(board.size)
        codes = codes[codes // stride % (length + 1) < length]
        assert (value[codes + stride] < value[codes] + 1).all()


def test_stored_and_loaded(tmp_path: Path) -> None:
    game = CantStop(2, 2)
    first = kept.solve(game, directory=tmp_path)
    kept.save(first, directory=tmp_path)
    again = kept.load(game, directory=tmp_path)
    assert isinstance(again, ClimbSolution)
    assert again.array.tobytes() == compact(game).array.tobytes()
    state = game.read_state("0/0/0 1/0/1 1122")
    assert again.ranked(state) == compact(game).ranked(state)
    read_as_needed = kept.solve(game, directory=tmp_path, whole=False)
    for move in advise(read_as_needed, state, outlook=True).moves:
        assert move.outlook
        assert move.outlook.mean == pytest.approx(move.value), "ends are recognised"


@pytest.mark.parametrize(
    "position",
    [
        Climb((0, 0), (0, 0)),
        Climb((0, 0, 0), (3, 0, 0)),
        Climb((1, 0, 0), (0, 0, 0)),
        Climb((0, 0, 0), (0, 0, 0), (1, 1, 1, 3)),
        Climb((2, 4, 2), (2, 4, 2), (1, 1, 1, 1)),
    ],
)
def test_positions_that_do_not_occur(position: Any) -> None:
    with pytest.raises(PositionError):
        compact(CantStop(2, 2)).value(position)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("0/0/0 1122", "expected SAVED-STEPS"),
        ("0/0 0/0 1122", "expected 3 numbers"),
        ("0/0/0 3/0/0 1122", "above a column"),
        ("0/0/0 0/1/0 1123", "expected 4 faces from 1 to 2"),
        ("0/0/0 0/1/0 112", "expected 4 faces"),
        ("2/4/2 0/0/0 1122", "is won"),
        ("0/0/0 2/4/2 -", "is won"),
    ],
)
def test_texts_that_are_no_positions(text: str, match: str) -> None:
    with pytest.raises(PositionError, match=match):
        CantStop(2, 2).read_state(text)
    with pytest.raises(PositionError, match="more columns in a turn"):
        CantStop(2, 2, markers=1).read_state("0/0/0 1/1/0 1122")
