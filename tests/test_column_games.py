"""Rules over columns: one position at a time and all at once say the same, and agree with the plain games and families."""

import pickle
from copy import copy
from dataclasses import fields
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.games import ShutTheBox
from rollwise import (
    Against,
    AtLeast,
    Expected,
    Fewest,
    GameError,
    Objective,
    PositionError,
    RollwiseError,
    cache,
    check_game,
    explore,
    plan,
    solve,
)
from rollwise.columns import ColumnGame, Dice, Mover, Number, Relation, Subset, chance, choice, throws
from rollwise.games import load
from rollwise.games.columns import coded
from rollwise.games.pig import Pig
from rollwise.model.notation import notation_of
from rollwise.model.view import view_of
from rollwise.solvers.graph import columns as explorer
from rollwise.solvers.graph.explore import Explored
from tests.column_games import (
    ColumnSlots,
    ColumnTables,
    ColumnYazy,
    FarkleTurn,
    Threes,
    TwoDicePig,
)
from tests.examples import examples
from tests.plain_pig import PlainPig
from tests.reference import recursion
from tests.strategies import TableGame, cyclic_games, ending_games, for_two, layered_games, retry_games

BOXES = "ones,straight,full-house"


def sheet(boxes: str) -> Any:
    return load("yazy", boxes=boxes)


def one_by_one(game: ColumnGame) -> ColumnGame:
    """Give the same game, asked one position at a time: it forgets its columns."""
    alone = copy(game)
    alone.__class__ = type("OneByOne", (type(game),), {"in_columns": lambda self: None})
    return alone


def assert_same(one: Explored, other: Explored) -> None:
    for field in fields(one.graph):
        assert np.array_equal(getattr(one.graph, field.name), getattr(other.graph, field.name)), field.name


GAMES = {
    "pig": Pig(8),
    "two-dice pig": TwoDicePig(8),
    "yazy": ColumnYazy(sheet("ones").boxes),
    "box": ShutTheBox(5, 1),
    "farkle": FarkleTurn(1),
    "threes": Threes(),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("objective", [Expected(), AtLeast(1), Against({0: 1, 150: 2}), Fewest()], ids=str)
def test_all_at_once_is_one_at_a_time(game: ColumnGame, objective: Objective) -> None:
    """The same positions in the same order, action by action and weight by weight."""
    if objective == Fewest() and game.layout.columns.keys() & {"mover", "player"}:
        with pytest.raises(GameError, match="player 1 moves, and Fewest counts the rolls of one player"):
            explore(game, objective)
        return
    alone, many = explore(one_by_one(game), objective), explore(game, objective)
    assert_same(alone, many)
    assert list(alone.states) == list(many.states)
    assert list(alone.pendings) == list(many.pendings)
    assert all(many.state_index[state] == number for number, state in enumerate(many.states[:50]))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_numbering_by_sorting_and_small_blocks(game: ColumnGame, monkeypatch: pytest.MonkeyPatch) -> None:
    known = explore(game, Expected())
    monkeypatch.setattr(explorer, "LARGEST_TABLE", 0)
    monkeypatch.setattr(explorer, "MOST", 300)
    monkeypatch.setattr(coded, "PAIRS", 64)
    assert_same(known, explore(game, Expected()))


@pytest.mark.parametrize(("target", "faces"), [(2, 2), (5, 9), (20, 6), (30, 4)])
def test_pig_is_the_plain_pig(target: int, faces: int) -> None:
    plain, columns = explore(PlainPig(target, faces)), explore(Pig(target, faces))
    assert_same(plain, columns)
    assert [tuple(state) for state in plain.states] == [tuple(state) for state in columns.states]
    for state in plain.states:
        assert plain.game.show_state(state) == columns.game.show_state(state)
        assert columns.game.read_state(plain.game.show_state(state)) == state
        assert notation_of(plain.game).columns(state) == notation_of(columns.game).columns(state)


def test_slots() -> None:
    assert_same(explore(load("slots")), explore(ColumnSlots()))
    ours, plain = solve(ColumnSlots(), exact=True), solve(load("slots"), exact=True)
    assert ours.value() == plain.value() == Fraction(13817, 46656)
    assert (ours.states, ours.pendings) == (plain.states, plain.pendings)
    for state in list(ours.explored.states)[::37]:  # type: ignore[attr-defined]
        there = plain.game.read_state(ours.game.show_state(state))
        assert ours.value(state, kind="state") == plain.value(there, kind="state")
        found = [row.action.removeprefix("put in ") for row in ours.ranked(state)]
        assert found == [row.action for row in plain.ranked(there)]


def test_yazy_by_columns_by_the_graph_and_by_its_family() -> None:
    plain = sheet(BOXES)
    family, ours = solve(plain), solve(ColumnYazy(plain.boxes))
    general = explore(plain)
    assert ours.value() == pytest.approx(family.value(), abs=1e-12)
    assert (ours.states, ours.pendings) == (general.graph.n_states, general.graph.n_pendings)
    for text in ("11345 1 all", "22233 2 ones,straight"):
        dice, left, boxes = text.split()
        ranked = ours.ranked(ours.game.read_state(f"{boxes} {left} {dice}"))
        known = family.ranked(plain.read_state(text))
        assert [row.value for row in ranked] == pytest.approx([row.value for row in known], abs=1e-12)
        assert ranked[0].action == plain.show_action(known[0].action)


# Any game at all


@examples(40)
@given(layered_games(), st.integers(-3, 6))
def test_any_layered_game(game: TableGame, target: int) -> None:
    for objective in (Expected(), AtLeast(target), Fewest()):
        found = solve(ColumnTables(game), objective, exact=True)
        assert found.value() == solve(game, objective, exact=True).value() == recursion(game, objective)
        assert found.states == solve(game, objective).states


@examples(60)
@given(st.one_of(cyclic_games(), retry_games(), for_two(ending_games()), for_two(layered_games())))
def test_any_cyclic_game_or_game_for_two(game: TableGame) -> None:
    try:
        known = solve(game, exact=True)
    except RollwiseError as error:
        with pytest.raises(type(error)):
            solve(ColumnTables(game), exact=True)
        return
    ours = solve(ColumnTables(game), exact=True)
    assert ours.value() == known.value()
    assert (ours.states, ours.pendings) == (known.states, known.pendings)


# The interface


def test_it_is_a_game(tmp_path: Any) -> None:
    game = ShutTheBox(6, 1)
    assert check_game(game).complete
    assert not check_game(game).warnings
    state = game.read_state("all 5")
    assert notation_of(game).columns(state) == {"open": "all", "rolled": "5"}
    assert game.actions(state) == ("shut 5", "shut 2+3", "shut 1+4")
    assert pickle.loads(pickle.dumps(game)).start() == game.start()
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(state)).rolled == 5
    assert game.at(open=3, rolled=2) == (3, 2)
    assert view_of(Threes()).show_dice(Threes().read_state("0 11356")) == (1, 1, 3, 5, 6)
    cache.save(solve(game, Expected()), tmp_path)
    kept = cache.load(game, Expected(), tmp_path)
    assert kept is not None
    assert kept.value() == solve(game, Expected()).value()


@pytest.mark.parametrize("text", ["", "all", "all x", "all 13", "9,9 3", "10 3", "all 5 5"])
def test_wrong_positions(text: str) -> None:
    with pytest.raises(PositionError, match="is not a position"):
        ShutTheBox().read_state(text)


def faulty(body: Any = None, when: Any = None, table: Any = None, final: Any = None, **more: Any) -> ColumnGame:
    """A game of one die whose rules may be replaced by wrong ones."""

    class Faulty(ColumnGame):
        face, left = Number(6), Number(2)
        begin = more.get("begin", {"left": 2})

        @chance(table or throws(1), on=more.get("on"), unless=more.get("unless", lambda p: p.left == 0))
        def thrown(self, p: Any, die: Any) -> Any:
            return (more.get("thrown") or (lambda p, die: p.but(face=die.sum, left=p.left - 1)))(p, die)

        @choice("again", when=when or (lambda s: s.left > 0))
        def again(self, s: Any) -> Any:
            return (body or (lambda s: s))(s)

        @choice("stop", when=lambda s: s.left > 0)
        def stop(self, s: Any) -> Any:
            return s.but(left=0)

        def final(self, s: Any) -> Any:
            return (final or (lambda s: s.face))(s)

    return Faulty()


WRONG = {
    "range": ({"body": lambda s: s.but(face=s.face + 1)}, "again() at state 6 1: column 'face' becomes 7: its range is 0 to 6"),
    "if": ({"body": lambda s: s if s.face > 3 else s.but(face=0)}, "write & | ~ for and, or, not, where() for if"),
    "float": ({"body": lambda s: s.but(face=s.face / 2)}, "column 'face' is not made of integers below 2**62 but of float64"),
    "payoff of text": ({"final": lambda s: "six"}, "final() is not made of integers"),
    "nothing": ({"body": lambda s: None}, "it gave None: expected a position, such as p or p.but(...)"),
    "unknown column": ({"body": lambda s: s.but(faces=1)}, "unknown column 'faces': did you mean 'face'?"),
    "unknown column of a table": ({"thrown": lambda p, die: p.but(face=die.pips)}, "unknown column of the table 'pips'"),
    "look-up": ({"final": lambda s: np.arange(6)[s.face]}, "final() at state 6 0: IndexError"),
    "not elementwise": ({"final": lambda s: s.face.sum()}, "is one thing alone and another among many positions"),
    "set": ({"body": lambda s: setattr(s, "face", 0)}, "positions do not change, give p.but(face=...) instead"),
    "begin": ({"begin": {"left": 3}}, "expected values within the ranges"),
    "key without on": ({"table": throws((1, 2))}, "a table with the key 'dice' needs on="),
    "on without key": ({"on": "left"}, "needs a table with a key"),
    "no throw": ({"table": throws((5, 6)), "on": "left"}, "thrown() at pending 0 2: no throw of the table has the key 2"),
    "no table": ({"table": 6}, "is joined with 6: expected a table, such as throws(2)"),
    "condition of text": ({"when": lambda s: "yes"}, "a condition gave 'yes': expected true or false"),
    "arguments": ({"when": lambda a, b, c: True}, "has a function of 3 arguments: expected 1"),
    "huge gain": ({"body": lambda s: (s, 2**62)}, "the gain is beyond 2**62"),
}


@pytest.mark.parametrize(("game", "text"), WRONG.values(), ids=WRONG)
def test_wrong_rules(game: dict[str, Any], text: str) -> None:
    with pytest.raises(GameError) as error:
        solve(faulty(**game), Expected())
    assert text in str(error.value), str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Number(3, 1), "expected a range that is not empty"),
        (lambda: Number(2**70), "expected two integers below 2**62"),
        (lambda: Subset([]), "expected 1 to 40 different ones"),
        (lambda: Subset(["a b"]), "a name without blanks"),
        (lambda: Subset(["a", "b"]).subsets(), "has no sums"),
        (lambda: Subset(range(40)).subsets(), "more than 1,000,000 such sets"),
        (lambda: Dice(60), "more than 200,000"),
        (lambda: throws(30, 1000), "2**62 throws or"),
        (lambda: Relation({"a": [1, 2], "b": [1]}), "expected the same number"),
        (lambda: Relation({"a": [1]}, weight=[0]), "each with a positive weight"),
        (lambda: Relation({"key": [1]}), "call it something else"),
        (lambda: throws(2).pips, "unknown column of the table 'pips'"),
    ],
)  # fmt: skip
def test_wrong_columns_and_tables(make: Any, text: str) -> None:
    with pytest.raises(GameError) as error:
        make()
    assert text in str(error.value), str(error.value)


def test_columns_must_fit_into_a_code() -> None:
    class Wide(ColumnGame):
        a, b = Number(2**40), Number(2**40)

    class Two(ColumnGame):
        a, b = Mover(), Mover()

    class Empty(ColumnGame):
        pass

    for game, text in ((Wide(), "expected at most 2**62"), (Two(), "two columns of type Mover"), (Empty(), "has no columns")):
        with pytest.raises(GameError, match=text.replace("*", r"\*")):
            solve(game)


@pytest.mark.parametrize("objective", [Expected(), AtLeast(200), Against({0: 1, 150: 2})], ids=str)
def test_a_plan_counts_what_is_found(objective: Objective) -> None:
    game = FarkleTurn(12)
    found = explore(game, objective)
    arrays = [getattr(found.graph, field.name) for field in fields(found.graph) if field.name != "maximise"]
    size = sum(array.nbytes for array in arrays) + found.states.codes.nbytes + found.pendings.codes.nbytes  # type: ignore[attr-defined]
    planned = plan(game, objective)
    assert planned.states == found.graph.n_states + found.graph.n_pendings
    assert planned.memory_bytes is not None
    assert size <= planned.memory_bytes <= 4 * size
    assert plan(load("slots")).states is None
