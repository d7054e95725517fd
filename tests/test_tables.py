"""The strategy as a file: rows, types, parts of it, nothing half-written."""

import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise import GameError, Solution
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.model.game import Game
from rollwise.model.notation import notation_of
from rollwise.model.view import view_of
from rollwise.playing.strategy import count_decisions, policy_chunks, policy_rows, value_word, write_policy
from rollwise.solvers.base import table as tables
from rollwise.solvers.base import writing

EXAMPLE = Path(__file__).parent.parent / "examples" / "query_strategy.py"


def upper(face: int) -> Box:
    return Box(f"n{face}", lambda hand: face * hand.count(face), face=face)


SMALL = [upper(1), upper(2), Box("equal", lambda hand: 9 if len(set(hand)) == 1 else 0), Box("sum", sum)]
SHEETS: dict[str, Game[Any, Any, Any]] = {
    "yazy": load("yazy", boxes="ones,straight,full-house"),
    "one reroll": Sheet(SMALL, count=3, faces=4, rerolls=1),
    "no reroll": Sheet(SMALL, count=2, faces=3, rerolls=0),
    "bonus": Sheet(SMALL, count=3, faces=3, bonus=UpperBonus(4, 7)),
    "steps": Sheet(SMALL, count=3, faces=3, bonus=UpperBonus(8, 9, before=((2, 3), (5, 7)))),
    "free joker": Sheet(SMALL, count=3, faces=3, bonus=UpperBonus(4, 7), joker=Joker("equal", "free", 10, {"sum": 11})),
    "forced joker": Sheet(SMALL, count=3, faces=3, bonus=UpperBonus(4, 7), joker=Joker("equal", "forced", 10, {"sum": 11})),
}


def plain_rows(solution: Solution) -> Iterator[dict[str, str]]:
    """The rows straight from `Solution.policy`."""
    game = solution.game
    for state, action, value, second in solution.policy():
        yield {
            **notation_of(game).columns(state),
            view_of(game).action_word: game.show_action(action),
            value_word(solution): repr(value),
            "loss of second best": "" if second is None else repr(second),
        }


@pytest.mark.parametrize("name", SHEETS)
def test_turns_at_once_give_the_rows_of_the_policy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROWS", 1000)
    solution = rollwise.solve(SHEETS[name])
    expected = list(plain_rows(solution))
    assert list(policy_rows(solution)) == expected
    assert count_decisions(solution) == len(expected)


def test_a_part_of_yahtzee_gives_the_rows_of_the_policy() -> None:
    """Jokers, bonus and all boxes: some sets of open boxes, compared decision by decision."""
    solution = rollwise.solve(load("yahtzee"))
    game = solution.game
    for boxes, total in [("fours,yahtzee,chance", "63"), ("threes,full-house,large-straight", "42")]:
        chunks = list(policy_chunks(solution, where={"open boxes": boxes, "upper total": total}))
        rows = [row for chunk in chunks for row in zip(*map(tables.texts, chunk.values()), strict=True)]
        assert len(rows) >= 756
        for dice, left, opened, points, primed, move, value, second in rows[::7]:
            state = game.read_state(f"{dice} {left} {opened} upper {points}{' primed' * (primed == 'yes')}")
            ranked = solution.ranked(state)
            assert (points, move, value) == (total, game.show_action(ranked[0].action), repr(ranked[0].value))
            assert second == (repr(ranked[1].loss) if len(ranked) > 1 else "")


GAMES: list[tuple[str, dict[str, str], bool, dict[str, str]]] = [
    ("slots", {}, False, {"free slots": "string", "total": "int64", "roll": "int64", "slot": "string"}),
    ("slots", {}, True, {"free slots": "string", "total": "int64", "roll": "int64", "slot": "string"}),
    ("groups", {"faces": "6", "sizes": "1,2,2"}, False, {"held groups": "string", "die joins group of": "int64"}),
    ("words", {"dice": "012,12,23", "words": "012,123"}, False, {"dice": "string", "keep": "string"}),
    ("yazy", {"boxes": "ones,twos"}, False, {"dice": "string", "rerolls left": "int64", "open boxes": "string"}),
    ("yazy", {"boxes": "ones"}, True, {"dice": "string", "rerolls left": "int64", "open boxes": "string"}),
    ("yahtzee", {}, False, {"upper total": "int64", "primed": "string"}),
]


def test_where_and_limit() -> None:
    solution = rollwise.solve(SHEETS["yazy"])
    everything = list(plain_rows(solution))

    def part(where: dict[str, str], limit: int | None = None) -> list[dict[str, str]]:
        chunks = policy_chunks(solution, where=where, limit=limit)
        return [dict(zip(c, row, strict=True)) for c in chunks for row in zip(*map(tables.texts, c.values()), strict=True)]

    last = [row for row in everything if row["open boxes"] == "full-house,straight"]
    assert part({"open boxes": "full-house,straight"}) == last
    assert part({"open boxes": "strai,full"}) == last
    assert part({"rerolls left": "1", "dice": "11356"}) == [
        row for row in everything if (row["rerolls left"], row["dice"]) == ("1", "11356")
    ]
    assert part({}, 1000) == everything[:1000]
    assert part({"move": "ones"}, 5) == [row for row in everything if row["move"] == "ones"][:5]
    assert part({"open boxes": "none"}) == []
    assert part({"rerolls left": "many"}) == []
    assert count_decisions(solution, {"open boxes": "straight"}) == 756
    with pytest.raises(GameError, match="did you mean 'dice'"):
        part({"dise": "11356"})


def test_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_nothing_half_written(tmp_path / "policy.csv", monkeypatch)


def check_nothing_half_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt the writing of a file: what was there before is still there, alone."""
    path.write_text("before")
    solution = rollwise.solve(SHEETS["yazy"])
    monkeypatch.setattr(tables, "ROWS", 1000)

    def stop(_what: str, done: int, _total: int | None) -> None:
        if done > 2000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_policy(solution, path, progress=stop)
    assert [(file.name, file.read_text()) for file in path.parent.iterdir()] == [(path.name, "before")]
    write_policy(solution, path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.stat().st_mode & 0o777 == 0o666 & ~writing._umask()


@pytest.mark.full
def test_memory_stays_flat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROWS", 5_000)
    solution = rollwise.solve(load("yazy"))
    peaks = []
    for limit in (20_000, 60_000):
        tracemalloc.start()
        assert write_policy(solution, tmp_path / "yazy.csv", limit=limit) == limit
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(GameError, match=r"pip install 'rollwise\[parquet\]'"):
        write_policy(rollwise.solve(SHEETS["no reroll"]), tmp_path / "policy.parquet")
    assert not list(tmp_path.iterdir())
