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
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import floor

from rollwise.model.message import Argument, Message
from rollwise.texts import Text, read_texts

__all__ = ["render"]

FIELD = re.compile(r"\{(\w+)(?:, (\w+))?\}")
SIGNS = {"en": (",", "."), "de": (".", ",")}
"""What stands between thousands, and before decimals; as in English where a language is not listed."""
ONE = {"en": (1, -1, "1", "-1"), "de": (1, -1, "1", "-1")}
"""The numbers that take the form `one`; as in English where a language is not listed."""


def render(message: Message, language: str = "en", texts: Mapping[str, Text] | None = None) -> str:
    """Write a message in a language, from its catalogue or from other `texts`.

    >>> render(Message("n.point", {"n": 1200})), render(Message("n.point", {"n": 1}), "de")
    ('1,200 points', '1 Punkt')

    Raises `LookupError` for a key or an argument that is missing, and for one that cannot be written as its kind.
    """
    known = read_texts(language) if texts is None else texts
    text = known.get(message.key)
    if text is None:
        raise LookupError(f"no text {message.key!r} in the language {language!r}: add it to rollwise/texts/{language}.json")
    if not isinstance(text, str):
        text = text["one" if message.args.get("n") in ONE.get(language, ONE["en"]) else "other"]

    def show(value: Argument, kind: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, Message):
            return render(value, language, known)
        if kind == "list" and isinstance(value, list | tuple):
            return ", ".join(show(each, "number") for each in value)
        if kind in KINDS and isinstance(value, int | float):
            shown = KINDS[kind](value, language)
            return shown if isinstance(shown, str) else render(shown, language, known)
        raise LookupError(f"the text {message.key!r} in the language {language!r} cannot write {value!r} as {kind!r}")

    def fill(field: re.Match[str]) -> str:
        if field[1] not in message.args:
            raise LookupError(f"the text {message.key!r} in the language {language!r} needs the argument {field[1]!r}")
        return show(message.args[field[1]], field[2] or "number")

    return FIELD.sub(fill, text)


def _write(value: float, language: str, most: int, least: int = 0) -> str:
    """Write a number with at most, and at least, so many decimals; rounded from its shortest digits, as browsers do."""
    with localcontext(rounding=ROUND_HALF_UP):
        whole, _, decimals = f"{Decimal(repr(value)):,.{most}f}".partition(".")
    decimals = decimals[:least] + decimals[least:].rstrip("0")
    thousands, point = SIGNS.get(language, SIGNS["en"])
    return whole.replace(",", thousands) + (point + decimals if decimals else "")


KINDS: dict[str, Callable[[float, str], str | Message]] = {
    "number": lambda value, language: _write(value, language, 6),
    "whole": lambda value, language: _write(value, language, 0),
    "percent": lambda value, language: f"{_write(100 * value, language, 2, 2)} %",
    "points": lambda value, _: Message("n.point", {"n": floor(100 * value + 0.5) / 100}),
}
