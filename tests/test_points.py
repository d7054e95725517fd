"""Score sheets for a target or against an opponent: chances by standing, the general engine, brute force, and the way out."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import wraps
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rollwise
from rollwise import Against, AtLeast, Expected, GameError, PositionError, cache, distribution, solve
from rollwise.cli.main import main
from rollwise.errors import CertificateError, EngineError
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Turn, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import total
from rollwise.model.lift import WithPointsNeeded, WithTotal
from rollwise.model.notation import notation_of
from rollwise.model.objective import Objective
from rollwise.playing.distribution import win_chance
from rollwise.playing.explain import explain
from rollwise.playing.opponents import parse_opponent, read_opponent
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.graph.report import second_losses
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.solvers.sheets.kernels.rows_numba import numba_rows
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.rows import numpy_rows
from rollwise.solvers.sheets.standings import TARGET, StandingAxis, make_rows, solve_points
from rollwise.solvers.sheets.targets import PointsSolution, solve_points_game
from rollwise.solvers.solve import check_attainable
from tests.examples import default_of, examples
from tests.reference import gap, recursion
from tests.strategies import TableGame, layered_games
from tests.test_sheets import sheets, table_score

EXAMPLES = examples(25)

opponents = st.builds(
    Against,
    st.dictionaries(st.integers(-4, 14), st.integers(1, 5), min_size=1, max_size=4),
    st.sampled_from([0, 0.5, 1, Fraction(1, 3)]),
)
aims = st.one_of(st.builds(AtLeast, st.integers(-6, 30)), opponents)


def points(sheet: Any, aim: Objective, **options: Any) -> PointsSolution:
    solution = solve(sheet, aim, **options)
    assert isinstance(solution, PointsSolution)
    return solution


def graph(sheet: Any, aim: Objective, **options: Any) -> GraphSolution:
    solution = solve(sheet, aim, engine="induction", **options)
    assert isinstance(solution, GraphSolution)
    return solution


def agree(fast: PointsSolution, exact: GraphSolution) -> None:
    """Values of states and pendings, within the bound; the best action of one is a best action of the other."""
    bound = Fraction(fast.certificate.error_bound) + Fraction(exact.certificate.error_bound) + Fraction(1, 2**50)
    assert gap(fast.value(), exact.value()) <= bound
    for state in list(exact.explored.states)[:: max(1, exact.states // 40)]:
        assert gap(fast.value(state, kind="state"), exact.value(state, kind="state")) <= bound
        if exact.game.actions(state):
            losses = {move.action: move.loss for move in exact.ranked(state)}
            assert losses[fast.best(state)] <= 2e-9
    for pending in exact.explored.pendings[::7]:
        assert gap(fast.value(pending, kind="pending"), exact.value(pending, kind="pending")) <= bound


# The engine


@EXAMPLES
@given(sheets(), aims)
def test_any_sheet_as_the_general_engine(sheet: Sheet, aim: Any) -> None:
    solved, exact = points(sheet, aim), graph(sheet, aim, exact=True)
    assume(not isinstance(next(iter(exact.explored.states)), Turn))  # where nothing pays, the general engine counts no points
    agree(solved, exact)
    assert gap(solved.value(), recursion(sheet, aim)) <= solved.certificate.error_bound


@EXAMPLES
@given(sheets(), aims)
def test_kernels_and_threads_give_the_same_bits(sheet: Sheet, aim: Any) -> None:
    plain = points(sheet, aim, engine="points-numpy")
    for threads in (1, 2):
        compiled = points(sheet, aim, engine="points-numba", threads=threads)
        assert np.array_equal(plain.chance, compiled.chance)
        assert plain.certificate == compiled.certificate


@EXAMPLES
@given(sheets(), st.integers(-6, 30))
def test_one_solve_answers_every_target(sheet: Sheet, target: int) -> None:
    solved = points(sheet, AtLeast(0))
    other = solved.for_target(target)
    assert other.chance is solved.chance
    assert other.objective == AtLeast(target)
    assert other.value() == points(sheet, AtLeast(target)).value()
    assert other.fingerprint == points(sheet, AtLeast(target)).fingerprint
    assert gap(other.value(), recursion(sheet, AtLeast(target))) < Fraction(1, 10**12)
    curve = solved.curve()
    assert (np.diff(curve) <= 0).all()
    if target >= 0:
        assert other.value() == (curve[target] if target < len(curve) else 0.0)


@EXAMPLES
@given(sheets(), aims, st.data())
def test_a_part_is_solved_as_in_the_whole_game(sheet: Sheet, aim: Any, data: st.DataObject) -> None:
    whole = points(sheet, aim)
    same_from(whole, data.draw(st.sampled_from(list(whole.policy()))).state)


def same_from(whole: PointsSolution, state: Any) -> None:
    """What is solved from a position on gives the same answers to all that can follow."""
    assert isinstance(whole.objective, AtLeast | Against)
    turn = state.position._replace(dice=(), left=whole.sheet.rerolls + 1)
    part = solve_points_game(whole.sheet, whole.objective, start=whole.game.lift(turn, state.points))
    assert part.value() == whole.value(part._start, kind="pending")
    assert whole.ranked(state) == part.ranked(state)
    later = list(part.policy())
    assert state in {row.state for row in later}
    for row in later[:: max(1, len(later) // 50)]:
        assert part.ranked(row.state) == whole.ranked(row.state)
        if isinstance(whole.objective, AtLeast):
            with pytest.raises(GameError, match="from a position on"):
                part.curve()
    begun = state.position
    if begun.open != whole.sheet.full:
        first = next(iter(whole.game.roll(whole.game.start())))
        with pytest.raises(PositionError):
            part.ranked(first)


REDUCED: dict[str, Callable[[], Any]] = {
    "yazy": lambda: load("yazy", boxes="ones,straight", rerolls=1),
    "yatzy with a bonus": lambda: part("yatzy", ("fives", "sixes", "pair"), bonus=UpperBonus(16, 50)),
    "kismet": lambda: part("kismet", ("fives", "sixes", "flush"), bonus=UpperBonus(22, 75, before=((11, 35), (16, 55)))),
    "yahtzee, free joker": lambda: part("yahtzee", ("sixes", "full-house", "yahtzee"), bonus=UpperBonus(12, 35), joker="free"),
    "yahtzee, forced joker": lambda: part("yahtzee", ("sixes", "chance", "yahtzee"), bonus=UpperBonus(12, 35), joker="forced"),
    "negative points": lambda: Sheet([Box("a", table_score(3)), Box("b", table_score(4)), Box("c", total)], count=2, faces=3),
    "in order": lambda: Sheet([Box("a", total), Box("b", table_score(7)), Box("c", total)], count=2, faces=3, in_order=True),
}


def part(game: str, boxes: tuple[str, ...], *, bonus: UpperBonus | None = None, **parameters: str) -> Sheet:
    """A few boxes of a catalogue game, with three dice and one reroll."""
    full: Any = load(game, **parameters)
    kept = [box for box in full.boxes if box.name in boxes]
    assert len(kept) == len(boxes)
    return Sheet(kept, count=3, rerolls=1, bonus=bonus, joker=full.joker)


@pytest.mark.parametrize("name", default_of(REDUCED, "yazy", "negative points", "in order", "yahtzee, free joker"))
def test_reduced_sheets_as_the_general_engine(name: str) -> None:
    sheet = REDUCED[name]()
    solved = points(sheet, AtLeast(0))
    most = len(solved.curve())
    for target in (most // 2, most - 1, most):
        agree(solved.for_target(target), graph(sheet, AtLeast(target)))
    agree(solved.for_target(most // 3), graph(sheet, AtLeast(most // 3), exact=True))
    for ties in (0.0, 0.5, 1.0):
        aim = Against({most // 3: 2, most // 2: 1, most - 2: 3}, ties)
        agree(points(sheet, aim), graph(sheet, aim))


@pytest.mark.parametrize("name", REDUCED)
def test_parts_of_reduced_sheets(name: str) -> None:
    sheet = REDUCED[name]()
    for aim in (AtLeast(len(points(sheet, AtLeast(0)).curve()) // 2), Against({9: 1, 40: 2})):
        whole = points(sheet, aim)
        states = [row.state for row in whole.policy()]
        for state in states[:: max(1, len(states) // 12)]:
            same_from(whole, state)


@pytest.mark.parametrize("name", REDUCED)
def test_a_target_out_of_reach_is_refused_unsolved(name: str) -> None:
    sheet = REDUCED[name]()
    most = len(points(sheet, AtLeast(0)).curve()) - 1
    check_attainable(sheet, AtLeast(most))
    check_attainable(sheet, Against({most: 1}))
    for aim in (AtLeast(most + 1), Against({most + 1: 1}), Against({most: 1}, ties=0)):
        with pytest.raises(GameError, match=str(most)):
            check_attainable(sheet, aim)


def test_advice_at_a_position_solves_what_can_follow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = "66611 1 sixes,chance,yahtzee upper 50 needs 62"
    common = ["advise", "yahtzee", "--cache", str(tmp_path), "--state", state, "--json"]
    assert main([*common, "--at-least", "250"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert 0 < moves[-1]["value"] < moves[0]["value"]
    assert not list(tmp_path.glob("points-*"))
    assert main([*common, "--at-least", "1576"]) == 2
    assert "1,575" in capsys.readouterr().err


@pytest.mark.full
def test_carries_that_make_no_difference_share_a_row() -> None:
    sheet = part("yatzy", ("fives", "sixes", "chance"), bonus=UpperBonus(24, 50))
    solved, arrays = points(sheet, AtLeast(40)), make_sheet_arrays(sheet)
    shared = 0
    for opened in range(1 << arrays.n_boxes):
        to, source = arrays.copies(opened)
        assert (solved.rows.row_of[opened, to] == solved.rows.row_of[opened, source]).all()
        shared += len(to)
    assert shared > 0
    agree(solved, graph(sheet, AtLeast(40)))
    aim = Against({20: 1, 40: 1, 90: 1})
    agree(points(sheet, aim), graph(sheet, aim))


def test_rows_hold_what_is_undecided() -> None:
    arrays = make_sheet_arrays(load("yazy"))  # type: ignore[arg-type]
    rows = make_rows(arrays, TARGET, reachable=False)
    axis = StandingAxis(arrays, rows)
    chance = solve_points(axis, numba_rows)
    full = int(rows.row_of[-1, 0])
    assert rows.row_low[full] == -280
    assert chance[rows.row_start[full]] > 0
    assert not np.isnan(chance).any()
    assert chance.min() > 0
    assert chance.max() <= 1
    plain = np.empty(rows.size)
    plain[: rows.row_start[rows.layer_start[1]]] = chance[: rows.row_start[rows.layer_start[1]]]
    last = int(rows.layer_start[3])
    numpy_rows(axis, axis.whole, axis.whole, plain, plain, int(rows.layer_start[1]), last)
    assert np.array_equal(plain[: rows.row_start[last]], chance[: rows.row_start[last]])


@pytest.mark.full
def test_full_yazy() -> None:
    calls: list[tuple[str, int, int | None]] = []
    solved = points(load("yazy"), AtLeast(200), progress=lambda *args: calls.append(args))
    assert calls[-1] == ("solving", 286_720, 286_720)
    curve = solved.curve()
    assert len(curve) == 281
    assert curve[0] == 1.0
    assert solved.for_target(281).value() == 0.0
    assert (np.diff(curve) <= 0).all()
    expert = distribution(solve(load("yazy")))
    for target in range(281):
        assert curve[target] >= expert.at_least(target) - 1e-13
    assert curve[1:].sum() > expert.mean  # the sum of chances of at least t is a mean, and each is the best there is
    assert curve[200] == pytest.approx(0.21913382787662306, abs=1e-12)  # computed by this engine, no publication found
    # All boxes at their best: five sixes in three rolls for most, and a full house of sixes.
    assert curve[280] == pytest.approx(9.04066382e-14, rel=1e-8)
    followed = distribution(solved)
    assert followed.at_least(200) == pytest.approx(float(solved.value()), abs=1e-10)


@pytest.mark.full
def test_full_yazy_against_an_expert() -> None:
    expert = distribution(solve(load("yazy")))
    aim = Against.of(expert)
    assert win_chance(expert, aim) == pytest.approx(0.5, abs=1e-13)
    solved = points(load("yazy"), aim)
    assert solved.value() == pytest.approx(0.5036662036852944, abs=1e-12)  # computed by this engine
    assert win_chance(distribution(solved), aim) == pytest.approx(float(solved.value()), abs=1e-10)
    curve = points(load("yazy"), AtLeast(0)).curve()
    knowing = sum(
        float(chance) * (curve[score] + (curve[score + 1] if score < 280 else 0.0)) / 2
        for score, chance in zip(expert.values.tolist(), expert.chance.tolist(), strict=True)
    )
    assert float(solved.value()) < knowing  # who knows the score to beat does better
    assert float(points(load("yazy"), aim.best_of(3)).value()) < 0.5


def test_a_wrong_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    @wraps(numpy_rows)
    def wrong(axis: Any, layer: Any, previous: Any, before: Any, values: Any, first: int, end: int) -> None:
        numpy_rows(axis, layer, previous, before, values, first, end)
        values[layer.row_start[first] : layer.row_start[end]] *= 0.99

    monkeypatch.setattr("rollwise.solvers.sheets.targets.numpy_rows", wrong)
    with pytest.raises(CertificateError, match="a row violates"):
        solve(load("yazy", boxes="ones,twos"), AtLeast(8), engine="points-numpy")


def test_engines_are_for_their_own_objectives() -> None:
    sheet = load("yazy", boxes="ones")
    with pytest.raises(EngineError, match="'points-numpy' does not solve this game for expected"):
        solve(sheet, engine="points-numpy")
    with pytest.raises(EngineError, match="'points-numba' does not solve this game for at-least 3 in this mode"):
        solve(sheet, AtLeast(3), engine="points-numba", exact=True)
    assert isinstance(solve(sheet, AtLeast(3), exact=True), GraphSolution)
    assert isinstance(solve(sheet, Against({3: 1}), exact=True), GraphSolution)


def test_totals_with_wide_gaps_go_to_the_general_engine() -> None:
    sheet = Sheet([Box("a", lambda hand: 10**9 * hand.count(1)), Box("b", total)], count=2, faces=3, rerolls=1)
    assert isinstance(solve(sheet, AtLeast(10**9)), GraphSolution)
    assert isinstance(solve(sheet, Against({10**9: 1})), GraphSolution)


def test_a_table_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solvers.base.memory.MEMORY_SHARE", 1e-3)
    with pytest.raises(GameError, match=r"the chances of every total with 13 boxes needs .* GiB"):
        solve(load("yahtzee"), AtLeast(300), engine="points-numba")


# Opponents


def test_the_chance_of_a_total_is_what_it_says() -> None:
    opponent = Against({10: 1, 20: 2, 30: 1})
    assert [opponent.chance(x) for x in (9, 10, 15, 20, 21, 30, 31)] == [
        Fraction(n, 8) for n in (0, 1, 2, 4, 6, 7, 8)
    ]  # fmt: skip
    assert Against({10: 1, 20: 2}, ties=0).chance(20) == Fraction(1, 3)
    assert Against({10: 1, 20: 2}, ties=1).chance(20) == 1
    assert Against({10: 1, 20: 2}, ties=0.3).ties == Fraction(3, 10)
    assert (opponent.mean, opponent.unit) == (20.0, 8)
    assert (
        Against([(20, 4), (10, 2), (30, 0)]) == Against({10: 0.5, 20: 1.0}) == Against({10: Fraction(1, 3), 20: Fraction(2, 3)})
    )
    assert str(Against({7: 2}, ties=1)) == "against a score of 7, ties win"
    assert str(Against({7: 2, 8: 1}, ties=Fraction(1, 4))) == "against 2 scores from 7 to 8, ties 1/4"


def test_a_point_mass_is_a_target() -> None:
    sheet = load("yazy", boxes="ones,twos")
    for target in (0, 5, 9):
        chance = points(sheet, AtLeast(target)).value()
        assert points(sheet, Against({target: 1}, ties=1)).value() == chance
        assert points(sheet, Against({target - 1: 1}, ties=0)).value() == chance


def test_against_is_a_sum_where_nothing_is_decided() -> None:
    """One box and no reroll: the chance is that of the dice, by brute force."""
    sheet = Sheet([Box("total", total)], count=3, faces=4, rerolls=0)
    for ties in (0, Fraction(1, 2), 1):
        aim = Against({4: 1, 7: 2, 8: 1, 12: 3}, ties)
        rolls = [sum(faces) for faces in product(range(1, 5), repeat=3)]
        brute = sum((aim.chance(roll) for roll in rolls), Fraction(0)) / len(rolls)
        assert gap(points(sheet, aim).value(), brute) < Fraction(1, 10**15)
        assert solve(sheet, aim, exact=True).value() == brute


@given(st.dictionaries(st.integers(0, 9), st.integers(1, 4), min_size=1, max_size=4), st.integers(1, 4))
def test_the_best_of_several(weights: dict[int, int], count: int) -> None:
    counted: dict[int, int] = {}
    for scores in product(weights, repeat=count):
        share = int(np.prod([weights[score] for score in scores]))
        counted[max(scores)] = counted.get(max(scores), 0) + share
    assert Against(weights).best_of(count) == Against(counted)


def test_fine_weights_are_rounded_together() -> None:
    fine = Against({0: 2**60 + 1, 1: 2**60 - 1})
    assert fine.distribution == ((0, 1), (1, 1))
    many = Against({score: 1 / (score + 1) for score in range(300)}).best_of(100)
    assert many.unit <= 2**53
    assert many.chance(300) == 1
    upto = float(sum(1 / (score + 1) for score in range(200)) / sum(1 / (score + 1) for score in range(300)))
    assert float(many.chance(199) + many.chance(200)) / 2 == pytest.approx(upto**100, rel=0.01)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Against({}), "no scores"),
        (lambda: Against({3: 0}), "no scores"),
        (lambda: Against({3: -1}), "weight -1: expected a number of 0 or more"),
        (lambda: Against({3: float("nan")}), "weight nan"),
        (lambda: Against({3: float("inf")}), "weight inf"),
        (lambda: Against({3: "many"}), "weight 'many'"),
        (lambda: Against({2.5: 1}), r"score 2\.5: expected a whole number"),  # type: ignore[arg-type]
        (lambda: Against({10**20: 1}), "expected a whole number of at most"),
        (lambda: Against(45), "expected a mapping or pairs"),  # type: ignore[arg-type]
        (lambda: Against([45]), "expected a mapping or pairs"),  # type: ignore[list-item]
        (lambda: Against({3: 1}, ties=2), "ties count 2"),
        (lambda: Against({3: 1}, ties=float("nan")), "ties count nan"),
        (lambda: Against({3: 1}, ties="half"), "ties count 'half'"),  # type: ignore[arg-type]
        (lambda: Against({3: 1}, ties=0.12345), "denominator of at most 1000"),
        (lambda: Against({3: 1}).best_of(0), "the best of 0 opponents"),
        (lambda: Against.of(Distribution("rolls", 0, np.array([1.0]))), "expected a Distribution of points"),
        (lambda: solve(load("slots"), "against"), "expected an opponent"),
    ],
)
def test_bad_opponents(make: Any, match: str) -> None:
    with pytest.raises(GameError, match=match):
        make()


@pytest.mark.parametrize(
    "text",
    [
        "10\n20\n20\n", "10 1\n20 2", "score;games\n10;1  # once\n\n20;2\n", "10,0.5\n20,1.0",
        "[10, 20, 20]", "[[10, 1], [20, 2]]", '{"10": 1, "20": 2}',
        '{"what": "points", "lowest": 10, "chance": [1,0,0,0,0,0,0,0,0,0,2]}',
    ],
)  # fmt: skip
def test_opponents_from_text(text: str) -> None:
    assert parse_opponent(text) == Against({10: 1, 20: 2})


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "no scores"),
        ("10 1 1", "line 1: expected a score"),
        ("10\nten", "line 2: expected a score"),
        ("2.5", r"score '2\.5'"),
        ("10 nan", "weight nan"),
        ("10 -1", "weight -1"),
        ("[1, 2", "JSON cannot be read"),
        ('{"ten": 1}', "score 'ten'"),
        ('[["a"]]', "whole number"),
        ('{"lowest": 1, "chance": 3}', "distribution of points"),
        ('{"what": "rolls", "lowest": 1, "chance": [1]}', "distribution of points"),
    ],
)
def test_texts_that_are_no_opponents(text: str, match: str, tmp_path: Path) -> None:
    (tmp_path / "scores.txt").write_text(text)
    with pytest.raises(GameError, match=rf"scores\.txt: .*{match}"):
        read_opponent(tmp_path / "scores.txt")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="cannot read the opponent"):
        read_opponent(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GameError, match="not a text file"):
        read_opponent(tmp_path / "binary")


# Any game


@pytest.mark.full
def test_against_in_a_game_that_pays_at_the_end() -> None:
    game = load("slots")
    aim = Against({40: 3, 42: 1, 45: 2})
    exact = solve(game, aim, exact=True)
    floats = solve(game, aim)
    assert gap(floats.value(), exact.value()) <= floats.certificate.error_bound
    assert exact.value() <= sum(solve(game, AtLeast(t), exact=True).value() * w for t, w in ((40, 3), (42, 1), (45, 2))) / 6
    assert solve(game, Against({44: 1}, ties=0), exact=True).value() == solve(game, AtLeast(45), exact=True).value()
    assert rollwise.evaluate(game, rollwise.policies.Optimal(exact), aim, exact=True).value == exact.value()
    assert rollwise.evaluate(game, rollwise.policies.Greedy(), aim).value <= floats.value()
    played = rollwise.simulate(floats, 4000, seed=1)
    assert abs(played.z_score) < 4
    chosen = rollwise.simulate(floats, 400, seed=1, policy=floats.best)
    assert abs(chosen.z_score) < 4
    assert float(exact.value()) == pytest.approx(win_chance(distribution(floats), aim), abs=1e-12)
    assert isinstance(floats, GraphSolution)
    losses = second_losses(floats)
    assert 0 < losses.max() < 1
    last = game.read_state("bin 40 6")
    assert "wins with 25 %" in explain(floats, last, "bin")


@EXAMPLES
@given(layered_games(), opponents)
def test_against_in_any_game_without_cycles(game: TableGame, aim: Against) -> None:
    expected = recursion(game, aim)
    assert solve(game, aim, exact=True).value() == expected
    floats = solve(game, aim)
    assert gap(floats.value(), expected) <= floats.certificate.error_bound


def test_different_opponents_have_different_fingerprints() -> None:
    game = load("slots")
    one, other = solve(game, Against({10: 1, 1000: 1})), solve(game, Against({10: 1, 1000: 3}))
    assert one.fingerprint != other.fingerprint


# Answers


def test_positions_and_their_text() -> None:
    solved = points(part("yatzy", ("sixes", "chance")), AtLeast(30))
    state = solved.game.read_state("661 1 sixes,chance needs 30")
    assert state == WithPointsNeeded(Turn(3, 0, False, (1, 6, 6), 1), 30)
    assert solved.game.show_state(state) == "166 1 all needs 30"
    assert solved.game.show_action(solved.best(state)) == "keep 66"
    assert solved.value(state) == solved.ranked(state)[0].value
    assert solved.value(WithPointsNeeded(Turn(3, 0, False, (6,) * 3, 0), -7)) == 1.0  # fewer than none are needed
    versus = points(solved.sheet, Against({20: 1, 30: 1}))
    state = versus.game.read_state("661 1 chance has 12")
    assert state == WithTotal(Turn(2, 0, False, (1, 6, 6), 1), 12)
    assert versus.game.show_state(state) == "166 1 chance has 12"
    assert notation_of(versus.game).columns(state)["total so far"] == "12"
    for text, fault in (("661 1 chance", "'has 0'"), ("661 1 chance needs 24", "'needs'"), ("661 1 chance has much", "'has 0'")):
        with pytest.raises(PositionError, match=fault):
            versus.game.read_state(text)


def test_positions_that_do_not_occur() -> None:
    versus = points(load("yazy", boxes="ones,twos"), Against({5: 1}))
    with pytest.raises(PositionError, match="does not occur"):
        versus.value(WithTotal(Turn(2, 0, False, (1, 1, 1, 1, 1), 1), 6))
    with pytest.raises(PositionError, match="use read_state"):
        versus.value(Turn(2, 0, False, (1, 1, 1, 1, 1), 1))
    with pytest.raises(PositionError, match="use read_state"):
        versus.value(WithPointsNeeded(Turn(2, 0, False, (1, 1, 1, 1, 1), 1), 6))
    with pytest.raises(GameError, match="not for a target"):
        versus.curve()
    with pytest.raises(GameError, match="not for a target"):
        versus.for_target(3)


@pytest.mark.parametrize("aim", [AtLeast(4), Against({3: 1, 5: 2})])
def test_the_strategy_can_be_listed(aim: Objective) -> None:
    sheet = load("yazy", boxes="ones,straight", rerolls=1)
    listed = {row.state: row.value for row in points(sheet, aim).policy()}
    general = {row.state: row.value for row in graph(sheet, aim).policy()}
    assert listed.keys() == general.keys()
    assert max(abs(float(listed[state]) - float(general[state])) for state in listed) < 1e-13


def test_advice_in_words() -> None:
    sheet = part("yatzy", ("sixes", "chance", "yatzy"), bonus=UpperBonus(12, 50))
    solved = points(sheet, AtLeast(60))
    state = solved.game.read_state("661 1 sixes,chance upper 0 needs 45")
    said = {move.action: explain(solved, state, move.action) for move in rollwise.advise(solved, state).moves}
    assert "the target is safe either way" in said["sixes"]
    worse = [sentence for action, sentence in said.items() if isinstance(action, tuple) and action != (6, 6)]
    assert all("45 points still needed from 2 boxes" in sentence for sentence in worse)
    last = solved.game.read_state("111 0 chance upper 0 needs 45")
    assert "falls short by 42" in explain(solved, last, "chance")
    versus = points(sheet, Against({20: 1, 99: 1}))
    last = versus.game.read_state("666 0 chance upper 0 has 6")
    assert "ends with 24, which wins with 50 %" in explain(versus, last, "chance")
    first = versus.game.read_state("666 0 all upper 0 has 0")
    assert "18 so far, 2 boxes to go" in explain(versus, first, "chance")
    assert all(move.outlook is None for move in rollwise.advise(versus, first, outlook=True).moves)
    minus = points(REDUCED["negative points"](), AtLeast(1))
    assert "safe" in explain(minus, minus.game.read_state("33 0 b,c needs -1"), "c")


@pytest.mark.full
@pytest.mark.parametrize("aim", [AtLeast(8), Against({3: 1, 8: 2})])
def test_playing_and_following_agree_with_the_value(aim: Any) -> None:
    sheet = load("yazy", boxes="ones,twos")
    solved = points(sheet, aim)
    assert abs(rollwise.simulate(solved, 2000, seed=1).z_score) < 4
    found, general = distribution(solved), distribution(graph(sheet, aim))
    assert win_chance(found, aim) == pytest.approx(float(solved.value()), abs=1e-12)
    assert found.mean == pytest.approx(general.mean, abs=1e-9)
    greedy = distribution(solved, rollwise.policies.Greedy())
    assert greedy.mean == pytest.approx(distribution(solve(sheet), rollwise.policies.Greedy()).mean)
    state = next(iter(solved.game.roll(solved.game.start())))
    later = distribution(solved, start=solved.game.play(state, solved.best(state)))
    assert later.chance.sum() == pytest.approx(1.0)


def test_a_report_on_every_target(tmp_path: Path) -> None:
    from rollwise.reports.build import write_report  # noqa: PLC0415

    write_report(points(load("yazy", boxes="ones,twos"), AtLeast(8)), tmp_path / "page.html", name="yazy")
    page = (tmp_path / "page.html").read_text()
    assert "Every target" in page
    assert "a total of at least 8" in page
    write_report(points(load("yazy", boxes="ones,twos"), Against({5: 1, 6: 1})), tmp_path / "page.md", name="yazy")
    page = (tmp_path / "page.md").read_text()
    assert "Played against 2 scores from 5 to 6" in page
    assert "Every target" not in page
    slots = load("slots", slots="double:2/4/6/8/10/12,bin:0/0/0/0/0/0", target=8)
    write_report(solve(slots, Against({6: 1, 9: 1})), tmp_path / "slots.md", name="slots")
    assert "Played against 2 scores" in (tmp_path / "slots.md").read_text()


# The store


def test_one_entry_serves_every_target(tmp_path: Path) -> None:
    sheet = load("yazy", boxes="ones,twos,straight")
    solved = points(sheet, AtLeast(20))
    path = cache.save(solved, tmp_path)
    assert path.name.startswith("points-")
    for target in (20, 8, 60):
        found = cache.load(sheet, AtLeast(target), tmp_path)
        assert isinstance(found, PointsSolution)
        assert found.value() == solved.for_target(target).value()
        assert found.fingerprint == solved.for_target(target).fingerprint
        assert found.ranked(found.game.read_state("12345 1 all needs 9")) == solved.ranked(
            solved.game.read_state("12345 1 all needs 9")
        )
    assert cache.save(solved.for_target(8), tmp_path) == path
    assert [entry.objective for entry in cache.entries(tmp_path)] == ["at-least 20, and every other target"]
    assert cache.load(sheet, Expected(), tmp_path) is None
    assert cache.load(load("yazy", boxes="ones,twos"), AtLeast(20), tmp_path) is None


def test_every_opponent_has_an_entry(tmp_path: Path) -> None:
    sheet = load("yazy", boxes="ones,twos")
    aims = [Against({5: 1, 8: 1}), Against({5: 1, 8: 2}), Against({5: 1, 8: 1}, ties=1)]
    for aim in aims:
        assert cache.load(sheet, aim, tmp_path) is None
        cache.save(points(sheet, aim), tmp_path)
    for aim in aims:
        found = cache.load(sheet, aim, tmp_path)
        assert found is not None
        assert found.value() == points(sheet, aim).value()
        assert found.fingerprint == points(sheet, aim).fingerprint
    for path in tmp_path.iterdir():
        (path / "chance.npy").write_bytes(b"")
    with pytest.raises(cache.CacheError, match=r"chance\.npy has 0 bytes"):
        cache.load(sheet, aims[0], tmp_path)


# The commands


@contextmanager
def inputs(tmp_path: Path) -> Iterator[tuple[str, str]]:
    scores, record = tmp_path / "scores.txt", tmp_path / "game.txt"
    scores.write_text("3\n8 2\n")
    yield str(scores), str(record)


SMALL = ("yazy", "-p", "boxes=ones,twos")


def test_solving_shows_the_curve(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    assert main(["solve", *SMALL, "--at-least", "8", "--plot", str(picture)]) == 0
    shown = capsys.readouterr().out
    assert "win probability   43.1327553038 %" in shown
    assert "best chance" in shown
    assert "chances" in shown
    assert "<svg" in picture.read_text()
    assert main(["solve", *SMALL, "--at-least", "8", "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["curve"][8] == described["value"]
    assert len(described["curve"]) == 16
    assert main(["solve", *SMALL, "--at-least", "15"]) == 0
    assert "15         " in capsys.readouterr().out
    assert main(["solve", *SMALL, "--json"]) == 0
    assert "curve" not in json.loads(capsys.readouterr().out)
    assert main(["solve", *SMALL, "--plot", str(picture)]) == 2
    assert "--plot draws the best chance for every target" in capsys.readouterr().err


@pytest.mark.full
def test_opponents_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with inputs(tmp_path) as (scores, record):
        aim = Against({3: 1, 8: 2})
        beat = ["--objective", f"against {scores}"]
        assert main(["solve", *SMALL, *beat, "--json"]) == 0
        described = json.loads(capsys.readouterr().out)
        assert described["value"] == points(load("yazy", boxes="ones,twos"), aim).value()
        assert described["objective"] == "against 2 scores from 3 to 8"
        assert main(["solve", *SMALL, "--objective", f"against {scores}, ties win, best of 2", "--exact", "--json"]) == 0
        exact = json.loads(capsys.readouterr().out)["exact"]
        best = Against(aim.distribution, ties=1).best_of(2)
        assert Fraction(exact) == solve(load("yazy", boxes="ones,twos"), best, exact=True).value()
        assert main(["solve", *SMALL, "--objective", "against self"]) == 0
        assert "against 16 scores from 0 to 15" in capsys.readouterr().out
        assert main(["advise", *SMALL, *beat, "--state", "11122 1 all has 0", "--top", "3"]) == 0
        assert "2 boxes" in capsys.readouterr().out
        assert main(["distribution", *SMALL, *beat]) == 0
        assert "win probability" in capsys.readouterr().out
        assert main(["play", *SMALL, *beat, "--auto", "--seed", "3", "--coach", "--record", record]) == 0
        assert "the total wins with" in capsys.readouterr().out
        assert main(["grade", record]) == 0
        assert "chance that the total wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (["--objective", "against self", "--at-least", "3"], "give one of them"),
        (["--objective", "against no-such-file"], "cannot read the opponent"),
        (["--objective", "against self, best of 0"], "the best of 0 opponents"),
        (["--objective", "against self, ties win, ties lose"], "twice"),
    ],
)
def test_options_that_do_not_fit(capsys: pytest.CaptureFixture[str], options: list[str], match: str) -> None:
    assert main(["solve", *SMALL, *options]) == 2
    error = capsys.readouterr().err
    assert match in error
    assert error.count("\n") == 1


def test_a_strategy_too_large_to_write(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["policy", "yazy", "--at-least", "200", "-o", str(tmp_path / "all.csv")]) == 2
    assert "decisions: write a part of it" in capsys.readouterr().err
    assert main(["policy", "yazy", "--at-least", "200", "-o", str(tmp_path / "some.csv"), "--limit", "5"]) == 0
    assert len((tmp_path / "some.csv").read_text().splitlines()) == 6


# Full size


@pytest.mark.audit
@pytest.mark.parametrize(
    ("game", "most", "chance"),
    [("kniffel", 375, 0.125477672594), ("yatzy", 374, 0.1372500582301495), ("yahtzee", 1575, 0.176018772146241)],
)
def test_full_sheets(game: str, most: int, chance: float) -> None:
    """Cross-checks only: no publication was found that gives such chances."""
    solved = points(load(game), AtLeast(300))
    assert not np.isnan(solved.chance).any()
    assert solved.chance.min() >= 0
    assert solved.chance.max() <= 1
    curve = solved.curve()
    assert len(curve) == most + 1
    assert float(curve[300]) == pytest.approx(chance, abs=1e-11)  # computed by this engine
    assert (np.diff(curve) <= 0).all()
    expert = distribution(solve(load(game)))
    assert all(curve[t] >= expert.at_least(t) - 1e-12 for t in range(most + 1))
    assert solved.certificate.residual < 1e-13
    assert solved.certificate.error_bound < 1e-12
