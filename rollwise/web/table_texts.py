"""Texts of a table: many that differ in their numbers only, as patterns and columns of numbers.

A text is cut into numbers and what stands between them, its pattern. Texts of one pattern stand together, number by number, which
packs well; a column that is the same as one before it is named and not written again. Equal texts are written once.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["pack_texts"]

NUMBER = re.compile(r"(?<!\d)(0|[1-9]\d{0,8})(?!\d)")

Arrays = dict[str, npt.NDArray[np.int64]]


def pack_texts(name: str, texts: Sequence[str]) -> tuple[dict[str, Any], Arrays]:
    """Give what the header says about texts, and their arrays, whose names begin with `name`.

    >>> about, arrays = pack_texts("state", ["3 of 3", "4 of 4", "over", "3 of 3"])
    >>> about["patterns"], arrays["state_index"].tolist(), arrays["state_numbers"].tolist()
    ([{'pieces': ['', ' of ', ''], 'same': [-1, 0]}, {'pieces': ['over'], 'same': []}], [0, 1, 2, 0], [3, 4])
    """
    once = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    patterns: dict[tuple[str, ...], list[list[int]]] = {}
    number: dict[tuple[str, ...], int] = {}
    which = []
    for text in once:
        pieces = NUMBER.split(text)
        pattern = tuple(pieces[::2])
        patterns.setdefault(pattern, []).append([int(piece) for piece in pieces[1::2]])
        which.append(number.setdefault(pattern, len(number)))
    listed, columns = [], list[npt.NDArray[np.int64]]()
    for pattern, rows in patterns.items():
        same, own = _columns(np.array(rows, dtype=np.int64).reshape(len(rows), len(pattern) - 1))
        listed.append({"pieces": list(pattern), "same": same})
        columns += own
    arrays = {
        f"{name}_pattern": np.array(which, dtype=np.int64),
        f"{name}_numbers": np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64),
    }
    if len(once) < len(texts):
        arrays[f"{name}_index"] = np.array([once[text] for text in texts], dtype=np.int64)
    return {"patterns": listed}, arrays


def _columns(rows: npt.NDArray[np.int64]) -> tuple[list[int], list[npt.NDArray[np.int64]]]:
    """Say of each column which one before it is the same (-1: none), and give those that are written."""
    known: dict[bytes, int] = {}
    same, own = [], []
    for place, column in enumerate(rows.T):
        first = known.setdefault(column.tobytes(), place)
        same.append(-1 if first == place else first)
        own += [column] if first == place else []
    return same, own
