"""What a game can be played for, as a form shows it: a name, a sentence, typed fields, and how they make an objective's text.

An `OfferedAim` is not an objective: it is the way to one. `write` puts the fields into the text that `read_objective` reads; a
page does the same with `text` alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rollwise.model.message import Message, Text
from rollwise.model.parameter import Choice, Parameter

__all__ = ["TIES", "OfferedAim"]

TIES = Parameter.known("ties", Choice("half", "win", "lose"), "half")


@dataclass(frozen=True)
class OfferedAim:
    """A way to say what is best: `text` is an objective's, with fields in braces; "": whatever is the game's own.

    >>> from rollwise.model.parameter import Integer
    >>> target = Parameter("target", Integer(), "points to reach")
    >>> aim = OfferedAim("at-least", "Reach a total", "The best chance.", "at-least {target}", (target,))
    >>> aim.write({"target": "200"})
    'at-least 200'
    """

    name: str
    label: Text
    help: Text
    text: str
    fields: tuple[Parameter, ...] = ()

    @classmethod
    def known(cls, name: str, text: str, fields: tuple[Parameter, ...] = (), *, key: str = "") -> "OfferedAim":
        """Make an aim whose label and help are in the catalogues of `rollwise.texts`, under its name or another `key`."""
        return cls(name, Message(f"aim.{key or name}.label"), Message(f"aim.{key or name}.help"), text, fields)

    def write(self, values: Mapping[str, str]) -> str:
        """Write the objective with these fields; those left out have their defaults."""
        return self.text.format(**{field.name: values.get(field.name) or str(field.default) for field in self.fields})

    def as_dict(self) -> dict[str, Any]:
        """Describe it in JSON types."""
        about = {"name": self.name, "label": self.label, "help": self.help, "text": self.text}
        return {**about, "fields": [field.as_dict() for field in self.fields]}
