"""How a score sheet looks and speaks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rollwise.games.sheets.boxes import Hand, Move, Turn
from rollwise.games.sheets.rules_text import tell_rules
from rollwise.model.expected import EXPECTED
from rollwise.model.formatting import counted, percent
from rollwise.model.reasons import Comparison, Reason, name_reasons
from rollwise.model.rules import Rules
from rollwise.model.view import View

if TYPE_CHECKING:
    from rollwise.games.sheets.rules import Sheet

__all__ = ["LargeSheetView", "SheetView"]

ROUNDING = 1e-9
"""Chances that differ by less are the same to a sentence."""


class SheetView(View):
    """The board and the words of the game."""

    game: "Sheet"
    action_word = "move"
    board_kind = "sheet"
    compares = "reasons"
    own_aim = EXPECTED
    other_aims = (*View.other_aims, "duel")

    def offered(self, parameter: str) -> tuple[str, ...]:
        return self.game.names if parameter == "boxes" else super().offered(parameter)

    def show_dice(self, state: Turn) -> Hand:
        return state.dice

    def explain(self, move: Comparison) -> str:
        state, action = move.state, move.action
        text = self._say_fill(state, action) if isinstance(action, str) else self._say_keep(state, action)
        words = move.objective.words(self.game)
        named = name_reasons(move.reasons, lambda reason: self._name_reason(reason, state, action), share=words.share)
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
