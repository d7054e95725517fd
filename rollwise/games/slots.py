"""Slots: six turns, one die each; place it in a free slot; reach the target (the 45-point game).

Rules. Each turn one die is rolled and placed in one of the free slots, which scores it by its table. When all slots are filled
the game is over, and it is won if the total is at least the target. With the six standard slots the total is at most 51.

| slot     | 1 | 2  | 3 | 4  | 5  | 6  |
|----------|---|----|---|----|----|----|
| x3       | 3 | 6  | 9 | 12 | 15 | 18 |
| flip     | 6 | 5  | 4 | 3  | 2  | 1  |
| +4only12 | 5 | 6  | 0 | 0  | 0  | 0  |
| x2even   | 0 | 4  | 0 | 8  | 0  | 12 |
| +4odd    | 5 | 0  | 7 | 0  | 9  | 0  |
| bin      | 0 | 0  | 0 | 0  | 0  | 0  |

Source: github MartimRego/45game.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rollwise.errors import GameError, PositionError
from rollwise.model.abilities import Heuristic, Sized
from rollwise.model.card import CardFeature, Verb, Vocabulary
from rollwise.model.formatting import is_number
from rollwise.model.game import Game
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.notation import Notation, not_a_position
from rollwise.model.objective import Objective
from rollwise.model.objectives import AtLeast
from rollwise.model.packing import append, fold, split, unfold
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.parameter import Text as TextKind
from rollwise.model.plain_words import move_verb
from rollwise.model.reading import SEPARATORS, Typed, read_names
from rollwise.model.reasons import Comparison, join_reasons
from rollwise.model.roll import Roll, certain
from rollwise.model.view import BoxRule, Example, OfferedAim, Rules, View
from rollwise.model.weights import WEIGHTS, ThrowsDice, weights_for

__all__ = ["STANDARD", "Placed", "Slot", "Slots"]


class Slot(NamedTuple):
    """A slot: what it scores for each face, 1 first."""

    name: str
    scores: tuple[int, ...]


STANDARD = (
    Slot("x3", (3, 6, 9, 12, 15, 18)),
    Slot("flip", (6, 5, 4, 3, 2, 1)),
    Slot("+4only12", (5, 6, 0, 0, 0, 0)),
    Slot("x2even", (0, 4, 0, 8, 0, 12)),
    Slot("+4odd", (5, 0, 7, 0, 9, 0)),
    Slot("bin", (0, 0, 0, 0, 0, 0)),
)


def read_slots(text: str) -> tuple[Slot, ...]:
    """Read slots from text.

    >>> read_slots("double:2/4/6,bin:0/0/0")
    (Slot(name='double', scores=(2, 4, 6)), Slot(name='bin', scores=(0, 0, 0)))
    """
    try:
        pairs = [item.split(":") for item in text.split(",")]
        return tuple(Slot(name, tuple(int(score) for score in scores.split("/"))) for name, scores in pairs)
    except ValueError:
        raise GameError(f"{text!r} is not a list of slots: expected NAME:a/b/c/d/e/f,... with integer points") from None


class Placed(NamedTuple):
    """A position: the free slots, the total so far, and the roll to place (0: not rolled, or over)."""

    free: tuple[str, ...]
    total: int
    roll: int


class SlotsNotation(Notation):
    """How positions and moves are written."""

    game: "Slots"

    def show_state(self, state: Placed) -> str:
        return f"{','.join(state.free) or 'none'} {state.total} {state.roll}"

    def read_state(self, text: str) -> Placed:
        words, numbers = Typed(text).words, list[str]()
        while words and len(numbers) < 2 and (words[-1] in SEPARATORS or is_number(words[-1], negative=True)):
            numbers += [word for word in [words.pop()] if word not in SEPARATORS]
        given = read_names(" ".join(words) or "all", dict.fromkeys(self.game.score, 1)) if numbers else {}
        if not numbers or not is_number(numbers[0]) or (len(numbers) == 1 and len(given) < len(self.game.score)):
            raise not_a_position(text, "FREE-SLOTS TOTAL ROLL", "'x3,bin 30 6' or 'all 0 6'")
        roll, total = map(int, [*numbers, "0"][:2])
        if given and not 1 <= roll <= self.game.faces:
            raise PositionError(f"roll {roll} in {text!r}: expected a face from 1 to {self.game.faces}")
        if roll:
            self.game.check_shown([roll])
        return Placed(tuple(slot for slot in self.game.score if slot in given), total, roll)

    def pack_state(self, state: Placed) -> int:
        """Filled slots (bit i for slot i), roll, total; frozen."""
        filled = sum(1 << i for i, name in enumerate(self.game.score) if name not in state.free)
        return append(fold(filled, (state.roll, self.game.faces + 1)), state.total)

    def unpack_state(self, number: int) -> Placed:
        rest, total = split(number)
        filled, roll = unfold(rest, self.game.faces + 1)
        if filled >> len(self.game.score):
            raise PositionError(f"the number {number} of a position has more than {len(self.game.score)} slots")
        return Placed(tuple(name for i, name in enumerate(self.game.score) if not filled >> i & 1), total, roll)

    def packed_by(self) -> str:
        return f"slots {self.game.faces} {','.join(self.game.score)}"

    def show_pending(self, pending: Placed) -> str:
        return f"{','.join(pending.free) or 'none'} {pending.total}"

    def columns(self, state: Placed) -> Mapping[str, str]:
        return {"free slots": ",".join(state.free), "total": str(state.total), "roll": str(state.roll)}


class SlotsView(View):
    """The board and the words of the game."""

    game: "Slots"
    compares = "nothing"
    action_word = "slot"
    board_kind = "slots"
    own_aim = OfferedAim.known("own", "", key="own-target")

    def show_dice(self, state: Placed) -> Sequence[Any]:
        return (state.roll,) if state.roll else ()

    def name_move(self, state: Placed, action: str, *, beside: str | None = None) -> Text:
        return Message("slots.put" if beside is None else "slots.in", {"slot": action, "face": state.roll})

    def because(self, move: Comparison) -> Text | None:
        if move.rival is None:
            stands = self._stands(self.game.play(move.state, move.action), move.objective)
            return join_reasons(Message("slots.makes", self._after(move, move.action)), stands)
        mine, other = (self._after(move, action) for action in move.ordered)
        both = {**mine, **{f"{name}2": value for name, value in other.items()}}
        if move.objective.mark is None:
            kind = ("sums" if move.objective.adds else "edges" if mine["edge"] > other["edge"] else "") if move.has_better else ""
        elif not move.has_better:
            kind = "certain" if mine["need"] <= mine["least"] else "out" if mine["need"] > mine["most"] else ""
        elif other["need"] > other["most"]:
            kind = "impossible"
        elif mine["need"] <= mine["least"]:
            kind = "certain"
        else:
            kind = "last" if len(mine["left"]) == 1 else "edges" if mine["edge"] > other["edge"] else "rest"
        return Message(f"slots.{kind}", both) if kind else None

    def _after(self, move: Comparison, slot: str) -> dict[str, Any]:
        """What a slot makes of the roll, against its average too; what is needed then, and what may come."""
        state, scores = move.state, self.game.score
        made, worth = scores[slot][state.roll - 1], move.value if slot == move.action else move.rival_value
        left = [name for name in state.free if name != slot]
        need = (move.objective.mark or 0) - state.total - made
        fits = self.game.die.probability(lambda face: bool(left) and scores[left[0]][face - 1] >= need)
        least, most = (sum(end(self.game.paid(name)) for name in left) for end in (min, max))
        return {
            "slot": slot, "face": state.roll, "points": made, "edge": round(made - float(self.game.average(slot)), 1),
            "need": need, "left": left, "least": least, "most": most, "chance": round_chance(float(fits)),
            "rest": round(float(worth or 0) - state.total - made, 1),
        }  # fmt: skip

    def _stands(self, after: Placed, objective: Objective) -> Message | None:
        """Say how things stand after a move, where the objective asks for that."""
        if objective.mark is not None:
            need = objective.mark - after.total
            if need <= 0:
                return Message("stand.reached")
            return Message("slots.leaves", {"points": need, "n": len(after.free)}) if after.free else Message("slots.short")
        if objective.wins and not after.free:
            return Message("stand.ends", {"points": after.total, "chance": round_chance(float(objective.worth(after.total)))})
        return None

    def decision(self, state: Placed) -> Text:
        return Message("slots.which")

    def lay_out(self, state: Placed) -> Mapping[str, Text]:
        """Every slot with what it would make of the roll, or that it is filled; then the total."""
        points = {name: str(scores[state.roll - 1]) for name, scores in self.game.score.items()}
        filled = Message("sheet.filled")
        return {**{name: points[name] if name in state.free else filled for name in self.game.score}, "total": str(state.total)}

    def to_go(self, pending: Placed) -> Text:
        return Message("slots.left", {"n": len(pending.free)}) if pending.free else ""

    def rules(self) -> Rules:
        told = (
            Message("rules.slots.turn", {"slots": len(self.game.slots)}),
            Message("rules.slots.win", {"points": self.game.target}),
        )
        return Rules(told, tuple(_tell(slot) for slot in self.game.slots))

    def board(self) -> Mapping[str, Any]:
        slots = [{"name": slot.name, "scores": list(slot.scores)} for slot in self.game.slots]
        start = self.notation.show_pending(self.game.start())
        return {
            "kind": self.board_kind,
            "target": self.game.target,
            "slots": slots,
            "faces": self.game.faces,
            "start": start,
        }

    def position(self, state: Placed) -> Mapping[str, Any]:
        return {"kind": self.board_kind, "free": list(state.free), "total": state.total, "roll": state.roll}


class Slots(Game[Placed, Placed, str], Heuristic, Sized, ThrowsDice):
    """Place dice in slots to reach a target.

    >>> game = Slots()
    >>> game.read_state("x3,bin 30 6")
    Placed(free=('x3', 'bin'), total=30, roll=6)
    >>> game.gain(game.read_state("x3,bin 30 6"), "x3"), game.play(game.read_state("x3,bin 30 6"), "x3").total
    (0, 48)

    Raises `GameError` for slots that do not all score the same faces or share a name.
    """

    notation = SlotsNotation
    view = SlotsView

    parameters = (
        Parameter.known("target", Integer(), "45"),
        Parameter.known("slots", TextKind(read_slots), usual="standard-slots"),
        WEIGHTS,
    )

    def __init__(self, target: int = 45, slots: Sequence[Slot] = STANDARD, weights: Sequence[int] | None = None) -> None:
        self.target = target
        self.slots = tuple(Slot(name, tuple(scores)) for name, scores in slots)
        names = [slot.name for slot in self.slots]
        if not self.slots or len({len(slot.scores) for slot in self.slots}) != 1 or not self.slots[0].scores:
            raise GameError("slots must score the same faces: give every slot a score for each face of the die")
        if len(set(names)) != len(names) or any(not n or set(n) & set(" ,/:") for n in names) or {"all", "none"} & set(names):
            raise GameError(
                f"slot names {names} must be different, not 'all' or 'none', and free of spaces, commas, slashes and colons"
            )
        self.score = {slot.name: slot.scores for slot in self.slots}
        self.faces = len(self.slots[0].scores)
        self.weights = weights_for(self.faces, weights)

    @property
    def objective(self) -> Objective:
        return AtLeast(self.target)

    def start(self) -> Placed:
        return Placed(tuple(self.score), 0, 0)

    def roll(self, pending: Placed) -> Roll[Placed]:
        if not pending.free:
            return certain(pending)
        return self.die.map(lambda face: pending._replace(roll=face))

    def actions(self, state: Placed) -> Sequence[str]:
        return state.free

    def play(self, state: Placed, action: str) -> Placed:
        free = tuple(slot for slot in state.free if slot != action)
        return Placed(free, state.total + self.score[action][state.roll - 1], 0)

    def payoff(self, state: Placed) -> int:
        return state.total

    def paid(self, slot: str) -> list[int]:
        """List what a slot makes of the faces that come."""
        return [self.score[slot][face - 1] for face in self.die]

    def average(self, slot: str) -> Fraction:
        """Give what a slot makes of the die on average."""
        return self.die.map(lambda face: self.score[slot][face - 1]).mean

    def heuristic(self, state: Placed, action: str) -> float:
        """The points of the slot."""
        return self.score[action][state.roll - 1]

    # The words of a strategy card

    def vocabulary(self) -> Vocabulary:
        every = self.score.values()
        low, high = sum(min(0, *scores) for scores in every), sum(max(0, *scores) for scores in every)
        least, most = min(map(min, every)), max(map(max, every))
        spare = (sum(map(min, every)) - self.target, sum(map(max, every)) - self.target)
        features = (
            CardFeature("roll", lambda s: s.roll, 1, self.faces, "what the die shows"),
            CardFeature("total", lambda s: s.total, low, high, "the points so far"),
            CardFeature("points needed", self._needed, self.target - high, self.target - low, "the target minus the total"),
            CardFeature(
                "to spare",
                self._spare,
                *spare,
                "what may still be lost: the total and the most of every free slot, minus the target",
            ),
            CardFeature("slots left", lambda s: len(s.free), 1, len(self.slots), "how many slots are free"),
            CardFeature("best points", self._best_points, least, most, "the most that a free slot makes of the roll"),
            *map(self._points_feature, self.slots),
            *map(self._free_feature, self.slots),
        )
        verbs = (
            *(move_verb(self, slot.name, says=f"place the die in {slot.name}, if it is free") for slot in self.slots),
            Verb("most points", self._most, "place it where it makes most; of several, in the first"),
            Verb("fewest points", self._fewest, "place it where it makes fewest; of several, in the last"),
            Verb(
                "most above average",
                self._above,
                "place it where it makes most above what that slot makes on average; of several, in the first",
            ),
            Verb(
                "least below best",
                self._below,
                "place it where it makes least below the most that slot can make; of several, in the first",
            ),
        )
        return Vocabulary(features, verbs)

    def _points(self, state: Placed) -> Callable[[str], int]:
        return lambda name: self.score[name][state.roll - 1]

    def _points_feature(self, slot: Slot) -> CardFeature:
        says = f"what {slot.name} makes of the roll, free or not"
        return CardFeature(
            f"points in {slot.name}", lambda s: self._points(s)(slot.name), min(slot.scores), max(slot.scores), says
        )

    def _free_feature(self, slot: Slot) -> CardFeature:
        return CardFeature(f"{slot.name} free", lambda s: int(slot.name in s.free), says=f"{slot.name} is free")

    def _best_points(self, state: Placed) -> int:
        return max(map(self._points(state), state.free))

    def _needed(self, state: Placed) -> int:
        return self.target - state.total

    def _spare(self, state: Placed) -> int:
        return state.total + sum(max(self.paid(name)) for name in state.free) - self.target

    def _most(self, state: Placed) -> str | None:
        return max(state.free, key=self._points(state), default=None)

    def _fewest(self, state: Placed) -> str | None:
        return min(reversed(state.free), key=self._points(state), default=None)

    def _above(self, state: Placed) -> str | None:
        points = self._points(state)
        return max(state.free, key=lambda name: points(name) - self.average(name), default=None)

    def _below(self, state: Placed) -> str | None:
        points = self._points(state)
        return min(state.free, key=lambda name: max(self.paid(name)) - points(name), default=None)

    def dimensions(self) -> Mapping[str, int]:
        return {"slots": len(self.slots), "faces": self.faces}


def _tell(slot: Slot) -> BoxRule:
    """Tell what a slot makes of each face; an example is the face it makes most of, and one that it makes nothing of."""
    best = max(range(len(slot.scores)), key=lambda i: slot.scores[i])
    none = [i for i, points in enumerate(slot.scores) if not points and slot.scores[best]][-1:]
    pays = [Message("pays.for-face", {"points": points, "face": face}) for face, points in enumerate(slot.scores, 1)]
    words = Message("pays.faces", {"faces": pays}) if any(slot.scores) else Message("pays.nothing")
    return BoxRule(slot.name, words, tuple(Example((i + 1,), slot.scores[i]) for i in (best, *none)))
