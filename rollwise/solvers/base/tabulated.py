"""A solution as small arrays, from which any position is computed where there is no library: on a page without a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

__all__ = ["Tabulated"]


@dataclass(frozen=True, eq=False)
class Tabulated:
    """Arrays of whole numbers by name, values that may be rounded, and what else is needed, in JSON types.

    `kind` names what reads it. Values that are rounded by some amount make every answer wrong by at most that amount.
    """

    kind: str
    about: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[Any]]
    values: npt.NDArray[Any]
    count: str
    """How many values there are, in words."""
    more: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    """Further arrays, which are left out where there is no room for them."""
    more_about: Mapping[str, Any] = field(default_factory=dict)
    """What is said about these, in JSON types."""
