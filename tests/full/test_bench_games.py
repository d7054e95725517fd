"""The games of the benchmark: small ones agree with plain recursion, with published chances, and with the catalogue's family."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import bench
from bench.cluster_plan import compare_recorded
from bench.entry import run
from bench.games import ShutTheBox, TwoDicePig, WordDice
from bench.inputs import random_words
from bench.ours import bare_calls
from rollwise import explore, solve
from rollwise.games import load
from tests.plain_pig import PlainPig

"""Both scores, who moves, the turn's points."""


def test_games_are_those_of_the_catalogue() -> None:
    for ours, known in (
        (TwoDicePig(14), load("two-dice-pig", target=14)),
        (ShutTheBox(6, 2), load("shut-the-box", tiles=6)),
        (WordDice(*random_words(2, 3)), load("words", **dict(zip(("dice", "words"), random_words(2, 3), strict=True)))),
    ):
        assert solve(ours, exact=True).value() == solve(known, exact=True).value()


def test_shut_the_box_has_its_known_chance() -> None:
    assert solve(ShutTheBox()).value() == pytest.approx(0.0714316223, abs=1e-10)
    graph = explore(ShutTheBox()).graph
    assert graph.n_states + graph.n_pendings == 6122


@pytest.mark.parametrize(("count", "words"), [(1, 2), (2, 5), (3, 20), (4, 100)])
def test_word_dice_are_the_family_of_words(count: int, words: int) -> None:
    given = random_words(count, words)
    family = solve(load("words", dice=given[0], words=given[1]))
    assert solve(WordDice(*given)).value() == pytest.approx(float(family.value()), rel=1e-10)


def test_bare_rule_calls_are_the_calls_of_exploring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solvers.graph.explore.recheck", lambda found: None)
    calls: dict[str, int] = {}

    class Counted(PlainPig):
        """Pig that counts how often each rule is asked."""

    for rule in ("roll", "actions", "play", "mover", "payoff"):
        setattr(Counted, rule, _counting(getattr(PlainPig, rule), rule, calls))
    found = explore(Counted(target=6))
    explored = dict(calls)
    calls.clear()
    bare_calls(found)
    assert calls == explored


def _counting(rule: Callable[..., object], name: str, calls: dict[str, int]) -> Callable[..., object]:
    def counted(*given: object) -> object:
        calls[name] = calls.get(name, 0) + 1
        return rule(*given)

    return counted


# The programs of the benchmark

PROGRAMS: dict[str, list[str]] = {
    "__main__": ["--list"],
    "gpu": ["--boxes", "ones"],
    "gpu_chunks": ["ones", "float64"],
    "cards": ["threes", "--seconds", "0.1"],
    "cluster": ["--help"],  # it starts Ray, which takes longer than all the others
    "cluster_plan": ["yazy", "--nodes", "2"],
    "duels": ["yazy:boxes=ones", "--no-gpu", "--games", "100"],
    "environments": ["slots", "--lanes", "2"],
    "saved": ["yatzy", "--least-open", "1"],
    "boards": ["ur", "--pieces", "1", "--threads", "1"],
    "page": ["--help"],  # it plays every game in a browser
    "sweep": ["--runs", "1", "--small"],
    "worker": ["yazy, 8 boxes/rollwise"],
}
"""Every program at its smallest."""
NEEDS = ("gymnasium", "CuPy", "NVIDIA GPU", "Ray")
"""What a program may say that it lacks."""
BENCH = Path(bench.__file__).parent


def test_every_program_is_run_here() -> None:
    programs = {file.stem for file in BENCH.glob("*.py") if "__main__" in file.read_text() or file.stem == "__main__"}
    assert programs == set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs_or_says_in_a_line_what_it_lacks(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module, words = import_module(f"bench.{name}"), PROGRAMS[name]
    if name in ("__main__", "worker"):
        assert module.main(words if name == "__main__" else words[0]) == 0
        assert "failed" not in capsys.readouterr().out
        return
    code: object
    try:
        code = run(module.main, words)
    except SystemExit as end:  # --help
        code = end.code
    out, err = capsys.readouterr()
    assert (code, err) == (0, "") or (code == 2 and err.count("\n") == 1 and any(need in err for need in NEEDS))
    assert out or code


@pytest.mark.parametrize("file", sorted(BENCH.rglob("*.py")), ids=lambda file: file.stem)
def test_every_module_can_be_imported_or_names_a_peer(file: Path) -> None:
    name = ".".join(("bench", *file.relative_to(BENCH).with_suffix("").parts)).removesuffix(".__init__")
    missing = ""
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
    assert not missing or (file.parent.name, file.stem) == ("peers", missing)


def test_recorded_solves_take_about_what_the_simulation_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare_recorded() == pytest.approx([1, 1, 1], rel=0.25)
