"""Faults said in a sentence: wrong arguments, rules and strategies that fail, what `check` warns of, positions with names."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cache, cached_property
from inspect import isclass, isfunction, signature
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import rollwise
from rollwise import (
    AtLeast,
    Expected,
    Fewest,
    Game,
    GameError,
    PositionError,
    Solution,
    advise,
    check_game,
    die,
    distribution,
    evaluate,
    grade,
    read_record,
    simulate,
    solve,
)
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.games.pig import Pig
from rollwise.model.values import read_value, write_value
from rollwise.playing import opponents
from rollwise.policies import FunctionPolicy, Greedy, TablePolicy
from rollwise.reports import build as reports
from tests.wrong_games import GOOD, game


class Bank(Game[Any, Any, Any]):
    """Roll a die once or twice and bank what it shows."""

    def start(self) -> Any:
        return 0

    def roll(self, pending: Any) -> Any:
        return die(6) if pending == 0 else {-pending: 1}

    def actions(self, state: Any) -> Any:
        return ("keep", "again") if state > 0 else ()

    def play(self, state: Any, action: Any) -> Any:
        return state if action == "keep" else 0

    def payoff(self, state: Any) -> int:
        return int(-state)


def bank(**rules: Any) -> Bank:
    return type("Own", (Bank,), rules)()  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def slots() -> Solution:
    return solve(load("slots"))


def fail(*_: Any) -> Any:
    raise KeyError(7)


# What is asked of the wrong thing

api: Any = rollwise


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda s: api.solve(Pig), r"solve was given the class Pig: expected a game, such as Pig\(\)"),
        (lambda s: api.solve("slot"), "unknown game 'slot': did you mean 'slots'"),
        (lambda s: api.solve("bank.py"), "there is no game file 'bank.py'"),
        (lambda s: api.solve(None), "solve was given None: expected a game"),
        (api.solve, "solve was given <GraphSolution of Slots .*>: expected a game"),
        (lambda s: api.check_game(7), "check_game was given 7: expected a game, a name .* or the path of a game file"),
        (lambda s: api.evaluate(s.game, Greedy), r"the class Greedy as policy: make an object of it, Greedy\(...\)"),
        (lambda s: api.evaluate(s.game, "greedy"), r"given 'greedy' as policy: expected a policy such as Greedy\(\)"),
        (lambda s: api.distribution(s.game), r"solve it first, distribution\(solve\(game\), ...\)"),
        (lambda s: api.advise(s.game, 1), "advise was given the game Slots: solve it first"),
        (lambda s: api.simulate(s, 10, policy=7), "given 7 as policy: expected a policy"),
        (lambda s: api.grade(None, read_record("game: slots")), "grade was given None: expected a solution"),
        (lambda s: api.solve(s.game, Expected), r"expected one that is made, Expected\(...\)"),
        (lambda s: api.explore(s.game, 7), "the objective is 7: expected Expected"),
        (lambda s: api.explore(s.game, "fewst"), "did you mean 'fewest'"),
        (lambda s: api.dice("4d6"), "expected"),
        (lambda s: api.die(2.5), "expected"),
        (lambda s: api.sweep(s.game, {"target": [40]}), "expected"),
        (lambda s: api.sweep("slots", {"target": 40}), "expected"),
        (lambda s: api.columns.Subset([7, 8]).subsets(6), "no set of"),
    ],
)
def test_the_wrong_thing_gets_a_sentence(slots: Solution, ask: Callable[[Any], Any], match: str) -> None:
    with pytest.raises(GameError, match=match):
        ask(slots)


# Strategies and rules that fail


def test_a_strategy_that_fails_is_named(slots: Solution) -> None:
    for ask, match in (
        (lambda s: evaluate(s.game, FunctionPolicy(fail)), r"the policy failed at state .*: KeyError: 7 \(test_faults.py, line"),
        (lambda s: distribution(s, FunctionPolicy(fail)), r"the policy failed at state .*: KeyError: 7 \(test_faults.py, line"),
        (lambda s: simulate(s, 10, seed=1, policy=fail), r"the policy failed at state .*: KeyError: 7 \(test_faults.py, line"),
        (lambda s: evaluate(s.game, type("P", (), {"weights": lambda *_: ["x3"]})()), r"gives \['x3'\] at state"),
        (lambda s: evaluate(s.game, TablePolicy({})), "the table has no action for state"),
    ):
        with pytest.raises(GameError, match=match):
            ask(slots)


def test_rules_that_fail_after_solving_are_named() -> None:
    broken = bank()
    solution = solve(broken)
    setattr(type(broken), "actions", fail)  # noqa: B010  (a type checker would not have it)
    where = r"actions\(\) failed: KeyError: 7 \(test_faults.py, line"
    for ask in (
        lambda: advise(solution, 3),
        lambda: distribution(solution, Greedy()),
        lambda: simulate(solution, 10, seed=1, policy=lambda state: "keep"),
        lambda: grade(solution, read_record("game: bank\nroll: 3\nmove: keep")),
    ):
        with pytest.raises(GameError, match=where):
            ask()


def test_what_a_callback_raises_is_not_the_rules_fault(slots: Solution) -> None:
    class Enough(Exception):
        """The caller has seen enough."""

    def stop(*_: Any) -> None:
        raise Enough

    for ask in (lambda: solve(bank(), progress=stop), lambda: distribution(slots, progress=stop)):
        with pytest.raises(Enough):
            ask()


def test_rules_behind_a_cache_and_a_helper_are_named() -> None:
    broken = bank(payoff=cache(lambda self, state: fail()))
    with pytest.raises(GameError, match=r"payoff\(\) failed at state -1: KeyError: 7 \(test_faults.py, line"):
        solve(broken)
    with pytest.raises(GameError, match=r"payoff\(\) failed at state .*: KeyError: 7 \(test_faults.py, line"):
        solve(bank(payoff=fail), AtLeast(3))


# What check finds and warns of


def test_check_warns() -> None:
    for rules, warning in (
        ({"show_states": fail}, "Own defines show_states, which no solver uses: did you mean show_state?"),
        ({"gains": fail}, "Own defines gains, which no solver uses: did you mean gain?"),
        ({"Cost": fail}, "Own defines Cost, which no solver uses: did you mean cost?"),
        ({"showState": fail}, "Own defines showState, which no solver uses: did you mean show_state?"),
        ({"objectives": property(fail)}, "Own defines objectives, which no solver uses: did you mean objective?"),
        ({"parameter": ()}, "Own defines parameter, which no solver uses: did you mean parameters?"),
        (
            {"actions": lambda self, state: {"keep", "again"} if state > 0 else set()},
            "at state 1: actions() returned a set, which has no order: return a tuple, so that ties are always broken alike",
        ),
    ):
        assert check_game(bank(**rules)).warnings == (warning,)


def test_check_warns_of_state_in_self() -> None:
    def changed(remember: Callable[[Any], Any], **begin: Any) -> Any:
        made = bank(cost=lambda self, pending: 1 + 0 * len([remember(self)]), shared=0)
        vars(made).update(begin)
        return made

    for made in (
        changed(lambda self: setattr(self, "n", self.n + 1), n=0),
        changed(lambda self: setattr(self, "last", 1)),
        changed(lambda self: self.seen.append(1), seen=[]),
        changed(lambda self: self.dice.random(), dice=np.random.default_rng(1)),
        changed(lambda self: setattr(type(self), "shared", type(self).shared + 1)),
    ):
        (warning,) = check_game(made).warnings
        assert "changes while the rules are called: put what they depend on into the positions" in warning


def test_memories_of_answers_are_no_state() -> None:
    def payoff(self: Any, state: Any) -> int:
        return int(self.memo.setdefault(state, self.sign * state))

    made = bank(payoff=payoff, roll=cache(Bank.roll), sign=cached_property(lambda self: -1))
    type(made).sign.__set_name__(type(made), "sign")  # type: ignore[attr-defined]
    made.memo, made.helper = {}, object()  # type: ignore[attr-defined]
    assert check_game(made).warnings == ()


def test_rules_that_print_leave_the_answer_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "random.py"
    path.write_text(
        game(
            "def show_action(self, action): print('shown'); return action",
            head="print('loaded')",
            roll="print('rolled'); return die(6) if pending == 0 else {-pending: 1}",
        )
    )
    for command in (["solve"], ["advise", "--state", "3"], ["distribution"], ["simulate", "--games", "20"]):
        assert main([command[0], str(path), *command[1:], "--json", "--no-cache"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["game"] == str(path)
        assert "rolled" in err


def test_a_file_that_fails_leaves_no_module_behind(tmp_path: Path) -> None:
    path = tmp_path / "bank.py"
    path.write_text("x = y")
    with pytest.raises(GameError, match="NameError"):
        load(path)
    path.write_text(GOOD + "Same = Bank\n")
    assert solve(load(path), exact=True).value() == 6


# Positions with names


class Phase(Enum):
    """Where a turn is."""

    ROLL = 1
    OVER = 2


class Side(IntEnum):
    """Who moves."""

    LEFT = 0


class Hand(NamedTuple):
    """Part of a position."""

    dice: tuple[int, ...]
    kept: frozenset[str]


@dataclass(frozen=True)
class Place:
    """A position."""

    hand: Hand
    phase: Phase
    note: str | None = None
    share: Fraction = Fraction(1, 2)


@dataclass(frozen=True, order=True)
class Act:
    """A move."""

    name: str


class Named(Game[Any, Any, Any]):
    """One roll, one move, every kind of value in the positions."""

    def start(self) -> Any:
        return Phase.ROLL

    def roll(self, pending: Any) -> Any:
        if pending is Phase.OVER:
            return {Place(Hand((), frozenset()), Phase.OVER): 1}
        notes = ("it's (1, 2)", None)
        return {Place(Hand((face, -1), frozenset({"b", "a"})), Phase.ROLL, notes[face % 2]): 1 for face in range(3)}

    def actions(self, state: Any) -> Any:
        return (Act("go"), Side.LEFT, "stay") if state.phase is Phase.ROLL else ()

    def play(self, state: Any, action: Any) -> Any:
        return Phase.OVER

    def gain(self, state: Any, action: Any) -> int:
        return state.hand.dice[0] if action == Act("go") else 0


def test_named_positions_are_written_and_read_back() -> None:
    named = Named()
    assert check_game(named).warnings == ()
    text = "Place(hand=Hand(dice=(1, -1), kept=frozenset({'a', 'b'})), phase=Phase.ROLL, note=None, share=Fraction(1, 2))"
    state = named.read_state(text)
    assert named.show_state(state) == text
    assert named.read_action("Act(name='go')") == Act("go")
    assert named.read_action("Side.LEFT") is Side.LEFT
    assert named.read_action("hand(3)") == "hand(3)"
    assert advise(solve(named), state).moves[0].action == Act("go")
    assert advise(solve(named, Fewest()), state).value == 0


def test_no_text_runs_anything() -> None:
    for text in (
            "open('x')", "__import__('os')", "Place.__class__", "Phase.mro", "Phase.ROLL.name", "Place(*(1, 2))", "Place(**{})",
            "Hand(1, 2, 3)", "Fraction('1e9999999')", "Named()", "(lambda: 1)()", "[x for x in (1,)]", "Phase['ROLL']", "f'{1}'",
            "(" * 1000, "1" * 5000, "Place", "", "\0", "9**9**9", "frozenset([[]])", "Game()", "bank()",
        ):  # fmt: skip
        with pytest.raises(PositionError, match="is not a state") as caught:
            Named().read_state(text)
        assert len(str(caught.value)) < 400


def test_plain_values_are_written_as_ever() -> None:
    for value in (1, -2, "a'b", (), (1,), (1, ("x", None)), True, 1.5, b"x", [1], {1: 2}):
        assert write_value(value) == repr(value)
        assert read_value(write_value(value), lambda name: None) == value
    assert write_value((np.int64(3), np.float64(0.5))) == "(3, 0.5)"


# What `solve` says without being asked


def test_solve_warns_of_a_misspelt_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bank.py"
    path.write_text(GOOD.replace("def payoff", "def payof"))
    for place in ("--no-cache", f"--cache={tmp_path / 'kept'}"):
        assert main(["solve", str(path), place]) == 0
        assert capsys.readouterr().err == "rollwise: warning: Bank defines payof, which no solver uses: did you mean payoff?\n"
    with pytest.warns(rollwise.errors.GameWarning, match="did you mean payoff") as found:
        solve(load(path))
    assert found[0].filename == __file__
    # What a family of games asks for, and what only shows positions, is nobody's mistake here.
    solve(type("Own", (Pig,), {"gains": False, "other_aim": ()})(target=5, faces=3))
    solve(bank(describes=fail))


@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_rule_that_takes_long_is_named(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The rule answers when somebody has said that it does not.
    path, said = tmp_path / "slow.py", tmp_path / "said"
    slow = f"while state == 3 and not Path({str(said)!r}).exists(): pass"
    path.write_text(
        game(
            head="from pathlib import Path",
            actions=f"""def actions(self, state):
        {slow}
        return ('keep', 'again') if state > 0 else ()""",
        )
    )
    lines: list[str] = []

    def hear(line: str) -> None:
        lines.append(line)
        said.touch()

    monkeypatch.setattr("rollwise.cli.waiting.warn", hear)
    monkeypatch.setattr("rollwise.cli.waiting.LOOK_SECONDS", 0.01)
    monkeypatch.setattr("rollwise.cli.waiting.LONG_SECONDS", 0.1)
    assert main([command, str(path)]) == 0
    assert any("Bank.actions() at 3 (slow.py" in line for line in lines)
    path.write_text(game(roll="raise KeyboardInterrupt"))
    assert main([command, str(path)]) == 130
    assert capsys.readouterr().err.startswith("rollwise: stopped in Bank.roll() at 0 (slow.py, line ")


# What callers of Python give


def taking_paths() -> set[str]:
    """Name the public functions and methods that take the path of a file or a folder."""
    modules = {"": rollwise, "cache.": rollwise.cache, "games.": rollwise.games, "reports.": reports, "opponents.": opponents}
    things = {f"{module}{name}": getattr(at, name) for module, at in modules.items() for name in at.__all__}
    methods = {f"{name}.{one}": vars(kind)[one] for name, kind in things.items() if isclass(kind) for one in vars(kind)}
    called = {name: thing for name, thing in {**things, **methods}.items() if isfunction(thing) and "._" not in name}
    given = {name: [p for p in signature(thing).parameters.values() if p.name != "game"] for name, thing in called.items()}
    return {name for name, parameters in given.items() if "Path" in str([p.annotation for p in parameters])}


@pytest.mark.parametrize("kind", [str, Path])
def test_every_path_may_be_a_text(kind: Callable[[Path], Any], tmp_path: Path) -> None:
    small, store = load("yazy", boxes="ones,straight"), kind(tmp_path / "store")
    solution = solve(load("groups", faces=3, sizes="1,1"))
    rules, opponent = tmp_path / "bank.py", tmp_path / "opponent.txt"
    rules.write_text(GOOD)
    opponent.write_text("180 1\n")
    calls: dict[str, Callable[[], object]] = {
        "reports.write_report": lambda: reports.write_report(solution, kind(tmp_path / "again.md")),
        "reports.Report.write": lambda: reports.make_report(solution).write(kind(tmp_path / "page.md")),
        "games.load": lambda: load(kind(rules)),
        "opponents.read_opponent": lambda: opponents.read_opponent(kind(opponent)),
        "opponents.read_utility": lambda: opponents.read_utility(kind(opponent)),
        "solve": lambda: solve(small, checkpoint=kind(tmp_path / "layers")),
        "write_model": lambda: rollwise.write_model(solution, kind(tmp_path / "slots.drn")),
        "write_policy": lambda: rollwise.write_policy(solution, kind(tmp_path / "slots.csv")),
        "write_report": lambda: rollwise.write_report(solution, kind(tmp_path / "page.html")),
        "cache.save": lambda: rollwise.cache.save(solution, store),
        "cache.load": lambda: rollwise.cache.load(solution.game, directory=store),
        "cache.solve": lambda: rollwise.cache.solve(solution.game, directory=store),
        "cache.entries": lambda: rollwise.cache.entries(store),
        "cache.verify": lambda: rollwise.cache.verify(store),
        "cache.set_limit": lambda: [rollwise.cache.set_limit(store, 10**9)],  # type: ignore[func-returns-value]
        "cache.limit_of": lambda: rollwise.cache.limit_of(store) == 10**9,
        "cache.trim": lambda: rollwise.cache.trim(store) == [],
        "cache.clear": lambda: rollwise.cache.clear(store),
    }
    assert taking_paths() == set(calls)
    assert rollwise.extending.SolveOptions(checkpoint=kind(tmp_path)).checkpoint == tmp_path
    assert all(call() for call in calls.values())


def test_only_rules_take_names_away_from_a_game() -> None:
    for name in ("choices", "describe", "explain", "in_columns", "unlifted", "columns", "rules", "draw"):
        assert solve(bank(**{name: 3})).value() == solve(bank()).value()


@pytest.mark.parametrize("name", ["vocabulary", "payoff"])
def test_an_attribute_with_the_name_of_a_method_is_named(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bank.py"
    path.write_text(game(f"def __init__(self): self.{name} = 3"))
    assert main(["play", str(path)]) == 2
    assert f"{name} of Bank is 3: expected a method" in capsys.readouterr().err
    with pytest.raises(GameError, match=f"{name} of Own is 3"):
        solve(bank(**{name: 3}))


# Modules beside a game


def test_a_game_may_import_what_lies_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = game(
        head="import helpers\nfrom more.points import double",
        payoff="def payoff(self, state):\n        import late\n        return double(helpers.worth(-state)) + late.NOTHING",
    )
    games = {}
    for name, factor in (("one", 1), ("two", 10)):
        folder = tmp_path / name
        (folder / "more").mkdir(parents=True)
        (folder / "game.py").write_text(rules)
        (folder / "helpers.py").write_text("from factor import FACTOR\ndef worth(points): return FACTOR * points\n")
        (folder / "factor.py").write_text(f"FACTOR = {factor}\n")
        (folder / "late.py").write_text("NOTHING = 0\n")
        (folder / "random.py").write_text("raise ValueError\n")
        (folder / "more" / "__init__.py").write_text("")
        (folder / "more" / "points.py").write_text("def double(points): return 2 * points\n")
        games[name] = load(folder / "game.py")
    path = list(sys.path)
    assert [solve(games[name], exact=True).value() for name in ("one", "two")] == [12, 120]
    assert sys.path == path
    assert not {"helpers", "factor", "late", "more"} & set(sys.modules)
    # A module that changes is read again.
    command = ["solve", str(tmp_path / "one" / "game.py"), "--no-cache", "--json"]
    for factor in (1, 33):
        (tmp_path / "one" / "factor.py").write_text(f"FACTOR = {factor}\n")
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out)["value"] == 12 * factor
    (tmp_path / "one" / "factor.py").write_text("FACTOR = 1 // 0\n")
    assert main(command) == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
