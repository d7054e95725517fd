"""The kinds of parameters of games, and files of dice."""

from rollwise.model.parameter import Choice, File, Flag, Integer, Integers, Names, Text
from rollwise.model.weights import OwnDie, Weights, read_dice

__all__ = ["Choice", "File", "Flag", "Integer", "Integers", "Names", "OwnDie", "Text", "Weights", "read_dice"]
