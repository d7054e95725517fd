"""What "best" means.

`Expected` maximises the expected total, `AtLeast(t)` the probability of a total of at least t, and `Fewest` minimises the
expected cost until the end. Engines know only one form, an expected sum to be maximised or minimised; the lift into that
form is mechanical and is done here and in `graph`, never in a game. For `AtLeast` the state must remember how many points
are still needed, unless all points come at the end.
"""

from dataclasses import dataclass

__all__ = ["AtLeast", "Expected", "Fewest", "Objective"]


@dataclass(frozen=True)
class Expected:
    """Maximise the expected total of points.

    >>> str(Expected())
    'expected'
    """

    def __str__(self) -> str:
        return "expected"


@dataclass(frozen=True)
class AtLeast:
    """Maximise the probability that the total is at least `target`.

    >>> str(AtLeast(45))
    'at-least 45'
    """

    target: int

    def __str__(self) -> str:
        return f"at-least {self.target}"


@dataclass(frozen=True)
class Fewest:
    """Minimise the expected cost, usually the number of rolls, until the game ends.

    >>> str(Fewest())
    'fewest'
    """

    def __str__(self) -> str:
        return "fewest"


Objective = Expected | AtLeast | Fewest
