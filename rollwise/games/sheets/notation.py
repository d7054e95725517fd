"""Positions and moves of a score sheet as text, in columns, as a number, and as rows of numbers."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING

from rollwise.errors import GameError, PositionError, brief
from rollwise.games.sheets.boxes import Hand, Move, Turn
from rollwise.model.features import Feature, Features, face_counts, one_number
from rollwise.model.formatting import is_number
from rollwise.model.message import Message
from rollwise.model.notation import Notation, not_a_position, wrong_dice
from rollwise.model.packing import fold, rank, unfold, unrank
from rollwise.model.reading import Typed, find_names, join_commas, one_name, read_keep, read_names, says

if TYPE_CHECKING:
    from rollwise.games.sheets.rules import Sheet

__all__ = ["SheetFeatures", "SheetNotation"]


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
        typed = Typed(text)
        primed = bool(typed.take("primed"))
        upper = typed.take_number("upper") if self.game.bonus else None
        hand, left = self._read_numbers(typed)
        opened = self.read_boxes(typed.rest or "all")
        most = self.game.most_rerolls(opened)
        if left is None and opened and typed.rest:
            raise PositionError(Message("error.left", {"text": brief(text)}))
        if left is not None and left > most:
            raise PositionError(Message("error.rerolls", {"left": str(left), "text": repr(text), "most": most}))
        if self.game.in_order and opened and not self._in_order(opened):
            names = join_commas(typed.rest)
            raise PositionError(f"open boxes {names!r} in {text!r} do not occur: the boxes are filled from first to last")
        self._check_primed(primed, opened, text)
        left = self.game.rerolls if left is None else left
        return Turn(opened, self._read_upper(upper, opened, text), primed, hand, left if opened else 0)

    def is_beginning(self, state: Turn) -> bool:
        return state.open == self.game.full

    def _in_order(self, opened: int) -> bool:
        """Say whether the boxes after the first open one were never filled."""
        first = next(i for i, field in enumerate(self.game.field) if opened & field)
        return opened // (self.game.field[first] + self.game.unit[first]) == self.game.full // (
            self.game.field[first] + self.game.unit[first]
        )

    def _read_numbers(self, typed: Typed) -> tuple[Hand, int | None]:
        """Take out the dice and the rerolls left: `33561 2`, `3 3 5 6 1`, `2 rerolls left 33561`."""
        words = typed.words
        places = [place for place, word in enumerate(words) if is_number(word) or word == "-"]
        marks = [place for place, word in enumerate(words) if says(word, "rerolls")]
        if marks:
            before, after = marks[0] - 1, marks[-1] + 1
            ways = [([place for place in places if place != left], [left]) for left in (before, after) if left in places]
            ways += [(places, [before])] if before >= 0 and says(words[before], "none") else []
        else:
            ways = [(places[:dice], places[dice : dice + 1]) for dice in (1, self.game.count)] + [(places[1:2], places[:1])]
        for dice, left in ways:
            hand = self._read_hand([words[place] for place in dice])
            if hand is not None:
                self.game.check_shown(hand)
                number = next((int(words[place]) if is_number(words[place]) else 0 for place in left), None)
                taken = {*dice, *left, *marks}
                typed.words = [word for place, word in enumerate(words) if place not in taken]
                return hand, number
        given = next((word for word in words if word[0].isdecimal()), None)
        if given:
            shown = [words[place] for place in places[: max(1, len(places) - 1)]] if is_number(given) else [given]
            raise wrong_dice(" ".join(shown), typed.text, self.game.count, self.game.faces)
        form = f"DICE REROLLS BOXES{' upper POINTS' if self.game.bonus else ''}"
        raise not_a_position(typed.text, form, f"'{self._example()}'")

    def _read_hand(self, words: Sequence[str]) -> Hand | None:
        """Read all dice, in one word or each in its own, or "-" for none; None for anything else."""
        hand = () if list(words) == ["-"] else self._read_faces(words) if len(words) in (1, self.game.count) else None
        return hand if list(words) == ["-"] or (hand and len(hand) == self.game.count) else None

    def _read_faces(self, words: Sequence[str]) -> Hand | None:
        """Read dice; None where some of it is no face."""
        parts = words if self.game.faces > 9 else "".join(words)
        fit = all(is_number(part) and 1 <= int(part) <= self.game.faces for part in parts)
        return tuple(sorted(map(int, parts))) if fit else None

    def _check_primed(self, primed: bool, opened: int, text: str) -> None:
        joker = self.game.joker
        if primed and (not joker or not joker.bonus or joker.box not in self.game.names):
            raise PositionError(Message("error.primed", {"text": brief(text)}))
        if primed and joker and opened & self.game.field[self.game.names.index(joker.box)]:
            raise PositionError(Message("error.primed-open", {"text": brief(text), "box": joker.box}))

    def _read_upper(self, points: int | None, opened: int, text: str) -> int:
        """Check the upper total, which counts up to the threshold of the bonus; it may be left out where it must be 0."""
        if not self.game.bonus:
            return 0
        most = self._most_upper(opened)
        if points is None and most:
            raise PositionError(Message("error.upper-missing", {"text": brief(text)}))
        points = points or 0
        if not 0 <= points <= most:
            raise PositionError(Message("error.upper", {"points": str(points), "text": repr(text), "most": most}))
        return min(points, self.game.bonus.threshold)

    def _most_upper(self, opened: int) -> int:
        """The highest total of the upper boxes that are not open."""
        pays = self.game.joker.pays if self.game.joker else {}
        filled = [
            (i, box.times - self.game._fills_left(opened, i)) for i, box in enumerate(self.game.boxes) if box.face is not None
        ]
        return sum(times * max(self.game.most(i), pays.get(self.game.names[i], 0)) for i, times in filled if times)

    def _example(self) -> str:
        return self.show_state(Turn(self.game.full, 0, False, self.game.hands[-1], self.game.rerolls))

    def read_boxes(self, text: str) -> int:
        """Read open boxes: `all`, `none`, `all but ones`, or names, `fours:3` for one to be filled three times more.

        Raises `PositionError`.
        """
        found = read_names(text, {box.name: box.times for box in self.game.boxes})
        return sum(times * self.game.unit[self.game.names.index(name)] for name, times in found.items())

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
        dice = unrank(hand - 1, self.game.count) if hand else ()
        self.game.check_shown(dice)
        return Turn(opened, upper, bool(primed), dice, left)

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
        meant = read_keep(text)
        if meant is None or find_names(text.strip(), self.game.names, whole=True):
            return one_name(text.strip(), self.game.names)
        if (meant.dice is None) == (meant.verb == "keep"):
            raise PositionError(Message("error.keep", {"text": brief(text)}))
        kept = self._read_faces(meant.dice or ())
        if kept is None or len(kept) > self.game.count:
            raise PositionError(Message("error.action", {"text": brief(text), "count": self.game.count}))
        return kept

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
        if name != "open boxes":
            return text
        return self._show_rest(self.game.start()._replace(open=self.read_boxes(text))).split(" ")[0]


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
