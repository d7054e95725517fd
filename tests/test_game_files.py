"""Games in text files: the language, the examples, what is said about mistakes."""

import os
import pickle
import re
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from rollwise import AtLeast, GameError, check_game, solve
from rollwise import cache as cached
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.games.files import FileGame, example_files, read_game_file
from rollwise.games.files.source import MOST_BYTES
from rollwise.games.files.tables import RowBudget
from rollwise.model.notation import notation_of
from tests.wrong_game_files import GOOD, KINDS

EXAMPLES = Path(__file__).parent.parent / "examples"
FILES = sorted(EXAMPLES.glob("*.toml"))


def example(name: str, **parameters: int) -> Any:
    return load(EXAMPLES / f"{name}.toml", **parameters)


def file_of(text: str, **values: int) -> FileGame:
    return FileGame(text, values)


# The examples


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_sound(file: Path) -> None:
    small = {
        "pig": {"target": 9}, "hog": {"goal": 5}, "farkle_turn": {"most": 20}, "threes": {"number": 3},
        "casinos": {"number": 3}, "qwixx_row": {"last": 8, "lost": 1}, "zombie_dice": {"most": 2},
    }  # fmt: skip
    game = load(file, **small.get(file.stem, {}))
    assert check_game(game, max_states=100).warnings == ()
    assert game.start() == pickle.loads(pickle.dumps(game)).start()
    assert len(game.roll(game.start())) >= 1


def test_shut_the_box() -> None:
    """With one die once 7, 8 and 9 are shut; two dice always: tests/known/shut-the-box.toml."""
    assert solve(example("shut_the_box")).value() == pytest.approx(0.0742227526, abs=1e-10)


def test_two_boxes_is_the_catalogues() -> None:
    known = load("yazy", boxes="ones,five-of-a-kind")
    assert solve(example("two_boxes"), exact=True).value() == solve(known, exact=True).value()
    known = load("yazy", boxes="ones,five-of-a-kind", rerolls=1)
    assert solve(example("two_boxes", rerolls=1), AtLeast(5)).value() == pytest.approx(
        solve(known, AtLeast(5)).value(), abs=1e-12
    )


def test_best_of_three() -> None:
    found, plain = (
        solve(example("best_of_three"), exact=True),
        solve(load(str(EXAMPLES / "best_of_three.py")), exact=True),
    )
    assert found.value() == plain.value() == Fraction(14, 3)
    for face, left in product(range(1, 7), range(3)):
        assert found.best(found.game.read_state(f"{face} {left} 0")) == plain.best((face, left))


def test_hog() -> None:
    """As a plain program found it, one position at a time, for Sow Sad and Free Bacon."""
    small, larger = solve(example("hog", goal=5), exact=True), solve(example("hog", goal=21))
    assert (small.value(), small.states, small.pendings) == (Fraction(1257541, 1679616), 42, 346)
    assert larger.value() == pytest.approx(0.5946543814468901, abs=1e-12)


# The language


def counting(**changes: str) -> str:
    """A small game: a number goes up by what a die shows, three times."""
    parts = {
        "columns": 'n = "0..40"\nleft = { range = "0..3", start = 3 }',
        "roll": 'dice = 1\nunless = "left == 0"\nto = { n = "n + die", left = "left - 1" }',
        "action": 'name = "go"\nwhen = "left > 0"',
        "more": "",
        "end": 'pays = "n"',
        "top": "",
    } | changes
    head = f"format = 1\n{parts['top']}\n[columns]\n{parts['columns']}\n[roll]\n{parts['roll']}\n"
    return f"{head}[[action]]\n{parts['action']}\n{parts['more']}\n[end]\n{parts['end']}\n"


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({}, Fraction(21, 2)),
        ({"end": 'pays = "n >= 10"'}, Fraction(135, 216)),
        ({"end": 'pays = "3 if n == 18 else 0"'}, Fraction(3, 216)),
        ({"end": 'pays = "n in [3, 18]"'}, Fraction(2, 216)),
        ({"end": 'pays = "n // 2 + n % 2"'}, Fraction(21, 4) + Fraction(1, 4)),
        ({"end": 'pays = "[5, 7][n % 2]"'}, Fraction(6)),
        ({"end": 'pays = "abs(n - 3)"'}, Fraction(15, 2)),
        ({"end": 'pays = "count([n > 3, n > 4, n > 17])"'}, Fraction(215 + 212 + 1, 216)),
        ({"end": 'pays = """\n  n\n  + 1"""'}, Fraction(23, 2)),
        ({"end": "pays = 'n + \t1'"}, Fraction(23, 2)),
        ({"top": 'objective = "at least 18"'}, Fraction(1, 216)),
        ({"top": 'objective = "fewest"'}, Fraction(3)),
        ({"top": 'objective = "fewest"',
          "roll": 'dice = 1\ncost = "left * left"\nunless = "left == 0"\nto = { left = "left - 1" }'}, Fraction(14)),
        ({"roll": 'dice = 2\nfaces = 4\nunless = "left == 0"\nto = { n = "n + sum(dice)", left = 0 }'}, Fraction(5)),
        ({"roll": 'dice = 2\nfaces = 4\nunless = "left == 0"\nto = { n = "max(dice)", left = 0 }'}, Fraction(50, 16)),
        ({"roll": 'dice = 3\nfaces = 2\nunless = "left == 0"\nto = { n = "10 * count(dice, 1)", left = 0 }'}, Fraction(15)),
        ({"roll": 'dice = "left"\nunless = "left == 0"\nto = { n = "n + sum(dice)", left = "left - 1" }'}, Fraction(21)),
        ({"roll": 'dice = 1\nfaces = 1000\nunless = "left == 0"\nto = { n = "die // 1000", left = 0 }'}, Fraction(1, 1000)),
        ({"roll": 'dice = 30\nfaces = 2\nunless = "left == 0"\nto = { n = "sum(dice) - 30", left = 0 }'}, Fraction(15)),
        ({"action": 'name = "go"\nwhen = "left > 0"\ngain = "10 * left"'}, Fraction(21, 2) + 30),
        ({"action": 'name = "go"\nchoose = { by = "0..2" }\nwhen = "left > 0"\nto = { n = "n + by" }'}, Fraction(21, 2) + 4),
        ({"action": 'name = "go"\nchoose = { by = "0..2" }\nwhen = "left > by"\nto = { n = "n + by" }'}, Fraction(21, 2) + 1),
        ({"more": '[[action]]\nname = "stop"\nwhen = "left > 0 and n >= 3"\nto = { left = 0, n = "2 * n" }'}, None),
    ],
)  # fmt: skip
def test_the_language(changes: dict[str, str], value: Fraction | None) -> None:
    found = solve(file_of(counting(**changes)), exact=True).value()
    assert value is None or found == value


def test_cases_are_tried_in_turn_and_read_the_old_position() -> None:
    to = '[{ when = "die == 1", n = "left", left = "n" }, { when = "die < 3", n = 9, left = 0 }, { when = "die < 4", left = 0 }]'
    game = file_of(counting(columns='n = { range = "0..9", start = 5 }\nleft = "0..9"', roll=f"dice = 1\nfaces = 4\nto = {to}"))
    assert {game.show_state(state): weight for state, weight in game.roll(game.start()).items()} == {
        "0 5": 1, "9 0": 1, "5 0": 2,
    }  # fmt: skip


def test_sets_and_hands() -> None:
    text = """
    format = 1
    [columns]
    open = { set = [2, 3, 5, 8], start = [2, 3, 5] }
    names = { set = ["a", "b", "c"], start = "none" }
    hand = { dice = 4, faces = 4, start = [1, 3] }
    n = "0..1000"
    [roll]
    dice = 0
    to = {}
    [[action]]
    name = "test"
    choose = { x = "1..4" }
    when = "n == 0"
    to = { n = "%s" }
    [end]
    pays = "n"
    """
    for expression, values in {
        "len(open - {x}) * 10 + len(open | {2})": [33, 23, 23, 33],
        "max(open - {2, 3, 5}) + 1": [1] * 4,
        "1 if open == {5, 2, 3} else 0": [1] * 4,
        "1 if {2} < open and open <= {2, 3, 5, 8} else 0": [1] * 4,
        "100 * sum(hand) + 10 * len(hand) + max(hand) - min(hand)": [422] * 4,
        "count(hand + [x], x)": [2, 1, 2, 1],
        "1 if not names and hand else 0": [1] * 4,
        "len(names | {'a', 'c'})": [2] * 4,
        "1 if 'b' == x else 0": [1, 0, 0, 0],
        "min(hand - [1, 3])": [0] * 4,
        "[10, 20, 30, 40, 50][x]": [20, 30, 40, 50],
        "max([x, 2, 3]) + sum([x, 1]) + len([x, x])": [7, 8, 9, 11],
    }.items():
        game = file_of(text % expression)
        state = next(iter(game.roll(game.start())))
        assert [game.play(state, f"test {x}").n for x in range(1, 5)] == values, expression


def test_sets_of_other_names_are_other_sets() -> None:
    text = """
    format = 1
    [columns]
    one = { set = ["a", "b"], start = "all" }
    two = { set = ["x", "y"], start = "all" }
    three = { set = "0..1", start = "all" }
    [roll]
    dice = 0
    to = {}
    [[action]]
    name = "take"
    choose = { it = "member of %s" }
    when = "it in %s"
    to = { %s = "%s - {it}" }
    """
    for name, members in {"one": "ab", "two": "xy", "three": "01"}.items():
        game = file_of(text % (name, name, name, name))
        assert list(game.actions(next(iter(game.roll(game.start()))))) == [f"take {member}" for member in members]
    with pytest.raises(GameError, match="line 14, column 19: expected two sets with the same members"):
        file_of(text % ("one", "one", "one", "one - two"))


def test_what_is_chosen() -> None:
    text = """
    format = 1
    [columns]
    open = {{ set = "1..5", start = [1, 2, 3, 5] }}
    hand = {{ dice = 3, start = [1, 1, 6] }}
    gone = "0..1"
    [roll]
    dice = 0
    to = {{}}
    [[action]]
    name = "take"
    choose = {{ {} }}
    when = "gone == 0{}"
    to = {{ gone = 1 }}
    """
    for choose, when, actions in (
        ('x = "member of open"', "", "1 2 3 5"),
        ('x = "member of open"', " and x % 2 == 1", "1 3 5"),
        ('x = "member of open - {1}"', " and x % 2 == 1", "3 5"),
        ('x = "subset of open", sum = 5', "", "5 2+3"),
        ('x = "subset of open", sum = "6 - gone", size = "2..3"', "", "1+5 1+2+3"),
        ('x = "subset of open", size = "3..5"', "", "1+2+3 1+2+5 1+3+5 2+3+5 1+2+3+5"),
        ('x = "subset of open", size = "0..1"', "", "nothing 1 2 3 5"),
        ('x = "subset of open"', " and len(x) == 4", "1+2+3+5"),
        ('x = "dice of hand"', "", "116 11 16 1 6 nothing"),
        ('x = "dice of hand", size = "1..2"', " and 6 in x", "16 6"),
        ('x = "dice of hand"', " and count(hand - x, 1) == 2", "6 nothing"),
        ('x = "2..4"', "", "2 3 4"),
        ('x = "-1..1"', " and x != 0", "-1 1"),
    ):
        game = file_of(text.format(choose, when))
        state = next(iter(game.roll(game.start())))
        assert list(game.actions(state)) == [f"take {action}" for action in actions.split()], choose


def test_parameters() -> None:
    game = load(str(EXAMPLES / "shut_the_box.toml"), tiles="10")
    assert game.show_state(game.start()) == "all 0"
    assert len(next(iter(notation_of(game).columns(game.start()).values()))) == 3
    with pytest.raises(
        GameError, match="tiles=13 of .*shut_the_box.toml does not fit: expected an integer from 2 to 12: tiles from"
    ):
        load(str(EXAMPLES / "shut_the_box.toml"), tiles="13")
    with pytest.raises(GameError, match="did you mean 'tiles'"):
        load(str(EXAMPLES / "shut_the_box.toml"), tile="9")
    with pytest.raises(GameError, match="does not fit: expected an integer"):
        load(str(EXAMPLES / "shut_the_box.toml"), tiles="nine")
    text = counting(top="[parameters]\nmost = 30", columns='n = "0..most"\nleft = { range = "0..3", start = 3 }')
    with pytest.raises(GameError, match="most=.* does not fit: expected an integer from -9,007"):
        file_of(text, most=2**60)


def test_the_text_and_the_parameters_are_the_game(tmp_path: Path) -> None:
    """Kept solutions are told apart by them, and by nothing else."""
    paths = [tmp_path / "a.toml", tmp_path / "b.toml"]
    for path in paths:
        path.write_text(counting(top="[parameters]\nmost = 3", end='pays = "max(n, most)"'))
    first = load(str(paths[0]))
    cached.solve(first, directory=tmp_path / "store", worth_seconds=0)
    assert cached.load(load(str(paths[1])), directory=tmp_path / "store") is not None
    assert cached.load(pickle.loads(pickle.dumps(first)), directory=tmp_path / "store") is not None
    assert cached.load(load(str(paths[1]), most="9"), directory=tmp_path / "store") is None


# Mistakes


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_hostile_file_gets_one_line(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    for row in KINDS[kind]:
        path.write_bytes(row.content)
        with pytest.raises(GameError) as caught:
            load(path)
        told = str(caught.value).replace(str(path), "wrong.toml")
        assert len(told.splitlines()) == 1, row.name
        assert len(told) < 600, row.name
        assert told.startswith(f"wrong.toml, line {caught.value.line}, column {caught.value.column}: "), row.name
        assert row.place in told, row.name
        assert row.part in told, row.name


def test_the_file_that_the_others_break_is_right() -> None:
    game = file_of(GOOD)
    assert check_game(game, max_states=100).warnings == ()
    assert solve(game).value() == pytest.approx(float(solve(game, exact=True).value()), abs=1e-12)


def test_hostile_files_take_no_memory() -> None:
    script = """
import resource, sys
import rollwise.games.files as files
from rollwise.errors import GameError
from tests.wrong_game_files import WRONG
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for row in WRONG:
    try:
        files.FileGame(row.content.decode("utf-8", "surrogatepass"))
    except (GameError, UnicodeDecodeError):
        continue
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=EXAMPLES.parent)
    assert int(done.stdout) < 200_000  # KiB


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(GameError, match="it is a directory"):
        read_game_file(str(tmp_path / "folder.toml"), {})
    with pytest.raises(GameError, match="there is none"):
        read_game_file(str(tmp_path / "nothing.toml"), {})
    with pytest.raises(GameError, match="there is none"):
        read_game_file("x\0.toml", {})
    with pytest.raises(GameError):
        read_game_file("x" * 5000 + ".toml", {})
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(GameError, match="there is none"):
        read_game_file(str(tmp_path / "pipe.toml"), {})
    with (tmp_path / "large.toml").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(GameError, match=f"at most {MOST_BYTES:,} bytes"):
        read_game_file(str(tmp_path / "large.toml"), {})
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    with pytest.raises(GameError, match="is no game file|cannot be read"):
        read_game_file(str(tmp_path / "loop.toml"), {})


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"columns": 'n = "0..9"\nleft = "0..3"', "roll": 'dice = 1\nto = { n = "n + die" }', "action": 'name = "go"'},
         r"game file, line 6, column 1: \[roll\] at pending 4 0: column 'n' becomes 10: its range is 0 to 9"),
        ({"action": 'name = "go"\nwhen = "left > 0"\nto = { left = "left - 3" }'},
         r"game file, line 10, column 1: action 'go' at state 1 2: column 'left' becomes -1: its range is 0 to 3"),
        ({"columns": 'n = "0..9"\nleft = "0..3"\nhand = { dice = 2 }',
          "roll": 'dice = 1\nto = { hand = "hand + dice" }', "action": 'name = "go"'},
         r"line 7, column 1: \[roll\] at pending 0 0 11: column 'hand' would hold more than its 2 dice"),
        ({"roll": "dice = 1\nto = {}", "action": 'name = "go"'}, "the game never ends"),
    ],
)  # fmt: skip
def test_a_fault_of_the_rules_names_the_line_and_the_position(changes: dict[str, str], match: str) -> None:
    with pytest.raises(GameError, match=match):
        solve(file_of(counting(**changes)))


# What is written about it

PAGE = (EXAMPLES.parent / "docs" / "game-files.md").read_text()


SHOWN = re.findall(r"```toml\n(.*?)```\n```console\n\$ rollwise \S+ (\S+)\n", PAGE, re.DOTALL)


def test_the_page_shows_the_examples_as_they_are() -> None:
    """What the commands say of its files is compared in test_readme.py."""
    assert len(SHOWN) == 4
    assert all(text == (EXAMPLES.parent / name).read_text() for text, name in SHOWN if name.startswith("examples/"))
    assert {name.replace("_", "-") for name in example_files()} == set(
        re.findall(r"`([a-z-]+)`", PAGE[PAGE.index("### Examples") : PAGE.index("### Python and")])
    )


# The commands


def test_every_command_takes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "count.toml").write_text(counting(top="[parameters]\nmost = 9", end='pays = "min(n, most)"'))
    game = ["count.toml", "-p", "most=10"]
    for arguments, said in (
        (["solve", *game, "--exact"], "expected total"),
        (["solve", *game, "--json"], '"game": "count.toml"'),
        (["advise", *game, "--state", "4 2"], "go"),
        (["distribution", *game], "optimal"),
        (["simulate", *game, "--games", "10"], "10"),
        (["check", *game], "no fault found"),
        (["policy", *game, "-o", "count.csv"], "decisions written"),
        (["report", *game, "-o", "count.html"], "report written"),
        (["play", *game, "--auto", "--seed", "1"], "the game is over"),
    ):
        assert main(arguments) == 0, arguments
        out, err = capsys.readouterr()
        assert said in out, arguments
        assert err == ""


def test_new_writes_a_file_that_is_solved_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my-game"]) == 0
    assert capsys.readouterr().out == "wrote my-game.toml; now: rollwise solve my-game.toml\n"
    assert main(["solve", "my-game.toml", "--exact"]) == 0
    assert "492303203/60466176" in capsys.readouterr().out
    assert main(["check", "my-game.toml"]) == 0
    assert capsys.readouterr().err == ""
    text = (tmp_path / "my-game.toml").read_text()
    assert main(["new", "my-game"]) == 2
    assert "exists already, and is left as it is" in capsys.readouterr().err
    assert (tmp_path / "my-game.toml").read_text() == text
    assert main(["new", "zombies", "--from", "zombie-dice"]) == 0
    assert (tmp_path / "zombies.toml").read_text().splitlines()[1] == 'name = "zombies"'
    assert main(["check", "zombies.toml", "--max-states", "200"]) == 0
    assert main(["new", "others", "--from", "zombies"]) == 2
    assert "did you mean 'zombie-dice'?" in capsys.readouterr().err
    assert not (tmp_path / "others.toml").exists()
    assert main(["new", "other", "-o", "elsewhere.toml"]) == 0
    assert 'name = "other"' in (tmp_path / "elsewhere.toml").read_text()


# Sizes that are refused before anything is made


def large_file(*, choose: str = '"0..99999"', when: str = "n > x", more: str = "", define: str = "") -> str:
    """Write a game with a large table of numbers."""
    return f"""format = 1
[define]
{define}
[columns]
x = "0..6"
s = {{ set = "1..40" }}
[roll]
dice = 1
to = {{ x = "die" }}
[[action]]
name = "a"
choose = {{ n = {choose} }}
when = "{when}"
{more}"""


ALL_OF_THEM = " + ".join(f"d{number}" for number in range(20))
SMALL_ROWS, SMALL_NUMBERS = 200_000, 2_000_000
LARGE = {
    "row expressions": large_file(when=" and ".join(f"n + {number} > x" for number in range(60))),
    "a list of rows": large_file(when="sum(l) > x", define=f'l = "[{", ".join(f"n * {number}" for number in range(99))}]"'),
    "definitions in every action": large_file(
        choose='"0..1"', define="".join(f'd{number} = "{"x + " * 99}n"\n' for number in range(20)),
        more="".join(f'[[action]]\nname = "a{n}"\nchoose = {{ n = "0..1" }}\nwhen = "{ALL_OF_THEM} > x"\n' for n in range(50)),
    ),
    "a list again and again": large_file(
        choose='"0..1"', define=f'l = "[{", ".join(["x"] * 300)}]"',
        more="".join(f'[[action]]\nname = "a{number}"\nwhen = "{" + ".join(["sum(l)"] * 99)} > 0"\n' for number in range(9)),
    ),
    "sums that are far apart": large_file(choose='"0..1"').replace('"1..40"', "[1, 999999]")
    + "".join(f'[[action]]\nname = "a{number}"\nchoose = {{ t = "subset of s", sum = "x * 200000" }}\n' for number in range(9)),
    "rows": large_file(choose='"0..900000"'),
    "loops in loops": large_file(choose='"0..1"', when="sum(sum(a * b for a in range(999)) for b in range(999)) > x"),
    "loops over rows": large_file(choose='"0..9999"', when="sum(sum(n * b + a for a in range(99)) for b in range(99)) > x"),
}  # fmt: skip


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_small_file_takes_no_more_than_it_may(text: str) -> None:
    """It is refused at its place as soon as it would take more, and nothing larger than its tables was made by then."""
    rows = RowBudget(SMALL_ROWS, SMALL_NUMBERS)
    with pytest.raises(GameError, match="line [0-9]+, column [0-9]+: expected (expressions and )?tables of at most") as error:
        FileGame(text, rows=rows)
    assert error.value.line is not None
    assert error.value.column is not None
    assert rows.exceeded
    assert rows.spent <= SMALL_NUMBERS + 1_000_000


def test_a_file_is_not_read_for_longer_than_there_is_time() -> None:
    rows = RowBudget(is_late=lambda: rows.spent > 1000)
    with pytest.raises(GameError, match="line [0-9]+, column [0-9]+: .* in the time there is"):
        FileGame(GOOD, rows=rows)
    assert not rows.exceeded


def test_labels_are_compared_once() -> None:
    """However many actions are called nearly as what another one chooses."""
    plain = "".join(f'[[action]]\nname = "a b{number}"\n' for number in range(60))
    game = file_of(large_file(choose='"0..99"', when="n > x", more=plain))
    table = game.choice_rules()[0].table
    assert table is not None
    asked = Mock(return_value="")
    table.labels = asked
    game._written._check_names()
    assert asked.call_count == table.rows


def test_columns_are_counted_in_letters() -> None:
    """Python counts bytes; a letter beyond ASCII, which may stand in quotes only, has two."""
    text = large_file(choose='"0..1"', when="'éé' if turm > 0 else x > 1")
    with pytest.raises(GameError, match="'turm'") as error:
        file_of(text)
    line = text.splitlines()[(error.value.line or 0) - 1]
    assert line[(error.value.column or 0) - 1 :].startswith("turm")
