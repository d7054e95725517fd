"""Dice into groups of given sizes: recursion over partitions."""
