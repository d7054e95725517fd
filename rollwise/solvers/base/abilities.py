"""What some solutions can do beyond answering: small classes with one to three methods each, as in `collections.abc`.

A solution has an ability by deriving from its class, whose own methods say what holds for any solution; where that is None, the
graph of the game or its rules do the work, in the one function that asks: `playing/distribution.py`, `playing/simulate.py`,
`cards/evaluate.py`, `web/tables.py`. `ability(solution, Follows)` gives the solution itself, or what holds for any.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.model.formatting import power
from rollwise.model.game import Progress
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.card_evaluator import CardEvaluator
from rollwise.solvers.base.chunks import Chunk
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.memory_use import BYTES_A_POSITION, MemoryUse, memory_use
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.tabulated import Tabulated

if TYPE_CHECKING:
    from rollwise.solvers.base.slopes import FaceSlopes
    from rollwise.solvers.base.solution import DerivedCache, Number, Solution

__all__ = [
    "Ability", "AnswersTargets", "BestAnswers", "EvaluatesCards", "Explains", "Follows", "HasGraph", "ListsDecisions",
    "LooksAhead", "Player", "PlaysMany", "Reports", "Split", "Splits", "Tabulates", "UsesMemory", "ability",
]  # fmt: skip

Kind = TypeVar("Kind", bound="Ability")
Ints = npt.NDArray[np.int64]


class Ability:
    """What a solution may be able to do. Its methods say what holds for any solution."""

    @property
    def _solution(self) -> "Solution":
        """The solution itself, or the one that lacks the ability."""
        found: Solution = vars(self).get("_lacking", self)
        return found


# Following a strategy


class Follows(Ability):
    """Follows strategies to the end faster than the graph of the game does."""

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Follow a policy (None: its own) from a pending roll to the end; None: the graph does that."""
        return None

    def distributions(self, pendings: list[Any], follow: Follow) -> list[Distribution] | None:
        """Follow its own strategy from several pending rolls at once; None: one after another."""
        return None

    def often(self, follow: Follow) -> Mapping[Any, float] | None:
        """Give the positions that come up most often under its own strategy, with how often; None: the rules say it.

        None is left out that comes up as often as the rarest.
        """
        return None

    def steps(self, state: Any) -> int:
        """Say about how many places following the moves of a state to the end goes through."""
        return self._solution.states + self._solution.pendings


class LooksAhead(Ability):
    """Computes how the game may end from all positions once, and then knows it of any of them."""

    def quick_distributions(self, pendings: list[Any], follow: Follow, *, build: bool = False) -> list[Distribution] | None:
        """Give distributions that are there already, each with a bound of its error; None: there are none.

        `build` computes them first, once for all positions, where that is possible.
        """
        return None

    def quick_plan(self) -> Plan | None:
        """Say what computing the distributions of all positions takes; None: that is not possible, or they are there."""
        return None

    def with_cache(self, cache: "DerivedCache") -> "Solution":
        """Give the same solution with a place for these distributions."""
        return self._solution


class Player(NamedTuple):
    """Plays many games at once: `play(random, games)` returns their totals, at most `most` games at a time."""

    play: Callable[["np.random.Generator", int], Ints]
    most: int


class PlaysMany(Ability):
    """Plays many games at once."""

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play by a policy (None: its own); None: one by one, by the rules. `tick` is told how many games are done."""
        return None


# Moves and decisions


class Explains(Ability):
    """Splits the value of a move into its parts."""

    def parts(self, state: Any, action: Any, value: "Number") -> tuple[Part, ...]:
        """Take the value of a move apart by where it comes from; the parts add up to it."""
        return self._solution._by_rules.parts(state, action, value)

    def facts(self, state: Any, action: Any) -> Mapping[str, Any]:
        """Give what the solver knows about a move, by name, for the sentence about it."""
        return {}


class ListsDecisions(Ability):
    """Counts the decisions of its strategy, and may list them in columns."""

    def count(self, where: Mapping[str, str]) -> int:
        """Give an upper bound of the number of decisions that `where` may concern."""
        return self._solution.states

    def chunks(self, words: tuple[str, str], rows: int, where: Mapping[str, str]) -> Iterator[Chunk] | None:
        """List the decisions in chunks of about `rows`, those that `where` may concern; None: decision by decision.

        `words` name the value and the loss of the second best.
        """
        return None


class AnswersTargets(Ability):
    """Answers for every target, whichever it was solved for."""

    def curve(self) -> Any:
        """Give the best chance of at least t points for every t from 0 on; nothing where it knows one target only."""
        return []

    def for_objective(self, objective: Any) -> "Solution | None":
        """Give the solution for another objective, where nothing need be solved for that."""
        return None


@dataclass(frozen=True)
class Split:
    """How a game for two ends for player 0: the chances to win, to tie and to lose."""

    win: float
    tie: float
    loss: float


class Splits(Ability):
    """Knows how often a game for two is won, tied and lost."""

    def split(self, *, threads: int | None = None, progress: Progress | None = None) -> Split:
        """Split the value into the chances of player 0 to win, to tie and to lose."""
        raise GameError(f"played for {self._solution.objective}, the value cannot be split: solve a score sheet for Duel()")


class BestAnswers(Ability):
    """Solves a game for two again where one player is bound to a policy."""

    def answer(self, policy: Policy, player: int) -> "Solution | None":
        """Give the values of positions where a player is bound to a policy; None where they are not quickly had."""
        return None


class KnowsSlopes(Ability):
    """Knows how its value changes with the chance of each face of its dice."""

    def face_slopes(self) -> "FaceSlopes | None":
        """Give the derivatives under the best strategy; None where they cannot be computed."""
        return None


class EvaluatesCards(Ability):
    """Evaluates strategy cards fast."""

    def card_evaluator(self, progress: Progress | None = None) -> CardEvaluator | None:
        """Give a bench on which they are computed; None: the graph of the game has one."""
        return None


# Files, pages and memory


class Reports(Ability):
    """Adds sections to the report on a solution."""

    size_word: ClassVar[str] = "positions"
    """What `states` counts."""
    proof: ClassVar[str] = "After solving, every roll was checked against the equation that the values must satisfy."
    """What was checked after solving, in a sentence, and no more than that."""

    def proof_text(self) -> str:
        """Say why it can be trusted: how far from the truth the value may be, and what was checked."""
        certificate = self._solution.certificate
        sure = "exact" if certificate.exact else f"off by at most {power(certificate.error_bound)}"
        return f"The value is {sure}. {self.proof}"

    def figures(self, found: Distribution | None, progress: Progress | None) -> list[tuple[str, str]] | None:
        """Give the figures that a page begins with, each with its name; None: the value, and what the distribution says."""
        return None

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Give what a page says beyond what every page does; `found` is the distribution under best play."""
        return []


class Tabulates(Ability):
    """Has small arrays from which a page computes any position."""

    def tabulate(self, follow: Follow, *, build: bool = False) -> Tabulated | None:
        """Give these arrays; None: only its positions one by one will do.

        `build` computes first how the game may end from all positions, where that is not there already.
        """
        return None


class HasGraph(Ability):
    """Has the graph of its game, with every position as the rules made it."""

    def canonical_state(self, state: Any) -> Any:
        """Give a state as the rules made it: a text is read, and a plain tuple that equals a named one gets its names."""
        return self._solution._read_state(state)

    def graph(self) -> Any:
        """Give the explored game, its positions and their arrays; None: it must be explored."""
        return None


class UsesMemory(Ability):
    """Knows how much memory it takes."""

    def memory_use(self) -> MemoryUse:
        """Give about how much memory it takes by what takes it: its arrays, or as much as positions take one by one.

        What several solutions share has the same key in all of them. What was computed since it was solved counts too.
        """
        solution = self._solution
        try:
            return memory_use(solution.pack().arrays.values())
        except GameError:
            return {id(solution): BYTES_A_POSITION * (solution.states + solution.pendings)}


def ability(solution: "Solution", kind: type[Kind]) -> Kind:
    """Return the solution itself if it has an ability, else the general implementation for any solution.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> slots, words = rollwise.solve(load("slots")), rollwise.solve(load("words", dice="AB,AB", words="AB"))
    >>> ability(slots, HasGraph) is slots, ability(words, HasGraph).graph()
    (True, None)
    """
    if isinstance(solution, kind):
        return solution
    able = kind()
    vars(able)["_lacking"] = solution
    return able
