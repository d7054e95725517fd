"""Write a message in a language: key and arguments become a sentence.

`{name}` inserts an argument: a text as it is, a message written itself, a number in the way of the language with at most six
decimals. `{name, kind}` says how it is written:

    whole       a number without decimals
    percent     a share of 1 in percent, with two decimals
    points      a number with at most two decimals, and the word for points in its right form (`n.point`)
    list        a list of texts, numbers and messages, with commas between them

The page does the same in `web/static/texts/render.js`; both are tested on the examples of `tests/data/messages.json`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import floor
from typing import Any, Protocol, runtime_checkable

from rollwise.texts import Text, read_texts

__all__ = ["Sentence", "render", "speaking", "spoken"]

FIELD = re.compile(r"\{(\w+)(?:, (\w+))?\}")
SIGNS = {"en": (",", "."), "de": (".", ",")}
"""What stands between thousands, and before decimals; as in English where a language is not listed."""
ONE = {"en": (1, -1, "1", "-1"), "de": (1, -1, "1", "-1")}
"""The numbers that take the form `one`; as in English where a language is not listed."""
_LANGUAGE = ContextVar("language", default="en")
"""The language of `str(message)`: that of the command line."""


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


def spoken(answer: Any, language: str | None) -> Any:
    """Give an answer in JSON types with its messages written in a language; None: as data, for a page that writes them itself.

    >>> from rollwise.model.message import Message
    >>> spoken({"left": [Message("n.point", {"n": 2})]}, "de")
    {'left': ['2 Punkte']}
    >>> spoken([Message("n.point", {"n": 2})], None)
    [{'key': 'n.point', 'args': {'n': 2}}]
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


def render(message: Sentence | str, language: str | None = None, texts: Mapping[str, Text] | None = None) -> str:
    """Write a message in a language (default: that of `speaking`, else English), from its catalogue or from other `texts`.

    A plain text, such as a label of a user's game, stays as it is.

    >>> from rollwise.model.message import Message
    >>> render(Message("n.point", {"n": 1200})), render(Message("n.point", {"n": 1}), "de")
    ('1,200 points', '1 Punkt')

    Raises `LookupError` for a key or an argument that is missing, and for one that cannot be written as its kind.
    """
    if isinstance(message, str):
        return message
    language = language or _LANGUAGE.get()
    return _fill(message.key, message.args, language, read_texts(language) if texts is None else texts)


def _fill(key: str, args: Mapping[str, Any], language: str, texts: Mapping[str, Text]) -> str:
    text = texts.get(key)
    if text is None:
        raise LookupError(f"no text {key!r} in the language {language!r}: add it to rollwise/texts/{language}.json")
    if not isinstance(text, str):
        text = text["one" if args.get("n") in ONE.get(language, ONE["en"]) else "other"]

    def show(value: Any, kind: str) -> str:
        if isinstance(value, str):
            return value
        if kind in KINDS and isinstance(value, int | float):
            return KINDS[kind](value, language, texts)
        if kind == "list" and isinstance(value, list | tuple):
            return ", ".join(show(each, "number") for each in value)
        if isinstance(value, Sentence):
            return _fill(value.key, value.args, language, texts)
        raise LookupError(f"the text {key!r} in the language {language!r} cannot write {value!r} as {kind!r}")

    def fill(field: re.Match[str]) -> str:
        if field[1] not in args:
            raise LookupError(f"the text {key!r} in the language {language!r} needs the argument {field[1]!r}")
        return show(args[field[1]], field[2] or "number")

    return FIELD.sub(fill, text)


def _write(value: float, language: str, most: int, least: int = 0) -> str:
    """Write a number with at most, and at least, so many decimals; rounded from its shortest digits, as browsers do."""
    with localcontext(rounding=ROUND_HALF_UP):
        whole, _, decimals = f"{Decimal(repr(value)):,.{most}f}".partition(".")
    decimals = decimals[:least] + decimals[least:].rstrip("0")
    thousands, point = SIGNS.get(language, SIGNS["en"])
    return whole.replace(",", thousands) + (point + decimals if decimals else "")


KINDS: dict[str, Callable[[float, str, Mapping[str, Text]], str]] = {
    "number": lambda value, language, _: _write(value, language, 6),
    "whole": lambda value, language, _: _write(value, language, 0),
    "percent": lambda value, language, _: f"{_write(100 * value, language, 2, 2)} %",
    "points": lambda value, language, texts: _fill("n.point", {"n": floor(100 * value + 0.5) / 100}, language, texts),
}
