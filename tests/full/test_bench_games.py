"""The games of the benchmark: small ones agree with plain recursion, with published chances, and with the catalogue's family."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest

import bench
import rollwise
from bench.cluster_plan import compare_recorded
from bench.entry import run
from bench.games import GAMES, ShutTheBox, TwoDicePig, TwoDicePigAlone, WordDice, make
from bench.inputs import random_words
from bench.ours import bare_calls
from rollwise import explore, solve
from rollwise.games import load
from tests.plain_pig import PlainPig

Place = tuple[int, int, int, int]
"""Both scores, who moves, the turn's points."""
Node = tuple[Place, bool]


def _thrown(target: int, place: Place) -> Iterator[Place]:
    """Every throw of two dice, one after the other."""
    first, second, mover, turn = place
    mine = place[mover]
    for a in range(1, 7):
        for b in range(1, 7):
            if (a, b) == (1, 1):
                yield (0, second, 1, 0) if mover == 0 else (first, 0, 0, 0)
            elif 1 in (a, b):
                yield (first, second, 1 - mover, 0)
            elif mine + turn + a + b >= target:
                yield (target, second, 0, 0) if mover == 0 else (first, target, 1, 0)
            else:
                yield (first, second, mover, turn + a + b)


def _moves(target: int, least: int | None, place: Place) -> list[Place]:
    """Where holding and rolling lead; with `least`, the second player has no choice."""
    first, second, mover, turn = place
    if target in (first, second):
        return []
    held = (first + turn, second, 1, 0) if mover == 0 else (first, second + turn, 0, 0)
    if least is not None and mover == 1:
        return [held] if turn >= least else [place]
    return [held, place] if turn else [place]


def _chances(target: int, least: int | None) -> tuple[float, int]:
    """The first player's chance, by sweeps over all positions before a throw (True) and at a choice (False); and their number."""
    start: Node = ((0, 0, 0, 0), True)
    value, after = {start: 0.0}, dict[Node, list[Node]]()
    order = [start]
    for node in order:
        place, pending = node
        places = _thrown(target, place) if pending else _moves(target, least, place)
        after[node] = [(one, not pending) for one in places]
        new = [one for one in dict.fromkeys(after[node]) if one not in value]
        order += new
        value.update((one, float(one[0][0] == target)) for one in new)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for node in reversed(order):
            known = value[node]
            value[node] = _backed_up(node, [value[one] for one in after[node]], known)
            change = max(change, abs(value[node] - known))
    return value[start], len(order)


def _backed_up(node: Node, values: list[float], known: float) -> float:
    (_, _, mover, _), pending = node
    if pending:
        return sum(values) / 36
    return (max(values) if mover == 0 else min(values)) if values else known


@pytest.mark.parametrize(("target", "least"), [(9, None), (14, None), (9, 20), (22, 20), (14, 6)])
def test_two_dice_pig_agrees_with_sweeps_over_its_positions(target: int, least: int | None) -> None:
    game = TwoDicePig(target) if least is None else TwoDicePigAlone(target, least)
    chance, nodes = _chances(target, least)
    assert solve(game).value() == pytest.approx(chance, abs=1e-10)
    graph = explore(game).graph
    assert graph.n_states + graph.n_pendings == nodes
    assert graph.two_players == (least is None)


@cache
def _shut(open_tiles: frozenset[int], dice: int) -> Fraction:
    if not open_tiles:
        return Fraction(1)
    total, roll = Fraction(), rollwise.joint([rollwise.die(6)] * dice).map(sum)
    for rolled, weight in roll.items():
        fitting = [set(some) for n in range(1, 9) for some in combinations(open_tiles, n) if sum(some) == rolled]
        total += weight * max((_shut(open_tiles - some, dice) for some in fitting), default=Fraction(0))
    return total / roll.total


@pytest.mark.parametrize(("tiles", "dice"), [(4, 1), (6, 2), (7, 3)])
def test_shut_the_box_agrees_with_recursion_exactly(tiles: int, dice: int) -> None:
    assert solve(ShutTheBox(tiles, dice), exact=True).value() == _shut(frozenset(range(1, tiles + 1)), dice)


def test_shut_the_box_has_its_known_chance() -> None:
    assert solve(ShutTheBox()).value() == pytest.approx(0.0714316223, abs=1e-10)
    graph = explore(ShutTheBox()).graph
    assert graph.n_states + graph.n_pendings == 6122


@pytest.mark.audit
def test_a_larger_box_has_its_known_chance() -> None:
    assert solve(ShutTheBox(16, 3)).value() == pytest.approx(0.0044279507, abs=1e-10)


@pytest.mark.parametrize(("count", "words"), [(1, 2), (2, 5), (3, 20), (4, 100)])
def test_word_dice_are_the_family_of_words(count: int, words: int) -> None:
    given = random_words(count, words)
    family = solve(load("words", dice=given[0], words=given[1]))
    assert solve(WordDice(*given)).value() == pytest.approx(float(family.value()), rel=1e-10)


def test_word_dice_are_the_family_exactly() -> None:
    given = random_words(2, 3)
    assert solve(WordDice(*given), exact=True).value() == solve(load("words", dice=given[0], words=given[1]), exact=True).value()


def test_games_are_made_by_name() -> None:
    assert type(make("two-dice pig", {"target": 5})) is TwoDicePig
    assert type(make("slots")) is type(load("slots"))
    assert "plain pig" in GAMES


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
