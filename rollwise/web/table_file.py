"""The file of a table: gzip; in it a mark, the length of a header, the header in JSON, and arrays of whole numbers.

    mark       "rollwise table 1" and a line feed: the number is that of the format
    length     of the header in bytes, 4 bytes, the lowest first
    header     UTF-8; `arrays` lists the arrays in the order in which they follow, each with `name`, `count`, `planes` and `code`
    array      `planes` times `count` bytes: the lowest bytes of all numbers, then the next higher ones, and so on

A number n stands as 2n, or as -2n - 1 if it is below 0. In the code "delta" it is the difference to the number before it (for the
first one, to 0); of both codes the one that is smaller is taken. Bytes of one plane are alike, so gzip packs them well. Its
checksum is that of the content, and the reader verifies it.

Texts of which many differ in their numbers only are patterns and columns of numbers. A text is cut into numbers and what stands
between them, its pattern. Texts of one pattern stand together, number by number, which packs well; a column that is the same as
one before it is named and not written again. Equal texts are written once.
"""

import json
import re
from collections.abc import Mapping, Sequence
from gzip import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import require

__all__ = ["MARK", "pack_texts", "write_file"]

MARK = b"rollwise table 1\n"
MOST = 1 << 30
"""Numbers in arrays are smaller than this: a page keeps them in 32 bits, differences included."""

NUMBER = re.compile(r"(?<!\d)(0|[1-9]\d{0,8})(?!\d)")

Ints = npt.NDArray[np.int64]


def write_file(header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Write a table."""
    coded = [_code(name, array.astype(np.int64).reshape(-1)) for name, array in arrays.items()]
    listed = [about for about, _ in coded]
    text = json.dumps({**header, "arrays": listed}, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    return compress(b"".join([MARK, len(text).to_bytes(4, "little"), text, *(content for _, content in coded)]), mtime=0)


def _code(name: str, numbers: Ints) -> tuple[dict[str, Any], bytes]:
    """Write an array in the code that takes fewer bytes packed."""
    require(
        not len(numbers) or int(np.abs(numbers).max()) < MOST, f"an array of a table, {name}, holds a number that is too large"
    )
    found = []
    for code, row in (("plain", numbers), ("delta", np.diff(numbers, prepend=0))):
        planes = _planes(row)
        about = {"name": name, "count": len(numbers), "planes": len(planes), "code": code}
        content = b"".join(planes)
        found.append((len(compress(content, 6)), about, content))
    _, about, content = min(found, key=lambda row: row[0])
    return about, content


def _planes(numbers: Ints) -> list[bytes]:
    folded = np.where(numbers >= 0, 2 * numbers, -2 * numbers - 1)
    most = int(folded.max(initial=0))
    return [(folded >> 8 * plane & 255).astype(np.uint8).tobytes() for plane in range((most.bit_length() + 7) // 8)]


def pack_texts(name: str, texts: Sequence[str]) -> tuple[dict[str, Any], dict[str, Ints]]:
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
    listed, columns = [], list[Ints]()
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


def _columns(rows: Ints) -> tuple[list[int], list[Ints]]:
    """Say of each column which one before it is the same (-1: none), and give those that are written."""
    known: dict[bytes, int] = {}
    same, own = [], []
    for place, column in enumerate(rows.T):
        first = known.setdefault(column.tobytes(), place)
        same.append(-1 if first == place else first)
        own += [column] if first == place else []
    return same, own
