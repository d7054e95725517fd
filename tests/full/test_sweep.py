"""A sweep: rows are single solves, failures are rows, files agree, it goes on where it was killed, and meets values."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

import rollwise
from rollwise import AtLeast, GameError, distribution, solve
from rollwise.games import load
from rollwise.solvers.solve import solve_with_options
from rollwise.sweeps import job
from rollwise.sweeps.find import find
from rollwise.sweeps.journal import SweepJournal
from rollwise.sweeps.sweep import Sweep, SweepRows, make_sweep
from rollwise.sweeps.table import write_table
from rollwise.sweeps.workers import Failure, Here, Processes
from tests.terminal import run

ROOT = Path(__file__).parents[2]
FILE = '''
from rollwise import Game, Parameter, die
from rollwise.params import Integer

class Hump(Game):
    """Toss a die that counts more in the middle."""
    parameters = (Parameter("at", Integer(), "where", "10"), Parameter("share", float, "a number", "0.5"))
    def __init__(self, at=10, share=0.5): self.at, self.share = at, share
    def start(self): return 0
    def roll(self, pending): return {1: 1} if self.at != 13 else 1 / 0
    def actions(self, state): return []
    def play(self, state, action): return 0
    def payoff(self, state): return -abs(self.at - 20) + round(10 * self.share)
'''


def rows_of(sweep: Sweep, workers: Any = None) -> list[dict[str, Any]]:
    with SweepJournal(None, sweep.command()) as journal:
        rows = SweepRows(sweep, workers or Here(), journal)
        rows.solve(list(sweep.combinations()))
        return rows.listed()


def found_in(sweep: Sweep, to: float) -> tuple[Any, SweepRows]:
    with SweepJournal(None, sweep.command()) as journal:
        rows = SweepRows(sweep, Here(), journal)
        return find(rows, to), rows


# What is swept


def values_of(text: str, game: str = "slots") -> tuple[Any, ...]:
    return make_sweep(game, [text], {}).axes[0].values


def test_values_have_their_natural_types() -> None:
    for game, text, values in (
        ("slots", "target=40,42", (40, 42)),
        ("slots", "target=40..43", (40, 41, 42, 43)),
        ("slots", "target=40..50..4,7", (40, 44, 48, 7)),
        ("slots", "target=-3..-1", (-3, -2, -1)),
        ("slots", "slots=a:1/2,b:2/1;a:1/3,b:2/1", ("a:1/2,b:2/1", "a:1/3,b:2/1")),
        ("yazy", "boxes=ones,twos;straight", ("ones,twos", "straight")),
        ("yatzy", "in_order=yes,no", (True, False)),
        ("yahtzee", "joker=free,none", ("free", "none")),
        ("yazy", "at-least=100..102", (100, 101, 102)),
        ("yazy", "objective=expected;at-least 20", ("expected", "at-least 20")),
    ):
        found = values_of(text, game)
        assert found == values
        assert [type(value) for value in found] == [type(value) for value in values]


def test_hostile_texts_are_refused() -> None:
    for text, part in (
        ("", "expected NAME=VALUE,VALUE"),
        ("target=", "an empty value"),
        ("target=1,1", "names '1' twice"),
        ("target=1..3,2", "names '2' twice"),
        ("target=5..1", "rising"),
        ("target=0..99999999999", "expected at most 1,000,000"),
        ("target=three", "expected an integer"),
        ("target=" + "9" * 5000, "expected an integer"),
        ("tragte=1", "did you mean 'target'?"),
        ("__class__=1", "unknown parameter of slots '__class__'"),
        ("at-least=many", "expected an integer"),
    ):
        with pytest.raises(GameError) as fault:
            make_sweep("slots", [text], {})
        assert part in str(fault.value)
        assert len(str(fault.value)) < 12_000


# Rows


def test_rows_are_single_solves() -> None:
    rows = rows_of(make_sweep("slots", ["target=44..46"], {}))
    assert [row["target"] for row in rows] == [44, 45, 46]
    for row in rows:
        alone = solve(load("slots", target=row["target"]))
        final = distribution(alone)
        assert row["value"] == alone.value()
        assert (row["mean"], row["standard_deviation"]) == (final.mean, final.standard_deviation)
        assert [row[f"q{share:02}"] for share in (5, 25, 50, 75, 95)] == [final.quantile(s / 100) for s in (5, 25, 50, 75, 95)]
        assert (row["objective"], row["states"]) == (f"at-least {row['target']}", alone.states)
        assert (row["certificate"], row["error_bound"]) == ("everywhere", alone.certificate.error_bound)
        assert (row["bonus_chance"], row["note"], row["error"]) == (None, None, None)


def test_one_solution_answers_every_target_of_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[str] = []

    def watched(game: Any, objective: Any, how: Any) -> Any:
        solved.append(str(objective))
        return solve_with_options(game, objective, how)

    monkeypatch.setattr(job, "solve_with_options", watched)
    sweep = make_sweep("yazy", ["rerolls=0,1", "at-least=5..30..5"], {"boxes": "ones,straight"})
    rows = rows_of(sweep)
    assert solved == ["at-least 5"] * 2
    assert len(rows) == 12
    for row in rows:
        alone = solve(load("yazy", boxes="ones,straight", rerolls=row["rerolls"]), AtLeast(row["at-least"]))
        assert row["value"] == alone.value()
        assert row["q50"] == distribution(alone).quantile(0.5)
        assert (row["boxes"], row["objective"]) == ("ones,straight", f"at-least {row['at-least']}")


def test_objectives_are_swept() -> None:
    texts = [f"against self, best of {count}, ties {ties}" for ties in ("win", "lose") for count in (1, 2)]
    rows = rows_of(make_sweep("yazy", [f"objective={';'.join(texts)}"], {"boxes": "ones"}))
    assert [row["objective"] for row in rows] == texts
    values = [row["value"] for row in rows]
    assert values[0] > values[1] > values[3]
    assert values[0] + values[2] == pytest.approx(1)


def test_exact_values_are_fractions() -> None:
    rows = rows_of(make_sweep("slots", ["target=45,51"], {}, exact=True))
    assert [row["exact"] for row in rows] == ["13817/46656", "115/3888"]
    assert rows[0]["value"] == float(Fraction(13817, 46656))
    assert {row["certificate"] for row in rows} == {"exact"}


def test_failures_are_rows_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "hump.py").write_text(FILE)
    rows = rows_of(make_sweep(str(tmp_path / "hump.py"), ["at=12..14"], {}))
    assert [row["value"] for row in rows] == [-3, None, -1]
    assert "roll() failed" in rows[1]["error"]
    assert "ZeroDivisionError" in rows[1]["error"]
    assert "\n" not in rows[1]["error"]
    rows = rows_of(make_sweep("yazy", ["rerolls=0,101"], {"boxes": "ones"}))
    assert rows[0]["error"] is None
    assert "expected 0 to 100" in rows[1]["error"]
    rows = rows_of(make_sweep("pig", ["target=5,60"], {}, max_states=500))
    assert rows[0]["value"] is not None
    assert "budget" in rows[1]["error"]


def test_games_in_files_are_swept(tmp_path: Path) -> None:
    (tmp_path / "hump.py").write_text(FILE)
    sweep = make_sweep(str(tmp_path / "hump.py"), ["share=0.1..0.3..0.1"], {})
    assert sweep.axes[0].values == (0.1, 0.2, 0.3)
    assert [row["value"] for row in rows_of(sweep)] == [-9, -8, -7]
    path = str(ROOT / "examples" / "pig.toml")
    rows = rows_of(make_sweep(path, ["target=8..10"], {}))
    assert [row["value"] for row in rows] == [solve(load(path, target=str(t))).value() for t in (8, 9, 10)]


@pytest.mark.full
def test_python_sweeps_in_one_call() -> None:
    rows = rollwise.sweep(
        "yazy", {"rerolls": [0, 101], "boxes": [["ones", "twos"], "ones"]}, objective="at-least 3", distributions=False
    )
    assert [(row["rerolls"], row["boxes"]) for row in rows] == [(0, "ones,twos"), (0, "ones"), (101, "ones,twos"), (101, "ones")]
    assert rows[0]["value"] == solve(load("yazy", boxes="ones,twos", rerolls=0), AtLeast(3)).value()
    assert [row["error"] is None for row in rows] == [True, True, False, False]
    (row,) = rollwise.sweep("kniffel", {"rerolls": [0]}, parameters={"threshold": 20}, workers=1, distributions=False)
    assert (row["threshold"], row["error"]) == (20, None)
    with pytest.raises(GameError, match="an empty value"):
        rollwise.sweep("yazy", {"rerolls": []})


# Files


def test_a_table_holds_the_rows(tmp_path: Path) -> None:
    sweep = make_sweep("yazy", ["rerolls=0,1,101", "boxes=ones;ones,straight"], {})
    rows = rows_of(sweep)
    write_table(tmp_path / "table.csv", sweep.columns, rows)
    with (tmp_path / "table.csv").open(newline="") as file:
        listed = list(csv.DictReader(file))
    assert list(listed[0]) == list(sweep.columns)
    assert listed == [{name: "" if row[name] is None else str(row[name]) for name in sweep.columns} for row in rows]


# Workers


def double(number: int) -> int:
    """What the workers of these tests do; 13 kills its process, 14 prints."""
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdout.write("a rule that prints\n")
    return 2 * number


@pytest.mark.full
def test_processes_do_all_jobs_in_any_order() -> None:
    workers = Processes(2)
    try:
        assert sorted(workers.each(double, range(7))) == [(i, 2 * i) for i in range(7)]
        first = set(workers.idle)
        assert dict(workers.each(double, [5])) == {0: 10}
        assert set(workers.idle) == first, "they stay for the next jobs"
    finally:
        workers.close()
    assert not workers.idle


@pytest.mark.full
def test_a_job_that_kills_its_process_is_a_failure_and_the_others_are_done() -> None:
    workers = Processes(2)
    try:
        found = dict(workers.each(double, [1, 13, 3, 4]))
    finally:
        workers.close()
    assert (found[0], found[2], found[3]) == (2, 6, 8)
    assert isinstance(found[1], Failure)
    assert "its process died, twice" in found[1].reason


UNGUARDED = """
import rollwise
print(len(rollwise.sweep("slots", {"target": [3, 4]}, distributions=False, workers=2)))
"""


@pytest.mark.full
def test_a_script_that_sweeps_is_not_run_again_by_its_workers(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(UNGUARDED)
    done = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2\n", "")


# Going on


WAITING = FILE.replace(
    "def start(self): return 0",
    """def start(self):
        import pathlib, time
        while self.at > 6 and not pathlib.Path("go").exists(): time.sleep(0.01)
        pathlib.Path("log").open("a").write(f"{self.at}\\n")
        return 0""",
)
"""Rules that wait, from 6 on, until there is a file `go`."""


def start_sweep(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    # Where the tests run in the background, SIGINT may be ignored; the sweep inherits that.
    line = ["env", "--default-signal=INT", sys.executable, "-m", "rollwise", "sweep", "slow.py", "--over", "at=1..12"]
    line += ["--threads", "2", "-o", "out.csv", *more]
    return subprocess.Popen(
        line, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip


@pytest.mark.full
def test_ctrl_c_while_workers_start_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(WAITING)
    first = start_sweep(tmp_path)
    while len(psutil.Process(first.pid).children()) < 3:  # two workers, and Python's own tracker of resources
        assert first.poll() is None
    os.killpg(first.pid, signal.SIGINT)
    assert first.communicate() == (b"", b"rollwise: stopped\n")
    assert first.returncode == 130


@pytest.mark.full
def test_it_goes_on_after_kill_9(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(WAITING)
    first = start_sweep(tmp_path)
    journal = tmp_path / "out.csv.journal"
    while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
        assert first.poll() is None, first.stderr and first.stderr.read()
        time.sleep(0.02)
    first.send_signal(signal.SIGKILL)
    (tmp_path / "go").touch()  # its workers go on until then
    first.communicate()
    assert not (tmp_path / "out.csv").exists()
    done = {json.loads(line.rpartition(b" ")[0])["at"][0] for line in journal.read_bytes().split(b"\n")[1:-1]}
    assert 3 <= len(done) < 12
    with journal.open("ab") as file:
        file.write(b'{"at": ["12"], "resu')
    (tmp_path / "log").unlink()
    second = start_sweep(tmp_path)
    out, err = second.communicate()
    assert (second.returncode, err) == (0, b"")
    again = set((tmp_path / "log").read_text().split())
    assert again.isdisjoint(done)
    with (tmp_path / "out.csv").open(newline="") as file:
        values = [(int(row["at"]), float(row["value"])) for row in csv.DictReader(file)]
    assert values == [(at, -abs(at - 20) + 5) for at in range(1, 13)]
    (tmp_path / "log").unlink()
    third = start_sweep(tmp_path)
    assert third.communicate()[0] == out
    assert not (tmp_path / "log").exists(), "nothing is solved again"


@pytest.mark.full
def test_another_sweep_on_the_same_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "table.csv"
    line = ["sweep", "slots", "-p", "slots=a:1/2,b:2/1", "--threads", "1", "-o", str(output)]
    assert run(capsys, *line, "--over", "target=3,4")[0] == 0
    before = output.read_bytes()
    for more, word in (
        (["--over", "target=3"], "--over"),
        (["--over", "target=3,4", "--only-values"], "--only-values"),
        (["--over", "target=3,4", "--exact"], "--exact"),
        (["--over", "target=3,4", "--at-least", "2"], "--objective"),
        (["--find", "target", "--to", "0.5", "--over", "target=3,4"], "--find"),
    ):
        code, out, err = run(capsys, *line, *more)
        assert (code, out) == (2, "")
        assert f"is of another sweep ({word} differs): name another file with -o, or remove it" in err
    assert output.read_bytes() == before
    output.with_name("table.csv.journal").unlink()
    code, _, err = run(capsys, *line, "--over", "target=3,4")
    assert code == 2
    assert "is there, but not the journal of its sweep" in err


def test_two_at_once_on_one_file_are_refused_and_what_is_no_journal_too(tmp_path: Path) -> None:
    sweep = make_sweep("slots", ["target=3"], {})
    path = tmp_path / "t.csv.journal"
    with (
        SweepJournal(path, sweep.command()),
        pytest.raises(GameError, match="another sweep is writing"),
        SweepJournal(path, sweep.command()),
    ):
        pass
    for content in (b"no journal\n", b"[]\n", b"{}\n", b'{"format": "rollwise sweep 2"}\n', b"\xff\xfe\n"):
        path.write_bytes(content)
        with (
            pytest.raises(GameError, match="is not the journal of a sweep|is of another sweep"),
            SweepJournal(path, sweep.command()),
        ):
            pass
        assert path.read_bytes() == content


# Finding


def scan(game: str, name: str, values: range, to: float, **parameters: str) -> tuple[Any, Any]:
    found = [(value, float(solve(load(game, **parameters, **{name: value})).value())) for value in values]
    return next(((a[0], b[0]) for a, b in pairwise(found) if min(a[1], b[1]) <= to <= max(a[1], b[1])), (None, None))


@pytest.mark.parametrize("to", [0.95, 0.5, 0.3, 0.031])
@pytest.mark.parametrize("over", [[], ["target=1..60"]])
def test_bisection_finds_what_a_full_scan_finds(to: float, over: list[str]) -> None:
    given = {"slots": "a:1/2/3/4/5/9,b:2/1/7/3/1/5,c:6/4/2/1/8/9"}
    (found,), rows = found_in(make_sweep("slots", over, given, last="target"), to)
    ((low, high),) = found.pairs
    assert (low["target"], high["target"]) == scan("slots", "target", range(1, 60), to, **given)
    assert low["value"] == solve(load("slots", **given, target=low["target"])).value()
    assert found.how == "bisection"
    assert len(rows.found) < 30
    assert found.nearest == min((low, high), key=lambda row: abs(row["value"] - to))


def test_what_rises_and_falls_is_scanned(tmp_path: Path) -> None:
    (tmp_path / "hump.py").write_text(FILE.replace("!= 13", "!= 1300"))
    (found,), rows = found_in(make_sweep(str(tmp_path / "hump.py"), ["at=1..40"], {}, last="at"), 0.5)
    assert "values rise and fall" in found.how
    assert [(low["at"], high["at"]) for low, high in found.pairs] == [(15, 16), (24, 25)]
    assert found.solved == len(rows.found) == 40
    (found,), _ = found_in(make_sweep(str(tmp_path / "hump.py"), ["at=1..40"], {}, last="at"), 5)
    assert [(low["at"], high["at"]) for low, high in found.pairs] == [(20, 20)], "met exactly"
    (found,), _ = found_in(make_sweep(str(tmp_path / "hump.py"), ["at=1..40"], {}, last="at"), 77)
    assert (found.pairs, found.nearest and found.nearest["at"]) == ((), 20)


def test_failures_in_a_bracket_lead_to_a_scan(tmp_path: Path) -> None:
    (tmp_path / "hump.py").write_text(FILE.replace("!= 13", "!= 20"))
    (found,), _ = found_in(make_sweep(str(tmp_path / "hump.py"), ["at=2..38"], {}, last="at"), 0.5)
    assert "some cannot be solved" in found.how
    assert [(low["at"], high["at"]) for low, high in found.pairs] == [(15, 16), (24, 25)]
    (tmp_path / "hump.py").write_text(FILE.replace("!= 13", "< 0"))
    (found,), _ = found_in(make_sweep(str(tmp_path / "hump.py"), [], {}, last="at"), 0.5)
    assert (found.pairs, found.nearest, found.solved) == ((), None, 0)


def test_choices_and_flags_are_listed_and_others_are_searched_for_each() -> None:
    given = {"boxes": "ones,twos"}
    found, _ = found_in(make_sweep("yazy", ["rerolls=0..2"], given, last="at-least"), 0.25)
    assert [one.others for one in found] == [{"rerolls": 0}, {"rerolls": 1}, {"rerolls": 2}]
    for one in found:
        ((low, high),) = one.pairs
        game = load("yazy", **given, rerolls=one.others["rerolls"])
        assert high["at-least"] == low["at-least"] + 1
        assert solve(game, AtLeast(low["at-least"])).value() >= 0.25 > float(solve(game, AtLeast(high["at-least"])).value())
    (found_one,), rows = found_in(make_sweep("yazy", ["boxes=ones;twos;ones,twos"], {}, last="boxes"), 4.2)
    assert (found_one.how, found_one.nearest and found_one.nearest["boxes"]) == ("list", "twos")
    assert len(rows.found) == 3
    with pytest.raises(GameError, match="has no order to search in: list its values"):
        make_sweep("yazy", [], {}, last="boxes")


# The command


@pytest.mark.full
def test_the_command_tells_what_it_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "found.svg"
    line = ["sweep", "slots", "-p", "slots=a:1/2/3,b:3/2/5", "--find", "target", "--to", "50%", "--threads", "1"]
    code, out, err = run(capsys, *line, "--plot", str(picture))
    assert (code, err) == (0, "")
    assert "nearest target=" in out
    assert "stroke-dasharray" in picture.read_text()
    code, out, _ = run(capsys, *line, "--json")
    found = json.loads(out)["found"]
    assert [one["find"] for one in found] == ["target"]
    low, high = found[0]["pairs"][0]
    assert low["value"] > 0.5 > high["value"]
    assert high["target"] == low["target"] + 1
    assert found[0]["nearest"] in (low, high)


@pytest.mark.full
def test_values_have_the_unit_of_what_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    """A target that is searched is not among the values that are listed, and its values are chances all the same."""
    _, out, _ = run(capsys, "sweep", "yazy", "-p", "boxes=ones,straight", "--find", "at-least", "--to", "50%", "--threads", "1")
    assert "%" in out
    assert "points" not in out


# Pictures


def parsed(path: Path) -> list[ET.Element]:
    return list(ET.fromstring(path.read_text(encoding="utf-8")).iter())


def tags(elements: list[ET.Element], name: str) -> list[ET.Element]:
    return [element for element in elements if element.tag.endswith(f"}}{name}")]


@pytest.mark.parametrize(
    ("over", "name", "count"),
    [
        (["rerolls=0..5"], "circle", 6),
        (["rerolls=0..5", 'boxes=ones;ones,twos;<&">'], "circle", 12),
        (["rerolls=0..4", "at-least=1..7"], "rect", 35),
        (["rerolls=0..11", "at-least=1..40"], "rect", 40 * 12),
        (["boxes=ones;twos;ones,twos;three-of-a-kind,four-of-a-kind"], "circle", 4),
        (["rerolls=3"], "circle", 1),
        (["rerolls=0,1,101"], "circle", 2),
    ],
)
def test_pictures_have_every_point(
    over: list[str], name: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollwise.sweeps.workers.Processes", lambda *number: Here())
    path = tmp_path / "picture.svg"
    boxes = [] if any("boxes" in text for text in over) else ["-p", "boxes=ones"]
    line = ["sweep", "yazy", *boxes, *(word for text in over for word in ("--over", text)), "--only-values", "--plot", str(path)]
    assert run(capsys, *line)[0] == 0
    elements = parsed(path)
    assert len(tags(elements, name)) == count
    assert tags(elements, "title")[0].text
    assert tags(elements, "desc")[0].text
    assert "prefers-color-scheme:dark" in path.read_text(encoding="utf-8")


def test_lines_of_a_journal_that_were_changed_are_computed_again(tmp_path: Path) -> None:
    sweep, other = make_sweep("slots", ["target=3,4,5"], {}), make_sweep("slots", ["target=3,4,6"], {})
    path = tmp_path / "t.csv.journal"
    with SweepJournal(path, sweep.command()) as journal:
        rows = SweepRows(sweep, Here(), journal)
        rows.solve(list(sweep.combinations()))
    head, *lines, _ = path.read_bytes().split(b"\n")
    with SweepJournal(tmp_path / "other", other.command()) as foreign:
        foreign.add(("4",), journal.results[("4",)])
    stranger = (tmp_path / "other").read_bytes().split(b"\n")[1]
    for place in (0, 5, lines[1].index(b"value") + 9, -20, -1):
        changed = bytearray(lines[1])
        changed[place] = changed[place] % 9 + 48
        for line in (bytes(changed), b"", stranger, b"[" * 5000):
            path.write_bytes(b"\n".join([head, lines[0], line, lines[2], b""]))
            with SweepJournal(path, sweep.command()) as again:
                assert ([*again.results], again.dropped) == ([("3",), ("5",)], 1)
    with SweepJournal(path, sweep.command()) as again:
        rows = SweepRows(sweep, Here(), again)
        rows.solve(list(sweep.combinations()))
    with SweepJournal(path, sweep.command()) as again:
        assert [again.results[at]["value"] for at in journal.results] == [one["value"] for one in journal.results.values()]
