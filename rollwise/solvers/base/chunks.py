"""Rows of a strategy, column by column."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Chunk", "Coded", "Column"]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of text: the different texts, and for each row the number of its text. `whole`: they are whole numbers."""

    texts: tuple[str, ...]
    codes: npt.NDArray[np.int32]
    whole: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> "Coded":
        return Coded(self.texts, self.codes[rows], self.whole)


Column = Coded | npt.NDArray[Any]
Chunk = dict[str, Column]
"""Some rows of the strategy, by column."""
