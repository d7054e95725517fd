"""The file of a table: gzip; in it a mark, the length of a header, the header in JSON, and arrays of whole numbers.

    mark       "rollwise table 1" and a line feed: the number is that of the format
    length     of the header in bytes, 4 bytes, the lowest first
    header     UTF-8; `arrays` lists the arrays in the order in which they follow, each with `name`, `count`, `planes` and `code`
    array      `planes` times `count` bytes: the lowest bytes of all numbers, then the next higher ones, and so on

A number n stands as 2n, or as -2n - 1 if it is below 0. In the code "delta" it is the difference to the number before it (for the
first one, to 0); of both codes the one that is smaller is taken. Bytes of one plane are alike, so gzip packs them well. Its
checksum is that of the content, and whoever unpacks it tests it.
"""

import json
from collections.abc import Mapping
from gzip import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from rollwise.errors import require

__all__ = ["MARK", "write_file"]

MARK = b"rollwise table 1\n"
MOST = 1 << 30
"""Numbers in arrays are smaller than this: a page keeps them in 32 bits, differences included."""

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
