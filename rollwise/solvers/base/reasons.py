"""What a move's value is made of, for any game: gains, ends and the next decisions.

The value of a move is what its position is worth, v, changed by the gain, by the chance of each end and by the chance of each
decision that comes next:

    value = v + gain + sum over ends of p (payoff - v) + sum over what is done next of p (value then - v)

A game that has turns (`View.ends_turn`) is followed to the end of this one, and the parts are what the turn may end with.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.model.abilities import prefetch, unlift, unlifted
from rollwise.model.formatting import infinite
from rollwise.model.message import Message, Text
from rollwise.model.reasons import ALL_ELSE, Part
from rollwise.model.view import view_of

if TYPE_CHECKING:
    from rollwise.solvers.base.solution import Number, Solution

__all__ = ["ByRules", "never_ends"]

END = Message("part.end")
GROUPS = 5
"""Next decisions that are parts of their own; all others are one."""
DEEPEST = 12
"""Decisions of a turn that are followed: one that goes on for longer is taken for ended."""
REMEMBERED = 1 << 14
"""States and rolls that are kept in mind from one move to the next."""


class Step(NamedTuple):
    """What is done in a state: its value, the action, whether the game is over, and what the action ends a turn with."""

    value: "Number"
    action: Any
    over: bool
    ends: Text | None


class Share(NamedTuple):
    """One thing that may come: its chance, and the value and the points that come with it, each times the chance."""

    chance: Any = 0
    value: Any = 0
    points: Any = 0

    def plus(self, other: "Share", chance: Any, more: Any = 0) -> "Share":
        """Count another way to it, taken with a chance and worth so much more."""
        weight = chance * other.chance
        return Share(self.chance + weight, self.value + chance * other.value + weight * more, self.points + chance * other.points)


class ByRules:
    """Takes the values of moves apart by following the rules of the game."""

    def __init__(self, solution: "Solution") -> None:
        self.solution, self.game = solution, solution.game
        self.counts_costs = solution.objective.counts == "costs"
        self.adds_points = solution.objective.adds and not self.counts_costs
        self.one: Number = Fraction(1) if solution.exact else 1.0
        self.ends_turn = view_of(solution.game).ends_turn
        self.step = lru_cache(maxsize=REMEMBERED)(self._step)
        self.turn = lru_cache(maxsize=REMEMBERED)(self._turn)

    def parts(self, state: Any, action: Any, value: "Number") -> tuple[Part, ...]:
        """Give the parts of a move's value."""
        stands = self.solution.value(state, kind="state")
        if infinite(value) or infinite(stands):
            return never_ends(value)
        first, ends, pending = (
            Part("stands", Message("part.position"), stands),
            self.ends_turn(state, action),
            self.game.play(state, action),
        )
        if ends:
            return first, self._ended(ends, Share(self.one, value, self._points(state, action)), stands)
        if ends is not None:
            turn = self.turn(pending, DEEPEST).items()
            return first, *self._gain(state, action), *(self._ended(name, share, stands) for name, share in turn)
        outcomes = self._outcomes(pending, self.game.mover(state), stands)
        return first, *self._paid(pending), *self._gain(state, action), *outcomes

    def _ended(self, name: Text, share: Share, stands: "Number") -> Part:
        """The part of all ways in which the turn ends with one thing."""
        after = share.value / share.chance
        return Part("box", name, share.value - share.chance * stands, share.chance, share.points / share.chance, after=after)

    def _step(self, state: Any) -> Step:
        ranked = self.solution.ranked(state)
        if not ranked:
            return Step(self.solution.value(state, kind="state"), "", True, END)
        action, value, _ = ranked[0]
        return Step(value, action, False, self.ends_turn(state, action))

    def _turn(self, pending: Any, deep: int) -> dict[Text, Share]:
        """What the turn may end with after a roll; the chances add up to 1, gains and costs on the way are in the values."""
        found: dict[Text, Share] = {}
        cost = self._cost(pending)
        for state, chance in self._roll(pending):
            for name, share, more in self._endings(state, deep):
                found[name] = found.get(name, Share()).plus(share, chance, more + cost)
        return found

    def _endings(self, state: Any, deep: int) -> Iterator[tuple[Text, Share, Any]]:
        """What the turn may end with from a state on, and what the action gains."""
        step = self.step(state)
        if step.ends or not deep:
            points = 0 if step.over else self._points(state, step.action)
            yield step.ends or Message("part.more-rolls"), Share(self.one, step.value, points), 0
            return
        gain = self.game.gain(state, step.action) if self.adds_points else 0
        for name, share in self.turn(self.game.play(state, step.action), deep - 1).items():
            yield name, share, gain

    def _roll(self, pending: Any) -> Iterator[tuple[Any, Any]]:
        """What a roll may give, with its chance."""
        roll = self.game.roll(pending)
        prefetch(self.game, list(roll))
        total = sum(roll.values())
        return ((state, self.one * weight / total) for state, weight in roll.items())

    def _points(self, state: Any, action: Any) -> int:
        """The points of an action in the game that was described, whatever that is played for."""
        return int(unlifted(self.game).gain(unlift(self.game, state), action))

    def _cost(self, pending: Any) -> int:
        return int(self.game.cost(pending)) if self.counts_costs else 0

    def _paid(self, pending: Any) -> Iterator[Part]:
        """What the next roll costs."""
        cost = self._cost(pending)
        if cost:
            yield Part("cost", Message("part.roll"), cost)

    def _gain(self, state: Any, action: Any) -> Iterator[Part]:
        """What the move gains at once."""
        gain = self.game.gain(state, action) if self.adds_points else 0
        if gain:
            yield Part("gain", Message("part.gain"), gain, points=gain)

    def _outcomes(self, pending: Any, mover: int, stands: "Number") -> Iterator[Part]:
        """What the next roll leads to: ends, and decisions by what is done then."""
        found: dict[tuple[str, Text], Share] = {}
        for state, chance in self._roll(pending):
            step = self.step(state)
            key: tuple[str, Text] = ("end", END)
            if not step.over:
                own = self.game.mover(state) == mover
                done: Text = self.game.show_action(step.action)
                key = "next", done if own else Message("part.others", {"move": done})
            found[key] = found.get(key, Share()).plus(Share(self.one, step.value), chance)
        rows = [(*key, share) for key, share in found.items()]
        rows.sort(key=lambda row: (row[0] != "end", -abs(row[2].value - row[2].chance * stands)))
        if len(rows) > GROUPS + 1:
            rest = [share for _, _, share in rows[GROUPS + 1 :]]
            rows[GROUPS + 1 :] = [("next", ALL_ELSE, Share(*(sum(numbers) for numbers in zip(*rest, strict=True))))]
        for kind, name, (chance, value, _) in rows:
            yield Part(kind, name, value - chance * stands, chance, after=value / chance)


def never_ends(value: "Number") -> tuple[Part, ...]:
    """Give the one part of a move after which the game may not end."""
    return (Part("next", Message("part.never-ends"), value),)
