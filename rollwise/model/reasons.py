"""What a move's value is made of, and the largest of it in words.

A *part* is a share of a value that comes from one place: a box, the bonus, an end, the next decision. The parts of a move add up
to its value, so those of two moves, place by place, add up to the difference: these differences are the *reasons*.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from rollwise.model.message import Message, Text

__all__ = ["ALL_ELSE", "Comparison", "Part", "Reason", "differences", "name_reasons", "outcomes", "with_reasons"]

Number = float | Fraction

STANDS = "stands"
"""The kind of the first part: what all moves of a position have in common."""
ALL_ELSE = Message("part.all-else")
"""What comes of a move, beside what is listed."""
MOST_FOR, MOST_AGAINST = 3, 2
"""How many reasons a sentence names on either side."""
SMALL = 0.1
"""A reason below this share of the largest is not named."""


class Part(NamedTuple):
    """A share of the value of a move: the parts of a move add up to its value.

    `kind` is "stands", "box", "bonus", "joker", "gain", "cost", "end" or "next"; `what` says which. `chance` is that it comes to
    it. `points` are what it then pays on average, `later` what it is worth when it does not, `after` the mean value then.
    """

    kind: str
    what: Text
    value: Number
    chance: Number | None = None
    points: Number | None = None
    later: Number | None = None
    after: Number | None = None

    @property
    def edge(self) -> Number:
        """What comes of it now: its value over what it is worth when it does not come to it."""
        return self.value if self.later is None else self.value - self.later

    @property
    def certain(self) -> bool:
        """Whether it comes to it in any case."""
        return self.chance is not None and self.chance > 1 - 1e-9


class Reason(NamedTuple):
    """How much better one move is than another in one part; `mine` and `other` are what the two have of it. All to who moves."""

    kind: str
    what: Text
    value: Number
    mine: Part | None
    other: Part | None


@dataclass(frozen=True)
class Comparison:
    """A move of a position, with what there is to say about it.

    `rival` is the move it is compared with, None if it is the only one; `gain` is how much better it is than that, to the player
    to move: below 0 where it is worse. `reasons` are what a view needs (`View.compares`): the differences, part by part, to the
    rival; or what may come of the move, as far as that differs from the value of the rival. `facts` are what a solver adds.
    """

    state: Any
    action: Any
    objective: Any
    reasons: tuple[Reason, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    rival: Any = None
    gain: Number = 0


def differences(mine: Sequence[Part], other: Sequence[Part], sign: int = 1) -> tuple[Reason, ...]:
    """Compare two moves part by part; `sign` -1 where a low value is good for who moves. They add up to the difference.

    >>> differences([Part("gain", "gain", 3)], [Part("gain", "gain", 1), Part("end", "end", -2)])[1].value
    2
    """
    ours, theirs = ({part[:2]: part for part in (parts if sign == 1 else map(_turned, parts))} for parts in (mine, other))
    found = []
    for key in dict.fromkeys([*ours, *theirs]):
        one, two = ours.get(key), theirs.get(key)
        found.append(Reason(*key, (one.value if one else 0) - (two.value if two else 0), one, two))
    return tuple(found)


def _turned(part: Part) -> Part:
    """A part as it is worth to the one for whom a low value is good."""
    return part._replace(value=-part.value)


def outcomes(mine: Sequence[Part], value: Number, sign: int = 1) -> tuple[Reason, ...]:
    """Compare each thing that may come of a move with the value of another move; they add up to the difference, too.

    >>> mine = [Part("stands", "this position", 4), Part("gain", "the gain", 1), Part("end", "the end", -1, 1, after=3)]
    >>> [(reason.what, reason.value) for reason in outcomes(mine, 3)]
    [('the end', 1)]
    """
    at_once = sum(part.value for part in mine if part.kind in ("gain", "cost"))
    coming = [part for part in mine if part.chance is not None and part.after is not None]
    return tuple(
        Reason(part.kind, part.what, sign * part.chance * (at_once + part.after - value), part, None)  # type: ignore[operator]
        for part in coming
    )


def name_reasons(reasons: Iterable[Reason], say: Callable[[Reason, Message], Text], *, share: bool) -> Message | None:
    """Name the largest reasons, the weightier side first; None where there are none. `share`: values are chances.

    `say` names a reason with its edge, how much it is worth.

    >>> one, two = Reason("box", "sixes", 2.0, None, None), Reason("bonus", "the bonus", -0.52, None, None)
    >>> name_reasons([one, two], lambda reason, edge: edge, share=False).args["others"]
    [Message(key='edge.points', args={'n': -0.5})]
    """
    scaled = [(float(reason.value) * (100 if share else 1), reason) for reason in reasons if reason.kind != STANDS]
    largest = max((abs(value) for value, _ in scaled), default=0.0)
    places = 1 if largest >= 1 else 2
    told = [(value, reason) for value, reason in scaled if abs(value) >= max(SMALL * largest, 0.5 * 10**-places)]
    told.sort(key=lambda row: -abs(row[0]))
    sides = [row for row in told if row[0] > 0][:MOST_FOR], [row for row in told if row[0] < 0][:MOST_AGAINST]
    unit = f"edge.{'share' if share else 'points'}{'' if places == 1 else '-fine'}"
    named = [[say(reason, Message(unit, {"n": round(value, places)})) for value, reason in side] for side in sides if side]
    if not named:
        return None
    first, *others = named if sum(value for value, _ in scaled) >= 0 else named[::-1]
    return (
        Message("reason.both", {"reasons": first, "others": others[0]}) if others else Message("reason.all", {"reasons": first})
    )


def with_reasons(does: Text, reasons: Message | None) -> Text:
    """Say what a move does, and its reasons, if there are any."""
    return Message("reason.why", {"does": does, "reasons": reasons}) if reasons else does
