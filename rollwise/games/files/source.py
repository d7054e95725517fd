"""The text of a game file and its places: TOML values, and for each of them the line and the column.

`tomllib` reads the values and keeps no places. `find_places` goes over the same text once more, which is known to be right by
then, and notes for every path of keys where the key begins, where the value begins, and, for text, where each of its
characters stands. So a fault inside an expression is told at its own column.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from rollwise.errors import GameError, brief

__all__ = ["Item", "Source", "Spot", "did_you_mean", "find_places", "read_source"]

MOST_BYTES = 65_536
LONGEST_LINE = 1_000
DEEPEST = 20

Path = tuple[str | int, ...]

BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
BARE_VALUE = re.compile(r"[^,\]}#\n]*")
ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
SCALAR = re.compile(r"[-+]?[0-9][0-9_]*(?:\.[0-9]+)?|true|false")
TOML_TIPS = {
    "Unclosed inline table": ": is a comma missing?", "Unclosed array": ": is a comma missing?",
    "Illegal character '\\n'": ": are closing quotes missing?",
    "Cannot overwrite": ": is it there twice, or as [x] and as [[x]]?",
    "Cannot declare": ": is this table there twice?",
}  # fmt: skip
UNQUOTED = re.compile(
    r"(?<![\"'\w])(?P<key>[A-Za-z]\w*\[[^\]=\"']*\])(?=\s*=[^=])"
    r"|(?:[=,]|=\s*\[)\s*(?P<value>(?:\w|-\w|\.\.|not |\()(?:\([^()\"']*\)|[=!<>]=|[^\"',{}\[\]#=()])*)"
)
"""What has no quotes: a key such as cells[2], and a value that begins as an expression does."""
AT_LINE = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


@dataclass(frozen=True)
class Spot:
    """Where a key and its value begin; for text, where each character stands, and where the text ends."""

    key: int
    value: int
    letters: tuple[int, ...] = ()


@dataclass(frozen=True)
class Source:
    """A game file: its name, its text, and where everything stands in it."""

    name: str
    text: str
    spots: Mapping[Path, Spot] = field(default_factory=dict)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def place(self, at: int) -> tuple[int, int]:
        """Give the line and the column, both from 1, of a character."""
        line = bisect_right(self._starts, max(0, min(at, len(self.text))))
        return line, max(0, min(at, len(self.text))) - self._starts[line - 1] + 1

    def where(self, at: int) -> str:
        """Name a place."""
        line, column = self.place(at)
        return f"{self.name}, line {line}, column {column}"

    def fault(self, at: int, what: str) -> GameError:
        """Say what is wrong at a place."""
        return GameError(f"{self.where(at)}: {what}").placed(*self.place(at))


@dataclass(frozen=True)
class Item:
    """A value of a file and where it stands."""

    source: Source
    path: Path
    value: Any
    own: Spot | None = None

    @property
    def spot(self) -> Spot:
        """Where it stands; what has no place of its own stands where its table does."""
        if self.own is not None:
            return self.own
        for end in range(len(self.path), -1, -1):
            if self.path[:end] in self.source.spots:
                return self.source.spots[self.path[:end]]
        return Spot(0, 0)

    def __getitem__(self, key: str | int) -> "Item":
        return Item(self.source, (*self.path, key), self.value[key])

    def items(self) -> dict[str, "Item"]:
        """Give the entries of a table by key."""
        return {key: self[key] for key in self.value}

    def each(self) -> "list[Item]":
        """Give the entries of an array."""
        return [self[place] for place in range(len(self.value))]

    def part(self, begin: int, end: int) -> "Item":
        """Give some of the letters of a text as a text of its own."""
        spot = self.spot
        letters = spot.letters[begin : end + 1] or (self.at(begin),)
        return Item(self.source, self.path, self.value[begin:end], Spot(spot.key, letters[0], letters))

    def at(self, letter: int) -> int:
        """Give the place of a letter of a text."""
        letters = self.spot.letters
        return letters[max(0, min(letter, len(letters) - 1))] if letters else self.spot.value

    def fault(self, what: str, letter: int | None = None) -> GameError:
        """Say what is wrong with this value, or with a letter of it."""
        return self.source.fault(self.spot.value if letter is None else self.at(letter), what)

    def key_fault(self, what: str) -> GameError:
        """Say what is wrong with the key."""
        return self.source.fault(self.spot.key, what)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Give the end of a message about an unknown name: the known one that is most like it; "" where none is.

    >>> did_you_mean("colums", ["columns", "roll"])
    ": did you mean 'columns'?"
    """
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f": did you mean {near[0]!r}?" if near else ""


def read_source(name: str, content: bytes) -> Item:
    """Read a file: its values with their places. Raises `GameError` that names the line and the column."""
    if len(content) > MOST_BYTES:
        text = content[:MOST_BYTES].decode("utf-8", "replace").replace("\r\n", "\n")
        raise Source(name, text).fault(len(text), f"expected a game file of at most {MOST_BYTES:,} bytes, got more: write less")
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Source(name, content[: error.start].decode("utf-8").replace("\r\n", "\n")).fault(
            error.start, f"expected text in UTF-8, got the byte 0x{content[error.start]:02x}: save the file as UTF-8"
        ) from None
    source = Source(name, text)
    long = next((start for start, line in _lines(text) if len(line) > LONGEST_LINE), None)
    if long is not None:
        raise source.fault(long + LONGEST_LINE, f"expected a line of at most {LONGEST_LINE:,} characters: break it in several")
    values = _parsed(source)
    return Item(Source(name, text, find_places(source)), (), values)


def _lines(text: str) -> list[tuple[int, str]]:
    start, found = 0, []
    for line in text.split("\n"):
        found.append((start, line))
        start += len(line) + 1
    return found


def _parsed(source: Source) -> dict[str, Any]:
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        said = AT_LINE.match(str(error))
        if not said or not said[2]:
            raise source.fault(
                len(source.text), f"expected TOML up to the end: {_explained(said[1] if said else str(error))}"
            ) from None
        at = source._starts[int(said[2]) - 1] + int(said[3]) - 1
        unquoted = _unquoted(source.text, at)
        if unquoted is not None:
            text = brief(unquoted[1], 60)
            raise source.fault(unquoted[0], f"expected quotes around {unquoted[1][:60]}, got none: write {text}") from None
        raise source.fault(at, f"expected TOML, got {brief(_word(source.text, at), 30)}: {_explained(said[1])}") from None
    except RecursionError:
        raise source.fault(_too_deep(source.text), f"expected at most {DEEPEST} brackets in one another, got more") from None
    except ValueError as error:
        raise source.fault(0, f"expected TOML: {error}") from None


def _unquoted(text: str, at: int) -> tuple[int, str] | None:
    """Find a key or a value around a place that should have quotes: where it begins, and what it is.

    >>> _unquoted("n = 0..6", 5), _unquoted('n = { "a" b }', 10)
    ((4, '0..6'), None)
    """
    begin, end = text.rfind("\n", 0, at) + 1, (text + "\n").index("\n", at)
    for found in UNQUOTED.finditer(text[begin:end]):
        name = "key" if found["key"] else "value"
        low, high = (begin + edge for edge in found.span(name))
        if low <= at <= high and not SCALAR.fullmatch(text[low:high].strip()):
            return low, text[low:high].rstrip()
    return None


def _word(text: str, at: int) -> str:
    return text[at : at + 30].partition("\n")[0] or "the end of the line"


def _explained(said: str) -> str:
    """Give what Python's reader of TOML said, with what most often is the reason."""
    tip = next((tip for begin, tip in TOML_TIPS.items() if said.startswith(begin)), "")
    return said[:1].lower() + said[1:] + tip


def _too_deep(text: str) -> int:
    """Give the place of the first bracket that is too many, whatever quotes say."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "[{") - (sign in "]}")
        if depth > DEEPEST:
            return at
    return 0


def find_places(source: Source) -> dict[Path, Spot]:
    """Find where every value of a TOML text stands; the text is one that `tomllib` reads.

    >>> find_places(Source("", 'b = { c = "xy" }'))[("b", "c")]
    Spot(key=6, value=10, letters=(11, 12, 13))
    """
    finder = _Finder(source)
    finder.document()
    return finder.spots


class _Finder:
    """One pass over a TOML text."""

    def __init__(self, source: Source) -> None:
        self.source, self.text, self.at = source, source.text, 0
        self.spots: dict[Path, Spot] = {}
        self.arrays: dict[Path, int] = {}

    def document(self) -> None:
        prefix: Path = ()
        while self._blank():
            prefix = self._header() if self.text[self.at] == "[" else self._pair(prefix, 0)

    def _blank(self) -> bool:
        """Pass over blanks and comments; say whether anything is left."""
        found = BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at < len(self.text)

    def _header(self) -> Path:
        begin, many = self.at, self.text.startswith("[[", self.at)
        self.at += 1 + many
        keys = self._keys()
        path: Path = ()
        for place, key in enumerate(keys):
            path = (*path, key)
            self._note(path, Spot(begin, begin))
            if path in self.arrays and not (many and place == len(keys) - 1):
                path = (*path, self.arrays[path] - 1)
        if many:
            self.arrays[path] = self.arrays.get(path, 0) + 1
            path = (*path, self.arrays[path] - 1)
        self.spots[path] = Spot(begin, begin)
        self._blank()
        self.at += 1 + many
        return path

    def _pair(self, prefix: Path, depth: int) -> Path:
        begin = self.at
        path: Path = prefix
        for key in self._keys():
            path = (*path, key)
            self._note(path, Spot(begin, begin))
        self._blank()
        self.at += 1
        self._blank()
        self._value(path, begin, depth)
        return prefix

    def _note(self, path: Path, spot: Spot) -> None:
        self.spots.setdefault(path, spot)

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._blank()
            found = BARE_KEY.match(self.text, self.at)
            if found:
                keys.append(found[0])
                self.at = found.end()
            else:
                keys.append("".join(letter for letter, _ in self._letters()))
            self._blank()
            if self.text[self.at : self.at + 1] != ".":
                return keys
            self.at += 1

    def _value(self, path: Path, key: int, depth: int) -> None:
        if depth > DEEPEST:
            raise self.source.fault(self.at, f"expected at most {DEEPEST} brackets in one another, got more")
        begin, sign = self.at, self.text[self.at : self.at + 1]
        self.spots[path] = Spot(key, begin)
        if sign in ("'", '"') and sign:
            self.spots[path] = Spot(key, begin, (*(at for _, at in self._letters()), self._end))
        elif sign in ("[", "{") and sign:
            self._many(path, depth, sign)
        else:
            found = BARE_VALUE.match(self.text, self.at)
            self.at = found.end() if found else len(self.text)

    def _many(self, path: Path, depth: int, sign: str) -> None:
        """Pass over an array or an inline table."""
        self.at += 1
        place = 0
        while self._blank() and self.text[self.at] not in "]}":
            if self.text[self.at] == ",":
                self.at += 1
            elif sign == "{":
                self._pair(path, depth + 1)
            else:
                self._value((*path, place), self.at, depth + 1)
                place += 1
        self.at += 1

    def _letters(self) -> list[tuple[str, int]]:
        """Pass over a text; give its characters with their places. `_end` is where its closing quotes begin."""
        quote = self.text[self.at]
        if self.text.startswith(quote * 3, self.at):
            return self._long(quote)
        self.at += 1
        found = self._until(quote, quote == '"')
        self._end = self.at
        self.at += 1
        return found

    def _long(self, quote: str) -> list[tuple[str, int]]:
        self.at += 3
        if self.text.startswith("\n", self.at):
            self.at += 1
        found = self._until(quote * 3, quote == '"')
        while self.text.startswith(quote, self.at + 3):
            found.append((quote, self.at))
            self.at += 1
        self._end = self.at
        self.at += 3
        return found

    def _until(self, closing: str, escapes: bool) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        while self.at < len(self.text) and not self.text.startswith(closing, self.at):
            if escapes and self.text[self.at] == "\\":
                found += self._escape()
            else:
                found.append((self.text[self.at], self.at))
                self.at += 1
        return found

    def _escape(self) -> list[tuple[str, int]]:
        begin, sign = self.at, self.text[self.at + 1 : self.at + 2]
        if sign in ESCAPES and sign:
            self.at += 2
            return [(ESCAPES[sign], begin)]
        if sign in ("u", "U"):
            self.at += 6 if sign == "u" else 10
            return [(chr(int(self.text[begin + 2 : self.at], 16)), begin)]
        self.at += 1
        while self.text[self.at : self.at + 1] in (" ", "\t", "\n"):
            self.at += 1
        return []
