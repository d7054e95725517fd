"""The mechanical lift of a points game to a threshold or an opponent: remember what is still needed, or the total so far.

A lifted position is `Needs(position, points)` or `Has(position, points)`. A lifted game has no gains. `NeedingGame` pays 1 at the
end if the points still needed are covered by the payoff, else 0, so that its expected total is the probability of reaching the
target. `HavingGame` pays what the final total wins against the opponent, in whole units (`Objective.score`).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from rollwise.errors import PositionError
from rollwise.model.card import CardFeature, Vocabulary
from rollwise.model.features import MOST_POINTS, Feature, one_number
from rollwise.model.game import Facts, Game
from rollwise.model.notation import counted, is_number, percent
from rollwise.model.objective import Objective
from rollwise.model.overrides import NOTATION_RULES, POSITION_RULES, hook
from rollwise.model.packing import append, split
from rollwise.model.parts import Part, number_part

__all__ = ["Has", "HavingGame", "LiftedGame", "NeedingGame", "Needs"]


class Needs(NamedTuple):
    """A position of the original game with the points still needed to reach the target."""

    position: Any
    points: int


class Has(NamedTuple):
    """A position of the original game with the total so far."""

    position: Any
    points: int


def _position_of(state: Any) -> Any:
    return state.position


def _points_of(state: Any) -> int:
    return int(state.points)


class LiftedGame(Game[Any, Any, Any]):
    """`game`, with positions that carry a number of points; `word` comes before it in the notation, `column` names it."""

    word: str
    column: str

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game
        self.action_word = game.action_word  # type: ignore[misc]
        self.cost_word = game.cost_word  # type: ignore[misc]

    @abstractmethod
    def lift(self, position: Any, points: int) -> Any:
        """Give a position with its points."""

    @abstractmethod
    def after(self, points: int, gain: int) -> int:
        """Give the points after a gain."""

    def roll(self, pending: Any) -> Mapping[Any, int]:
        position, points = pending
        return {self.lift(state, points): weight for state, weight in self.game.roll(position).items()}

    def actions(self, state: Any) -> Sequence[Any]:
        return self.game.actions(state.position)

    def play(self, state: Any, action: Any) -> Any:
        position, points = state
        return self.lift(self.game.play(position, action), self.after(points, self.game.gain(position, action)))

    @abstractmethod
    def worth(self, points: int, payoff: int) -> int:
        """Say what an end with these points and this payoff is worth."""

    @abstractmethod
    def range_of_points(self) -> tuple[int | None, int | None]:
        """Give the least and the most points that a position may carry; None: that is not known."""

    def payoff(self, state: Any) -> int:
        return self.worth(state.points, self.game.payoff(state.position))

    @property
    def banks(self) -> bool:
        return self.game.banks

    def in_columns(self) -> Any:
        inner = self.game.in_columns()
        return None if inner is None else inner.lifted(self)

    def mover(self, state: Any) -> int:
        return self.game.mover(state.position)

    def greed(self, state: Any, action: Any) -> float:
        """What the original game's greed sees; it does not know the aim."""
        return self.game.greed(state.position, action)

    def show_state(self, state: Any) -> str:
        return f"{self.game.show_state(state.position)} {self.word} {state.points}"

    def read_state(self, text: str) -> Any:
        position, word, points = text.rpartition(f" {self.word} ")
        if not word or not is_number(points.strip(), negative=True):
            example = f"'{self.word} {self.start().points}'"
            raise PositionError(f"{text!r} does not say what it {self.word}: end it with, for example, {example}")
        return self.lift(self.game.read_state(position), self.after(int(points), 0))

    def pack_state(self, state: Any) -> int:
        """The position as its game packs it, and the points below it; frozen."""
        return append(hook(self.game, "pack_state", NOTATION_RULES)(state.position), state.points)

    def unpack_state(self, number: int) -> Any:
        position, points = split(number)
        return self.lift(hook(self.game, "unpack_state", NOTATION_RULES)(position), points)

    def packed_by(self) -> str:
        return f"{self.word} {hook(self.game, 'packed_by', NOTATION_RULES)()}"

    def show_action(self, action: Any) -> str:
        return self.game.show_action(action)

    def read_action(self, text: str) -> Any:
        return self.game.read_action(text)

    def show_pending(self, pending: Any) -> str:
        return f"{self.game.show_pending(pending.position)} {self.word} {pending.points}"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {**self.game.columns(state.position), self.column: str(state.points)}

    def read_column(self, name: str, text: str) -> str:
        return text if name == self.column else self.game.read_column(name, text)

    def unlifted(self) -> Game[Any, Any, Any]:
        return self.game.unlifted()

    def unlift(self, position: Any) -> Any:
        return self.game.unlift(position.position)

    def alone(self) -> Game[Any, Any, Any]:
        return self.game.alone()

    def alone_at(self, position: Any) -> Any:
        return self.game.alone_at(position.position)

    def show_dice(self, state: Any) -> Sequence[Any]:
        return self.game.show_dice(state.position)

    def say(self, state: Any, action: Any, facts: Facts) -> str:
        standing = self.standing(self.play(state, action))
        return f"{hook(self.game, 'say')(state.position, action, facts)}; {standing}"

    def ends_turn(self, state: Any, action: Any) -> str | None:
        found: str | None = hook(self.game, "ends_turn")(state.position, action)
        return found

    @abstractmethod
    def standing(self, after: Any) -> str:
        """Say how things stand after a move."""

    def to_go(self, pending: Any) -> str | None:
        return self.game.to_go(pending.position)

    def describe(self, state: Any) -> str:
        return f"{self.game.describe(state.position)}, {self.word} {state.points}"

    def decision(self, state: Any) -> str:
        return self.game.decision(state.position)

    def lay_out(self, state: Any) -> Mapping[str, str]:
        return {**self.game.lay_out(state.position), self.column: str(state.points)}

    def choices(self, state: Any) -> str:
        return self.game.choices(state.position)

    def tidy(self, text: str) -> str:
        return self.game.tidy(text)

    def board(self) -> Mapping[str, Any]:
        standing = {"word": self.word, "start": self.start().points, "sign": 1 if self.after(0, 1) > 0 else -1}
        return {**hook(self.game, "board", POSITION_RULES)(), "start": self.show_pending(self.start()), "standing": standing}

    def position(self, state: Any) -> Mapping[str, Any]:
        inner = hook(self.game, "position", POSITION_RULES)(state.position)
        parts = {"parts": [*inner["parts"], self._part(state)]} if "parts" in inner else {}
        return {**inner, self.word: state.points, **parts}

    def before_roll(self, pending: Any) -> Mapping[str, Any]:
        inner = self.game.before_roll(pending.position)
        return {**inner, "parts": [*inner.get("parts", ()), self._part(pending)]}

    def _part(self, position: Any) -> Part:
        """The points that a position carries, as a part of a board."""
        return number_part(self.word, position.points, label=self.column)

    def parts(self, state: Any) -> Sequence[Part]:
        return [*self.game.parts(state.position), self._part(state)]

    def features(self, state: Any) -> Mapping[str, Feature] | None:
        inner = hook(self.game, "features", POSITION_RULES)(state.position)
        low, high = self.range_of_points()
        bound = MOST_POINTS if high is None else high
        return None if inner is None else {**inner, self.word: one_number(state.points, -bound if low is None else low, bound)}

    def every_action(self) -> Sequence[Any] | None:
        return self.game.every_action()

    def vocabulary(self) -> Vocabulary:
        """The words of the game, and the points that a position carries."""
        low, high = self.range_of_points()
        bound = MOST_POINTS if high is None else high
        points = CardFeature(self.column, _points_of, -bound if low is None else low, bound, says=self.column)
        return self.game.vocabulary().seen_from(_position_of, points)

    def name_rolls(self, pending: Any, states: Sequence[Any]) -> Sequence[tuple[str, Sequence[Any]]]:
        return self.game.name_rolls(pending.position, [state.position for state in states])

    @property
    def players(self) -> int:
        return self.game.players

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def about(self) -> str:
        return self.game.about

    def dimensions(self) -> Mapping[str, int]:
        return self.game.dimensions()

    def expect(self, states: Sequence[Any]) -> None:
        self.game.expect([state.position for state in states])

    @cached_property
    def _draw(self) -> Any:
        return hook(self.game, "draw", ("roll",))

    def draw(self, pending: Any, random: Random) -> Any:
        drawn = self._draw(pending.position, random)
        return None if drawn is None else self.lift(drawn, pending.points)

    def can_follow(self, pending: Any, state: Any) -> bool:
        return pending.points == state.points and bool(hook(self.game, "can_follow")(pending.position, state.position))


class NeedingGame(LiftedGame):
    """`game`, played for a total of at least `target`.

    `floor` says that no gain and no payoff is negative: then needing fewer than 0 points is the same as needing 0.
    """

    word = "needs"
    column = "points needed"

    def __init__(self, game: Game[Any, Any, Any], target: int, *, floor: bool) -> None:
        super().__init__(game)
        self.target, self.floor = target, floor

    def start(self) -> Needs:
        return Needs(self.game.start(), self.after(self.target, 0))

    def lift(self, position: Any, points: int) -> Needs:
        return Needs(position, points)

    def after(self, points: int, gain: int) -> int:
        return max(points - gain, 0) if self.floor else points - gain

    def worth(self, points: int, payoff: int) -> int:
        return int(payoff >= points)

    def range_of_points(self) -> tuple[int | None, int | None]:
        return (0, max(self.target, 0)) if self.floor else (None, None)

    def standing(self, after: Any) -> str:
        points, left = after.points, self.game.to_go(after.position)
        if points <= 0 and (self.floor or left == ""):
            return "reaches the target"
        if points <= 0:
            return f"{counted(-points, 'point')} to spare" + (f" with {left} to go" if left else "")
        return f"falls short by {points}" if left == "" else f"{points} still needed" + (f" from {left}" if left else "")


class HavingGame(LiftedGame):
    """`game`, played for what its final total is worth to an objective (against an opponent, the chance to beat it)."""

    word = "has"
    column = "total so far"

    def __init__(self, game: Game[Any, Any, Any], aim: Objective) -> None:
        super().__init__(game)
        self.aim = aim

    def start(self) -> Has:
        return Has(self.game.start(), 0)

    def lift(self, position: Any, points: int) -> Has:
        return Has(position, points)

    def after(self, points: int, gain: int) -> int:
        return points + gain

    def worth(self, points: int, payoff: int) -> int:
        return self.aim.score(points + payoff)

    def range_of_points(self) -> tuple[int | None, int | None]:
        return None, None

    def standing(self, after: Any) -> str:
        left = self.game.to_go(after.position)
        if left or left is None or not self.aim.wins:
            return f"{after.points} so far" + (f", {left} to go" if left else "")
        return f"ends with {after.points}, which wins with {percent(float(self.aim.worth(after.points)))}"
