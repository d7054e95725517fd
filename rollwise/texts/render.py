"""Write a message in a language: key and arguments become a sentence.

`{name}` inserts an argument: a text as it is, a message written itself, a number in the way of the language with at most six
decimals. `{name, kind}` says how it is written:

    whole       a number without decimals
    plain       a number without signs between its thousands
    percent     a share of 1 in percent, with two decimals
    chance      a share of 1 in percent, as people say it: without decimals, and "over 99 %" just below 1
    tenths      a number with its sign and one decimal
    hundredths  a number with its sign and two decimals
    points      a number with at most two decimals, and the word for points in its right form (`n.point`)
    word        a small number in letters (`number.3`)
    label       what a part of a position is called (`label.open-tiles`)
    box         the name of a box (`box.sixes`)
    move        a move (`move.hold`, `move.keep.rest`), or a box
    capital     a move (see above) that begins a sentence
    lower       a text that begins with a small letter, as a label within a sentence
    list        a list of texts, numbers and messages, with commas between them
    and         a list with the word for "and" before its last (`n.and`)

A word, a label, a box or a move that the catalogue does not know is written as it is, a box or a move with blanks for the hyphens
between its words. A list may be of any kind.

The page does the same in `web/static/texts/render.js`; both are tested on the examples of `tests/data/messages.json`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from math import floor, log10
from typing import Any, Protocol, runtime_checkable

from rollwise.texts import Entry, read_texts

__all__ = ["Sentence", "render", "speaking", "spoken"]

Filled = tuple[str, Mapping[str, Any]]
"""A key and its arguments."""

HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
FIELD = re.compile(r"\{(\w+)(?:, (\w+))?\}")
SIGNS = {"en": (",", "."), "de": (".", ",")}
"""What stands between thousands, and before decimals; as in English where a language is not listed."""
ONE = {"en": (1, -1, "1", "-1"), "de": (1, -1, "1", "-1")}
"""The numbers that take the form `one`; as in English where a language is not listed."""
_LANGUAGE = ContextVar("language", default="en")
"""The language of `render` where none is named: that of the command line."""


@runtime_checkable
class Sentence(Protocol):
    """A key and its arguments: a `model.message.Message`."""

    @property
    def key(self) -> str: ...

    @property
    def args(self) -> Mapping[str, Any]: ...

    def as_dict(self) -> dict[str, Any]: ...


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Write messages in a language wherever they are printed. Raises `LookupError` for one without a catalogue."""
    read_texts(language)
    before = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def render(message: Sentence | str, language: str | None = None, texts: Mapping[str, Entry] | None = None) -> str:
    """Write a message in a language (default: that of `speaking`, else English), from its catalogue or from other `texts`.

    Plain text stays as it is.

    >>> from rollwise.model.message import Message
    >>> render(Message("n.point", {"n": 1200})), render(Message("n.point", {"n": 1}), "de"), render("as it is", "de")
    ('1,200 points', '1 Punkt', 'as it is')

    Raises `LookupError` for a key or an argument that is missing, and for one that cannot be written as its kind.
    """
    if isinstance(message, str):
        return message
    language = language or _LANGUAGE.get()
    return _Writer(language, read_texts(language) if texts is None else texts).write(message.key, message.args)


def spoken(answer: Any, language: str | None) -> Any:
    """Give an answer with every message in it written in a language; without one, in JSON types, for the page to write.

    >>> from rollwise.model.message import Message
    >>> spoken({"why": [Message("n.point", {"n": 2}), "as it is"]}, "en")
    {'why': ['2 points', 'as it is']}
    """
    if answer is None or isinstance(answer, str | int | float):
        return answer
    if isinstance(answer, Mapping):
        return {name: spoken(value, language) for name, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [spoken(each, language) for each in answer]
    if isinstance(answer, Sentence):
        return answer.as_dict() if language is None else render(answer, language)
    return answer


@cache
def _pieces(text: str) -> tuple[str, list[tuple[str, str, str]]]:
    """Cut a text into what stands before its fields, and each field: its name, its kind and what follows."""
    first, *rest = FIELD.split(text)
    return first, [(name, kind or "number", after) for name, kind, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True)]


class _Writer:
    """Writes messages in a language."""

    def __init__(self, language: str, texts: Mapping[str, Entry]) -> None:
        self.language, self.texts = language, texts

    def write(self, key: str, args: Mapping[str, Any]) -> str:
        """Write the text of a key."""
        text = self.texts.get(key)
        if text is None:
            raise LookupError(f"no text {key!r} in the language {self.language!r}: add it to rollwise/texts/{self.language}.json")
        if not isinstance(text, str):
            text = text["one" if args.get("n") in ONE.get(self.language, ONE["en"]) else "other"]
        first, fields = _pieces(text)
        return first + "".join([self._fill(key, args, name, kind) + after for name, kind, after in fields])

    def _fill(self, key: str, args: Mapping[str, Any], name: str, kind: str) -> str:
        if name not in args:
            raise LookupError(f"the text {key!r} in the language {self.language!r} needs the argument {name!r}")
        try:
            return self._show(args[name], kind)
        except (AttributeError, KeyError, TypeError):
            raise LookupError(
                f"the text {key!r} in the language {self.language!r} cannot write {args[name]!r} as {kind!r}"
            ) from None

    def _show(self, value: Any, kind: str) -> str:
        if isinstance(value, list | tuple):
            return self._list([self._show(each, "number" if kind in ("list", "and") else kind) for each in value], kind)
        if kind == "capital":
            name = self._show(value, "move")
            return name[:1].upper() + name[1:]
        if not isinstance(value, str | int | float):
            return self.write(value.key, value.args)
        if kind in NAMES:
            return self._name(value, kind)
        if isinstance(value, str):
            return value[:1].lower() + value[1:] if kind == "lower" else value
        shown = KINDS[kind](value, self.language)
        return shown if isinstance(shown, str) else self.write(*shown)

    def _name(self, name: str | float, kind: str) -> str:
        for found in NAMES[kind](str(name)):
            if found[0] in self.texts:
                return self.write(*found)
        return HYPHEN.sub(" ", str(name)) if kind in ("box", "move") else self._show(name, "number")

    def _list(self, shown: list[str], kind: str) -> str:
        if kind == "and" and len(shown) > 1:
            return self.write("n.and", {"first": ", ".join(shown[:-1]), "last": shown[-1]})
        return ", ".join(shown)


def _write(value: float, language: str, most: int, least: int = 0, *, grouped: bool = True) -> str:
    """Write a number with at most, and at least, so many decimals; rounded from its shortest digits, as browsers do."""
    if value == round(value, most):
        whole, _, decimals = f"{value:,.{most}f}".partition(".")
    else:
        with localcontext(rounding=ROUND_HALF_UP):
            whole, _, decimals = f"{Decimal(repr(value)):,.{most}f}".partition(".")
    decimals = decimals[:least] + decimals[least:].rstrip("0")
    thousands, point = SIGNS.get(language, SIGNS["en"])
    return whole.replace(",", thousands if grouped else "") + (point + decimals if decimals else "")


def _signed(value: float, language: str, places: int) -> str:
    return ("" if value < 0 else "+") + _write(value, language, places, places, grouped=False)


def _chance(value: float, language: str) -> str | Filled:
    if 0.995 < value < 1 - 1e-9:
        return "n.over", {"n": 99}
    places = 0 if value >= 0.005 or value <= 0 else min(1 - floor(log10(100 * value)), 20)
    return f"{_write(100 * value, language, places)} %"


def _move(name: str) -> list[Filled]:
    first, _, rest = name.partition(" ")
    more: list[Filled] = [(f"move.{first}.rest", {"rest": rest})] if rest else []
    return [(f"move.{_slug(name)}", {}), *more, (f"box.{_slug(name)}", {})]


def _slug(name: str) -> str:
    return name.replace(" ", "-")


NAMES: dict[str, Callable[[str], list[Filled]]] = {
    "word": lambda name: [(f"number.{name}", {})],
    "label": lambda name: [(f"label.{_slug(name)}", {})],
    "box": lambda name: [(f"box.{_slug(name)}", {})],
    "move": _move,
}
"""The texts that may write a name, the first of which counts that there is."""
KINDS: dict[str, Callable[[float, str], str | Filled]] = {
    "number": lambda value, language: _write(value, language, 6),
    "lower": lambda value, language: _write(value, language, 6),
    "whole": lambda value, language: _write(value, language, 0),
    "plain": lambda value, language: _write(value, language, 6, grouped=False),
    "percent": lambda value, language: f"{_write(100 * value, language, 2, 2)} %",
    "chance": _chance,
    "tenths": lambda value, language: _signed(value, language, 1),
    "hundredths": lambda value, language: _signed(value, language, 2),
    "points": lambda value, _: ("n.point", {"n": floor(100 * value + 0.5) / 100}),
}
