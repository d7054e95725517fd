"""What to ask another program about a model, and the answer to expect.

A value of ours is the best among strategies that surely end. Model checkers ask differently: a reward "until the end" is infinite
where some strategy may never end (for a maximum), and a chance or a total counts strategies that never end, too. Where the two mean
the same there is a formula; where they do not, there is none, and the reason is given in its place.

    costs                            R{"cost"}min=? [F "end"]        strategies that may not end cost infinitely much: left out
    a chance to win                  Pmax=? [F "won"]                who never ends never wins; needs a way to the end everywhere
    points, and every game ends      R{"points"}max=? [F "end"]
    points, none of them negative    R{"points"}max=? [C]            who never ends forgoes points; needs a way to the end
    two players                      <<first>> before it             needs a game that always ends
"""

from dataclasses import dataclass
from fractions import Fraction

from rollwise.adapters.models.endings import endings
from rollwise.adapters.models.model import Model
from rollwise.forms.base.solution import Solution
from rollwise.model.notation import digits, infinite, show_fraction

__all__ = ["PLAYERS", "Question", "ask"]

PLAYERS = ("first", "second")
NO_FORMULA = "the value is the best of the strategies that surely end, and formulas count those that may never end, too"


@dataclass(frozen=True)
class Question:
    """A formula ("" where none asks for the value), and the value to expect, `error` at most from the truth."""

    formula: str
    value: float | Fraction
    error: float

    @property
    def answer(self) -> str:
        """Write the value: a fraction where it is one, else digits and their error."""
        if infinite(self.value):
            return "infinite"
        if isinstance(self.value, Fraction):
            return show_fraction(self.value)
        return f"{self.value!r} (error at most {self.error:.1e})"

    @property
    def said(self) -> str:
        """Say formula and answer in a line."""
        about = f" = {digits(self.value, 12)}" if isinstance(self.value, Fraction) and self.value.denominator > 1 else ""
        if self.formula:
            return f"{self.formula} is {self.answer}{about}"
        return f"value {self.answer}{about}; no formula asks for it: {NO_FORMULA}"


def ask(model: Model, solution: Solution) -> Question:
    """Find what to ask about a model of a solved game."""
    return Question(_formula(model), solution.value(), solution.certificate.error_bound)


def _formula(model: Model) -> str:
    if not model.graph.maximise:
        return 'R{"cost"}min=? [F "end"]'
    found = endings(model.graph)
    who = f"<<{PLAYERS[0]}>> " if model.graph.two_players else ""
    if not found.sure and (who or not found.possible):
        return ""
    if model.chance:
        return f'{who}Pmax=? [F "won"]'
    if found.sure:
        return f'{who}R{{"points"}}max=? [F "end"]'
    return 'R{"points"}max=? [C]' if _never_negative(model) else ""


def _never_negative(model: Model) -> bool:
    graph = model.graph
    return bool(min(graph.action_gain.min(initial=0), graph.pending_cost.min(initial=0), graph.state_payoff.min(initial=0)) >= 0)
