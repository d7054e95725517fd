"""Races of two sides that do not disturb one another: recursion over pairs of positions."""
