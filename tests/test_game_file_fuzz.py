"""Game files at random: expressions against Python itself, texts against the parser, games against their definition."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rollwise import GameError, RollwiseError, solve
from rollwise.games.files import FileGame
from rollwise.games.files.expressions import Scope
from rollwise.games.files.grammar import parse
from rollwise.games.files.nodes import Array, Hands, Node, TableColumns, constant
from rollwise.games.files.source import Item, Source, find_places, read_source
from tests.examples import examples
from tests.reference import recursion
from tests.wrong_game_files import GOOD, MORE

EXAMPLES = [file.read_text() for file in sorted((Path(__file__).parent.parent / "examples").glob("*.toml"))]
SEEDS = [GOOD, MORE, *EXAMPLES]

# Expressions: a whole array at once is each of its entries alone, by Python's own rules

MEMBERS = (1, 2, 3, 4, 5)
FACES = 4
HANDS = Hands.of(range(1, FACES + 1))
ENTRIES = [4, 0, 7, 2]

leaves = st.one_of(st.integers(0, 9).map(str), st.sampled_from(["a", "b", "k", "r", "d"]))


class Hand(tuple[int, ...]):
    """A hand as Python would have it."""

    __slots__ = ()

    def __add__(self, other: Any) -> "Hand":
        return Hand(sorted([*self, *other]))

    def __sub__(self, other: Any) -> "Hand":
        return Hand(sorted((Counter(self) - Counter(other)).elements()))

    def __eq__(self, other: object) -> bool:
        return sorted(self) == sorted(other)  # type: ignore[call-overload,no-any-return]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(self))


def highest(hand: Hand, number: int) -> Hand:
    return Hand(sorted(hand, reverse=True)[: max(0, number)])


def lowest(hand: Hand, number: int) -> Hand:
    return Hand(sorted(hand)[: max(0, number)])


def count(some: Any, *wanted: int) -> int:
    return list(some).count(wanted[0]) if wanted else sum(map(bool, some))


def grown(inner: st.SearchStrategy[dict[str, str]]) -> st.SearchStrategy[dict[str, str]]:
    """Expressions of each kind, of smaller ones."""

    def made(parts: tuple[dict[str, str], dict[str, str], dict[str, str], int, int]) -> dict[str, str]:
        x, y, z, one, two = parts
        numbers = [
            f"{x['n']} + {y['n']}", f"{x['n']} - ({y['n']})", f"({x['n']}) * ({y['n']})", f"({x['n']}) // max(1, {y['n']})",
            f"({x['n']}) % ({y['n']})", f"({x['n']}) // ({y['n']})", f"-({x['n']})", f"abs({x['n']})", f"min({x['n']}, {y['n']})",
            f"max({x['n']}, {y['n']}, {z['n']})", f"sum([{x['n']}, {y['n']}])", f"({x['n']} if {x['c']} else {y['n']})",
            f"t[({x['n']}) % 4]", f"[1, 5, 2][abs({x['n']}) % 3]", f"({x['c']}) + ({y['n']})", f"count([{x['c']}, {y['c']}])",
            f"len({x['s']})", f"sum({x['s']})", f"max({x['s']})", f"min({x['s']})", f"len({x['h']})", f"sum({x['h']})",
            f"max({x['h']})", f"min({x['h']})", f"count({x['h']}, {y['n']})", f"count([{x['n']}, {y['n']}], {z['n']})", x["n"],
            f"{x['h']}[{one % 3}]", f"{x['h']}[-1]", f"{x['h']}[abs({x['n']}) % 3]",
            f"[{x['n']}, {y['n']}, k][abs({z['n']}) % 3]",
            f"sum(({x['n']}) * e for e in [1, {y['n']}, a])", f"max([e - ({x['n']}) for e in range(3)])",
            f"count(e > ({x['n']}) for e in t)",
        ]  # fmt: skip
        conditions = [
            f"{x['n']} < {y['n']}", f"{x['n']} <= {y['n']} != {z['n']}", f"({x['n']}) == ({y['n']})", f"{x['c']} and ({y['c']})",
            f"({x['c']}) or ({y['c']})", f"not ({x['c']})", f"({x['n']}) in {x['s']}", f"({x['n']}) not in [{y['n']}, {z['n']}]",
            f"({x['n']}) in {{{y['n']}, {z['n']}}}", f"{x['s']} == {y['s']}", f"{x['s']} <= {y['s']}", f"{x['s']} > {y['s']}",
            f"any([{x['c']}, {y['c']}])", f"all([{x['c']}, {y['c']}])", f"{x['h']} == {y['h']}", f"({x['n']}) in {x['h']}",
            f"({x['c']} if {y['c']} else {z['c']})", f"not {x['s']}", f"not {x['h']}", x["c"],
        ]  # fmt: skip
        sets = [
            f"({x['s']} - {y['s']})", f"({x['s']} | {y['s']})", f"({x['s']} & {y['s']})", f"({x['s']} - {{{x['n']}}})",
            f"({x['s']} & {{{x['n']}, 3}})", f"({x['s']} | {{2, 5}})", f"({x['s']} if {x['c']} else {y['s']})", x["s"],
        ]  # fmt: skip
        hands = [
            f"highest({x['h']}, {x['n']})", f"lowest({x['h']}, {y['n']})", f"highest({x['h']} + [2], 2)",
            f"({x['h']} + [1, 4])", f"({x['h']} - [2])", f"({x['h']} - {y['h']})", f"({x['h']} + {y['h']})", x["h"],
        ]  # fmt: skip
        return {
            "n": numbers[one % len(numbers)], "c": conditions[two % len(conditions)],
            "s": sets[(one + two) % len(sets)], "h": hands[(one * 3 + two) % len(hands)],
        }  # fmt: skip

    big = st.integers(0, 5 * 7 * 9 * 11 - 1)
    return st.tuples(inner, inner, inner, big, big).map(made)


base = st.builds(
    lambda n, c, s, h: {"n": n, "c": c, "s": s, "h": h},
    leaves, st.sampled_from(["a < b", "r == 2", "k > 1", "3 in open"]), st.sampled_from(["open", "some"]),
    st.sampled_from(["hand", "dice"]),
)  # fmt: skip
expressions = st.one_of(grown(base), grown(grown(base)), grown(grown(grown(base))))


def rows(draw: Any, number: int = 5) -> dict[str, list[Any]]:
    """Values for every name."""
    hand = st.lists(st.integers(1, FACES), max_size=3).map(lambda dice: Hand(sorted(dice)))
    a_set = st.frozensets(st.sampled_from(MEMBERS))
    kinds = {
        "a": st.integers(0, 9),
        "b": st.integers(-5, 5),
        "r": st.integers(-2, 4),
        "open": a_set,
        "some": a_set,
        "hand": hand,
        "dice": hand,
    }
    return {name: draw(st.lists(kind, min_size=number, max_size=number)) for name, kind in kinds.items()}


def packed(name: str, values: list[Any]) -> Array:
    if name in ("open", "some"):
        return np.array([sum(1 << MEMBERS.index(member) for member in one) for one in values])
    return np.array([HANDS.pack(one) for one in values] if name in ("hand", "dice") else values)


class Reads:
    """Positions joined with rows, one to one."""

    def __init__(self, columns: dict[str, Array], table: TableColumns) -> None:
        self.columns, self.table = columns, table
        self.worked: dict[int, Array] = {}

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def cell(self, name: str) -> Array:
        return self.table.needed[name]


def written(text: str) -> Item:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return read_source("f", f'x = "{quoted}"'.encode())["x"]


def scope_of(values: dict[str, list[Any]]) -> tuple[Scope, Reads]:
    table = TableColumns()
    arrays = {name: packed(name, found) for name, found in values.items()}

    def column(name: str, kind: Any, low: int, high: int, **more: Any) -> Node:
        return Node(kind, low, high, lambda env: env[name], **more)

    def row(name: str, kind: Any, low: int, high: int, **more: Any) -> Node:
        return Node(kind, low, high, lambda env: env[name], known=arrays[name], **more)

    names = {
        "a": column("a", "number", 0, 9), "b": column("b", "number", -5, 5), "k": constant("number", 3),
        "r": row("r", "number", -2, 4), "open": column("open", "set", 0, 0, members=MEMBERS),
        "some": row("some", "set", 0, 0, members=MEMBERS), "hand": column("hand", "hand", 0, 3, members=HANDS.numbers),
        "dice": row("dice", "hand", 0, 3, members=HANDS.numbers),
    }  # fmt: skip
    definitions = {"d": parse(written("a * 2 - r"))}
    return Scope(names, definitions, {"t": np.array(ENTRIES)}, hands=HANDS, table=table), Reads(arrays, table)


def alone(text: str, values: dict[str, list[Any]], place: int) -> Any:
    """What Python makes of it, for one position."""
    names = {name: found[place] for name, found in values.items()}
    names |= {"k": 3, "t": ENTRIES, "d": names["a"] * 2 - names["r"]}
    calls: dict[str, Any] = {"abs": abs, "all": all, "any": any, "count": count, "len": len, "max": max, "min": min, "sum": sum}
    calls |= {"highest": highest, "lowest": lowest, "range": range}
    return eval(text, {"__builtins__": calls, **names})


def as_kept(kind: str, found: Any) -> int:
    if kind == "set":
        return sum(1 << MEMBERS.index(member) for member in found)
    return HANDS.pack(found) if kind == "hand" else int(found)


@examples(60, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_an_expression_is_what_python_makes_of_it(data: st.DataObject) -> None:
    _expression_as_python(data)


def _expression_as_python(data: st.DataObject) -> None:
    values = rows(data.draw)
    parts = data.draw(expressions)
    for text in parts.values():
        scope, env = scope_of(values)
        try:
            node = scope.read(parse(written(text)))
        except GameError:
            continue
        found = np.broadcast_to(node.reader(scope.table)(env), (5,))
        for place in range(5):
            try:
                wanted = alone(text, values, place)
            except (IndexError, ValueError, ZeroDivisionError):
                continue
            assert int(found[place]) == as_kept(node.kind, wanted), text
            if node.kind == "number":
                assert node.low <= int(found[place]) <= node.high


# Texts: a game or a GameError, whatever they are

FRAGMENTS = [
    "[", "]", "{", "}", '"', "'", '"""', "'''", "=", ",", ".", "..", "#", "\n", "\\", "\\u0041", "\0", "é", "[[action]]\n",
    "[roll]\n",
    "[define]\n", "[columns]\n", 'x = "', "choose = { x = ", "to = { ", "when = ",
    "start = ", " = 1", "1..", "..9", "all", "none", "-1", "99999999999999999999",
    "1e9", "true", "inf", "nan", "1979-05-27", "subset of ", "member of ", "dice of ", "len(", "sum(", " if ", " else ",
    " in ", "not ", "dice", "die",
    "**", "lambda: ", "__class__", "//0", "% 0", "[0]", "{1, 2}", "hand", "open", "left",
    "format = 2\n", "\ufeff", "\r\n", "\t", "\x7f",
]  # fmt: skip


@st.composite
def broken(draw: Any) -> str:
    """A good file after a few accidents."""
    text: str = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(text)))
        end = draw(st.integers(begin, min(len(text), begin + draw(st.sampled_from([0, 1, 3, 30])))))
        new = draw(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3), st.just(text[begin:end] * 2)))
        text = text[:begin] + new + text[end:]
    return text


def in_one_line(error: RollwiseError) -> None:
    assert len(str(error).splitlines()) == 1, error
    assert len(str(error)) < 1000


def try_out(text: str) -> None:
    """Make the game, and ask it about its first positions."""
    try:
        game = FileGame(text)
        states = list(game.roll(game.start()))
        for state in states[:3]:
            for action in list(game.actions(state))[:3]:
                game.roll(game.play(state, action))
            game.payoff(state)
            assert game.read_state(game.show_state(state)) == state
    except RollwiseError as error:
        in_one_line(error)


@examples(80, suppress_health_check=list(HealthCheck))
@given(broken())
def test_a_broken_file_is_a_game_or_a_game_error(text: str) -> None:
    try_out(text)


# What columns become: anywhere, after a roll, and where a number, a set or dice were chosen.


@examples(80)
@given(
    st.one_of(st.text(), st.text(alphabet=st.characters(max_codepoint=127)), st.lists(st.sampled_from(FRAGMENTS)).map("".join))
)
def test_any_text_is_a_game_or_a_game_error(text: str) -> None:
    try_out(text)
    try_out("format = 1\n" + text)


@examples(100)
@given(
    st.one_of(
        st.text(alphabet="ab+-*/%<>=!()[]{},.&|'\" 019\t\n\\:#", max_size=30), st.lists(st.sampled_from(FRAGMENTS)).map("".join)
    )
)
def test_any_expression_is_one_or_a_game_error(text: str) -> None:
    scope, _ = scope_of(
        {"a": [0] * 5, "b": [0] * 5, "r": [0] * 5, "open": [()] * 5, "some": [()] * 5, "hand": [()] * 5, "dice": [()] * 5}
    )
    item = Item(Source("f", ""), ("x",), text)
    try:
        scope.read(parse(item))
    except GameError as error:
        in_one_line(error)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from paths(entry, (*path, key))


def agree(text: str) -> None:
    """The places are those of the values that the standard library reads, letter by letter."""
    spots = find_places(Source("f", text))
    values = dict(paths(tomllib.loads(text)))
    assert {*spots} == {*values} - {()}
    for path, value in values.items():
        if isinstance(value, str):
            letters = spots[path].letters
            assert len(letters) == len(value) + 1
            assert all(text[at] in (letter, "\\") for at, letter in zip(letters, value, strict=False))


@examples(60, suppress_health_check=list(HealthCheck))
@given(broken())
def test_places_are_found_in_whatever_the_standard_library_reads(text: str) -> None:
    text = text.replace("\r\n", "\n")
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    agree(text)


@pytest.mark.parametrize(
    "text",
    [
        'a = """\n\\\n   x\\\n\n  y"""', 'a = """x"""""', "a = '''\n'x'''''", 'a."b c".d = 1\na.e = [1, [2, {f = "g"}]]',
        "[[a]]\n[a.b]\nc = 1\n[[a]]\n[[a.d]]\n[[a.d]]\ne.f = {g.h = 1, i = []}", 'a = "\\u00e9\\U0001F3B2\\t\\"" # "',
        "a = [ # x\n 1, # ]\n 2 ]\n'b' = ''", '"" = 1\n"a.b" = 2', "a = 1979-05-27 07:32:00 # x\nb = -inf\nc = 0x1f",
        "[ a . 'b' ]\nc=1",
        "a = '''\\'''\nb = '\\'", "x={}\n[y]\n[y.z]\n[[w]]",
    ],
)  # fmt: skip
def test_places_of_unusual_spellings(text: str) -> None:
    agree(text)


# Games: whole arrays, one position at a time, in fractions, and by the definition


@st.composite
def games(draw: Any) -> str:
    """A small game that surely ends: every roll takes one from `left`."""
    number = st.one_of(
        st.sampled_from(["n", "left", "len(open)", "sum(hand)", "max(open)", "2", "1", "0"]),
        st.sampled_from(["n + left", "n // 2", "3 - n", "n * left", "1 if 1 in open else n", "len(hand) + n", "count(hand, 1)"]),
    )
    condition = st.sampled_from(
        ["n > 1", "left > 1", "open", "hand", "1 in open", "n < left or not hand", "n % 2 == 0", "max(hand) < 2", "0 == 0"]
    )
    thrown = draw(st.sampled_from(["die", "sum(dice)", "max(dice)", "count(dice, 1)", "1 if 2 in dice else n"]))
    dice = 1 if thrown == "die" else draw(st.sampled_from([1, 2, '"1 + left % 2"', '"2 - len(hand)"', '"len(open)"']))

    def becomes(bound: str = "") -> str:
        extra = [f"n + {bound}", f"{bound} - n"] if bound == "x" else [f"sum({bound}) + n", f"len({bound})"] if bound else []
        found = draw(st.one_of(number, st.sampled_from(extra))) if extra else draw(number)
        return f'n = "max(0, min(5, {found}))"'

    def action(name: str, choose: str, bound: str) -> str:
        to = [becomes(bound)]
        if bound == "kept":
            to.append(draw(st.sampled_from(['hand = "kept"', 'hand = "hand - kept"', "hand = []"])))
        if bound in ("x", "part"):
            to.append(
                draw(
                    st.sampled_from(
                        ['open = "open - {1}"', f'open = "open - {"{x}" if bound == "x" else "part"}"', 'open = "all"']
                    )
                )
            )
        gain = f'gain = "{draw(number)}"' if draw(st.booleans()) else ""
        when = f'when = "left > 0 and ({draw(condition)})"'
        return f'[[action]]\nname = "{name}"\n{choose}\n{when}\n{gain}\nto = {{ {", ".join(to)} }}\n'

    kinds = {
        "go": ("", ""), "pick": ('choose = { x = "member of open" }', "x"), "say": ('choose = { x = "0..2" }', "x"),
        "part": ('choose = { part = "subset of open", sum = "n" }', "part"),
        "keep": ('choose = { kept = "dice of hand", size = "0..1" }', "kept"),
    }  # fmt: skip
    chosen = draw(st.lists(st.sampled_from(sorted(kinds)), min_size=1, max_size=3, unique=True))
    hand = draw(st.sampled_from(['hand = "dice"', "hand = []", ""])) if thrown != "die" else ""
    case = f'{{ when = "{draw(condition)}", left = 0 }}, ' if draw(st.booleans()) else ""
    aim = draw(st.sampled_from(['"expected"', '"at least 3"', '"fewest"']))
    roll = f'n = "max(0, min(5, {thrown}))", left = "left - 1"{", " + hand if hand else ""}'
    mover = 'mover = "player"\n' if aim != '"fewest"' and draw(st.booleans()) else ""
    actions = "".join(action(name, *kinds[name]) for name in chosen)
    if mover:
        actions = actions.replace("to = {", 'to = { mover = "1 - mover",')
    return (
        f'format = 1\nobjective = {aim}\n[columns]\nn = "0..5"\n'
        f'left = {{ range = "0..2", start = 2 }}\nopen = {{ set = "1..2", start = "all" }}\n'
        f"hand = {{ dice = 2, faces = 3 }}\n{mover}[roll]\ndice = {dice}\n"
        f'faces = {3 if hand else draw(st.integers(1, 3))}\nunless = "left == 0"\nto = [{case}{{ {roll} }}]\n'
        f'{actions}[end]\npays = "{draw(number)}"\n'
    )


class OneAtATime(FileGame):
    """A game that forgets its columns: it is walked position by position."""

    def in_columns(self) -> None:
        return None


@examples(20, suppress_health_check=list(HealthCheck))
@given(games())
def test_a_random_game_is_worth_the_same_in_every_way(text: str) -> None:
    _same_in_every_way(text)


def _same_in_every_way(text: str) -> None:
    game = FileGame(text)
    exact = solve(game, exact=True).value()
    assert isinstance(exact, Fraction)
    assert recursion(game, game.objective) == exact
    many, one = solve(game), solve(OneAtATime(text))
    assert many.value() == pytest.approx(float(exact), abs=1e-9)
    assert one.value() == pytest.approx(float(exact), abs=1e-9)
    assert (many.states, many.pendings) == (one.states, one.pendings)
