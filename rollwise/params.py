"""The kinds of values that a parameter of a game takes."""

from rollwise.model.parameter import Choice, File, Flag, Integer, Integers, Names, Text

__all__ = ["Choice", "File", "Flag", "Integer", "Integers", "Names", "Text"]
