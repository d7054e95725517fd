"""Rules over codes of a game whose positions carry points: what is still needed, or the total so far."""

from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.games.columns.coded import Coded, Offered, Rolled
from rollwise.games.columns.relation import Ints

__all__ = ["LiftedRules"]

LARGEST_SPACE = 1 << 62
MOST_POINTS = 1 << 32


class LiftedRules:
    """code = inner code * width + points - low; the points of every pair are asked of the game once."""

    def __init__(self, inner: Coded, game: Any, low: int, width: int) -> None:
        self.inner, self.game, self.low, self.width = inner, game, low, width
        self.space = inner.space * width

    @classmethod
    def of(cls, inner: Coded, game: Any) -> "LiftedRules | None":
        """Make them with as much room for points as there is; None if there is too little."""
        low, high = game.range_of_points()
        room = min(LARGEST_SPACE // inner.space, MOST_POINTS)
        low = game.start().points - room // 2 if low is None else low
        width = room if high is None else high - low + 1
        return cls(inner, game, low, width) if room > 1 and width <= room else None

    def first(self) -> int:
        points: int = self.game.start().points
        return self.inner.first() * self.width + points - self.low

    def position(self, code: int) -> Any:
        inner, points = divmod(int(code), self.width)
        return self.game.lift(self.inner.position(inner), points + self.low)

    def code(self, position: Any) -> int | None:
        if not isinstance(position, tuple) or len(position) != 2:
            return None
        inner, points = self.inner.code(position[0]), position[1]
        inside = inner is not None and isinstance(points, int) and 0 <= points - self.low < self.width
        return inner * self.width + points - self.low if inside and inner is not None else None

    def lifted(self, game: Any) -> Coded | None:
        return None

    def columns(self, codes: Ints) -> dict[str, Ints]:
        """Unpack positions into the columns of the game and the points."""
        inner, points = np.divmod(codes, self.width)
        found, word = self.inner.columns(inner), self.game.word
        return {**found, word if word not in found else f"{word}_points": points + self.low}

    def named(self, states: Ints) -> Ints:
        return self.inner.named(states // self.width)

    def name_of(self, number: int) -> str:
        return self.inner.name_of(number)

    def rolled(self, pendings: Ints) -> Rolled:
        inner, points = np.divmod(pendings, self.width)
        found = self.inner.rolled(inner)
        state = found.state * self.width + np.repeat(points, np.diff(found.start))
        return found._replace(state=state)

    def offered(self, states: Ints) -> Offered:
        inner, points = np.divmod(states, self.width)
        found = self.inner.offered(inner)
        count = np.diff(found.start)
        after = self._asked(self.game.after, np.repeat(points, count) + self.low, found.gain) - self.low
        if after.size and (after.min() < 0 or after.max() >= self.width):
            most = f"{self.low:,} to {self.low + self.width - 1:,}"
            raise GameError(f"the points leave {most}: there is no room to remember more, count in larger units")
        over = np.flatnonzero(count == 0)
        payoff = np.zeros(len(states), dtype=np.int64)
        payoff[over] = self._asked(self.game.worth, points[over] + self.low, found.payoff[over])
        return Offered(found.start, found.pending * self.width + after, np.zeros_like(found.gain), payoff, found.mover)

    def _asked(self, rule: Any, points: Ints, more: Ints) -> Ints:
        """Ask a rule of two numbers, once for every different pair."""
        if not points.size:
            return np.zeros(0, dtype=np.int64)
        low, base = int(points.min()), int(more.min())
        width = int(more.max()) - base + 1
        if (int(points.max()) - low + 1) * width >= LARGEST_SPACE:
            return self._asked_far(rule, points, more)
        pair, place = np.unique((points - low) * width + (more - base), return_inverse=True)
        answers = [rule(one // width + low, one % width + base) for one in pair.tolist()]
        found: Ints = np.array(answers, dtype=np.int64)[place]
        return found

    def _asked_far(self, rule: Any, points: Ints, more: Ints) -> Ints:
        """Ask by the numbers of the points and of what is added, where they lie too far apart for one integer."""
        (some, row), (added, column) = (np.unique(part, return_inverse=True) for part in (points, more))
        pair, place = np.unique(row * len(added) + column, return_inverse=True)
        answers = [rule(int(some[one // len(added)]), int(added[one % len(added)])) for one in pair.tolist()]
        found: Ints = np.array(answers, dtype=np.int64)[place]
        return found
