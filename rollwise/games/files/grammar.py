"""The text of an expression: a small part of Python's own grammar, looked at word by word before Python's parser sees it."""

import ast
import keyword
import re
from dataclasses import dataclass

from rollwise.errors import GameError
from rollwise.games.files.source import Item

__all__ = ["FUNCTIONS", "LONGEST_NAME", "RESERVED", "Expression", "check_name", "parse"]

LONGEST = 1_000
DEEPEST = 40
LONGEST_NUMBER = 16
LONGEST_NAME = 40

LATER = ("highest", "lowest", "range")
"""Functions that are newer than the first game files, in which columns may be called so."""
FUNCTIONS = ("abs", "all", "any", "count", "len", "max", "min", "sum", *LATER)
KEYWORDS = ("and", "else", "for", "if", "in", "not", "or")
RESERVED = frozenset({*FUNCTIONS, *keyword.kwlist, "die", "dice", "when", "but", "chosen", "of", "packed"} - {*LATER})

TOKEN = re.compile(
    r"(?P<blank>[ \t\n]+)|(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<text>'[^'\\\n]*'|\"[^\"\\\n]*\")"
    r"|(?P<wrong>\*\*|<<|>>|<>|->|:=)|(?P<sign>//|<=|>=|==|!=|[-+*%<>()\[\]{},|&])"
)
CLOSING = {")": "(", "]": "[", "}": "{"}
TIPS = {
    "**": "powers are not part of the language; multiply", "<<": "shifts are not part of the language",
    ">>": "shifts are not part of the language", "<>": "write !=", ":=": "write a definition", ".": "there are no attributes",
    "/": "divide by //", "=": "compare by ==", "!": "write not, or !=", "^": "there are no powers", ";": "one expression only",
    ":": "there are no slices, lambdas and dictionaries", "#": "write comments outside the text", "\\": "write no backslashes",
    "~": "write not", "@": "multiply by *",
    "lambda": "write a definition", "is": "compare by ==",
    "True": "write a condition", "False": "write a condition", "None": "write a number",
}  # fmt: skip


@dataclass(frozen=True)
class Expression:
    """An expression that is grammatical, and where it stands."""

    item: Item
    tree: ast.expr

    def fault(self, node: ast.expr, what: str) -> GameError:
        """Say what is wrong with a part of it."""
        if not isinstance(self.item.value, str):
            return self.item.fault(what)
        # Python counts bytes, from a bracket before the text on.
        before = self.item.value.encode()[: max(0, node.col_offset - 1)]
        return self.item.fault(what, len(before.decode("utf-8", "ignore")))


def check_name(item: Item, name: str, what: str) -> None:
    """Refuse what cannot be the name of something. Raises `GameError`."""
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) or len(name) > LONGEST_NAME:
        got = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
        raise item.key_fault(f"expected the name of {what}, of letters, digits and _, got {got!r}")
    if name in RESERVED:
        raise item.key_fault(f"expected the name of {what}, got {name!r}, which means something else here: take another")


def parse(item: Item) -> Expression:
    """Parse an expression: a number, or text. Raises `GameError` at the letter where it is not one."""
    if type(item.value) is int:
        if abs(item.value) >= 10**LONGEST_NUMBER:
            raise item.fault(f"expected a number of at most {LONGEST_NUMBER} digits, got a longer one")
        return Expression(item, ast.Constant(item.value, col_offset=0, lineno=1))
    if not isinstance(item.value, str):
        raise item.fault(f'expected a number or an expression such as "turn + 1", got {_toml(item.value)}')
    _look(item, item.value)
    text = re.sub("[\t\n]", " ", item.value)
    try:
        return Expression(item, ast.parse(f"({text})", mode="eval").body)
    except SyntaxError as error:
        letter = max(0, (error.offset or 2) - 2)
        said = "it ends too early" if letter >= len(text.rstrip()) else f"Python says: {error.msg}"
        raise item.fault(f"expected an expression, got {_word(item.value, letter)}: {said}", letter) from None
    except (ValueError, MemoryError, RecursionError):
        raise item.fault("expected an expression with fewer levels in one another") from None


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return {dict: "a table", list: "an array", float: f"{value}"}.get(type(value), "a date or a time")


def _word(text: str, letter: int) -> str:
    found = TOKEN.match(text, letter)
    return repr(found[0] if found else text[letter : letter + 1]) if letter < len(text) else "its end"


def _look(item: Item, text: str) -> None:
    """Look at every word of an expression."""
    if len(text) > LONGEST:
        raise item.fault(f"expected an expression of at most {LONGEST:,} letters, got {len(text):,}: write definitions")
    if not text.strip():
        raise item.fault("expected an expression, got none")
    at, open_brackets = 0, ""
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found or found["wrong"]:
            raise _strange(item, found[0] if found else text[at], at)
        _look_at(item, found, text[found.end() : found.end() + 1])
        open_brackets = _brackets(item, open_brackets, found)
        at = found.end()
    if open_brackets:
        raise item.fault(f"expected a bracket that closes {open_brackets[-1]!r}, got the end", len(text))


def _strange(item: Item, sign: str, at: int) -> GameError:
    tip = f": {TIPS[sign]}" if sign in TIPS else ""
    return item.fault(f"expected a number, a name or a sign such as +, got {sign!r}{tip}", at)


def _look_at(item: Item, found: re.Match[str], after: str) -> None:
    if found["number"] and (len(found[0]) > LONGEST_NUMBER or re.match("[A-Za-z_.]", after)):
        raise item.fault(
            f"expected a whole number of at most {LONGEST_NUMBER} digits, got {found[0][:20] + after!r}", found.start()
        )
    if found["name"] and re.match("['\"]", after):
        raise item.fault(f"expected plain text, got {found[0] + after!r}", found.start())
    if found["name"] and keyword.iskeyword(found[0]) and found[0] not in KEYWORDS:
        raise _strange(item, found[0], found.start())


def _brackets(item: Item, so_far: str, found: re.Match[str]) -> str:
    sign = found["sign"]
    if not sign or sign not in "()[]{}":
        return so_far
    if sign not in CLOSING:
        if len(so_far) >= DEEPEST:
            raise item.fault(f"expected at most {DEEPEST} brackets in one another, got more", found.start())
        return so_far + sign
    if not so_far.endswith(CLOSING[sign]):
        raise item.fault(f"expected no {sign!r} here: it closes nothing", found.start())
    return so_far[:-1]
