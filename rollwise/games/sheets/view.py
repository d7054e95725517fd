"""How a score sheet looks and speaks; its rules in words are made from its data, so that they are right for any house rules."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from rollwise.games.sheets.boxes import Box, Hand, Move, Turn
from rollwise.games.sheets.reasons import name_differences
from rollwise.model.message import Message, Text
from rollwise.model.objective import Expected
from rollwise.model.reasons import Comparison, join_reasons
from rollwise.model.view import BoxRule, Example, Rules, View

if TYPE_CHECKING:
    from rollwise.games.sheets.rules import Sheet

__all__ = ["LargeSheetView", "SheetView"]


NEWS = 1e-4
"""A bonus that a move adds less to is certain, or lost, with the other move as well."""


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

    def name_move(self, state: Turn, action: Move, *, beside: Move | None = None) -> Text:
        second = "" if beside is None else "-beside"
        if isinstance(action, str):
            points = self.game.points(state, action)
            crossed = isinstance(beside, str) and not self.game.points(state, beside)
            if crossed and not points:
                return Message("part.box", {"box": action})
            if isinstance(beside, str) and not crossed:
                return Message("reason.in", {"box": action, "points": points})
            return Message(f"reason.{'put' if points else 'cross-out'}{second}", {"box": action, "points": points})
        dice = " ".join(map(str, action))
        if beside is None or isinstance(beside, str):
            return Message(f"reason.keep-dice{second}", {"dice": dice}) if action else Message(f"reason.roll-all{second}")
        return dice or Message("reason.nothing")

    def because(self, move: Comparison) -> Text | None:
        if move.rival is not None and not move.has_better:
            return None
        named, told = name_differences(self.game, move, share=move.objective.words(self.game).share)
        bonus = any(reason.kind == "bonus" for reason in told)
        facts = self._facts(move, move.action, bonus=bonus) if isinstance(move.action, str) else ()
        return join_reasons(named, *facts)

    def _facts(self, move: Comparison, box: str, *, bonus: bool) -> Iterator[Message]:
        """Say what filling a box earns beside its points; `bonus`: what it does for the upper bonus is a reason."""
        state = move.state
        gain, points = self.game.gain(state, box), self.game.points(state, box)
        after = self.game.play(state, box)
        if self.game.wins(state, box):
            yield Message("reason.at-once")
        elif gain > points and self._earns_more(move, gain - points):
            yield Message("reason.earns", {"points": gain - points})
        elif self.game.bonus and bonus and after.upper != state.upper:
            yield Message("reason.upper", {"n": after.upper, "of": self.game.bonus.next_step(state.upper)})
        if self._pays_more(state, box):
            yield Message("reason.first", {"n": points - self.game.scores[box][state.dice], "points": points})

    def _earns_more(self, move: Comparison, bonus: int) -> bool:
        """Say whether a bonus is news: the other move does not earn it as well, now or later."""
        if isinstance(move.rival, str):
            return self.game.gain(move.state, move.rival) - self.game.points(move.state, move.rival) < bonus
        later = sum(float(reason.value) for reason in move.reasons if reason.kind in ("bonus", "joker"))
        return move.rival is None or later > NEWS

    def ends_turn(self, state: Turn, action: Move) -> str | None:
        return action if isinstance(action, str) else ""

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
        return _tell_rules(self.game)

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


# The rules in words


def _tell_rules(sheet: "Sheet") -> Rules:
    """Tell the rules of a sheet, with an example for each box."""
    told = (_turn(sheet), _boxes(sheet), *_first_roll(sheet), *_bonus(sheet), *_joker(sheet))
    return Rules(told, tuple(_box(sheet, box) for box in sheet.boxes))


def _turn(sheet: "Sheet") -> Message:
    dice = Message("rules.sheet.dice", {"n": sheet.count})
    if sheet.faces != 6:
        dice = Message("rules.sheet.faces", {"dice": dice, "faces": sheet.faces})
    if not sheet.rerolls:
        return Message("rules.sheet.roll", {"dice": dice})
    key = "rules.sheet.saved" if sheet.saved_rolls else "rules.sheet.reroll"
    return Message(key, {"dice": dice, "times": Message("rules.sheet.up-to", {"n": sheet.rerolls})})


def _boxes(sheet: "Sheet") -> Message:
    """Say which box is filled, how often, and when the game ends."""
    times = {box.times for box in sheet.boxes}
    often = Message("rules.sheet.every", {"times": _times(min(times))})
    if len(times) > 1:
        named = [Message("rules.sheet.box-times", {"box": box.name, "times": _times(box.times)}) for box in sheet.boxes]
        often = Message("rules.sheet.so-often", {"boxes": named})
    turns = Message("rules.sheet.turns", {"n": sheet.turns_left(sheet.full)})
    return Message("rules.sheet.in-order" if sheet.in_order else "rules.sheet.fill", {"often": often, "turns": turns})


def _times(number: int) -> Message:
    return Message({1: "rules.sheet.once", 2: "rules.sheet.twice"}.get(number, "rules.sheet.times"), {"n": number})


def _first_roll(sheet: "Sheet") -> Iterator[Message]:
    """Say what a first roll earns."""
    by_points: dict[int, list[str]] = {}
    for box in sheet.boxes:
        if box.first:
            by_points.setdefault(box.first, []).append(box.name)
    for points, names in by_points.items():
        yield Message("rules.sheet.first", {"n": points, "boxes": names})
    if sheet.win is not None:
        yield Message("rules.sheet.win", {"box": sheet.win.box, "points": sheet.win.points})


def _bonus(sheet: "Sheet") -> Iterator[Message]:
    upper = [box.name for box in sheet.boxes if box.face is not None]
    if sheet.bonus is None or not upper:
        return
    boxes = Message("rules.sheet.from-to" if len(upper) > 1 else "part.box", {"box": upper[0], "last": upper[-1]})
    (threshold, points), *later = sheet.bonus.steps
    step = Message("rules.sheet.step", {"points": points, "from": threshold})
    more = [Message("rules.sheet.next-step", {"points": points, "from": threshold}) for threshold, points in later]
    yield Message("rules.sheet.bonus", {"boxes": boxes, "steps": [step, *more]})


def _joker(sheet: "Sheet") -> Iterator[Message]:
    joker = sheet.joker
    if joker is None or joker.box not in sheet.names:
        return
    pays = [Message("rules.sheet.joker-pays", {"box": box, "points": points}) for box, points in joker.pays.items()]
    yield Message(f"rules.sheet.joker-{joker.rule}{'-pays' if pays else ''}", {"n": sheet.count, "box": joker.box, "pays": pays})
    if joker.bonus:
        yield Message("rules.sheet.joker-bonus", {"points": joker.bonus, "box": joker.box})


def _box(sheet: "Sheet", box: Box) -> BoxRule:
    scores = sheet.scores[box.name]
    words = box.words or Message("pays.most", {"n": max(scores.values())})
    others = [sheet.scores[other.name] for other in sheet.boxes if other.face is None and other is not box]
    return BoxRule(box.name, words, tuple(Example(hand, scores[hand]) for hand in _examples(sheet, scores, others)))


def _examples(sheet: "Sheet", scores: Mapping[Hand, int], others: Sequence[Mapping[Hand, int]]) -> list[Hand]:
    """A likely hand that pays neither the least nor the most, and one that differs from it in a die and pays nothing.

    Hands that few other boxes pay more for are better examples: 1-3-4-5-6 is a small straight, 2-3-4-5-6 a large one.
    """
    paying = sorted({points for points in scores.values() if points})
    if not paying:
        return []
    middle = paying[len(paying) // 2]
    best = {hand: sum(other[hand] > middle for other in others) for hand, points in scores.items() if points == middle}
    shown = _likeliest(sheet, (hand for hand in best if best[hand] == min(best.values())))
    near = [hand for hand, points in scores.items() if not points and (Counter(hand) - Counter(shown)).total() == 1]
    return [shown, _likeliest(sheet, near)] if near else [shown]


def _likeliest(sheet: "Sheet", hands: Iterable[Hand]) -> Hand:
    """The hand that comes most often; of several, the one with the most points on its dice."""
    return max(hands, key=lambda hand: (_ways(sheet, hand), sum(hand), hand))


def _ways(sheet: "Sheet", hand: Hand) -> int:
    orders = factorial(len(hand)) // prod(factorial(number) for number in Counter(hand).values())
    return orders * prod(sheet.die[face] for face in hand)
