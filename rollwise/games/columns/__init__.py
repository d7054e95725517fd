"""Rules over columns: `ColumnGame`, the columns of a position, and the tables that rules are joined with."""

from numpy import maximum, minimum

from rollwise.games.columns.column import Column, Dice, Die, Mover, Number, Subset
from rollwise.games.columns.game import ColumnGame
from rollwise.games.columns.hands import Hands
from rollwise.games.columns.positions import has, where
from rollwise.games.columns.relation import Relation, throws
from rollwise.games.columns.rules import Chance, Choice, chance, choice

__all__ = [
    "Chance",
    "Choice",
    "Column",
    "ColumnGame",
    "Dice",
    "Die",
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
