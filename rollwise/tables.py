"""The strategy as a table: one row per decision, with columns that a person reads."""

import csv
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from rollwise.errors import GameError
from rollwise.game import Progress
from rollwise.objective import AtLeast, Fewest, Objective
from rollwise.solution import Solution

__all__ = ["policy_rows", "value_word", "write_policy"]


def value_word(objective: Objective) -> str:
    """Name what a value is.

    >>> value_word(AtLeast(45))
    'win probability'
    """
    if isinstance(objective, AtLeast):
        return "win probability"
    return "expected rolls" if isinstance(objective, Fewest) else "expected total"


def policy_rows(solution: Solution) -> Iterator[dict[str, str]]:
    """Give the strategy row by row: the state's columns, the action, its value, and the loss of the second best."""
    game = solution.game
    for state, action, value, second in solution.policy():
        yield {
            **game.columns(state),
            game.action_word: game.show_action(action),
            value_word(solution.objective): _number(value),
            "loss of second best": "" if second is None else _number(second),
        }


def _number(value: float | Fraction) -> str:
    return str(value) if isinstance(value, Fraction) else repr(value)


def write_policy(solution: Solution, path: Path, progress: Progress | None = None) -> int:
    """Write the strategy as CSV and return the number of rows; the file appears complete or not at all.

    Raises `GameError` for another ending than .csv or a place that cannot be written.
    """
    if path.suffix.lower() != ".csv":
        raise GameError(f"cannot write {str(path)!r}: the strategy is written as CSV, so name a file that ends in .csv")
    rows = 0
    try:
        with NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False, newline="", encoding="utf-8") as part:
            try:
                rows = _write_rows(solution, csv.writer(part), progress)
                part.close()
                os.chmod(part.name, 0o666 & ~_umask())  # noqa: PTH101
                Path(part.name).replace(path)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise GameError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    return rows


def _write_rows(solution: Solution, writer: Any, progress: Progress | None) -> int:
    count = 0
    for count, row in enumerate(policy_rows(solution), 1):
        if count == 1:
            writer.writerow(row)
        writer.writerow(row.values())
        if progress and count % 10_000 == 0:
            progress("writing", count, solution.states)
    return count


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
