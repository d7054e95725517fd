"""Strategies: the optimal one, simple ones, and your own."""

from rollwise.model.policy import Choose, Greedy, Optimal, Players, Policy, Random, Table

__all__ = ["Choose", "Greedy", "Optimal", "Players", "Policy", "Random", "Table"]
