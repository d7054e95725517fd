"""Positions and moves of a score sheet as text, in columns, as a number, and as rows of numbers."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING

from rollwise.errors import GameError, PositionError
from rollwise.games.sheets.boxes import Hand, Move, Turn
from rollwise.model.features import Feature, Features, face_counts, one_number
from rollwise.model.formatting import is_number
from rollwise.model.message import Message
from rollwise.model.notation import Notation, not_a_position, wrong_dice
from rollwise.model.packing import fold, rank, unfold, unrank

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
        words = text.split()
        form, example = f"DICE REROLLS BOXES{' upper POINTS' if self.game.bonus else ''}", f"'{self._example()}'"
        if len(words) < 3 or not is_number(words[1]):
            raise not_a_position(text, form, example)
        hand = self._read_dice(words[0], text)
        left = int(words[1])
        opened = self.read_boxes(words[2], text)
        if left > self.game.most_rerolls(opened):
            most = self.game.most_rerolls(opened)
            raise PositionError(Message("error.rerolls", {"left": str(left), "text": repr(text), "most": most}))
        if self.game.in_order and opened and not self._in_order(opened):
            raise PositionError(f"open boxes {words[2]!r} in {text!r} do not occur: the boxes are filled from first to last")
        rest = words[3:]
        primed = self._read_primed(rest.count("primed"), opened, text)
        upper = self._read_upper([word for word in rest if word != "primed"], opened, text, f"{form}, such as {example}")
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
            raise PositionError(Message("error.upper", {"points": str(points), "text": repr(text), "most": most}))
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
        hand = self._read_faces(word)
        if hand is None or len(hand) not in (0, self.game.count):
            raise wrong_dice(word, text, self.game.count, self.game.faces)
        return hand

    def _read_faces(self, word: str) -> Hand | None:
        """Read dice, "-" for none; None where some of it is no face."""
        if word == "-":
            return ()
        parts = [part for part in word.split(",") if part] if "," in word or self.game.faces > 9 else list(word)
        fit = parts and all(is_number(part) and 1 <= int(part) <= self.game.faces for part in parts)
        return tuple(sorted(map(int, parts))) if fit else None

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
        kept = self._read_faces(words[1])
        if kept is None or len(kept) > self.game.count:
            raise PositionError(f"{text!r} is not an action: expected a box, or 'keep' and up to {self.game.count} faces")
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
