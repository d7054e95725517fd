"""Where the squares of the Royal Game of Ur lie: cells of a grid by row and column, as the first player sees them.

A path begins where pieces wait, leads over its squares, and ends where pieces that are off lie. The second player's is the same,
seen from the other side of the board.
"""

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["lay_out"]

Cell = tuple[int, int]
Path = tuple[Cell, ...]

OWN, SHARED, OTHER = 2, 1, 0
"""The rows of the board."""
BEGIN = tuple((OWN, column) for column in (4, 3, 2, 1, 0))
ALONG = tuple((SHARED, column) for column in range(12))
END = ((OWN, 7), (OWN, 6), (OWN, 5))
PATHS: Mapping[str, Path] = {
    "finkel": (*BEGIN, *ALONG[:8], *END),
    "blitz": (*BEGIN, *ALONG[:7], (OTHER, 6), (OTHER, 7), (SHARED, 7), *END),
    "masters": (*BEGIN, *ALONG[:7], (OTHER, 6), (OTHER, 7), (SHARED, 7), *END),
    "aseb": (*BEGIN, *ALONG, (OWN, 11)),
}


def lay_out(variant: str, rosettes: Iterable[int]) -> dict[str, Any]:
    """Describe the board of a variant, in JSON types: both paths, and the cells of its rosettes.

    >>> board = lay_out("finkel", [4, 8, 14])
    >>> board["paths"][0][:3], board["rosettes"][0], board["rows"], board["columns"]
    ([[2, 4], [2, 3], [2, 2]], [0, 0], 3, 8)
    """
    first = PATHS[variant]
    paths = [[list(cell) for cell in first], [[OTHER + OWN - row, column] for row, column in first]]
    marked = sorted({(row, column) for path in paths for row, column in (path[square] for square in rosettes)})
    return {
        "rows": 3,
        "columns": 1 + max(column for _, column in first),
        "paths": paths,
        "rosettes": [list(cell) for cell in marked],
    }
