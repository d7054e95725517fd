"""Small things a reader stumbles over: positions that say too little or too much, byte order marks, numbers cut or miscounted."""

import io
import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from rollwise import AtLeast, Duel, simulate, solve
from rollwise.cli.distribution import histogram
from rollwise.cli.shared import show_value, table
from rollwise.errors import GameError, PositionError, one_of
from rollwise.games import load
from rollwise.games.users import find_game
from rollwise.games.yahtzee import Yazy
from rollwise.playing.contests import answer_contest
from rollwise.playing.distribution import Distribution, distribution
from rollwise.playing.explain import explain
from rollwise.playing.grade import grade, rehearse
from rollwise.playing.opponents import parse_opponent
from rollwise.playing.record import read_record
from rollwise.playing.roll_source import RollSource
from tests.terminal import GAME_FILE, run

BOM = "\ufeff"


@pytest.mark.parametrize("name", ["yahtzee", "yatzy", "kniffel", "maxi-yatzy"])
def test_a_position_says_its_upper_total(name: str) -> None:
    game = load(name)
    dice = "666611"[: game.count]  # type: ignore[attr-defined]
    with pytest.raises(PositionError, match="add, for example, 'upper 0'"):
        game.read_state(f"{dice} 1 all")
    with pytest.raises(PositionError, match=r"upper 500 in .* hold at most 0"):
        game.read_state(f"{dice} 1 all upper 500")
    assert game.read_state(f"{dice} 1 none upper 70").upper == min(70, game.bonus.threshold)  # type: ignore[attr-defined]
    assert game.read_state(f"{dice} 1 chance upper 105").upper == game.bonus.threshold  # type: ignore[attr-defined]


def test_what_the_filled_boxes_can_hold_is_the_limit() -> None:
    game = load("yatzy")
    assert game.read_state("66661 1 sixes,chance upper 75").upper == 63
    with pytest.raises(PositionError, match="upper 76 .* at most 75"):
        game.read_state("66661 1 sixes,chance upper 76")


@pytest.mark.parametrize(
    ("name", "text"),
    [("yazy", "33561 2 ones,ones"), ("yazy", "33561 2 one,ones"), ("slots", "x3,x3 0 6"), ("yatzy", "66661 1 pair,pair upper 0")],
)
def test_repeated_boxes_are_refused(name: str, text: str) -> None:
    with pytest.raises(PositionError, match=r"once"):
        load(name).read_state(text)


def test_a_mark_of_byte_order_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    contest = "1\n3 6 2\n1\n2\n"
    assert list(answer_contest("groups", BOM + contest)) == list(answer_contest("groups", contest))
    monkeypatch.setattr("sys.stdin", io.StringIO(BOM + contest))
    assert run(capsys, "contest", "groups") == (0, "Case #1: 4.700000000000\n", "")
    (tmp_path / "words.txt").write_text(f"{BOM}AC\n", encoding="utf-8")
    assert load("words", dice="AB,CD", words=f"@{tmp_path}/words.txt").words == ("AC",)  # type: ignore[attr-defined]
    assert parse_opponent(f"{BOM}180\n210") == parse_opponent("180\n210")
    assert parse_opponent(f"{BOM}[180, 210]") == parse_opponent("180\n210")
    assert read_record(f"{BOM}game: slots\n").game == "slots"
    (tmp_path / "higher.py").write_text(BOM + GAME_FILE, encoding="utf-8")
    assert type(find_game(str(tmp_path / "higher.py"), {})).__name__ == "Higher"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{BOM}a\nb\n"))
    code, out, _ = run(capsys, "play", "slots", "-p", "slots=a:1/2,b:2/1", "-p", "target=3", "--seed", "1")
    assert (code, "is not a move" in out, "the game is over" in out) == (0, False, True)


class Terminal(io.StringIO):
    """A terminal of some width."""

    def isatty(self) -> bool:
        return True


LONG = Fraction(3**700, 2**1100)


@pytest.mark.parametrize("columns", [0, 40, 80])
def test_long_fractions_and_numbers_are_never_cut(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    screen = Terminal() if columns else io.StringIO()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(columns or 40))
    monkeypatch.setenv("TERM", "dumb-but-wide")
    monkeypatch.setenv("NO_COLOR", "1")
    table(["", "game"], [("value", show_value(LONG))])
    table(["move", "expected total", "loss", "why"], [("keep 6666", "276.998232792", "8.76646", "keeps 6666 for sixes")])
    text = re.sub("\x1b\\[[0-9;]*m", "", screen.getvalue())
    assert "…" not in text
    assert str(LONG) in "".join(text.split())
    assert {"276.998232792", "8.76646"} <= set(text.split())
    assert max(map(len, text.splitlines())) <= columns or not columns


def test_fractions_of_any_length_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    slots = ",".join(f"s{i}:0/{'1' * 12}" for i in range(2))
    code, out, _ = run(capsys, "solve", "slots", "-p", f"slots={slots}", "--objective", "expected", "--exact", "--json")
    assert (code, json.loads(out)["exact"]) == (0, f"{'1' * 12}/1")


def test_one_outcome_is_one(tmp_path: Path) -> None:
    rules = GAME_FILE.partition("    def gain")[0] + "    def payoff(self, state): return -state\n"
    (tmp_path / "higher.py").write_text(rules)
    solution = solve(find_game(str(tmp_path / "higher.py"), {}), AtLeast(5))
    said = {explain(solution, state, action) for state in range(1, 7) for action in ("stop", "again")}
    assert said == {"then the game is over", "then again (67 %)", "then again +66.7 % (67 %), then stop +33.3 % (33 %)"}
    slots = solve(load("slots"))
    assert explain(slots, slots.game.read_state("x3,bin 30 1"), "bin") == "bin makes 0 of the 1; leaves 15 to get in 1 slot"


def test_ranges_of_negative_totals_read_well() -> None:
    game = load("slots", slots="a:-100/-1,b:-60/40")
    found = distribution(solve(game, objective=None))
    names = [name.strip() for name, _, _ in histogram(found, 10)]
    assert not any("--" in name for name in names)
    assert any(" to -" in name for name in names)
    assert isinstance(found, Distribution)


def test_unknown_names_without_a_near_one() -> None:
    with pytest.raises(GameError) as caught:
        load("yahtzee", foo="1")
    assert str(caught.value).startswith("unknown parameter of yahtzee 'foo' (known: five_as_full_house")
    with pytest.raises(GameError, match="did you mean 'slots'"):
        one_of("game", "SLOTS", ["slots"])


def test_negative_seeds_are_refused_alike() -> None:
    duel = solve(Yazy(boxes=["ones"]), Duel())
    with pytest.raises(GameError, match="seed -1: expected 0 or more"):
        simulate(duel, 10, seed=-1)


def test_the_budget_names_the_option() -> None:
    with pytest.raises(GameError, match=r"raise max_states \(on the command line: --max-states N\)"):
        solve(load("slots"), max_states=10)


RECORDS = ["roll: x3,bin 0 6", "roll: all 0 6\nmove: x4", "roll: all 0 6\nmove: x3\nroll: all 0 6", "roll: all 0 9"]


@pytest.mark.parametrize("lines", RECORDS)
def test_a_rehearsal_says_what_grading_says(lines: str) -> None:
    solution, record = solve(load("slots")), read_record(f"game: slots\n{lines}\n")
    with pytest.raises(GameError) as graded:
        grade(solution, record)
    with pytest.raises(GameError) as rehearsed:
        rehearse(solution.game, record)
    assert str(graded.value) == str(rehearsed.value)


@pytest.mark.parametrize("target", [None, 3])
def test_a_rehearsal_takes_what_was_played(target: int | None) -> None:
    solution = solve(load("yazy", boxes="ones,straight"), None if target is None else AtLeast(target))
    game, rolls = solution.game, RollSource(solution.game, Random(1))
    lines, pending = [], game.start()
    while game.actions(state := rolls.draw(pending)):
        best = solution.best(state)
        lines += [f"roll: {game.show_state(state)}", f"move: {game.show_action(best)}"]
        pending = game.play(state, best)
    rehearse(game, read_record("\n".join(["game: yazy", *lines])))
