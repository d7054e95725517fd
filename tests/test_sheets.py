"""The score-sheet family: family solver, kernels and general engine agree; published values."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import AtLeast, GameError, PositionError, evaluate, solve
from rollwise.errors import CertificateError, EngineError
from rollwise.extending import SolveOptions, Threads
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Hand, InstantWin, Joker, Turn, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, count_face, total
from rollwise.model.roll import dice
from rollwise.policies import Greedy, Optimal, RandomPolicy
from rollwise.solvers.sheets.backward import numpy_starts, solve_sheet
from rollwise.solvers.sheets.expected import SheetSolution
from rollwise.solvers.sheets.kernels import expected_exact
from rollwise.solvers.sheets.kernels import outcomes_numba as outcomes
from rollwise.solvers.sheets.kernels.starts_numba import numba_starts
from rollwise.solvers.sheets.lattice import lattice
from rollwise.solvers.sheets.reading import make_sheet_arrays, sheet_bytes
from rollwise.solvers.sheets.turn import play_turn
from tests.examples import examples
from tests.reference import gap

EXAMPLES = examples(25)


def table_score(seed: int) -> Callable[[Hand], int]:
    """An arbitrary scoring rule: a number from 0 to 6 (or -2) for each hand."""
    return lambda hand: (hash((seed, *hand)) % 9) - 2


@st.composite
def stepped(draw: st.DrawFn) -> UpperBonus:
    """A bonus in steps, which need not rise."""
    thresholds = sorted(draw(st.sets(st.integers(1, 6), min_size=2, max_size=3)))
    *before, last = [(threshold, draw(st.integers(-4, 9))) for threshold in thresholds]
    return UpperBonus(*last, before=tuple(before))


@st.composite
def sheets(draw: st.DrawFn, *, plain: bool = False) -> Sheet:
    """Small sheets with every rule option: upper boxes and bonus, jokers, forced order, odd dice; or first rolls, several times.

    `plain`: those that duels read.
    """
    count, faces = draw(st.sampled_from([(2, 3), (3, 2), (1, 4), (2, 2)]))
    rerolls = draw(st.integers(0, 2))
    boxes = [Box(f"face{face}", count_face(face), face) for face in range(1, draw(st.integers(0, min(2, faces))) + 1)]
    if draw(st.booleans()):
        boxes.append(Box("equal", all_equal(draw(st.integers(1, 8)))))
    boxes.append(Box("total", total))
    if draw(st.booleans()):
        boxes.append(Box("odd", table_score(draw(st.integers(0, 99)))))
    boxes = draw(st.permutations(boxes[: draw(st.integers(1, 3))]))
    bonus = draw(st.one_of(st.none(), st.builds(UpperBonus, st.integers(1, 5), st.integers(1, 9)), stepped()))
    rules: st.SearchStrategy[Any] = st.sampled_from(["free", "forced"])
    joker = draw(
        st.one_of(st.none(), st.builds(Joker, st.just("equal"), rules, st.integers(0, 9), st.just({"total": 11, "odd": 7})))
    )
    more: dict[str, Any] = {}
    if not plain and draw(st.booleans()):
        boxes = [replace(box, times=draw(st.sampled_from([1, 1, 2, 3])), first=draw(st.sampled_from([0, 3]))) for box in boxes]
        wins = st.builds(InstantWin, st.sampled_from([box.name for box in boxes]), st.integers(0 if bonus else -1, 20))
        joker, more = None, {"win": draw(st.one_of(st.none(), wins))}
    return Sheet(boxes, count=count, faces=faces, rerolls=rerolls, bonus=bonus, joker=joker, in_order=draw(st.booleans()), **more)


@EXAMPLES
@given(sheets())
def test_compact_and_general_agree(sheet: Sheet) -> None:
    exact = solve(sheet, exact=True)
    general = solve(sheet, exact=True, engine="induction")
    assert isinstance(exact, SheetSolution)
    assert exact.value() == general.value()
    for number in (solve(sheet, engine="sheet-numpy"), solve(sheet, engine="sheet-numba", threads=2)):
        assert gap(number.value(), exact.value()) <= number.certificate.error_bound
    states = list(general.explored.states)  # type: ignore[attr-defined]
    for state in states[:: max(1, len(states) // 40)]:
        assert exact.value(state, kind="state") == general.value(state, kind="state")
        assert [(m.action, m.value) for m in exact.ranked(state)] == [(m.action, m.value) for m in general.ranked(state)]
    for pending in general.explored.pendings[::7]:  # type: ignore[attr-defined]
        assert exact.value(pending, kind="pending") == general.value(pending, kind="pending")


@EXAMPLES
@given(sheets())
def test_kernels_give_the_same_bits(sheet: Sheet) -> None:
    arrays = make_sheet_arrays(sheet)
    plain = solve_sheet(arrays, numpy_starts)
    for threads in (1, 2):
        assert np.array_equal(plain, solve_sheet(arrays, numba_starts, SolveOptions(backend=Threads(threads))), equal_nan=True)


def test_reduced_yahtzee_by_all_engines() -> None:
    for rule in ("free", "forced", "none"):
        full = load("yahtzee", joker=rule)
        boxes = [box for box in full.boxes if box.name in ("sixes", "full-house", "yahtzee")]  # type: ignore[attr-defined]
        game = Sheet(boxes, rerolls=1, bonus=UpperBonus(18, 35), joker=full.joker)  # type: ignore[attr-defined]
        assert abs(float(solve(game).value()) - float(solve(game, engine="induction").value())) < 1e-11


@pytest.mark.full
def test_yatzy() -> None:
    one = solve(load("yatzy"), threads=1)
    assert one.states == 1_430_528
    assert isinstance(one, SheetSolution)
    two = solve(load("yatzy"), threads=2)
    assert isinstance(two, SheetSolution)
    assert np.array_equal(one.turn_values, two.turn_values, equal_nan=True)  # type: ignore[arg-type]
    assert one.fingerprint == two.fingerprint != solve(load("yazy")).fingerprint


@pytest.mark.full
def test_house_rules_never_hurt_and_order_does() -> None:
    plain = float(solve(load("yatzy")).value())
    assert float(solve(load("yatzy", five_as_full_house="yes")).value()) > plain
    assert float(solve(load("yatzy", four_as_two_pairs="yes")).value()) > plain
    assert float(solve(load("yatzy", in_order="yes")).value()) < plain


def test_exact_solving_says_how_far_it_is() -> None:
    calls: list[tuple[str, int, int | None]] = []
    solve(load("yazy", boxes="ones,twos"), exact=True, progress=lambda *args: calls.append(args))
    assert calls[-1] == ("solving", 4, 4)


@pytest.mark.audit
def test_maxi_yatzy_fits_and_is_stable() -> None:
    solution = solve(load("maxi-yatzy"))
    assert isinstance(solution, SheetSolution)
    opened = range(1 << solution.arrays.n_boxes)
    assert not any(np.isnan(solution.turn_values[mask, solution.arrays.carries(mask)]).any() for mask in opened)  # type: ignore[index]


def test_no_reachable_value_is_nan() -> None:
    solution = solve(load("yahtzee"))
    assert isinstance(solution, SheetSolution)
    arrays = solution.arrays
    for opened in range(1 << arrays.n_boxes):
        carries = np.concatenate([arrays.carries(opened), arrays.copies(opened)[0]])
        assert not np.isnan(solution.turn_values[opened, carries]).any()  # type: ignore[index]


def test_lattice_means_are_rolls() -> None:
    """The mean over one more die at a time is the mean over whole hands."""
    net = lattice(3, (1, 1, 1, 1))
    values = np.arange(net.n_hands, dtype=float) ** 2
    weights = np.array([dice(3, 4)[hand] for hand in net.keeps[net.first_hand :]])
    assert np.array_equal(weights, net.hand_weight)
    table = np.concatenate([np.zeros(net.first_hand), values])[:, None]
    play_turn(net, table)
    assert table[0, 0] == pytest.approx((values * weights).sum() / weights.sum(), rel=1e-14)


def test_advice_from_a_solved_sheet() -> None:
    solution = solve(load("yatzy"))
    game = solution.game
    state = game.read_state("66661 1 sixes,chance upper 57")
    assert game.show_action(solution.best(state)) == "keep 6666"
    ranked = solution.ranked(state)
    assert [m.loss for m in ranked] == sorted(m.loss for m in ranked)
    assert solution.value(state) == ranked[0].value
    assert game.show_state(state) == "16666 1 sixes,chance upper 57"


@pytest.mark.parametrize(
    "text", ["12345 1 sixes upper 64", "12345 1 all upper 3", "12345 1 ones upper 62 primed", "12345 0 none upper 3"]
)
def test_positions_that_do_not_occur(text: str) -> None:
    solution = solve(load("yazy")) if "upper" not in text else solve(load("yatzy"))
    if text.startswith("12345 1 sixes"):
        assert solution.game.read_state(text).upper == 63
        return
    with pytest.raises(PositionError, match="does not occur"):
        solution.value(solution.game.read_state(text), kind="state")


def test_odd_positions_are_refused() -> None:
    solution = solve(load("yazy"))
    for turn in (
        Turn(1 << 20, 0, False, (1, 1, 1, 1, 1), 0),
        Turn(1, 5, False, (1, 1, 1, 1, 1), 0),
        Turn(1, 0, True, (1,) * 5, 0),
    ):
        with pytest.raises(PositionError, match="does not occur"):
            solution.value(turn)
    with pytest.raises(PositionError, match="use read_state"):
        solution.value(("12345",))
    with pytest.raises(PositionError, match="the game is over"):
        solution.best(Turn(0, 0, False, (), 0))


def test_a_sheet_too_large_is_refused_with_its_size() -> None:
    boxes = [Box(f"box{i}", total) for i in range(36)]
    sheet = Sheet(boxes, bonus=UpperBonus(63, 50))
    assert sheet_bytes(sheet) == 64 * 8 << 36
    with pytest.raises(GameError, match=r"36 boxes needs 32,768\.0 GiB"):
        solve(sheet)


def test_engines_are_for_their_own_games() -> None:
    with pytest.raises(EngineError, match="'sheet-numba' does not solve this game"):
        solve(load("slots"), engine="sheet-numba")
    with pytest.raises(EngineError, match="'sheet-numpy' does not solve this game for at-least 3"):
        solve(load("yazy", boxes="ones"), AtLeast(3), engine="sheet-numpy")
    with pytest.raises(GameError, match="0 threads"):
        solve(load("yazy"), threads=0)


def test_the_strategy_of_a_sheet_can_be_listed() -> None:
    compact = solve(load("yazy", boxes="ones,straight", rerolls=1), exact=True)
    general = solve(load("yazy", boxes="ones,straight", rerolls=1), exact=True, engine="induction")
    rows = {d.state: (d.action, d.value, d.second_loss) for d in compact.policy()}
    assert rows == {d.state: (d.action, d.value, d.second_loss) for d in general.policy()}


def test_points_that_cancel_stay_within_the_bound() -> None:
    """Large scores of both signs: the value is small, but its error is not."""
    for size in (1000, 10**6):
        sheet = Sheet([Box("a", lambda hand, size=size: size * (-1) ** sum(hand))], count=2, faces=3, rerolls=0)  # type: ignore[misc]
        number, exact = solve(sheet), solve(sheet, exact=True)
        assert gap(number.value(), exact.value()) <= number.certificate.error_bound


@EXAMPLES
@given(sheets())
def test_evaluated_policies_are_checked_in_another_way(sheet: Sheet) -> None:
    for policy in (Optimal(solve(sheet)), Greedy(), RandomPolicy()):
        found = evaluate(sheet, policy)
        assert found.certificate.residual <= found.certificate.error_bound
        assert found.certificate.checked == "on a sample"
        assert gap(found.value, evaluate(sheet, policy, exact=True).value) <= found.certificate.error_bound


def test_a_wrong_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = load("yazy", boxes="ones,sixes")
    chances = outcomes.numba_chances

    def wrong_exact(form: Any, tick: Any) -> Any:
        table = expected_exact.solve_exact(form, tick)
        table.numerator[3, 0] += 1
        return table

    with monkeypatch.context() as patch:
        patch.setattr("rollwise.solvers.sheets.expected.solve_exact", wrong_exact)
        with pytest.raises(CertificateError, match="optimality equation"):
            solve(sheet, exact=True)
    monkeypatch.setattr(
        "rollwise.solvers.sheets.follow._kernels", lambda form: (lambda *given: chances(*given) * (1 + 1e-9), None)
    )
    with pytest.raises(CertificateError, match="does not follow from its turn"):
        evaluate(sheet, Greedy())


def test_negative_points_without_a_bonus() -> None:
    sheet = Sheet([Box("a", table_score(3), 1), Box("b", table_score(4), 2)], count=2, faces=3, rerolls=1)
    assert solve(sheet, exact=True).value() == solve(sheet, exact=True, engine="induction").value()
    assert gap(solve(sheet).value(), solve(sheet, exact=True).value()) < 1e-12


def test_the_strategy_of_a_sheet_in_order() -> None:
    boxes = [Box("total", total), Box("equal", all_equal(9)), Box("face1", count_face(1), 1)]
    sheet = Sheet(boxes, count=2, faces=3, rerolls=1, in_order=True)
    rows = {d.state: d.action for d in solve(sheet, exact=True).policy()}
    assert rows == {d.state: d.action for d in solve(sheet, exact=True, engine="induction").policy()}


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Sheet([]), "at least one"),
        (lambda: Sheet([Box("a", total), Box("a", total)]), "different names"),
        (lambda: Sheet([Box("a b", total)]), "no spaces"),
        (lambda: Sheet([Box("a", total)], count=0), "0 dice"),
        (lambda: Sheet([Box("a", total)], rerolls=10**6), "expected 0 to 100"),
        (lambda: Sheet([Box("a", total)], bonus=UpperBonus(0, 5)), "threshold of at least 1"),
        (
            lambda: Sheet([Box("a", total)], bonus=UpperBonus(4, 5, before=((4, 1),))),
            "at 4, 4 points: expected thresholds that rise",
        ),
        (lambda: Sheet([Box("a", total)], bonus=UpperBonus(4, 5, before=((1, 0.5),))), "expected an integer"),  # type: ignore[arg-type]
        (lambda: Sheet([Box("a", lambda hand: -1, 1)], bonus=UpperBonus(5, 5)), "must not pay less than 0"),
        (lambda: Sheet([Box("a", total, 1)], bonus=UpperBonus(1, 1), win=InstantWin("a", -1)), "must not pay less than 0"),
        (lambda: Sheet([Box("a", lambda hand: 10**13)]), "expected an integer of at most"),
        (lambda: Sheet([Box("a", lambda hand: 0.5)]), "expected an integer"),  # type: ignore[arg-type, return-value]
        (lambda: load("yahtzee", upper_bonus="99999999999999999999"), "the upper bonus pays"),
        (lambda: load("yahtzee", joker="wild"), "expected free, forced or none"),
        (lambda: load("yatzy", in_order="maybe"), "in_order='maybe'"),
    ],
)
def test_bad_sheets(make: Any, match: str) -> None:
    with pytest.raises(GameError, match=match):
        make()
