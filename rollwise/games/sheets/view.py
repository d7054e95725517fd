"""How a score sheet looks and speaks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rollwise.games.sheets.boxes import Hand, Move, Turn
from rollwise.games.sheets.rules_text import tell_rules
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.objective import Expected
from rollwise.model.reasons import Comparison, Reason, name_reasons, with_reasons
from rollwise.model.view import Rules, View

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
    own_aim = Expected.aims[0]
    other_aims = (*View.other_aims, "duel")

    def offered(self, parameter: str) -> tuple[str, ...]:
        return self.game.names if parameter == "boxes" else super().offered(parameter)

    def show_dice(self, state: Turn) -> Hand:
        return state.dice

    def explain(self, move: Comparison) -> Text:
        state, action = move.state, move.action
        does = self._say_fill(state, action) if isinstance(action, str) else self._say_keep(state, action)
        share = move.objective.words(self.game).share
        return with_reasons(
            does, name_reasons(move.reasons, lambda reason, edge: self._name_reason(reason, edge, state, action), share=share)
        )

    def _name_reason(self, reason: Reason, edge: Message, state: Turn, action: Move) -> Message:
        """Say what a move does to a box: what it is for, what it spares, gives up or risks; "the box" is its own."""
        if reason.kind != "box":
            return Message("reason.what", {"what": reason.what, "edge": edge})
        if reason.what == action:
            return Message("reason.own", {"edge": edge})
        mine, other = (float(part.edge) if part else 0.0 for part in (reason.mine, reason.other))
        chance, others = (float(part.chance or 0) if part else 0.0 for part in (reason.mine, reason.other))
        if reason.value > 0:
            kind = _gain(chance, others, wanted=mine > -other)
        else:
            sure = others >= 1 - ROUNDING and isinstance(reason.what, str)
            in_hand = sure and self.game.points(state, str(reason.what)) > 0
            kind = _loss(chance, others, wanted=other > -mine, in_hand=in_hand)
        likely = {"chance": round_chance(chance)} if kind == "reason.likely" else {}
        return Message(kind, {"what": reason.what, "edge": edge, **likely})

    def _say_keep(self, state: Turn, action: Hand) -> Message:
        does = Message("sheet.keeps", {"dice": self.game._show_dice(action)}) if action else Message("sheet.rolls-all")
        return Message("sheet.uses", {"does": does, "n": state.left}) if self.game.saved_rolls else does

    def ends_turn(self, state: Turn, action: Move) -> str | None:
        return action if isinstance(action, str) else ""

    def _say_fill(self, state: Turn, action: str) -> Message:
        gain, points = self.game.gain(state, action), self.game.points(state, action)
        if self.game.wins(state, action):
            return Message("sheet.wins", {"box": action, "points": points})
        does = Message("sheet.puts", {"points": points, "box": action}) if points else Message("sheet.gives-up", {"box": action})
        after = self.game.play(state, action)
        if self.game.bonus and after.upper != state.upper:
            does = Message("sheet.upper", {"does": does, "total": after.upper, "of": self.game.bonus.next_step(state.upper)})
        if self._pays_more(state, action):
            does = Message("sheet.first", {"does": does, "points": points - self.game.scores[action][state.dice]})
        if gain > points:
            does = Message("sheet.earns", {"does": does, "points": gain - points})
        if self.game.saved_rolls and state.left and after.open:
            does = Message("sheet.saves", {"does": does, "n": state.left})
        return does

    def _pays_more(self, state: Turn, box: str) -> bool:
        """Say whether the first roll earns points beyond those of the box."""
        return (
            self.game.points(state, box) > self.game.scores[box][state.dice]
            and state.left == self.game.rerolls
            and self.game.first_roll_counts
        )

    def to_go(self, pending: Turn) -> Text:
        return Message("sheet.boxes", {"n": self.game.turns_left(pending.open)}) if pending.open else ""

    def describe(self, state: Turn) -> Text:
        left = Message("sheet.left", {"n": state.left})
        if not self.game.bonus:
            return left
        return Message("sheet.upper", {"does": left, "total": state.upper, "of": self.game.bonus.next_step(state.upper)})

    def decision(self, state: Turn) -> Text:
        return Message("sheet.keep-or-fill" if state.left else "sheet.which-box")

    def lay_out(self, state: Turn) -> Mapping[str, Text]:
        """Every box with what it would pay now, or that it is filled; then what is counted beside them."""
        may = self.game.fillable(state) if state.dice else []
        rows: dict[str, Text] = {name: Message("sheet.filled") for name in self.game.names}
        for name, left in self.game._left(state):
            pays: Text = str(self.game.gain(state, name)) if name in may else Message("sheet.open")
            rows[name] = pays if left == 1 else Message("sheet.times-left", {"pays": pays, "n": left})
        if self.game.bonus:
            rows["upper total"] = Message("sheet.of-step", {"total": state.upper, "of": self.game.bonus.next_step(state.upper)})
        if state.primed and self.game.joker:
            rows["primed"] = Message("sheet.primed", {"box": self.game.joker.box, "points": self.game.joker.bonus})
        return {**rows, "rerolls left": str(state.left)}

    def choices(self, state: Turn) -> Text:
        boxes = [Message("sheet.pays", {"box": box, "points": self.game.gain(state, box)}) for box in self.game.fillable(state)]
        return Message("sheet.choices", {"boxes": boxes})

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


def _gain(chance: float, others: float, *, wanted: bool) -> str:
    """Name how a move does better in a box: by filling it, where that is wanted, or by not filling it."""
    if not wanted and chance < others - ROUNDING:
        return "reason.spares"
    return "reason.likely" if wanted and chance < 1 - ROUNDING else "reason.more-in"


def _loss(chance: float, others: float, *, wanted: bool, in_hand: bool) -> str:
    """Name how a move does worse in a box."""
    if wanted and chance < others - ROUNDING:
        return "reason.gives-up-sure" if in_hand else "reason.less"
    return "reason.risks" if chance > others + ROUNDING and not wanted else "reason.less-in"
