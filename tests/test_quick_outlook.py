"""How it may end, from distributions kept for every turn start: the stated bound holds, mean and spread are exact."""

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random as Source
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import AtLeast, GameError, PositionError, Solution, advise, solve
from rollwise import cache as cached
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Turn, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.playing.distribution import outlooks, quick_outlooks
from rollwise.solvers.base.abilities import LooksAhead, ability
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.sheets.arrays import layers
from rollwise.solvers.sheets.expected import SheetSolution
from rollwise.solvers.sheets.kernels.outlook_numba import fit_lines
from rollwise.solvers.sheets.outlook import Outlook
from rollwise.solvers.sheets.outlook_build import ROOM, build_outlook, closeness, plan_outlook, spared
from rollwise.solvers.sheets.places import count_starts, places_of
from rollwise.solvers.sheets.reading import read_carry
from rollwise.web import precompute
from tests.examples import default_of, examples
from tests.terminal import run
from tests.test_sheets import sheets
from tests.web_client import ask, connect
from tests.web_client import solve as serve

EXAMPLES = examples(25)
WIDE = "33561 2 all"


def part(name: str, boxes: str, **changed: Any) -> Sheet:
    """Some boxes of a game, with its bonus and jokers."""
    game = load(name)
    assert isinstance(game, Sheet)
    rules = {"count": game.count, "bonus": game.bonus, "joker": game.joker, **changed}
    return Sheet([box for box in game.boxes if box.name in boxes.split()], **rules)


PARTS: dict[str, Sheet] = {
    "five dice": part("yazy", "ones sixes straight full-house five-of-a-kind"),
    "bonus": part("yatzy", "fours fives sixes two-pairs chance", bonus=UpperBonus(45, 50)),
    "steps": part("kismet", "fives sixes flush full-house-colour", bonus=UpperBonus(45, 75, before=((30, 35), (38, 55)))),
    "jokers": part("yahtzee", "ones sixes full-house yahtzee chance", bonus=UpperBonus(21, 35)),
    "in order": part("yatzy", "ones sixes small-straight chance", bonus=UpperBonus(20, 50), in_order=True),
    "six dice": part("maxi-yatzy", "sixes villa chance maxi-yatzy", bonus=UpperBonus(24, 100)),
}


@cache
def solved(name: str) -> SheetSolution:
    found = solve(PARTS[name] if name in PARTS else load(name))
    assert isinstance(found, SheetSolution)
    return found


@pytest.fixture(params=default_of(PARTS, "jokers", "in order"))
def solution(request: pytest.FixtureRequest) -> SheetSolution:
    return solved(request.param)


def outlook_of(solution: SheetSolution, **options: Any) -> Outlook:
    return build_outlook(solution.arrays, solution.floats, **options)


def starts(solution: SheetSolution) -> Iterator[list[Turn]]:
    """Every turn start by the number of open boxes, the full sheets first."""
    arrays, sheet = solution.arrays, solution.sheet
    for layer in [np.array([0]), *layers(arrays)]:
        outer = [(opened, carry) for opened in layer.tolist() for carry in sorted(arrays.can_carry(opened))]
        left = sheet.rerolls + 1 if layer.any() else 0
        yield [Turn(opened, *read_carry(sheet, carry), (), left) for opened, carry in outer]


def distance(found: Distribution, true: Distribution) -> float:
    """The largest difference of a cumulative chance."""
    lowest, highest = min(found.lowest, true.lowest), max(found.highest, true.highest)
    both = np.zeros((2, highest - lowest + 1))
    for row, one in zip(both, (found, true), strict=True):
        np.add.at(row, one.values - lowest, one.chance)
    return float(np.abs(np.cumsum(both[0] - both[1])).max())


def check(found: list[Distribution], true: list[Distribution | None]) -> float:
    """Compare distributions with the true ones; gives the largest error that was found."""
    worst = 0.0
    for one, other in zip(found, true, strict=True):
        assert other is not None
        off = distance(one, other)
        assert off <= one.error + 1e-12
        assert one.chance.sum() == pytest.approx(1.0, abs=1e-12)
        assert one.mean == pytest.approx(other.mean, abs=1e-9)
        assert one.standard_deviation**2 == pytest.approx(other.standard_deviation**2, rel=1e-9, abs=1e-9)
        worst = max(worst, off)
    return worst


def test_the_bound_holds_at_every_turn_start(solution: SheetSolution) -> None:
    outlook = outlook_of(solution)
    for layer in starts(solution):
        found = outlook.distributions([solution.begins_after(start) for start in layer])
        check(found, outlooks(solution, layer))
        assert max(one.error for one in found) < 0.005


def test_every_turn_start_has_a_place(solution: SheetSolution) -> None:
    """Turn starts are numbered one after another, and those that share a number have the same value."""
    places, value = places_of(solution.arrays), solution.floats
    outer = [solution.outer(start) for layer in starts(solution) for start in layer]
    opened, carry = np.array(outer).T
    rows = places.rows(opened, carry)
    assert set(rows.tolist()) == set(range(count_starts(solution.arrays)))
    assert places.layer_start[-1] == count_starts(solution.arrays)
    first = np.full(count_starts(solution.arrays), np.nan)
    first[rows] = value[opened, carry]
    assert np.array_equal(first[rows], value[opened, carry])


@EXAMPLES
@given(sheets(), st.integers(0, 1 << 30))
def test_the_bound_holds_after_every_move_of_any_sheet(sheet: Sheet, seed: int) -> None:
    solution = solve(sheet)
    assert isinstance(solution, SheetSolution)
    state = random_state(solution, Source(seed))
    pendings = [sheet.play(state, action) for action in sheet.actions(state)]
    found = quick_outlooks(solution, pendings, build=True)
    assert found is not None
    check(found, outlooks(solution, pendings))


@given(
    st.lists(st.one_of(st.just(0), st.integers(0, 9), st.sampled_from([1, 10**6, 10**12])), min_size=1, max_size=200).filter(any),
    st.sampled_from([(1e-5, 0.0, 10**6), (0.002, 0.001, 63), (0.002, 0.001, 3), (0.05, 0.001, 63)]),
)
def test_lines_stay_within_the_tolerance(weights: list[int], how: tuple[float, float, int]) -> None:
    """Gaps, single scores and steep steps; levels rise, are multiples of the unit and end at 1, and no line is too long."""
    tolerance, unit, widest = how
    total = np.cumsum(weights) / sum(weights)
    knot, level = np.empty(len(total) + 2, dtype=np.int64), np.empty(len(total) + 2)
    n = fit_lines(total, tolerance, unit, widest, knot, level)
    knot, level = knot[:n], level[:n]
    drawn = np.interp(np.arange(len(total)), knot, level)
    assert np.abs(drawn - total).max() <= tolerance + 1e-9
    assert (level[0], level[-1]) == (0, 1)
    assert (np.diff(level) >= 0).all()
    assert 1 <= np.diff(knot).min() <= np.diff(knot).max() <= widest
    if unit:
        assert np.abs(level / unit - np.round(level / unit)).max() < 1e-6


def lines(total: Any, tolerance: float, unit: float = 0.0, widest: int = 1000) -> tuple[Any, Any]:
    """Draw lines, with room behind that must stay as it is."""
    size = len(total) + 1
    knot, level = np.full(10 * size, -7), np.full(10 * size, -7.0)
    n = fit_lines(total, tolerance, unit, widest, knot, level)
    assert (knot[size:] == -7).all()
    assert (level[size:] == -7).all()
    return knot[:n], level[:n]


def test_a_line_that_ends_above_its_band_is_followed_by_another() -> None:
    """It ends 2e-10 above, within what its slope may be off, and nothing comes next: that was no line, and a height 1/0."""
    ramp = 0.006 + 0.0012 * np.arange(1, 20)
    total = np.concatenate([ramp, np.full(41, 0.03 + 2e-10), np.linspace(0.1, 1.0, 20)])
    knot, level = lines(total, 0.01)
    assert (np.diff(knot) > 0).all()
    assert (np.diff(level) >= 0).all()
    within = np.interp(np.arange(knot[0] + 1, knot[-1]), knot, level) - total[knot[0] + 1 : knot[-1]]
    assert np.abs(within).max() <= 0.01 + 1e-10


@pytest.mark.parametrize(("tolerance", "unit", "widest"), [(1e-5, 0.0, 1000), (1e-4, 0.0, 1000), (0.002, 0.001, 63)])
def test_lines_lead_on_where_scores_have_gaps(tolerance: float, unit: float, widest: int) -> None:
    source = np.random.default_rng(1)
    for _ in range(3000):
        chance = source.random(400) ** source.integers(1, 12) * (source.random(400) < source.choice([0.02, 0.1, 0.5]))
        total = np.cumsum(chance[: source.integers(2, 400)] + 1e-300)
        knot, level = lines(total / total[-1], tolerance, unit, widest)
        assert (np.diff(knot) > 0).all()
        assert (np.diff(level) >= 0).all()


def test_lines_come_to_an_end_whatever_comes_in() -> None:
    """Chances that are no numbers must not lead to more lines than there is room for."""
    for total in (np.full(50, np.nan), np.append(np.linspace(0.1, 0.5, 30), np.full(20, np.nan)), np.full(9, np.inf)):
        for unit in (0.0, 0.001):
            knot, _ = lines(total, 1e-5, unit)
            assert (np.diff(knot) > 0).all()


def random_state(solution: SheetSolution, source: Source, most: int = 99) -> Turn:
    """A decision somewhere in a game, with at most so many boxes open."""
    arrays, sheet = solution.arrays, solution.sheet
    if arrays.times or arrays.wins:
        found: Turn = source.choice(list(solution._states()))
        return found
    boxes = source.randint(1, min(most, arrays.n_boxes))
    masks = [mask for mask in range(1, 1 << arrays.n_boxes) if mask.bit_count() == boxes] if arrays.n_boxes < 6 else None
    opened = source.choice(masks) if masks else sum(1 << box for box in source.sample(range(arrays.n_boxes), boxes))
    if arrays.in_order:
        opened = ((1 << boxes) - 1) << (arrays.n_boxes - boxes)
    upper, primed = read_carry(sheet, source.choice(sorted(arrays.can_carry(opened))))
    return Turn(opened, upper, primed, source.choice(sheet.hands), source.randint(0, sheet.rerolls))


def test_as_close_as_the_room_allows() -> None:
    """With few bytes a turn start the distributions are coarser; the bound says how much, and it holds."""
    solution = solved("six dice")
    every = [start for layer in starts(solution) for start in layer]
    begins = [solution.begins_after(start) for start in every]
    true = [one for layer in starts(solution) for one in outlooks(solution, layer)]
    bounds, sizes = [], []
    for each in (60, 30, 20):
        outlook = outlook_of(solution, room=each * count_starts(solution.arrays))
        sizes.append(sum(array.nbytes for array in outlook.arrays.values()))
        found = outlook.distributions(begins)
        for one, other in zip(found, true, strict=True):
            assert other is not None
            assert distance(one, other) <= one.error + 1e-12
            assert one.mean == pytest.approx(other.mean, abs=1e-7)
            assert one.standard_deviation == pytest.approx(other.standard_deviation, rel=1e-6, abs=1e-6)
        bounds.append(max(one.error for one in found))
    assert bounds == sorted(bounds)
    assert sizes == sorted(sizes, reverse=True)
    assert bounds[0] < 0.005 < bounds[-1]


def test_the_room_decides_how_closely() -> None:
    maxi, yatzy = 29_065_216, 828_416
    assert not closeness(yatzy).spare
    close = closeness(maxi)
    assert close.spare
    assert spared(close, maxi, 0) == pytest.approx(0.0051, abs=1e-4)
    assert spared(close, maxi // 2, ROOM // 2) == pytest.approx(spared(close, maxi, 0))
    assert spared(close, maxi // 2, ROOM * 2 // 3) > spared(close, maxi, 0)
    assert spared(close, maxi // 2, ROOM // 9) == 0.002


def test_boxes_in_order_leave_the_last_ones_open() -> None:
    """A sheet whose first box is open and whose last is filled does not occur."""
    solution = solved("in order")
    with pytest.raises(PositionError, match="does not occur"):
        solution.value(Turn(0b0011, 0, False, (), 3))
    assert solution.value(Turn(0b1100, 0, False, (), 3)) > 0


def test_threads_change_nothing() -> None:
    solution = solved("bonus")
    one, three = outlook_of(solution, threads=1), outlook_of(solution, threads=3)
    assert all(np.array_equal(one.arrays[name], array) for name, array in three.arrays.items())


def test_progress_is_told_and_counts_every_turn_start() -> None:
    solution, told = solved("five dice"), []
    outlook_of(solution, threads=1, progress=lambda *news: told.append(news))
    total = count_starts(solution.arrays)
    assert told[-1] == ("looking ahead", total, total)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_what_does_not_fit_is_refused_before() -> None:
    with pytest.raises(GameError, match="the outlook of 5 boxes needs"):
        outlook_of(solved("five dice"), max_bytes=1000)


def test_the_plan_says_about_what_is_kept() -> None:
    solution = solved("yazy")
    size = sum(array.nbytes for array in outlook_of(solution).arrays.values())
    assert 0.5 < plan_outlook(solution.arrays).disk_bytes / size < 2


# Advice


def test_advice_from_what_is_kept_and_exactly() -> None:
    solution = solve(load("yazy"))
    state = solution.game.read_state(WIDE)
    before, quick = advise(solution, state), advise(solution, state, outlook=True)
    assert [move.outlook.error for move in before.moves if move.outlook] == [0.0] * 5
    assert all(move.outlook is not None and 0 < move.outlook.error < 0.005 for move in quick.moves)
    assert all(move.outlook is not None for move in advise(solution, state).moves)
    exact = advise(solution, state, top=3, outlook="exact")
    pairs = list(zip(quick.moves, exact.moves, strict=False))
    assert [move.outlook.error for _, move in pairs if move.outlook] == [0.0] * 3
    check([one.outlook for one, _ in pairs if one.outlook], [other.outlook for _, other in pairs])


def test_few_moves_of_a_small_sheet_are_followed() -> None:
    solution = solve(load("yazy", boxes="ones,straight"))
    moves = advise(solution, solution.game.read_state("12346 1 all"), outlook=True).moves
    assert all(move.outlook is not None and move.outlook.error == 0 for move in moves)
    assert ability(solution, LooksAhead).quick_plan() is not None


def test_a_wrong_wish_is_refused() -> None:
    solution = solve(load("slots"))
    with pytest.raises(GameError, match="outlook='exactly': expected True, False, None or 'exact'"):
        advise(solution, solution.game.read_state("all 0 6"), outlook="exactly")  # type: ignore[arg-type]


def test_where_nothing_is_kept() -> None:
    """Exact solutions, games of another kind, chances, and scores that span too much."""
    far = Sheet([Box("far", lambda hand: 20_000 * hand[0])], count=1, faces=2, rerolls=1)
    high = Sheet([Box("high", lambda hand: 40_000 + hand[0])], count=1, faces=2, rerolls=1)
    for one in (solve(load("yazy", boxes="ones"), exact=True), solve(load("pig", target=5)), solve(far), solve(high)):
        assert quick_outlooks(one, [one.game.start()], build=True) is None
        assert ability(one, LooksAhead).quick_plan() is None
    chances = solve(load("yazy", boxes="ones,straight"), AtLeast(3))
    state = chances.game.read_state("12346 1 all needs 3")
    assert all(move.outlook is None for move in advise(chances, state, outlook=True).moves)


# The store


def asked(solution: Solution) -> list[Distribution]:
    found = quick_outlooks(solution, [solution.game.start()])
    assert found is not None
    return found


def test_it_is_kept_beside_the_solution(tmp_path: Path) -> None:
    game = PARTS["jokers"]
    first = cached.solve(game, directory=tmp_path, worth_seconds=0, name="five")
    assert quick_outlooks(first, [game.start()]) is None
    built = quick_outlooks(first, [game.start()], build=True)
    assert built is not None
    again = cached.load(game, directory=tmp_path)
    assert again is not None
    assert np.array_equal(asked(again)[0].chance, built[0].chance)
    assert asked(again)[0].error == built[0].error
    assert ability(again, LooksAhead).quick_plan() is None
    listed = {entry.path.name.partition("-")[0]: entry for entry in cached.verify(tmp_path)}
    assert {name: (entry.name, entry.fault) for name, entry in listed.items()} == {
        "sheet": ("five", None),
        "outlook": ("five", None),
    }
    assert listed["outlook"].objective == "expected: outlook"
    assert len(cached.clear(tmp_path)) == 2


@pytest.mark.parametrize("file", ["bins.npy", "error.npy", "mean.npy", "manifest.json"])
def test_what_is_damaged_is_worked_out_again(tmp_path: Path, file: str) -> None:
    game, told = PARTS["jokers"], list[str]()
    built = quick_outlooks(cached.solve(game, directory=tmp_path, worth_seconds=0), [game.start()], build=True)
    (entry,) = tmp_path.glob("outlook-*")
    content = bytearray((entry / file).read_bytes())
    content[-3] ^= 4
    (entry / file).write_bytes(content)
    again = cached.solve(game, directory=tmp_path, refused=told.append)
    assert quick_outlooks(again, [game.start()]) is None
    assert len(told) == 1
    assert "computed again on demand" in told[0]
    assert not entry.exists()
    anew = quick_outlooks(again, [game.start()], build=True)
    assert built is not None
    assert anew is not None
    assert np.array_equal(anew[0].chance, built[0].chance)
    assert entry.exists()


def test_one_of_another_solution_is_not_used(tmp_path: Path) -> None:
    """A folder that was given the name of another one's says whose it is."""
    one, other = PARTS["jokers"], PARTS["bonus"]
    for game in (one, other):
        quick_outlooks(cached.solve(game, directory=tmp_path, worth_seconds=0), [game.start()], build=True)
    first, second = sorted(tmp_path.glob("outlook-*"))
    for file in first.iterdir():
        file.unlink()
    for file in second.iterdir():
        (first / file.name).write_bytes(file.read_bytes())
    found = [quick_outlooks(cached.solve(game, directory=tmp_path), [game.start()]) for game in (one, other)]
    assert sum(one is None for one in found) == 1


def test_where_it_cannot_be_written_it_is_there_all_the_same(tmp_path: Path) -> None:
    game, told = PARTS["jokers"], list[str]()
    solution = cached.solve(game, directory=tmp_path, worth_seconds=0, refused=told.append)
    key = next(tmp_path.glob("sheet-*")).name
    (tmp_path / f"outlook-{key}").write_text("in the way")
    assert quick_outlooks(solution, [game.start()], build=True) is not None
    assert asked(solution)


def test_without_a_store_nothing_is_written() -> None:
    solution = solve(PARTS["jokers"])
    assert quick_outlooks(solution, [solution.game.start()], build=True)
    assert asked(solution)


# The command line


def test_the_command_line_shows_the_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["advise", "yazy", "--cache", str(tmp_path), "--state", WIDE, "--top", "40"]
    code, out, _ = run(capsys, *place, "--outlook")
    assert code == 0
    assert "quick outlook: chances +/- 0.21 percentage points; --outlook exact follows every move to the end" in out
    found = json.loads(run(capsys, *place, "--json")[1])["moves"]
    assert all(0 < move["outlook"]["error"] < 0.005 for move in found)
    exact = json.loads(run(capsys, *place, "--json", "--top", "2", "--outlook", "exact")[1])["moves"]
    assert [move["outlook"]["error"] for move in exact] == [0.0, 0.0]
    for one, other in zip(found, exact, strict=False):
        assert one["outlook"]["mean"] == pytest.approx(other["outlook"]["mean"], abs=1e-9)
        assert one["outlook"]["standard_deviation"] == pytest.approx(other["outlook"]["standard_deviation"], abs=1e-9)


def test_the_command_line_says_how_to_get_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "advise", "kniffel", "--cache", str(tmp_path), "--state", "22233 2 all upper 0", "--top", "2"
    )  # fmt: skip
    assert code == 0
    assert "--outlook shows the spread of the points to come (the first time: about" in out


@pytest.mark.full
def test_a_kept_outlook_needs_no_compiler(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["advise", "yazy", "--cache", str(tmp_path), "--state", WIDE, "--top", "40"]
    assert run(capsys, *place, "--outlook")[0] == 0
    code = f"import sys; from rollwise.cli.main import main; main({[*place, '--json']!r}); print('numba' in sys.modules)"
    done = rollwise_process(code)
    assert done[-1] == "False"
    assert all(move["outlook"]["error"] > 0 for move in json.loads(done[0])["moves"])


def rollwise_process(code: str) -> list[str]:
    from subprocess import run as start  # noqa: PLC0415

    done = start([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


# The server


SHEET: dict[str, Any] = {"game": "yazy", "parameters": {"boxes": "ones,sixes,straight,full-house"}}
PLACE: dict[str, Any] = {"state": "11234 1 all", "action": "keep 1234"}


def test_the_server_answers_from_what_is_kept_or_exactly(tmp_path: Path) -> None:
    game = load(SHEET["game"], **SHEET["parameters"])
    assert quick_outlooks(cached.solve(game, directory=tmp_path, worth_seconds=0), [game.start()], build=True)
    with connect(tmp_path) as client:
        serve(client, SHEET)
        quick = ask(client, "/api/outlook", **SHEET, **PLACE)
        exact = ask(client, "/api/outlook", **SHEET, **PLACE, exact=True)
    assert 0 < quick["error"] < 0.005
    assert exact["error"] == 0
    for name in ("mean", "standard_deviation"):
        assert quick[name] == pytest.approx(exact[name], abs=1e-9)


def test_the_server_prepares_what_it_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes a moment is followed to the end until what makes it quicker is there."""
    monkeypatch.setattr(precompute, "WORTH_SECONDS", 0.0)
    with connect(tmp_path) as client:
        serve(client, SHEET)
        end = monotonic() + 600
        while not ask(client, "/api/outlook", **SHEET, **PLACE)["error"]:
            assert monotonic() < end
            sleep(0.05)


# 1,000 positions of each game against the exact outlook; early ones take seconds each, so there are few of them


@pytest.mark.audit
@pytest.mark.parametrize("name", ["yazy", "yahtzee", "yatzy", "kniffel"])
def test_a_thousand_positions_of_every_game(name: str, record_property: Any) -> None:
    solution, source = solved(name), Source(13)
    early = 12 if name != "yazy" else 1000
    worst = 0.0
    for number in range(1000):
        state = random_state(solution, source, 99 if number < early else 7)
        pending = solution.game.play(state, source.choice(list(solution.game.actions(state))))
        found = quick_outlooks(solution, [pending], build=True)
        assert found is not None
        assert found[0].error < 0.005
        worst = max(worst, check(found, outlooks(solution, [pending])))
    record_property(f"largest error in {name}", worst)
