"""What a face is worth: how the value of a game changes with the chance of each face of its dice."""

from collections.abc import Sequence
from dataclasses import dataclass

from rollwise.model.weights import Faces
from rollwise.solvers.base.blocks import Block, Grid, Heading, Prose

__all__ = ["DieSlopes", "FaceSlopes", "slope_blocks"]


@dataclass(frozen=True)
class DieSlopes:
    """The slopes of the value by the chance of each face of some equal dice, all of them changed alike.

    A face that becomes likelier by x takes x from the others, each in proportion to its chance; `by_face[f - 1]` is the
    derivative by x at 0, under the best strategy. None: the positions after a face that never comes are not known.
    """

    weights: Faces
    count: int
    by_face: tuple[float | None, ...]


@dataclass(frozen=True)
class FaceSlopes:
    """The slopes of all dice of a game.

    With `ties`, best play meets decisions with several best moves. There the value may have a kink: the slopes are those of the
    strategy that is reported, and hold to one side.
    """

    dice: tuple[DieSlopes, ...]
    ties: bool


def slope_blocks(slopes: FaceSlopes, unit: str) -> list[Block]:
    """Write slopes as a section of a page, by percentage points of chance."""
    faces = max(len(die.weights) for die in slopes.dice)
    rows: list[Sequence[str]] = []
    for die in slopes.dice:
        shown = ("-" if slope is None else f"{slope / 100:+.4g}" for slope in die.by_face)
        rows.append((",".join(map(str, die.weights)), str(die.count), *shown))
    ties = " Some decisions have several best moves: there the slopes of the strategy shown hold to one side only." * slopes.ties
    return [
        Heading("What a face is worth"),
        Prose(
            f"How much the value rises, in {unit}, when a face comes one percentage point more often, and the others less, in "
            f"proportion.{ties}"
        ),
        Grid(["weights of the die", "dice", *map(str, range(1, faces + 1))], rows),
    ]
