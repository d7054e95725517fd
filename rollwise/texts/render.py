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
    list        a list of texts, numbers and messages, with commas between them
    and         a list with the word for "and" before its last (`n.and`)

A word, a label, a box or a move that the catalogue does not know is written as it is. A list may be of any kind.

The page does the same in `render.js`; both are tested on the examples of `tests/data/messages.json`.
"""

import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from math import floor, log10
from typing import Any

from rollwise.model.message import Argument, Message, Text
from rollwise.texts import Entry, read_texts

__all__ = ["render", "spoken"]

FIELD = re.compile(r"\{(\w+)(?:, (\w+))?\}")
SIGNS = {"en": (",", "."), "de": (".", ",")}
"""What stands between thousands, and before decimals; as in English where a language is not listed."""
ONE = {"en": (1, -1, "1", "-1"), "de": (1, -1, "1", "-1")}
"""The numbers that take the form `one`; as in English where a language is not listed."""


def render(message: Text, language: str = "en", texts: Mapping[str, Entry] | None = None) -> str:
    """Write a message in a language, from its catalogue or from other `texts`; plain text stays as it is.

    >>> render(Message("n.point", {"n": 1200})), render(Message("n.point", {"n": 1}), "de"), render("as it is", "de")
    ('1,200 points', '1 Punkt', 'as it is')

    Raises `LookupError` for a key or an argument that is missing, and for one that cannot be written as its kind.
    """
    return _Writer(language, read_texts(language) if texts is None else texts).write(message)


def spoken(answer: Any, language: str | None) -> Any:
    """Give an answer with every message in it written in a language; without one, in JSON types, for the page to write.

    >>> spoken({"why": [Message("n.point", {"n": 2}), "as it is"]}, "en")
    {'why': ['2 points', 'as it is']}
    """
    if isinstance(answer, Message):
        return answer.as_dict() if language is None else render(answer, language)
    if isinstance(answer, Mapping):
        return {name: spoken(value, language) for name, value in answer.items()}
    return [spoken(value, language) for value in answer] if isinstance(answer, list | tuple) else answer


@cache
def _pieces(text: str) -> tuple[str, list[tuple[str, str, str]]]:
    """Cut a text into what stands before its fields, and each field: its name, its kind and what follows."""
    first, *rest = FIELD.split(text)
    return first, [(name, kind or "number", after) for name, kind, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True)]


class _Writer:
    """Writes messages in a language."""

    def __init__(self, language: str, texts: Mapping[str, Entry]) -> None:
        self.language, self.texts = language, texts

    def write(self, message: Text) -> str:
        """Write a message, or give a text as it is."""
        if isinstance(message, str):
            return message
        text = self.texts.get(message.key)
        if text is None:
            raise LookupError(
                f"no text {message.key!r} in the language {self.language!r}: add it to rollwise/texts/{self.language}.json"
            )
        if not isinstance(text, str):
            text = text["one" if message.args.get("n") in ONE.get(self.language, ONE["en"]) else "other"]
        first, fields = _pieces(text)
        return first + "".join([self._fill(message, name, kind) + after for name, kind, after in fields])

    def _fill(self, message: Message, name: str, kind: str) -> str:
        if name not in message.args:
            raise LookupError(f"the text {message.key!r} in the language {self.language!r} needs the argument {name!r}")
        value = message.args[name]
        try:
            return self._show(value, kind)
        except (KeyError, TypeError):
            raise LookupError(
                f"the text {message.key!r} in the language {self.language!r} cannot write {value!r} as {kind!r}"
            ) from None

    def _show(self, value: Argument, kind: str) -> str:
        if isinstance(value, Message):
            return self.write(value)
        if isinstance(value, list | tuple):
            return self._list([self._show(each, "number" if kind in ("list", "and") else kind) for each in value], kind)
        if kind in NAMES:
            named = next((found for found in NAMES[kind](str(value)) if found.key in self.texts), None)
            return self._show(value, "number") if named is None else self.write(named)
        if isinstance(value, str):
            return value
        written = KINDS[kind](value, self.language)  # type: ignore[arg-type]
        return written if isinstance(written, str) else self.write(written)

    def _list(self, shown: list[str], kind: str) -> str:
        if kind == "and" and len(shown) > 1:
            return self.write(Message("n.and", {"first": ", ".join(shown[:-1]), "last": shown[-1]}))
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


def _chance(value: float, language: str) -> str | Message:
    if 0.995 < value < 1 - 1e-9:
        return Message("n.over", {"n": 99})
    places = 0 if value >= 0.005 or value <= 0 else min(1 - floor(log10(100 * value)), 20)
    return f"{_write(100 * value, language, places)} %"


def _move(name: str) -> list[Message]:
    first, _, rest = name.partition(" ")
    more = [Message(f"move.{first}.rest", {"rest": rest})] if rest else []
    return [Message(f"move.{_slug(name)}"), *more, Message(f"box.{_slug(name)}")]


def _slug(name: str) -> str:
    return name.replace(" ", "-")


NAMES: dict[str, Callable[[str], list[Message]]] = {
    "word": lambda name: [Message(f"number.{name}")],
    "label": lambda name: [Message(f"label.{_slug(name)}")],
    "box": lambda name: [Message(f"box.{_slug(name)}")],
    "move": _move,
}
"""The texts that may write a name, the first of which counts that there is."""
KINDS: dict[str, Callable[[float, str], str | Message]] = {
    "number": lambda value, language: _write(value, language, 6),
    "whole": lambda value, language: _write(value, language, 0),
    "plain": lambda value, language: _write(value, language, 6, grouped=False),
    "percent": lambda value, language: f"{_write(100 * value, language, 2, 2)} %",
    "chance": _chance,
    "tenths": lambda value, language: _signed(value, language, 1),
    "hundredths": lambda value, language: _signed(value, language, 2),
    "points": lambda value, _: Message("n.point", {"n": floor(100 * value + 0.5) / 100}),
}
