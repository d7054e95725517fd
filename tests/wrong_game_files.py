"""Hostile game files, each with a part of the one line that is said about it."""

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["GOOD", "WRONG", "WrongFile"]


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


def but(name: str, old: str, new: str, part: str, letter: int | None = None) -> WrongFile:
    """Break the good file in one place; with a letter, the fault is told there, counted from where the new text begins."""
    assert old in GOOD, old
    begin = GOOD.index(old)
    line, column = GOOD.count("\n", 0, begin) + 1, begin - GOOD.rfind("\n", 0, begin)
    place = "" if letter is None else f", line {line}, column {column + letter}: "
    return WrongFile(name, GOOD.replace(old, new, 1).encode("utf-8", "surrogatepass"), part, place)


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
    "format = 1": ("number", "fraction", "truth", "date", "array", "table", "text"),
    'name = "good"': ("number", "fraction", "truth", "date", "array", "table"),
    'about = "Everything that a file may hold."': ("number", "truth", "array"),
    'source = "nowhere"': ("number", "table"),
    'objective = "at least goal"': ("number", "fraction", "truth", "array", "table", "text"),
    "goal = 3": ("fraction", "truth", "date", "array", "table", "text"),
    'both = "len(open) + len(hand)"': ("fraction", "truth", "date", "table", "text"),
    'mover = "player"': ("number", "fraction", "truth", "date", "array", "table", "text"),
    'dice = "1 if left > 1 else 2"': ("fraction", "truth", "date", "array", "table", "text"),
    'unless = "left == 0"': ("number", "fraction", "truth", "date", "array", "table", "text"),
    "cost = 1": ("fraction", "truth", "array", "table", "text"),
    'name = "stop"': ("number", "fraction", "truth", "array", "table"),
    'when = "left > 0"\ngain': ("number", "fraction", "truth", "date", "array", "table", "text"),
    'gain = "points[max(hand)]"': ("fraction", "truth", "date", "array", "table", "text"),
    "to = { left = 0 }": ("number", "fraction", "truth", "date", "array", "table", "text"),
    'choose = { tile = "member of open" }': ("number", "fraction", "truth", "date", "array", "table", "text"),
    'pays = "len(open)"': ("fraction", "truth", "date", "array", "table", "text"),
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
    "class of a number": ("(1).__class__", 3, "there are no attributes"),
    "builtins": ("__builtins__", 0, "expected a name of this file, got '__builtins__'"),
    "import": ("__import__('os')", 0, "expected one of the functions"),
    "import statement": ("import os", 0, "got 'import'"),
    "eval": ("eval('1')", 0, "expected one of the functions"),
    "open a file": ("open('x')", 0, "expected one of the functions"),
    "getattr": ("getattr(hand, 'x')", 0, "expected one of the functions"),
    "print": ("print(left)", 0, "got 'print'"),
    "range": ("sum(range(10))", 4, "got 'range'"),
    "call of a call": ("max(1, 2)(3)", 0, "expected one of the functions"),
    "call of text": ("'abs'(1)", 0, "expected one of the functions"),
    "method": ("max.real(1)", 3, "got '.'"),
    "power": ("9 ** 9 ** 9 ** 9", 2, "powers are not part"),
    "power by parts": ("9 * * 9", None, "expected an expression"),
    "shift": ("1 << 60", 2, "got '<<'"),
    "shift back": ("1 >> 60", 2, "got '>>'"),
    "true division": ("left / 2", 5, "divide by //"),
    "matrix product": ("left @ left", 5, "multiply by *"),
    "inversion": ("~left", 0, "got '~'"),
    "exclusive or": ("left ^ 1", 5, "got '^'"),
    "assignment": ("left = 1", 5, "compare by =="),
    "walrus": ("(x := 1)", 3, "got ':='"),
    "lambda": ("(lambda: 1)()", 1, "got 'lambda'"),
    "comprehension": ("sum([x for x in hand])", 7, "there are no comprehensions"),
    "generator": ("sum(x for x in hand)", 6, "there are no comprehensions"),
    "dictionary": ("{1: 2}", 2, "got ':'"),
    "slice": ("points[1:2]", 8, "got ':'"),
    "f-string": ("f'{left}'", 0, "expected plain text"),
    "raw text": ("r'x'", 0, "expected plain text"),
    "bytes": ("b'x'", 0, "expected plain text"),
    "text": ("'x'", 0, "only the names of members may be text ('high', 'low')"),
    "long text": ("'" + "x" * 200 + "'", 0, "only the names of members"),
    "text that does not end": ("'x", 0, "expected a number, a name or a sign"),
    "text plus a stranger": ("'low' + 'mid'", 8, "only the names of members"),
    "fraction": ("1.5", 0, "expected a whole number"),
    "exponent": ("1e9", 0, "expected a whole number"),
    "hexadecimal": ("0x10", 0, "expected a whole number"),
    "imaginary": ("1j", 0, "expected a whole number"),
    "underscores": ("1_000", 0, "expected a whole number"),
    "leading zeros": ("007", 0, "expected an expression"),
    "too many digits": ("1" * 17, 0, "at most 16 digits"),
    "far too many digits": ("1" * 900, 0, "at most 16 digits"),
    "beyond 2**53": ("9007199254740993", 0, "at most 2**53"),
    "product beyond 2**53": ("99999999 * 99999999 * 99999999", 0, "at most 2**53"),
    "sum beyond 2**53": ("9007199254740992 + left", 0, "at most 2**53"),
    "product of columns": (" * ".join(["(left + 9999)"] * 9), 0, "at most 2**53"),
    "huge list": ("[" + "1, " * 300 + "1]", 0, "expected a number, got a list"),
    "list times number": ("[0] * 99999999", 0, "expected two numbers on both sides of *"),
    "brackets": ("(" * 41 + "1" + ")" * 41, 40, "at most 40 brackets"),
    "square brackets": ("[" * 41 + "]" * 41, 40, "at most 40 brackets"),
    "brackets that do not match": ("(1]", 2, "it closes nothing"),
    "bracket that is not closed": ("(1", 2, "expected a bracket that closes '('"),
    "bracket that is not opened": ("1) + (2", 1, "it closes nothing"),
    "only brackets": ("()", None, "got a tuple"),
    "nots": ("not " * 41 + "open", 164, "at most 40 levels"),
    "signs": ("-" * 500 + "1", 41, "at most 40 levels"),
    "plus signs": ("+" * 999 + "1", None, "expected "),
    "conditionals": ("1 if open else " * 42 + "1", None, "at most 40 levels"),
    "calls": ("abs(" * 41 + "1" + ")" * 41, None, "at most 40 brackets"),
    "too long": ("1 + " * 300 + "1", None, "at most 1,000"),
    "empty": ("", None, "expected an expression, got none"),
    "blanks": ("   ", None, "expected an expression, got none"),
    "ends early": ("left +", 6, "it ends too early"),
    "begins late": ("* left", None, "expected an expression"),
    "two expressions": ("left left", None, "expected an expression"),
    "statement": ("left; left", 4, "one expression only"),
    "comment": ("left # x", 5, "write comments outside"),
    "comma": ("left, left", 0, "got a tuple"),
    "star": ("max(*hand)", 4, "got a star"),
    "keyword": ("max(1, key=2)", 10, "compare by =="),
    "is": ("left is 1", 5, "compare by =="),
    "none": ("None", 0, "got 'None'"),
    "truth": ("True", 0, "got 'True'"),
    "await": ("await left", 0, "got 'await'"),
    "yield": ("(yield)", 1, "got 'yield'"),
    "ellipsis": ("...", 0, "got '.'"),
    "print sign": ("$left", 0, "got '$'"),
    "question": ("left?", 4, "got '?'"),
    "back quote": ("`left`", 0, "got '`'"),
    "backslash": ("left \\\\ 1", 5, "write no backslashes"),
    "unicode name": ("léft", 1, "got 'é'"),
    "unicode digit": ("\uff11", 0, "got '\uff11'"),
    "unicode letter that looks like another": ("l\u0435ft", 1, "got '\u0435'"),
    "unicode sign": ("left \u2212 1", 5, "got '\u2212'"),
    "zero-width blank": ("left\u200b", 4, "expected a number"),
    "right to left": ("\u202eleft", 0, "expected a number"),
    "no-break blank": ("left\u00a0+ 1", 4, "expected a number"),
    "emoji": ("🎲", 0, "got '🎲'"),
    "unknown name": ("lefft", 0, "did you mean 'left'?"),
    "long unknown name": ("x" * 900, 0, "expected a name of this file"),
    "dunder": ("__name__", 0, "expected a name of this file"),
    "function alone": ("max", 0, "expected max(...), got 'max' alone"),
    "dice elsewhere": ("sum(dice)", 4, "it is known in [roll]"),
    "die elsewhere": ("die", 0, "it is known in [roll]"),
    "choice elsewhere": ("tile", 0, "it is chosen by the action 'shut'"),
    "zero divisor": ("1 // 0", 0, "a divisor that is never 0"),
    "divisor that may be zero": ("1 // left", 0, "a divisor that is never 0, got a number from 0 to 3"),
    "remainder by zero": ("5 % (left - left)", 0, "a divisor that is never 0"),
    "place beyond the end": ("points[left + 6]", 0, "a place from 0 to 6 in the table, got a number from 6 to 9"),
    "place before the beginning": ("points[left - 1]", 0, "a place from 0 to 6 in the table, got a number from -1 to 2"),
    "too few places": ("grid[0]", 0, "2 places"),
    "too many places": ("points[0][0]", 0, "1 places"),
    "table alone": ("grid", 0, "got 'grid' alone"),
    "list as a number": ("points", 0, "expected a number, got a list"),
    "place in a set": ("open[0]", 0, "expected a table of numbers before ["),
    "place in a number": ("left[0]", 0, "expected a table of numbers before ["),
    "place by a set": ("points[open]", 0, "expected a number, got a set"),
    "set as a number": ("open", 0, "expected a number, got a set"),
    "hand as a number": ("hand", 0, "expected a number, got a hand of dice"),
    "set plus number": ("open + 1", 0, "expected two numbers on both sides of +"),
    "set times set": ("open * open", 0, "expected two numbers on both sides of *"),
    "hand times two": ("len(hand * 2)", 4, "expected two numbers on both sides of *"),
    "union with hand": ("len(open | hand)", 4, "expected a set, got a hand"),
    "numbers joined": ("left | 1", 0, "expected two sets on both sides of |"),
    "member that cannot be": ("len(open | {17})", 4, "expected a member of the set"),
    "member that may not be": ("len(open | {left})", 4, "expected a member of the set"),
    "sets of other members": ("len(open - kind)", 4, "two sets with the same members"),
    "number as a condition": ("1 if left else 2", 5, "expected a condition, got a number from 0 to 3: compare it"),
    "number and number": ("left and 1", 0, "expected a condition"),
    "not a number": ("not left", 0, "expected a condition"),
    "number in number": ("1 in left", 5, "expected a set, a hand or a list"),
    "set in set": ("open in open", 8, "expected a number, got a set"),
    "set less than number": ("open < 3", 7, "expected a set, got the number 3"),
    "hand less than hand": ("hand < hand", 7, "expected two numbers on both sides of <"),
    "either number or set": ("1 if open else open", 0, "expected a set, got the number 1"),
    "sum of a number": ("sum(left)", 0, "expected a set, a hand or a list in sum()"),
    "sum of nothing": ("sum()", 0, "expected one thing in sum(), got 0"),
    "sum of two": ("sum(1, 2)", 0, "expected one thing in sum(), got 2"),
    "len of a number": ("len(3)", 0, "in len()"),
    "max of one number": ("max(left)", 0, "in max(), got a number"),
    "max of nothing": ("max()", 0, "in max(), got nothing"),
    "min of an empty list": ("min([])", 0, "in min(), got a list"),
    "any of a set": ("1 if any(open) else 2", 5, "a list of conditions in any()"),
    "all of nothing": ("1 if all([]) else 2", 5, "a list of conditions in all()"),
    "all of numbers": ("1 if all([1, 2]) else 2", 5, "expected a condition"),
    "count of three": ("count(1, 2, 3)", 0, "expected count(hand, face)"),
    "count in a number": ("count(left, 1)", 0, "in count()"),
    "abs of a set": ("abs(open)", 0, "expected a number, got a set"),
    "abs of two": ("abs(1, 2)", 0, "expected one thing in abs(), got 2"),
    "minus a set": ("-open", 0, "expected a number, got a set"),
    "hand of too many": ("len(hand + " + "[" + "1, " * 63 + "1])", 4, "expected at most 63 dice"),
    "die with too many faces": ("len(hand + [7])", 4, "faces 1 to 6"),
    "die without faces": ("len(hand + [0])", 4, "faces 1 to 6"),
}  # fmt: skip


def expressions() -> Iterator[WrongFile]:
    for name, (text, letter, part) in EXPRESSIONS.items():
        new = text.replace('"', '\\"')
        place = None if letter is None else len('pays = "') + letter
        yield but(f"expression: {name}", 'pays = "len(open)"', f'pays = "{new}"', part or ": expected ", place)


def shapes() -> Iterator[WrongFile]:
    """Keys that are missing, unknown, or there twice."""
    for line in GOOD.splitlines():
        if line.startswith("[") and not line.startswith("[["):
            yield but(f"{line} twice", line, f"{line}\n{line}", "expected TOML")
    yield but("no format", "format = 1\n", "", "line 1, column 1: expected 'format = 1' as the first line, got none: add it")
    yield but("another format", "format = 1", "format = 2", "expected format 1, got 2", 9)
    yield but("a format of text", "format = 1", 'format = "1"', "expected format 1, got '1'", 9)
    yield but("key twice", "goal = 3", "goal = 3\ngoal = 3", "expected TOML")
    yield but("unknown key", 'source = "nowhere"', 'sauce = "nowhere"', "did you mean 'source'?", 0)
    yield but("unknown table", "[define]", "[defines]", "did you mean 'define'?", 0)
    yield but("unknown key of a roll", "faces = 6\nunless", "sides = 6\nunless", "got 'sides'", 0)
    yield but("unknown key of an action", 'gain = "points[max(hand)]"', 'gains = "1"', "did you mean 'gain'?", 0)
    yield but("unknown key of the end", "pays = ", "pay = ", "did you mean 'pays'?", 0)
    yield but("unknown key of a parameter", "help = ", "held = ", "did you mean 'help'?", 0)
    yield but("unknown key of a column", 'start = "all" }\nkind', 'begin = "all" }\nkind', "got 'begin'", 0)
    yield but("unknown key of a choice", 'sum = "sum(hand)"', 'total = "sum(hand)"', "expected one name for what is chosen")
    yield but("unknown column in to", "to = { left = 0 }", "to = { lift = 0 }", "did you mean 'left'?", 7)
    yield but("no columns", GOOD[GOOD.index("[columns]") : GOOD.index("[roll]")], "", "expected the key 'columns' here, got none")
    yield but("no roll", GOOD[GOOD.index("[roll]") : GOOD.index("[[action]]")], "", "expected the key 'roll' here, got none")
    yield but("no action", GOOD[GOOD.index("[[action]]") : GOOD.index("[end]")], "", "expected the key 'action' here, got none")
    yield but("empty columns", GOOD[GOOD.index("left = { range") : GOOD.index("[roll]")], "", "expected 1 to 100 columns, got 0")
    yield but("no dice", 'dice = "1 if left > 1 else 2"\n', "", "expected the key 'dice'")
    yield but("no name of an action", 'name = "stop"\n', "", "expected the key 'name'")
    yield but("no pays", 'pays = "len(open)"', "", "expected the key 'pays'")
    yield but("no default", "default = 4, ", "", "expected the key 'default'")
    yield but("action is a table", '[[action]]\nname = "stop"', '[action]\nname = "stop"', "expected TOML")
    yield but("action name twice", 'name = "shut"', 'name = "stop"', "got 'stop' again", 7)
    yield but("action name with a break", 'name = "stop"', 'name = "st\\nop"', "expected a line of text", 7)
    yield but("action name with blanks", 'name = "stop"', 'name = " stop "', "single blanks", 7)
    yield but("action name too long", 'name = "stop"', f'name = "{"x" * 41}"', "at most 40 letters", 7)
    yield but("empty name", 'name = "good"', 'name = ""', "expected a line of text", 7)
    yield but("control sign in about", 'about = "E', 'about = "\\u001b[31m', "expected a line of text", 8)
    yield but(
        "two players' columns", 'mover = "player"', 'mover = "player"\nmine = "player"', 'expected one column "player", got two'
    )
    yield but("mixed column", 'range = "0..3"', 'range = "0..3", dice = 2', "expected one of range, set or dice", -2)
    yield but("faces of a range", 'range = "0..3"', 'range = "0..3", faces = 2', "expected one of range, set or dice", -2)
    yield but(
        "case without when first", '{ when = "sum(dice) == 2", left', "{ left", "expected 'when' in every case but the last", 0
    )
    yield but("no cases", "to = { left = 0 }", "to = []", "expected 1 to 100 cases, got 0", 5)
    yield but(
        "101 cases",
        "to = { left = 0 }",
        "to = [" + '{ when = "open" },' * 50 + "\n" + '{ when = "open" },' * 51 + "]",
        "1 to 100 cases",
        5,
    )
    yield but(
        "102 definitions",
        "[define]",
        "[define]\n" + "\n".join(f"d{n} = 1" for n in range(102)),
        "expected 0 to 100 definitions",
        0,
    )
    yield but("what is chosen", '"member of open"', '"members of open"', 'expected "subset of SET"', 0)
    yield but("chosen from a number", '"member of open"', '"member of left"', "expected a set to choose from", 11)
    yield but("chosen from nothing", '"member of open"', '"member of "', 'expected "subset of SET"', 0)
    yield but("dice of a set", '"dice of hand"', '"dice of open"', "expected a column with dice", 9)
    yield but("dice of an expression", '"dice of hand"', '"dice of hand + hand"', "expected a column with dice", 9)
    yield but(
        "sum of a member", 'tile = "member of open"', 'tile = "member of open", sum = 3', "expected 'sum' only with a subset"
    )
    yield but(
        "size of a number", 'number = "1..3"', 'number = "1..3", size = "1..2"', "expected 'size' only with a subset or dice"
    )
    yield but(
        "size that is none",
        'size = "1..2" }\nwhen = "left > 0"',
        'size = 2 }\nwhen = "left > 0"',
        'expected a range such as "0..100", got 2',
        7,
    )
    yield but(
        "size beyond",
        'size = "1..2" }\nwhen = "left > 0"',
        'size = "9..10" }\nwhen = "left > 0"',
        "expected sizes from 0 to 4, got 9..10",
        7,
    )
    yield but("wrong objective", '"at least goal"', '"at most goal"', 'expected "expected", "fewest" or "at least NUMBER"', 0)
    yield but("objective of a column", '"at least goal"', '"at least left"', "columns are not known here", 10)
    yield but("objective of nothing", '"at least goal"', '"at least goal +"', "it ends too early", 16)
    yield but("start of a number", "start = 3 }", "start = 4 }", "expected a start within 0..3, got 4", 8)
    yield but("start of a column", "start = 3 }", 'start = "open" }', "columns are not known here", 9)
    yield but(
        "start of a set", 'start = "all" }\nkind', "start = 3 }\nkind", 'expected "all", "none" or a list of members, got 3', 8
    )
    yield but("start with a stranger", 'start = ["low"]', 'start = ["middle"]', "expected members of the set, got 'middle'", 9)
    yield but("start with a truth", 'start = "all" }\nkind', "start = [true] }\nkind", "expected members of the set, got True", 9)
    yield but("start of a hand", "start = [] }", "start = [7] }", "expected a list of at most 2 dice", 8)
    yield but("start with too many dice", "start = [] }", "start = [1, 1, 1] }", "expected a list of at most 2 dice", 8)
    yield but("start with a list of lists", "start = [] }", "start = [[1]] }", "expected a list of at most 2 dice", 8)
    yield but("list for a number", "to = { left = 0 }", "to = { left = [0] }", "expected a number or an expression, got [0]", 14)
    yield but(
        "column that cannot be",
        "to = { left = 0 }",
        'to = { left = "9 + left" }',
        "within 0..3, the range of 'left', got a number from 9 to 12",
        15,
    )
    yield but("set for a number", "to = { left = 0 }", 'to = { left = "open" }', "expected a number, got a set", 15)
    yield but("number for a set", 'kind = "all" }', "kind = 1 }", "expected a set, got the number 1", 7)
    yield but("number for a hand", 'to = { hand = "kept"', "to = { hand = 1", "expected a hand of dice, got the number 1", 14)
    yield but("names in one list with numbers", '["low", "high"]', '["low", 1]', "expected names without blanks and commas", 8)
    yield but("member twice", '["low", "high"]', '["low", "low"]', "expected different members", 1)
    yield but("member with a comma", '["low", "high"]', '["low", "h,h"]', "expected names without blanks and commas", 8)
    yield but("member with a quote", '["low", "high"]', '["low", "h\'h"]', "expected names without blanks and commas", 8)
    yield but("member called all", '["low", "high"]', '["low", "all"]', "none of them called all", 8)
    yield but("member of truth", '["low", "high"]', "[true, false]", "expected names without blanks and commas", 1)
    yield but("no members", '["low", "high"]', "[]", "1 to 40 of them", 0)
    yield but("41 members", '["low", "high"]', str(list(range(41))), "1 to 40 of them", 0)
    yield but("ragged table", "[[1, 2], [3, 4]]", "[[1, 2], [3]]", "expected rows of 2 numbers each", 9)
    yield but("table of numbers and rows", "[[1, 2], [3, 4]]", "[1, [3]]", "expected rows", 1)
    yield but("table of three dimensions", "[[1, 2], [3, 4]]", "[[[1]]]", "expected a whole number", 2)
    yield but("empty table", "[[1, 2], [3, 4]]", "[]", "expected a table of numbers, got an empty array", 0)
    yield but("table of empty rows", "[[1, 2], [3, 4]]", "[[], []]", "expected rows of 0 numbers", 1)
    yield but("table of fractions", "[[1, 2], [3, 4]]", "[1.5]", "expected a whole number", 1)
    yield but("table of large numbers", "[[1, 2], [3, 4]]", f"[{10**17}]", "expected a whole number of at most 2**53", 1)
    yield but("parameter of text", "goal = 3", 'goal = "3"', "expected a whole number", 7)
    yield but("parameter out of its range", "default = 4", "default = 14", "expected a default from 1 to 9, got 14", 10)
    yield but("large parameter", "goal = 3", f"goal = {10**300}", "expected a whole number of at most 2**53", 7)


def names() -> Iterator[WrongFile]:
    """Names that are none, or taken."""
    for name in ("when", "die", "dice", "sum", "and", "lambda", "True", "but", "packed"):
        yield but(f"column {name}", "left = {", f"{name} = 1\nleft = {{", f"got '{name}', which means something else here", 0)
    wrong = {
        '"a b"': "a b",
        '"é"': "é",
        "1st": "1st",
        "a-b": "a-b",
        "_x": "_x",
        '""': "",
        '"a\\nb"': "a\\nb",
        '"__class__"': "__class__",
    }
    for key, name in wrong.items():
        yield but(
            f"column {name!r}",
            "left = {",
            f"{key} = 1\nleft = {{",
            f"expected the name of a column, of letters, digits and _, got {name!r}".replace("\\\\", "\\"),
            0,
        )
    yield but("long name", "left = {", f"{'x' * 41} = 1\nleft = {{", "expected the name of a column", 0)
    yield but("column like a parameter", 'mover = "player"', 'goal = "player"', "got 'goal', which is a parameter already", 0)
    yield but("column like a definition", 'mover = "player"', 'both = "player"', "got 'both', which is a definition already", 0)
    yield but("choice like a column", "choose = { tile =", "choose = { left =", "got 'left', which is a column already", 11)
    yield but("choice called sum", "choose = { tile =", "choose = { sum =", "expected one name for what is chosen")
    yield but("definition of itself", 'both = "', 'both = "both + ', "got both -> both", 0)
    yield but(
        "definitions in a circle",
        "[define]",
        '[define]\na = "b"\nb = "c + 1"\nc = "a"',
        "that does not come back to itself, got ",
    )
    yield but(
        "unknown name in a definition that nobody reads",
        "[define]",
        '[define]\nidle = "lefft"',
        "got 'lefft' in 'idle': did you mean 'left'?",
    )
    content = GOOD.replace('both = "', 'both = "tile + ').replace("points[max(hand)]", "both")
    yield WrongFile(
        "definition that is wrong where it is read",
        content.encode(),
        "it is chosen by the action 'shut'",
        ", line 12, column 9: ",
    )


def sizes() -> Iterator[WrongFile]:
    """What would take too much time or memory."""
    yield but("huge range", '"0..3"', '"0..99999999999999999"', "at most 16 digits", 4)
    yield but("range beyond 2**53", '"0..3"', '"0..9999999999999999"', "at most 2**53", 4)
    yield but("range by a product", '"0..3"', '"0..99999999 * 99999999 * 9"', "at most 2**53", 4)
    yield but("empty range", '"0..3"', '"3..0"', "expected a range that is not empty, got 3..0", 0)
    yield but("range of three", '"0..3"', '"0..1..3"', "expected a whole number", 4)
    yield but("range of a column", '"0..3"', '"0..tile"', "it is chosen by the action 'shut'", 4)
    yield but("range of dice", '"0..3"', '"0..dice"', "it is known in [roll]", 4)
    large = "\n".join(f'wide{n} = "0..9000000000000000"' for n in range(2))
    yield but("too many combinations", 'mover = "player"', large, "expected fewer than 2**62 combinations")
    many = "\n".join(f'small{n} = "0..9"' for n in range(70))
    yield but("too many small columns", 'mover = "player"', many, "expected fewer than 2**62 combinations")
    yield but("huge set", 'set = "1..tiles"', 'set = "1..1000000000"', "expected a set of at most 40 members", 6)
    yield but("set of 41", 'set = "1..tiles"', 'set = "0..40"', "expected a set of at most 40 members", 6)
    sets = "\n".join(f's{n} = {{ set = "1..40", start = "all" }}' for n in range(2))
    yield but("several large sets", 'mover = "player"', sets, "expected fewer than 2**62 combinations")
    for number, rest in ((40, ""), (40, ', size = "20..20"'), (22, ', sum = "99 * left"'), (30, ', sum = "-99 * left"')):
        content = GOOD.replace('set = "1..tiles"', f'set = "{1 - 2 * ("-" in rest)}..{number}"')
        content = content.replace(', sum = "sum(hand)", size = "1..2"', rest)
        yield WrongFile(f"subsets of {number}{rest}", content.encode(), "at most 1,000,000 rows in all")
    yield but("hand of 31 dice", "dice = 2, faces = 6", "dice = 31, faces = 6", "expected a hand of 1 to 30 dice", 7)
    yield but(
        "hand of a billion dice", "dice = 2, faces = 6", "dice = 1000000000, faces = 6", "expected a hand of 1 to 30 dice", 7
    )
    yield but("hand of no dice", "dice = 2, faces = 6", "dice = 0, faces = 6", "expected a hand of 1 to 30 dice", 7)
    yield but("hand of minus dice", "dice = 2, faces = 6", "dice = -1, faces = 6", "expected a hand of 1 to 30 dice", 7)
    yield but("hand of many faces", "dice = 2, faces = 6", "dice = 2, faces = 32", "at most 31 faces where hands are looked at")
    yield but(
        "hand of a billion faces", "dice = 2, faces = 6", "dice = 2, faces = 1000000000", "expected dice of 1 to 1,000 faces", 18
    )
    yield but("hand of no faces", "dice = 2, faces = 6", "dice = 2, faces = 0", "expected dice of 1 to 1,000 faces", 18)
    yield but("too many hands", "dice = 2, faces = 6", "dice = 16, faces = 12", "at most 100,000 hands")
    yield but("too many ways to keep", "dice = 2, faces = 6", "dice = 12, faces = 6", "at most 1,000,000 rows in all")
    yield but(
        "roll of a thousand dice", 'dice = "1 if left > 1 else 2"', "dice = 1000", "expected 0 to 30 dice, got 1000 to 1000", 7
    )
    yield but("roll of minus dice", 'dice = "1 if left > 1 else 2"', 'dice = "left - 1"', "expected 0 to 30 dice, got -1 to 2", 8)
    yield but("roll of too many throws", 'dice = "1 if left > 1 else 2"', "dice = 24", "expected fewer than 2**62 throws", 7)
    yield but(
        "roll of a billion faces", "faces = 6\nunless", "faces = 1000000000\nunless", "expected dice of 1 to 1,000 faces", 8
    )
    yield but("roll of no faces", "faces = 6\nunless", "faces = 0\nunless", "expected dice of 1 to 1,000 faces", 8)
    yield but("faces of a column", "faces = 6\nunless", 'faces = "left"\nunless', "columns are not known here", 9)
    yield but("a billion numbers to choose from", '"1..3"', '"1..1000000000"', "at most 1,000,000 rows in all")
    yield but("numbers by a column", '"1..3"', '"1..left"', "columns are not known here", 4)
    keeps = "".join(
        f'[[action]]\nname = "k{n}"\nchoose = {{ kept = "dice of hand" }}\nto = {{ hand = "kept" }}\n' for n in range(90)
    )
    content = GOOD.replace("dice = 2, faces = 6", "dice = 7, faces = 6").replace("[end]", keeps + "[end]")
    yield WrongFile(
        "the same large table again and again", content.encode(), "at most 1,000,000 rows in all, got more with the ways to keep"
    )
    laughs = "\n".join(f'l{n + 1} = "l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n} + l{n}"' for n in range(60))
    content = GOOD.replace("[define]\n", f'[define]\nl0 = "len(open)"\n{laughs}\n').replace('pays = "len(open)"', 'pays = "l60"')
    yield WrongFile("a billion laughs", content.encode(), "expected at most")
    sets = "\n".join(f'l{n + 1} = "l{n} | l{n} | l{n} | l{n} - l{n} | l{n} & l{n} | l{n}"' for n in range(98))
    content = GOOD.replace("[define]\n", f'[define]\nl0 = "open"\n{sets}\n').replace('pays = "len(open)"', 'pays = "len(l98)"')
    yield WrongFile("a billion laughs in sets", content.encode(), "expected ")
    chain = "\n".join(f'c{n + 1} = "c{n} + 1"' for n in range(90))
    content = GOOD.replace("[define]\n", f'[define]\nc0 = "len(open)"\n{chain}\n').replace('pays = "len(open)"', 'pays = "c90"')
    yield WrongFile("a chain of definitions", content.encode(), "levels")


def texts() -> Iterator[WrongFile]:
    """What is no TOML, or no text."""
    good = GOOD.encode()
    for name, content, part in (
        ("empty file", b"", "line 1, column 1: expected 'format = 1' as the first line, got none: add it"),
        ("blanks", b" \n\n", "expected 'format = 1'"),
        ("only a comment", b"# a game", "expected 'format = 1'"),
        ("invalid UTF-8", b"format = 1\n\xff\xfe", "line 2, column 1: expected text in UTF-8, got the byte 0xff"),
        ("UTF-16", GOOD.encode("utf-16"), "line 1, column 1: expected text in UTF-8, got the byte 0xff"),
        ("surrogate", b"format = 1\nname = \"\xed\xa0\x80\"", "line 2, column 9: expected text in UTF-8, got the byte 0xed"),
        ("overlong slash", b"name = '\xc0\xaf'", "expected text in UTF-8"),
        ("NUL", b"format = 1\nname = \"a\0b\"", "line 2, column 10: expected TOML"),
        ("only NULs", b"\0" * 1000, "expected TOML"),
        ("carriage returns alone", good.replace(b"\n", b"\r"), "expected "),
        ("JSON", b'{"format": 1}', "line 1, column 1: expected TOML"),
        ("Python", b"import rollwise\n", "expected TOML"),
        ("INI", b"format: 1\n", "expected TOML"),
        ("ELF", b"\x7fELF\x02\x01\x01\0", "expected TOML"),
        ("archive", b"PK\x03\x04\x14\0", "expected TOML"),
        ("table that is not closed", b"format = 1\n[roll", "expected TOML"),
        ("text that is not closed", b'format = 1\nname = "x\n', "line 2, column 10: expected TOML"),
        ("long text that is not closed", b'format = 1\nname = """x\n', "expected TOML"),
        ("bare value", b"format = one\n", "line 1, column 10: expected TOML"),
        ("no value", b"format =\n", "line 1, column 9: expected TOML"),
        ("wrong escape", b'format = 1\nname = "\\q"\n', "expected TOML"),
        ("surrogate by escape", b'format = 1\nname = "\\ud800"\n', "expected TOML"),
        ("deep arrays", b"format = 1\na = " + b"[\n" * 30_000, "expected at most 20 brackets"),
        ("deep arrays that close", b"format = 1\na = " + b"[" * 300 + b"]" * 300, "expected "),
        ("arrays a little too deep", b"format = 1\na = " + b"[" * 22 + b"]" * 22,
         "line 2, column 26: expected at most 20 brackets"),
        ("deep tables", b"format = 1\na = " + b"{a=" * 300 + b"1" + b"}" * 300, "expected "),
        ("deep dotted key", b"format = 1\n" + b".".join([b"a"] * 480) + b" = 1", "line 2, column 1: expected one of the keys"),
        ("many deep dotted keys", b"format = 1\n" + b"\n".join(b".".join([b"a"] * 480) + b".b%d = 1" % n for n in range(60)),
         "expected one of the keys"),
        ("many deep tables", b"format = 1\n" + b"\n".join(b"[" + b".".join([b"a"] * 480) + b".b%d]" % n for n in range(60)),
         "expected one of the keys"),
        ("many tables", b"format = 1\n" + b"\n".join(b"[[a%d]]" % n for n in range(6_000)), "expected one of the keys"),
        ("many actions", good + b'[[action]]\nname = "x"\n' * 200, "expected "),
        ("long line", b"format = 1 #" + b"x" * 2_000, "line 1, column 1001: expected a line of at most 1,000 characters"),
        ("many lines", b"format = 1\n" * 7_000, "expected a game file of at most 65,536 bytes"),
        ("long number", b"format = " + b"1" * 900, "expected format 1"),
        ("long fraction", b"format = 1." + b"1" * 900, "expected format 1"),
        ("long name", b"format = 1\n" + b"x" * 900 + b" = 1", "expected one of the keys"),
        ("unicode key", 'format = 1\n"ключ" = 1'.encode(), "line 2, column 1: expected one of the keys"),
        ("key with a line break", b'format = 1\n"a\\nb" = 1', "expected one of the keys"),
    ):  # fmt: skip
        yield WrongFile(f"text: {name}", content, part)


WRONG = [*types(), *expressions(), *shapes(), *names(), *sizes(), *texts()]
