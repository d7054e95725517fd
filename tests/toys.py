"""A toy game, a toy solver with abilities and a toy objective, each in one place: all that a stranger's package would hold.

`Pledge`: some rounds; in each a die is rolled, and its points are taken, or the safe ones. With m the mean of the better of the
two, k rounds are worth k m. `Utility(b)` makes the most of 1 - b^-total, for a player who fears low totals: with q the mean of
the better b^-points, k rounds are worth 1 - q^k.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import rollwise
from rollwise import Expected, Game, Objective, Parameter, Solution, die
from rollwise.extending import (
    Certificate,
    Distribution,
    Follow,
    Follows,
    PackedSolution,
    Player,
    PlaysMany,
    Reports,
    SolveOptions,
    Solver,
    Words,
)
from rollwise.model.game import Progress
from rollwise.model.policy import Policy
from rollwise.model.reasons import Comparison
from rollwise.model.view import View
from rollwise.params import Integer
from rollwise.solvers.base.blocks import Block, Prose

__all__ = ["Pledge", "PledgeSolution", "PledgeSolver", "Utility"]

Thrown = tuple[int, int]
Number = float | Fraction


class PledgeView(View):
    """A board of its own, and a sentence."""

    board_kind = "pledge"

    def show_dice(self, state: Thrown) -> Sequence[int]:
        return (state[1],)

    def because(self, move: Comparison) -> str:
        state, action = move.state, move.action
        return f"pledges {self.game.gain(state, action)} of {max(state[1], self.game.safe)}"

    def to_go(self, pending: int) -> str:
        return f"{pending} rounds" if pending else ""

    def board(self) -> Mapping[str, Any]:
        return {
            "kind": self.board_kind,
            "rounds": self.game.rounds,
            "safe": self.game.safe,
            "start": self.notation.show_pending(self.game.start()),
        }

    def position(self, state: Thrown) -> Mapping[str, Any]:
        return {"kind": self.board_kind, "left": state[0], "face": state[1]}


class Pledge(Game[Thrown, int, str]):
    """Take what each die shows, or the safe points."""

    parameters = (
        Parameter("rounds", Integer(1, 20), "rounds to play", "3"),
        Parameter("safe", Integer(0), "points that are always to be had", "3"),
    )
    view = PledgeView

    def __init__(self, rounds: int = 3, safe: int = 3) -> None:
        self.rounds, self.safe = rounds, safe

    def start(self) -> int:
        return self.rounds

    def roll(self, pending: int) -> Mapping[Thrown, int]:
        return die(6).map(lambda face: (pending, face)) if pending else {(0, 0): 1}

    def actions(self, state: Thrown) -> Sequence[str]:
        return ("take", "safe") if state[0] else ()

    def play(self, state: Thrown, action: str) -> int:
        return state[0] - 1

    def gain(self, state: Thrown, action: str) -> int:
        return state[1] if action == "take" else self.safe


@dataclass(frozen=True, eq=False, repr=False)
class PledgeSolution(Solution, Follows, PlaysMany, Reports):
    """One number: what a round is worth. It follows and plays its own strategy itself, and has more to say on a page."""

    solver_name = "pledge"
    proof = "What a round is worth is the mean of six numbers."

    a_round: Number

    @property
    def fingerprint(self) -> str:
        return f"{self.game.rounds:08x}{self.game.safe:08x}"

    def _pending_value(self, pending: Any) -> Number | None:
        return pending * self.a_round if isinstance(pending, int) and 0 <= pending <= self.game.rounds else None

    def _state_value(self, state: Any) -> Number | None:
        if not isinstance(state, tuple):
            return None
        left, face = state
        return (left - 1) * self.a_round + max(face, self.game.safe) if left else 0 * self.a_round

    def _states(self) -> Iterator[Thrown]:
        return ((left, face) for left in range(self.game.rounds, 0, -1) for face in range(1, 7))

    def size(self) -> str:
        return "one number"

    def pack(self) -> PackedSolution:
        return PackedSolution.of(self, {"a_round": np.array([self.a_round])}, {"safe": self.game.safe})

    def distribution(self, policy: Policy | None, pending: int, follow: Follow) -> Distribution | None:
        """Add up the rounds that are left."""
        if policy is not None:
            return None
        low, chance = max(1, self.game.safe), np.ones(1)
        for _ in range(pending):
            chance = np.convolve(chance, np.bincount([max(face, low) - low for face in range(1, 7)]) / 6)
        return Distribution("points", low * pending, chance)

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Roll the dice of all rounds of many games at once."""

        def play(random: np.random.Generator, games: int) -> Any:
            return np.maximum(random.integers(1, 7, (games, self.game.rounds)), self.game.safe).sum(axis=1)

        return Player(play, 1000) if policy is None else None

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        return [Prose(f"Every round is worth {float(self.a_round):.3f}.")]


class PledgeSolver(Solver):
    """Pledges, for the highest expected total: the number of rounds, times what one is worth."""

    name = "pledge"
    what = "a pledge"
    engines = ("pledge-mean",)
    owner = Pledge
    objectives = (Expected,)
    reads = ("start", "roll", "actions", "play", "gain", "payoff", "mover")
    exact = True

    def key(self, game: Pledge, objective: Expected) -> str:
        return f"pledge-{game.rounds:012x}{game.safe:012x}"

    def solve(self, game: Pledge, objective: Expected, options: SolveOptions) -> Solution:
        mean = Fraction(sum(max(face, game.safe) for face in range(1, 7)), 6)
        a_round = mean if options.exact else float(mean)
        off = abs(Fraction(a_round) - mean)
        residual = off if options.exact else float(off)
        bound = 0.0 if options.exact else 2 * game.rounds * 2.0**-53 * float(mean)
        proof = Certificate(exact=options.exact, ends=True, residual=residual, shortfall=residual, error_bound=bound)
        return PledgeSolution(game, objective, proof, self.engines[0], 0.0, 6 * game.rounds, game.rounds + 1, a_round=a_round)

    def unpack(self, game: Pledge, objective: Expected, packed: PackedSolution) -> Solution:
        assert packed.rest["safe"] == game.safe
        return PledgeSolution(game, objective, *packed.head, a_round=float(packed.arrays["a_round"][0]))


@dataclass(frozen=True)
class Utility(Objective):
    """Maximise the mean of 1 - base^-total: points on top of many count little."""

    name = "caution"
    most = 24
    """Totals beyond this are as good as this one."""

    base: int = 2

    def __str__(self) -> str:
        return f"{self.name} {self.base}"

    @classmethod
    def read(cls, text: str) -> "Utility":
        if not text.isdecimal() or int(text) < 2:
            raise rollwise.GameError(f"objective 'caution {text}': expected 'caution' and a base of 2 or more")
        return cls(int(text))

    @property
    def unit(self) -> int:
        return int(self.base**self.most)

    def score(self, total: int) -> int:
        return self.unit - int(self.base ** (self.most - min(total, self.most)))

    def words(self, game: Game[Any, Any, Any]) -> Words:
        return Words("expected utility", "loss (utility)", "utility", False)

    def aim(self, game: Game[Any, Any, Any]) -> str:
        return f"Played for the highest utility (base {self.base})"
