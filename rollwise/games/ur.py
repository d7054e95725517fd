"""The Royal Game of Ur: two players race their pieces along a path that they share in part, and capture one another.

Rules (`finkel`). Each player has `pieces` pieces (7 in the full game), which begin beside the board, and moves them along a path
of 14 squares. Squares 1 to 4, 13 and 14 are a player's own, 5 to 12 are shared. Four dice with two marked corners each are
thrown; the number of marked corners that point up, 0 to 4, is the roll, with weights 1, 4, 6, 4, 1. One piece moves by the roll,
or a piece enters, on the square of that number. It may not land on a piece of its own side, nor on the opponent's piece on
square 8; the opponent's piece on any other shared square is captured: it goes back beside the board. Squares 4, 8 and 14 are
rosettes: a piece that lands there gives its player another roll. A piece leaves the board from square s with a roll of exactly
15 - s. Moves are compulsory; with a roll of 0, or without a legal move, the turn passes. The player whose last piece leaves the
board first wins: there are no ties. The value is the first player's chance to win.

Variants differ in path, dice and captures.

- `masters` (James Masters): the path has 16 squares. After square 11 it crosses to the opponent's side of the board and goes
  around its end, so a player's squares 12 to 16 are the opponent's 16 to 12. Rosettes are 4, 8, 12 and 16, and nobody is safe
  there. Three dice are thrown; no marked corner counts as 4: the weights of 1 to 4 are 3, 3, 1, 1. The full game has 7 pieces.
- `blitz` (RoyalUr): the path of `masters` with four dice; a capture gives another roll, too. The full game has 5 pieces.
- `aseb`: the Egyptian board, a path of 16 squares, of which 5 to 16 are shared. Rosettes are 4, 8, 12 and 16, and pieces are
  safe there. Four dice. The full game has 5 pieces.

Sources. Finkel, On the rules for the Royal Game of Ur, in: Ancient Board Games in Perspective (2007). James Masters, The Royal
Game of Ur and The Game of 20 Squares, tradgames.org.uk (2021), and royalur.net/blog/masters_2024 for the three dice. Crist,
Dunn-Vaturi, de Voogt, Ancient Egyptians at Play (2016), for Aseb. The settings of all four are those of RoyalUr-Java
(`GameSettings`). Values of endings: jheled.github.io/royalur/solve.html.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rollwise.errors import GameError, PositionError, brief
from rollwise.games.ur_board import lay_out
from rollwise.model.abilities import Heuristic, Sized
from rollwise.model.formatting import is_number
from rollwise.model.game import Game
from rollwise.model.message import Argument, Message, Text, round_chance
from rollwise.model.notation import Notation, not_a_position
from rollwise.model.objectives import AtLeast
from rollwise.model.parameter import Choice, Integer, Parameter
from rollwise.model.reading import says
from rollwise.model.reasons import Comparison, join_reasons, name_chances
from rollwise.model.view import OfferedAim, Part, Rules, View, dice_part, mover_part, number_part, points_part

__all__ = ["ENTER", "PASS", "PLAYERS", "VARIANTS", "RoyalUr", "UrPosition", "Variant"]

ENTER, PASS = "enter", "pass"
PLAYERS = ("first", "second")
UNROLLED = -1
"""The roll of a position in which nothing was rolled yet, and of one that is over."""
MOST_PIECES = 7
MOST_ROLLED = 4
FOUR_DICE = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}
THREE_DICE = {1: 3, 2: 3, 3: 1, 4: 1}
"""The rolls of three dice, of which none marked counts as 4."""


@dataclass(frozen=True)
class Variant:
    """The rules that variants differ in.

    `meets` gives, for each shared square of a player, the number that the same square has on the opponent's path. `safe`: pieces
    on rosettes cannot be captured. `capture_again`: a capture gives another roll.
    """

    squares: int
    meets: Mapping[int, int]
    rosettes: frozenset[int]
    safe: bool
    rolls: Mapping[int, int]
    capture_again: bool = False

    @property
    def dice(self) -> int:
        """How many dice are thrown."""
        return 4 if 0 in self.rolls else 3


AROUND = {**{square: square for square in range(5, 12)}, **{square: 28 - square for square in range(12, 17)}}
"""The shared squares of a path that goes around the end of the board, against the opponent's direction."""
VARIANTS = {
    "finkel": Variant(14, {square: square for square in range(5, 13)}, frozenset({4, 8, 14}), safe=True, rolls=FOUR_DICE),
    "blitz": Variant(16, AROUND, frozenset({4, 8, 12, 16}), safe=False, rolls=FOUR_DICE, capture_again=True),
    "masters": Variant(16, AROUND, frozenset({4, 8, 12, 16}), safe=False, rolls=THREE_DICE),
    "aseb": Variant(16, {square: square for square in range(5, 17)}, frozenset({4, 8, 12, 16}), safe=True, rolls=FOUR_DICE),
}

Squares = tuple[int, ...]
"""The squares of a side's pieces on its path, in rising order."""


class UrPosition(NamedTuple):
    """The squares of both sides, how many pieces of each are off, who is to move, and the roll."""

    squares: tuple[Squares, Squares]
    off: tuple[int, int]
    mover: int
    roll: int = UNROLLED


class UrNotation(Notation):
    """How positions and moves are written: each side is its squares and, after a slash, its pieces that are off."""

    game: "RoyalUr"

    def show_state(self, state: UrPosition) -> str:
        rest = "over" if self.game.is_over(state) else f"{PLAYERS[state.mover]} {state.roll}"
        return f"{self._show_sides(state)} {rest}"

    def show_pending(self, pending: UrPosition) -> str:
        return f"{self._show_sides(pending)} {PLAYERS[pending.mover]}"

    def _show_sides(self, position: UrPosition) -> str:
        return " ".join(map(_show_side, position.squares, position.off))

    def read_state(self, text: str) -> UrPosition:
        words = text.split()
        over = len(words) == 3 and words[2] == "over"
        mover = next((place for place, name in enumerate(PLAYERS) if len(words) == 4 and says(words[2], name)), None)
        if not over and (mover is None or not is_number(words[3])):
            raise not_a_position(text, Message("error.ur.position"), repr(self._example()))
        (first, off), (second, other_off) = (self._read_side(word, text) for word in words[:2])
        state = UrPosition((first, second), (off, other_off), mover or 0, UNROLLED if over else int(words[3]))
        self._check(state, text, over=over)
        # The player who has won is the one who moved last.
        return state._replace(mover=int(state.off[1] == self.game.pieces)) if over else state

    def _example(self) -> str:
        return self.show_state(UrPosition(((2,), (5,)), (0, 0), 0, 3))

    def _read_side(self, word: str, text: str) -> tuple[Squares, int]:
        on, _, off = word.partition("/")
        squares = [] if on == "-" else on.split(",")
        if not all(map(is_number, squares)) or (off and not is_number(off)) or not on:
            raise PositionError(
                f"{brief(word)} in {brief(text)}: expected squares such as 4,8 or -, and /1 for a piece that is off"
            )
        return tuple(sorted(map(int, squares))), int(off or 0)

    def _check(self, state: UrPosition, text: str, *, over: bool) -> None:
        squares, pieces = self.game.variant.squares, self.game.pieces
        if any(not 1 <= square <= squares for side in state.squares for square in side):
            raise PositionError(f"{brief(text)} has a square that is not on the path: expected 1 to {squares}")
        if any(len(side) + off > pieces for side, off in zip(state.squares, state.off, strict=True)):
            raise PositionError(f"{brief(text)} has more pieces than the game: a side has {pieces}")
        met = [self.game.variant.meets.get(square) for square in state.squares[0]]
        if any(len({*side}) < len(side) for side in state.squares) or {*met} & {*state.squares[1]}:
            raise PositionError(f"{brief(text)} has two pieces on one square")
        if min(state.off) == pieces or (over and not self.game.is_over(state)):
            raise PositionError(f"{brief(text)} is not over: expected one side with all pieces off")
        if self.game.is_over(state) and not over:
            raise PositionError(f"{brief(text)} is won: write 'over' in place of the player and the roll")
        if not over and state.roll not in self.game.variant.rolls:
            raise PositionError(f"the roll {state.roll} in {brief(text)}: expected {_list_rolls(self.game.variant)}")

    def columns(self, state: UrPosition) -> Mapping[str, str]:
        first, second = map(_show_side, state.squares, state.off)
        over = self.game.is_over(state)
        rest = ("-", "-") if over else (PLAYERS[state.mover], str(state.roll))
        return {"first": first, "second": second, "mover": rest[0], "roll": rest[1]}

    def packed_by(self) -> str:
        return f"ur {self.game.variant_name} {self.game.pieces}"


class UrView(View):
    """The board and the words of the game."""

    game: "RoyalUr"
    look = "squares"
    compares = "nothing"
    action_word = "move"
    own_aim = OfferedAim.known("own", "", key="own-race")
    other_aims = ()

    @property
    def title(self) -> str:
        return "Royal Game of Ur"

    def board(self) -> Mapping[str, Any]:
        return {**super().board(), "layout": lay_out(self.game.variant_name, self.game.variant.rosettes)}

    def parts(self, state: UrPosition) -> Sequence[Part]:
        sides = [self._side_part(state, player) for player in range(len(PLAYERS))]
        if self.game.is_over(state):
            return sides
        return [*sides, mover_part("mover", state.mover, label="to move"), *self._roll_parts(state.roll)]

    def _side_part(self, state: UrPosition, player: int) -> Part:
        """Say where a side's pieces are; those that have not entered have the longest way."""
        counts = [0] * self.game.variant.squares + [self.game.waiting(state, player)]
        for square in state.squares[player]:
            counts[self.game.variant.squares - square] += 1
        name, said = PLAYERS[player], self._describe_side(state, player)
        return points_part(name, player, counts, state.off[player], said, label=f"{name} player")

    def _roll_parts(self, roll: int) -> list[Part]:
        """Say what was rolled, and how the dice may lie."""
        if roll == UNROLLED:
            return []
        dice, marked = self.game.variant.dice, roll if roll <= self.game.variant.dice else 0
        faces = [int(die < marked) for die in range(dice)]
        return [
            number_part("roll", roll, 0, MOST_ROLLED, label="roll", kind="counter"),
            dice_part("dice", faces, 2, label="dice"),
        ]

    def before_roll(self, pending: UrPosition) -> Mapping[str, Any]:
        return {"kind": View.board_kind, "parts": list(self.parts(pending))}

    def _describe_side(self, state: UrPosition, player: int) -> Message:
        """Say where a side's pieces are."""
        squares, off = list(state.squares[player]), state.off[player]
        waiting = self.game.waiting(state, player)
        about: dict[str, Argument] = {"squares": squares, "n": waiting, "off": off}
        return Message("ur.side" if squares else "ur.side-none", about)

    def describe(self, state: UrPosition) -> Text:
        sides = {name: self._describe_side(state, player) for player, name in enumerate(PLAYERS)}
        if self.game.is_over(state):
            return Message("ur.over", sides)
        return Message(f"ur.{PLAYERS[state.mover]}-rolled", {**sides, "roll": state.roll})

    def name_rolls(self, pending: UrPosition, states: Sequence[UrPosition]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return [(str(state.roll) if state.roll != UNROLLED else Message("ur.no-roll"), ()) for state in states]

    def decision(self, state: UrPosition) -> Text:
        return Message("ur.which")

    def name_move(self, state: UrPosition, action: str, *, beside: str | None = None) -> Text:
        if action in (ENTER, PASS):
            return Message(f"ur.{action}", {"roll": state.roll})
        square = int(action.removeprefix("move "))
        if self.game.leaves(state, action):
            return Message("ur.leave", {"square": square})
        return Message("ur.move", {"square": square, "to": square + state.roll})

    def because(self, move: Comparison) -> Text | None:
        best = move.action if move.rival is None else move.ordered[0]
        if best == PASS:
            return Message("ur.none" if move.state.roll else "ur.nothing-rolled")
        after = self.game.play(move.state, best)
        if self.game.is_over(after):
            return Message("ur.wins")
        if not move.has_better:
            return self._effect(move.state, best) if move.rival is None else None
        return join_reasons(self._compare(move), name_chances(move))

    def _compare(self, move: Comparison) -> Message | None:
        """Say what speaks for the better of two moves."""
        better, worse = move.ordered
        mine, other = (self._effect(move.state, action) for action in (better, worse))
        if mine is not None and (other is None or mine.key != other.key):
            return mine
        risks = [self._risk(move.state, action) for action in (better, worse)]
        if risks[0] < risks[1]:
            return Message("ur.safer", {"chance": risks[0], "chance2": risks[1]})
        threats = [self._threat(move.state, action) for action in (better, worse)]
        if threats[0] > threats[1]:
            return Message("ur.threat", {"chance": threats[0], "chance2": threats[1]})
        return None

    def _effect(self, state: UrPosition, action: str) -> Message | None:
        """Say what a move does at once: it captures, gives another roll, or takes a piece off."""
        to, taken = self.game.target(state, action), self.game.captured(state, action)
        again = self.game.play(state, action).mover == state.mover
        if taken:
            return Message("ur.captures-again" if again else "ur.captures", {"square": to})
        if again:
            return Message("ur.again", {"square": to})
        return Message("ur.leaves") if self.game.leaves(state, action) else None

    def _risk(self, state: UrPosition, action: str) -> float:
        """How likely the opponent's next roll can capture a piece, if it is the opponent's turn."""
        after = self.game.play(state, action)
        return self._can_capture(after) if after.mover != state.mover else 0.0

    def _threat(self, state: UrPosition, action: str) -> float:
        """How likely the own next roll could capture a piece, if nothing changed meanwhile."""
        return self._can_capture(self.game.play(state, action)._replace(mover=state.mover))

    def _can_capture(self, pending: UrPosition) -> float:
        roll = self.game.roll(pending)
        able = [
            weight
            for state, weight in roll.items()
            if any(self.game.captured(state, action) for action in self.game.actions(state) if action != PASS)
        ]
        return round_chance(sum(able) / sum(roll.values()))

    def rules(self) -> Rules:
        game, variant = self.game, self.game.variant
        shared = sorted(variant.meets)
        path: dict[str, Argument] = {"n": game.pieces, "squares": variant.squares, "low": shared[0], "high": shared[-1]}
        rosettes: dict[str, Argument] = {"rosettes": sorted(variant.rosettes)}
        if variant.safe:
            rosettes["safe"] = [square for square in sorted(variant.rosettes) if square in variant.meets]
        return Rules((
            Message("rules.ur.path", path),
            *([Message("rules.ur.around")] if variant.meets is AROUND else []),
            Message("rules.ur.four-dice" if 0 in variant.rolls else "rules.ur.three-dice"),
            Message("rules.ur.capture-again" if variant.capture_again else "rules.ur.capture"),
            Message("rules.ur.rosettes-safe" if variant.safe else "rules.ur.rosettes", rosettes),
            Message("rules.ur.off", {"leave": variant.squares + 1}), Message("rules.ur.win"),
        ))  # fmt: skip


class RoyalUr(Game[UrPosition, UrPosition, str], Heuristic, Sized):
    """Race pieces along a path that is shared in part, and capture.

    >>> import rollwise
    >>> solution = rollwise.solve(RoyalUr(pieces=1))
    >>> round(solution.value(), 12), solution.best(solution.game.read_state("7 8 first 2"))
    (0.530049839525, 'move 7')

    Raises `GameError` for fewer than 1 or more than 7 pieces, or a variant that is none.
    """

    notation = UrNotation
    view = UrView
    objective = AtLeast(1)

    parameters = (
        Parameter.known("pieces", Integer(1, MOST_PIECES), "3"),
        Parameter.known("variant", Choice(*VARIANTS), "finkel"),
    )
    extra_rules = ("target", "captured", "leaves", "is_over", "waiting")

    def __init__(self, pieces: int = 3, variant: str = "finkel") -> None:
        if not 1 <= pieces <= MOST_PIECES:
            raise GameError(f"{pieces} pieces were given: expected 1 to {MOST_PIECES}")
        if variant not in VARIANTS:
            raise GameError(f"the variant {brief(variant)} was given: expected {', '.join(VARIANTS)}")
        self.pieces, self.variant_name = pieces, variant
        self.variant = VARIANTS[variant]

    def start(self) -> UrPosition:
        return UrPosition(((), ()), (0, 0), 0)

    def roll(self, pending: UrPosition) -> Mapping[UrPosition, int]:
        if self.is_over(pending):
            return {pending: 1}
        return {pending._replace(roll=roll): weight for roll, weight in self.variant.rolls.items()}

    def actions(self, state: UrPosition) -> Sequence[str]:
        if self.is_over(state):
            return ()
        moves = [f"move {square}" for square in reversed(state.squares[state.mover])]
        moves += [ENTER] if self.waiting(state, state.mover) else []
        return [move for move in moves if self._is_legal(state, move)] or [PASS]

    def play(self, state: UrPosition, action: str) -> UrPosition:
        mover, other = state.mover, 1 - state.mover
        if action == PASS:
            return UrPosition(state.squares, state.off, other)
        squares, off = list(state.squares), list(state.off)
        begin, to, taken = self._begin(action), self.target(state, action), self.captured(state, action)
        if begin:
            squares[mover] = tuple(square for square in squares[mover] if square != begin)
        if taken:
            squares[other] = tuple(square for square in squares[other] if square != taken)
        if self.leaves(state, action):
            off[mover] += 1
        else:
            squares[mover] = tuple(sorted((*squares[mover], to)))
        after = UrPosition((squares[0], squares[1]), (off[0], off[1]), mover)
        again = to in self.variant.rosettes or (taken and self.variant.capture_again)
        return after if again or self.is_over(after) else after._replace(mover=other)

    def payoff(self, state: UrPosition) -> int:
        return int(state.off[0] == self.pieces)

    def mover(self, state: UrPosition) -> int:
        return state.mover

    def is_over(self, position: UrPosition) -> bool:
        """Say whether a side has all its pieces off."""
        return self.pieces in position.off

    def waiting(self, position: UrPosition, player: int) -> int:
        """Count a side's pieces that have not entered."""
        return self.pieces - position.off[player] - len(position.squares[player])

    def _begin(self, action: str) -> int:
        """The square that a move begins on; 0: beside the board."""
        return 0 if action == ENTER else int(action.removeprefix("move "))

    def target(self, state: UrPosition, action: str) -> int:
        """Give the square that a move leads to; one beyond the path: off the board."""
        return self._begin(action) + state.roll

    def leaves(self, state: UrPosition, action: str) -> bool:
        """Say whether a move takes a piece off the board."""
        return self.target(state, action) == self.variant.squares + 1

    def captured(self, state: UrPosition, action: str) -> int:
        """Give the opponent's square, on the opponent's path, of a piece that a move captures; 0: it captures none."""
        met = self.variant.meets.get(self.target(state, action), 0)
        return met if met in state.squares[1 - state.mover] else 0

    def _is_legal(self, state: UrPosition, action: str) -> bool:
        to = self.target(state, action)
        if state.roll == 0 or to > self.variant.squares + 1 or to in state.squares[state.mover]:
            return False
        return not (self.variant.safe and to in self.variant.rosettes and self.captured(state, action))

    def heuristic(self, state: UrPosition, action: str) -> float:
        """Captures first, by how far the piece had come; then another roll; then the piece that is furthest."""
        if action == PASS:
            return 0.0
        again = self.target(state, action) in self.variant.rosettes
        return 100.0 * self.captured(state, action) + 50.0 * again + self._begin(action)

    def dimensions(self) -> Mapping[str, int]:
        return {"pieces": self.pieces}


def _show_side(squares: Squares, off: int) -> str:
    shown = ",".join(map(str, squares)) or "-"
    return f"{shown}/{off}" if off else shown


def _list_rolls(variant: Variant) -> str:
    return f"{min(variant.rolls)} to {max(variant.rolls)}"
