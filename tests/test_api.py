"""A game, an objective, a position or a policy may be given as an object or as its text, in every public function."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from importlib.util import find_spec
from inspect import Parameter, isfunction, signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import Game, GameError, PositionError, Roll, Solution, certain, dice, die
from rollwise.extending import Distribution
from rollwise.games import load
from rollwise.model.game import PUBLIC
from rollwise.policies import FunctionPolicy, Greedy, Optimal, TablePolicy
from tests.wrong_games import GOOD

Call = Callable[..., Any]

TAKES_GAME: dict[str, Call] = {
    "solve": lambda game, *aim: rollwise.solve(game, *aim).value(),
    "plan": lambda game, *aim: rollwise.plan(game, *aim).states,
    "explore": lambda game, *aim: rollwise.explore(game, *aim).graph.n_states,
    "check_game": lambda game: rollwise.check_game(game, max_states=50),
    "evaluate": lambda game, *aim: rollwise.evaluate(game, Greedy(), *aim).value,
    "find_card": lambda game, *aim: rollwise.find_card(game, *aim, size=1, seconds=0.1).optimum,
    "evaluate_card": lambda game, *aim: rollwise.evaluate_card(game, "otherwise: bin", *aim).value,
    "sweep": lambda game, *aim: rollwise.sweep(game, {}, objective=aim[0] if aim else None),
    "cache.solve": lambda game, *aim: rollwise.cache.solve(game, *aim, worth_seconds=9).value(),
    "cache.load": rollwise.cache.load,
    "gym.make_env": lambda game, *aim: env("make_env", game, *aim).optimum,
    "gym.make_vec": lambda game, *aim: env("make_vec", game, 2, *aim).optimum,
    "gym.make_aec": lambda game, *aim: env("make_aec", game, *aim).possible_agents,
}
ONE_FORM = {"sweep": "a name or a path", "gym.make_aec": "two players"}


def env(make: str, *given: Any) -> Any:
    return getattr(rollwise.gym, make)(*given)


def takes(parameter: str) -> set[str]:
    """Name the public functions that take a parameter."""
    modules = {"": rollwise, "cache.": rollwise.cache, "games.": rollwise.games}
    if find_spec("pettingzoo"):
        modules["gym."] = rollwise.gym
    things = {f"{prefix}{name}": getattr(at, name) for prefix, at in modules.items() for name in at.__all__}
    return {name for name, thing in things.items() if isfunction(thing) and parameter in signature(thing).parameters}


def each(names: Iterable[str]) -> list[Any]:
    """Make a parameter of each name; what needs Gymnasium runs with `--all`, where that is installed."""
    return [pytest.param(name, marks=[pytest.mark.full] if name.startswith("gym.") else []) for name in names]


@pytest.mark.full
def test_every_function_with_a_game_is_in_the_table() -> None:
    of_records = {"write_record"}
    assert takes("game") - of_records == set(TAKES_GAME)


@pytest.mark.parametrize("name", each(sorted(set(TAKES_GAME) - set(ONE_FORM))))
def test_a_game_is_an_object_a_name_or_a_path(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bank.py"
    file.write_text(GOOD.replace("keep", "bin"))
    for game in ("slots", str(file), file):
        assert TAKES_GAME[name](game) == TAKES_GAME[name](load(game))


@pytest.mark.parametrize("name", each(sorted(takes("objective") & set(TAKES_GAME) - set(ONE_FORM))))
def test_an_objective_is_an_object_or_its_text(name: str) -> None:
    assert TAKES_GAME[name]("slots", "at-least 50") == TAKES_GAME[name]("slots", rollwise.AtLeast(50))


@pytest.mark.parametrize("name", each(TAKES_GAME))
def test_what_is_no_game_or_objective_gets_a_line(name: str) -> None:
    with pytest.raises(GameError, match="expected"):
        TAKES_GAME[name](7)
    with pytest.raises(GameError, match="unknown game 'slot': did you mean 'slots'"):
        TAKES_GAME[name]("slot")
    if name != "check_game":
        with pytest.raises(GameError, match="did you mean 'fewest'"):
            TAKES_GAME[name]("pig", "fewst")


@pytest.fixture(scope="module")
def solutions() -> list[Solution]:
    small = load("yazy", boxes="ones,straight")
    return [rollwise.solve("slots"), rollwise.solve(small), rollwise.solve(small, "duel"), rollwise.solve(load("pig", target=20))]


def test_a_position_is_a_state_or_its_text(solutions: list[Solution]) -> None:
    for solution in solutions:
        game = solution.game
        state = next(state for state in game.roll(game.start()) if len(game.actions(state)) > 1)
        action = solution.ranked(state)[-1].action
        text, move = game.show_state(state), game.show_action(action)
        calls: list[Call] = [
            lambda at, _, solved=solution: solved.value(at),
            lambda at, _, solved=solution: solved.best(at),
            lambda at, _, solved=solution: solved.ranked(at),
            lambda at, _, solved=solution: [(row.action, row.value) for row in rollwise.advise(solved, at, outlook=False).moves],
            lambda at, by, solved=solution: rollwise.explain(solved, at, by),
            lambda at, by, solved=solution: rollwise.start_game(solved).rolled(at).moved(by).total,
        ]
        if solution.objective.follows:
            calls.append(lambda at, _, solved=solution: rollwise.distribution(solved, start=at).chance.tolist())
        for call in calls:
            assert call(text, move) == call(state, action)
            with pytest.raises(PositionError, match="is not a position"):
                call("nonsense", move)


class Letters(Game[str, str, str]):
    """A game whose positions are texts: draw a letter, take it or the next."""

    def start(self) -> str:
        return "start"

    def roll(self, pending: str) -> Any:
        return die("ab") if pending == "start" else {pending.upper(): 1}

    def actions(self, state: str) -> tuple[str, ...]:
        return ("keep", "change") if state.islower() else ()

    def play(self, state: str, action: str) -> str:
        return "xb" if (state == "b") == (action == "keep") else "xa"

    def payoff(self, state: str) -> int:
        return int(state == "XB")


def test_a_text_that_is_a_position_is_that_position() -> None:
    solution = rollwise.solve(Letters())
    assert [solution.best(text) for text in ("a", "'a'", "b", "'b'")] == ["change", "change", "keep", "keep"]
    assert solution.value("start") == solution.value("xb") == 1
    assert rollwise.distribution(solution, start="xa").mean == 0


def test_what_follows_from_a_state_starts_with_its_best_move(solutions: list[Solution]) -> None:
    for solution in solutions[1:2]:
        for state in list(solution.game.roll(solution.game.start()))[:20]:
            assert rollwise.distribution(solution, start=state).mean == pytest.approx(solution.value(state), rel=1e-9)


def test_a_policy_is_an_object_a_solution_a_function_or_a_mapping(solutions: list[Solution]) -> None:
    slots = solutions[0]
    table = {row.state: row.action for row in slots.policy()}
    for policy in (slots, slots.best, table, Optimal(slots), FunctionPolicy(slots.best), TablePolicy(table)):
        assert rollwise.evaluate("slots", policy).value == pytest.approx(slots.value())
        assert rollwise.distribution(slots, policy).at_least(45) == pytest.approx(slots.value())
        assert rollwise.simulate(slots, 20, policy=policy).games == 20


def test_one_name_and_one_seed() -> None:
    """An option has one name in all functions, and the same default."""
    seeds = [signature(getattr(rollwise, name)).parameters["seed"] for name in takes("seed") if "." not in name]
    assert {seed.default for seed in seeds} == {0}
    assert {seed.kind for seed in seeds} == {Parameter.KEYWORD_ONLY}
    assert takes("policy") >= {"evaluate", "distribution", "simulate"}
    assert takes("choose") == set()


def test_dir_shows_what_users_need(solutions: list[Solution]) -> None:
    """In a notebook, TAB after a dot lists this."""
    for module in (rollwise.games, rollwise.cache, rollwise.columns, rollwise.policies, rollwise.params, rollwise.views):
        assert {name for name in dir(module) if not name.startswith("_")} == set(module.__all__)
    assert rollwise.games.names() == sorted(rollwise.games.CATALOGUE)
    shown = [{name for name in dir(solution) if not name.startswith("_")} for solution in solutions]
    assert all(names == shown[0] and len(names) <= 20 for names in shown)
    assert {"value", "best", "ranked", "game", "certificate"} <= shown[0]
    games = [{name for name in dir(game) if not name.startswith("_")} for game in (load("slots"), Letters())]
    assert games == [{*PUBLIC, "target", "slots", "weights"}, {*PUBLIC}]
    made = Letters()
    vars(made)["letters"] = "ab"
    assert "letters" in dir(made)


# Arithmetic of rolls and distributions


def test_rolls_add_up() -> None:
    assert die(6) + die(6) == dice(2).map(sum) == 2 @ die(6) == sum([die(6), die(6)])
    assert 0 @ die(6) == certain(0)
    assert -die(4) + 5 == 5 - die(4) == die(4)
    assert 2 * die(3) == die(3) * 2 == Roll({2: 1, 4: 1, 6: 1})
    assert die(2) * die(2) == Roll({1: 1, 2: 2, 4: 1})
    assert die(6) - die(6) == -(die(6) - die(6))
    assert (die(6).mean, die(6).variance, (10 @ die(6)).variance) == (Fraction(7, 2), Fraction(35, 12), 10 * Fraction(35, 12))
    assert die(6).standard_deviation == pytest.approx(float(die(6).variance) ** 0.5)
    assert (3 @ die(6)).probability(lambda total: total > 10) == Fraction(1, 2)
    assert dice(2).probability(lambda hand: hand[0] == hand[1]) == Fraction(1, 6)


def test_distributions_add_up_as_rolls_do() -> None:
    one = Distribution("points", 1, np.full(6, 1 / 6))
    far = Distribution("points", 0, np.array([0.25, 0.75]), numbers=np.array([0, 10**12]))
    for found, roll in (
        (3 @ one, 3 @ die(6)),
        (one - one, die(6) - die(6)),
        (10 - 2 * one, 10 - 2 * die(6)),
        (one + 3, die(6) + 3),
    ):
        assert dict(zip(found.values.tolist(), found.chance.tolist(), strict=True)) == pytest.approx(
            {value: float(roll.probability(value)) for value in found.values.tolist()}
        )
        assert found.mean == pytest.approx(float(roll.mean))
        assert found.variance == pytest.approx(float(roll.variance))
        assert found.probability(lambda total: total % 2) == pytest.approx(float(roll.probability(lambda total: total % 2)))
    assert (2 @ far).values.tolist() == [0, 10**12, 2 * 10**12]
    assert (2 @ far + one).mean == pytest.approx(2 * far.mean + 3.5)
    assert one.map(lambda value: value % 2).chance.tolist() == pytest.approx([0.5, 0.5])
    bounded = Distribution("points", 0, np.array([0.5, 0.5]), rest=0.1, error=0.01, moments=(0.6, 0.5))
    both = bounded + bounded
    assert (both.rest, both.error, both.mean) == pytest.approx((0.19, 0.02, 1.2))


@pytest.mark.parametrize("one", [die(6), Distribution("points", 1, np.full(6, 1 / 6))])
def test_arithmetic_that_makes_no_sense_gets_a_line(one: Any) -> None:
    senseless: list[Call] = [lambda: one + "a", lambda: "a" - one, lambda: one * [1]]
    for call in senseless:
        with pytest.raises(TypeError, match="unsupported operand|must be str|can't multiply"):
            call()
    refused: list[Call] = [lambda: -1 @ one, lambda: 0.5 @ one, lambda: die("AB") + 1, lambda: dice(2).mean]
    for call in refused:
        with pytest.raises(GameError, match="expected|map the outcomes"):
            call()


@pytest.mark.full
def test_to_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas  # noqa: PLC0415  (installed with `--all` only)

    one = Distribution("points", 1, np.full(6, 1 / 6))
    for thing in (die(6), one):
        found = thing.to_pandas()
        assert isinstance(found, pandas.Series)
        assert (found.index.tolist(), found.name) == ([1, 2, 3, 4, 5, 6], "probability")
        assert found.sum() == pytest.approx(1)
    assert dice(2, 2).to_pandas()[(1, 2)] == 0.5
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(GameError, match=r"pip install 'rollwise\[pandas\]'"):
        one.to_pandas()
