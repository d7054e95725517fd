"""Boards with captures: the compiled moves are those of the rules, numbers are those of positions, values are proved."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from rollwise import Game, solve
from rollwise.errors import EngineError
from rollwise.games import load
from rollwise.solvers.boards import recursion
from rollwise.solvers.boards.moves import number, play
from rollwise.solvers.boards.solution import BoardSolution, HypergammonSolution, UrSolution
from rollwise.solvers.boards.tables import Board, hypergammon_board, ur_board

VARIANTS = ("finkel", "blitz", "masters", "aseb")
TINY: list[tuple[str, dict[str, Any]]] = [
    *(("ur", {"pieces": 1, "variant": variant}) for variant in VARIANTS), ("hypergammon", {"checkers": 1}),
]  # fmt: skip
LARGE: list[tuple[str, dict[str, Any]]] = [
    *(("ur", {"pieces": 7 if variant == "finkel" else 3, "variant": variant}) for variant in VARIANTS),
    ("hypergammon", {"checkers": 3}),
]  # fmt: skip


def named(case: Any) -> str:
    return "-".join(map(str, case.values())) if isinstance(case, dict) else str(case)


def blank(game: Game[Any, Any, Any]) -> Any:
    """Give a solution without values: it knows how positions are numbered."""
    kind: Any = {"RoyalUr": UrSolution, "Hypergammon": HypergammonSolution}[type(game).__name__]
    return kind(game, game.objective, None, "", 0.0, 0, 0, layers=())


def random_positions(solution: Any, count: int, seed: int) -> Iterator[tuple[Any, int]]:
    """Give pending rolls with random sides, each with the place of a random roll among all rolls."""
    board, random = solution.board, Random(seed)
    pieces = board.tables.pieces
    while count:
        left, other_left = random.randint(1, pieces), random.randint(1, pieces)
        own, other = (int(random.choice(board.sides[number])) for number in (left, other_left))
        if not board.bits[own] & board.blocked[other]:
            count -= 1
            yield (
                solution._position(own, other, left, other_left, random.randint(0, 1)),
                random.randrange(len(board.tables.chance)),
            )


@pytest.mark.parametrize(("name", "parameters"), LARGE, ids=named)
def test_compiled_moves_are_those_of_the_rules(name: str, parameters: dict[str, Any]) -> None:
    game = load(name, **parameters)
    solution = blank(game)
    tables = solution.board.tables
    for pending, roll in random_positions(solution, 60, seed=3):
        own, other, left, _ = solution._sides(pending)
        found: dict[int, set[tuple[Any, ...]]] = {0: set()}
        for k in range(np.count_nonzero(tables.top[roll])):
            rank, mine, theirs, mine_left, again = play(tables, own, other, left, roll, k)
            assert rank <= tables.top[roll, k]
            found.setdefault(rank, set()).add((mine, theirs, mine_left, bool(again)))
        rolled = [state for state in game.roll(pending) if dice_of(state) == (tables.first[roll], tables.second[roll])]
        moves = {after(solution, rolled[0], action) for action in game.actions(rolled[0]) if action != "pass"}
        assert (found[max(found)] if max(found) else set()) == moves, game.show_state(rolled[0])


def dice_of(state: Any) -> tuple[int, int]:
    """Give the dice as kernels have them: two, or a roll and 0."""
    return state.dice if hasattr(state, "dice") else (state.roll, 0)


def after(solution: Any, state: Any, action: str) -> tuple[Any, ...]:
    """Give what an action leads to as kernels have it."""
    mover, pending = solution.game.mover(state), solution.game.play(state, action)
    again = solution.game.mover(pending) == mover and not solution.game.is_over(pending)
    mine, theirs, mine_left, _ = solution._sides(pending._replace(mover=mover))
    return mine, theirs, mine_left, again


@pytest.mark.parametrize(
    "board", [*(ur_board(2, variant) for variant in VARIANTS), hypergammon_board(2)], ids=[*VARIANTS, "hypergammon"]
)
def test_numbers_are_those_of_positions(board: Board) -> None:
    seen = np.zeros(board.layers.numbers, dtype=np.int64)
    for left, other_left in product(range(1, 3), repeat=2):
        low, high = board.layers.spans[board.layers.layer(left, other_left)]
        for own, other in product(board.sides[left].tolist(), board.sides[other_left].tolist()):
            if not board.bits[own] & board.blocked[other]:
                place = number.py_func(board.tables, own, other, left, other_left)
                assert low <= place < high
                seen[place] += 1
    assert seen.max() == 1
    if board.tables.squares:
        assert len(seen) - seen.sum() == len(board.layers.spans), "only the bounds are no positions"


@pytest.mark.parametrize(("name", "parameters"), TINY, ids=named)
def test_values_are_those_of_the_graph(name: str, parameters: dict[str, Any]) -> None:
    game = load(name, **parameters)
    compact, general = solve(game), solve(game, engine="sweep")
    assert isinstance(compact, BoardSolution)
    assert general.solver_name == "graph"
    bound = compact.certificate.error_bound + general.certificate.error_bound
    for state in general._states():
        assert abs(float(compact.value(state)) - float(general.value(state))) <= bound
        assert compact.best(state) == general.best(state) or float(compact.ranked(state)[1].loss) <= 1e-8


@pytest.mark.parametrize(("name", "parameters"), [TINY[0], TINY[1]], ids=named)
def test_exact_values_lie_within_the_bound(name: str, parameters: dict[str, Any]) -> None:
    game = load(name, **parameters)
    compact, exact = solve(game), solve(game, exact=True)
    worst = max(abs(Fraction(exact.value(state)) - Fraction(compact.value(state))) for state in exact._states())
    assert worst <= compact.certificate.error_bound


def test_a_rough_solution_has_a_bound_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof does not trust the sweeps: stopped early, they leave an error, and the bound covers it."""
    for name, parameters in (("ur", {"pieces": 2}), ("hypergammon", {"checkers": 1})):
        game = load(name, **parameters)
        precise: Any = solve(game)
        with monkeypatch.context() as patch:
            patch.setattr(recursion, "CLOSE", 1e-3)
            patch.setattr(recursion, "NEAR", 1e-1)
            rough: Any = solve(game)
        for layer in range(1, len(precise.layers)):
            exact, found = precise.layers[layer][:-1], rough.layers[layer]
            used = exact != precise.board.tables.total / 2
            error = np.abs(exact - found[:-1])[used].max()
            assert 1e-8 < error <= found[-1] + precise.layers[layer][-1]


def test_threads_do_not_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, parameters in (("ur", {"pieces": 2, "variant": "blitz"}), ("hypergammon", {"checkers": 1})):
        game = load(name, **parameters)
        one: Any = solve(game, threads=1)
        with monkeypatch.context() as patch:
            patch.setattr(recursion, "PIECE", 3)
            three: Any = solve(game, threads=3)
        assert all((a == b).all() for a, b in zip(one.layers, three.layers, strict=True))


def test_a_board_that_may_never_end_is_refused() -> None:
    board = ur_board(1, "finkel")
    stuck = board.tables._replace(top=np.zeros_like(board.tables.top))
    endless = recursion.BoardRecursion("a board", "", Board(**{**vars(board), "tables": stuck}), map, 1, lambda _: None)
    with pytest.raises(EngineError, match="never end"):
        endless.fill(1, None)


def test_a_solve_that_was_stopped_is_resumed(tmp_path: Path) -> None:
    game, done = load("ur", pieces=3), []

    def stop(_: str, part: int, total: int | None) -> None:
        done.append(part)
        if total and part > total / 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(game, checkpoint=tmp_path, progress=stop)
    began = list[int]()
    resumed: Any = solve(game, checkpoint=tmp_path, progress=lambda _, part, total: began.append(part))
    assert began[0] > 0
    whole: Any = solve(game)
    assert resumed.certificate.error_bound == whole.certificate.error_bound
    assert all((a == b).all() for a, b in zip(resumed.layers, whole.layers, strict=True))


def test_a_changed_rule_goes_to_the_graph() -> None:
    class Kind(type(load("ur", pieces=1))):  # type: ignore[misc]
        def payoff(self, state: Any) -> int:
            return 1 - int(super().payoff(state))

    assert solve(Kind(pieces=1)).solver_name == "graph"
