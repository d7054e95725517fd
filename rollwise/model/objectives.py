"""The objectives by name, and how their texts are read; `Expected` is in `model.objective`, `Against` in `model.against`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from rollwise.errors import GameError, nearest, one_of
from rollwise.model.abilities import duel
from rollwise.model.against import MOST_POINTS, TIES, Against, name_share, read_share, read_ties, show_share
from rollwise.model.installed import installed, load_installed
from rollwise.model.lift import NeedingGame
from rollwise.model.message import Message, Text, known_text
from rollwise.model.objective import Expected, Number, Objective, PlainObjective, Words
from rollwise.model.parameter import Choice, Integer, Parameter
from rollwise.model.risk import Quantile, Utility, Worst
from rollwise.model.view import OfferedAim, looks_of, view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = [
    "OBJECTIVES", "AtLeast", "AtMost", "Duel", "Fewest", "Lowest", "Win", "add_objective", "aims_of", "drop_objective",
    "read_objective", "split_objective",
]  # fmt: skip

LONGEST = 4000
"""Digits of a target that are read, if only to say that they are too many."""
DUEL = re.compile(r"(?P<points>points)?(?: (?P<seat>first|second))?(?:,? ?(?P<ties>ties.*))?")


@dataclass(frozen=True)
class Lowest(PlainObjective):
    """Minimise the expected total of points, for games in which points are bad.

    >>> str(Lowest())
    'lowest'
    """

    name = "lowest"
    better = "lower"
    few = True
    adds = True
    aims = (OfferedAim.known("lowest", "lowest"),)


@dataclass(frozen=True)
class Fewest(PlainObjective):
    """Minimise the expected cost, usually the number of rolls, until the game ends.

    >>> str(Fewest())
    'fewest'
    """

    name = "fewest"
    better = "lower"
    counts = "costs"
    adds = True
    aims = (OfferedAim.known("fewest", "fewest"),)

    def words(self, game: "Game[Any, Any, Any]") -> Words:
        word = view_of(game).cost_word
        return Words(f"expected {word}", f"loss ({word})", word, False)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        word = view_of(game).cost_word
        return Message("aim.fewest.sentence", {"what": known_text(f"aim.fewest.{word}", word)})

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return view_of(game).cost_word


@dataclass(frozen=True)
class Win(PlainObjective):
    """Maximise the chance to win a game for two: the end pays 2 for a win, 1 for a tie, which counts half, 0 for a loss.

    >>> Win().worth(1), str(Win())
    (Fraction(1, 2), 'win')
    """

    name = "win"
    wins = True
    aims = (OfferedAim.known("win", "win"),)

    @property
    def unit(self) -> int:
        return 2

    def score(self, total: int) -> int:
        return min(max(total, 0), self.unit)

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        own = game.objective
        if own.wins and own.name != self.name:
            raise GameError(
                f"'win' counts 2 for a win and 1 for a tie, and this game counts otherwise: leave it out, for '{own}'"
            )
        return game

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "tied" if 0 < total < 1 else super().result(total, game)


def _target_aim(name: str) -> tuple[OfferedAim, ...]:
    """Offer an objective with a number of points."""
    points = Parameter.known("target", Integer(-MOST_POINTS, MOST_POINTS), key=name)
    return (OfferedAim.known(name, f"{name} {{target}}", (points,)),)


@dataclass(frozen=True)
class _Target(Objective):
    """Maximise the probability of a total on one side of `target`. Raises `GameError` for one that is not a whole number."""

    wins = True
    called_target: ClassVar[str]
    """How a message begins that names the target."""

    target: int

    def __post_init__(self) -> None:
        if not isinstance(self.target, Integral) or abs(self.target) > MOST_POINTS:
            raise GameError(f"{self.called_target} {self.target!r} points: expected a whole number of at most {MOST_POINTS:,}")

    def __str__(self) -> str:
        return f"{self.name} {self.target}"

    @classmethod
    def read(cls, text: str) -> "_Target":
        if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > LONGEST:
            raise GameError(f"objective '{f'{cls.name} {text}'.strip()}': expected {cls.name!r} and a number of points")
        return cls(int(text))

    @property
    def fields(self) -> Mapping[str, str]:
        return {"aim": self.name, "target": str(self.target)}

    def remark(self, value: Number) -> Text:
        if value not in (0, 1):
            return ""
        return Message(f"aim.{self.name}.{'certain' if value else 'lost'}", {"points": self.target})

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        return Message(f"aim.{self.name}.sentence", {"target": str(self.target)})


@dataclass(frozen=True)
class AtLeast(_Target):
    """Maximise the probability that the total is at least `target`.

    >>> str(AtLeast(45))
    'at-least 45'

    Raises `GameError` for a target that is not a whole number of reasonable size.
    """

    name = "at-least"
    called_target = "a target of"
    aims = _target_aim("at-least")

    def score(self, total: int) -> int:
        return int(total >= self.target)

    def remember(self, game: "Game[Any, Any, Any]", *, floor: bool) -> "Game[Any, Any, Any]":
        """Remember the points still needed."""
        return NeedingGame(game, self.target, floor=floor)

    @property
    def mark(self) -> int:
        return self.target


@dataclass(frozen=True)
class AtMost(_Target):
    """Maximise the probability that the total is at most `target`, for games in which points are bad.

    >>> str(AtMost(5))
    'at-most 5'

    Raises `GameError` for a target that is not a whole number of reasonable size.
    """

    name = "at-most"
    called_target = "at most"
    few = True
    aims = _target_aim("at-most")

    def score(self, total: int) -> int:
        return int(total <= self.target)


@dataclass(frozen=True)
class Duel(Objective):
    """Maximise the probability of ending with more points than another player who does the same, taking turns (score sheets).

    A tie counts `ties` for the first player (default: half a win) and 1 - ties for the second. With `points` 0 or 1, that player
    plays for the highest expected score of his own sheet instead, and the other gives the best answer to that.

    >>> str(Duel()), str(Duel(points=1)), str(Duel(points=0))
    ('duel', 'duel points', 'duel points first')

    Raises `GameError` for `ties` outside 0..1, or another player.
    """

    name = called = "duel"
    aims = (
        OfferedAim.known("duel", "duel, ties {ties}", (TIES,)),
        OfferedAim.known(
            "duel-points",
            "duel points {begins}, ties {ties}",
            (Parameter.known("begins", Choice("second", "first"), "second"), TIES),
        ),
    )
    instead = "against self"
    adds = True
    wins = True
    follows = False

    ties: Fraction
    points: int | None

    def __init__(self, ties: float | Fraction = Fraction(1, 2), points: int | None = None) -> None:
        if points not in (None, 0, 1):
            raise GameError(f"the player for points is {points!r}: expected 0, who begins, 1, or None")
        object.__setattr__(self, "ties", read_share(ties))
        object.__setattr__(self, "points", points)

    def __str__(self) -> str:
        return f"{self.name}{self._who}{show_share(self.ties)}"

    @property
    def _who(self) -> str:
        return "" if self.points is None else " points" if self.points else " points first"

    @property
    def general(self) -> bool:  # type: ignore[override]
        """Whether the graph solver solves it: what a player for points does follows from the sheet alone."""
        return self.points is None

    @property
    def bound(self) -> int | None:
        return self.points

    @property
    def rival(self) -> str:  # type: ignore[override]
        """Who the other player is: one for points, or anybody."""
        return "" if self.points is None else "points"

    @classmethod
    def read(cls, text: str) -> "Duel":
        """Read the rest of its text: "points" or "points first", then what a tie counts: "ties win", "ties lose", "ties 1/3"."""
        found = DUEL.fullmatch(text.strip())
        if not found or (found["seat"] and not found["points"]):
            return cls(read_ties(text))
        seat = (0 if found["seat"] == "first" else 1) if found["points"] else None
        return cls(read_ties(found["ties"]) if found["ties"] else Fraction(1, 2), seat)

    @property
    def fields(self) -> Mapping[str, str]:
        if self.points is None:
            return {"aim": "duel", "ties": name_share(self.ties)}
        return {"aim": "duel-points", "begins": ("first", "second")[self.points], "ties": name_share(self.ties)}

    @property
    def unit(self) -> int:
        """The points of a win in the game that is walked."""
        return self.ties.denominator

    def restate(self, game: "Game[Any, Any, Any]") -> "Game[Any, Any, Any]":
        """Put two players on the game, taking turns."""
        return duel(game, self.ties)

    def aim(self, game: "Game[Any, Any, Any]") -> Message:
        if self.points is not None:
            return Message(f"aim.duel-points.{('first', 'second')[self.points]}")
        worth = {Fraction(1, 2): "half", Fraction(1): "first", Fraction(0): "second"}.get(self.ties, "share")
        return Message("aim.duel.sentence", {"ties": Message(f"aim.duel.{worth}", {"share": str(self.ties)})})

    def result(self, total: Number, game: "Game[Any, Any, Any]") -> str:
        return "won" if total == 1 else "lost" if total == 0 else "tied"


OWN: tuple[type[Objective], ...] = (
    Expected, AtLeast, Against, Worst, Quantile, Utility, Lowest, AtMost, Win, Fewest, Duel,
)  # fmt: skip
OBJECTIVES: dict[str, type[Objective]] = {kind.name: kind for kind in OWN}


def read_objective(text: str) -> Objective:
    """Read an objective as it is written; a hyphen in its name may be a space.

    >>> read_objective("at-least 45"), read_objective("At most 5")
    (AtLeast(target=45), AtMost(target=5))

    Raises `GameError` for anything else. It never reads a file.
    """
    name, rest = split_objective(text)
    return _kind(name).read(rest)


def split_objective(text: str) -> tuple[str, str]:
    """Split the text of an objective into its name, and what follows.

    >>> split_objective("at least 45"), split_objective("duel, ties win")
    (('at-least', '45'), ('duel', 'ties win'))
    """
    first, *rest = text.split() or [""]
    name = first.rstrip(",").lower()
    joined = f"{name}-{rest[0].lower()}" if rest and rest[0].isalpha() else ""
    if joined in OBJECTIVES or (name not in OBJECTIVES and nearest(joined, OBJECTIVES)):
        name, rest = joined, rest[1:]
    return name, " ".join(rest)


def aims_of(game: "Game[Any, Any, Any] | type[Game[Any, Any, Any]]") -> tuple[OfferedAim, ...]:
    """List what a game, or a class of games, can be played for, its own aim first.

    >>> from rollwise.games import load
    >>> [aim.name for aim in aims_of(load("slots"))]
    ['own', 'expected', 'at-least', 'total', 'scores', 'self', 'worst', 'quantile', 'utility']
    """
    more = [aim for kind in OBJECTIVES.values() if kind.suits(game) for aim in kind.aims]
    own = looks_of(game).own_aim
    return own, *(aim for aim in more if aim.name != own.name)


def _kind(name: str) -> type[Objective]:
    """Find the objective of a name, among those that packages add if need be."""
    if name not in OBJECTIVES:
        more = installed("rollwise.objectives")
        kind: type[Objective] = load_installed(more[one_of("objective", name, {*OBJECTIVES, *more})], Objective)
        if kind.name != name:
            raise GameError(f"the entry point rollwise.objectives {name!r} gives {kind.__name__}, whose name is {kind.name!r}")
        add_objective(kind)
    return OBJECTIVES[name]


def drop_objective(kind: type[Objective]) -> None:
    """Forget an objective that was added."""
    if kind not in OWN and OBJECTIVES.get(kind.name) is kind:
        del OBJECTIVES[kind.name]


def add_objective(kind: type[Objective]) -> None:
    """Make an objective known by its name. Raises `GameError` if the name is taken or none."""
    name = getattr(kind, "name", "")
    if not isinstance(name, str) or not name or set(name) & set(" ,"):
        raise GameError(f"the objective {kind.__name__} has the name {name!r}: expected a word")
    if OBJECTIVES.get(name, kind) is not kind:
        raise GameError(f"there is an objective {name!r} already: {OBJECTIVES[name].__name__}")
    OBJECTIVES[name] = kind
