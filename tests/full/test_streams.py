"""Standard streams that are closed, full or left: one line or silence, for every command.

The cases run in forks of one process that has imported everything, each with the streams that an interpreter would have made,
and each ends as an interpreter ends, so that what that says about its streams is seen too.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rollwise.cli.parsing import COMMANDS

SMALL = ["-p", "slots=a:1/2,b:2/1", "-p", "target=3"]
LINES = {
    "--help": ["--help"],
    "games": ["games"],
    "rules": ["rules", "slots", *SMALL],
    "solve": ["solve", "slots", *SMALL],
    "solve --help": ["solve", "--help"],
    "advise": ["advise", "slots", *SMALL, "--state", "all 0 1"],
    "show": ["show", "slots", *SMALL, "--state", "all 0 1"],
    "distribution": ["distribution", "slots", *SMALL],
    "risk": ["risk", "slots", *SMALL],
    "sweep": ["sweep", "slots", "-p", "slots=a:1/2,b:2/1", "--over", "target=2,3", "--threads", "1"],
    "report": ["report", "slots", *SMALL, "-o", "page.html"],
    "policy": ["policy", "slots", *SMALL, "-o", "page.csv"],
    "card": ["card", "slots", *SMALL, "--words"],
    "export": ["export", "slots", *SMALL, "-o", "page.umb"],
    "play": ["play", "slots", *SMALL, "--seed", "1"],
    "play --auto": ["play", "slots", *SMALL, "--auto", "--coach", "--seed", "1"],
    "serve": ["serve", "--port", "0"],
    "site": ["site", "-o", "coach", "yazy?p.boxes=ones"],
    "grade": ["grade", "record.txt"],
    "grade -": ["grade", "-"],
    "rate --help": ["rate", "--help"],
    "puzzles": ["puzzles", "slots", *SMALL],
    "choose": ["choose", "farkle", "--from", "dice.toml", "--take", "1"],
    "die": ["die", "1 2 3 4 5 6 6"],
    "simulate": ["simulate", "slots", *SMALL, "--games", "10"],
    "new --help": ["new", "--help"],
    "check": ["check", "slots", *SMALL],
    "contest": ["contest", "words"],
    "cache": ["cache", "list"],
    "plan": ["plan", "yazy", "-p", "boxes=ones,sixes", "--objective", "duel"],
    "cluster --help": ["cluster", "--help"],
    "completion": ["completion", "bash"],
    "help": ["help"],
    "a wrong line": ["solve", "yazzy"],
    "no such command": ["frobnicate"],
    "no command": [],
}
WRONG = {"a wrong line", "no such command"}
READS = {"play", "puzzles", "contest", "grade -"}

RUNNER = r"""
import gc, importlib, json, os, sys
from rollwise.cli.main import main
for name in (
    "cache.api", "playing.simulate", "playing.strategy", "playing.contests", "playing.check", "playing.puzzles",
    "playing.mistakes", "solvers.graph.solver", "solvers.graph.solving", "solvers.graph.run", "solvers.graph.certify",
    "solvers.sheets.solver", "reports.build", "adapters.models.write", "wire.to_json", "web.site",
):
    importlib.import_module(f"rollwise.{name}")
import rich.table
gc.collect()
gc.freeze()

def connect(number, way, out):
    os.close(number)
    if way == "left":
        back, front = os.pipe()
        os.close(back)
        if front != number:
            os.dup2(front, number)
            os.close(front)
    elif way != "closed":
        files = {"open": out, "full": "/dev/full", "empty": "input.txt"}
        opened = os.open(files[way], os.O_RDWR | os.O_CREAT | os.O_TRUNC * (way == "open"))
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)

def start(arguments, ways, place):
    for number, way in enumerate(ways):
        connect(number, way, f"{place}.{number}")
    sys.stdin = sys.__stdin__ = None if ways[0] == "closed" else open(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.__stdout__ = None if ways[1] == "closed" else open(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.__stderr__ = None if ways[2] == "closed" else open(2, "w", encoding="utf-8", buffering=1, closefd=False)
    sys.exit(main(arguments))

found = []
for number, (arguments, ways) in enumerate(json.load(sys.stdin)):
    child = os.fork()
    if not child:
        start(arguments, ways, f"case{number}")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    texts = [open(f"case{number}.{n}", encoding="utf-8").read() if ways[n] == "open" else "" for n in (1, 2)]
    found.append([code, *texts])
print(json.dumps(found))
"""

WAYS = {
    "full": ["empty", "full", "open"],
    "closed": ["empty", "closed", "open"],
    "left": ["empty", "left", "open"],
    "no input": ["closed", "open", "open"],
    "no errors": ["empty", "open", "closed"],
    "full errors": ["empty", "open", "full"],
    "nothing": ["closed", "closed", "closed"],
    "all left": ["empty", "left", "left"],
}

BASIC = ["--help", "games", "solve", "play", "play --auto", "grade", "grade -", "contest", "a wrong line", "no command"]
"""What is tried with all streams; the others print as these do, and are tried with an output that is full."""

Result = tuple[int, str, str]


def cases(way: str) -> list[str]:
    """Name what is tried; a server cannot say where it is, and so ends."""
    return list(LINES) if way == "full" else BASIC


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Result]:
    """Run the commands with every kind of streams."""
    place = tmp_path_factory.mktemp("streams")
    (place / "input.txt").write_text("")
    (place / "dice.toml").write_text("[dice]\nodd = [2, 1, 1, 1, 1, 1]\nfair = [1, 1, 1, 1, 1, 1]\n")
    (place / "record.txt").write_text("game: slots\nroll: all 0 6\n")
    tried = [(name, way) for way in WAYS for name in cases(way)]
    given = json.dumps([(LINES[name], WAYS[way]) for name, way in tried])
    done = subprocess.run([sys.executable, "-c", RUNNER], input=given, capture_output=True, text=True, cwd=place, check=True)
    assert done.stderr == ""
    return {case: (code, out, err) for case, (code, out, err) in zip(tried, json.loads(done.stdout), strict=True)}


def test_every_command_is_here() -> None:
    assert {command.__name__.rpartition(".")[2] for command in COMMANDS} <= {line[0] for line in LINES.values() if line}


@pytest.mark.parametrize("way", WAYS)
def test_one_line_or_silence(results: dict[tuple[str, str], Result], way: str) -> None:
    for name in cases(way):
        code, out, err = results[name, way]
        assert code in (0, 2, 141), (name, code, err)
        assert err.count("\n") <= 1, (name, err)
        assert "Traceback" not in err + out, name
        assert "Exception" not in err + out, name
        assert not err or err.startswith("rollwise"), (name, err)
        assert (code == 2) >= bool(err), (name, code, err)


@pytest.mark.parametrize(("way", "said"), [("full", "No space left on device"), ("closed", "it is closed")])
def test_an_output_that_cannot_be_written(results: dict[tuple[str, str], Result], way: str, said: str) -> None:
    for name in set(cases(way)) - WRONG - {"contest", "grade -"}:
        assert results[name, way] == (2, "", f"rollwise: cannot write to standard output: {said}\n"), name


def test_a_reader_that_leaves(results: dict[tuple[str, str], Result]) -> None:
    for name in set(cases("left")) - WRONG - {"contest", "grade -"}:
        assert results[name, "left"] == (141, "", ""), name

    assert {results[name, "all left"] for name in set(BASIC) - WRONG - {"contest", "grade -"}} == {(141, "", "")}


def test_an_input_that_is_closed(results: dict[tuple[str, str], Result]) -> None:
    for name in set(cases("no input")) - WRONG:
        code, out, err = results[name, "no input"]
        assert (code, err.startswith("rollwise: standard input is closed: expected")) == (
            (2, True) if name in READS else (0, False)
        )
        assert bool(out) is (name not in READS), name


@pytest.mark.parametrize("way", ["no errors", "full errors"])
def test_what_cannot_be_said_is_not_said_elsewhere(results: dict[tuple[str, str], Result], way: str) -> None:
    for name in cases(way):
        code, out, _ = results[name, way]
        fails = name in WRONG | {"contest", "grade -"}
        assert (code, "rollwise: " in out, bool(out)) == ((2, False, False) if fails else (0, False, True)), name


def test_in_a_shell(tmp_path: Path) -> None:
    """The real thing, once: interpreters started by a shell."""
    command = f"{sys.executable} -c 'import sys; from rollwise.cli.main import main; sys.exit(main())'"
    script = f"""
        {command} games > /dev/full; echo $?
        {command} games >&-; echo $?
        {command} --help | true; echo ${{PIPESTATUS[0]}}
        {command} contest words <&-; echo $?
        {command} frobnicate 2>&-; echo $?
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True)
    codes = done.stdout.split()
    assert (codes[:2], codes[3:]) == (["2", "2"], ["2", "2"])
    assert codes[2] in ("0", "141")  # a quick writer may be done before the reader leaves
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["rollwise"] * 3
