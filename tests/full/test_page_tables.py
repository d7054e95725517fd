"""The page's own engine: what it answers from a table is what the server answers, to 1e-4 and word by word."""

import gzip
import json
import os
import shutil
import subprocess
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rollwise
from rollwise.errors import GameError
from rollwise.games import load
from rollwise.games.files import read_game
from rollwise.games.sheets.rules import Sheet
from rollwise.model.abilities import unlifted
from rollwise.model.objectives import read_objective
from rollwise.playing.record import Line
from rollwise.texts.render import spoken
from rollwise.web import table_graph, tables
from rollwise.web.answers import answer_advice, answer_grade, answer_outlook, answer_rolls, answer_whole
from rollwise.web.table_file import MARK
from rollwise.web.tables import MOST_BYTES, Asked, Entry, describe_table, pack_table, write_manifest
from rollwise.wire.schema import OutlookRequest, RollsRequest
from rollwise.wire.to_json import describe_rules

HERE = Path(__file__).parents[1]
CLOSE = 1e-4
ROUNDED = {".chance": 0.011, ".n": 0.11}
"""By how much numbers in sentences may differ, which are rounded: chances, and what reasons are worth."""
"""A number in a sentence, which may be rounded otherwise in its last digit."""
FEW = 3
"""Moves of a game whose rolls and ends are asked for."""
FILE = (HERE.parent / "examples" / "best_of_three.toml").read_text(encoding="utf-8")

SHEETS = {
    "jokers and a bonus": Asked("yahtzee", parameters={"threshold": "30"}),
    "free jokers": Asked("yahtzee", parameters={"joker": "free"}),
    "no bonus": Asked("yazy", parameters={"boxes": "ones,sixes,straight,full-house"}),
    "in order": Asked("yatzy", parameters={"in_order": "yes", "boxes": "ones,pair,two-pairs,chance", "threshold": "3"}),
    "first rolls": Asked("generala", parameters={"boxes": "ones,sixes,straight,full-house,generala"}),
    "several times": Asked("balut", parameters={"times": "2", "boxes": "fours,straight,choice"}),
    "steps": Asked("kismet", parameters={"boxes": "ones,sixes,flush,kismet", "thresholds": "6,18,24"}),
    "loaded dice": Asked("yazy", parameters={"boxes": "ones,sixes,full-house", "weights": "3,1,0,1,1,2"}),
    "six dice": Asked("maxi-yatzy", parameters={"boxes": "ones,pair,cabin"}),
}
OTHERS = {
    "slots": Asked("slots", parameters={"target": "15", "slots": "double:2/4/6/8/10/12,flip:6/5/4/3/2/1,bin:0/0/0/0/0/0"}),
    "loaded pig": Asked("pig", parameters={"target": "8", "weights": "1,1,0,1,1,2"}),
    "threes": Asked("threes", parameters={"dice": "3"}),
    "shut the box": Asked("shut-the-box", parameters={"tiles": "5"}),
    "two players": Asked("pig", parameters={"target": "8"}),
    "groups": Asked("groups", parameters={"faces": "6", "sizes": "2,3"}),
    "words": Asked("words", parameters={"dice": "abc,def,ghi", "words": "adg,beh"}),
    "a file": Asked(file=FILE),
    "a target": Asked("yazy", parameters={"boxes": "ones,straight", "rerolls": "0"}, objective="at-least 42"),
}
GAMES = SHEETS | OTHERS
SOME = {
    "jokers and a bonus": ("ones", "fives", "sixes", "full-house", "yahtzee", "chance"),
    "free jokers": ("twos", "sixes", "four-of-a-kind", "yahtzee"),
}
"""Boxes of sheets that are always played whole: to solve them so would take long."""


@pytest.fixture(autouse=True)
def _only_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave puzzles and cards out of tables: they have tests of their own, and take long to find."""
    monkeypatch.setattr(tables, "puzzle_pool", lambda *_: None)
    monkeypatch.setattr(tables, "known_answer", lambda *_: None)


@cache
def solved(which: str) -> Any:
    """Solve one of the games."""
    asked = GAMES[which]
    game: Any = load(asked.game, **asked.parameters) if asked.game else read_game(asked.file or "", {}, name="game file")
    if which in SOME:
        boxes = [box for box in game.boxes if box.name in SOME[which]]
        game = Sheet(boxes, bonus=game.bonus, joker=game.joker)
    return rollwise.solve(game, read_objective(asked.objective) if asked.objective else None)


def write_table(solution: Any, path: Path, asked: Asked, *, thorough: bool = False) -> Entry:
    """Write the table of a solved game; gives its row of the manifest."""
    content = pack_table(solution, asked, thorough=thorough)
    path.write_bytes(content)
    return describe_table(content, asked, "a title", path.name)


def asks_of(solution: Any, name: str, games: int = 1) -> list[tuple[str, Any, Any]]:
    """What is asked about games that are played at random, and what the server answers."""
    game, random, found = solution.game, Random(3), list[tuple[str, Any, Any]]()
    for _ in range(games):
        pending, lines = game.start(), list[dict[str, str]]()
        while True:
            roll = game.roll(pending)
            state = random.choices(list(roll), list(roll.values()))[0]
            text = game.show_state(state)
            lines.append({"kind": "roll", "text": text})
            advice = answer_advice(solution, text, None)
            found += [("advise", {"state": text}, advice), ("advise", {"state": advice["id"]}, advice)]
            if not advice["moves"]:
                break
            move = random.choice(advice["moves"][:3])["action"]
            found += _asks_about(solution, name, {"state": text, "action": move}) if len(lines) < 2 * FEW else []
            lines.append({"kind": "move", "text": move})
            pending = game.play(state, game.read_action(move))
        record = [Line(line["kind"], line["text"], number) for number, line in enumerate(lines, 1)]  # type: ignore[arg-type]
        found.append(("grade", {"lines": lines}, answer_grade(solution, name, record, lambda *_: None)))
    return found


def _asks_about(solution: Any, name: str, move: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    found = list[tuple[str, Any, Any]]()
    if not solution.objective.wins or unlifted(solution.game) is solution.game:
        answer = answer_outlook(solution, OutlookRequest(game=name, **move), 1 << 30, lambda *_: None)
        found.append(("outlook", move, answer))
    request: dict[str, Any] = {**move, "draw": 0.7}
    try:
        return [*found, ("rolls", request, answer_rolls(solution, RollsRequest(game=name, **request)))]
    except GameError:  # a roll that the server does not list, but the page can
        return found


def answers(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page answers from tables."""
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "Node is missing: apt-get install nodejs"
        pytest.skip("Node is missing: apt-get install nodejs")
    done = subprocess.run(
        [node, HERE / "js" / "answer_table.js"], input=json.dumps(games), capture_output=True, text=True, check=True
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def same(mine: Any, theirs: Any, where: str) -> None:
    """Compare two answers: numbers to 1e-4, everything else as it is."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        assert mine.keys() == theirs.keys(), where
        for key in mine:
            same(mine[key], theirs[key], f"{where}.{key}")
    elif isinstance(mine, list) and isinstance(theirs, list):
        assert len(mine) == len(theirs), where
        for place, (one, two) in enumerate(zip(mine, theirs, strict=True)):
            same(one, two, f"{where}.{place}")
    elif isinstance(mine, int | float) and isinstance(theirs, int | float) and not isinstance(mine, bool):
        close = next((most for end, most in ROUNDED.items() if ".why." in where and where.endswith(end)), CLOSE)
        assert abs(mine - theirs) < close, f"{where}: {mine} and {theirs}"
    else:
        assert mine == theirs, where


def tidied(answer: Any) -> Any:
    """An answer in which nothing hangs on the last digit of equal values: no order, and no move that another is compared with.

    A table has no positions in words, so a review without a server shows them as their text.
    """
    if isinstance(answer, dict) and "steps" in answer:
        return {**answer, "steps": [{name: one for name, one in step.items() if name != "told"} for step in answer["steps"]]}
    if not isinstance(answer, dict) or not answer.get("moves"):
        return answer
    first, moves = answer["moves"][0]["action"], answer["moves"]
    assert all(one["loss"] <= two["loss"] + CLOSE for one, two in pairwise(moves) if two["loss"] != "impossible")
    named = {
        move["action"]: _counted(move) if _has_one_rival(move, moves) else {**move, "why": None, "reasons": None}
        for move in moves
    }
    return {**answer, "moves": named, "first": first}


def _counted(move: Any) -> Any:
    """A move with the reasons in numbers that are more than rounding."""
    return {**move, "reasons": {str(one["what"]): one for one in move["reasons"] if abs(one["value"]) > CLOSE}}


def _has_one_rival(move: Any, moves: list[Any]) -> bool:
    losses = [other["loss"] for other in moves if other is not move][:2]
    return "impossible" in losses or len(losses) < 2 or losses[1] - losses[0] > CLOSE


def test_the_page_answers_as_the_server_does(tmp_path: Path) -> None:
    games, expected = list[dict[str, Any]](), list[list[tuple[str, Any, Any]]]()
    for which, asked in GAMES.items():
        solution, path = solved(which), tmp_path / f"{which}.rwt"
        write_table(solution, path, asked)
        asks = asks_of(solution, asked.game or "game file")
        asks.append(("rules", None, describe_rules(unlifted(solution.game))))
        asks.append(("distribution", None, answer_whole(solution, 1 << 30, lambda *_: None)))
        games.append({"file": str(path), "asks": [{"call": call, "request": request} for call, request, _ in asks]})
        expected.append(asks)
    for which, found, asks in zip(GAMES, answers(games), expected, strict=True):
        assert "answers" in found, (which, found)
        for answer, (call, request, wanted) in zip(found["answers"], asks, strict=True):
            same(tidied(answer["found"]), tidied(spoken(wanted, None)), f"{which}: {call} {request}")


@pytest.mark.parametrize("which", ["jokers and a bonus", "slots"])
def test_what_is_no_position_is_refused_in_one_line(tmp_path: Path, which: str) -> None:
    write_table(solved(which), tmp_path / "table.rwt", GAMES[which])
    wrong = [
        "",
        "11111 2 nothing upper 0",
        "11111 9 all upper 0",
        "1111 1 all upper 0",
        "11111 2 all upper 5",
        "id:zzzz",
    ]
    asks: list[dict[str, Any]] = [{"call": "advise", "request": {"state": text}} for text in wrong]
    asks.append({"call": "grade", "request": {"lines": [{"kind": "move", "text": "chance"}]}})
    (found,) = answers([{"file": str(tmp_path / "table.rwt"), "asks": asks}])
    for answer, ask in zip(found["answers"], asks, strict=True):
        assert answer["found"].get("status") == 422, ask
        assert "\n" not in answer["found"]["fault"], ask


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    content = pack_table(solved("slots"), GAMES["slots"])
    plain = gzip.decompress(content)
    broken = {
        "cut": content[: len(content) // 2], "changed": content[:-200] + bytes([content[-200] ^ 1]) + content[-199:],
        "other": gzip.compress(b"rollwise table 9\n" + plain[len(MARK) :]), "nothing": b"", "text": b"<!doctype html>",
        "short": gzip.compress(plain[:-50]),
    }  # fmt: skip
    for name, part in broken.items():
        (tmp_path / name).write_bytes(part)
    (tmp_path / "unpacked").write_bytes(plain)
    asks = [{"call": "advise", "request": {"state": "all 0 6", "top": 1}}]
    *faults, unpacked = answers([{"file": str(tmp_path / name), "asks": asks} for name in (*broken, "unpacked")])
    assert {fault["status"] for fault in faults} == {422}
    assert ["version" in fault["fault"] for fault in faults] == [name == "other" for name in broken]
    assert len(unpacked["answers"][0]["found"]["moves"]) == 1


def test_a_table_is_the_same_every_time_and_says_what_it_answers(tmp_path: Path) -> None:
    asked = GAMES["a target"]
    entry = write_table(solved("a target"), tmp_path / "one.rwt", asked)
    again = write_table(solved("a target"), tmp_path / "two.rwt", asked)
    assert (entry.sha, entry.bytes) == (again.sha, (tmp_path / "one.rwt").stat().st_size)
    assert (entry.game, entry.parameters, entry.objective) == ("yazy", GAMES["a target"].parameters, "at-least 42")
    write_manifest([entry], tmp_path / "tables.json")
    listed = json.loads((tmp_path / "tables.json").read_text(encoding="utf-8"))
    assert listed["tables"] == [entry.as_dict()]
    assert {game["name"] for game in listed["games"]} >= {"yazy", "slots"}


def test_a_game_that_is_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_BYTES", 500)
    with pytest.raises(GameError, match=r"yahtzee is too large for a table: 1,\d+ turn starts take more than the 500 bytes"):
        pack_table(solved("jokers and a bonus"), SHEETS["jokers and a bonus"])
    monkeypatch.setattr(table_graph, "MOST_POSITIONS", 100)
    with pytest.raises(
        GameError, match=r"pig is too large for a table: its [\d,]+ positions are listed one by one, and at most 100"
    ):
        pack_table(solved("two players"), GAMES["two players"])


@pytest.mark.audit
@pytest.mark.parametrize("name", ["yahtzee", "kniffel", "yatzy", "yazy"])
def test_a_whole_sheet_is_small_and_quick(tmp_path: Path, name: str) -> None:
    solution = rollwise.solve(load(name))
    entry = write_table(solution, tmp_path / "table.rwt", Asked(name), thorough=True)
    assert entry.bytes < MOST_BYTES
    asks = [ask for ask in asks_of(solution, name, 3) if ask[0] in ("advise", "grade")]
    games = [{"file": str(tmp_path / "table.rwt"), "asks": [{"call": call, "request": request} for call, request, _ in asks]}]
    (found,) = answers(games)
    for answer, (call, request, wanted) in zip(found["answers"], asks, strict=True):
        values = {row["action"]: (row["value"], row["loss"]) for row in wanted.get("moves", [])}
        mine = {row["action"]: (row["value"], row["loss"]) for row in answer["found"].get("moves", [])}
        same(
            {key: [*row] for key, row in mine.items()}, {key: [*row] for key, row in values.items()}, f"{name}: {call} {request}"
        )
        assert call != "grade" or abs(answer["found"]["mistakes"] - wanted["mistakes"]) < 50 * CLOSE
    times = sorted(answer["ms"] for answer, ask in zip(found["answers"], asks, strict=True) if ask[0] == "advise")
    assert times[len(times) // 2] < 50
