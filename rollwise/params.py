"""The kinds of parameters of games."""

from rollwise.model.parameter import Choice, File, Flag, Integer, Integers, Names, Text

__all__ = ["Choice", "File", "Flag", "Integer", "Integers", "Names", "Text"]
