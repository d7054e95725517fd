"""Parameters of a game: names with types, so that command lines, pages and messages need not guess.

A parameter has a kind, which reads its text and says what it expects. `Integer(low, high)`, `Flag()`, `Choice("a", "b")`,
`Names()`, `Integers()`, `Text()` and `File()` cover most; any function from text to value will do, too. Bounds are looked at
after the game had its say: a game's own sentence about a wrong value is better than any other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rollwise.errors import GameError, nearest
from rollwise.model import message
from rollwise.model.message import Message

__all__ = ["Choice", "File", "Flag", "Integer", "Integers", "Kind", "Names", "Parameter", "Text"]

FEW = 32
"""Whole numbers that are listed to choose from."""


class Kind:
    """What a parameter may be."""

    name: ClassVar[str]
    """What it is called in JSON."""
    expected: str = ""
    """What a text must be, for messages; "" where the help says it."""

    @property
    def bounds(self) -> str:
        """What a value must be that was read."""
        return self.expected

    def read(self, text: str) -> Any:
        """Read the value. Raises `ValueError`."""
        return text

    def fits(self, value: Any) -> bool:
        """Say whether a value that was read, or given as such, is within bounds."""
        return True

    def portable(self, text: str) -> str:
        """Write a text as one that means the same without a file."""
        return text

    @property
    def offers(self) -> tuple[str, ...]:
        """Values to choose from, as far as they can be listed."""
        return ()

    def as_dict(self) -> dict[str, Any]:
        """Describe the kind in JSON types: `type` and what goes with it."""
        return {"type": self.name}


@dataclass(frozen=True)
class Integer(Kind):
    """A whole number, optionally within bounds.

    >>> Integer(1, 9).read("7"), Integer(1, 9).fits(10), Integer(1, 9).bounds
    (7, False, 'an integer from 1 to 9')
    """

    name = "integer"
    expected = "an integer"

    low: int | None = None
    high: int | None = None

    @property
    def bounds(self) -> str:
        if self.low is not None and self.high is not None:
            return f"an integer from {self.low:,} to {self.high:,}"
        if self.low is not None:
            return f"an integer of at least {self.low:,}"
        return f"an integer of at most {self.high:,}" if self.high is not None else self.expected

    def read(self, text: str) -> int:
        return int(text)

    def fits(self, value: Any) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    @property
    def offers(self) -> tuple[str, ...]:
        if self.low is None or self.high is None or self.high - self.low >= FEW:
            return ()
        return tuple(map(str, range(self.low, self.high + 1)))

    def as_dict(self) -> dict[str, Any]:
        return {**super().as_dict(), "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Flag(Kind):
    """Yes or no.

    >>> Flag().read("yes"), Flag().read("no")
    (True, False)
    """

    name = "flag"
    expected = "yes or no"

    @property
    def offers(self) -> tuple[str, ...]:
        return ("yes", "no")

    def read(self, text: str) -> bool:
        answers = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        if text.lower() not in answers:
            raise ValueError(f"{text!r} is neither yes nor no")
        return answers[text.lower()]


@dataclass(frozen=True, init=False)
class Choice(Kind):
    """One of several names.

    >>> Choice("free", "forced", "none").expected
    'free, forced or none'
    """

    name = "choice"

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)

    @property
    def expected(self) -> str:  # type: ignore[override]
        return " or ".join([", ".join(self.names[:-1]), self.names[-1]]) if len(self.names) > 1 else self.names[0]

    @property
    def offers(self) -> tuple[str, ...]:
        return self.names

    def fits(self, value: Any) -> bool:
        return value in self.names

    def as_dict(self) -> dict[str, Any]:
        return {**super().as_dict(), "names": list(self.names)}


@dataclass(frozen=True)
class Names(Kind):
    """Names, separated by commas."""

    name = "names"
    expected = "names with commas between them"

    def read(self, text: str) -> list[str]:
        return text.split(",")


@dataclass(frozen=True)
class Integers(Kind):
    """Whole numbers, separated by commas."""

    name = "integers"

    def read(self, text: str) -> list[int]:
        return [int(number) for number in text.split(",")]


@dataclass(frozen=True)
class Text(Kind):
    """Any text."""

    name = "text"

    make: Callable[[str], Any] = str

    def read(self, text: str) -> Any:
        return self.make(text)


@dataclass(frozen=True)
class File(Kind):
    """Words separated by commas, or '@' and the name of a file with them."""

    name = "file"
    expected = "WORD,WORD,... or @FILE"

    def read(self, text: str) -> list[str] | Path:
        return Path(text[1:]) if text.startswith("@") else text.split(",")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game: its name, its kind (or a function from text to value), its help, and its default as text.

    >>> Parameter("faces", Integer(1), "faces of the die", "6").read("8")
    8
    """

    name: str
    kind: Any
    help: message.Text
    default: message.Text = ""
    label: message.Text = ""
    """What a form calls it; "": its name in words."""
    example: str = ""
    """What a form may hold at first, where there is no default."""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.name.replace("_", " ").replace("-", " ").capitalize())
        plain = {int: Integer(), str: Text(), bool: Flag()}
        if not hasattr(self.kind, "as_dict"):
            object.__setattr__(self, "kind", plain.get(self.kind) or Text(self.kind))

    @classmethod
    def known(
        cls, name: str, kind: Any, default: str = "", *, usual: str = "", key: str = "", example: str = ""
    ) -> "Parameter":  # fmt: skip
        """Make a parameter whose label and help are in the catalogues of `rollwise.texts`, under its name or another `key`.

        `usual` is the key of a default that is said in words.

        >>> str(Parameter.known("rerolls", Integer(0), "2").help)
        'rerolls a turn'
        """
        label, told = (Message(f"parameter.{key or name.replace('_', '-')}.{part}") for part in ("label", "help"))
        return cls(name, kind, told, Message(f"parameter.usual.{usual}") if usual else default, label, example)

    def read(self, text: str) -> Any:
        """Read the value from text. Raises `ValueError`."""
        return self.kind.read(text)

    def as_dict(self) -> dict[str, Any]:
        """Describe it in JSON types."""
        about = {"name": self.name, "label": self.label, "help": self.help, "default": self.default}
        return {**about, "example": self.example, "kind": self.kind.as_dict()}

    def misread(self, game: str, text: str) -> GameError:
        """Say that a text cannot be read, and what could."""
        return self._unfit(game, text, self.kind.expected)

    def misfit(self, game: str, value: Any) -> GameError:
        """Say that a value does not fit, and what would."""
        return self._unfit(game, value, self.kind.bounds)

    @property
    def offers(self) -> tuple[str, ...]:
        """Values to choose from, as far as they can be listed."""
        return tuple(getattr(self.kind, "offers", ()))

    def near(self, value: Any) -> str | None:
        """Give the value to choose that is most like one that does not fit, if any is."""
        words = [word for word in self.offers if not word.lstrip("-").isdigit()]
        return nearest(value, words) if isinstance(value, str) else None

    def _unfit(self, game: str, value: Any, wanted: str) -> GameError:
        told = str(self.help)
        colon = "; " if ":" in told else ": "
        kind = f"{wanted}{colon}" if wanted not in ("", told) else ""
        near = self.near(value)
        meant = "" if near is None else f" did you mean {near!r}?"
        return GameError(f"parameter {self.name}={value!r} of {game} does not fit:{meant} expected {kind}{told}")
