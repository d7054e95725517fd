"""Loaded dice: every engine of every family against the graph solver and recursions, fair weights bit by bit, dice files."""

import json
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import (
    Duel,
    Game,
    GameError,
    PositionError,
    distribution,
    evaluate,
    evaluate_card,
    read_card,
    read_objective,
    simulate,
    solve,
)  # fmt: skip
from rollwise.cli.main import main
from rollwise.games import CATALOGUE, load
from rollwise.games.sheets.boxes import Box, Turn, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, count_face, total
from rollwise.model.abilities import Heuristic
from rollwise.model.game import objective_of
from rollwise.model.notation import notation_of
from rollwise.model.view import board_of, rules_in_words
from rollwise.model.weights import MOST_FACES, ThrowsDice, loaded_weights, read_dice, reduce_weights
from rollwise.policies import FunctionPolicy, Greedy, RandomPolicy
from rollwise.solvers.base.abilities import Explains, ability
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.choose_solver import choose_solver
from rollwise.solvers.sheets.backward import TurnRecursion
from rollwise.solvers.sheets.duel_arrays import last_layer, make_duel_arrays, solve_layers
from rollwise.solvers.sheets.kernels.rows_numba import numba_rows
from rollwise.solvers.sheets.lattice import lattice
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.rows import numpy_rows
from tests.known_games import FOLDER as KNOWN_FOLDER
from tests.reference import gap
from tests.test_duel_gpu import host_kernel
from tests.web_client import connect

LOADED = (3, 1, 0, 2)
WEIGHTS = [(3, 1, 0, 2), (1, 2, 3, 4), (0, 0, 5, 0), (1, 0, 1, 1)]


def small(weights: tuple[int, ...] | None = LOADED, **more: Any) -> Sheet:
    """A sheet of two dice with four faces."""
    boxes = [Box("ones", count_face(1), 1), Box("fours", count_face(4), 4), Box("pair", all_equal(7)), Box("sum", total)]
    return Sheet(boxes, count=2, faces=4, rerolls=2, bonus=UpperBonus(6, 5), weights=weights, **more)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_expected_totals_by_every_engine(weights: tuple[int, ...]) -> None:
    sheet = small(weights)
    truth = solve(sheet, exact=True, engine="induction").value()
    assert solve(sheet, exact=True).value() == truth
    for engine in ("sheet-numpy", "sheet-numba"):
        found = solve(sheet, engine=engine)
        assert gap(found.value(), truth) <= found.certificate.error_bound


def test_positions_within_turns_are_those_of_the_graph() -> None:
    sheet = small()
    fast, graph = solve(sheet), solve(sheet, engine="induction")
    for row in list(graph.policy())[::7]:
        assert fast.value(row.state, kind="state") == pytest.approx(graph.value(row.state, kind="state"), abs=1e-12)
        assert fast.best(row.state) == row.action


@pytest.mark.parametrize("aim", ["at-least 12", "worst 30%", "quantile 50%"])
@pytest.mark.parametrize("engine", ["points-numpy", "points-numba"])
def test_targets_and_risk(aim: str, engine: str) -> None:
    sheet, objective = small(), read_objective(aim)
    fast, graph = solve(sheet, objective, engine=engine), solve(sheet, objective, engine="induction")
    assert gap(fast.value(), graph.value()) <= fast.certificate.error_bound + graph.certificate.error_bound + 1e-12


@pytest.mark.parametrize("engine", ["saved-numpy", "saved-numba"])
def test_saved_rolls(engine: str) -> None:
    sheet = small(saved_rolls=True)
    fast = solve(sheet, engine=engine)
    assert gap(fast.value(), solve(sheet, engine="induction", exact=True).value()) <= fast.certificate.error_bound


def duelling(weights: tuple[int, ...] = LOADED) -> Sheet:
    boxes = [Box("ones", count_face(1), 1), Box("pair", all_equal(7)), Box("sum", total)]
    return Sheet(boxes, count=2, faces=4, rerolls=1, weights=weights)


def test_duels() -> None:
    sheet = duelling()
    fast = solve(sheet, Duel())
    assert gap(fast.value(), solve(sheet, Duel(), engine="induction").value()) <= fast.certificate.error_bound + 1e-12
    played = simulate(fast, 20_000, seed=1)
    assert abs(played.mean - fast.value()) < 5 * played.standard_error


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_kernel_of_duels_has_the_bits_of_the_reference(dtype: Any, tmp_path: Path) -> None:
    arrays = make_duel_arrays(make_sheet_arrays(duelling()))
    run = host_kernel(arrays, dtype, tmp_path)
    previous, before = arrays.layer(0), last_layer(arrays, 0.5, dtype)
    for left, values in solve_layers(TurnRecursion(arrays, numpy_rows, dtype), before):
        layer = arrays.layer(left)
        found, compiled = np.full((2, layer.n_states), np.nan, dtype=dtype)
        run(layer, previous, before, found)
        numba_rows(arrays, layer, previous, before, compiled, 0, layer.n_rows)
        assert np.array_equal(found, values)
        assert np.array_equal(compiled, values)
        previous, before = layer, values


class Plain(Game[Any, Any, Any], Heuristic):
    """The same rules without their family, so that the graph solver takes them."""

    def __init__(self, game: Any) -> None:
        self.inner = game

    def start(self) -> Any:
        return self.inner.start()

    def roll(self, pending: Any) -> Any:
        return self.inner.roll(pending)

    def actions(self, state: Any) -> Any:
        return self.inner.actions(state)

    def play(self, state: Any, action: Any) -> Any:
        return self.inner.play(state, action)

    def gain(self, state: Any, action: Any) -> int:
        return int(self.inner.gain(state, action))

    def heuristic(self, state: Any, action: Any) -> float:
        return float(self.inner.heuristic(state, action))


def test_what_follows_a_solution_is_that_of_the_graph() -> None:
    sheet = small()
    fast, graph = solve(sheet), solve(sheet, engine="induction")
    ours, theirs = distribution(fast), distribution(graph)
    assert ours.lowest == theirs.lowest
    assert np.allclose(ours.chance, theirs.chance, atol=1e-12)
    for policy in (Greedy(), RandomPolicy()):
        assert evaluate(sheet, policy).value == pytest.approx(evaluate(Plain(sheet), policy).value, abs=1e-12)
        mine, plain = (distribution(solve(game), policy=policy) for game in (sheet, Plain(sheet)))
        assert mine.mean == pytest.approx(plain.mean)
        assert mine.quantile(0.3) == plain.quantile(0.3)
    played = simulate(fast, 20_000, seed=2)
    assert abs(played.mean - float(fast.value())) < 5 * played.standard_error


def test_cards_are_evaluated_as_the_graph_evaluates_what_they_say() -> None:
    sheet = small()
    card = read_card(
        "if largest set >= 1: keep the largest set\notherwise: fill the box with the most points", sheet.vocabulary()
    )

    def follow(state: Turn) -> Any:
        if state.left and len(set(state.dice)) > 1:
            return (max(state.dice),)
        return max(sheet.fillable(state), key=lambda box: sheet.points(state, box)) if state.open else None

    value = evaluate(Plain(sheet), FunctionPolicy(follow)).value
    assert evaluate_card(sheet, card).value == pytest.approx(value, abs=1e-12)
    played = simulate(solve(sheet), 20_000, seed=3, policy=card)
    assert abs(played.mean - float(value)) < 5 * played.standard_error


def test_the_parts_of_a_move_add_up_to_its_value() -> None:
    sheet = small()
    solution = solve(sheet)
    for state in sheet.roll(sheet.start()):
        for row in solution.ranked(state):
            parts = ability(solution, Explains).parts(state, row.action, row.value)
            assert sum(float(part.value) for part in parts) == pytest.approx(float(row.value), abs=1e-9)


SMALL: dict[str, dict[str, Any]] = {
    name: dict(tomllib.loads((KNOWN_FOLDER / f"{name}.toml").read_text())["game"].get("small", {})) for name in CATALOGUE
}
WITH_WEIGHTS = [name for name, entry in CATALOGUE.items() if any(one.name == "weights" for one in entry.parameters)]


def test_every_game_with_dice_takes_weights() -> None:
    assert {*CATALOGUE} - {*WITH_WEIGHTS} <= {"words", "farkle", "hypergammon", "ur"}


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_equal_weights_are_the_same_game(name: str) -> None:
    plain = load(name, **SMALL[name])
    sheet: Any = plain
    same = load(name, **SMALL[name], weights=",".join(["3"] * len(sheet.weights)))
    assert isinstance(same, ThrowsDice)
    assert loaded_weights(same) is None
    assert board_of(same) == board_of(plain)
    assert rules_in_words(same) == rules_in_words(plain)
    solver = [choose_solver(game, objective_of(game, None), SolveOptions()) for game in (plain, same)]
    assert solver[0].key(plain, plain.objective) == solver[1].key(same, same.objective)
    assert notation_of(same).packed_by() == notation_of(plain).packed_by()


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_loaded_dice_are_another_game(name: str) -> None:
    plain: Any = load(name, **SMALL[name])
    loaded = load(name, **SMALL[name], weights=[2] + [1] * (len(plain.weights) - 1))
    solver = [choose_solver(game, objective_of(game, None), SolveOptions()) for game in (plain, loaded)]
    assert solver[0].key(plain, plain.objective) != solver[1].key(loaded, loaded.objective)
    assert board_of(loaded)["weights"] == list(loaded_weights(loaded) or ())
    assert len(rules_in_words(loaded).paragraphs) == len(rules_in_words(plain).paragraphs) + 1


@pytest.mark.parametrize("weights", [(1, 1, 2), (0, 2, 1)])
def test_groups_of_loaded_dice(weights: tuple[int, ...]) -> None:
    assert solve(load("groups", faces=3, sizes=[2, 1], weights=weights), exact=True).value() == grouping(weights, (2, 1))


def grouping(weights: tuple[int, ...], goal: tuple[int, ...]) -> Fraction:
    """The fewest rolls, held set by held set: faces are kept from the best on, as long as that is better than to roll again."""

    def sizes(held: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted((held.count(face) for face in {*held}), reverse=True))

    def fits(held: tuple[int, ...]) -> bool:
        return len(sizes(held)) <= len(goal) and all(a <= b for a, b in zip(sizes(held), goal, strict=False))

    @cache
    def worth(held: tuple[int, ...]) -> Fraction:
        if sizes(held) == goal:
            return Fraction(0)
        kept = [(face, tuple(sorted((*held, face)))) for face, weight in enumerate(weights, 1) if weight]
        after = sorted((worth(more), weights[face - 1]) for face, more in kept if fits(more))
        # With a set of faces that are kept: x = 1 + sum of w * worth + (1 - sum of w) * x.
        every = range(1, len(after) + 1)
        return min((sum(weights) + sum(w * x for x, w in after[:n])) / Fraction(sum(w for _, w in after[:n])) for n in every)

    return worth(())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([1, -1], "0 or more"), ([0, 0, 0], "above 0"), ([1.5, 1], "an integer"), ([True, 1], "an integer"), ("1,2", "integers"),
        (None, "integers"), ([1] * (MOST_FACES + 1), "at most"), ([10**9, 1], "at most"), ([10**5000, 1], "at most"),
        ([], "above 0"),
    ],
)  # fmt: skip
def test_bad_weights_are_refused_in_one_line(given: Any, says: str) -> None:
    with pytest.raises(GameError, match=says) as error:
        reduce_weights(given)
    assert "\n" not in str(error.value)


DICE_FILE = """
[dice]
holy = [2, 2, 2, 2, 2, 4]
"Odd one" = { weights = [3, 1, 0, 2, 1, 1], source = "thrown 200 times", count = 2 }
"""


def test_dice_files(tmp_path: Path) -> None:
    file = tmp_path / "dice.toml"
    file.write_text(DICE_FILE)
    dice = read_dice(file)
    assert [(die.name, die.weights, die.count, die.source) for die in dice.values()] == [
        ("holy", (1, 1, 1, 1, 1, 2), 1, ""), ("Odd one", (3, 1, 0, 2, 1, 1), 2, "thrown 200 times"),
    ]  # fmt: skip
    assert solve(load("slots", weights=f"@{file}:holy"), exact=True).value() == Fraction(48694, 117649)
    with pytest.raises(GameError, match="did you mean 'holy'"):
        load("slots", weights=f"@{file}:holi")
    with pytest.raises(GameError, match="has 2 dice"):
        load("slots", weights=f"@{file}")


@pytest.mark.parametrize(
    "text",
    [
        "", "[dice]", "dice = 3", "[dice]\na = 3", "[dice]\na = [1, 'x']", "[dice]\na = [0, 0]", "[dice\n", "[other]\na = [1]",
        "[dice]\na = { weights = [1], count = 0 }", "[dice]\na = { weights = [1], source = 3 }", "\xff", "[dice]\na = {}",
        "[dice]\na = { weights = [1], cont = 2 }", "[dice]\n'a:b' = [1]", "[dice]\n\"a\\nb\" = [1]",
    ],
)  # fmt: skip
def test_bad_dice_files_are_refused_in_one_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "dice.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(GameError) as error:
        load("slots", weights=f"@{file}")
    assert str(error.value)
    assert "\n" not in str(error.value)
    with pytest.raises(GameError, match="cannot read"):
        load("slots", weights=f"@{tmp_path / 'none.toml'}")


def test_a_named_die_is_written_as_its_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "dice.toml"
    file.write_text(DICE_FILE)
    assert main(["solve", "slots", "-p", f"weights=@{file}:holy", "--json", "--no-cache"]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"] == {"weights": "1,1,1,1,1,2"}


def test_sweeps_over_weights() -> None:
    table = rollwise.sweep("slots", over={"weights": ["1,1,1,1,1,1", "1,1,1,1,1,2"], "target": ["45"]})
    assert [row["value"] for row in table] == pytest.approx([13817 / 46656, 48694 / 117649])


def test_dice_that_never_come_are_refused_in_positions() -> None:
    game = load("yazy", boxes="ones,sixes", weights="1,1,1,1,1,0")
    with pytest.raises(PositionError, match="never"):
        game.read_state("11236 1 ones,sixes")
    assert solve(game).best(game.read_state("11235 1 ones,sixes")) is not None


def test_a_die_without_sixes_can_be_played() -> None:
    assert solve(load("yazy", boxes="sixes", weights="1,1,1,1,1,0")).value() == 0


def test_chances_of_hands() -> None:
    net = lattice(3, (2, 0, 1))
    assert dict(zip(net.keeps[net.first_hand :], net.hand_weight.tolist(), strict=True)) == {
        (1, 1, 1): 8, (1, 1, 3): 12, (1, 3, 3): 6, (3, 3, 3): 1,
    }  # fmt: skip
    heavy = lattice(5, (999_983, 1, 1, 1, 1, 1))
    assert sum(heavy.hand_weight.tolist()) == 999_988**5


@pytest.mark.parametrize("weights", ["1,1", "1,1,1,1,1,-1", "0,0,0,0,0,0", "a", "@dice.toml:lead", "1," * 3000])
def test_the_server_refuses_bad_weights_in_one_line(weights: str, tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        answer = client.post("/api/solve", json={"game": "slots", "parameters": {"weights": weights}})
    assert 400 <= answer.status_code < 500
    assert "\n" not in str(answer.json()["detail"])
    assert answer.json()["parameter"] == "weights"
