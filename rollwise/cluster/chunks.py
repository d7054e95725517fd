"""Chunks of a layer: runs of the blocks of its file, each of which has a checksum.

A layer is cut between blocks, not between rows: a row that is cut is computed twice, which costs a row for every chunk, and in
return all workers write into one file, which others map as it is.
"""

from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.solvers.base.array_files import BLOCK, npy_header
from rollwise.solvers.base.layers import Recursion

__all__ = ["Span", "chunk_bytes", "cut_blocks", "layer_blocks", "rows_of", "span_of"]

LEAST = (1 << 18) // BLOCK
MOST_BYTES = 1 << 23
"""Bytes of a chunk: enough that starting a task does not count, and few enough that little is lost and workers end together."""
MOST_CHUNKS = 4096


class Span(NamedTuple):
    """A part of the values of a layer laid flat."""

    begin: int
    end: int


def cut_blocks(first: int, end: int, workers: int) -> list[int]:
    """Cut blocks for so many workers: large chunks first, small ones at the end, so that all end together.

    >>> cut_blocks(0, 10, 2), cut_blocks(4, 5, 2)
    ([0, 2, 4, 6, 8, 10], [4, 5])
    """
    most, total = chunk_bytes((end - first) * BLOCK) // BLOCK, end - first
    cuts = [first]
    while cuts[-1] < end:
        rest = end - cuts[-1]
        wanted = min(most, max(min(LEAST, total // (2 * workers)), rest // (2 * workers)))
        cuts.append(min(end, cuts[-1] + max(1, wanted)))
    return cuts


def chunk_bytes(layer_bytes: int) -> int:
    """Say how large the largest chunk of a layer is, about."""
    return max(MOST_BYTES, -(-layer_bytes // MOST_CHUNKS))


def layer_blocks(recursion: Recursion, layer: int) -> int:
    """Count the blocks of the file of a layer."""
    shape = recursion.shapes[layer]
    return -(-(len(npy_header(recursion.dtype, shape)) + np.dtype(recursion.dtype).itemsize * prod(shape)) // BLOCK)


def span_of(recursion: Recursion, layer: int, first: int, end: int) -> Span:
    """Give the values in the blocks from `first` to `end` of the file of a layer."""
    header, size = len(npy_header(recursion.dtype, recursion.shapes[layer])), np.dtype(recursion.dtype).itemsize
    begin, last = (max(0, block * BLOCK - header) // size for block in (first, end))
    return Span(begin, min(last, prod(recursion.shapes[layer])))


def rows_of(row_start: npt.NDArray[np.int64], span: Span) -> tuple[int, int]:
    """Give the first row that a span is a part of, and the one after the last."""
    first = int(np.searchsorted(row_start, span.begin, "right")) - 1
    return first, max(first, int(np.searchsorted(row_start, span.end, "left")))
