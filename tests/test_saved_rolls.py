"""Saved rolls: the family solver, its kernels and the general engine agree; layers that are kept; what is followed and listed."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import AtLeast, Duel, GameError, PositionError, cache, distribution, evaluate, solve
from rollwise.extending import SolveOptions, Threads
from rollwise.families import Sheet
from rollwise.games import load
from rollwise.model.notation import notation_of
from rollwise.model.view import view_of
from rollwise.playing.explain import parts
from rollwise.playing.strategy import SECOND, count_decisions, policy_chunks, policy_rows, value_word
from rollwise.policies import Greedy
from rollwise.solvers.base.layer_files import layer_count
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.sheets.backward import TurnRecursion, numpy_starts
from rollwise.solvers.sheets.kernels.starts_numba import numba_starts
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.saved_rolls import SavedSolution, plan_saved
from rollwise.solvers.sheets.saved_rolls_axis import SavedLayers, count_saved
from rollwise.texts.render import render
from tests.examples import examples
from tests.test_sheets import sheets
from tests.web_client import ask, connect
from tests.web_client import solve as ask_solved

BOXES = "ones,sixes,pair"


def saving(boxes: str = BOXES, **more: Any) -> Any:
    return load("yatzy", saved_rolls="yes", boxes=boxes, threshold="20", **more)


@st.composite
def saving_sheets(draw: st.DrawFn) -> Sheet:
    sheet = draw(sheets(plain=True))
    sheet.saved_rolls = True
    return sheet


@examples(25)
@given(saving_sheets())
def test_every_position_is_worth_what_the_general_engine_says(sheet: Sheet) -> None:
    compact, general = solve(sheet), solve(sheet, engine="induction")
    assert isinstance(compact, SavedSolution)
    width = 1e-9 + compact.certificate.error_bound
    for decision in general.policy():
        ours = {row.action: float(row.value) for row in compact.ranked(decision.state)}
        theirs = {row.action: float(row.value) for row in general.ranked(decision.state)}
        assert ours.keys() == theirs.keys()
        assert all(abs(ours[action] - theirs[action]) <= width for action in ours)
        parts = compact.parts(decision.state, decision.action, decision.value)
        assert abs(sum(float(part.value) for part in parts) - float(decision.value)) <= width
    assert distribution(compact).mean == pytest.approx(general.value(), abs=1e-9)


@examples(25)
@given(saving_sheets(), st.integers(1, 3))
def test_kernels_and_threads_give_the_same_bits(sheet: Sheet, threads: int) -> None:
    arrays = make_sheet_arrays(sheet)
    found = []
    for kernel, number in ((numpy_starts, 1), (numba_starts, 1), (numba_starts, threads)):
        recursion = TurnRecursion(SavedLayers(arrays), kernel)
        solve_in_layers(recursion, SolveOptions(backend=Threads(number)))
        found.append(recursion.layers)
    for layer in found[0]:
        assert np.array_equal(found[0][layer], found[1][layer])
        assert np.array_equal(found[1][layer], found[2][layer])


def test_a_chunk_of_rows_is_worked_out_alone() -> None:
    recursion = TurnRecursion(SavedLayers(make_sheet_arrays(saving())), numba_starts)
    solve_in_layers(recursion, SolveOptions(backend=Threads(1)))
    make, arguments = recursion.recipe()
    other: Any = make(*arguments)
    for layer in range(1, recursion.n_layers):
        other.restore(layer - 1, recursion.values(layer - 1))
        start, rows = recursion.row_start(layer), recursion.shapes[layer][0]
        whole = recursion.values(layer).reshape(-1)
        for first, end in ((0, rows), (rows // 3, rows // 2 + 1)):
            assert np.array_equal(other.rows(layer, first, end), whole[start[first] : start[end]])


def test_counts_are_those_of_all_rolls_saved() -> None:
    game: Any = load("yatzy", saved_rolls="yes")
    assert count_saved(make_sheet_arrays(game))[0] == 24_335_360
    plan = plan_saved(game, SolveOptions())
    assert (plan.states, plan.memory_bytes) == (24_335_360, 8 * 13_254_656)


@pytest.mark.audit
def test_counts_of_maxi_yatzy() -> None:
    game: Any = load("maxi-yatzy", saved_rolls="yes")
    plan = plan_saved(game, SolveOptions(checkpoint=Path("layers")))
    assert plan.states == 1_269_661_696
    assert plan.memory_bytes is not None
    assert plan.memory_bytes < 2 << 30
    assert plan.disk_bytes == 8 * 610_369_536


def test_more_rolls_are_never_worse() -> None:
    solution: Any = solve(saving())
    for layer, values in solution.layers.items():
        assert (np.diff(values) >= -1e-12).all(), layer
    lost = solve(load("yatzy", boxes=BOXES, threshold="20"))
    assert solution.value() > lost.value()


@pytest.mark.full
def test_single_precision_stays_within_its_bound() -> None:
    double, single = solve(saving()), solve(saving(), precision="float32")
    assert single.certificate.error_bound > double.certificate.error_bound
    assert 0 < abs(float(single.value()) - float(double.value())) <= single.certificate.error_bound


def test_the_last_layers_are_enough_for_the_first_turn() -> None:
    solution = solve(saving(), keep="last")
    assert solution.value() == solve(saving()).value()
    assert solution.best(solution.game.read_state("66611 2 all upper 0"))
    with pytest.raises(GameError, match="were not kept"):
        solution.value(solution.game.read_state("66611 2 ones upper 0"))


def test_layers_go_on_after_a_kill(tmp_path: Path) -> None:
    """Killed as soon as some layers are there, the next run resumes from them and gives the same bits."""
    program = (
        f"from rollwise import solve; from rollwise.games import load; solve(load('yatzy', saved_rolls='yes', boxes={BOXES!r}, "
    )
    program += f"threshold=20), checkpoint={str(tmp_path / 'there')!r}, engine='saved-numpy', progress=watch)"
    watch = "import os, signal\ndef watch(what, done, total):\n    if done > total // 2: os.kill(os.getpid(), signal.SIGKILL)\n"
    killed = subprocess.run([sys.executable, "-c", watch + program], env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert 0 < layer_count(tmp_path / "there")[0] < 4
    done: list[int] = []
    again = solve(saving(), checkpoint=tmp_path / "there", progress=lambda what, number, total: done.append(number))
    assert done[0] > 0
    assert again.value() == solve(saving()).value()
    assert layer_count(tmp_path / "there") == (4, 4)


def test_a_stored_solution_answers_alike(tmp_path: Path) -> None:
    game = saving()
    solved = cache.solve(game, directory=tmp_path, worth_seconds=0.0)
    for whole in (True, False):
        loaded = cache.solve(game, directory=tmp_path, whole=whole)
        assert loaded.seconds == solved.seconds
        state = game.read_state("66123 4 ones,pair upper 12")
        assert loaded.ranked(state) == solved.ranked(state)
    plain = cache.solve(load("yatzy", boxes=BOXES, threshold="20"), directory=tmp_path, worth_seconds=0.0)
    assert plain.value() != solved.value()
    assert len(cache.entries(tmp_path)) == 2


def test_rows_in_chunks_are_those_of_the_policy() -> None:
    solution = solve(saving("ones,pair"))
    rows = [list(row.values()) for row in policy_rows(solution)]
    assert len(rows) == count_decisions(solution)
    game, random = solution.game, Random(3)
    chosen = {place: decision for place, decision in enumerate(solution.policy()) if random.random() < 0.02}
    for place, (state, action, value, second) in chosen.items():
        assert rows[place][:-2] == [*notation_of(game).columns(state).values(), game.show_action(action)]
        assert float(rows[place][-2]) == value
        assert (float(rows[place][-1]) if rows[place][-1] else None) == second
    where = {"open boxes": "pair", "upper total": "3"}
    some = list(policy_chunks(solution, where=where))
    assert sum(len(chunk["dice"]) for chunk in some) == count_decisions(solution, where) == 252 * 5
    assert {value_word(solution), SECOND} <= set(some[0])


@pytest.mark.full
def test_the_spread_is_that_of_the_graph() -> None:
    game = saving("ones,pair")
    ours, theirs = distribution(solve(game)), distribution(solve(game, engine="induction"))
    assert ours.lowest == theirs.lowest
    assert np.allclose(ours.chance, theirs.chance, atol=1e-12)
    solution = solve(game)
    state = game.read_state("11263 2 all upper 0")
    for row in solution.ranked(state):
        after = game.play(state, row.action)
        assert distribution(solution, start=after).mean + game.gain(state, row.action) == pytest.approx(row.value)
    assert evaluate(game, Greedy()).value < solution.value()


def test_what_saved_rolls_are_too_large_for_is_refused_at_once() -> None:
    game = load("yatzy", saved_rolls="yes")
    with pytest.raises(GameError, match="saved_rolls, which the solver for a score sheet does not support, and it has at least"):
        solve(game, AtLeast(300))
    with pytest.raises(GameError, match="play it without saved_rolls"):
        solve(saving("ones"), Duel())
    with pytest.raises(GameError, match="other strategies than the best one"):
        evaluate(game, Greedy())


@pytest.mark.full
def test_a_target_goes_the_general_way() -> None:
    chance = solve(saving("ones"), AtLeast(5)).value()
    assert chance == pytest.approx(solve(load("yatzy", boxes="ones"), AtLeast(5)).value()), "one turn has nothing to save"
    assert solve(saving("ones,pair"), AtLeast(15)).value() > solve(load("yatzy", boxes="ones,pair"), AtLeast(15)).value()


def test_positions_say_how_many_rolls_are_left() -> None:
    game = saving()
    state = game.read_state("66123 6 ones upper 12")
    assert game.read_state(game.show_state(state)) == state == notation_of(game).unpack_state(notation_of(game).pack_state(state))
    with pytest.raises(PositionError, match="7 rerolls left in .* there are at most 6"):
        game.read_state("66123 7 ones upper 12")
    with pytest.raises(PositionError, match="at most 2"):
        game.read_state("66123 3 all upper 0")
    assert (
        notation_of(game).show_pending(game.play(game.read_state("66123 2 all upper 0"), "pair")) == "***** 5 ones,sixes upper 0"
    )
    assert "Rolls that are not used are saved" in render(view_of(game).rules().paragraphs[0])


def test_parts_with_saved_rolls_add_up() -> None:
    solution = solve(saving())
    state = solution.game.read_state("66123 4 ones,pair upper 12")
    for row in solution.ranked(state):
        found = parts(solution, state, row.action)
        assert sum(part.value for part in found) == pytest.approx(row.value, abs=1e-9)
    saved = {
        action: sum(part.value for part in parts(solution, state, action) if part.kind == "saved") for action in ("pair", (6, 6))
    }
    assert 0 <= saved[6, 6] < saved["pair"], "a box that is filled at once saves more rolls"


def test_the_server_tells_what_is_saved(tmp_path: Path) -> None:
    request = {"game": "yatzy", "parameters": {"saved_rolls": "yes", "boxes": BOXES, "threshold": "20"}}
    with connect(tmp_path) as client:
        job = ask_solved(client, request)
        assert job["board"]["saved_rolls"]
        found = ask(client, "/api/advise", **request, state="66123 4 ones,pair upper 12")
        assert found["position"]["left"] == 4
        after = {move["action"]: move["after"] for move in found["moves"]}
        assert after["pair"] == "***** 7 ones upper 12"
        plain = ask_solved(client, {"game": "yatzy", "parameters": {"boxes": BOXES, "threshold": "20"}})
        assert "saved_rolls" not in plain["board"]
