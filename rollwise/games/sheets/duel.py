"""Two players on two equal score sheets, taking turns: who has more points at the end wins.

A position holds the mover's turn, the other player's sheet, and the mover's lead. The open boxes determine the player to
move: the first when both have as many, the second when that player has one more. After the last turn it would be the first
player's turn.

As a `Game`, points come only at the end and are player 0's (the first player's): `scale` for a win, `tie * scale` for a tie,
where `scale` makes both integers. A general engine thus gives `scale` times the first player's worth everywhere; solved for
`Duel`, values are that worth itself, in [0, 1], for either player to move.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.errors import GameError
from rollwise.model.abilities import Lifted
from rollwise.model.card import CardFeature, Vocabulary
from rollwise.model.features import MOST_POINTS, Feature, features_of, one_number
from rollwise.model.lift import WrappingFeatures, WrappingGame, WrappingNotation, WrappingView, either_way
from rollwise.model.message import Message, Text
from rollwise.model.notation import not_a_position
from rollwise.model.packing import append, split
from rollwise.model.reading import cut_number, says
from rollwise.model.reasons import Comparison, join_reasons, name_chances
from rollwise.model.roll import Roll, certain
from rollwise.model.view import View

if TYPE_CHECKING:
    from rollwise.games.sheets.boxes import Turn
    from rollwise.games.sheets.rules import Sheet

__all__ = ["DuelGame", "DuelTurn", "RestatedDuel"]

Move = str | tuple[int, ...]

ASSUMED = ("start", "play", "payoff", "mover")
"""Rules that a duel does not leave to the sheet: whose turn it is, what a turn begins with, and what the end pays."""


class DuelTurn(NamedTuple):
    """A position: the mover's turn, the other player's sheet (no dice, nothing left), and how far the mover leads."""

    turn: "Turn"
    other: "Turn"
    lead: int


class DuelNotation(WrappingNotation):
    """How positions and moves are written."""

    game: "DuelGame"

    def show_state(self, state: DuelTurn) -> str:
        return f"{self.game.sheet.show_state(state.turn)} {self._show_rest(state)}"

    def show_pending(self, pending: DuelTurn) -> str:
        return f"{self.inner.show_pending(pending.turn)} {self._show_rest(pending)}"

    def _show_rest(self, state: DuelTurn) -> str:
        return f"vs {self.game.sheet.show_state(state.other).removeprefix(BARE)} lead {state.lead}"

    def read_state(self, text: str) -> DuelTurn:
        sheet, (both, lead) = self.game.sheet, cut_number(text, "lead")
        words = both.split()
        versus = next((place for place, word in enumerate(words) if says(word, "vs")), len(words))
        if not any(says(word, "lead") for word in words):
            turn = sheet.read_state(" ".join(words[:versus]))
            other = sheet.read_state(f"{BARE}{' '.join(words[versus + 1 :]) or 'all'}")
            if turn.open == other.open == sheet.full or (versus < len(words) and lead is not None):
                return DuelTurn(turn, other, lead or 0)
        example = self.show_state(self.game.start()._replace(turn=sheet.start()._replace(dice=sheet.hands[-1], left=0)))
        raise not_a_position(text, "POSITION vs BOXES lead POINTS", repr(example))

    def pack_state(self, state: DuelTurn) -> int:
        """The mover's position, the other's sheet below it, each as the sheet packs it, and the lead; frozen."""
        pack = self.inner.pack_state
        return append(append(pack(state.turn), pack(state.other)), state.lead)

    def unpack_state(self, number: int) -> DuelTurn:
        unpack = self.inner.unpack_state
        (turn, other), lead = split(split(number)[0]), split(number)[1]
        return DuelTurn(unpack(turn), unpack(other), lead)

    def packed_by(self) -> str:
        return f"duel {self.inner.packed_by()}"

    def columns(self, state: DuelTurn) -> Mapping[str, Any]:
        other = self.game.sheet.show_state(state.other).removeprefix(BARE)
        return {**self.inner.columns(state.turn), "other's boxes": other, "lead": str(state.lead)}


class DuelView(WrappingView):
    """The board and the words of the game."""

    game: "DuelGame"
    action_word = "move"
    compares = "reasons"

    def because(self, move: Comparison) -> Text | None:
        if move.rival is not None and not move.has_better:
            return None if move.value is None else either_way("stand.to-win", move.value)
        does = self.inner.because(replace(move, state=move.state.turn))
        stands = self._standing(self.game.play(move.state, move.action)) if isinstance(move.action, str) else None
        return join_reasons(does, stands, name_chances(move))

    def _standing(self, after: DuelTurn) -> Message:
        """Say how the player stands who has just filled a box; it is the other's turn then."""
        lead, left = -after.lead, self.inner.to_go(after.other) or Message("sheet.no-box")
        key = "stand.leads" if lead > 0 else "stand.trails" if lead else "stand.level"
        return Message(key, {"left": left, **({"points": abs(lead)} if lead else {})})

    def describe(self, state: DuelTurn) -> Text:
        who = ("stand.first", "stand.second")[self.game.mover(state)]
        return Message(who, {"state": self.inner.describe(state.turn), "lead": state.lead})

    def lay_out(self, state: DuelTurn) -> Mapping[str, Text]:
        own = self.notation.columns(state)
        return {**self.inner.lay_out(state.turn), **{name: own[name] for name in ("other's boxes", "lead")}}

    def board(self) -> Mapping[str, Any]:
        board = self.inner.board()
        return {**board, "kind": _two(board["kind"]), "start": self.notation.show_pending(self.game.start())}

    def position(self, state: DuelTurn) -> Mapping[str, Any]:
        position = self.inner.position
        own, other = position(state.turn), position(state.other)
        return {**own, "kind": _two(own["kind"]), "mover": self.game.mover(state), "lead": state.lead, "other": other}


class DuelFeatures(WrappingFeatures):
    """Positions as numbers."""

    game: "DuelGame"

    def features(self, state: DuelTurn) -> Mapping[str, Feature] | None:
        own, other = (features_of(self.game.sheet).features(turn) for turn in (state.turn, state.other))
        if own is None or other is None:
            return None
        theirs = {f"other_{name}": row for name, row in other.items() if name not in ("dice", "rerolls_left")}
        return {**own, **theirs, "lead": one_number(state.lead, -MOST_POINTS, MOST_POINTS)}


class DuelGame(WrappingGame):
    """A duel on a score sheet; a tie is worth `tie` to the first player and 1 - tie to the second.

    >>> from rollwise.games import load
    >>> duel = DuelGame(load("yazy"))
    >>> state = duel.read_state("66661 1 sixes vs ones lead -12")
    >>> duel.show_state(state), duel.mover(state)
    ('16666 1 sixes vs ones lead -12', 0)

    Raises `GameError` for a tie that is worth less than nothing or more than a win, or a sheet whose turns are not those of a
    `Sheet`.
    """

    notation, view, features = DuelNotation, DuelView, DuelFeatures

    def __init__(self, sheet: "Sheet", tie: Fraction | float = Fraction(1, 2)) -> None:
        if not 0 <= tie <= 1:
            raise GameError(f"a tie is worth {tie!r}: expected a number from 0 to 1")
        own = sheet.changed_rules(ASSUMED)
        if own:
            raise GameError(
                f"{type(sheet).__name__} overrides {' and '.join(f'{rule}()' for rule in own)}, which a duel takes for granted: "
                "write both players into the rules, with mover()"
            )
        if sheet.saved_rolls:
            raise GameError("a duel does not remember the rolls that both players saved: play it without saved_rolls")
        self.sheet, self.tie = sheet, Fraction(tie)

    @property
    def wrapped(self) -> "Sheet":
        return self.sheet

    @property
    def scale(self) -> int:
        """The points of a win."""
        return self.tie.denominator

    def start(self) -> DuelTurn:
        turn = self.sheet.start()
        return DuelTurn(turn, turn._replace(left=0), 0)

    def roll(self, pending: DuelTurn) -> Roll[DuelTurn]:
        if not pending.turn.open:
            return certain(pending)
        return Roll(self.sheet.roll(pending.turn)).map(lambda turn: pending._replace(turn=turn))

    def play(self, state: DuelTurn, action: Move) -> DuelTurn:
        after = self.sheet.play(state.turn, action)
        if not isinstance(action, str):
            return state._replace(turn=after)
        lead = state.lead + self.sheet.gain(state.turn, action)
        left = self.sheet.rerolls + 1 if state.other.open else 0
        return DuelTurn(state.other._replace(left=left), after._replace(left=0), -lead)

    def mover(self, state: DuelTurn) -> int:
        """Say who is to move: 0, the first player, or 1."""
        return int(self.sheet.turns_left(state.turn.open) > self.sheet.turns_left(state.other.open))

    def payoff(self, state: DuelTurn) -> int:
        worth = self.tie if state.lead == 0 else Fraction(state.lead > 0)
        return int(worth * self.scale)

    def vocabulary(self) -> Vocabulary:
        """The words of the sheet, and the lead."""
        says = "your points so far minus the other's: below 0 you are behind"
        lead = CardFeature("lead", lambda state: state.lead, -MOST_POINTS, MOST_POINTS, says)
        return self.sheet.vocabulary().seen_from(lambda state: state.turn, lead)


class RestatedDuel(DuelGame, Lifted):
    """The duel that an objective puts in the place of a sheet: what was described is the sheet."""


def _two(kind: str) -> str:
    """Name the board with two of a kind; one that nothing draws stays so."""
    return kind if kind == View.board_kind else f"duel-{kind}"


BARE = "- 0 "
"""How a sheet's notation begins when there are no dice and nothing is left."""
