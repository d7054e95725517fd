"""A kept solution is found for the rules that it was solved for, and for no others, whatever these depend on."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import Expected, Game
from rollwise.forms.graph.identity import identity
from rollwise.games.users import find_game

RULES = """
import json, os
from collections import Counter, defaultdict
from functools import lru_cache, partial
from pathlib import Path
import numpy as np
from rollwise import Game, die

BONUS = json.loads((Path(__file__).parent / "bonus.json").read_text())

{above}

class Bank(Game):
    def start(self): return (0, 3)
    def roll(self, pending): return die(3).map(lambda face: (face, pending[1])) if pending[1] else {{(0, 0): 1}}
    def actions(self, state): return ("take", "stop") if state[1] else ()
    def play(self, state, action): return (0, state[1] - 1 if action == "take" else 0)
    def payoff(self, state):
        {rule}

def main():
    "Part of the file, but of no rule."
    return open(os.environ["HOME"]), Path("notes").read_text()
"""

READ: dict[str, tuple[str, str]] = {
    "a number": ("", "return BONUS"),
    "an array": ("TABLE = np.array([BONUS, 2]); del BONUS", "return int(TABLE[0])"),
    "a table with a function in it": ("TABLE = {'b': BONUS, 'f': len}; del BONUS", "return TABLE['b']"),
    "a closure": ("def make(b): return lambda: b\nends = make(BONUS); del BONUS", "return ends()"),
    "a default": ("def ends(b=BONUS): return b\ndel BONUS", "return ends()"),
    "a part of a function": ("ends = partial(int, BONUS); del BONUS", "return ends()"),
    "a remembering function": ("@lru_cache\ndef ends(b=BONUS): return b\ndel BONUS", "return ends()"),
    "an object": ("class Settings: pass\nones = Settings(); ones.bonus = BONUS; del BONUS", "return ones.bonus"),
    "a class": ("class Settings: table = np.array([BONUS])\ndel BONUS", "return int(Settings.table[0])"),
    "a counter": ("TABLE = Counter(b=BONUS); del BONUS", "return TABLE['b']"),
    "a table that fills itself": ("TABLE = defaultdict(int, b=BONUS); del BONUS", "return TABLE['b']"),
    "a list of arrays": ("TABLE = [np.array([BONUS])]; del BONUS", "return int(TABLE[0][0])"),
}  # fmt: skip

LOOKED: dict[str, tuple[str, str]] = {
    "a file": ("", "return json.loads(open(Path(__file__).parent / 'bonus.json').read())"),
    "a file by its path": ("", "return json.loads((Path(__file__).parent / 'bonus.json').read_text())"),
    "an open path": ("", "return json.load(Path('bonus.json').open())"),
    "a helper that reads": ("def ends(): return int(open('bonus.json').read())", "return ends()"),
    "a helper's helper": ("def deep(): return int(os.environ['BONUS'])\ndef ends(): return deep()", "return ends()"),
    "the environment": ("", "return int(os.environ.get('BONUS', 1))"),
    "a function in the rule": ("", "return (lambda: int(os.getenv('BONUS')))()"),
    "a late import": ("", "import bonus_late; return bonus_late.BONUS"),
}


Write = Callable[[tuple[str, str], int], str | None]


@pytest.fixture
def known(tmp_path: Path) -> Write:
    """Write a game and its data, and give its identity as a fresh process does."""

    def write(rules: tuple[str, str], bonus: int) -> str | None:
        (tmp_path / "bonus.json").write_text(str(bonus))
        (tmp_path / "bank.py").write_text(RULES.format(above=rules[0], rule=rules[1]))
        return identity(find_game(str(tmp_path / "bank.py"), {}), Expected())

    return write


@pytest.mark.parametrize("name", READ)
def test_what_was_read_from_a_data_file_is_part_of_the_rules(name: str, known: Write) -> None:
    one, same, other = (known(READ[name], bonus) for bonus in (1, 1, 2))
    assert one is not None
    assert one == same
    assert one != other


@pytest.mark.parametrize("name", LOOKED)
def test_rules_that_look_elsewhere_have_no_identity(name: str, known: Write) -> None:
    assert known(LOOKED[name], 1) is None


def test_late_imports_of_libraries_are_known(known: Write) -> None:
    assert known(("", "import math; from rollwise import die as d; return math.gcd(4, 6)"), 1) is not None


def test_open_boxes_are_no_file(known: Write) -> None:
    assert known(("class Box:\n    open = 1\nbox = Box()", "return box.open"), 1) is not None


class Sided(Game[int, int, str]):
    """A coin whose sides are worth what is said."""

    def __init__(self, sides: Any) -> None:
        self.sides = sides

    def start(self) -> int:
        return 0

    def roll(self, pending: int) -> dict[int, int]:
        return {1: 1, 2: 1}

    def actions(self, state: int) -> tuple[str, ...]:
        return ()

    def play(self, state: int, action: str) -> int:
        return 0


class Hidden:
    """An object with a private place."""

    __slots__ = ("__bonus",)

    def __init__(self, bonus: int) -> None:
        self.__bonus = bonus


def test_attributes_that_are_equal_but_not_the_same() -> None:
    sides = [1, True, 1.0, (1,), [1], {1}, {True}, {1.0}, frozenset({1}), 0.0, -0.0, "1", b"1", np.int8(1), np.array([1]),
             np.array([1.0]), {1: 2}, {True: 2}, {1: 2.0}, Hidden(1), Hidden(2)]  # fmt: skip
    found = [identity(Sided(side), Expected()) for side in sides]
    assert None not in found
    assert len({*found}) >= len(found) - 1, "a set and a frozenset may be one"
    assert found == [identity(Sided(side), Expected()) for side in sides]


class Backed(Sided):
    """A coin whose edge is as it is, or as it is said."""

    def __init__(self, sides: int, edge: int | None = None) -> None:
        super().__init__(sides)
        if edge is not None:
            self.edge = edge

    @cached_property
    def edge(self) -> int:
        return int(self.sides) + 1

    @cached_property
    def rim(self) -> int:
        return self.edge + 1


def test_what_is_worked_out_is_no_part_of_a_game_but_what_is_set_is() -> None:
    assert len({identity(Backed(1, edge), Expected()) for edge in (None, 2, 3)}) == 3
    game = Backed(1, 3)
    before = identity(game, Expected())
    assert game.rim == 4
    assert identity(game, Expected()) == before


def test_files_of_the_same_name_are_not_mixed_up(tmp_path: Path) -> None:
    """A second file takes the name of the first one among the modules: what the first one's names stand for is out of reach."""
    games = []
    for folder, bonus in (("a", 1), ("b", 2), ("c", 3)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bonus.json").write_text(str(bonus))
        (tmp_path / folder / "bank.py").write_text(RULES.format(above="", rule="return BONUS"))
        games.append(find_game(str(tmp_path / folder / "bank.py"), {}))
    first, second, last = (identity(game, Expected()) for game in games)
    assert first is None or first != second
    assert last is not None
    assert last not in (first, second)


def test_solutions_beside_the_rules_are_no_part_of_them(known: Write) -> None:
    """They are large, and differ from run to run: by the time that they took."""
    above = "import rollwise\nfrom rollwise.games import load\nfound = rollwise.solve(load('slots'))\nDIE = die(BONUS); del BONUS"
    one, same, other = (known((above, "return len(DIE)"), bonus) for bonus in (3, 3, 4))
    assert one is not None
    assert one == same != other
