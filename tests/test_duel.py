"""Duels: the compact engine against the rules, its kernels, its files, its plans, and the answers it gives."""

import signal
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from rollwise import Duel, GameError, PositionError, advise, check_game, evaluate, plan, simulate, solve
from rollwise.extending import SolveOptions
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Hand, Joker, UpperBonus
from rollwise.games.sheets.duel import DuelGame, DuelTurn
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, count_face, total
from rollwise.policies import Greedy, Optimal, PolicyPair, RandomPolicy
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.layer_files import layer_count
from rollwise.solvers.sheets.backward import Kernel, TurnRecursion
from rollwise.solvers.sheets.duel import DuelSolution
from rollwise.solvers.sheets.duel_arrays import (
    DuelArrays,
    count_states,
    error_bound,
    last_layer,
    make_duel_arrays,
    solve_layers,
)
from rollwise.solvers.sheets.duel_plan import DuelPlan
from rollwise.solvers.sheets.kernels.duel_follow_numba import numba_follow, numba_mix
from rollwise.solvers.sheets.kernels.rows_numba import numba_rows
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.rows import numpy_rows, read_row
from rollwise.solvers.sheets.turn_table import Ends, TurnTable
from rollwise.solvers.solve import solve_with_options
from tests.test_sheets import EXAMPLES, sheets

HALF = Fraction(1, 2)


def solve_duel(sheet: Sheet, *, tie: Fraction | float = HALF, **options: Any) -> DuelSolution:
    """Solve a duel; the general door gives the family solver's solution."""
    found = solve(sheet, Duel(tie), **options)
    assert isinstance(found, DuelSolution)
    return found


def reference(sheet: Sheet, tie: Fraction = HALF) -> Callable[[DuelTurn], Fraction]:
    """The worth of any position or roll to player 0, in fractions, straight from the rules of the duel."""
    game = DuelGame(sheet, tie)

    @cache
    def pending_worth(pending: DuelTurn) -> Fraction:
        roll = game.roll(pending)
        return sum((weight * state_worth(state) for state, weight in roll.items()), Fraction(0)) / sum(roll.values())

    @cache
    def state_worth(state: DuelTurn) -> Fraction:
        if not state.turn.open:
            return Fraction(game.payoff(state), game.scale)
        best = min if game.mover(state) else max
        return best(pending_worth(game.play(state, action)) for action in game.actions(state))

    return lambda position: (state_worth if len(position.turn.dice) == sheet.count else pending_worth)(position)


def two_boxes(points: list[dict[Hand, int]]) -> Fraction:
    """The first mover's worth in a duel of two boxes on five dice, from score tables alone, one die at a time."""

    def expected(value: Callable[[Hand], Fraction]) -> Callable[[Hand], Fraction]:
        @cache
        def of_keep(keep: Hand) -> Fraction:
            if len(keep) == 5:
                return value(keep)
            return sum((of_keep(tuple(sorted((*keep, face)))) for face in range(1, 7)), Fraction(0)) / 6

        return of_keep

    def improved(fill: Callable[[Hand], Fraction], of_keep: Callable[[Hand], Fraction]) -> Callable[[Hand], Fraction]:
        @cache
        def best_part(keep: Hand) -> Fraction:
            here = fill(keep) if len(keep) == 5 else of_keep(keep)
            return max([here, *(best_part(keep[:i] + keep[i + 1 :]) for i in range(len(keep)))])

        return best_part

    @cache
    def turn(mine: tuple[int, ...], theirs: tuple[int, ...], lead: int) -> Fraction:
        if not mine and not theirs:
            return HALF if lead == 0 else Fraction(lead > 0)

        @cache
        def fill(hand: Hand) -> Fraction:
            return max(1 - turn(theirs, tuple(b for b in mine if b != box), -(lead + points[box].get(hand, 0))) for box in mine)

        value: Callable[[Hand], Fraction] = fill
        for _ in range(2):
            value = improved(fill, expected(value))
        return expected(value)(())

    return turn((0, 1), (0, 1), 0)


@pytest.mark.full
@pytest.mark.parametrize(
    ("boxes", "value"),
    [("ones,five-of-a-kind", 0.498983101082), ("full-house,straight", 0.497970077984)],
)
def test_two_boxes_of_yazy(boxes: str, value: float) -> None:
    sheet = load("yazy", boxes=boxes)
    assert isinstance(sheet, Sheet)
    exact = two_boxes([{hand: points for hand, points in sheet.scores[name].items() if points} for name in sheet.names])
    solution = solve_duel(sheet)
    assert abs(float(exact) - value) < 1e-12
    assert abs(float(solution.value()) - exact) <= solution.certificate.error_bound
    single = solve_duel(sheet, precision="float32")
    assert abs(float(single.value()) - exact) <= single.certificate.error_bound
    assert solution.certificate.residual <= solution.certificate.error_bound < 1e-12 < single.certificate.error_bound < 1e-4


@EXAMPLES
@given(sheets(plain=True))
def test_every_position_against_the_rules(sheet: Sheet) -> None:
    tie = Fraction(len(sheet.boxes), 3 + sheet.rerolls)
    solution = solve_duel(sheet, tie=min(tie, Fraction(1)))
    game = solution.game
    worth = reference(sheet, game.tie)
    seen: set[DuelTurn] = set()
    waiting = [game.start()]
    while waiting and len(seen) < 300:
        pending = waiting.pop()
        assert abs(worth(pending) - float(solution.value(pending, kind="pending"))) < 1e-12
        for state in list(game.roll(pending))[::3]:
            assert abs(worth(state) - float(solution.value(state, kind="state"))) < 1e-12
            after = {game.play(state, action) for action in game.actions(state)} - seen
            seen |= after
            waiting.extend(after)


def layers(arrays: DuelArrays, kernel: Any, precision: Any, threads: int = 1) -> list[Any]:
    begin, recursion = last_layer(arrays, 0.5, precision), TurnRecursion(arrays, kernel, precision)
    return [begin, *(values for _, values in solve_layers(recursion, begin, Threads(threads)))]


@EXAMPLES
@given(sheets(plain=True))
def test_kernels_give_the_same_bits(sheet: Sheet) -> None:
    arrays = make_duel_arrays(make_sheet_arrays(sheet))
    for precision in (np.float64, np.float32):
        plain = layers(arrays, numpy_rows, precision)
        for threads in (1, 2):
            for one, other in zip(plain, layers(arrays, numba_rows, precision, threads), strict=True):
                assert np.array_equal(one, other)
                assert one.dtype == precision


def middle_sheets() -> list[Sheet]:
    """Three boxes of five dice: plain, with a bonus, with a bonus and jokers."""
    yatzy, yahtzee, yazy = load("yatzy"), load("yahtzee"), load("yazy", boxes="sixes,full-house,four-of-a-kind")
    assert isinstance(yatzy, Sheet)
    assert isinstance(yahtzee, Sheet)
    assert isinstance(yazy, Sheet)
    jokers = [box for box in yahtzee.boxes if box.name in ("sixes", "full-house", "yahtzee")]
    return [
        yazy,
        Sheet(yatzy.boxes[1:4], bonus=UpperBonus(22, 50)),
        Sheet(yatzy.boxes[1:4], bonus=UpperBonus(24, 75, before=((18, 35), (21, 55)))),
        Sheet(jokers, rerolls=1, bonus=UpperBonus(18, 35), joker=yahtzee.joker),
    ]


@pytest.mark.parametrize("sheet", middle_sheets(), ids=["plain", "bonus", "steps", "jokers"])
def test_three_boxes(sheet: Sheet) -> None:
    arrays = make_duel_arrays(make_sheet_arrays(sheet))
    plain, fast, single = (
        layers(arrays, numpy_rows, np.float64), layers(arrays, numba_rows, np.float64, 2), layers(arrays, numba_rows, np.float32),
    )  # fmt: skip
    bound = error_bound(arrays.sheet, 2.0**-24) + error_bound(arrays.sheet, 2.0**-53)
    for left, (one, other, rough) in enumerate(zip(plain, fast, single, strict=True)):
        assert np.array_equal(one, other)
        assert np.abs(one - rough).max() <= bound
        assert one.min() >= 0
        assert one.max() <= 1
        start = arrays.layer(left).row_start
        rises = np.diff(one) >= 0
        assert all(rises[a : b - 1].all() for a, b in pairwise(start.tolist()))


def three_dice() -> Sheet:
    """Three boxes of three four-sided dice with a bonus and a joker."""
    boxes = [Box("fours", count_face(4), 4), Box("equal", all_equal(20)), Box("total", total)]
    return Sheet(boxes, count=3, faces=4, rerolls=1, bonus=UpperBonus(8, 9), joker=Joker("equal", "forced", 15, {"total": 25}))


@pytest.mark.full
def test_three_boxes_by_plain_recursion() -> None:
    solution = solve_duel(three_dice())
    assert abs(float(solution.value()) - brute(three_dice())) < 1e-13


def brute(sheet: Sheet) -> float:
    """The first mover's worth by plain recursion over positions at turn starts, whole hands, and every keep."""
    game = DuelGame(sheet)

    @cache
    def start(position: DuelTurn) -> float:
        if not position.turn.open:
            return game.payoff(position) / game.scale
        hands = [position._replace(turn=position.turn._replace(dice=hand, left=0)) for hand in sheet.hands]
        fill = {
            s.turn.dice: max(1 - start(game.play(s, action)) for action in game.actions(s) if isinstance(action, str))
            for s in hands
        }
        value = dict(fill)
        for left in range(1, sheet.rerolls + 1):
            state = position.turn._replace(left=left)
            roll = {}
            for hand in sheet.hands:
                for keep in game.actions(position._replace(turn=state._replace(dice=hand))):
                    if not isinstance(keep, str) and keep not in roll:
                        rolled = sheet.roll(state._replace(dice=keep))
                        roll[keep] = sum(w * value[t.dice] for t, w in rolled.items()) / rolled.total
            value = {
                hand: max([fill[hand], *(roll[k] for k in sheet.actions(state._replace(dice=hand)) if not isinstance(k, str))])
                for hand in sheet.hands
            }
        rolled = sheet.roll(position.turn)
        return sum(w * value[t.dice] for t, w in rolled.items()) / rolled.total

    return start(game.start())


def plain_kernel(turn: Callable[..., Any]) -> Kernel:
    """A kernel that computes row by row, all leads at a time."""

    def kernel(arrays: Any, layer: Any, previous: Any, before: Any, values: Any, first: int, end: int) -> None:
        for row in range(first, end):
            part = slice(int(layer.row_start[row]), int(layer.row_start[row + 1]))
            lead = -(layer.row_low[row] + np.arange(part.stop - part.start))
            if len(lead):
                values[part] = 1 - turn(arrays, previous, before, *layer.pair(row), lead)

    return kernel


def plain_mix(move_chance: Any) -> Kernel:
    def turn(arrays: Any, previous: Any, before: Any, moved: int, mover: int, lead: Any) -> Any:
        total = np.zeros(len(lead))
        for move in range(arrays.move_start[mover], arrays.move_start[mover + 1]):
            row = previous.row(int(arrays.move_target[move]), moved)
            total += move_chance[move] * read_row(previous, before, row, lead + arrays.move_gain[move])
        return total

    return plain_kernel(turn)


def plain_follow(guide: Any) -> Kernel:
    def turn(arrays: Any, previous: Any, before: Any, moved: int, mover: int, lead: Any) -> Any:
        by, along = (arrays.worth(previous, values, mover, moved, lead) for values in (guide[previous.left], before))
        rolls = arrays.sheet.rerolls + 1
        table = TurnTable(arrays.sheet, np.full(len(lead), arrays.outers.opened[mover]), by)
        return Ends(table, (), lambda _, box, hand, lane: along[table.effect[box, hand, lane], lane]).keeps(rolls)[0]

    return plain_kernel(turn)


@EXAMPLES
@given(sheets(plain=True))
def test_following_kernels_give_the_same_bits(sheet: Sheet) -> None:
    arrays = make_duel_arrays(make_sheet_arrays(sheet))
    chance = np.random.default_rng(1).random(len(arrays.move_gain)) / 99
    for precision in (np.float64, np.float32):
        guide = dict(enumerate(layers(arrays, numba_rows, precision)))
        for plain, fast in ((plain_mix(chance), numba_mix(chance)), (plain_follow(guide), numba_follow(guide))):
            for one, other in zip(layers(arrays, plain, precision), layers(arrays, fast, precision, 2), strict=True):
                assert np.array_equal(one, other)


def range_of_wins(sheet: Sheet) -> tuple[Fraction, Fraction]:
    """The least and the highest chance of player 0 to win, over all ways to choose among actions that are exactly equal."""
    game, worth = DuelGame(sheet), reference(sheet)

    @cache
    def wins(position: DuelTurn) -> tuple[Fraction, Fraction]:
        if not position.turn.open:
            return Fraction(position.lead > 0), Fraction(position.lead > 0)
        if len(position.turn.dice) == sheet.count:
            after = [game.play(position, action) for action in game.actions(position)]
            found = [wins(pending) for pending in after if worth(pending) == worth(position)]
            return min(low for low, _ in found), max(high for _, high in found)
        roll = game.roll(position)
        both = [(weight, wins(state)) for state, weight in roll.items()]
        return (
            sum((w * low for w, (low, _) in both), Fraction(0)) / roll.total,
            sum((w * high for w, (_, high) in both), Fraction(0)) / roll.total,
        )

    return wins(game.start())


def against_score_player(sheet: Sheet, first: bool) -> float:
    """The worth to player 0 of the best answer to one who plays for points, or of playing for points against the best answer."""
    game, guide = DuelGame(sheet), solve(sheet)
    worth: dict[DuelTurn, float] = {}

    def position_worth(position: DuelTurn) -> float:
        if position not in worth:
            worth[position] = work_out(position)
        return worth[position]

    def work_out(position: DuelTurn) -> float:
        if not position.turn.open:
            return game.payoff(position) / game.scale
        if len(position.turn.dice) < sheet.count:
            roll = game.roll(position)
            return sum(w * position_worth(state) for state, w in roll.items()) / roll.total
        if bool(game.mover(position)) == first:
            return position_worth(game.play(position, guide.best(position.turn)))
        best = max if first else min
        return best(position_worth(game.play(position, action)) for action in game.actions(position))

    return position_worth(game.start())


@pytest.mark.full
def test_following_strategies() -> None:
    boxes, joker = three_dice().boxes, three_dice().joker
    for sheet in (
        Sheet(boxes, count=2, faces=4, rerolls=1, bonus=UpperBonus(4, 5), joker=joker),
        Sheet(boxes[:2], count=2, faces=4),
    ):
        solution = solve_duel(sheet)
        value = solution.value()
        duel, points = Optimal(solution), Optimal(solve(sheet))

        def worth(first: Any, second: Any, sheet: Sheet = sheet) -> float:
            return float(evaluate(sheet, PolicyPair(first, second), Duel()).value)

        assert evaluate(sheet, duel, Duel()).value == worth(duel, duel) == value
        assert abs(worth("best", "best") - value) < 1e-14
        assert abs(worth("best", points) - against_score_player(sheet, True)) < 1e-13
        assert abs(worth(points, "best") - against_score_player(sheet, False)) < 1e-13
        assert value - 1e-14 <= worth(duel, points) <= worth("best", points) + 1e-14
        assert worth(points, "best") - 1e-14 <= worth(points, duel) <= value + 1e-14
        with pytest.raises(GameError, match="PolicyPair was given 'luck' as policy"):
            PolicyPair("luck", duel)
        with pytest.raises(GameError, match="keep='all'"):
            evaluate(sheet, Optimal(solve_duel(sheet, keep="last")), Duel())
        with pytest.raises(GameError, match="that of another sheet"):
            evaluate(three_dice(), duel, Duel())


@pytest.mark.full
def test_strategies_are_followed_alike_on_the_graph_of_the_duel() -> None:
    """Where there are no arrays for a strategy, the duel is followed position by position; both ways agree."""
    sheet = Sheet([Box("threes", count_face(3)), Box("equal", all_equal(4))], count=2, faces=3, rerolls=1)
    duel, points = Optimal(solve_duel(sheet)), Optimal(solve(sheet))
    sides: tuple[Any, ...] = (duel, points, "best")
    for first in sides:
        for second in sides:
            players = PolicyPair(first, second)
            exact = evaluate(sheet, players, Duel(), exact=True)
            found = evaluate(sheet, players, Duel())
            assert abs(float(found.value) - float(exact.value)) <= found.certificate.error_bound
    greedy, best = (float(evaluate(sheet, PolicyPair(first, Greedy()), Duel()).value) for first in (Greedy(), sides[2]))
    assert greedy < best
    for players in (PolicyPair(duel, points), PolicyPair(Greedy(), duel), PolicyPair(RandomPolicy(), points)):
        played = simulate(duel.solution, 3000, seed=5, policy=players)
        assert abs(played.mean - float(evaluate(sheet, players, Duel()).value)) < 4 * played.standard_error
    with pytest.raises(GameError, match="use evaluate"):
        simulate(duel.solution, 10, seed=1, policy=PolicyPair("best", duel))


def test_the_split_of_a_duel() -> None:
    sheet = Sheet(three_dice().boxes[:2], count=2, faces=4, rerolls=1)
    low, high = range_of_wins(sheet)
    for tie in (HALF, Fraction(1, 4)):
        split = solve_duel(sheet, tie=tie).split()
        assert split.win + split.tie + split.loss == pytest.approx(1, abs=1e-15)
        assert abs(split.win + float(tie) * split.tie - float(solve_duel(sheet, tie=tie).value())) < 1e-15
        if tie == HALF:
            assert low - 1e-14 <= split.win <= high + 1e-14


def small() -> Sheet:
    sheet = load("yazy", boxes="ones,twos,straight", rerolls=1)
    assert isinstance(sheet, Sheet)
    return sheet


def test_answers_agree_with_one_another() -> None:
    solution = solve_duel(small())
    game = solution.game
    for text in ("11123 1 all vs all lead 0", "22245 0 twos,straight vs ones lead -3", "12346 1 straight vs none lead 0"):
        state = game.read_state(text)
        ranked = solution.ranked(state)
        best = min if game.mover(state) else max
        assert solution.value(state) == ranked[0].value == best(row.value for row in ranked)
        assert ranked[0].action == solution.best(state)
        for row in ranked:
            after = game.play(state, row.action)
            mean = sum(w * float(solution.value(s, kind="state")) for s, w in game.roll(after).items())
            mean /= game.roll(after).total
            assert abs(mean - row.value) < 1e-13
            assert row.loss == pytest.approx(abs(row.value - ranked[0].value), abs=1e-15)
            assert row.loss >= 0
        assert [move.action for move in advise(solution, state).moves] == [row.action for row in ranked]
    assert {type(decision.state) for decision, _ in zip(solution.policy(), range(3), strict=False)} == {DuelTurn}


def test_what_one_wins_the_other_loses() -> None:
    """Tie worths of both players add up to one; with more for a tie the first player has more."""
    sheet = small()
    none, half, all_ = (float(solve_duel(sheet, tie=tie).value()) for tie in (0, HALF, 1.0))
    assert none < half < all_
    with pytest.raises(GameError, match="ties count 2"):
        solve_duel(sheet, tie=2)


def test_a_certain_win_is_worth_one() -> None:
    """The second player is the one to move there, and values are the first player's."""
    solution = solve_duel(small())
    state = solution.game.read_state("11111 1 ones vs none lead 12")
    assert (solution.game.mover(state), solution.value(state)) == (1, 0)
    assert all(row.loss == 0 for row in solution.ranked(state))
    state = solution.game.read_state("11111 1 ones vs none lead -12")
    assert solution.value(state) == 1


@pytest.mark.parametrize(
    "text",
    ["33561 2 all vs all lead 0", "66661 1 sixes,chance upper 12 vs ones upper 3 primed lead -12", "- 0 none vs none lead 7"],
)
def test_notation(text: str) -> None:
    game = DuelGame(sheet_for(text))
    state = game.read_state(text)
    assert game.read_state(game.show_state(state)) == state
    assert game.show_state(state).split(" ", 1)[1] == text.split(" ", 1)[1]


def sheet_for(text: str) -> Sheet:
    sheet = load("yahtzee" if "upper" in text else "yazy")
    assert isinstance(sheet, Sheet)
    return sheet


@pytest.mark.parametrize("text", ["33561 1 ones", "33561 1 ones vs all", "33561 1 ones vs all lead x", "33561 1 ones lead 3"])
def test_positions_that_are_not_understood(text: str) -> None:
    with pytest.raises(PositionError, match="is not a position: expected POSITION vs BOXES lead POINTS, such as '66666 0 all vs"):
        DuelGame(small()).read_state(text)


@pytest.mark.parametrize(
    "text",
    ["11123 1 all vs ones lead 0", "11123 1 ones vs all lead 0", "11123 1 all vs all lead 1", "11123 0 ones vs none lead 99"],
)
def test_positions_that_do_not_occur(text: str) -> None:
    solution = solve_duel(small())
    for position in (text, solution.game.read_state(text)):
        with pytest.raises(PositionError, match="does not occur"):
            solution.value(position)
    with pytest.raises(PositionError, match="use read_state"):
        solution.value((text,))


def test_a_duel_is_a_game() -> None:
    boxes = [Box("high", max), Box("equal", lambda hand: 5 * (len(set(hand)) == 1))]
    joker = Joker("equal", "free", 3, {})
    check_game(DuelGame(Sheet(boxes, count=2, faces=3, rerolls=1, joker=joker)))


def test_plans() -> None:
    yazy = load("yazy")
    assert isinstance(yazy, Sheet)
    found = plan(yazy, Duel())
    assert isinstance(found, DuelPlan)
    assert (found.states, found.full_range_states, found.rows) == (306_356_498, 758_515_758, 1_352_078)
    assert found.largest_layer_bytes == 8 * 54_786_744
    assert found.disk_bytes == 0
    lean = plan(yazy, Duel(), SolveOptions(precision="float32", keep="last", checkpoint=Path("layers")))
    assert isinstance(lean, DuelPlan)
    assert lean.memory_bytes < found.memory_bytes / 4
    assert lean.disk_bytes == 4 * (1 + 291)
    assert [plan(load(name), Duel()).states for name in ("yacht", "crag")] == [1_245_089_080, 3_996_560_388]


@EXAMPLES
@given(sheets(plain=True))
def test_states_are_counted_without_laying_them_out(sheet: Sheet) -> None:
    arrays = make_duel_arrays(make_sheet_arrays(sheet))
    counts = [(arrays.layer(left).n_rows, arrays.layer(left).n_states) for left in range(arrays.n_layers)]
    assert [row[:2] for row in count_states(arrays.outers)] == counts
    assert all(stored <= full for _, stored, full in count_states(arrays.outers))


@pytest.mark.parametrize(
    ("name", "match"),
    [("yahtzee", r"13 boxes, 12,765,046,560,559 states, needs 95,601\.6 GiB"),
     ("maxi-yatzy", r"20 boxes has 224,327,800,546,350 pairs of sheets")],
)  # fmt: skip
def test_refusals(name: str, match: str) -> None:
    sheet = load(name)
    assert isinstance(sheet, Sheet)
    with pytest.raises(GameError, match=match):
        solve_duel(sheet, keep="all")


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"precision": "float16"}, "precision 'float16': expected float64 or float32"),
        ({"device": "abacus"}, "unknown device"),
        ({"keep": "some"}, "keep 'some': expected all or last"),
        ({"threads": 0}, "0 threads"),
    ],
)
def test_bad_options(options: dict[str, Any], match: str) -> None:
    with pytest.raises(GameError, match=match):
        solve_duel(small(), **options)


def test_a_full_disk_is_noticed_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solvers.base.layer_files.disk_usage", lambda _: type("Usage", (), {"free": 100}))
    with pytest.raises(GameError, match=r"3 boxes, [\d,]+ states, needs 0.0 GiB in .* where 0.0 GiB are free"):
        solve_duel(small(), checkpoint=tmp_path)


def same(one: DuelSolution, other: DuelSolution) -> bool:
    return one.layers.keys() == other.layers.keys() and all(
        np.array_equal(values, other.layers[left]) for left, values in one.layers.items()
    )


def test_layers_in_files(tmp_path: Path) -> None:
    memory = solve_duel(small())
    written = solve_duel(small(), checkpoint=tmp_path)
    ticks: list[Any] = []
    again = solve_duel(small(), checkpoint=tmp_path, progress=lambda *args: ticks.append(args))
    assert same(memory, written)
    assert same(memory, again)
    assert not ticks
    with pytest.raises(GameError, match="another game, objective or precision"):
        solve_duel(small(), checkpoint=tmp_path, tie=1)


def test_only_the_last_layers(tmp_path: Path) -> None:
    full = solve_duel(small())
    for directory in (None, tmp_path):
        lean = solve_duel(small(), checkpoint=directory, keep="last")
        assert sorted(lean.layers) == [5, 6]
        assert lean.value() == full.value()
        state = lean.game.read_state("11123 1 all vs all lead 0")
        assert lean.value(state) == full.value(state)
        with pytest.raises(GameError, match="not kept: solve with keep='all'"):
            lean.value(lean.game.read_state("11123 1 ones vs ones lead 0"))
    assert len(list(tmp_path.iterdir())) == 3
    assert solve_duel(small(), checkpoint=tmp_path, keep="last").value() == full.value()
    assert same(full, solve_duel(small(), checkpoint=tmp_path))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def unwrite(path: Path) -> None:
    """Damage the last line of the journal that records a layer."""
    journal = path.with_name("journal.jsonl")
    content = journal.read_bytes()
    place = content.rindex(b'"blocks"')
    journal.write_bytes(content[:place] + b"?" + content[place + 1 :])


@pytest.mark.parametrize(
    "harm", [cut, flip, unwrite, Path.unlink, lambda path: path.with_name("journal.jsonl").write_text("{\n")]
)
@pytest.mark.parametrize("keep", ["all", "last"])
def test_damaged_layers_are_worked_out_again(tmp_path: Path, harm: Callable[[Path], Any], keep: Any) -> None:
    full = solve_duel(small(), checkpoint=tmp_path, keep=keep)
    values = {left: layer.copy() for left, layer in full.layers.items()}
    harm(tmp_path / "layer-06.npy")
    messages: list[str] = []
    options = SolveOptions(checkpoint=tmp_path, keep=keep, message=messages.append)
    again: Any = solve_with_options(small(), Duel(), options)
    assert len(messages) == 1
    assert "layer 6" in messages[0] or "journal" in messages[0]
    assert all(np.array_equal(values[left], again.layers[left]) for left in values)


KILLED = """
import os, signal, sys
from rollwise import Duel, solve
from rollwise.games import load

def die_in_the_middle(_, done, total):
    if done > total // 2:
        os.kill(os.getpid(), signal.SIGKILL)

solve(load("yazy", boxes=sys.argv[2]), Duel(), checkpoint=sys.argv[1], threads=1, progress=die_in_the_middle)
"""


@pytest.mark.full
def test_killed_and_resumed(tmp_path: Path) -> None:
    boxes = "threes,fours,fives,sixes,four-of-a-kind"
    child = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), boxes], check=False)
    assert child.returncode == -signal.SIGKILL
    assert 3 <= layer_count(tmp_path)[0] < 11, "killed in the middle"
    sheet = load("yazy", boxes=boxes)
    assert isinstance(sheet, Sheet)
    assert same(solve_duel(sheet, checkpoint=tmp_path, threads=2), solve_duel(sheet))


def test_very_large_points_are_refused() -> None:
    """Their number of states does not fit 64 bits."""
    sheet = Sheet([Box(f"box{i}", lambda hand, i=i: 5 * 10**10 * (hand[0] + i)) for i in range(14)], count=1)  # type: ignore[misc]
    with pytest.raises(GameError, match=r"14 boxes, [\d,]{27,} states, needs"):
        solve_duel(sheet)


def some_boxes(name: str, boxes: str) -> Sheet:
    sheet = load(name, boxes=boxes)
    assert isinstance(sheet, Sheet)
    return sheet


@pytest.mark.parametrize(
    ("sheet", "tie", "exact"),
    [
        pytest.param(three_dice(), HALF, True, marks=pytest.mark.full),
        pytest.param(three_dice(), Fraction(1, 3), False, marks=pytest.mark.full),
        pytest.param(some_boxes("crag", "sixes,even-straight,crag"), HALF, False, marks=pytest.mark.full),
        (some_boxes("crag", "thirteen,crag"), HALF, True),
        pytest.param(some_boxes("yacht", "little-straight,yacht"), HALF, False, marks=pytest.mark.full),
    ],
    ids=lambda value: ",".join(value.names) if isinstance(value, Sheet) else None,
)
def test_a_few_boxes_by_the_general_engine(sheet: Sheet, tie: Fraction, exact: bool) -> None:
    """The same duel as a game for two, explored and solved position by position, in fractions and in floats."""
    duel = solve_duel(sheet, tie=tie)
    game = DuelGame(sheet, tie)
    general = solve(game, exact=exact)
    assert float(general.value()) / game.scale == pytest.approx(duel.value(), abs=1e-12)
    for state in list(general.explored.states)[:: 1 + general.states // 400]:  # type: ignore[attr-defined]
        worth = float(general.value(state, kind="state")) / game.scale
        assert worth == pytest.approx(duel.value(state, kind="state"), abs=1e-12)
        for row in duel.ranked(state):
            assert row.loss >= 0


def test_the_end_of_a_sheet_with_carries() -> None:
    """A full sheet may still carry something: the ends of a duel are looked up with it."""
    joker = Joker("equal", "free", 1, {})
    sheet = Sheet([Box("ones", count_face(1), 1), Box("equal", all_equal(3))], count=2, faces=3, rerolls=0, joker=joker)
    solution = solve_duel(sheet, tie=Fraction(2, 3))
    for primed in (False, True):
        end = solution.game.start()._replace(turn=sheet.start()._replace(open=0, primed=primed, left=0))
        end = end._replace(other=end.turn)
        assert solution.value(end) == pytest.approx(2 / 3, abs=1e-15)
