"""The picture of a sweep: the value over one parameter, as lines over one for a few values of another, or as a map over two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rollwise.errors import GameError
from rollwise.model.formatting import counted
from rollwise.solvers.base.pictures import WIDTH, HeatRow, Series, value_curve, value_map

__all__ = ["Drawn", "check_drawn", "sweep_picture"]

LINES = 3
"""Values of a second parameter that are told apart as lines."""
WIDE = 120
TALL = 60
PLACES = 12
LONGEST = 24
"""Signs of a value that are written; the table has them all."""


@dataclass(frozen=True)
class Drawn:
    """A parameter that is swept: its name, its values in order, and whether they are numbers."""

    name: str
    values: tuple[Any, ...]
    numeric: bool


def check_drawn(axes: Sequence[Drawn]) -> tuple[Drawn, ...]:
    """Give those that vary, the one that goes across first. Raises `GameError` where no picture shows them."""
    varied = [axis for axis in axes if len(axis.values) > 1] or list(axes[:1])
    if not 1 <= len(varied) <= 2:
        raise GameError(f"--plot draws a value over one parameter or two: {counted(len(varied), 'parameter')} are swept")
    if len(varied) == 1 and not varied[0].numeric and len(varied[0].values) > PLACES:
        raise GameError(
            f"--plot draws at most {PLACES} values that are not numbers: {varied[0].name} has {len(varied[0].values)}"
        )
    by_size = sorted(varied, key=lambda axis: (axis.numeric, len(axis.values)), reverse=True)
    if len(varied) == 2 and (len(by_size[0].values) > WIDE or len(by_size[1].values) > TALL) and not _as_lines(by_size):
        raise GameError(f"--plot draws a map of at most {WIDE} by {TALL} values: use larger steps")
    return tuple(by_size)


def _as_lines(axes: Sequence[Drawn]) -> bool:
    return len(axes) == 2 and axes[0].numeric and len(axes[1].values) <= LINES


def sweep_picture(
    game: str, axes: Sequence[Drawn], rows: Sequence[Mapping[str, Any]], value: str, *, share: bool, to: float | None = None
) -> str:
    """Draw the column `value` of rows. `share`: values are chances; `to`: a value to mark. Raises `GameError`.

    >>> rows = [{"target": t, "value": 1 / t} for t in (2, 4)]
    >>> sweep_picture("slots", [Drawn("target", (2, 4), True)], rows, "value", share=True).count("<circle")
    2
    """
    drawn = check_drawn(axes)
    show = _percent if share else "{:.6g}".format
    found = {tuple(row[axis.name] for axis in drawn): row[value] for row in rows if _finite(row[value])}
    if not found:
        raise GameError("--plot has nothing to draw: no combination has a value")
    title, about = f"{game}: value by {' and '.join(axis.name for axis in drawn)}", _about(found, len(rows), show)
    if len(drawn) == 2 and not _as_lines(drawn):
        return _map(title, about, drawn, found, game, show)
    across = drawn[0]
    lines = [(f"{drawn[1].name} {_text(one)}", (one,)) for one in drawn[1].values] if len(drawn) == 2 else [("", ())]
    places = () if across.numeric else tuple(_text(value, WIDTH // 8 // len(across.values)) for value in across.values)
    series = [
        Series(name, [(i if places else x, found[(x, *rest)]) for i, x in enumerate(_risen(across)) if (x, *rest) in found])
        for name, rest in lines
    ]
    drawable = [line for line in series if line.points]
    return value_curve(title, about, drawable, (across.name, f"value of {game}"), show=show, places=places, level=to)


def _map(title: str, about: str, drawn: Sequence[Drawn], found: Mapping[tuple[Any, ...], float], game: str, show: Any) -> str:
    across, down = drawn
    brief = (lambda cell: f"{100 * cell:.0f}") if show is _percent else "{:.4g}".format
    unit = ", percent" if show is _percent else ""
    rows = [HeatRow(_text(y), [found.get((x, y)) for x in _risen(across)]) for y in _risen(down)]
    return value_map(
        title,
        about,
        [_text(x) for x in _risen(across)],
        rows,
        show=show,
        labels=(f"{across.name} (value of {game}{unit})", down.name),
        brief=brief,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def _risen(axis: Drawn) -> list[Any]:
    return sorted(axis.values) if axis.numeric else list(axis.values)


def _text(value: Any, most: int = LONGEST) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _finite(value: Any) -> bool:
    return value is not None and abs(value) != float("inf")


def _about(found: Mapping[tuple[Any, ...], float], count: int, show: Any) -> str:
    failed = f"; {count - len(found)} have no value" if len(found) < count else ""
    return f"{counted(count, 'combination')}, values from {show(min(found.values()))} to {show(max(found.values()))}{failed}."
