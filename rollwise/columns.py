"""Games whose rules are written over columns of integers, for all positions at once."""

from rollwise.games.columns import (
    ColumnGame,
    Dice,
    Hands,
    Mover,
    Number,
    Relation,
    Subset,
    chance,
    choice,
    has,
    maximum,
    minimum,
    throws,
    where,
)

__all__ = [
    "ColumnGame",
    "Dice",
    "Hands",
    "Mover",
    "Number",
    "Relation",
    "Subset",
    "chance",
    "choice",
    "has",
    "maximum",
    "minimum",
    "throws",
    "where",
]
