"""Models that travel: what is written is read back by other readers, and has the value that the file says.

Where `stormpy` is installed, Storm reads them, too: `tests/full/test_storm.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import (
    Against,
    AtLeast,
    AtMost,
    Duel,
    Expected,
    Fewest,
    Game,
    GameError,
    Lowest,
    Objective,
    RollwiseError,
    die,
    explore,
    solve,
)
from rollwise import write_model as write
from rollwise.adapters.models.write import Written
from rollwise.columns import ColumnGame, Number, Subset, chance, choice, minimum, throws, where
from rollwise.games import load
from rollwise.model.notation import notation_of
from rollwise.solvers.graph.explore import Graph
from tests.model_files import Process, answer, read_drn, read_umb
from tests.plain_pig import PlainPig
from tests.strategies import TableGame, cyclic_games, ending_games, for_two, layered_games, retry_games
from tests.terminal import run


@dataclass(frozen=True)
class Again(Game[Any, str, str]):
    """Roll until you like it, at a price, and get what the die shows and more."""

    more: int = 0
    price: int = 0
    trap: bool = False

    def start(self) -> str:
        return "roll"

    def roll(self, pending: str) -> Mapping[Any, int]:
        if pending == "roll":
            return die(6)
        return {"stuck": 1, "over": 9} if pending == "risk" else {pending: 1}

    def actions(self, state: Any) -> Sequence[str]:
        if state == "over":
            return ()
        return ("stay",) if state == "stuck" else ("stop", "again", *(["risk"] if self.trap else []))

    def play(self, state: Any, action: str) -> str:
        return {"stop": "over", "again": "roll", "stay": "stuck", "risk": "risk"}[action]

    def gain(self, state: Any, action: str) -> int:
        return int(state) if action == "stop" else {"again": -self.price, "stay": 0, "risk": 99}[action]

    def payoff(self, state: Any) -> int:
        return self.more


WON, POINTS, TOTAL = 'Pmax=? [F "won"]', 'R{"points"}max=? [F "end"]', 'R{"points"}max=? [C]'
COST, LOSS, FEW = 'R{"cost"}min=? [F "end"]', 'R{"loss"}min=? [F "end"]', 'R{"points"}min=? [F "end"]'

SLOTS = {"slots": "a:1/2/3,b:0/2/0"}
ONES = {"boxes": "ones", "rerolls": "1"}
CASES: list[tuple[Game[Any, Any, Any], Objective | None, str]] = [
    (load("slots", **SLOTS), AtLeast(3), WON),
    (load("slots", **SLOTS), None, WON),
    (load("yazy", **ONES), None, POINTS),
    (load("yazy", **ONES), AtLeast(3), WON),
    (load("yazy", **ONES), Against({0: 1, 2: 3}), WON),
    (load("yazy", boxes="ones", rerolls="0"), Duel(), f"<<first>> {WON}"),
    (load("groups", faces=6, sizes=[1, 2]), None, COST),
    (load("words", dice="ABC,DEF", words="AD,BE"), None, COST),
    (load("pig", target=6, faces=3), None, f"<<first>> {WON}"),
    (load("threes", dice=2), None, FEW),
    (load("threes", dice=2), AtMost(3), WON),
    (load("shut-the-box", tiles=3, players=2), None, f"<<first>> {WON}"),
    (load("shut-the-box", tiles=3, players=2), Lowest(), f"<<first>> {FEW}"),
    (Again(), None, TOTAL),
    (Again(3), None, TOTAL),
    (Again(-3), None, LOSS),
    (Again(0, 1), None, LOSS),
    (Again(0, 0, trap=True), None, LOSS),
    (Again(0, 0), AtLeast(5), WON),
    (Again(0, 0), Fewest(), COST),
]
NAMES = [f"{type(game).__name__} {objective or 'own'} {i}" for i, (game, objective, _) in enumerate(CASES)]


def written(game: Game[Any, Any, Any], objective: Objective | None, path: Path) -> Written:
    return write(solve(game, objective, exact=True), path)


@pytest.mark.parametrize(("game", "objective", "formula"), CASES, ids=NAMES)
def test_what_is_read_has_the_value_that_was_said(
    game: Game[Any, Any, Any], objective: Objective | None, formula: str, tmp_path: Path
) -> None:
    found = written(game, objective, tmp_path / "model.umb")
    process = read_umb(tmp_path / "model.umb")
    value = solve(game, objective, exact=True).value()
    assert (found.question.formula, found.question.answer) == (formula, -value if formula == LOSS else value)
    assert (found.states, found.choices) == (len(process.nodes), sum(map(len, process.nodes)))
    assert answer(process, formula) == pytest.approx(float(found.question.answer), abs=1e-9)
    said = process.index["file-data"]["parameters"]
    assert (said["formula"], Fraction(said["answer"]), said["error"]) == (formula, found.question.answer, "0")
    assert formula in process.index["model-data"]["comment"]
    check_sane(process)


def check_sane(process: Process) -> None:
    """Chances add up to 1, nodes are of one kind each, and ends stay."""
    for choices in process.nodes:
        assert choices
        for option in choices:
            assert sum(p for _, p in option.branches) == 1
            assert all(p > 0 for _, p in option.branches)
            assert len({to for to, _ in option.branches}) == len(option.branches)
    kinds = [process.labels[name] for name in ("roll", "move", "over", "end")]
    assert sum(map(len, kinds)) == len(set().union(*kinds)) == len(process.nodes)
    assert process.labels["init"] == {0} <= process.labels["roll"]
    for node in process.labels["end"]:
        (only,) = process.nodes[node]
        assert only.branches == [(node, Fraction(1))]
        assert not any(only.rewards.values())
    for node in process.labels["roll"] | process.labels["over"] | process.labels["end"]:
        assert [choice.action for choice in process.nodes[node]] == [""]
        assert process.players[node] == 0


@pytest.mark.parametrize(("game", "objective", "formula"), CASES, ids=NAMES)
def test_the_text_says_the_same(game: Game[Any, Any, Any], objective: Objective | None, formula: str, tmp_path: Path) -> None:
    solution = solve(game, objective, exact=True)
    if formula.startswith("<<"):
        with pytest.raises(
            GameError, match=r"^a \.drn file is for games of one player, and here two players choose: write a \.umb"
        ):
            write(solution, tmp_path / "model.drn")
        assert not list(tmp_path.iterdir())
        return
    found = write(solution, tmp_path / "model.drn")
    write(solution, tmp_path / "model.umb", compress=False)
    text, binary = read_drn(tmp_path / "model.drn"), read_umb(tmp_path / "model.umb")
    named = [[replace(choice, action=in_drn(choice.action)) for choice in choices] for choices in binary.nodes]
    assert text == Process(named, {name: at for name, at in binary.labels.items() if at}, binary.players)
    assert f"// {formula} is {found.question.text}" in (tmp_path / "model.drn").read_text()


def in_drn(action: str) -> str:
    return "_".join(action.split()) or "__NOLABEL__"


@pytest.mark.parametrize("objective", [None, Expected(), AtLeast(3), Fewest()], ids=str)
def test_a_game_in_columns_has_its_columns(objective: Objective | None, tmp_path: Path) -> None:
    """They are the numbers of every position, negative ones too, and names come from the tables of its rules."""
    game = Tiles()
    solution = solve(game, objective)
    found, rules = explore(game, objective), solution.game
    write(solution, tmp_path / "tiles.umb")
    process = read_umb(tmp_path / "tiles.umb")
    assert not process.positions
    for node, position in enumerate((*found.pendings, *found.states)):
        row = dict(process.valuations[node])
        assert row.pop("kind_") == (0 if node in process.labels["roll"] else 1 if node in process.labels["move"] else 2)
        assert (row.pop("needs") == position.points) if objective == AtLeast(3) else True
        assert tuple(row.values()) == tuple(position.position if objective == AtLeast(3) else position)
        if node in process.labels["move"]:
            assert [choice.action for choice in process.nodes[node]] == [
                rules.show_action(action) for action in rules.actions(position)
            ]
    ends = [process.valuations[node]["kind_"] for node in sorted(process.labels["end"])]
    assert ends == [3, 4][: len(ends)]
    assert all(not any(list(process.valuations[node].values())[1:]) for node in process.labels["end"])


class Tiles(ColumnGame):
    """Shut tiles whose sum is thrown; every throw takes a point."""

    tiles, rolled, kind = Subset(range(1, 4)), Number(4), Number(-300, 0)
    begin = {"tiles": tiles.all, "kind": 0}  # noqa: RUF012

    @chance(throws(1), unless=lambda p: (p.tiles == 0) | (p.kind <= -3))
    def thrown(self, p: Any, dice: Any) -> Any:
        return p.but(rolled=minimum(dice.sum, 4), kind=p.kind - 1)

    @choice("shut", tiles.subsets(4), on="rolled", when=lambda s, some: s.tiles & some.mask == some.mask)
    def shut(self, s: Any, some: Any) -> Any:
        return s.but(tiles=s.tiles - some.mask, rolled=0), some.sum

    @choice("stop", when=lambda s: s.rolled == 4)
    def stop(self, s: Any) -> Any:
        return s.but(tiles=0, rolled=0), 1

    def final(self, s: Any) -> Any:
        return where(s.tiles == 0, 1, 0)


def test_names_players_and_positions(tmp_path: Path) -> None:
    game = PlainPig(6, 3)
    solution = solve(game)
    write(solution, tmp_path / "pig.umb", name="pig", parameters={"target": "6", "faces": "3"})
    process, found = read_umb(tmp_path / "pig.umb"), explore(game)
    assert process.index["model-data"]["name"] == "pig"
    assert process.index["file-data"]["parameters"]["parameters"] == {"target": "6", "faces": "3"}
    assert process.index["transition-system"]["player-names"] == ["first", "second"]
    shown = [*map(notation_of(game).show_pending, found.pendings), *map(game.show_state, found.states), "won", "lost"]
    assert process.positions == shown
    for node, state in enumerate(found.states, len(found.pendings)):
        if actions := game.actions(state):
            assert [choice.action for choice in process.nodes[node]] == list(map(game.show_action, actions))
            assert process.players[node] == game.mover(state)
    asked = process.index["file-data"]["parameters"]
    assert float(asked["answer"]) == solution.value()
    assert float(asked["error"]) == pytest.approx(solution.certificate.error_bound, rel=1e-2)
    write(solution, tmp_path / "bare.umb", texts=False)
    assert read_umb(tmp_path / "bare.umb") == process
    assert not read_umb(tmp_path / "bare.umb").positions


def test_the_same_bytes_again_and_from_narrow_arrays(tmp_path: Path) -> None:
    for name in ("one", "two"):
        written(load("groups", faces=6, sizes=[1, 2]), None, tmp_path / f"{name}.umb")
    assert (tmp_path / "one.umb").read_bytes() == (tmp_path / "two.umb").read_bytes()
    heavy = TableGame({0: [("p1", 7)]}, {"p0": {0: 2**31 - 1, 1: 2**31 - 2}, "p1": {1: 1}}, {1: 2**30}, {})
    solution: Any = solve(heavy)
    graph: Graph = solution.explored.graph
    arrays: dict[str, Any] = {
        name: array.astype(np.int32) for name, array in vars(graph).items() if isinstance(array, np.ndarray)
    }
    narrow = replace(solution, explored=replace(solution.explored, graph=replace(graph, **arrays)))
    write(solution, tmp_path / "wide.umb")
    write(narrow, tmp_path / "narrow.umb")
    assert (tmp_path / "wide.umb").read_bytes() == (tmp_path / "narrow.umb").read_bytes()
    known = 2**30 + Fraction(7 * (2**31 - 1), 2**32 - 3)
    assert answer(read_umb(tmp_path / "wide.umb"), POINTS) == pytest.approx(float(known), abs=1e-6)


def test_nothing_is_left_of_a_model_that_fails(tmp_path: Path) -> None:
    class Mute(Again):
        def show_state(self, state: Any) -> str:
            raise ValueError("no words")

    for ending in ("umb", "drn"):
        with pytest.raises(GameError, match=r"show_state\(\) failed: ValueError: no words"):
            write(solve(Mute()), tmp_path / f"mute.{ending}")
    with pytest.raises(GameError, match="over the budget of 100"):
        write(solve(load("yazy", **ONES)), tmp_path / "large.umb", max_states=100)
    with pytest.raises(GameError, match="cannot write .*: No such file or directory"):
        write(solve(Again()), tmp_path / "nowhere" / "again.umb")
    with pytest.raises(GameError, match=r"a model is written to a file that ends in \.umb or \.drn"):
        write(solve(Again()), tmp_path / "again.prism")
    with pytest.raises(GameError, match="write_model was given the game Again: solve it first"):
        write(Again(), tmp_path / "again.umb")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "slots.umb"
    code, out, err = run(capsys, "export", "slots", "-p", "slots=a:1/2/3,b:0/2/0", "--at-least", "3", "--exact", "-o", str(path))
    assert (code, err) == (0, "")
    process = read_umb(path)
    size = f"{len(process.nodes)} states, {sum(map(len, process.nodes))} choices"
    assert out.startswith(size)
    assert f"{WON} is {process.index['file-data']['parameters']['answer']}" in out
    text = tmp_path / "slots.drn"
    more = ["--no-positions", "--no-cache"]
    assert run(capsys, "export", "slots", "-p", "slots=a:1/2/3,b:0/2/0", "--at-least", "3", "-o", str(text), *more)[0] == 0
    assert len(read_drn(text).nodes) == len(process.nodes)
    assert text.read_text().count("//") == 2
    plain = tmp_path / "plain.umb"
    assert run(capsys, "export", "groups", "-p", "faces=6", "-p", "sizes=1,2", "-o", str(plain), "--no-compression")[0] == 0
    assert plain.read_bytes()[257:262] == b"ustar"
    assert path.read_bytes()[:3] == b"\x1f\x8b\x08"


# How games end


GAMES = st.one_of(layered_games(), retry_games(), retry_games(free=True), cyclic_games(gain=2), ending_games())


def models(game: TableGame, objective: Objective, folder: Path) -> Iterator[tuple[Written, Path]]:
    """Write a random game in both formats, where it has a value."""
    try:
        solution = solve(game, objective, exact=True, max_states=500)  # a total that is remembered may have no end
    except RollwiseError:
        return
    for ending in ("umb", "drn"):
        if ending == "umb" or not game.movers:
            yield write(solution, folder / f"model.{ending}"), folder / f"model.{ending}"


OBJECTIVES = st.sampled_from([Expected(), Fewest(), AtLeast(2), Against({0: 1, 3: 2})])


@given(GAMES, OBJECTIVES)
def test_random_games_agree(tmp_path_factory: pytest.TempPathFactory, game: TableGame, objective: Objective) -> None:
    for found, path in models(game, objective, tmp_path_factory.getbasetemp()):
        process = read_umb(path) if path.suffix == ".umb" else read_drn(path)
        if found.question.text != "infinite":
            assert answer(process, found.question.formula) == pytest.approx(float(found.question.answer), abs=1e-7)


@given(for_two(ending_games()))
def test_random_games_for_two_agree(tmp_path_factory: pytest.TempPathFactory, game: TableGame) -> None:
    for found, path in models(game, Expected(), tmp_path_factory.getbasetemp()):
        if path.suffix == ".umb" and found.question.formula:
            assert answer(read_umb(path), found.question.formula) == pytest.approx(float(found.question.answer), abs=1e-7)


@pytest.mark.parametrize("objective", [Lowest(), Fewest(), Expected()])
def test_a_text_in_which_nothing_counts_can_be_asked(objective: Objective, tmp_path: Path) -> None:
    """Storm has no answer where a reward is 0 everywhere; after the end it may be anything."""
    found = written(Nothing(), objective, tmp_path / "model.drn")
    process = read_drn(tmp_path / "model.drn")
    assert answer(process, found.question.formula) == found.question.answer == 0
    counted = {node for node, choices in enumerate(process.nodes) for one in choices if any(one.rewards.values())}
    assert counted == (process.labels["end"] if "R{" in found.question.formula else set())


class Nothing(Game[int, int, str]):
    """One move, and no points."""

    def start(self) -> int:
        return 0

    def roll(self, pending: int) -> Mapping[int, int]:
        return {pending: 1}

    def actions(self, state: int) -> Sequence[str]:
        return () if state else ("go",)

    def play(self, state: int, action: str) -> int:
        return 1


# Odd names

ACTIONS = ('say "x"\n[1] ] // b', "half of a pair \ud800", "", "  ", "\N{GAME DIE} \N{RIGHT-TO-LEFT OVERRIDE}")


class Speech(Game[int, int, str]):
    """Say something odd: "quotes", lines and halves of characters."""

    def start(self) -> int:
        return 0

    def roll(self, pending: int) -> Mapping[int, int]:
        return {1: 2**61, 2: 2**60 + 1} if pending == 0 else {-pending: 1}

    def actions(self, state: int) -> Sequence[str]:
        return ACTIONS if state > 0 else ()

    def play(self, state: int, action: str) -> int:
        return 1 + ACTIONS.index(action)

    def gain(self, state: int, action: str) -> int:
        return 1 - 2**62 if action == "" else -3

    def payoff(self, state: int) -> int:
        return state

    def show_action(self, action: str) -> str:
        return action

    def show_state(self, state: int) -> str:
        return f"\udcff {state}\n"


@pytest.mark.parametrize("ending", ["umb", "drn"])
def test_odd_names_are_written(ending: str, tmp_path: Path) -> None:
    solution = solve(Speech(), exact=True)
    path = tmp_path / f"odd.{ending}"
    found = write(solution, path, name='na"me\udcff', parameters={"a\n": "\ud800"})
    process = read_umb(path) if ending == "umb" else read_drn(path)
    assert len(process.nodes) == found.states
    assert found.question.text == "-4"
