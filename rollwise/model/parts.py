"""What lies on the table, part by part: dictionaries in JSON types, and messages, that a board can draw without knowing the game.

dice      faces that lie on the table; `sides` of a die, where that is known
number    a number with a label; `low` and `high` are its range, null where that is not known
scores    the points of each player; `goal` is what they race to, `mover` whose turn it is
set       tiles by name, each `on` or off
mover     whose choice it is, 0 or 1
text      anything else
"""

from collections.abc import Sequence
from typing import Any

from rollwise.model.message import Message, Text

__all__ = ["Part", "dice_part", "mover_part", "number_part", "scores_part", "set_part", "spoken", "text_part"]

Part = dict[str, Any]


def dice_part(name: str, faces: Sequence[Any], sides: int | None = None, *, label: Text = "") -> Part:
    """Describe dice.

    >>> dice_part("hand", (1, 3), 6)
    {'kind': 'dice', 'name': 'hand', 'label': Message(key='part.label', args={'name': 'hand'}), 'faces': ['1', '3'], 'sides': 6}
    """
    return {"kind": "dice", "name": name, "label": _label(name, label), "faces": [str(face) for face in faces], "sides": sides}


def number_part(name: str, value: int, low: int | None = None, high: int | None = None, *, label: Text = "") -> Part:
    """Describe a number."""
    return {"kind": "number", "name": name, "label": _label(name, label), "value": value, "low": low, "high": high}


def scores_part(name: str, values: Sequence[int], goal: int | None = None, mover: int | None = None, *, label: Text = "") -> Part:
    """Describe the points of each player."""
    about = {"values": list(values), "goal": goal, "mover": mover}
    return {"kind": "scores", "name": name, "label": _label(name, label), **about}


def set_part(name: str, members: Sequence[str], on: Sequence[bool], *, label: Text = "") -> Part:
    """Describe tiles."""
    tiles = [{"name": member, "on": bool(is_on)} for member, is_on in zip(members, on, strict=True)]
    return {"kind": "set", "name": name, "label": _label(name, label), "members": tiles}


def mover_part(name: str, player: int, *, label: Text = "") -> Part:
    """Say whose choice it is."""
    return {"kind": "mover", "name": name, "label": _label(name, label), "player": player}


def text_part(name: str, text: Text, *, label: Text = "") -> Part:
    """Describe anything."""
    return {"kind": "text", "name": name, "label": _label(name, label), "text": text}


def _label(name: str, label: Text) -> Text:
    """Give the label of a part, which the catalogue may know by its English text."""
    return Message("part.label", {"name": label or spoken(name)}) if isinstance(label, str) else label


def spoken(name: str) -> str:
    """Write a name as people do.

    >>> spoken("points_needed")
    'points needed'
    """
    return name.replace("_", " ")
