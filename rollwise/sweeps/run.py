"""Sweep a game in one call."""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any

from rollwise.errors import GameError, brief
from rollwise.playing.objective_options import ObjectiveOptions
from rollwise.sweeps.journal import SweepJournal
from rollwise.sweeps.sweep import Row, SweepRows, make_sweep
from rollwise.sweeps.workers import Here, Processes

__all__ = ["sweep"]


def sweep(
    game: str | PathLike[str],
    over: Mapping[str, Iterable[Any]],
    *,
    parameters: Mapping[str, Any] | None = None,
    objective: str | None = None,
    exact: bool = False,
    distributions: bool = True,
    max_states: int | None = None,
    workers: int | None = None,
) -> list[Row]:
    """Solve a game, named as on the command line, under every combination of values; give a row for each.

    >>> rows = sweep("slots", {"target": range(44, 47)}, distributions=False)
    >>> [(row["target"], round(row["value"], 6), row["error"]) for row in rows]
    [(44, 0.361175, None), (45, 0.296146, None), (46, 0.232146, None)]

    `over` may also name `objective` and `at-least`. `distributions=False` leaves quantiles out, which is quicker; `workers` is a
    number of processes (default: this one alone). A combination that cannot be solved is a row with its `error`. Raises
    `GameError` for names and values that cannot be read.
    """
    if not isinstance(game, str | PathLike):
        raise GameError(f"sweep was given {brief(game)}: expected the name of a game or the path of its file, such as 'slots'")
    if not isinstance(over, Mapping) or not all(isinstance(values, Iterable) for values in over.values()):
        raise GameError(f"sweep was to go over {brief(over)}: expected values by name, such as {{'target': [40, 45]}}")
    game = fspath(game)
    listed = [f"{name}={''.join(f'{_text(value)};' for value in values)}" for name, values in over.items()]
    fixed = {name: _text(value) for name, value in (parameters or {}).items()}
    asked = make_sweep(
        game, listed, fixed, aim=ObjectiveOptions(objective), exact=exact, distributions=distributions, max_states=max_states
    )
    hands = Here() if workers is None else Processes(workers)
    try:
        with SweepJournal(None, asked.command()) as journal:
            rows = SweepRows(asked, hands, journal)
            rows.solve(list(asked.combinations()))
            return rows.listed()
    finally:
        hands.close()


def _text(value: Any) -> str:
    """Write a value as the command line has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
