"""What floating point means here: the unit of rounding, and when two numbers tie."""

__all__ = ["TIE", "UNIT", "WHOLE"]

UNIT = 2.0**-53
"""The largest relative error of one rounding in float64."""
WHOLE = 2.0**53
"""Integers below this are floats, and add up to one without rounding."""
TIE = 1e-9
"""Actions within this relative distance of the best are ties; the first one listed is chosen."""
