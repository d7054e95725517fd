"""Hostile game files, each with a part of the one line that is said about it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["GOOD", "KINDS", "MORE", "WRONG", "WrongFile"]


class WrongFile(NamedTuple):
    """A file, a part of what is said about it, and the place that is named."""

    name: str
    content: bytes
    part: str
    place: str = ""


GOOD = """\
format = 1
name = "good"
about = "Everything that a file may hold."
source = "nowhere"
objective = "at least goal"
[parameters]
goal = 3
tiles = { default = 4, from = 1, to = 9, help = "tiles" }
[define]
points = [0, 1, 2, 3, 4, 5, 6]
grid = [[1, 2], [3, 4]]
both = "len(open) + len(hand)"
[columns]
left = { range = "0..3", start = 3 }
open = { set = "1..tiles", start = "all" }
kind = { set = ["low", "high"], start = ["low"] }
hand = { dice = 2, faces = 6, start = [] }
mover = "player"
[roll]
dice = "1 if left > 1 else 2"
faces = 6
unless = "left == 0"
cost = 1
to = [
  { when = "sum(dice) == 2", left = 0, hand = [] },
  { left = "left - 1", hand = "dice" },
]
[[action]]
name = "stop"
when = "left > 0"
gain = "points[max(hand)]"
to = { left = 0 }
[[action]]
name = "shut"
choose = { tile = "member of open" }
when = "left > 0 and tile in hand"
gain = "grid[0][tile % 2] + both"
to = { open = "open - {tile}" }
[[action]]
name = "some"
choose = { some = "subset of open", sum = "sum(hand)", size = "1..2" }
when = "left > 0"
to = { open = "open - some" }
[[action]]
name = "keep"
choose = { kept = "dice of hand", size = "1..2" }
when = "left > 1"
to = { hand = "kept", kind = "all" }
[[action]]
name = "say"
choose = { number = "1..3" }
when = "left == number"
to = { mover = "1 - mover", hand = [] }
[end]
pays = "len(open)"
"""


MORE = """\
format = 1
name = "more"
objective = "at most limit"
[parameters]
limit = 25
heavy = 2
[dice]
bone = ["skull", "meat", "meat", 7]
coin = { 0 = 1, 1 = "heavy" }
other = "coin"
[define]
best = "max(x * x for x in cells)"
[columns]
cells = { count = 3, range = "0..3", start = [0, 1, 2] }
bag = { count = 2, range = "0..4", start = 2 }
sets = { count = 2, set = ["a", "b"], start = "all" }
bones = { dice = 2, faces = "bone", start = ["skull", 7] }
left = { range = "0..3", start = 3 }
[[roll]]
draw = "min(left, 2)"
from = { red = "bag[0]", blue = "bag[1]" }
unless = "left == 0"
cost = 2
to = { bag = "[bag[0] - red, bag[1] - blue]" }
[[roll]]
dice = { bone = 1, coin = "left", other = 1 }
unless = "left == 0"
to = [
  { when = "bone == 'skull'", left = "left - 1", "cells[max(0, left - 1)]" = "min(3, count(coin, 1) + other)" },
  { left = "left - 1", cells = 0, bones = "highest(bones + [bone], 2)", bag = 1 },
]
[[action]]
name = "go"
choose = { place = "0..2" }
when = "left > 0 and cells[place] < 3"
gain = "best + bones[0] + bones[-1]"
to = { "cells[place]" = "cells[place] + 1", "sets[left % 2]" = [] }
"""
"""Dice of all kinds, rolls in turn, draws, rows."""


def but(name: str, old: str, new: str, part: str, letter: int | None = None, *, good: str = GOOD) -> WrongFile:
    """Break the good file in one place; with a letter, the fault is told there, counted from where the new text begins."""
    assert old in good, old
    begin = good.index(old)
    line, column = good.count("\n", 0, begin) + 1, begin - good.rfind("\n", 0, begin)
    place = "" if letter is None else f", line {line}, column {column + letter}: "
    return WrongFile(name, good.replace(old, new, 1).encode("utf-8", "surrogatepass"), part, place)


def more(*row: Any) -> WrongFile:
    return but(*row, good=MORE)


def extended() -> Iterator[WrongFile]:
    """Dice of all kinds, rolls in turn, draws, rows."""
    yield more("side that is none", '"skull", "meat"', '"sk ull", "meat"', "names of letters, digits", 0)
    yield more("side that is a fraction", '"skull", "meat"', '1.5, "meat"', "expected faces that are whole numbers", 0)
    yield more("no faces", '["skull", "meat", "meat", 7]', "[]", "expected 1 to 1000 faces, got 0", 0)
    yield more("weight below 0", "0 = 1, 1", "0 = -1, 1", "a weight from 0 to 1,000,000 for 0, got -1", 4)
    yield more("weights of 0", '{ 0 = 1, 1 = "heavy" }', "{ 0 = 0 }", "expected a face with a weight above 0", 0)
    yield more("weight of columns", '"heavy" }', '"left" }', "columns are not known here", 1)
    yield more("unknown die", 'other = "coin"', 'other = "cion"', "expected a name of this file, got 'cion'", 9)
    yield more("die described below", 'other = "coin"', 'other = "late"\nlate = 2', "a die that is described above", 9)
    yield more("die of no name here", "bone = 1, coin", "bon = 1, coin", "did you mean 'bone'?", 0)
    yield more("die like a column", "bone = 1, coin", "left = 1, coin", "expected a name that is not taken", 0)
    yield more("no dice", '{ bone = 1, coin = "left", other = 1 }', "{}", "expected 1 to 20 names", 0)
    yield more("dice below 0", 'coin = "left"', 'coin = "left - 1"', "expected 0 to 30 dice, got -1 to 2", 8)
    yield more("draw without from", 'from = { red = "bag[0]", blue = "bag[1]" }\n', "", "expected the key 'from' here, got none")
    yield more(
        "draw with faces", 'unless = "left == 0"\ncost', "faces = 3\ncost", "expected one of the keys draw, from, unless", 0
    )
    yield more("draw from a number", '{ red = "bag[0]", blue = "bag[1]" }', "3", "expected what is drawn from, such as", 0)
    yield more("cost in a later roll", "other = 1 }\n", "other = 1 }\ncost = 1\n", "expected 'cost' only in the first [[roll]]")
    yield more("row too long", "count = 3", "count = 101", "expected 1 to 100 columns in a row, got 101", 8)
    rows = "".join(f'row{n} = {{ count = 100, range = "0..0" }}\n' for n in range(9))
    yield more("many rows", "left = {", f"{rows}left = {{", "expected at most 400 columns with the places of all rows")
    yield more("row of columns", "count = 3", 'count = "left"', "columns are not known here", 9)
    yield more("starts of a row", "[0, 1, 2]", "[0, 1]", "expected 3 numbers, one for each place, got 2", 0)
    yield more("start in a row", "[0, 1, 2]", "[0, 1, 9]", "expected a start within 0..3, got 9", 7)
    yield more("column like a place", "left = {", 'cells_1 = "0..1"\nleft = {', "which is a place of 'cells'", 0)
    yield more("place beyond a row", '"cells[place]" =', '"cells[place + 1]" =', "write min(2, ...)", 7)
    yield more("place of a column", '"cells[place]" =', '"left[place]" =', "'left' is no row", 0)
    yield more("place that is read beyond", '= "cells[place] + 1"', '= "cells[place - 1] + 1"', "write max(0, ...)", 3)
    yield more("place without quotes", '"cells[place]" =', "cells[place] =", "expected quotes around cells[place]", 0)
    yield more("other row", "cells = 0,", 'cells = "bag",', "expected 3 values, one for each place, got 2", 9)
    yield more("name in a loop", "x * x for x in", "left * left for left in", "expected a new name, got 'left'", 16)
    yield more("two loops", "for x in cells)", "for x in cells for y in cells)", "expected one 'for NAME in LIST'")
    yield more("loop with a condition", "for x in cells)", "for x in cells if x > 2)", "expected one 'for NAME in LIST'")
    yield more("loop over a number", "for x in cells)", "for x in left)", "to go through, got a number")
    yield more("long range", "for x in cells)", "for x in range(99999))", "expected a number from 0 to 1000 in range()")
    yield more("highest of a number", "highest(bones + [bone], 2)", "highest(left, 2)", "expected a hand of dice, got a number")
    yield more("highest of nothing", "highest(bones + [bone], 2)", "highest(bones)", "expected highest(hand, number of dice)")
    yield more("place in a hand", "bones[-1]", "bones[left - 1]", "a place from 0 on (smallest first), or below 0")
    yield more("faces that do not fit", "bones + [bone]", "bones + [5]", "with faces 0, 1, 2, 3, 7, got others")
    yield more("start of bones", '["skull", 7]', '["skull", 1]', "expected a list of at most 2 dice such as", 0)
    yield more("objective of columns", "at most limit", "at most left", "columns are not known here", 8)
    yield more("share that is none", '"at most limit"', '"worst limit%%"', "expected ", 0)
    yield more("share too large", '"at most limit"', '"worst 100 * limit%"', "expected a share of games above 0%", 0)
    yield more("unknown objective", '"at most limit"', '"most"', 'expected one of "expected", "fewest"', 0)
    content = MORE.replace("count = 3", "count = 100").replace(", start = [0, 1, 2]", "")
    yield WrongFile("large rows", content.encode(), "expected fewer than 2**62 combinations")
    wide = "big = { 1 = 1, 2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, 7 = 1, 8 = 1 }\nother = "
    content = MORE.replace("other = ", wide, 1).replace('coin = "left", other = 1', 'coin = "left", big = 7, other = 7, bone = 7')
    yield WrongFile("several dice", content.replace("bone = 1, ", "").encode(), "rows in all, got more with")


VALUES = {
    "number": "7",
    "fraction": "1.5",
    "truth": "true",
    "date": "1979-05-27",
    "array": "[1]",
    "table": "{ a = 1 }",
    "text": '"?"',
}

TYPES = {
    "format = 1": ("truth", "text"),
    'name = "good"': ("number", "table"),
    'about = "Everything that a file may hold."': ("truth",),
    'source = "nowhere"': ("number",),
    'objective = "at least goal"': ("table", "text"),
    "goal = 3": ("truth", "date"),
    'both = "len(open) + len(hand)"': ("truth", "text"),
    'mover = "player"': ("truth", "array"),
    'dice = "1 if left > 1 else 2"': ("fraction", "truth"),
    'unless = "left == 0"': ("number", "table"),
    "cost = 1": ("fraction",),
    'name = "stop"': ("number",),
    'when = "left > 0"\ngain': ("number", "array"),
    'gain = "points[max(hand)]"': ("truth",),
    "to = { left = 0 }": ("number", "table", "text"),
    'choose = { tile = "member of open" }': ("array", "table", "text"),
    'pays = "len(open)"': ("date", "table"),
}


def types() -> Iterator[WrongFile]:
    """A value of a wrong type at every key."""
    for pair, kinds in TYPES.items():
        key = pair.partition(" = ")[0]
        rest = "\ngain" if pair.endswith("\ngain") else ""
        for kind in kinds:
            yield but(f"{key.strip()} is a {kind}: {pair[:20]}", pair, f"{key} = {VALUES[kind]}{rest}", ": expected ")


EXPRESSIONS = {
    "attribute": ("hand.size", 4, "there are no attributes"),
    "import": ("__import__('os')", 0, "expected one of the functions"),
    "power": ("9 ** 9 ** 9 ** 9", 2, "powers are not part"),
    "true division": ("left / 2", 5, "divide by //"),
    "assignment": ("left = 1", 5, "compare by =="),
    "lambda": ("(lambda: 1)()", 1, "got 'lambda'"),
    "comprehension": ("sum([x for x in hand])", 16, "a row, a list or a table of numbers to go through"),
    "f-string": ("f'{left}'", 0, "expected plain text"),
    "fraction": ("1.5", 0, "expected a whole number"),
    "beyond 2**53": ("9007199254740993", 0, "at most 2**53"),
    "product beyond 2**53": ("99999999 * 99999999 * 99999999", 0, "at most 2**53"),
    "brackets": ("(" * 41 + "1" + ")" * 41, 40, "at most 40 brackets"),
    "bracket that is not closed": ("(1", 2, "expected a bracket that closes '('"),
    "nots": ("not " * 41 + "open", 164, "at most 40 levels"),
    "too long": ("1 + " * 300 + "1", None, "at most 1,000"),
    "blanks": ("   ", None, "expected an expression, got none"),
    "statement": ("left; left", 4, "one expression only"),
    "comment": ("left # x", 5, "write comments outside"),
    "backslash": ("left \\\\ 1", 5, "write no backslashes"),
    "unknown name": ("lefft", 0, "did you mean 'left'?"),
    "function alone": ("max", 0, "expected max(...), got 'max' alone"),
    "dice elsewhere": ("sum(dice)", 4, "it is known in [roll]"),
    "choice elsewhere": ("tile", 0, "it is chosen by the action 'shut'"),
    "divisor that may be zero": ("1 // left", 0, "a divisor that is never 0, got a number from 0 to 3"),
    "place beyond the end": ("points[left + 6]", 0, "a place from 0 to 6, got a number from 6 to 9: write min(6, ...)"),
    "set as a number": ("open", 0, "expected a number, got a set"),
    "set plus number": ("open + 1", 0, "expected two numbers on both sides of +"),
    "member that cannot be": ("len(open | {17})", 4, "expected a member of the set"),
    "sets of other members": ("len(open - kind)", 4, "two sets with the same members"),
    "number as a condition": ("1 if left else 2", 5, "expected a condition, got a number from 0 to 3: compare it"),
    "number in number": ("1 in left", 5, "expected a set, a hand or a list"),
    "sum of a number": ("sum(left)", 0, "expected a set, a hand or a list in sum()"),
    "max of nothing": ("max()", 0, "in max(), got nothing"),
    "count of three": ("count(1, 2, 3)", 0, "expected count(hand, face)"),
    "hand of too many": ("len(hand + " + "[" + "1, " * 63 + "1])", 4, "expected at most 63 dice"),
    "place in a set": ("open[0]", 0, "a row of columns or a hand before ["),
    "numbers joined": ("left | 1", 0, "expected two sets on both sides of |"),
    "too few places": ("grid[0]", 0, "2 places"),
    "table alone": ("grid", 0, "got 'grid' alone"),
    "max of one number": ("max(left)", 0, "in max(), got a number"),
    "any of a set": ("1 if any(open) else 2", 5, "a list of conditions in any()"),
    "abs of two": ("abs(1, 2)", 0, "expected one thing in abs(), got 2"),
    "either number or set": ("1 if open else open", 0, "expected a set, got the number 1"),
    "list as a number": ("points", 0, "expected a number, got a list"),
    "unicode name": ("léft", 1, "got 'é'"),
    "long text": ("'" + "x" * 200 + "'", 0, "only the names of members"),
    "star": ("max(*hand)", 4, "got a star"),
    "eval": ("eval('1')", 0, "expected one of the functions"),
    "begins late": ("* left", None, "expected an expression"),
    "only brackets": ("()", None, "got a tuple"),
    "die without faces": ("len(hand + [0])", 4, "faces 1, 2, 3, 4, 5, 6"),
}  # fmt: skip


def expressions() -> Iterator[WrongFile]:
    for name, (text, letter, part) in EXPRESSIONS.items():
        new = text.replace('"', '\\"')
        place = None if letter is None else len('pays = "') + letter
        yield but(f"expression: {name}", 'pays = "len(open)"', f'pays = "{new}"', part or ": expected ", place)


def shapes() -> Iterator[WrongFile]:
    """Keys that are missing, unknown, or there twice."""
    yield but("no format", "format = 1\n", "", "line 1, column 1: expected 'format = 1' as the first line, got none: add it")
    yield but("another format", "format = 1", "format = 2", "expected format 1, got 2", 9)
    yield but("key twice", "goal = 3", "goal = 3\ngoal = 3", "expected TOML")
    yield but("unknown key", 'source = "nowhere"', 'sauce = "nowhere"', "did you mean 'source'?", 0)
    yield but("unknown table", "[define]", "[defines]", "did you mean 'define'?", 0)
    yield but("unknown key of an action", 'gain = "points[max(hand)]"', 'gains = "1"', "did you mean 'gain'?", 0)
    yield but("unknown key of a choice", 'sum = "sum(hand)"', 'total = "sum(hand)"', "expected one name for what is chosen")
    yield but("unknown column in to", "to = { left = 0 }", "to = { lift = 0 }", "did you mean 'left'?", 7)
    yield but(
        "no columns", GOOD[GOOD.index("[columns]") : GOOD.index("[roll]")], "", "expected a table [columns] up to here, got none"
    )
    yield but("empty columns", GOOD[GOOD.index("left = { range") : GOOD.index("[roll]")], "", "expected 1 to 100 columns, got 0")
    yield but("action name twice", 'name = "shut"', 'name = "stop"', "got 'stop' again", 7)
    yield but("action name too long", 'name = "stop"', f'name = "{"x" * 41}"', "at most 40 letters", 7)
    yield but("control sign in about", 'about = "E', 'about = "\\u001b[31m', "expected a line of text", 8)
    yield but("mixed column", 'range = "0..3"', 'range = "0..3", dice = 2', "expected one of range, set or dice", -2)
    yield but(
        "drawn as nothing", 'range = "0..3"', 'range = "0..3", show = "dye"', "for a range, got 'dye': did you mean 'die'?", 23
    )
    yield but("number as tiles", 'range = "0..3"', 'range = "0..3", show = "tiles"', "expected a range of 0..1 for a tile", 23)
    yield but("hand as tiles", "dice = 2, faces", 'dice = 2, show = "tiles", faces', "expected no 'show' for dice", 10)
    yield but("case without when first", '{ when = "sum(dice) == 2", left', "{ left", "'when' in every case but the last", 0)
    yield but("chosen from a number", '"member of open"', '"member of left"', "expected a set to choose from", 11)
    yield but("dice of a set", '"dice of hand"', '"dice of open"', "expected a column with dice", 9)
    ends = ' }\nwhen = "left > 0"'
    yield but("size that is none", f'size = "1..2"{ends}', f"size = 2{ends}", 'expected a range such as "0..100", got 2', 7)
    yield but("objective of nothing", '"at least goal"', '"at least goal +"', "it ends too early", 16)
    yield but("start of a number", "start = 3 }", "start = 4 }", "expected a start within 0..3, got 4", 8)
    yield but("start of a set", 'start = "all" }\nkind', "start = 3 }\nkind", "or a list of members, got 3", 8)
    yield but("start of a hand", "start = [] }", "start = [7] }", "expected a list of at most 2 dice", 8)
    yield but("column that cannot be", "to = { left = 0 }", 'to = { left = "9 + left" }', "got a number from 9 to 12", 15)
    yield but("number for a hand", 'to = { hand = "kept"', "to = { hand = 1", "expected a hand of dice, got the number 1", 14)
    yield but("member twice", '["low", "high"]', '["low", "low"]', "expected different members", 1)
    yield but("member called all", '["low", "high"]', '["low", "all"]', "none of them called all", 8)
    yield but("41 members", '["low", "high"]', str(list(range(41))), "1 to 40 of them", 0)
    yield but("ragged table", "[[1, 2], [3, 4]]", "[[1, 2], [3]]", "expected rows of 2 numbers each", 9)
    yield but("table of large numbers", "[[1, 2], [3, 4]]", f"[{10**17}]", "expected a whole number of at most 2**53", 1)
    yield but(
        "two players' columns", 'mover = "player"', 'mover = "player"\nmine = "player"', 'expected one column "player", got two'
    )
    yield but("no cases", "to = { left = 0 }", "to = []", "expected 1 to 100 cases, got 0", 5)
    yield but(
        "sum of a member", 'tile = "member of open"', 'tile = "member of open", sum = 3', "expected 'sum' only with a subset"
    )
    yield but("size beyond", f'size = "1..2"{ends}', f'size = "9..10"{ends}', "expected sizes from 0 to 4, got 9..10", 7)
    yield but("start with a stranger", 'start = ["low"]', 'start = ["middle"]', "expected members of the set, got 'middle'", 9)
    yield but("list for a number", "to = { left = 0 }", "to = { left = [0] }", "expected a number or an expression, got [0]", 14)
    yield but("empty table", "[[1, 2], [3, 4]]", "[]", "expected a table of numbers, got an empty array", 0)
    yield but("parameter out of its range", "default = 4", "default = 14", "expected a default from 1 to 9, got 14", 10)


def names() -> Iterator[WrongFile]:
    """Names that are none, or taken."""
    for name in ("when", "dice", "sum", "lambda"):
        yield but(f"column {name}", "left = {", f"{name} = 1\nleft = {{", f"got '{name}', which means something else here", 0)
    for key, name in {'"a b"': "a b", '"é"': "é", "_x": "_x", "x" * 41: "too long"}.items():
        yield but(f"column {name!r}", "left = {", f"{key} = 1\nleft = {{", "expected the name of a column, of letters", 0)
    yield but("column like a parameter", 'mover = "player"', 'goal = "player"', "got 'goal', which is a parameter already", 0)
    yield but("choice like a column", "choose = { tile =", "choose = { left =", "got 'left', which is a column already", 11)
    yield but("definition of itself", 'both = "', 'both = "both + ', "got both -> both", 0)
    yield but("definitions in a circle", "[define]", '[define]\na = "b"\nb = "c + 1"\nc = "a"', "does not come back to itself")
    content = GOOD.replace('both = "', 'both = "tile + ').replace("points[max(hand)]", "both")
    yield WrongFile(
        "definition wrong where it is read", content.encode(), "it is chosen by the action 'shut'", ", line 12, column 9: "
    )


def sizes() -> Iterator[WrongFile]:
    """What would take too much time or memory."""
    yield but("huge range", '"0..3"', '"0..99999999999999999"', "at most 16 digits", 4)
    yield but("empty range", '"0..3"', '"3..0"', "expected a range that is not empty, got 3..0", 0)
    yield but("range of a column", '"0..3"', '"0..tile"', "it is chosen by the action 'shut'", 4)
    large = "\n".join(f'wide{n} = "0..9000000000000000"' for n in range(2))
    yield but("too many combinations", 'mover = "player"', large, "expected fewer than 2**62 combinations")
    yield but("set of 41", 'set = "1..tiles"', 'set = "0..40"', "expected a set of at most 40 members", 6)
    for number, rest in ((40, ""), (30, ', sum = "-99 * left"')):
        content = GOOD.replace('set = "1..tiles"', f'set = "{1 - 2 * ("-" in rest)}..{number}"')
        content = content.replace(', sum = "sum(hand)", size = "1..2"', rest)
        yield WrongFile(f"subsets of {number}{rest}", content.encode(), "at most 1,000,000 rows in all")
    yield but("hand of 31 dice", "dice = 2, faces = 6", "dice = 31, faces = 6", "expected a hand of 1 to 30 dice", 7)
    yield but("hand of many faces", "dice = 2, faces = 6", "dice = 2, faces = 32", "at most 31 faces where hands are looked at")
    yield but("too many hands", "dice = 2, faces = 6", "dice = 16, faces = 12", "at most 100,000 hands")
    yield but("too many ways to keep", "dice = 2, faces = 6", "dice = 12, faces = 6", "at most 1,000,000 rows in all")
    yield but("roll of a thousand dice", 'dice = "1 if left > 1 else 2"', "dice = 1000", "expected 0 to 30 dice, got 1000", 7)
    yield but("roll of too many throws", 'dice = "1 if left > 1 else 2"', "dice = 24", "expected fewer than 2**62 throws", 7)
    yield but("roll of no faces", "faces = 6\nunless", "faces = 0\nunless", "expected dice of 1 to 1,000 faces", 8)
    keeps = "".join(
        f'[[action]]\nname = "k{n}"\nchoose = {{ kept = "dice of hand" }}\nto = {{ hand = "kept" }}\n' for n in range(90)
    )
    content = GOOD.replace("dice = 2, faces = 6", "dice = 7, faces = 6").replace("[end]", keeps + "[end]")
    yield WrongFile("the same large table again and again", content.encode(), "got more with the ways to keep")
    laughs = "\n".join(f'l{n + 1} = "l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n}"' for n in range(60))
    content = GOOD.replace("[define]\n", f'[define]\nl0 = "len(open)"\n{laughs}\n').replace('pays = "len(open)"', 'pays = "l60"')
    yield WrongFile("a billion laughs", content.encode(), "expected at most")
    chain = "\n".join(f'c{n + 1} = "c{n} + 1"' for n in range(90))
    content = GOOD.replace("[define]\n", f'[define]\nc0 = "len(open)"\n{chain}\n').replace('pays = "len(open)"', 'pays = "c90"')
    yield WrongFile("a chain of definitions", content.encode(), "levels")


def texts() -> Iterator[WrongFile]:
    """What is no TOML, or no text."""
    good = GOOD.encode()
    for name, content, part in (
        ("empty file", b"", "line 1, column 1: expected 'format = 1' as the first line, got none: add it"),
        ("blanks", b" \n\n", "expected 'format = 1'"),
        ("invalid UTF-8", b"format = 1\n\xff\xfe", "line 2, column 1: expected text in UTF-8, got the byte 0xff"),
        ("surrogate", b"format = 1\nname = \"\xed\xa0\x80\"", "line 2, column 9: expected text in UTF-8, got the byte 0xed"),
        ("NUL", b"format = 1\nname = \"a\0b\"", "line 2, column 10: expected TOML"),
        ("table that is not closed", b"format = 1\n[roll", "expected TOML"),
        ("no value", b"format =\n", "line 1, column 9: expected TOML"),
        ("deep arrays", b"format = 1\na = " + b"[\n" * 30_000, "expected at most 20 brackets"),
        ("deep arrays that close", b"format = 1\na = " + b"[" * 300 + b"]" * 300, "expected "),
        ("arrays a little too deep", b"format = 1\na = " + b"[" * 22 + b"]" * 22,
         "line 2, column 26: expected at most 20 brackets"),
        ("deep dotted key", b"format = 1\n" + b".".join([b"a"] * 480) + b" = 1", "line 2, column 1: expected one of the keys"),
        ("many actions", good + b'[[action]]\nname = "x"\n' * 200, "expected "),
        ("long line", b"format = 1 #" + b"x" * 2_000, "line 1, column 1001: expected a line of at most 1,000 characters"),
        ("many lines", b"format = 1\n" * 7_000, "expected a game file of at most 65,536 bytes"),
        ("long number", b"format = " + b"1" * 900, "expected format 1"),
    ):  # fmt: skip
        yield WrongFile(f"text: {name}", content, part)


KINDS = {kind.__name__: list(kind()) for kind in (types, expressions, shapes, extended, names, sizes, texts)}
WRONG = [row for rows in KINDS.values() for row in rows]
