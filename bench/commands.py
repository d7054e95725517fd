"""The rows that are whole processes: what to start, what to feed it, and how to read its answer."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.inputs import contest_groups, contest_words
from bench.outcome import NotOffered

HERE = Path(__file__).parent
ROLLWISE = Path(sys.executable).parent / "rollwise"


def nothing(text: str) -> float | None:  # noqa: ARG001
    """Read no value: the row is about time only."""
    return None


def last_number(text: str) -> float | None:
    """Read the number at the end of the text."""
    found = re.findall(r"\d+\.\d+", text)
    return float(found[-1]) if found else None


def expected_total(text: str) -> float | None:
    """Read the value from the report that `rollwise solve` prints."""
    found = re.search(r"expected total\s+(\d+\.\d+)", text)
    return float(found[1]) if found else None


def chance_to_win(text: str) -> float | None:
    """Read the probability from the report that `rollwise solve` prints."""
    found = re.search(r"(?:probability|chance)\D*(\d+\.\d+)( ?%)?", text)
    return float(found[1]) / (100 if found[2] else 1) if found else None


def best_value(text: str) -> float | None:
    """Read the value of the first move from what `rollwise advise --json` prints."""
    found = re.search(r'"value":\s*(\d+\.\d+)', text)
    return float(found[1]) if found else None


def first_value(text: str) -> float | None:
    """Read the value of the first move from the table that `rollwise advise` prints."""
    found = re.search(r" (\d+\.\d+) ", text)
    return float(found[1]) if found else None


def sum_of_answers(text: str) -> float | None:
    """Add up the answers of a file of many cases."""
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith("Case #")) or None


@dataclass(frozen=True)
class Command:
    """A process: its arguments, its standard input, what is added to its environment, and the reader of its output."""

    arguments: list[str]
    read: Callable[[str], float | None] = nothing
    stdin: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def plain_cpp(folder: Path) -> Command:
    """Compile the founding analysis and run it."""
    return _compiled("yazy_plain", folder)


def plain_pig_cpp(folder: Path) -> Command:
    """Compile the value iteration of Pig and run it."""
    command = _compiled("pig_plain", folder)
    return replace(command, note=f"{command.note}; to changes below 1e-12, nothing proved")


def _compiled(name: str, folder: Path) -> Command:
    compiler = shutil.which("g++")
    if compiler is None:
        raise NotOffered("no g++ on this machine")
    program = folder / name
    subprocess.run([compiler, "-O3", "-std=c++17", "-o", str(program), str(HERE / f"{name}.cpp")], check=True)
    return Command([str(program)], last_number, note="whole process, compiling not counted")


def bear_off_of_two(folder: Path) -> Command:
    """Let GNU Backgammon make its table of two sides with six checkers, with and without a cube."""
    return _bear_off(folder, ["-t", "6x6"], "cubeless and cubeful")


def bear_off_without_cube(folder: Path) -> Command:
    """Let GNU Backgammon make its table of two sides with six checkers, without a cube."""
    return _bear_off(folder, ["-t", "6x6", "-C"], "cubeless")


def bear_off_of_one(folder: Path) -> Command:
    """Let GNU Backgammon make its table of one side, the chances of every number of rolls."""
    return _bear_off(folder, ["-o", "6", "-c", "-g"], "chances of each number of rolls, no gammons")


def _bear_off(folder: Path, options: list[str], what: str) -> Command:
    program = shutil.which("makebearoff", path="/usr/games:/usr/local/games:/usr/bin:/usr/local/bin")
    if program is None:
        raise NotOffered("no makebearoff on this machine: apt install gnubg")
    note = f"whole process; {what}, in 16 bits; tests compare every position"
    return Command([program, *options, "-f", str(folder / "table.bd")], note=note)


def judge_words(folder: Path) -> Command:
    """Answer the contest's largest file of words."""
    return _judge("words", contest_words(), folder, last_number)


def judge_groups(folder: Path) -> Command:
    """Answer the largest hundred cases of groups; the value is the sum of the answers."""
    return _judge("groups", contest_groups(), folder, sum_of_answers)


def _judge(problem: str, text: str, folder: Path, read: Callable[[str], float | None]) -> Command:
    file = folder / f"{problem}.in"
    file.write_text(text, encoding="utf-8")
    note = "whole process; value: sum of the answers" if read is sum_of_answers else "whole process"
    return Command([str(ROLLWISE), "judge", problem], read, file, note=note)


def solve_yazy_cold(folder: Path) -> Command:
    """Solve yazy with nothing compiled before: every cache of compiled code is an empty folder."""
    empty = {"NUMBA_CACHE_DIR": str(folder / "numba"), "XDG_CACHE_HOME": str(folder / "cache")}
    note = "whole process; no cache of compiled code"
    return Command([str(ROLLWISE), "solve", "yazy"], expected_total, environment=empty, note=note)


def solve_yazy(folder: Path) -> Command:  # noqa: ARG001
    """Solve yazy as on any later day."""
    return Command([str(ROLLWISE), "solve", "yazy"], expected_total, note="whole process")


def solve_file(folder: Path) -> Command:  # noqa: ARG001
    """Solve slots from its game file."""
    file = HERE.parent / "examples" / "slots.toml"
    if not file.exists():
        raise NotOffered(f"not available yet: examples/{file.name}")
    return Command([str(ROLLWISE), "solve", str(file), "--no-cache"], chance_to_win, note="whole process, nothing kept")


def advise_kept_pig(folder: Path) -> Command:
    """Keep the solved Pig, and ask for advice on it."""
    cache = ["--cache", str(folder)]
    subprocess.run([str(ROLLWISE), "solve", "pig", *cache], check=True, stdout=subprocess.DEVNULL)
    note = "whole process, the game kept before; value: that of the best move"
    return Command([str(ROLLWISE), "advise", "pig", "--state", "40 50 first 20", "--json", *cache], best_value, note=note)


def advise_kept_yahtzee(folder: Path) -> Command:
    """Keep the solved Yahtzee, and ask for advice on it, as a person reads it."""
    cache = ["--cache", str(folder)]
    subprocess.run([str(ROLLWISE), "solve", "yahtzee", *cache], check=True, stdout=subprocess.DEVNULL)
    ask = [str(ROLLWISE), "advise", "yahtzee", "--state", "22233 2 all upper 0", *cache]
    subprocess.run(ask, check=True, stdout=subprocess.DEVNULL)
    return Command(ask, first_value, note="whole process, the game kept before; value: that of the best move")


def import_rollwise(folder: Path) -> Command:  # noqa: ARG001
    """Start Python and import the library."""
    return Command([sys.executable, "-c", "import rollwise"], note="whole process, with the start of Python")


def help_text(folder: Path) -> Command:  # noqa: ARG001
    """Ask for help on the command line."""
    return Command([str(ROLLWISE), "--help"], note="whole process, with the start of Python")
