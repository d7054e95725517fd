"""The mechanical lift of a points game to a threshold or an opponent: remember what is still needed, or the total so far.

A lifted position is `WithPointsNeeded(position, points)` or `WithTotal(position, points)`. A lifted game has no gains.
`NeedingGame` pays 1 at the end if the points still needed are covered by the payoff, else 0, so that its expected total is the
probability of reaching the target. `HavingGame` pays what the final total wins against the opponent, in whole units
(`Objective.score`).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any, Literal, NamedTuple

from rollwise.errors import PositionError, brief
from rollwise.model.abilities import (
    Draws,
    Heuristic,
    InColumns,
    KnowsGains,
    Lifted,
    Prefetches,
    SinglePlayer,
    Sized,
    ability,
    can_follow,
    dimensions,
    gains_nonnegative,
    has_gains,
    heuristic,
    in_columns,
    prefetch,
    project,
    single_player,
    unlift,
    unlifted,
)  # fmt: skip
from rollwise.model.card import CardFeature, Vocabulary
from rollwise.model.features import MOST_POINTS, Feature, Features, features_of, one_number
from rollwise.model.game import Game
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.notation import Notation, notation_of
from rollwise.model.objective import Objective
from rollwise.model.packing import append, split
from rollwise.model.reading import cut_number, says
from rollwise.model.reasons import Comparison, Number, join_reasons
from rollwise.model.view import Part, Rules, View, number_part, view_of

__all__ = [
    "HavingGame", "LiftedGame", "NeedingGame", "Remembers", "WithPointsNeeded", "WithTotal", "WrappingFeatures", "WrappingGame",
    "WrappingNotation", "WrappingView", "either_way", "explored_game", "lifted_game",
]  # fmt: skip

Remembers = Literal["nothing", "points", "signed points"]
"""What the positions of a game must carry for an objective: points where no gain and no payoff is below 0, or any points."""


def explored_game(game: Game[Any, Any, Any], objective: Objective, remembers: Remembers = "nothing") -> Game[Any, Any, Any]:
    """Give the game that is explored in the place of another: as its objective states it, or one whose positions carry points."""
    stated = objective.restate(game)
    if remembers == "nothing":
        return stated
    return objective.remember(stated, floor=remembers == "points") or HavingGame(stated, objective)


def lifted_game(game: Game[Any, Any, Any], objective: Objective) -> Game[Any, Any, Any] | None:
    """Give the game as it will be solved; None where only its rules, followed to the end, tell how positions are written."""
    stated = explored_game(game, objective)
    if objective.adds or not has_gains(stated):
        return stated
    return explored_game(game, objective, "points") if gains_nonnegative(stated) else None


class WrappingNotation(Notation):
    """The notation of a game whose positions hold those of another one: moves are written as there."""

    game: "WrappingGame"

    @cached_property
    def inner(self) -> Notation:
        """The notation of the wrapped game."""
        return notation_of(self.game.wrapped)

    def show_action(self, action: Any) -> str:
        return self.game.wrapped.show_action(action)

    def read_action(self, text: str) -> Any:
        return self.game.wrapped.read_action(text)

    def read_column(self, name: str, text: str) -> str:
        return self.inner.read_column(name, text)


class WrappingView(View):
    """The view of a game whose positions hold those of another one: dice and decisions are those of the inner position."""

    game: "WrappingGame"

    @cached_property
    def inner(self) -> View:
        """The view of the wrapped game."""
        return view_of(self.game.wrapped)

    def show_dice(self, state: Any) -> Sequence[Any]:
        return self.inner.show_dice(state[0])

    def ends_turn(self, state: Any, action: Any) -> str | None:
        return self.inner.ends_turn(state[0], action)

    def name_move(self, state: Any, action: Any, *, beside: Any = None) -> Text:
        return self.inner.name_move(state[0], action, beside=beside)

    def is_obvious(self, state: Any, action: Any, rival: Any) -> bool:
        return self.inner.is_obvious(state[0], action, rival)

    def to_go(self, pending: Any) -> Text | None:
        return self.inner.to_go(pending[0])

    def decision(self, state: Any) -> Text:
        return self.inner.decision(state[0])

    def choices(self, state: Any) -> Text:
        return self.inner.choices(state[0])


class WrappingFeatures(Features):
    """The features of a game whose positions hold those of another one."""

    game: "WrappingGame"

    def every_action(self) -> Sequence[Any] | None:
        return features_of(self.game.wrapped).every_action()


class WrappingGame(Game[Any, Any, Any], Heuristic, SinglePlayer, Sized):
    """A game whose positions are tuples that begin with a position of another one, and whose moves are those there."""

    @property
    @abstractmethod
    def wrapped(self) -> Game[Any, Any, Any]:
        """The other game."""

    def actions(self, state: Any) -> Sequence[Any]:
        return self.wrapped.actions(state[0])

    def heuristic(self, state: Any, action: Any) -> float:
        """What the heuristic of the wrapped game sees; it does not know the objective."""
        return heuristic(self.wrapped, state[0], action)

    def unlifted(self) -> Game[Any, Any, Any]:
        """Give the game that was described, where this one is `Lifted`."""
        return unlifted(self.wrapped)

    def unlift(self, position: Any) -> Any:
        """Give the position there."""
        return unlift(self.wrapped, position[0])

    def single_player(self) -> Game[Any, Any, Any]:
        return single_player(self.wrapped)

    def project(self, position: Any) -> Any:
        return project(self.wrapped, position[0])

    def dimensions(self) -> Mapping[str, int]:
        return dimensions(self.wrapped)


class WithPointsNeeded(NamedTuple):
    """A position of the original game with the points still needed to reach the target."""

    position: Any
    points: int


class WithTotal(NamedTuple):
    """A position of the original game with the total so far."""

    position: Any
    points: int


def _position_of(state: Any) -> Any:
    return state.position


def _points_of(state: Any) -> int:
    return int(state.points)


class LiftedNotation(WrappingNotation):
    """The notation of the game, and the points that a position carries."""

    game: "LiftedGame"

    def show_state(self, state: Any) -> str:
        return f"{self.game.game.show_state(state.position)} {self.game.word} {state.points}"

    def read_state(self, text: str) -> Any:
        lifted, (rest, points) = self.game, cut_number(text, self.game.word)
        if points is not None:
            return lifted.lift(lifted.game.read_state(rest), lifted.after(points, 0))
        if not any(says(word, lifted.word) for word in text.split()):
            position = lifted.game.read_state(rest)
            if self.inner.is_beginning(position):
                return lifted.start()._replace(position=position)
        example = f"'{lifted.word} {lifted.start().points}'"
        raise PositionError(Message(f"error.{lifted.word}", {"text": brief(text), "example": example}))

    def pack_state(self, state: Any) -> int:
        """The position as its game packs it, and the points below it; frozen."""
        return append(self.inner.pack_state(state.position), state.points)

    def unpack_state(self, number: int) -> Any:
        position, points = split(number)
        return self.game.lift(self.inner.unpack_state(position), points)

    def packed_by(self) -> str:
        return f"{self.game.word} {self.inner.packed_by()}"

    def show_pending(self, pending: Any) -> str:
        return f"{self.inner.show_pending(pending.position)} {self.game.word} {pending.points}"

    def columns(self, state: Any) -> Mapping[str, str]:
        return {**self.inner.columns(state.position), self.game.column: str(state.points)}

    def read_column(self, name: str, text: str) -> str:
        return text if name == self.game.column else self.inner.read_column(name, text)


class LiftedView(WrappingView):
    """The view of the game, and the points that a position carries."""

    game: "LiftedGame"

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        inner = self.inner
        self.action_word, self.cost_word, self.compares = inner.action_word, inner.cost_word, inner.compares  # type: ignore[misc]

    @property
    def title(self) -> str:
        return self.inner.title

    @property
    def about(self) -> str:
        return self.inner.about

    def rules(self) -> Rules:
        return self.inner.rules()

    def because(self, move: Comparison) -> Text | None:
        state, action = move.state, move.action
        after = self.game.play(state, action)
        to_go = self.inner.to_go(after.position)
        stands = self.game.standing(after, to_go)
        wins = move.objective.wins and move.value is not None
        if wins and move.rival is not None and not move.has_better:
            stands = either_way(self.game.chance, move.value or 0)
        elif move.objective.wins and move.value is not None and to_go != "" and stands.key != "stand.reached":
            stands = Message(self.game.chance, {"chance": round_chance(float(move.value)), "stands": stands})
        return join_reasons(self.inner.because(replace(move, state=state.position)), stands)

    def describe(self, state: Any) -> Text:
        return Message(f"stand.{self.game.word}", {"state": self.inner.describe(state.position), "points": state.points})

    def lay_out(self, state: Any) -> Mapping[str, Text]:
        return {**self.inner.lay_out(state.position), self.game.column: str(state.points)}

    def board(self) -> Mapping[str, Any]:
        start, sign = self.game.start(), 1 if self.game.after(0, 1) > 0 else -1
        standing = {"word": self.game.word, "start": start.points, "sign": sign}
        return {**self.inner.board(), "start": self.notation.show_pending(start), "standing": standing}

    def position(self, state: Any) -> Mapping[str, Any]:
        inner = self.inner.position(state.position)
        parts = {"parts": [*inner["parts"], self._part(state)]} if "parts" in inner else {}
        return {**inner, self.game.word: state.points, **parts}

    def before_roll(self, pending: Any) -> Mapping[str, Any]:
        inner = self.inner.before_roll(pending.position)
        return {**inner, "parts": [*inner.get("parts", ()), self._part(pending)]}

    def _part(self, position: Any) -> Part:
        """The points that a position carries, as a part of a board."""
        return number_part(self.game.word, position.points, label=self.game.column)

    def parts(self, state: Any) -> Sequence[Part]:
        return [*self.inner.parts(state.position), self._part(state)]

    def name_rolls(self, pending: Any, states: Sequence[Any]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return self.inner.name_rolls(pending.position, [state.position for state in states])


class LiftedFeatures(WrappingFeatures):
    """The features of the game, and the points that a position carries."""

    game: "LiftedGame"

    def features(self, state: Any) -> Mapping[str, Feature] | None:
        inner = features_of(self.game.game).features(state.position)
        low, high = self.game.point_bounds()
        return None if inner is None else {**inner, self.game.word: one_number(state.points, low, high)}


class LiftedGame(WrappingGame, Draws, InColumns, KnowsGains, Lifted, Prefetches):
    """`game`, with positions that carry a number of points; `word` comes before it in the notation, `column` names it.

    `chance` is the text that says how likely it is won.
    """

    notation, view, features = LiftedNotation, LiftedView, LiftedFeatures
    word: str
    column: str
    chance: str = "stand.to-win"

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game

    @property
    def wrapped(self) -> Game[Any, Any, Any]:
        return self.game

    @abstractmethod
    def lift(self, position: Any, points: int) -> Any:
        """Give a position with its points."""

    @abstractmethod
    def after(self, points: int, gain: int) -> int:
        """Give the points after a gain."""

    @abstractmethod
    def worth(self, points: int, payoff: int) -> int:
        """Say what an end with these points and this payoff is worth."""

    @abstractmethod
    def range_of_points(self) -> tuple[int | None, int | None]:
        """Give the least and the most points that a position may carry; None: that is not known."""

    @abstractmethod
    def standing(self, after: Any, to_go: Text | None) -> Message:
        """Say how things stand after a move, with so much to go."""

    def point_bounds(self) -> tuple[int, int]:
        """Give the range of points, as wide as can be where it is not known."""
        low, high = self.range_of_points()
        bound = MOST_POINTS if high is None else high
        return -bound if low is None else low, bound

    def roll(self, pending: Any) -> Mapping[Any, int]:
        position, points = pending
        return {self.lift(state, points): weight for state, weight in self.game.roll(position).items()}

    def play(self, state: Any, action: Any) -> Any:
        position, points = state
        return self.lift(self.game.play(position, action), self.after(points, self.game.gain(position, action)))

    def payoff(self, state: Any) -> int:
        return self.worth(state.points, self.game.payoff(state.position))

    def mover(self, state: Any) -> int:
        return self.game.mover(state.position)

    @property
    def players(self) -> int:
        return self.game.players

    def vocabulary(self) -> Vocabulary:
        """The words of the game, and the points that a position carries."""
        points = CardFeature(self.column, _points_of, *self.point_bounds(), says=self.column)
        return self.game.vocabulary().seen_from(_position_of, points)

    # What the game can do, this one can

    @property
    def has_gains(self) -> bool:
        return has_gains(self.game)

    def in_columns(self) -> Any:
        inner = in_columns(self.game)
        return None if inner is None else inner.lifted(self)

    def prefetch(self, states: Sequence[Any]) -> None:
        prefetch(self.game, [state.position for state in states])

    @cached_property
    def _drawing(self) -> Draws | None:
        return ability(self.game, Draws)

    def draw(self, pending: Any, random: Random) -> Any:
        drawn = None if self._drawing is None else self._drawing.draw(pending.position, random)
        return None if drawn is None else self.lift(drawn, pending.points)

    def can_follow(self, pending: Any, state: Any) -> bool:
        return bool(pending.points == state.points) and can_follow(self.game, pending.position, state.position)


class NeedingGame(LiftedGame):
    """`game`, played for a total of at least `target`.

    `floor` says that no gain and no payoff is negative: then needing fewer than 0 points is the same as needing 0.
    """

    word = "needs"
    column = "points needed"
    chance = "stand.to-reach"

    def __init__(self, game: Game[Any, Any, Any], target: int, *, floor: bool) -> None:
        super().__init__(game)
        self.target, self.floor = target, floor

    def start(self) -> WithPointsNeeded:
        return WithPointsNeeded(self.game.start(), self.after(self.target, 0))

    def lift(self, position: Any, points: int) -> WithPointsNeeded:
        return WithPointsNeeded(position, points)

    def after(self, points: int, gain: int) -> int:
        return max(points - gain, 0) if self.floor else points - gain

    def worth(self, points: int, payoff: int) -> int:
        return int(payoff >= points)

    def range_of_points(self) -> tuple[int | None, int | None]:
        return (0, max(self.target, 0)) if self.floor else (None, None)

    def standing(self, after: Any, to_go: Text | None) -> Message:
        points = after.points
        if points <= 0 and (self.floor or to_go == ""):
            return Message("stand.reached")
        if points <= 0:
            return _with_left("stand.spare", to_go, n=-points)
        return Message("stand.short", {"points": points}) if to_go == "" else _with_left("stand.needed", to_go, n=points)


class HavingGame(LiftedGame):
    """`game`, played for what its final total is worth to an objective (against an opponent, the chance to beat it)."""

    word = "has"
    column = "total so far"

    def __init__(self, game: Game[Any, Any, Any], aim: Objective) -> None:
        super().__init__(game)
        self.aim = aim

    def start(self) -> WithTotal:
        return WithTotal(self.game.start(), 0)

    def lift(self, position: Any, points: int) -> WithTotal:
        return WithTotal(position, points)

    def after(self, points: int, gain: int) -> int:
        return points + gain

    def worth(self, points: int, payoff: int) -> int:
        return self.aim.score(points + payoff)

    def range_of_points(self) -> tuple[int | None, int | None]:
        return None, None

    def standing(self, after: Any, to_go: Text | None) -> Message:
        if to_go or to_go is None or not self.aim.wins:
            return _with_left("stand.so-far", to_go, points=after.points)
        chance = float(self.aim.worth(after.points))
        if chance in (0, 1):
            return Message("stand.ends-won" if chance else "stand.ends-lost", {"points": after.points})
        return Message("stand.ends", {"points": after.points, "chance": round_chance(chance)})


def either_way(key: str, chance: Number) -> Message:
    """Say how likely two equal moves are to win, or to reach the target (`key`)."""
    if 0 < chance < 1:
        return Message(f"{key}-either", {"chance": round_chance(float(chance))})
    return Message(f"{key}-surely" if chance else f"{key}-never")


def _with_left(key: str, left: Text | None, **args: int) -> Message:
    """Say how things stand, and what is left to be played, where that is known."""
    return Message(f"{key}-left", {**args, "left": left}) if left else Message(key, args)
