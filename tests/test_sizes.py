"""What is far apart stays a list, what is too large is refused before it is allocated, and every answer has an end."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import Against, distribution
from rollwise.cli.distribution import histogram
from rollwise.cli.main import main
from rollwise.errors import GameError
from rollwise.games import load
from rollwise.games.groups import Groups
from rollwise.games.sheets.boxes import Box
from rollwise.games.sheets.rules import Sheet
from rollwise.games.words import Words
from rollwise.playing.distribution import win_chance
from rollwise.playing.opponents import parse_opponent
from rollwise.reports.build import build_report, distribution_picture
from rollwise.reports.page import write_page
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.graph.follow import WIDEST
from rollwise.solvers.partitions.solution import groups_bytes
from rollwise.solvers.rerolls.solution import _goals, group_dice, reroll_bytes
from rollwise.solvers.rerolls.sweeps import NumpySweeps, RerollArrays, axis_size, make_axis, sweep
from rollwise.solvers.rerolls.sweeps_numba import NumbaSweeps
from rollwise.web.limits import Limits
from tests.web_client import TestClient, ask, assert_refused, connect, solve

FAR = 10**9
SPARSE = {"slots": f"a:0/{FAR}"}


@pytest.fixture(scope="module")
def sparse() -> Distribution:
    return distribution(rollwise.solve(load("slots", **SPARSE)))


def test_totals_that_lie_far_apart_stay_a_list(sparse: Distribution) -> None:
    assert (sparse.values.tolist(), sparse.chance.tolist(), sparse.lowest, sparse.highest) == ([0, FAR], [0.5, 0.5], 0, FAR)
    assert (sparse.mean, sparse.standard_deviation, sparse.quantile(0.5), sparse.quantile(0.51)) == (FAR / 2, FAR / 2, 0, FAR)
    assert [sparse.at_least(n) for n in (-(10**30), 0, 1, FAR, FAR + 1, 10**30)] == [1, 1, 0.5, 0.5, 0, 0]
    assert (sparse.between(0, FAR), sparse.between(1, FAR), sparse.between(1, FAR + 1)) == (0.5, 0, 0.5)
    assert (sparse + 3).values.tolist() == [3, FAR + 3]
    assert Against.of(sparse).distribution == ((0, 1), (FAR, 1))
    assert win_chance(sparse, Against({5: 1})) == 0.5
    dense = distribution(rollwise.solve(load("slots", slots=f"a:0/{WIDEST - 1}")))
    assert (dense.numbers, len(dense.chance), dense.highest) == (None, WIDEST, WIDEST - 1)


def test_what_is_shown_of_them(sparse: Distribution) -> None:
    lines = histogram(sparse, 20, plain=True)
    assert len(lines) <= 22
    assert [share for _, bar, share in lines if bar] == ["50.00 %", "50.00 %"]
    assert distribution_picture(sparse, title="far apart").count("<rect") == 2
    solution = rollwise.solve(load("slots", **SPARSE), rollwise.Expected())
    move = rollwise.advise(solution, solution.game.read_state("all 0 2"), outlook=True).moves[0]
    assert move.outlook is not None
    assert move.outlook.values.tolist() == [FAR]


def test_the_command_prints_them_and_an_opponent_is_read_from_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sparse: Distribution
) -> None:
    told = ["distribution", "slots", "-p", f"slots={SPARSE['slots']}", "--cache", str(tmp_path)]
    assert main([*told, "--json"]) == 0
    text = capsys.readouterr().out
    found = json.loads(text)
    assert (found["lowest"], found["values"], found["chance"]) == (0, [0, FAR], [0.5, 0.5])
    assert parse_opponent(text) == Against.of(sparse)
    assert main([*told, "-o", str(tmp_path / "far.svg")]) == 0
    assert main(["distribution", "slots", "--json", "--cache", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["values"] is None


def test_an_opponent_with_other_values() -> None:
    for values in ("[1]", "3", "[1, 2, 3]", '["a", "b"]', "[0.5, 1]", "[null, 1]"):
        with pytest.raises(GameError):
            parse_opponent(f'{{"lowest": 1, "values": {values}, "chance": [1, 1]}}')


def test_a_report_of_them(tmp_path: Path) -> None:
    page = build_report(rollwise.solve(load("slots", slots=f"a:0/{FAR},b:{FAR}/7,c:-{FAR}/{FAR}", target=FAR)), name="slots")
    write_page(page, tmp_path / "far.html", "")
    assert (tmp_path / "far.html").stat().st_size < 200_000


def _paying(points: int, boxes: int) -> Sheet:
    """A sheet of two coins, one box for each of some sums, next to each other, for two heads."""

    def box(i: int) -> Box:
        return Box(f"b{i}", lambda hand: points - i if hand == (2, 2) else 0)

    return Sheet([box(i) for i in range(boxes)], count=2, faces=2, rerolls=1)


def test_a_sheet_that_pays_far_apart() -> None:
    solution = rollwise.solve(_paying(10**12, 3))
    found = distribution(solution)
    assert found.numbers is not None
    assert len(found.chance) == 8
    assert found.mean == pytest.approx(float(solution.value()), rel=1e-12)
    with pytest.raises(GameError, match="points that lie closer together"):
        distribution(rollwise.solve(_paying(10**12, 15)))


def test_memory_is_bounded_where_one_asks_for_it() -> None:
    sheet = rollwise.solve(load("yazy", boxes="ones,twos,straight"))
    words = rollwise.solve(load("words", dice="ABC,ABC,BCD", words="ABC"))
    groups = rollwise.solve(load("groups", faces="6", sizes="1,2"))
    slots = rollwise.solve(load("slots"))
    for solution in (sheet, words, groups, slots):
        with pytest.raises(GameError, match=r"GiB, more than the 0\.0 GiB that it may take"):
            distribution(solution, max_bytes=100)
        assert distribution(solution, max_bytes=1 << 30).chance.tolist() == distribution(solution).chance.tolist()


# Words and groups


@pytest.mark.parametrize(
    "dice",
    [
        ["".join(map(chr, range(65, 81)))] * 8 + ["".join(map(chr, range(97, 114)))] * 4,
        ["".join(map(chr, range(0x4E00, 0x4E40)))] * 16,
        ["".join(map(chr, range(0x4E00 + i, 0x4E11 + i))) for i in range(8)],
    ],
)
def test_words_are_sized_before_anything_is_listed(dice: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solvers.rerolls.solution.make_axis", lambda *_: pytest.fail("something was listed"))
    with pytest.raises(GameError, match="use fewer dice or faces"):
        rollwise.solve(Words(dice, ["".join(symbols[0] for symbols in dice)]))


def test_a_words_game_takes_what_was_said() -> None:
    """The game that took 24 GB is 8 dice of 16 symbols and 2 of 17: its size is said to be less than 9 GiB."""
    dice = ["".join(map(chr, range(65, 81)))] * 8 + ["".join(map(chr, range(97, 114)))] * 2
    assert axis_size(16, 8) == (735_471, 490_314)
    assert 4 << 30 < reroll_bytes(Words(dice, ["ABCDEFGHab"])) < 9 << 30


@pytest.mark.full
def test_equal_dice_with_many_keeps_agree_with_each_kernel() -> None:
    """Beyond a million chances of a hand from a keep none are listed: compiled and plain sweeps work them out."""
    dice = ["ABCDEFGHI"] * 5
    game = Words(dice, ["ABCDE", "FGHII"])
    axis = make_axis((1,) * 9, 5)
    assert axis.size * (axis.size - axis.first_hand) > 1_000_000
    arrays = RerollArrays((axis,), _goals(game, group_dice(game), (axis,)))
    plain, compiled = sweep(arrays, NumpySweeps()), sweep(arrays, NumbaSweeps())
    assert np.allclose(plain.value, compiled.value, rtol=1e-12)
    assert rollwise.solve(game).value() == pytest.approx(plain.value[0], rel=1e-12)


RARE = [
    (["C" * 1999 + "B", "E" * 1998 + "B"], ["BB"], 2999.0),
    (["CE" * 999 + "CBF"] * 3, ["BFB"], None),
    (["A" * 1998 + "B", "E", "DC" * 999 + "BF"], ["BEF"], None),
]


@pytest.mark.parametrize(("dice", "words", "value"), RARE)
def test_a_rare_symbol_among_many_faces(dice: list[str], words: list[str], value: float | None) -> None:
    found = rollwise.solve(Words(dice, words))
    exact = rollwise.solve(Words(dice, words), exact=True).value()
    assert abs(float(found.value()) - float(exact)) <= found.certificate.error_bound
    assert found.certificate.error_bound < 1e-4
    assert value is None or float(exact) == pytest.approx(value, abs=1e-9)


def test_what_does_not_settle_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solvers.rerolls.sweeps.ROUNDS", 1)
    with pytest.raises(rollwise.errors.EngineError, match="--exact"):
        rollwise.solve(Words(["AB", "CD"], ["CA"]))


# The server


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with connect(tmp_path_factory.mktemp("store"), Limits()) as found:
        yield found


def test_the_server_sends_a_list(client: TestClient) -> None:
    solve(client, {"game": "slots", "parameters": SPARSE})
    found = ask(client, "/api/distribution", game="slots", parameters=SPARSE)
    assert (found["lowest"], found["values"], found["chance"]) == (0, [0, FAR], [0.5, 0.5])
    after = ask(client, "/api/outlook", game="slots", parameters=SPARSE, state="all 0 2", action="a")
    assert (after["lowest"], after["chance"]) == (FAR, [1.0])


def test_what_takes_more_than_a_gibibyte_is_refused(client: TestClient) -> None:
    for game, parameters in (
        ("words", {"dice": ",".join(["ABCDEFGHIJKLMNOPQRST"] * 8), "words": "ABCDEFGH"}),
        ("words", {"dice": ",".join(["".join(map(chr, range(0x4E00, 0x4E40)))] * 4), "words": "\u4e00" * 4}),
    ):
        answer = client.post("/api/solve", json={"game": game, "parameters": parameters})
        assert "too large to be solved here" in assert_refused(answer, 413)


def test_the_bound_on_memory_is_the_servers(tmp_path: Path) -> None:
    with connect(tmp_path, Limits(work_bytes=1000)) as client:
        solve(client, {"game": "slots", "parameters": {}})
        for path, more in (("/api/distribution", {}), ("/api/outlook", {"state": "all 0 2", "action": "x3"})):
            answer = client.post(path, json={"game": "slots", "parameters": {}, **more})
            assert "too large to be solved here" in assert_refused(answer, 422)
    assert groups_bytes(Groups(60, [4] * 15)) < 1 << 30


def test_the_time_of_an_answer_counts_from_the_request(tmp_path: Path) -> None:
    with connect(tmp_path, Limits(follow_seconds=0)) as client:
        solve(client, {"game": "slots", "parameters": {}})
        body = {"game": "slots", "parameters": {}, "lines": [{"kind": "roll", "text": "all 0 6"}]}
        assert "more than 0 seconds" in assert_refused(client.post("/api/grade", json=body), 422)
        judged = client.post("/api/contest/groups", json={"input": "1\n3 6 2\n1\n2\n"})
        assert "more than 0 seconds" in assert_refused(judged, 422)
