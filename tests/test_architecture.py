"""The architecture: a solver, an objective and a game are one class each, no code asks for kinds, public names are listed."""

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise import (
    AtLeast,
    Expected,
    Game,
    GameError,
    Solution,
    advise,
    distribution,
    evaluate,
    explain,
    grade,
    read_record,
    simulate,
    solve,
    start_game,
    write_record,
    write_report,
)
from rollwise import (
    cache as cached,
)
from rollwise.extending import Explains, Follows, PlaysMany, Reports, ability, registered
from rollwise.games import load
from rollwise.model.abilities import unlifted
from rollwise.policies import Greedy, Optimal, RandomPolicy
from rollwise.solvers.registry import solvers
from tests.reference import recursion
from tests.terminal import run
from tests.toys import Pledge, PledgeSolution, PledgeSolver, Utility
from tests.web_client import ask, connect
from tests.web_client import solve as solve_there

HERE = Path(__file__).parent
ROOT = HERE.parent
PACKAGE = ROOT / "rollwise"

ROUNDS, SAFE = 3, 3
MEAN = Fraction(ROUNDS * sum(max(face, SAFE) for face in range(1, 7)), 6)
UTILITY = 1 - Fraction(sum(Fraction(1, 2 ** max(face, SAFE)) for face in range(1, 7)), 6) ** ROUNDS
TOY = ["pledge", "-p", f"rounds={ROUNDS}", "-p", f"safe={SAFE}"]
REQUEST: dict[str, Any] = {"game": "pledge", "parameters": {"rounds": str(ROUNDS), "safe": str(SAFE)}}


@pytest.fixture
def toys() -> Iterator[None]:
    with registered(Pledge, PledgeSolver, Utility):
        yield


@pytest.fixture(params=[Expected(), Utility(2)], ids=str)
def solution(toys: None, request: pytest.FixtureRequest) -> Solution:
    return solve(load("pledge", rounds=str(ROUNDS), safe=SAFE), request.param)


def worth(solution: Solution) -> Fraction:
    return MEAN if solution.objective == Expected() else UTILITY


def state(solution: Solution, text: str) -> Any:
    """A position as the solution has it, whatever its objective remembers."""
    return solution.game.read_state(text if solution.objective == Expected() else f"{text} has 0")


# The library


@pytest.mark.usefixtures("toys")
def test_the_solver_uses_its_own_formula() -> None:
    game = load("pledge", rounds=ROUNDS, safe=SAFE)
    for exact in (False, True):
        found = solve(game, exact=exact)
        assert isinstance(found, PledgeSolution)
        assert (found.engine, found.size()) == ("pledge-mean", "one number")
        assert found.value() == (MEAN if exact else float(MEAN))
    assert recursion(game, Expected()) == MEAN
    assert solve(game, engine="auto" if "auto" in solvers()[-1].engines else None).value() == float(MEAN)
    assert solve(game, engine="pledge-mean").engine == "pledge-mean"

    class Generous(Pledge):
        def gain(self, state: Any, action: str) -> int:
            return 2 * super().gain(state, action)

    assert solve(Generous(ROUNDS, SAFE), exact=True).value() == 2 * MEAN
    assert not isinstance(solve(Generous(ROUNDS, SAFE)), PledgeSolution)


@pytest.mark.usefixtures("toys")
def test_the_objective_applies_to_every_game_with_points() -> None:
    assert rollwise.read_objective("caution 2") == Utility(2)
    assert solve(Pledge(ROUNDS, SAFE), Utility(2), exact=True).value() == UTILITY
    for game in (
        load("yazy", boxes="ones", rerolls="1"),
        load("slots", slots="a:1/2/3,b:0/2/0"),
        load("pig", target="4", faces="3"),
    ):
        found = solve(game, Utility(3), exact=True)
        assert evaluate(game, Optimal(found), Utility(3), exact=True).value == found.value()
        chances = distribution(found)
        mean = sum(float(Utility(3).worth(total)) * chance for total, chance in zip(chances.values, chances.chance, strict=True))
        assert mean == pytest.approx(float(found.value()))
    assert found.value() == evaluate_by_hand(game, Utility(3))


def evaluate_by_hand(game: Game[Any, Any, Any], objective: Utility) -> Fraction:
    """Pig to 4 pays once, at the end: the best utility is the best chance, times what one point is worth."""
    return solve(game, exact=True).value() * objective.worth(1)  # type: ignore[return-value]


def test_everything_works_with_the_toys(solution: Solution, tmp_path: Path) -> None:
    best, game = worth(solution), solution.game
    rules, aim = unlifted(game), solution.objective
    assert float(solution.value()) == pytest.approx(float(best), rel=1e-12)
    assert evaluate(rules, Optimal(solution), aim).value == pytest.approx(float(best))
    assert evaluate(rules, Greedy(), aim, exact=True).value == best, "to take the most at once is best here"
    assert evaluate(rules, RandomPolicy(), aim).value < float(best)
    advice = advise(solution, state(solution, "(3, 1)"))
    assert [move.action for move in advice.moves] == ["safe", "take"]
    assert [(move.outlook.lowest, move.outlook.highest) for move in advice.moves if move.outlook] == [(9, 15), (7, 13)]
    said = explain(solution, state(solution, "(3, 1)"), "safe")
    assert "pledges 3 of 3" in said
    assert ("so far, 2 rounds to go" in said) == (aim == Utility(2))
    chances = distribution(solution)
    assert (chances.what, chances.lowest, chances.highest) == ("points", 9, 18)
    assert distribution(solution, RandomPolicy()).mean < chances.mean
    assert abs(simulate(solution, 2000, seed=5).z_score) < 5
    played = start_game(solution).rolled(state(solution, "(3, 1)")).moved("take")
    again = grade(solution, read_record(write_record(played, "pledge", {})))
    assert float(again.mistakes) == pytest.approx(float(played.mistakes)) != 0
    for name in ("page.html", "page.md"):
        page = write_report(solution, tmp_path / name, name="pledge")[-1].read_text()
        assert ("for the highest expected total" if aim == Expected() else "the highest utility (base 2)") in page
        assert f"{float(best):.6f}"[:6] in page


@pytest.mark.usefixtures("toys")
def test_an_ability_is_used_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a solution can do itself is neither left to the graph of the game nor to its rules."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise GameError("not by the rules")

    monkeypatch.setattr("rollwise.playing.distribution.explore_rules", refuse)
    monkeypatch.setattr("rollwise.playing.simulate._play_plain", refuse)
    solution = solve(load("pledge", rounds=ROUNDS, safe=SAFE))
    assert all(isinstance(ability(solution, kind), Solution) for kind in (Follows, PlaysMany, Reports))
    assert not isinstance(ability(solution, Explains), Solution), "that is left to the rules"
    assert distribution(solution).mean == pytest.approx(float(MEAN))
    advice = advise(solution, state(solution, "(3, 1)"))
    assert [(move.outlook.lowest, move.outlook.highest) for move in advice.moves if move.outlook] == [(9, 15), (7, 13)]
    assert abs(simulate(solution, 2000, seed=5).z_score) < 5
    page = write_report(solution, tmp_path / "page.md", name="pledge")[-1].read_text()
    assert "the mean of six numbers." in page
    assert "Every round is worth 4.000." in page
    with pytest.raises(GameError, match="not by the rules"):
        distribution(solution, Greedy())


def test_the_cache_holds_the_toys(solution: Solution, tmp_path: Path) -> None:
    rules, aim = unlifted(solution.game), solution.objective
    path = cached.save(solution, tmp_path, name="pledge", parameters={"rounds": "3"})
    (entry,) = cached.verify(tmp_path)
    assert (entry.path, entry.name, entry.objective, entry.fault) == (path, "pledge", str(aim), None)
    found = cached.load(rules, aim, tmp_path)
    assert found is not None
    assert type(found) is type(solution)
    assert (found.value(), found.engine, found.fingerprint) == (solution.value(), solution.engine, solution.fingerprint)
    assert cached.load(Pledge(ROUNDS, SAFE + 1), aim, tmp_path) is None
    assert cached.solve(rules, aim, directory=tmp_path).seconds == found.seconds
    assert [removed.path for removed in cached.clear(tmp_path)] == [path]


# Entry points


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("objective", "value"), [("expected", MEAN), ("caution 2", UTILITY)])
def test_the_command_line_knows_the_toys(
    objective: str, value: Fraction, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def told(command: str, *more: str) -> Any:
        code, out, err = run(capsys, command, *TOY, "--objective", objective, "--no-cache", *more)
        assert (code, err) == (0, "")
        return out

    found = json.loads(told("solve", "--json"))
    assert (found["game"], found["objective"]) == ("pledge", objective)
    assert found["value"] == pytest.approx(float(value), rel=1e-12)
    assert json.loads(told("solve", "--exact", "--json"))["exact"] == f"{value.numerator}/{value.denominator}"
    place = "(3, 1)" if objective == "expected" else "(3, 1) has 0"
    assert "pledges 3 of 3" in " ".join(told("advise", "--state", place).split()), "folded in a column"
    assert json.loads(told("advise", "--state", place, "--json"))["moves"][0]["action"] == "safe"
    assert json.loads(told("distribution", "--json"))["lowest"] == 9
    assert json.loads(told("simulate", "--games", "50", "--seed", "1", "--json"))["games"] == 50
    told("policy", "-o", str(tmp_path / "pledge.csv"))
    assert (tmp_path / "pledge.csv").read_text().count("\n") > 18
    told("report", "-o", str(tmp_path / "pledge.md"))
    assert ("utility" in (tmp_path / "pledge.md").read_text()) == (objective == "caution 2")
    assert "take" in told("play", "--auto", "--seed", "3")


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("objective", "value"), [(None, MEAN), ("caution 2", UTILITY)])
def test_the_server_knows_the_toys(objective: str | None, value: Fraction, tmp_path: Path) -> None:
    request = REQUEST if objective is None else {**REQUEST, "objective": objective}
    with connect(tmp_path) as client:
        (info,) = [game for game in client.get("/api/games").json() if game["name"] == "pledge"]
        assert [parameter["name"] for parameter in info["parameters"]] == ["rounds", "safe"]
        job = solve_there(client, request)
        assert job["result"]["value"] == pytest.approx(float(value), rel=1e-12)
        assert job["result"]["objective"] == (objective or "expected")
        assert job["result"]["value_name"] == ("expected total" if objective is None else "expected utility")
        assert (job["board"]["kind"], job["board"]["safe"]) == ("pledge", SAFE)
        place = "(3, 1)" if objective is None else "(3, 1) has 0"
        advice = ask(client, "/api/advise", **request, state=place)
        assert "pledges 3 of 3" in advice["moves"][0]["why"]
        assert (advice["position"]["left"], advice["position"]["face"]) == (3, 1)
        assert ask(client, "/api/outlook", **request, state=place, action="safe")["lowest"] == 9
        assert ask(client, "/api/distribution", **request)["lowest"] == 9
        graded = ask(client, "/api/grade", **request, lines=[{"kind": "roll", "text": place}, {"kind": "move", "text": "take"}])
        assert graded["mistakes"] > 0


# Registering


def test_unregistering_restores_what_was_there() -> None:
    before = solvers()
    with registered(Pledge, PledgeSolver, Utility):
        assert [solver.name for solver in solvers()] == ["pledge", *(solver.name for solver in before)]
        with registered(PledgeSolver()):
            assert len(solvers()) == len(before) + 1
    assert solvers() == before
    with pytest.raises(GameError, match="unknown game 'pledge'"):
        load("pledge")
    with pytest.raises(GameError, match="unknown objective 'caution'"):
        rollwise.read_objective("caution 2")
    for own in (Expected, type(load("slots")), type(before[0])):
        rollwise.extending.unregister(own)
    assert (solvers(), rollwise.read_objective("expected")) == (before, Expected())
    assert load("slots")


class Taken(PledgeSolver):
    name = "another"
    engines = ("partitions",)


class Slots(Pledge):
    """A name that is taken."""


class Unfinished(Game[Any, Any, Any]):
    def start(self) -> int:
        return 0


class Ours(Utility):
    name = "expected"


@pytest.mark.parametrize(
    ("thing", "match"),
    [
        (3, "cannot register 3: expected a solver, or a class of objectives or games"),
        (int, "cannot register .*int.*: expected a solver"),
        (Pledge(), "cannot register .*: expected a solver, or a class of objectives or games, Pledge"),
        (Utility(), "cannot register .*: expected a solver, or a class of objectives or games, Utility"),
        (Taken, "has the engine 'partitions', which PartitionSolver has already"),
        (Slots, "there is a game 'slots' already: add yours under another name"),
        (Unfinished, r"does not define actions\(\), which every game needs"),
        (Ours, "there is an objective 'expected' already"),
    ],
)
def test_what_cannot_be_registered(thing: Any, match: str) -> None:
    with pytest.raises(GameError, match=match):
        rollwise.register(thing)


# Installed packages

POINTS = """
[rollwise.games]
oath = toys:Pledge
broken = toys:NoSuch
wrong = toys:Utility
[rollwise.objectives]
caution = toys:Utility
[rollwise.solvers]
pledge = toys:PledgeSolver
"""


def python(*lines: str, path: Path | None = None, fails: bool = False) -> str:
    """Run a few lines in a Python of its own; what they print."""
    places = [str(ROOT), *([str(path)] if path else [])]
    code = "\n".join(["import sys", f"sys.path[:0] = {places!r}", *lines])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout.strip()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An installed package with the toys."""
    shutil.copy(HERE / "toys.py", tmp_path / "toys.py")
    about = tmp_path / "toys-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    return tmp_path


@pytest.mark.full
def test_installed_packages_add_theirs(package: Path) -> None:
    lines = [
        "import rollwise",
        "from rollwise.games import CATALOGUE, load",
        "load('slots')",
        "assert 'importlib.metadata' not in sys.modules and 'toys' not in sys.modules, 'a known name needs no search'",
        "assert 'oath' in CATALOGUE and 'slots' in list(CATALOGUE)",
        "found = rollwise.solve(load('oath', rounds='4'), exact=True)",
        "print(found.engine, found.value(), rollwise.solve(load('oath'), rollwise.read_objective('caution 2')).objective)",
        "for name in ('broken', 'wrong', 'oaht'):",
        "    try: load(name)",
        "    except rollwise.GameError as error: print(error)",
    ]
    first, broken, wrong, near = python(*lines, path=package).splitlines()
    assert first == "pledge-mean 16 caution 2"
    assert broken.startswith("rollwise.games 'broken', which the package toys adds, cannot be imported from toys:NoSuch: ")
    assert wrong.startswith("rollwise.games 'wrong', which the package toys adds, is ")
    assert "did you mean 'oath'" in near


# Kinds

POLICIES = {"Greedy", "RandomPolicy", "Optimal", "FunctionPolicy", "TablePolicy", "WithTotal", "WithPointsNeeded"}
ALLOWED = 10


@cache
def modules() -> dict[str, ast.Module]:
    """Every module, by its path inside the package."""
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text()) for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def owners() -> dict[str, str]:
    """The kinds of games, objectives, policies, solvers and solutions, by the package that owns them: where they are written."""
    classes = [(path, node) for path, tree in modules().items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    kinds, grown = {"Game", "Objective", "Solution", "Solver"}, True
    while grown:
        more = {node.name for _, node in classes if {name for base in node.bases for name in names_in(base)} & kinds} - kinds
        kinds, grown = kinds | more, bool(more)
    homes = {node.name: re.match(r"solvers/\w+|\w+", path)[0] for path, node in classes}  # type: ignore[index]
    return {kind: homes[kind] for kind in (kinds | POLICIES) - {"Game", "Objective", "Solution", "Solver"}}


def asked_kinds(node: ast.AST) -> Iterator[str]:
    """The kinds that a question names: `isinstance(x, Kind)`, `issubclass`, `type(x) is Kind`, `case Kind()`."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
            yield from names_in(kinds)
        case ast.Compare(left=ast.Call(func=ast.Name(id="type")), comparators=kinds):
            for kind in kinds:
                yield from names_in(kind)
        case ast.MatchClass(cls=kind):
            yield from names_in(kind)


def names_in(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute):
            yield part.id if isinstance(part, ast.Name) else part.attr


@pytest.mark.full
def test_no_code_asks_which_kind_something_is() -> None:
    found = [
        f"{path}:{node.lineno} asks for {kind}"  # type: ignore[attr-defined]
        for path, tree in modules().items()
        for node in ast.walk(tree)
        for kind in sorted({*asked_kinds(node)} & owners().keys())
        if not path.startswith(f"{owners()[kind]}/")
    ]
    assert len(found) <= ALLOWED, "\n".join(found)


def test_every_kind_is_defined_in_the_package_of_its_kind() -> None:
    homes = {"model", "games", "adapters", *(f"solvers/{path.name}" for path in (PACKAGE / "solvers").iterdir() if path.is_dir())}
    assert {kind: home for kind, home in owners().items() if home not in homes and not kind.startswith("_")} == {}
    assert len(owners()) > 60


def targets_of(node: ast.Assign | ast.AnnAssign) -> list[str]:
    return [ast.unparse(target) for target in (node.targets if isinstance(node, ast.Assign) else [node.target])]


def test_the_central_classes_stay_small() -> None:
    """What only some games or solutions can do is an ability: see the two files `abilities.py`."""
    for path, name, most in (("model/game.py", "Game", 18), ("solvers/base/solution.py", "Solution", 20)):
        (kind,) = [node for node in modules()[path].body if isinstance(node, ast.ClassDef) and node.name == name]
        defined = [node.name for node in kind.body if isinstance(node, ast.FunctionDef)]
        assigned = [name for node in kind.body if isinstance(node, ast.Assign | ast.AnnAssign) for name in targets_of(node)]
        members = {member for member in (*defined, *assigned) if not member.startswith("_")}
        assert len(members) <= most, sorted(members)


# What is imported


def test_advice_on_a_cached_game_compiles_nothing(tmp_path: Path) -> None:
    """What a short command imports is most of its time."""
    cached.save(solve(load("yazy", boxes="ones,straight"), AtLeast(40)), tmp_path)
    args = ["advise", "yazy", "-p", "boxes=ones,straight", "--at-least", "40", "--state", "12346 1 all needs 40"]
    heavy = {"numba", "llvmlite", "fastapi", "scipy", "pydantic", "psutil", "importlib.metadata", "numpy.ma", "numpy.random"}
    lines = ["from rollwise.cli.main import main", f"code = main({[*args, '--cache', str(tmp_path)]!r})"]
    assert python(*lines, f"print(sorted({heavy!r} & sys.modules.keys()), code)").splitlines()[-1] == "[] 0"


def test_no_result_rests_on_assert() -> None:
    """So `python -O`, which leaves them out, changes nothing."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.Name) and node.id == "__debug__")
    ]
    assert found == []


def test_public_names() -> None:
    assert rollwise.__all__ == sorted(set(rollwise.__all__))
    assert dir(rollwise) == sorted({*rollwise.__all__, *rollwise.MODULES, "__version__"})
    assert all(getattr(rollwise, name) is not None for name in dir(rollwise))
    with pytest.raises(AttributeError, match="no attribute 'slove'"):
        rollwise.slove  # noqa: B018


def test_public_names_have_types_and_modules() -> None:
    """What type checkers see, what is listed and where names are defined agree."""
    tree = modules()["__init__.py"]
    seen = {
        (alias.name, str(node.module).removeprefix("rollwise."))
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {(name, module) for name, module in rollwise._HOME.items()}
    assert {name for name, _ in seen} == {*rollwise.__all__}


def test_documents_use_public_names_only() -> None:
    """Documents and examples import from `rollwise`, its public modules and its modules for other libraries, as users do."""
    extras = ("gym", "adapters.icepool", "adapters.open_spiel")
    public = {"rollwise", *(f"rollwise.{name}" for name in (*rollwise.MODULES, *extras))}
    allowed: Callable[[str], bool] = lambda line: line.split()[1] in public  # noqa: E731
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").glob("*.py"))):
        lines = [line.strip().removeprefix(">>> ") for line in path.read_text().splitlines()]
        used = [line for line in lines if line.startswith(("import rollwise", "from rollwise"))]
        assert all(allowed(line) for line in used), (path.name, [line for line in used if not allowed(line)])


def test_documents_name_modules_that_exist() -> None:
    """Paths in documents are those of today; a path without its folder is beside the one before it in the line, or above."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for line in path.read_text().splitlines():
            folder = PACKAGE
            for name in re.findall(r"`([a-z_/]+(?:\.py|\.cu|/))`", line):
                places = [base / name for base in (PACKAGE, folder, folder.parent, ROOT, ROOT / "tests")]
                found = next((place for place in places if place.exists()), None)
                assert found is not None, f"{path.name} names {name}, which is not there"
                folder = found if found.is_dir() else found.parent
