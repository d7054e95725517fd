"""Why a result can be trusted."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from rollwise.solvers.base.numbers import UNIT

__all__ = ["Certificate"]

Checked = Literal["everywhere", "on a sample", "by recursion"]


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """Why a result can be trusted.

    `ends`: the policy ends with probability one wherever the value is finite. `residual`: the most by which any action, or any
    roll, differs from the optimality equation. `shortfall`: the most by which a chosen action lies below the best one.
    `error_bound`: no value is further than this from the truth, and the policy attains each value up to this; 0 in exact mode.
    `checked` says where residual and shortfall were measured: at every position, or on a sample, by another way of calculating;
    or nowhere, where a value follows by recursion from those after it and the bound adds up the rounding of every step.
    """

    exact: bool = False
    ends: bool = True
    residual: float | Fraction
    shortfall: float | Fraction = 0.0
    error_bound: float
    checked: Checked = "on a sample"

    def scaled(self, unit: float) -> "Certificate":
        """Give the certificate of the same values divided by `unit`, with the rounding of that division."""
        if unit == 1:
            return self
        bound = 0.0 if self.exact else 1.01 * self.error_bound / unit + UNIT
        return replace(self, residual=self.residual / unit, shortfall=self.shortfall / unit, error_bound=bound)

    def widened(self, by: float) -> "Certificate":
        """Give the certificate of values whose payoffs were rounded by at most so much."""
        return replace(self, error_bound=self.error_bound + by)

    def as_dict(self) -> dict[str, Any]:
        """Give the fields as JSON types."""
        return {
            "exact": self.exact,
            "policy_ends": self.ends,
            "residual": float(self.residual),
            "shortfall": float(self.shortfall),
            "error_bound": self.error_bound,
            "checked": self.checked,
        }
