"""General solutions that are kept whole: they answer without exploring, and are never mistaken for another game's."""

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwise
from rollwise import Against, AtLeast, AtMost, Duel, Expected, Fewest, Game, Lowest, PositionError, Solution, Win, cache, die
from rollwise.cache import CacheError
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.games.sheets.boxes import Box
from rollwise.games.sheets.rules import Sheet
from rollwise.model.canonical import NotCanonical, canonical, position_digest
from rollwise.solvers.base import array_files
from rollwise.solvers.base.abilities import Reports, UsesMemory, ability
from rollwise.solvers.base.array_files import Checked, seal
from rollwise.solvers.graph import serialize
from rollwise.solvers.graph.explore import explore, walked
from rollwise.solvers.graph.identity import identity
from rollwise.solvers.graph.solution import GraphSolution
from rollwise.solvers.graph.solver import GraphSolver
from tests.examples import default_of
from tests.toys import Utility


class Phase(Enum):
    """Where a turn is."""

    ROLL = "roll"
    DONE = "done"


@dataclass(frozen=True)
class Table:
    """A position that is nested, with parts that compare in their own ways."""

    open: frozenset[str]
    last: tuple[int, ...]
    phase: Phase
    note: str = field(default="", compare=False)


class Boxes(Game[Table, Table, str]):
    """Close a box with what a die shows, or waste the throw; some boxes take points away."""

    boxes = ("low", "high", "dear")
    worth: Mapping[str, int]

    def __init__(self, throws: int = 4, dear: int = -3) -> None:
        self.throws, self.worth = throws, {"low": 1, "high": 2, "dear": dear}

    def start(self) -> Table:
        return Table(frozenset(self.boxes), (0, self.throws), Phase.ROLL)

    def roll(self, pending: Table) -> Mapping[Table, int]:
        if pending.phase is Phase.DONE:
            return {pending: 1}
        left = pending.last[1]
        return die(3).map(lambda face: Table(pending.open, (face, left), Phase.ROLL, f"thrown {face}"))

    def actions(self, state: Table) -> Sequence[str]:
        return (*sorted(state.open), "waste") if state.phase is Phase.ROLL else ()

    def play(self, state: Table, action: str) -> Table:
        left = state.last[1] - 1
        shut = state.open - {action}
        return Table(shut, (0, left), Phase.ROLL) if left and shut else Table(shut, (0, 0), Phase.DONE)

    def gain(self, state: Table, action: str) -> int:
        return state.last[0] * self.worth[action] if action in self.worth else 0

    def payoff(self, state: Table) -> int:
        return 2 - len(state.open)


class Spot(NamedTuple):
    """Where a walk stands."""

    place: int
    lost: int


class Walk(Game[Spot, Spot, str]):
    """Walk to the end of a road; a careful step may stand still, a bold one may lead back to the beginning."""

    def __init__(self, length: int = 6) -> None:
        self.length = length

    def start(self) -> Spot:
        return Spot(0, 0)

    def roll(self, pending: Spot) -> Mapping[Spot, int]:
        if pending.lost < 0:
            return {Spot(pending.place + 1, 0): 1, Spot(pending.place, 0): 2}
        ahead = Spot(min(pending.place + 2, self.length), 0)
        return {ahead: 3, Spot(0, 1): 1} if pending != self.start() else {ahead: 3, Spot(0, 0): 1}

    def actions(self, state: Spot) -> Sequence[str]:
        return ("bold", "careful") if state.place < self.length else ()

    def play(self, state: Spot, action: str) -> Spot:
        return Spot(state.place, -1) if action == "careful" else Spot(state.place, 0)


class OwnSheet(Sheet):
    """A sheet with a rule of its own, which is therefore explored."""

    def gain(self, state: Any, action: Any) -> int:
        return super().gain(state, action)


SMALL = OwnSheet([Box("sum", sum), Box("pair", lambda hand: 5 * (hand[0] == hand[1]))], count=2, faces=2, rerolls=1)

GAMES: dict[str, tuple[Game[Any, Any, Any], Any]] = {
    "pig": (load("pig", target=9), AtLeast(1)),
    "slots": (load("slots"), AtLeast(45)),
    "slots, expected": (load("slots"), Expected()),
    "boxes": (Boxes(), Expected()),
    "boxes, at least": (Boxes(), AtLeast(4)),
    "boxes with a floor": (Boxes(dear=3), AtLeast(9)),
    "boxes, against": (Boxes(), Against({0: 1, 5: 2}, ties=Fraction(1, 3))),
    "boxes, utility": (Boxes(), Utility(3)),
    "boxes, fewest": (Boxes(), Fewest()),
    "boxes, lowest": (Boxes(), Lowest()),
    "boxes, at most": (Boxes(), AtMost(3)),
    "two in turn": (load("shut-the-box", tiles=3, players=2), Win()),
    "walk": (Walk(), Fewest()),
    "duel": (SMALL, Duel()),
}


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Solution]]:
    """A store with all of them, and what was solved."""
    directory = tmp_path_factory.mktemp("kept")
    found = {name: rollwise.solve(*asked) for name, asked in GAMES.items()}
    for solution in found.values():
        cache.save(solution, directory)
    assert len(cache.entries(directory)) == len(GAMES)
    return directory, found


@pytest.fixture
def unexplored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where anything is explored."""

    def fail(*_: Any, **__: Any) -> Any:
        pytest.fail("it was explored")

    for place in ("serialize.explore", "solver.explore", "explore.walked"):
        monkeypatch.setattr(f"rollwise.solvers.graph.{place}", fail)
    monkeypatch.setattr("rollwise.solvers.choose_solver.explore", fail)


def loaded(name: str, directory: Path, *, whole: bool) -> GraphSolution:
    found = cache.load(*GAMES[name], directory, whole=whole, trust=True)
    assert isinstance(found, GraphSolution)
    return found


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", default_of(GAMES, "pig", "slots", "walk", "boxes, at least"))
def test_a_kept_game_answers_without_exploring(
    name: str, whole: bool, solved: tuple[Path, dict[str, Solution]], unexplored: None
) -> None:
    directory, known = solved
    right: Any = known[name]
    found = loaded(name, directory, whole=whole)
    assert found.value() == right.value()
    assert found.fingerprint == right.fingerprint
    states = right.explored.states
    for number in range(0, len(states), 1 + len(states) // 60):
        state = states[number]
        assert found.value(state, kind="state") == right.value(state, kind="state")
        assert found.ranked(state) == right.ranked(state)
        assert found.explored.state_index[state] == number
        assert type(found.canonical_state(state)) is type(state)
        if found.ranked(state):
            assert found.best(state) == right.best(state)
            advice, other = rollwise.advise(found, state), rollwise.advise(right, state)
            assert [move.action for move in advice.moves] == [move.action for move in other.moves]
    for pending in islice(right.explored.pendings, 20):
        assert found.value(pending, kind="pending") == right.value(pending, kind="pending")
    with pytest.raises(PositionError):
        found.value(("no", "position"))


def test_plain_tuples_are_met_as_the_rules_make_them(solved: tuple[Path, dict[str, Solution]]) -> None:
    found = loaded("walk", solved[0], whole=False)
    assert found.best((0, 0)) == found.best(Spot(0, 0)) == solved[1]["walk"].best(Spot(0, 0))
    assert isinstance(found.canonical_state((0.0, False)), Spot)


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_what_needs_all_positions_explores_again_or_decodes_them(name: str, solved: tuple[Path, dict[str, Solution]]) -> None:
    right: Any = solved[1][name]
    found = loaded(name, solved[0], whole=True)
    assert list(found.policy()) == list(right.policy())
    if right.objective.follows:
        one, other = rollwise.distribution(found), rollwise.distribution(right)
        assert (one.lowest, one.chance.tolist()) == (other.lowest, other.chance.tolist())
    assert rollwise.simulate(found, 200, seed=3).counts == rollwise.simulate(right, 200, seed=3).counts


def test_a_column_game_is_spread_and_reported_without_exploring(
    solved: tuple[Path, dict[str, Solution]], unexplored: None
) -> None:
    found, right = loaded("pig", solved[0], whole=True), solved[1]["pig"]
    assert rollwise.distribution(found).mean == pytest.approx(float(right.value()))
    assert list(found.sections(None, None)) == ability(right, Reports).sections(None, None)
    assert list(found.policy()) == list(right.policy())


def test_a_kept_solution_can_be_kept_elsewhere(solved: tuple[Path, dict[str, Solution]], tmp_path: Path) -> None:
    for name in ("pig", "boxes, at least"):
        for whole in (True, False):
            target = cache.save(loaded(name, solved[0], whole=whole), tmp_path / f"{whole}")
            other = solved[0] / target.name
            for file in other.glob("*.npy"):
                assert (target / file.name).read_bytes() == file.read_bytes()


def test_advice_reads_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unexplored: None) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(array_files, "BLOCK", 1 << 10)
    for game, state in ((load("slots"), "all 0 6"), (load("pig", target=20), "3 4 first 5")):
        cache.save(rollwise.solve(game), tmp_path)
        found: Any = cache.load(game, None, tmp_path, whole=False)
        found.ranked(game.read_state(state))
        arrays = [*vars(found.explored.graph).values(), *vars(found.result.values).values()]
        checked = [array for array in arrays if isinstance(array, Checked)]
        assert len(checked) == 16
        assert sum(int(array._seen.sum()) for array in checked) < sum(len(array._seen) for array in checked) / 4
        assert bytes_of(found) < 2 * sum(file.stat().st_size for path in tmp_path.iterdir() for file in path.iterdir())


def bytes_of(solution: Solution) -> int:
    return sum(ability(solution, UsesMemory).memory_use().values())


def test_the_size_of_a_solution(solved: tuple[Path, dict[str, Solution]]) -> None:
    pig = solved[1]["pig"]
    assert bytes_of(pig) < 200 * (pig.states + pig.pendings), "codes are no objects"
    boxes = solved[1]["boxes"]
    assert bytes_of(boxes) > 1000 * (boxes.states + boxes.pendings)
    assert bytes_of(loaded("boxes", solved[0], whole=True)) < 200 * (boxes.states + boxes.pendings)


def test_widths_of_integers_change_no_digest() -> None:
    found = explore(load("pig", target=7))
    wide = {name: getattr(found.graph, name).astype(np.int64) for name in serialize.GRAPH if name != "state_mover"}
    other = replace(found.graph, **wide)
    assert serialize.fingerprint(found.game, found.objective, found.graph) == serialize.fingerprint(
        found.game, found.objective, other
    )


@pytest.mark.full
def test_a_process_that_advises_imports_no_compiler(tmp_path: Path) -> None:
    cache.save(rollwise.solve(load("pig", target=12)), tmp_path)
    command = ["advise", "pig", "-p", "target=12", "--cache", str(tmp_path), "--state", "3 4 first 5"]
    script = f"import sys; from rollwise.cli.main import main; main({command}); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0


# What a game is

BANK = """
from functools import cached_property
from importlib import import_module
from pathlib import Path
import gzip
import numpy as np
from rollwise import Game, die

HERE = Path(__file__).parent

class Bank(Game):
    def __init__(self): {init}
    @cached_property
    def price(self): return int({read})
    def start(self): return (0, 3)
    def roll(self, pending): return die(3).map(lambda face: (face, pending[1])) if pending[1] else {{(0, 0): 1}}
    def actions(self, state): return ("take", "stop") if state[1] else ()
    def play(self, state, action): return (0, state[1] - 1 if action == "take" else 0)
    def gain(self, state, action): return state[0] * self.price if action == "take" else 0
"""
READ = {
    "numpy": ("pass", "np.load(HERE / 'price.npy')"),
    "gzip": ("pass", "gzip.open(HERE / 'price.gz').read()"),
    "importlib": ("pass", "import_module('price_of_the_bank').PRICE"),
    "cached property": ("vars(self)['price'] = int(np.load(HERE / 'price.npy'))", "1"),
}

Write = Callable[[str, int], Game[Any, Any, Any]]


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a game file and what it reads, and load it as a fresh process would."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(read: str, price: int) -> Game[Any, Any, Any]:
        init, how = READ[read]
        (tmp_path / "bank.py").write_text(BANK.format(init=init, read=how))
        np.save(tmp_path / "price.npy", price)
        (tmp_path / "price.gz").write_bytes(gzip.compress(str(price).encode()))
        (tmp_path / "price_of_the_bank.py").write_text(f"PRICE = {price}")
        sys.modules.pop("price_of_the_bank", None)
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
        return load(str(tmp_path / "bank.py"))

    return write


@pytest.mark.parametrize("read", READ)
def test_what_rules_read_is_part_of_a_game(read: str, tmp_path: Path, bank: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GraphSolver, "worth_seconds", 0.0)
    directory = tmp_path / "store"
    for price in (2, 3, 2):
        assert cache.solve(bank(read, price), directory=directory).value() == 6 * price
    assert len(cache.entries(directory)) == 2
    assert cache.load(bank(read, 4), None, directory) is None


def count_walks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Give a list to which every exploring adds."""
    asked: list[Any] = []

    def walk(*how: Any) -> Any:
        asked.append(how)
        return walked(*how)

    monkeypatch.setattr("rollwise.solvers.graph.explore.walked", walk)
    return asked


def test_a_game_is_explored_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GraphSolver, "worth_seconds", 0.0)
    asked = count_walks(monkeypatch)
    solutions = [cache.solve(Walk(length), directory=tmp_path) for length in (6, 8, 6)]
    assert len(asked) == 3
    assert solutions[0].seconds == solutions[2].seconds, "it was loaded"


def test_a_solution_in_a_named_directory_is_used_as_it_is(
    tmp_path: Path, bank: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its rules turn out to be others where they are asked; where the file has another text, the game is explored."""
    monkeypatch.setattr(GraphSolver, "worth_seconds", 0.0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "default"))
    asked = count_walks(monkeypatch)
    game, directory = str(tmp_path / "bank.py"), tmp_path / "named"

    def best(*options: str) -> tuple[float, int]:
        asked.clear()
        capsys.readouterr()
        assert main(["advise", game, "--state", "(1, 3)", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)["moves"][0]["value"], len(asked)

    bank("numpy", 2)
    assert main(["solve", game, "--cache", str(directory)]) == 0
    assert best("--cache", str(directory)) == (10, 0)
    assert best() == (10, 1)
    bank("numpy", 3)
    assert best() == (15, 1)
    assert best("--cache", str(directory)) == (15, 1)
    assert best("--cache", str(directory)) == (15, 0)
    bank("gzip", 4)
    assert best("--cache", str(directory)) == (20, 1)
    assert main(["solve", game, "--cache", str(directory)]) == 0
    assert "24" in capsys.readouterr().out


def test_identities() -> None:
    others = [
        identity(game, objective)
        for game in (load("pig"), load("pig", target=99), load("slots"), load("shut-the-box"), load("shut-the-box", tiles=10))
        for objective in (Expected(), AtLeast(3), AtLeast(4), Fewest(), Against({1: 1}), Against({1: 2, 2: 1}))
    ]
    assert None not in others
    assert len({*others}) == len(others)


@pytest.mark.parametrize("name", ["pig", "shut-the-box", "bear-off", "slots"])
def test_what_a_game_remembers_is_no_part_of_it(name: str) -> None:
    known: dict[str, dict[str, Any]] = {
        "pig": {"target": 9},
        "shut-the-box": {"tiles": 3},
        "bear-off": {"start": "2", "players": 2},
    }
    game = load(name, **known.get(name, {}))
    before = identity(game, Utility(2)), identity(game, Expected())
    solution = rollwise.solve(game, Expected())
    rollwise.advise(solution, next(iter(solution.policy())).state)
    assert (identity(game, Utility(2)), identity(game, Expected())) == before
    assert before[0] is None, "an objective of somebody else"
    assert before[1] is not None


def test_what_a_table_remembers_is_no_part_of_it() -> None:
    game: Any = load("farkle")
    before = identity(game, Expected())
    for name in game.sets.columns:
        game.sets.distinct(name)
    assert before is not None
    assert identity(game, Expected()) == before


def test_games_that_were_changed_have_no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = load("shut-the-box")
    right = identity(game, Expected())
    game.payoff = lambda state: 7
    assert identity(game, Expected()) is None
    del game.payoff
    assert identity(game, Expected()) == right
    vars(game)["_candidates"] = ()
    remembered = next(name for name, member in vars(type(game)).items() if isinstance(member, cached_property))
    vars(game)[remembered] = 5
    assert identity(game, Expected()) != right
    other = load("slots")
    monkeypatch.setattr(type(other), "payoff", lambda self, state: 3)
    assert identity(other, Expected()) is None


def test_the_same_identity_in_another_process() -> None:
    script = (
        "from rollwise import AtLeast; from rollwise.games import load; from rollwise.solvers.graph.identity import identity; "
        "print(identity(load('pig', target=9), AtLeast(1)), identity(load('slots'), AtLeast(45)))"
    )
    ran = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [identity(*GAMES["pig"]), identity(*GAMES["slots"])]


class Odd:
    """A position with an equality of its own."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odd) and self.number % 10 == other.number % 10

    def __hash__(self) -> int:
        return hash(self.number % 10)


class OddToss(Game[Odd, Odd, str]):
    """Toss a coin; positions cannot be written."""

    def __init__(self, heads: int) -> None:
        self.heads = [heads]

    def start(self) -> Odd:
        return Odd(0)

    def roll(self, pending: Odd) -> Mapping[Odd, int]:
        return {Odd(1): 1, Odd(2): 1}

    def actions(self, state: Odd) -> Sequence[str]:
        return ()

    def play(self, state: Odd, action: str) -> Odd:
        return Odd(0)

    def payoff(self, state: Odd) -> int:
        return self.heads[0] if state == Odd(11) else 0


@pytest.mark.parametrize("trust", [False, True])
def test_positions_that_cannot_be_written_are_explored(trust: bool, tmp_path: Path) -> None:
    for heads in (2, 3):
        cache.save(rollwise.solve(OddToss(heads)), tmp_path)
    assert len({path.name[:14] for path in tmp_path.iterdir()}) == 1
    for heads in (2, 3):
        found = cache.load(OddToss(heads), None, tmp_path, trust=trust)
        assert found is not None
        assert found.value() == heads / 2
    assert cache.load(OddToss(4), None, tmp_path, trust=trust) is None


# What does not fit


def forge(entry: Path, change: Callable[[dict[str, Any]], object]) -> None:
    facts = json.loads((entry / "manifest.json").read_text())
    del facts["checksum"]
    change(facts)
    (entry / "manifest.json").write_text(seal(facts))


def ask_all(solution: Any, explored: Any) -> None:
    """Ask for every position, by its number and by itself."""
    for number, state in enumerate(explored.states):
        assert solution.explored.states[number] == state
        solution.ranked(state)
    for number, pending in enumerate(explored.pendings):
        assert solution.explored.pendings[number] == pending


def test_the_entry_of_another_game_is_noticed_at_the_start(tmp_path: Path) -> None:
    for one, other in ((load("pig", target=9), load("pig", target=10)), (Walk(6), Walk(8)), (Boxes(4), Boxes(3))):
        entry = cache.save(rollwise.solve(one), tmp_path)
        key = GraphSolver().key(other, other.objective)
        forged = tmp_path / (f"{key}{'0' * 16}" if key.endswith("-") else key)
        entry.rename(forged)
        forge(forged, lambda facts, name=forged.name: facts.update(key=name))  # type: ignore[misc]
        with pytest.raises(CacheError) as caught:
            ask_all(cache.load(other, None, tmp_path, trust=True), explore(other))
        assert "\n" not in str(caught.value)
        lines: list[str] = []
        assert (
            cache.solve(other, directory=tmp_path, worth_seconds=0, refused=lines.append).value() == rollwise.solve(other).value()
        )
        cache.clear(tmp_path)


def test_exploring_again_compares(tmp_path: Path) -> None:
    game, objective = GAMES["boxes"]
    entry = cache.save(rollwise.solve(game, objective), tmp_path)
    forge(entry, lambda facts: facts["rest"].update(fingerprint="0" * 16))
    found = cache.load(game, objective, tmp_path, trust=True)
    assert found is not None
    with pytest.raises(CacheError, match="does not fit the rules of the game, and was removed"):
        list(found.policy())
    assert not entry.exists()


# Equal positions have equal digests, and others have others


class Colour(IntEnum):
    """A number with a name."""

    RED = 1
    BLUE = 2


class Pair(NamedTuple):
    """A tuple with names."""

    left: Any
    right: Any


@dataclass(frozen=True)
class Held:
    """What compares by class and field."""

    value: Any
    note: Any = field(default=None, compare=False)


@dataclass(frozen=True)
class AlsoHeld:
    """The same fields, another class."""

    value: Any


@dataclass(frozen=True, eq=False)
class Below(Held):
    """A field more, which nobody compares."""

    more: Any = 0


LEAVES = st.one_of(
    st.integers(-3, 3), st.booleans(), st.sampled_from([0.0, 1.0, 1.5, -0.0, float("inf"), 0.1]),
    st.text("ab'\"é\u2028", max_size=2),
    st.binary(max_size=1), st.none(), st.sampled_from([Fraction(1), Fraction(3, 2), Decimal("1.50"), Decimal(2), 1 + 0j, 1j]),
    st.sampled_from([Colour.RED, Phase.ROLL, Phase.DONE, np.int64(1), np.float64(1.5), np.True_, np.uint8(2), 10**30, ...]),
)  # fmt: skip
POSITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3), st.builds(Pair, inner, inner),
        st.builds(Held, inner, inner), st.builds(AlsoHeld, inner), st.builds(Below, inner, inner, inner),
    ),
    max_leaves=6,
)  # fmt: skip


@given(POSITIONS, POSITIONS)
def test_digests_follow_equality(one: Any, other: Any) -> None:
    equal = other in {one}
    assert (canonical(one) == canonical(other)) == equal
    assert (position_digest(one) == position_digest(other)) == equal


def twin(value: Any) -> Any:
    """Give something equal that is made of other things."""
    match value:
        case Pair():
            return (twin(value.left), twin(value.right))
        case tuple():
            return tuple(map(twin, value))
        case frozenset():
            return frozenset(reversed([twin(part) for part in value]))
        case Held():
            return replace(value, value=twin(value.value), note="else")
        case AlsoHeld():
            return AlsoHeld(twin(value.value))
        case bool() | int():
            return float(value) if abs(value) < 2**53 else Fraction(int(value))
        case float() | Fraction() | Decimal() if value == value and abs(value) != float("inf"):
            return Fraction(value)
    return value


@given(POSITIONS)
def test_equal_positions_have_equal_digests(one: Any) -> None:
    other = twin(one)
    assert one == other
    assert position_digest(one) == position_digest(other)


@pytest.mark.parametrize("value", [Odd(1), (1, Odd(1)), float("nan"), [1], object(), lambda: 1])
def test_what_cannot_be_written_is_said(value: Any) -> None:
    with pytest.raises(NotCanonical):
        canonical(value)


def test_deep_positions_end() -> None:
    deep: Any = ()
    for _ in range(100_000):
        deep = (deep,)
    with pytest.raises(NotCanonical):
        canonical((deep, 1.5))
