"""A sentence as data: a key of the catalogues of `rollwise.texts`, and what is filled in there. The language comes later.

What people read is a `Text`: a message, or plain text where a user's game says it. `str` writes both, in the language of the
command line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rollwise.texts import read_texts
from rollwise.texts.render import render

__all__ = ["Argument", "Message", "Text", "known_text", "round_chance"]


@dataclass(frozen=True)
class Message:
    """A key and its arguments by name.

    >>> message = Message("table.why", {"loss": 0.25, "reasons": [Message("sheet.fills", {"box": "sixes"})]})
    >>> message.as_dict()
    {'key': 'table.why', 'args': {'loss': 0.25, 'reasons': [{'key': 'sheet.fills', 'args': {'box': 'sixes'}}]}}
    >>> Message.from_dict(message.as_dict()) == message
    True
    """

    key: str
    args: Mapping[str, "Argument"] = field(default_factory=dict)

    def __str__(self) -> str:
        return render(self)

    def __hash__(self) -> int:
        return hash((self.key, frozenset((name, arg) for name, arg in self.args.items() if isinstance(arg, str | int | float))))

    def as_dict(self) -> dict[str, Any]:
        """Give the message in JSON types."""
        return {"key": self.key, "args": {name: _plain(value) for name, value in self.args.items()}}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> "Message":
        """Read a message from what `as_dict` gives."""
        return cls(told["key"], {name: _read(value) for name, value in told["args"].items()})


Argument = str | float | Message | Sequence["Argument"]
"""What may be filled in: text, a number, another message, or a list of them."""
Text = Message | str
"""What people read."""


def round_chance(chance: float) -> float:
    """Round a chance to what is written of it (the kind `chance`), so that a message is as short as what it says.

    >>> round_chance(1 / 3), round_chance(0.0004321), round_chance(0.9997), round_chance(1)
    (0.33, 0.00043, 0.999, 1.0)
    """
    if 0.995 < chance < 1 - 1e-9:
        return 0.999
    return float(f"{100 * chance:.0f}") / 100 if chance >= 0.005 or not chance else float(f"{chance:.2g}")


def _plain(value: Argument) -> Any:
    if isinstance(value, Message):
        return value.as_dict()
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _read(value: Any) -> Argument:
    if isinstance(value, Mapping):
        return Message.from_dict(value)
    return [_read(each) for each in value] if isinstance(value, list) else value


def known_text(key: str, otherwise: str) -> Text:
    """Give the message of a key that the catalogues have; else a plain text.

    >>> str(known_text("family.tiles", "tiles")), known_text("family.cards", "cards")
    ('tiles', 'cards')
    """
    return Message(key) if key in read_texts("en") else otherwise
