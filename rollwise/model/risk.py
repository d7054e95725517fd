"""Objectives along the risk dial: a quantile of the total, the mean of its worst part, any rising worth of it.

    quantile 10%      the highest total t that is reached with 90 %: maximise P(X >= t)
    worst 10%         the mean of the worst tenth of games (conditional value at risk): maximise t - E[(t - X)+] / a
    utility ...       the mean of a worth u(X), by a table or u(x) = (1 - exp(-kx)) / k

The best mean of the worst part a is the maximum over t of t - E[(t - X)+] / a, and for one t this is the mean of a worth of
the total. So both quantile and worst have a *target* t. It is chosen at the start of the game and stays the same from then on:
a plan. The maximum is not concave in t, so solvers compare every total that can be reached. In a game in which few points are
good all of this is mirrored: the worst part is the one with the highest totals.

Where several moves are equally good, the one with the better mean is chosen (`by_mean`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isfinite, lcm
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from rollwise.errors import GameError, brief
from rollwise.model.against import MOST_POINTS
from rollwise.model.message import Argument, Message
from rollwise.model.objective import Number, Objective, Words
from rollwise.model.parameter import Parameter, Text
from rollwise.model.view import OfferedAim, view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["Quantile", "RiskObjective", "Totals", "Utility", "Worst", "is_worths", "read_share", "show_share"]

FINEST = 10_000
"""The largest denominator of a share of games."""
LEVEL = re.compile(r"(?P<share>[0-9./]{1,20}) ?(?P<percent>%?)(?:, ?target (?P<target>-?[0-9]{1,10}))?", re.ASCII)
STEEPEST = 15.0
"""The largest k times a total: beyond it, worths are further apart than numbers of 64 bits can tell."""
BITS = 40
"""Worths exp(-kx) are rounded to so many bits."""
DIGITS = 60
PAIR = re.compile(r"(-?\d{1,10}):(-?\d{1,12}(?:\.\d{1,9})?)", re.ASCII)
RISK = re.compile(r"exp:(-?\d{0,3}(?:\.\d{1,9})?)", re.ASCII)


def read_share(text: str, percent: str) -> Fraction:
    """Read a share of games: "10" and "%", or "1/8" alone. Raises `ValueError`."""
    share = Fraction(text) / (100 if percent else 1)
    if not percent and "/" not in text:
        raise ValueError("no percent sign")
    return share


def is_worths(text: str) -> bool:
    """Say whether a text is a utility, so that no file need be read."""
    return RISK.fullmatch(text.strip()) is not None or PAIR.match(text.strip()) is not None


def show_share(share: Fraction) -> str:
    """Write a share of games: in percent where that is short.

    >>> show_share(Fraction(1, 8)), show_share(Fraction(1, 3))
    ('12.5%', '1/3')
    """
    number = 100 * share
    return f"{float(number):g}%" if (10**2 * number).denominator == 1 else str(share)


@dataclass(frozen=True)
class Totals(Objective):
    """The total itself, which positions remember: what solvers explore to learn which totals can be reached."""

    name = "totals"


class RiskObjective(Objective):
    """What the objectives of the risk dial share: they are for one player who counts points, and ties are broken by the mean."""

    by_mean = True
    few: bool  # type: ignore[misc]
    """Whether few points are good."""

    def fitted(self, game: "Game[Any, Any, Any]") -> "Objective":
        """Mirror it for a game in which few points are good. Raises `GameError` where there are no totals of one player."""
        own = game.objective
        if game.players > 1:
            raise GameError(
                f"'{self.name}' is about the total of one player, and this game is for two: choose a game for one player"
            )
        if own.counts == "costs":
            word = view_of(game).cost_word
            raise GameError(f"'{self.name}' is about points, and this game counts {word}: choose a game with points")
        return replace(self, few=own.few)  # type: ignore[type-var]

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        self.fitted(game)
        return game


@dataclass(frozen=True)
class _Level(RiskObjective):
    """An objective for a share of games, and the target that is chosen for it."""

    whole: ClassVar[bool]
    """Whether the share may be 100 %."""

    share: Fraction
    target: int | None = None
    few: bool = False  # type: ignore[misc]

    def __post_init__(self) -> None:
        share = self.share if isinstance(self.share, Fraction) else Fraction(str(self.share))
        if not 0 < share <= 1 or (share == 1 and not self.whole) or share.denominator > FINEST:
            most = "at most 100%" if self.whole else "below 100%"
            raise GameError(f"{self.name} {show_share(share)}: expected a share of games above 0% and {most}, such as 10%")
        if self.target is not None and abs(self.target) > MOST_POINTS:
            raise GameError(f"{self.name}, target {self.target}: expected a whole number of at most {MOST_POINTS:,}")
        object.__setattr__(self, "share", share)

    def __str__(self) -> str:
        return f"{self.name} {show_share(self.share)}" + ("" if self.target is None else f", target {self.target}")

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a share of games, and the target where it is known.

        >>> str(Worst.read("10%")), str(Quantile.read("1/8, target 165"))
        ('worst 10%', 'quantile 12.5%, target 165')
        """
        found = LEVEL.fullmatch(text.strip())
        try:
            share = read_share(found["share"] if found else "", found["percent"] if found else "")
        except (ValueError, ZeroDivisionError):
            raise GameError(f"objective {brief(f'{cls.name} {text}'.strip())}: expected a share of games, such as 10%") from None
        return cls(share, int(found["target"]) if found and found["target"] else None)

    @property
    def fields(self) -> Mapping[str, str]:
        return {"aim": self.name, "share": show_share(self.share)}

    @property
    def needs_target(self) -> bool:
        return self.target is None

    def at(self, target: int) -> Self:
        return replace(self, target=target)

    @property
    def _goal(self) -> int:
        if self.target is None:
            raise GameError(f"{self} has no target before it is solved: give one, such as '{self}, target 100'")
        return self.target

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        side = "few" if self.few else "many"
        if self.target is None:
            return Message(f"aim.{self.name}.{side}", {"share": show_share(self.share)})
        args: dict[str, Argument] = {"share": show_share(self.share), "rest": show_share(1 - self.share), "target": self.target}
        return Message(f"aim.{self.name}.{side}-target", args)


@dataclass(frozen=True)
class Quantile(_Level):
    """Reach the highest total that can be reached in all but a share of games; the value is the chance to reach it.

    >>> str(Quantile(Fraction(1, 10)))
    'quantile 10%'
    """

    name = "quantile"
    wins = True
    whole = False
    aims = (OfferedAim.known("quantile", "quantile {share}", (Parameter.known("share", Text(), "10%"),)),)

    @property
    def mark(self) -> int | None:
        return None if self.few else self.target

    def score(self, total: int) -> int:
        return int(total <= self._goal if self.few else total >= self._goal)


@dataclass(frozen=True)
class Worst(_Level):
    """Maximise the mean of the worst share of games (in a game in which few points are good, minimise it).

    >>> str(Worst(Fraction(1, 10), target=165)), Worst(Fraction(1, 10), target=165).worth(160)
    ('worst 10%, target 165', Fraction(115, 1))
    """

    name = "worst"
    whole = True
    aims = (OfferedAim.known("worst", "worst {share}", (Parameter.known("share", Text(), "10%"),)),)

    @property
    def better(self) -> Literal["higher", "lower"]:  # type: ignore[override]
        return "lower" if self.few else "higher"

    @property
    def unit(self) -> int:
        return self.share.numerator

    def score(self, total: int) -> int:
        goal = self._goal
        beyond = max(total - goal, 0) if self.few else min(total - goal, 0)
        return self.share.numerator * goal + self.share.denominator * beyond

    def words(self, game: "Game[Any, Any, Any]") -> Words:
        return Words("mean of the worst games", "loss (points)", "points", False)

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "worth of the total"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        missing, side = abs(self._goal - total) * self.share, "above" if self.few else "short of"
        if not missing:
            return f"the target of {self._goal} is reached"
        return f"the total is {float(missing):g} {side} the target of {self._goal}"


@dataclass(frozen=True)
class Utility(RiskObjective):
    """Maximise the mean worth of the total: by a table of totals and worths, or 1 - exp(-k total), for any k but 0.

    >>> str(Utility.read("0:0,10:1.5,20:2")), str(Utility.read("exp:0.02"))
    ('utility of 3 totals', 'utility exp:0.02')

    Raises `GameError` for a table in which a higher total is worth less, and a `k` that is no number.
    """

    name = "utility"
    aims = (OfferedAim.known("utility", "utility exp:{risk}", (Parameter.known("risk", Text(), "0.02"),)),)

    table: tuple[tuple[int, Fraction], ...] = ()
    risk: float = 0.0
    few: bool = False  # type: ignore[misc]

    def __post_init__(self) -> None:
        if bool(self.table) == bool(self.risk) or not isfinite(self.risk):
            raise GameError(
                f"the utility {self.risk!r}: expected a table, or exp:k with a number k other than 0, such as exp:0.02"
            )
        totals = [total for total, _ in self.table]
        if len(set(totals)) < len(totals):
            twice = next(total for total in totals if totals.count(total) > 1)
            raise GameError(f"the utility has two worths for a total of {twice}: expected one")
        object.__setattr__(self, "table", tuple(sorted((total, Fraction(worth)) for total, worth in self.table)))

    def __str__(self) -> str:
        return f"{self.name} exp:{self.risk:g}" if self.risk else f"{self.name} of {len(self.table)} totals"

    @property
    def text(self) -> str:
        if self.risk:
            return str(self)
        return f"{self.name} " + ",".join(f"{total}:{float(worth):.12g}" for total, worth in self.table)

    @property
    def key(self) -> str:
        return str(self) if self.risk else f"{self.name} {self.table}"

    @classmethod
    def read(cls, text: str) -> "Utility":
        """Read a table of totals and worths, `0:0,10:1.5`, or `exp:k`."""
        risk = RISK.fullmatch(text.strip())
        pairs = [PAIR.fullmatch(part.strip()) for part in text.split(",")]
        if risk is None and not all(pairs):
            raise GameError(
                f"objective {brief(f'{cls.name} {text}'.strip())}: expected totals and worths such as 0:0,10:1.5, or exp:0.02"
            )
        if risk is None:
            return cls(tuple((int(pair[1]), Fraction(pair[2])) for pair in pairs if pair))
        return cls(risk=float(risk[1]) if risk[1] not in ("", "-") else 0.0)

    @property
    def fields(self) -> Mapping[str, str]:
        return {"aim": self.name, "risk": f"{self.risk:g}"} if self.risk else {"aim": self.name}

    def fitted(self, game: "Game[Any, Any, Any]") -> "Objective":
        found = super().fitted(game)
        worths = [worth for _, worth in self.table]
        if worths != sorted(worths, reverse=game.objective.few):
            order = "rise" if game.objective.few else "fall"
            raise GameError(
                f"the worths of the utility {order} somewhere with the total: expected a better total to be worth more"
            )
        return found

    @property
    def unit(self) -> int:
        return 1 << BITS if self.risk else lcm(*(worth.denominator for _, worth in self.table))

    @property
    def rounding(self) -> float:
        return 0.5 / self.unit if self.risk else 0.0

    def score(self, total: int) -> int:
        if self.risk:
            total = -total if self.few else total
            if abs(self.risk * total) > STEEPEST and self.risk * total < 0:
                raise GameError(f"{self}: too steep for a total of {total}; expected |k| of at most {STEEPEST / abs(total):.3g}")
            with localcontext(prec=DIGITS):  # so that rounding to a unit is the only error
                rise = 1 - (Decimal(-self.risk) * total).exp()
                return round((rise if self.risk > 0 else -rise) * self.unit)
        worth = self._worths.get(total)
        if worth is None:
            raise GameError(f"the utility has no worth for a total of {total}: expected one for every total that can be reached")
        return int(worth * self.unit)

    @property
    def _worths(self) -> Mapping[int, Fraction]:
        return dict(self.table)

    def words(self, game: "Game[Any, Any, Any]") -> Words:
        return Words("expected worth", "loss (worth)", "", False)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message("aim.utility.sentence", {"objective": str(self)})

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "worth of the total"

    def ending(self, total: Number, start: Number, game: "Game[Any, Any, Any]") -> str:
        return f"the total is worth {float(total):g} (expected {float(start):g})"
