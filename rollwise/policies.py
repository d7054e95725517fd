"""Policies: the optimal one, simple ones, and your own."""

from rollwise.model.policy import FunctionPolicy, Greedy, Optimal, Policy, PolicyPair, RandomPolicy, TablePolicy

__all__ = ["FunctionPolicy", "Greedy", "Optimal", "Policy", "PolicyPair", "RandomPolicy", "TablePolicy"]
