"""What some solutions can do beyond answering: small classes with one to three methods each, as in `collections.abc`.

A solution has an ability by deriving from its class; `ability(solution, Follows)` gives it, or None. One function asks for each,
and does the same by the rules or on the graph of the game where a solution lacks it: `spread`, `simulate`, `bench_of` (cards),
`policy_chunks`, `explains` (reasons), `pack_table`; of the others, the functions here with the names of the methods.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError
from rollwise.model.abilities import Ability, ability
from rollwise.model.formatting import power
from rollwise.model.game import Progress
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.solvers.base.bench import CardBench
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.chunks import Chunk
from rollwise.solvers.base.held import Held, hold
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.spread import Spread
from rollwise.solvers.base.tabulated import Tabulated

if TYPE_CHECKING:
    from rollwise.solvers.base.solution import Number, Solution, Stored

__all__ = [
    "BYTES_A_POSITION", "AnswersPolicies", "AnswersTargets", "EvaluatesCards", "Explains", "Follow", "Follows", "KeepsPositions",
    "ListsDecisions", "LooksAhead", "MeasuresMemory", "Player", "PlaysMany", "Reports", "Shelf", "Spent", "Split", "Splits",
    "Tabulates", "Work", "ability", "answer", "canonical_state", "count", "curve", "memory_use", "quick_plan", "reports", "split",
    "steps",
]  # fmt: skip

Ints = npt.NDArray[np.int64]

BYTES_A_POSITION = 1500
"""What a position takes that is kept as an object, about."""


# Following a strategy


class Spent(GameError):
    """Following a strategy took more work than it may."""


@dataclass
class Work:
    """Work that following a strategy may take, in outcomes of rolls. Raises `Spent` when there is none left."""

    left: int

    def take(self, outcomes: int) -> None:
        """Take some of it."""
        self.left -= outcomes
        if self.left < 0:
            raise Spent("following the strategy to the end takes too long to be done unasked: ask for the outlook")


class Follow(NamedTuple):
    """How much memory and work following a strategy may take (None: most of what is here), and whom to tell how far it is."""

    max_bytes: int | None = None
    progress: Progress | None = None
    work: Work | None = None


class Follows(Ability):
    """Follows strategies to the end faster than the graph of the game does."""

    @abstractmethod
    def spread(self, policy: Policy | None, pending: Any, follow: Follow) -> Spread | None:
        """Follow a policy (None: its own) from a pending roll to the end; None: the graph does that."""

    def spreads(self, pendings: list[Any], follow: Follow) -> list[Spread] | None:
        """Follow its own strategy from several pending rolls at once; None: one after another."""
        return None

    def steps(self, state: Any) -> int:
        """Say about how many places following the moves of a state to the end goes through."""
        return _places(self)


def steps(solution: "Solution", state: Any) -> int:
    """Say about how many places following the moves of a state to the end goes through."""
    able = ability(solution, Follows)
    return _places(solution) if able is None else able.steps(state)


def _places(solution: Any) -> int:
    return int(solution.states + solution.pendings)


class Shelf(ABC):
    """A place beside a solution for what was worked out from it and took long, by name."""

    @abstractmethod
    def get(self, solution: "Solution", name: str) -> "Stored | None":
        """Give what is kept; None if there is nothing that can be used."""

    @abstractmethod
    def put(self, solution: "Solution", name: str, stored: "Stored") -> None:
        """Keep something, if that can be done."""

    @abstractmethod
    def drop(self, name: str, reason: str) -> None:
        """Throw away what turned out to be damaged."""


class LooksAhead(Ability):
    """Computes how the game may end from all positions once, and then knows it of any of them."""

    @abstractmethod
    def quick_spreads(self, pendings: list[Any], follow: Follow, *, build: bool = False) -> list[Spread] | None:
        """Give distributions that are there already, each with a bound of its error; None: there are none.

        `build` computes them first, once for all positions, where that is possible.
        """

    @abstractmethod
    def quick_plan(self) -> Plan | None:
        """Say what computing the distributions of all positions takes; None: that is not possible, or they are there."""

    @abstractmethod
    def beside(self, shelf: Shelf) -> "Solution":
        """Give the same solution with a place for these distributions."""


def quick_plan(solution: "Solution") -> Plan | None:
    """Say what computing the distributions of all positions takes; None: that is not possible, or they are there."""
    able = ability(solution, LooksAhead)
    return None if able is None else able.quick_plan()


class Player(NamedTuple):
    """Plays many games at once: `play(random, games)` gives their totals, `most` games at a time."""

    play: Callable[["np.random.Generator", int], Ints]
    most: int


class PlaysMany(Ability):
    """Plays many games at once."""

    @abstractmethod
    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play by a policy (None: its own); None: one by one, by the rules. `tick` is told how many games are done."""


# Moves and decisions


class Explains(Ability):
    """Knows what the value of a move consists of."""

    @abstractmethod
    def parts(self, state: Any, action: Any, value: "Number") -> tuple[Part, ...]:
        """Take the value of a move apart by where it comes from; the parts add up to it."""

    def facts(self, state: Any, action: Any) -> Mapping[str, Any]:
        """Give what the solver knows about a move, by name, for the sentence about it."""
        return {}


class ListsDecisions(Ability):
    """Knows how many decisions its strategy has, and may list them in columns."""

    @abstractmethod
    def count(self, where: Mapping[str, str]) -> int:
        """Give an upper bound of the number of decisions that `where` may concern."""

    def chunks(self, words: tuple[str, str], rows: int, where: Mapping[str, str]) -> Iterator[Chunk] | None:
        """List the decisions in chunks of about `rows`, those that `where` may concern; None: decision by decision.

        `words` name the value and the loss of the second best.
        """
        return None


def count(solution: "Solution", where: Mapping[str, str]) -> int:
    """Give an upper bound of the number of decisions that `where` may concern."""
    able = ability(solution, ListsDecisions)
    return solution.states if able is None else able.count(where)


class AnswersTargets(Ability):
    """Answers for every target, whichever it was solved for."""

    @abstractmethod
    def curve(self) -> npt.NDArray[np.float64]:
        """Give the best chance of at least t points for every t from 0 on. Raises `GameError` where there is no target."""

    @abstractmethod
    def for_target(self, target: int) -> "Solution":
        """Give the solution for another target; nothing is solved."""


def curve(solution: "Solution") -> list[float]:
    """Give the best chance of at least t points for every t from 0 on, where one solution answers that; else nothing."""
    able = ability(solution, AnswersTargets) if solution.objective.mark is not None else None
    return [] if able is None else able.curve().tolist()


@dataclass(frozen=True)
class Split:
    """How a game for two ends for player 0: the chances to win, to tie and to lose."""

    win: float
    tie: float
    loss: float


class Splits(Ability):
    """Knows how often a game for two is won, tied and lost."""

    @abstractmethod
    def split(self, *, threads: int | None = None, progress: Progress | None = None) -> Split:
        """Split the value into the chances of player 0 to win, to tie and to lose."""


def split(solution: "Solution", *, progress: Progress | None = None) -> Split:
    """Split the value of a game for two into the chances of player 0 to win, to tie and to lose."""
    able = ability(solution, Splits)
    if able is None:
        raise GameError(
            f"the value of this game, played for {solution.objective}, cannot be split: solve a score sheet for Duel()"
        )
    return able.split(progress=progress)


class AnswersPolicies(Ability):
    """Solves a game for two again where one player is bound to a policy."""

    @abstractmethod
    def answer(self, policy: Policy, player: int) -> "Solution | None":
        """Give the values of positions where a player is bound to a policy; None where they are not quickly had."""


def answer(solution: "Solution", policy: Policy, player: int) -> "Solution | None":
    """Give the values of positions where a player is bound to a policy; None where they are not quickly had."""
    able = ability(solution, AnswersPolicies)
    return None if able is None else able.answer(policy, player)


class EvaluatesCards(Ability):
    """Evaluates strategy cards fast."""

    @abstractmethod
    def card_bench(self, progress: Progress | None = None) -> CardBench | None:
        """Give a bench on which they are worked out; None: the graph of the game has one."""


# Files, pages and memory


class Reports(Ability):
    """Says more on a page about it than every solution does."""

    certificate: Certificate
    size_word: ClassVar[str] = "positions"
    """What `states` counts."""
    proof: ClassVar[str] = "After solving, every roll was checked against the equation that the values must satisfy."
    """What was checked after solving, in a sentence, and no more than that."""
    checked: ClassVar[str] = "by the check"
    """Where the residual of the certificate was found."""

    def proof_text(self) -> str:
        """Say why it can be trusted: what was checked, and how far from the truth its values may be."""
        proof = self.certificate
        if proof.exact:
            return f"{self.proof} All numbers are fractions: nothing was rounded, and the difference is exactly 0."
        return (
            f"{self.proof} The numbers are floating point; adding up every rounding that can have happened, the value is within "
            f"{power(proof.error_bound)} of the truth. The largest difference found {self.checked} is "
            f"{power(float(proof.residual))}."
        )

    def figures(self, found: Spread | None, progress: Progress | None) -> list[tuple[str, str]] | None:
        """Give the figures that a page begins with, each with its name; None: the value, and what the distribution says."""
        return None

    def sections(self, found: Spread | None, progress: Progress | None) -> list[Block]:
        """Give what a page says beyond what every page does; `found` is the distribution under best play."""
        return []


class _ReportsNoMore(Reports):
    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate


def reports(solution: "Solution") -> Reports:
    """Give what a page says about a solution in particular."""
    return ability(solution, Reports) or _ReportsNoMore(solution.certificate)


class Tabulates(Ability):
    """Has small arrays from which a page computes any position."""

    @abstractmethod
    def tabulate(self, follow: Follow, *, build: bool = False) -> Tabulated | None:
        """Give these arrays; None: only its positions one by one will do.

        `build` computes first how the game may end from all positions, where that is not there already.
        """


class KeepsPositions(Ability):
    """Keeps every position of its game as the rules made it."""

    @abstractmethod
    def canonical_state(self, state: Any) -> Any:
        """Give a state as the rules made it: a plain tuple may equal a named one, but has no names."""

    @abstractmethod
    def graph(self) -> Any:
        """Give the explored game: its positions, and their arrays."""


def canonical_state(solution: "Solution", state: Any) -> Any:
    """Give a state as the rules made it, as far as that is known."""
    able = ability(solution, KeepsPositions)
    return state if able is None else able.canonical_state(state)


class MeasuresMemory(Ability):
    """Knows how much memory it takes."""

    @abstractmethod
    def memory_use(self) -> Held:
        """Give about how much memory it takes by what takes it; what several solutions share has the same key in all of them.

        What was computed since it was solved counts too.
        """


def memory_use(solution: "Solution") -> Held:
    """Give about how much memory a solution takes: its arrays, or as much as positions take one by one."""
    able = ability(solution, MeasuresMemory)
    if able is not None:
        return able.memory_use()
    try:
        return hold(solution.pack().arrays.values())
    except GameError:
        return {id(solution): BYTES_A_POSITION * _places(solution)}
