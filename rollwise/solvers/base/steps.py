"""Many games at once, a decision of each at a time: what a solver may offer to those who play without knowing the best moves."""

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

__all__ = ["Steps"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Steps(ABC):
    """Games side by side, in lanes. Actions are numbered as `every_action` of the game lists them.

    A lane that was begun is before its first roll, where any action rolls. An action that is not allowed is taken for the first
    one that is.
    """

    @abstractmethod
    def begin(self, lanes: Ints) -> None:
        """Put some lanes before their first roll."""

    @abstractmethod
    def features(self) -> dict[str, Ints]:
        """Give what `features` of the game says, lane by lane; before the first roll, everything at its lowest."""

    @abstractmethod
    def allowed(self) -> Bools:
        """Mark the actions that are allowed, lane by lane; before the first roll the first one."""

    @abstractmethod
    def move(self, lanes: Ints, actions: Ints, random: "np.random.Generator") -> tuple[Ints, Bools]:
        """Take an action in each of some lanes, and roll; give the points gained, and which games are over."""
