"""What a move's value is made of, and the largest of it in words.

A *part* is a share of a value that comes from one place: a box, the bonus, an end, the next decision. The parts of a move add up
to its value, so those of two moves, place by place, add up to the difference: these differences are the *reasons*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from rollwise.model.formatting import infinite
from rollwise.model.message import Message, Text

__all__ = [
    "ALL_ELSE", "STANDS", "Comparison", "Number", "Part", "Reason", "compare_moves", "differences", "join_reasons", "margin",
    "name_chances", "name_costs", "name_keep", "outcomes",
]  # fmt: skip

Number = float | Fraction

STANDS = "stands"
"""The kind of the first part: what all moves of a position have in common."""
ALL_ELSE = Message("part.all-else")
"""What comes of a move, beside what is listed."""
EQUAL = 1e-9
"""Moves whose values differ by less are equally good to a sentence."""


class Part(NamedTuple):
    """A share of the value of a move: the parts of a move add up to its value.

    `kind` is "stands", "box", "bonus", "joker", "gain", "cost", "end" or "next"; `what` says which. `chance` is that it comes to
    it, `scored` that a box pays then. `points` are what it pays on average, `later` what it is worth when it does not come to
    it, `after` the mean value then.
    """

    kind: str
    what: Text
    value: Number
    chance: Number | None = None
    points: Number | None = None
    later: Number | None = None
    after: Number | None = None
    scored: Number | None = None

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
    to move: below 0 where it is worse. `value` and `rival_value` are what the two are worth; a chance is that of the player
    to move. `reasons` are what a view needs (`View.compares`): the differences, part by part, to the rival; or what may come of
    the move, as far as that differs from the value of the rival. `facts` and `rival_facts` are what a solver adds on the two.
    """

    state: Any
    action: Any
    objective: Any
    reasons: tuple[Reason, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    rival: Any = None
    gain: Number = 0
    value: Number | None = None
    rival_value: Number | None = None
    rival_facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ordered(self) -> tuple[Any, Any]:
        """The better of the two moves, and the other one."""
        return (self.action, self.rival) if self.gain >= 0 else (self.rival, self.action)

    @property
    def has_better(self) -> bool:
        """Whether there are two moves, and one is better."""
        return self.rival is not None and abs(float(self.gain)) >= EQUAL


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


def compare_moves(move: Comparison, name: Text, rival: Text | None, because: Text | None, *, share: bool, costs: str) -> Message:
    """Write the sentence about a move from its parts: the names of the two moves, and the reason, where there is one.

    `share`: values are chances; `costs` is what the game counts where fewer is better, such as "rolls".

    >>> move = Comparison("0 0 first 20", "hold", None, rival="roll", gain=0.013)
    >>> str(compare_moves(move, "hold", "roll", "20 points are at stake", share=True, costs="rolls"))
    'Hold rather than roll (1.3 percentage points better): 20 points are at stake.'
    """
    if rival is None:
        told = Message("reason.only", {"move": name})
    elif abs(float(move.gain)) < EQUAL:
        told = Message("reason.equal", {"move": name, "rival": rival})
    else:
        unit = "share" if share else "costs" if move.objective is not None and move.objective.counts == "costs" else "points"
        told = Message("reason.rather", {"move": name, "rival": rival, "margin": margin(move.gain, unit, costs)})
    if because is None:
        return Message("reason.sentence", {"told": told})
    return Message("reason.because", {"told": told, "because": because})


def join_reasons(*told: Text | None) -> Text | None:
    """Join clauses, without those that are None; None where all are.

    >>> str(join_reasons("a roll risks 2 points", None, "it is 40 to 30"))
    'a roll risks 2 points; it is 40 to 30'
    """
    found = [clause for clause in told if clause is not None]
    return reduce(lambda one, other: Message("stand.after", {"does": one, "stands": other}), found) if found else None


def name_chances(move: Comparison) -> Message | None:
    """Say how often a move wins, and how often its rival does; None where that looks the same.

    >>> str(name_chances(Comparison("0 0 first 20", "hold", None, rival="roll", value=0.5234, rival_value=0.51)))
    'that wins 52.3 % of games instead of 51 %'
    """
    mine, other = (round(100 * float(value or 0), 1) for value in (move.value, move.rival_value))
    return None if mine == other else Message("reason.that-wins", {"mine": mine, "rival": other})


def name_keep(action: str, beside: str | None = None) -> Text:
    """Name as an order that dice are kept, such as "keep 115"; beside another such move, the dice alone.

    >>> str(name_keep("keep 115")), name_keep("keep 5", "keep 115")
    ('keep 1 1 5', '5')
    """
    dice = " ".join(action.removeprefix("keep "))
    return Message("reason.keep-dice", {"dice": dice}) if beside is None or not beside.startswith("keep ") else dice


def name_costs(move: Comparison, costs: str) -> Message | None:
    """Say how much is still to come on average, such as "rolls", after a move and after its rival."""
    if move.value is None or move.rival_value is None or infinite(move.value) or infinite(move.rival_value):
        return None
    mine, other = (round(float(value), 2) for value in (move.value, move.rival_value))
    return None if mine == other else Message("reason.to-come", {"mine": mine, "rival": other, "unit": costs})


def margin(gain: Number, unit: str, costs: str) -> Message:
    """Write how much better or worse a move is, with its unit: "points", "share" of a chance, or "costs".

    >>> str(margin(-0.25, "points", "rolls")), str(margin(0.314, "costs", "rolls"))
    ('0.25 points worse', '0.31 fewer rolls')
    """
    side = "better" if gain > 0 else "worse"
    if infinite(gain):
        return Message(f"margin.endless-{side}")
    size = abs(float(gain)) * (100 if unit == "share" else 1)
    size = round(size, 1 if size >= 1 else 2) if size >= 0.1 else float(f"{size:.1g}")
    return Message(f"margin.{unit}-{side}", {"n": size, **({"unit": costs} if unit == "costs" else {})})
