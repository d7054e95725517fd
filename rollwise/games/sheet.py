"""Score sheets: roll, keep and reroll, then fill one box a turn (yazy, Yahtzee, Yatzy and their kin).

A sheet is data: boxes with scoring rules, the number of dice, faces and rerolls, an upper bonus, a joker rule. What must be
remembered between turns is which boxes are open and the *carry*: the upper total (up to the bonus threshold) and whether the
box for five of a kind was filled with points (as long as later ones earn a bonus).

The upper bonus is gained by the action that reaches the threshold; a bonus in steps, step by step. A box may be filled several
times (`Box.times`), may pay more for the first roll of a turn (`Box.first`), and one box may win the game at once with it
(`InstantWin`).

With saved rolls, rerolls that a turn did not use are added to those of the next one: `left` counts all that may be used, so that
no position has to remember where they come from.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise, product
from math import comb
from typing import Any, Literal, NamedTuple

from rollwise.errors import GameError, PositionError
from rollwise.games.duel import RestatedDuel
from rollwise.games.sheet_words import sheet_vocabulary
from rollwise.games.telling import tell_rules
from rollwise.model.abilities import Duels, Heuristic, KnowsGains, Sized
from rollwise.model.card import Vocabulary
from rollwise.model.expected import EXPECTED, Expected
from rollwise.model.features import Feature, Features, face_counts, one_number
from rollwise.model.formatting import counted, is_number, percent
from rollwise.model.game import Game
from rollwise.model.notation import Notation
from rollwise.model.objective import Objective
from rollwise.model.overrides import overridden
from rollwise.model.packing import fold, rank, unfold, unrank
from rollwise.model.reasons import Reason, name_reasons, reasons_in
from rollwise.model.roll import Roll, dice, sure
from rollwise.model.rules import Rules
from rollwise.model.view import Facts, View

__all__ = ["MOST_REROLLS", "Box", "Hand", "InstantWin", "Joker", "Sheet", "Turn", "UpperBonus", "box_fields", "keeps_of"]

MOST_REROLLS = 100
MOST_POINTS = 10**12
MOST_TIMES = 100
ROUNDING = 1e-9
"""Chances that differ by less are the same to a sentence."""

Hand = tuple[int, ...]
Move = str | Hand
"""A box to fill, by name, or the dice to keep."""


@dataclass(frozen=True)
class Box:
    """A box: its name, what it pays for a sorted hand, and the face it counts if it is an upper box.

    It is filled `times` times. If it pays, it pays `first` points more for the first roll of a turn, with nothing rolled again.
    """

    name: str
    score: Callable[[Hand], int]
    face: int | None = None
    times: int = 1
    first: int = 0

    @property
    def words(self) -> str:
        """What it pays, in words; "" where its rule does not say (`Scoring`)."""
        return str(getattr(self.score, "words", ""))


@dataclass(frozen=True)
class UpperBonus:
    """`points` when the upper boxes reach `threshold`; before that, what lower steps earn: (threshold, points) each, in all.

    >>> bonus = UpperBonus(78, 75, before=((63, 35), (71, 55)))
    >>> [bonus.earned(upper) for upper in (62, 63, 77, 78)], bonus.next_step(63)
    ([0, 35, 55, 75], 71)
    """

    threshold: int
    points: int
    before: tuple[tuple[int, int], ...] = ()

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """The thresholds, lowest first, each with what the upper boxes earn in all from there on."""
        return (*self.before, (self.threshold, self.points))

    @property
    def jumps(self) -> tuple[int, ...]:
        """How many points more each step earns than the one before it."""
        points = [0, *(points for _, points in self.steps)]
        return tuple(after - before for before, after in pairwise(points))

    def earned(self, upper: int) -> int:
        """What an upper total has earned so far."""
        return next((points for threshold, points in reversed(self.steps) if upper >= threshold), 0)

    def next_step(self, upper: int) -> int:
        """The threshold that is next for an upper total; the last one, once all are reached."""
        return next((threshold for threshold, _ in self.steps if upper < threshold), self.threshold)


@dataclass(frozen=True)
class Joker:
    """What happens to dice that are all equal once the `box` for them is filled.

    Each pays `bonus` if the box holds points. `free`: any open box may be filled; `forced`: the matching upper box must be,
    else a lower one, else any. The boxes in `pays` then pay that much, when the matching upper box is filled.
    """

    box: str
    rule: Literal["free", "forced"]
    bonus: int
    pays: Mapping[str, int]


@dataclass(frozen=True)
class InstantWin:
    """A roll that wins: the `box`, filled with a first roll that it pays for, pays `points`, and the game is over."""

    box: str
    points: int


class _Fields(NamedTuple):
    """The number that stands for open boxes: one time of each box in it, all bits of each, and all boxes open."""

    boxes: tuple[Box, ...]
    unit: tuple[int, ...]
    field: tuple[int, ...]
    full: int


class Turn(NamedTuple):
    """A position: open boxes (bit i for box i), upper total, whether the joker box holds points, dice, rolls left.

    A box that is filled several times has as many bits as the number of times still to come needs.

    In a state `dice` is the hand and `left` the rerolls left; in a pending they are the dice kept and the rolls left.
    """

    open: int
    upper: int
    primed: bool
    dice: Hand
    left: int


class SheetNotation(Notation):
    """How positions and moves are written."""

    game: "Sheet"

    def show_state(self, state: Turn) -> str:
        return f"{self.game._show_dice(state.dice)} {state.left} {self._show_rest(state)}"

    def show_pending(self, pending: Turn) -> str:
        rolled = "*" * (self.game.count - len(pending.dice)) if pending.left else ""
        kept = self.game._show_dice(pending.dice) if pending.dice or not rolled else ""
        return f"{kept}{rolled} {pending.left} {self._show_rest(pending)}"

    def _show_rest(self, state: Turn) -> str:
        text = "all" if state.open == self.game.full else ",".join(map(self._show_left, self.game._left(state))) or "none"
        if self.game.bonus:
            text += f" upper {state.upper}"
        return text + (" primed" if state.primed else "")

    def _show_left(self, box: tuple[str, int]) -> str:
        name, left = box
        return name if left == 1 else f"{name}:{left}"

    def read_state(self, text: str) -> Turn:
        words = text.split()
        example = f"DICE REROLLS BOXES{' upper POINTS' if self.game.bonus else ''}, such as '{self._example()}'"
        if len(words) < 3 or not is_number(words[1]):
            raise PositionError(f"{text!r} is not a position: expected {example}")
        hand = self._read_dice(words[0], text)
        left = int(words[1])
        opened = self.read_boxes(words[2], text)
        if left > self.game.most_rerolls(opened):
            raise PositionError(f"{left} rerolls left in {text!r}: there are at most {self.game.most_rerolls(opened)}")
        if self.game.in_order and opened and not self._in_order(opened):
            raise PositionError(f"open boxes {words[2]!r} in {text!r} do not occur: the boxes are filled from first to last")
        rest = words[3:]
        primed = self._read_primed(rest.count("primed"), opened, text)
        upper = self._read_upper([word for word in rest if word != "primed"], opened, text, example)
        return Turn(opened, upper, primed, hand, left if opened else 0)

    def _in_order(self, opened: int) -> bool:
        """Say whether the boxes after the first open one were never filled."""
        first = next(i for i, field in enumerate(self.game.field) if opened & field)
        return opened // (self.game.field[first] + self.game.unit[first]) == self.game.full // (
            self.game.field[first] + self.game.unit[first]
        )

    def _read_primed(self, times: int, opened: int, text: str) -> bool:
        if not times:
            return False
        if times > 1 or not self.game.joker or not self.game.joker.bonus or self.game.joker.box not in self.game.names:
            why = "say it once" if times > 1 else "no box of this game earns a bonus for more of its kind"
            raise PositionError(f"'primed' in {text!r} does not occur: {why}")
        if opened & self.game.field[self.game.names.index(self.game.joker.box)]:
            raise PositionError(
                f"'primed' in {text!r} does not occur: the box {self.game.joker.box} is still open, so it holds no points"
            )
        return True

    def _read_upper(self, words: list[str], opened: int, text: str, example: str) -> int:
        """Read the upper total, which counts up to the threshold of the bonus."""
        if self.game.bonus and not words:
            raise PositionError(f"{text!r} does not say what the upper boxes hold so far: add, for example, 'upper 0'")
        if words and not (self.game.bonus and len(words) == 2 and words[0] == "upper" and is_number(words[1])):
            raise PositionError(f"{' '.join(words)!r} in {text!r} was not understood: expected {example}")
        points, most = int(words[1]) if words else 0, self._most_upper(opened)
        if points > most:
            raise PositionError(f"upper {points} in {text!r} does not occur: the upper boxes that are filled hold at most {most}")
        return min(points, self.game.bonus.threshold) if self.game.bonus else 0

    def _most_upper(self, opened: int) -> int:
        """The highest total of the upper boxes that are not open."""
        pays = self.game.joker.pays if self.game.joker else {}
        filled = [
            (i, box.times - self.game._fills_left(opened, i)) for i, box in enumerate(self.game.boxes) if box.face is not None
        ]
        return sum(times * max(self.game.most(i), pays.get(self.game.names[i], 0)) for i, times in filled if times)

    def _example(self) -> str:
        return self.show_state(Turn(self.game.full, 0, False, self.game.hands[-1], self.game.rerolls))

    def _read_dice(self, word: str, text: str) -> Hand:
        parts = [part for part in word.split(",") if part] if "," in word or self.game.faces > 9 else list(word)
        if word == "-":
            return ()
        if len(parts) != self.game.count or not all(is_number(part) and 1 <= int(part) <= self.game.faces for part in parts):
            raise PositionError(f"dice {word!r} in {text!r}: expected {self.game.count} faces from 1 to {self.game.faces}")
        return tuple(sorted(map(int, parts)))

    def read_boxes(self, word: str, text: str = "") -> int:
        """Read open boxes: `all`, `none`, or names with commas between, `fours:3` for one to be filled three times more.

        Raises `PositionError`.
        """
        if word == "all":
            return self.game.full
        opened, text = 0, text or word
        for part in [] if word == "none" else word.split(","):
            name, times = self._read_left(part)
            box = self.game.names.index(self.box_named(name))
            left = self.game._fills_left(opened, box) + times
            if not times or left > self.game.boxes[box].times:
                most = self.game.boxes[box].times
                fault = f"box {name!r} stands {'twice' if most == 1 else f'for {left} times'} in {text!r}"
                how = "name every open box once" if most == 1 else f"it is filled 1 to {most} times more"
                raise PositionError(f"{fault}: {how}")
            opened += times * self.game.unit[box]
        return opened

    def _read_left(self, part: str) -> tuple[str, int]:
        """Read a box, and how often it may still be filled: once, if that is not said."""
        name, colon, times = part.rpartition(":")
        return (name, int(times)) if colon and is_number(times) and part not in self.game.names else (part, 1)

    def box_named(self, name: str) -> str:
        """Find a box by its name or a unique beginning of it. Raises `PositionError`."""
        matches = [name] if name in self.game.names else [full for full in self.game.names if name and full.startswith(name)]
        if len(matches) != 1:
            fault = f"could be {' or '.join(matches)}" if matches else f"is none of {', '.join(self.game.names)}"
            raise PositionError(f"box {name!r} {fault}: use a box's name or a unique beginning of it")
        return matches[0]

    def pack_state(self, state: Turn) -> int:
        """Filled boxes (bit i for box i, or bits that count), upper total, primed, hand (0: none), rerolls left; frozen."""
        filled = self.game.full - state.open
        hand = rank(state.dice) + 1 if state.dice else 0
        parts = (state.upper, int(state.primed), hand, state.left)
        return fold(filled, *zip(parts, self._sizes(), strict=True))

    def unpack_state(self, number: int) -> Turn:
        filled, upper, primed, hand, left = unfold(number, *self._sizes())
        opened = self.game.full - filled
        if opened < 0:
            raise PositionError(f"the number {number} of a position has more than {len(self.game.boxes)} boxes")
        return Turn(opened, upper, bool(primed), unrank(hand - 1, self.game.count) if hand else (), left)

    def packed_by(self) -> str:
        names = ",".join(self._show_left((box.name, box.times)) for box in self.game.boxes)
        saved = " saved" if self.game.saved_rolls else ""
        return f"sheet {self.game.count} {self.game.faces} {names} {self.game.bonus.threshold if self.game.bonus else 0}{saved}"

    def _sizes(self) -> tuple[int, int, int, int]:
        """How many upper totals, ways to be primed, hands and numbers of rerolls a position may have."""
        hands = comb(self.game.faces + self.game.count - 1, self.game.count) + 1
        return (
            (self.game.bonus.threshold if self.game.bonus else 0) + 1,
            2 if self.game.joker and self.game.joker.bonus else 1,
            hands,
            self.game.most_rerolls(1) + 1,
        )

    def show_action(self, action: Move) -> str:
        return action if isinstance(action, str) else f"keep {self.game._show_dice(action)}"

    def read_action(self, text: str) -> Move:
        words = text.split()
        if len(words) != 2 or words[0] != "keep":
            return self.box_named(text.strip())
        kept = [] if words[1] == "-" else words[1].split(",") if "," in words[1] or self.game.faces > 9 else list(words[1])
        if len(kept) > self.game.count or not all(is_number(part) and 1 <= int(part) <= self.game.faces for part in kept):
            raise PositionError(f"{text!r} is not an action: expected a box, or 'keep' and up to {self.game.count} faces")
        return tuple(sorted(map(int, kept)))

    def columns(self, state: Turn) -> Mapping[str, str]:
        row = {
            "dice": self.game._show_dice(state.dice),
            "rerolls left": str(state.left),
            "open boxes": self._show_rest(state._replace(primed=False)).split(" ")[0],
        }
        if self.game.bonus:
            row["upper total"] = str(state.upper)
        if self.game.joker and self.game.joker.bonus:
            row["primed"] = "yes" if state.primed else "no"
        return row

    def read_column(self, name: str, text: str) -> str:
        if name in ("rerolls left", "upper total") and not is_number(text):
            raise GameError(f"column {name!r} reads {text!r} nowhere: expected a number")
        if name != "open boxes" or text in ("all", "none"):
            return text
        if any(box.times > 1 for box in self.game.boxes):
            return self._show_rest(self.game.start()._replace(open=self.read_boxes(text))).split(" ")[0]
        named = {self.box_named(box) for box in text.split(",")}
        return "all" if len(named) == len(self.game.names) else ",".join(box for box in self.game.names if box in named)

    def normalize(self, text: str) -> str:
        """Write `k 335`, `335` or `roll` as `keep 335`."""
        word = " ".join(text.split())
        first, _, rest = word.partition(" ")
        if word.lower() in ("roll", "r", "keep", "k", "keep none", "keep nothing"):
            return "keep -"
        if first.lower() in ("k", "keep"):
            word = rest
        elif not word.replace(",", " ").replace(" ", "").isdecimal():
            return word
        if word == "-":
            return "keep -"
        parts = word.replace(",", " ").split()
        faces = parts if self.game.faces > 9 else list("".join(parts))
        ordered = sorted(faces, key=lambda face: (len(face), face))
        return "keep " + ("," if self.game.faces > 9 else "").join(ordered)


class SheetView(View):
    """The board and the words of the game."""

    game: "Sheet"
    action_word = "move"
    board_kind = "sheet"
    own_aim = EXPECTED
    other_aims = (*View.other_aims, "duel")

    def offered(self, parameter: str) -> tuple[str, ...]:
        return self.game.names if parameter == "boxes" else super().offered(parameter)

    def show_dice(self, state: Turn) -> Hand:
        return state.dice

    def explain(self, state: Turn, action: Move, facts: Facts) -> str:
        text = self._say_fill(state, action) if isinstance(action, str) else self._say_keep(state, action)
        words = facts["objective"].words(self.game)
        named = name_reasons(reasons_in(facts), lambda reason: self._name_reason(reason, state, action), share=words.share)
        return f"{text}: {named}" if named else text

    def _name_reason(self, reason: Reason, state: Turn, action: Move) -> str:
        """Say what a move does to a box: what it is for, what it spares, gives up or risks; "the box" is its own."""
        if reason.kind != "box" or reason.what == action:
            return "the box" if reason.kind == "box" else reason.what
        mine, other = (float(part.edge) if part else 0.0 for part in (reason.mine, reason.other))
        chance, others = (float(part.chance or 0) if part else 0.0 for part in (reason.mine, reason.other))
        if reason.value > 0:
            return _name_gain(reason.what, chance, others, wanted=mine > -other)
        in_hand = others >= 1 - ROUNDING and self.game.points(state, reason.what) > 0
        return _name_loss(reason.what, chance, others, wanted=other > -mine, in_hand=in_hand)

    def _say_keep(self, state: Turn, action: Hand) -> str:
        text = f"keeps {self.game._show_dice(action)}" if action else "rolls all dice again"
        return text + (f" and uses {_one_of(state.left)}" if self.game.saved_rolls else "")

    def ends_turn(self, state: Turn, action: Move) -> str | None:
        return action if isinstance(action, str) else ""

    def _say_fill(self, state: Turn, action: str) -> str:
        gain, points = self.game.gain(state, action), self.game.points(state, action)
        if self.game.wins(state, action):
            return f"wins at once with {action}, worth {points}"
        text = f"puts {points} in {action}" if points else f"gives up {action}"
        after = self.game.play(state, action)
        if self.game.bonus and after.upper != state.upper:
            text += f", upper total {after.upper} of {self.game.bonus.next_step(state.upper)}"
        text += (
            f", {points - self.game.scores[action][state.dice]} of it for the first roll"
            if self._pays_more(state, action)
            else ""
        )
        text += f", and earns {gain - points} bonus" if gain > points else ""
        return text + (
            f", and saves {counted(state.left, 'roll')}" if self.game.saved_rolls and state.left and after.open else ""
        )

    def _pays_more(self, state: Turn, box: str) -> bool:
        """Say whether the first roll earns points beyond those of the box."""
        return (
            self.game.points(state, box) > self.game.scores[box][state.dice]
            and state.left == self.game.rerolls
            and self.game.first_roll_counts
        )

    def to_go(self, pending: Turn) -> str:
        return counted(self.game.turns_left(pending.open), "box", "boxes") if pending.open else ""

    def describe(self, state: Turn) -> str:
        upper = f", upper total {state.upper} of {self.game.bonus.next_step(state.upper)}" if self.game.bonus else ""
        return f"rerolls left {state.left}{upper}"

    def decision(self, state: Turn) -> str:
        return "keep or fill" if state.left else "which box"

    def lay_out(self, state: Turn) -> Mapping[str, str]:
        """Every box with what it would pay now, or that it is filled; then what is counted beside them."""
        may = self.game.fillable(state) if state.dice else []
        opened = {name: str(self.game.gain(state, name)) if name in may else "open" for name in self.game.names}
        left = dict(self.game._left(state))
        rows = {name: self._lay_out_box(opened[name], left[name]) if name in left else "filled" for name in self.game.names}
        if self.game.bonus:
            rows["upper total"] = f"{state.upper} of {self.game.bonus.next_step(state.upper)}"
        if state.primed:
            rows["primed"] = f"another {self.game.joker.box} earns {self.game.joker.bonus}" if self.game.joker else "yes"
        return {**rows, "rerolls left": str(state.left)}

    def _lay_out_box(self, text: str, left: int) -> str:
        return text if left == 1 else f"{text}, {left} times to go"

    def choices(self, state: Turn) -> str:
        return "boxes: " + ", ".join(f"{box} {self.game.gain(state, box)}" for box in self.game.fillable(state))

    def rules(self) -> Rules:
        return tell_rules(self.game)

    def board(self) -> Mapping[str, Any]:
        pays = self.game.joker.pays if self.game.joker else {}
        boxes = [
            {"name": box.name, "face": box.face, "most": max(self.game.most(i), pays.get(box.name, 0)), "times": box.times}
            for i, box in enumerate(self.game.boxes)
        ]
        steps = (
            [{"threshold": threshold, "points": points} for threshold, points in self.game.bonus.steps] if self.game.bonus else []
        )
        bonus = {**steps[-1], "steps": steps} if steps else None
        joker = (
            {"box": self.game.joker.box, "rule": self.game.joker.rule, "bonus": self.game.joker.bonus}
            if self.game.joker
            else None
        )
        return {
            "kind": self.board_kind, "boxes": boxes, "dice": self.game.count, "faces": self.game.faces,
            "rerolls": self.game.rerolls, "bonus": bonus, "joker": joker, "in_order": self.game.in_order,
            "start": self.notation.show_pending(self.game.start()),
            **({"saved_rolls": True} if self.game.saved_rolls else {}),
        }  # fmt: skip

    def position(self, state: Turn) -> Mapping[str, Any]:
        opened = [name for name, left in self.game._left(state) for _ in range(left)]
        upper = state.upper if self.game.bonus else None
        return {
            "kind": self.board_kind, "dice": list(state.dice), "left": state.left, "open": opened, "upper": upper,
            "primed": state.primed,
        }  # fmt: skip


class LargeSheetView(SheetView):
    """The view of a sheet for which no duel is offered: the pairs of such sheets take terabytes."""

    other_aims = View.other_aims


class SheetFeatures(Features):
    """Positions as numbers."""

    game: "Sheet"

    def features(self, state: Turn) -> Mapping[str, Feature] | None:
        faces = range(1, self.game.faces + 1)
        left = tuple(self.game._fills_left(state.open, box) for box in range(len(self.game.boxes)))
        found = {
            "dice": face_counts(state.dice, faces, self.game.count),
            "rerolls_left": one_number(state.left, 0, self.game.most_rerolls(1)),
            "open": Feature(left, 0, max(box.times for box in self.game.boxes)),
        }
        if self.game.bonus:
            found["upper"] = one_number(state.upper, 0, self.game.bonus.threshold)
        return found | ({"primed": one_number(state.primed, 0, 1)} if self.game.joker and self.game.joker.bonus else {})

    def every_action(self) -> Sequence[Move] | None:
        faces = range(1, self.game.faces + 1)
        keeps = [keep for count in range(self.game.count) for keep in combinations_with_replacement(faces, count)]
        return (*self.game.names, *keeps)


class Sheet(Game[Turn, Turn, Move], Duels, Heuristic, KnowsGains, Sized):
    """A score sheet game.

    >>> ones = Box("ones", lambda hand: hand.count(1), face=1)
    >>> import rollwise
    >>> rollwise.solve(Sheet([ones]), exact=True).value()
    Fraction(455, 216)

    Raises `GameError` for boxes without or with equal names, or numbers out of range.
    """

    notation, view, features = SheetNotation, SheetView, SheetFeatures

    extra_rules = ("fillable", "first_points", "is_joker", "points", "wins")

    def __init__(
        self,
        boxes: Sequence[Box],
        *,
        count: int = 5,
        faces: int = 6,
        rerolls: int = 2,
        bonus: UpperBonus | None = None,
        joker: Joker | None = None,
        in_order: bool = False,
        saved_rolls: bool = False,
        win: InstantWin | None = None,
    ) -> None:
        self.boxes, self.count, self.faces, self.rerolls = tuple(boxes), count, faces, rerolls
        self.bonus, self.joker, self.in_order, self.saved_rolls, self.win = bonus, joker, in_order, saved_rolls, win
        self.names = tuple(box.name for box in self.boxes)
        self._check()
        self._fields = _lay_out(self.boxes)
        self.hands = tuple(dice(count, faces))
        self.scores = {box.name: {hand: box.score(hand) for hand in self.hands} for box in self.boxes}
        self.check_points()

    def _check(self) -> None:
        if not self.boxes or len(set(self.names)) != len(self.names):
            raise GameError(f"boxes {list(self.names)}: expected at least one, with different names")
        if any(not name or set(name) & set(" ,") or name in ("all", "none") for name in self.names):
            raise GameError(f"boxes {list(self.names)}: names have no spaces or commas and are not 'all' or 'none'")
        if min(self.count, self.faces) < 1 or not 0 <= self.rerolls <= MOST_REROLLS:
            raise GameError(
                f"{self.count} dice, {self.faces} faces, {self.rerolls} rerolls: expected at least 1, 1 and 0, and at most "
                f"{MOST_REROLLS} rerolls"
            )
        thresholds = [threshold for threshold, _ in self.bonus.steps] if self.bonus else [1]
        if thresholds[0] < 1:
            raise GameError(f"a bonus at {thresholds[0]} points: expected a threshold of at least 1")
        if any(after <= before for before, after in pairwise(thresholds)):
            raise GameError(f"a bonus in steps at {', '.join(map(str, thresholds))} points: expected thresholds that rise")
        if self.joker and self.joker.rule not in ("free", "forced"):
            raise GameError(f"joker rule {self.joker.rule!r}: expected 'free' or 'forced'")
        self._check_rare()

    def _check_rare(self) -> None:
        """Check what few sheets have: boxes filled several times, and first rolls that count for more."""
        for box in self.boxes:
            if not 1 <= box.times <= MOST_TIMES or box.first < 0:
                raise GameError(
                    f"box {box.name!r} is filled {box.times} times and pays {box.first} more for a first roll: expected 1 to "
                    f"{MOST_TIMES} times, and at least 0 points"
                )
        if self.win and self.win.box not in self.names:
            raise GameError(f"box {self.win.box!r} wins at once: expected one of {', '.join(self.names)}")
        if self.joker and any(box.times > 1 for box in self.boxes if box.name == self.joker.box):
            raise GameError(f"the joker box {self.joker.box!r} is filled several times: expected one that is filled once")
        if self.joker and self.first_roll_counts:
            raise GameError("a first roll that pays more or wins, and jokers: expected a sheet with one of these rules")
        if self.saved_rolls and (self.first_roll_counts or any(box.times > 1 for box in self.boxes)):
            raise GameError("saved rolls: expected boxes that are filled once, and first rolls that count as others do")

    @property
    def first_roll_counts(self) -> bool:
        """Whether a box pays more for the first roll of a turn, or wins."""
        return self.win is not None or any(box.first for box in self.boxes)

    @property
    def unit(self) -> tuple[int, ...]:
        """One time of each box, in the number that stands for the open boxes."""
        return self._laid_out.unit

    @property
    def field(self) -> tuple[int, ...]:
        """All bits of each box, in that number."""
        return self._laid_out.field

    @property
    def full(self) -> int:
        """All boxes open."""
        return self._laid_out.full

    @property
    def _laid_out(self) -> "_Fields":
        return self._fields if self._fields.boxes is self.boxes else _lay_out(self.boxes)

    def check_points(self) -> None:
        """Refuse points that are not whole numbers of a fair size. Raises `GameError`."""
        for _, points in self.bonus.steps if self.bonus else ():
            _points("the upper bonus", points)
        pays = dict(self.joker.pays) if self.joker else {}
        for name, points in pays.items():
            _points(name, points)
        if self.joker:
            _points("the joker bonus", self.joker.bonus)
        if self.win:
            _points("the instant win", self.win.points)
        for box in self.boxes:
            for points in (*self.scores[box.name].values(), box.first):
                _points(box.name, points)
            lowest = min(*self.scores[box.name].values(), pays.get(box.name, 0))
            if self.bonus and box.face is not None and lowest < 0:
                raise GameError(f"upper box {box.name!r} pays {lowest}: with a bonus, upper boxes must not pay less than 0")

    @property
    def objective(self) -> Objective:
        return Expected()

    @property
    def gains_nonnegative(self) -> bool | None:
        """Whether some box pays, and no rule takes points away; None for a game with rules of its own about points."""
        if self.changed_rules(("gain", "points", "payoff")):
            return None
        more = [*self.bonus.jumps] if self.bonus else []
        more += [self.joker.bonus, *self.joker.pays.values()] if self.joker else []
        more += [self.win.points] if self.win else []
        scores = [points for by_hand in self.scores.values() for points in by_hand.values()]
        return min(*scores, *more, 0) >= 0 and max(scores) > 0

    def start(self) -> Turn:
        return Turn(self.full, 0, False, (), self.rerolls + 1)

    def roll(self, pending: Turn) -> Roll[Turn]:
        if not pending.open:
            return sure(pending)
        return _complete(pending.dice, self.count, self.faces).map(
            lambda hand: pending._replace(dice=hand, left=pending.left - 1)
        )

    def actions(self, state: Turn) -> Sequence[Move]:
        fills: list[Move] = list(self.fillable(state))
        return fills + list(keeps_of(state.dice)) if state.left > 0 and state.open else fills

    def fillable(self, state: Turn) -> list[str]:
        """List the open boxes that may be filled with the hand, in the order of the sheet."""
        opened = self._open_names(state)
        if self.in_order:
            opened = opened[:1]
        if self.joker and self.joker.rule == "forced" and self.is_joker(state):
            match = [box.name for box in self.boxes if box.face == state.dice[0] and box.name in opened]
            lower = [box.name for box in self.boxes if box.face is None and box.name in opened]
            return match or lower or opened
        return opened

    def _open_names(self, state: Turn) -> list[str]:
        """List the boxes that may still be filled, in the order of the sheet."""
        return [name for name, field in zip(self.names, self.field, strict=True) if state.open & field]

    def _fills_left(self, opened: int, box: int) -> int:
        """Say how often a box, by its number, may still be filled."""
        return (opened & self.field[box]) // self.unit[box]

    def turns_left(self, opened: int) -> int:
        """Say how many turns are to come with these open boxes."""
        return sum(self._fills_left(opened, box) for box in range(len(self.boxes)))

    def is_joker(self, state: Turn) -> bool:
        """Say whether the hand is all equal and the box for that is filled."""
        if self.joker is None or self.joker.box not in self.names or len(set(state.dice)) != 1:
            return False
        return not state.open & self.field[self.names.index(self.joker.box)]

    def wins(self, state: Turn, box: str) -> bool:
        """Say whether filling a box with the hand wins the game at once."""
        return bool(self.win and box == self.win.box and state.left == self.rerolls and self.scores[box][state.dice] > 0)

    def points(self, state: Turn, box: str) -> int:
        """Say what a box pays for the hand in this position, bonuses excluded."""
        points = self.scores[box][state.dice]
        if points > 0 and state.left == self.rerolls:
            points = self.first_points(self.names.index(box), points)
        if self.joker and box in self.joker.pays and self.is_joker(state):
            match = [i for i, other in enumerate(self.boxes) if other.face == state.dice[0]]
            if not any(state.open & self.field[i] for i in match):
                return self.joker.pays[box]
        return points

    def first_points(self, box: int, points: int) -> int:
        """Say what a box, by its number, pays for a first roll that it pays some points for later."""
        return self.win.points if self.win and self.win.box == self.names[box] else points + self.boxes[box].first

    def play(self, state: Turn, action: Move) -> Turn:
        if not isinstance(action, str):
            return state._replace(dice=action)
        i = self.names.index(action)
        left = 0 if self.wins(state, action) else state.open - self.unit[i]
        points = self.points(state, action)
        upper, primed = state.upper, state.primed
        if self.bonus and self.boxes[i].face is not None:
            upper = min(upper + points, self.bonus.threshold)
        if self.joker and self.joker.bonus and action == self.joker.box:
            primed = points > 0
        saved = state.left if self.saved_rolls else 0
        return Turn(left, upper, primed, (), self.rerolls + 1 + saved if left else 0)

    def most_rerolls(self, opened: int) -> int:
        """Say how many rerolls may be left with these open boxes: those of a turn, or all that can have been saved."""
        filled = len(self.boxes) - opened.bit_count()
        return self.rerolls * (1 + filled) if self.saved_rolls else self.rerolls

    def gain(self, state: Turn, action: Move) -> int:
        if not isinstance(action, str):
            return 0
        gain = self.points(state, action)
        if self.joker and state.primed and self.is_joker(state):
            gain += self.joker.bonus
        if self.bonus:
            gain += self.bonus.earned(self.play(state, action).upper) - self.bonus.earned(state.upper)
        return gain

    def heuristic(self, state: Turn, action: Move) -> float:
        """What the action makes of this turn: the gain of a box, or the expected gain after keeping dice."""
        if isinstance(action, str):
            return self.gain(state, action)
        return _turn_worth(self, state._replace(dice=(), left=0))[state.left][action]

    def _show_dice(self, hand: Hand) -> str:
        return ("" if self.faces <= 9 else ",").join(map(str, hand)) or "-"

    def _left(self, state: Turn) -> list[tuple[str, int]]:
        """The open boxes, each with how often it may still be filled."""
        return [(name, self._fills_left(state.open, self.names.index(name))) for name in self._open_names(state)]

    def most(self, box: int) -> int:
        """Say what a box, by its number, pays at most, jokers aside."""
        points = max(self.scores[self.names[box]].values())
        return max(points, self.first_points(box, points)) if points > 0 else points

    # How it looks and speaks

    def dimensions(self) -> Mapping[str, int]:
        return {"rerolls": self.rerolls}

    def vocabulary(self) -> Vocabulary:
        return sheet_vocabulary(self)

    def changed_rules(self, rules: Sequence[str]) -> tuple[str, ...]:
        """List those of `rules` that a game of this family has of its own."""
        return overridden(self, Sheet, rules)

    def duel(self, ties: Fraction) -> Game[Any, Any, Any]:
        if self.win:
            raise GameError(
                f"a duel in which {self.win.box} may win at once is not solved: each sheet is played to its end; leave out that "
                "rule"
            )
        return RestatedDuel(self, ties)


def _lay_out(boxes: tuple[Box, ...]) -> _Fields:
    unit, field = box_fields([box.times for box in boxes])
    return _Fields(boxes, unit, field, sum(box.times * one for box, one in zip(boxes, unit, strict=True)))


def box_fields(times: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give for each box one time of it, and all its bits, in the number that stands for the open boxes."""
    widths = [number.bit_length() for number in times]
    unit = tuple(1 << sum(widths[:i]) for i in range(len(widths)))
    return unit, tuple(one * ((1 << width) - 1) for one, width in zip(unit, widths, strict=True))


def _name_gain(box: str, chance: float, others: float, *, wanted: bool) -> str:
    """Name a box in which a move does better: by filling it, where that is wanted, or by not filling it."""
    if not wanted and chance < others - ROUNDING:
        return f"spares {box}"
    return f"{box} ({percent(chance)})" if wanted and chance < 1 - ROUNDING else f"more in {box}"


def _name_loss(box: str, chance: float, others: float, *, wanted: bool, in_hand: bool) -> str:
    """Name a box in which a move does worse."""
    if wanted and chance < others - ROUNDING:
        return f"gives up the sure {box}" if in_hand else f"less {box}"
    return f"risks {box}" if chance > others + ROUNDING and not wanted else f"less in {box}"


def _one_of(rolls: int) -> str:
    """Name a reroll of those that are left."""
    return f"one of {rolls} rolls left" if rolls > 1 else "the only roll left"


def _points(what: str, points: object) -> int:
    """Give points as an integer that floating point holds exactly, many times over."""
    if not isinstance(points, int) or abs(points) > MOST_POINTS:
        raise GameError(f"{what} pays {points!r}: expected an integer of at most {MOST_POINTS:,} points")
    return points


@lru_cache(maxsize=4096)
def _turn_worth(sheet: Sheet, outer: Turn) -> list[dict[Hand, float]]:
    """For each number of rolls left, the expected gain of the turn by dice kept, when it is played for that gain alone."""
    states = {hand: outer._replace(dice=hand, left=0) for hand in sheet.hands}
    fill: dict[Hand, float] = {hand: max(sheet.gain(s, box) for box in sheet.fillable(s)) for hand, s in states.items()}
    best, steps = dict(fill), [fill]
    for _ in range(sheet.most_rerolls(outer.open)):
        expected = dict(best)
        for size in range(sheet.count - 1, -1, -1):
            for keep in combinations_with_replacement(range(1, sheet.faces + 1), size):
                more = [expected[tuple(sorted((*keep, face)))] for face in range(1, sheet.faces + 1)]
                expected[keep] = sum(more) / sheet.faces
        steps.append(expected)
        best = {hand: max(fill[hand], *(expected[keep] for keep in keeps_of(hand))) for hand in sheet.hands}
    return steps


@lru_cache(maxsize=4096)
def _complete(kept: Hand, count: int, faces: int) -> Roll[Hand]:
    return dice(count - len(kept), faces).map(lambda rolled: tuple(sorted(kept + rolled)))


@lru_cache(maxsize=4096)
def keeps_of(hand: Hand) -> tuple[Hand, ...]:
    """List what can be kept while rolling at least one die, most dice first."""
    groups = [[(face,) * k for k in range(n, -1, -1)] for face, n in Counter(hand).items()]
    kept = [tuple(face for group in choice for face in group) for choice in product(*groups)]
    return tuple(sorted(kept[1:], key=len, reverse=True))
