"""Reroll any dice until they show a goal: separable sweeps."""
