"""What to ask another program about a model, and the answer to expect.

A value of ours is the best among strategies that surely end. Model checkers ask differently: a largest reward "until the end" is
infinite where some strategy may never end, and a chance or a total counts strategies that never end, too. A smallest reward until
the end leaves them out, since they cost infinitely much. So the formula depends on how games end (`endings`):

    costs                                       R{"cost"}min=? [F "end"]
    points that are bad                         R{"points"}min=? [F "end"]
    a chance to win                             Pmax=? [F "won"]                  who never ends never wins
    points, and every game ends                 R{"points"}max=? [F "end"]
    points, of which none is negative           R{"points"}max=? [C]              who never ends forgoes points
    any other game of one player                R{"loss"}min=? [F "end"]          points with their sign turned
    two players, and every game ends            <<first>> before the formula

The second and the fourth need a game that can be ended from everywhere. For two players whose game need not end there is none.
"""

from dataclasses import dataclass
from fractions import Fraction

from rollwise.adapters.models.endings import endings
from rollwise.adapters.models.model import LOSS, Model
from rollwise.model.formatting import digits, infinite, show_fraction
from rollwise.model.game import Progress
from rollwise.solvers.base.solution import Solution

__all__ = ["PLAYERS", "Question", "ask"]

PLAYERS = ("first", "second")
NO_FORMULA = "no formula asks for it, since this game of two need not end"


@dataclass(frozen=True)
class Question:
    """A formula ("" where none asks for the value), and the answer to expect, at most `error` from the truth."""

    formula: str
    answer: float | Fraction
    error: float

    @property
    def turned(self) -> bool:
        """Whether the answer is the value with its sign turned."""
        return LOSS in self.formula

    @property
    def text(self) -> str:
        """Write the answer: a fraction where it is one."""
        if infinite(self.answer):
            return "infinite"
        return show_fraction(self.answer) if isinstance(self.answer, Fraction) else repr(self.answer)

    @property
    def sentence(self) -> str:
        """Say formula and answer in a line."""
        exact = isinstance(self.answer, Fraction) or infinite(self.answer)
        about = f" = {digits(self.answer, 12)}" if isinstance(self.answer, Fraction) and self.answer.denominator > 1 else ""
        answer = f"{self.text}{about}" if exact else f"{self.text}, with an error of at most {self.error:.1e}"
        return f"{self.formula} is {answer}" if self.formula else f"the value is {answer}; {NO_FORMULA}"


def ask(model: Model, solution: Solution, progress: Progress | None) -> Question:
    """Find what to ask about a model of a solved game."""
    if progress:
        progress("finding how games end", 0, None)
    formula, value = _formula(model), solution.value()
    return Question(formula, -value if LOSS in formula else value, solution.certificate.error_bound)


def _formula(model: Model) -> str:
    who = f"<<{PLAYERS[0]}>> " if model.graph.two_players else ""
    least = "" if model.graph.maximise else f'{who}R{{"{model.reward}"}}min=? [F "end"]'
    if least and not who:
        return least
    found = endings(model.graph)
    if least or (who and not found.sure):
        return least if found.sure else ""
    if model.chance and found.possible:
        return f'{who}Pmax=? [F "won"]'
    if found.sure:
        return f'{who}R{{"points"}}max=? [F "end"]'
    if found.possible and _never_negative(model):
        return 'R{"points"}max=? [C]'
    return f'R{{"{LOSS}"}}min=? [F "end"]'


def _never_negative(model: Model) -> bool:
    graph = model.graph
    return bool(min(graph.action_gain.min(initial=0), graph.state_payoff.min(initial=0)) >= 0)
