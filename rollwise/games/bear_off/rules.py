"""Bear-off: the end of backgammon, all checkers home.

Rules. A side has up to 15 checkers on the six points of its home board. On a turn two dice are thrown; each moves a checker down
by its number, and a double is played four times. Both dice must be played, in either order. A checker on the point of a die may
be borne off; a die larger than all points with checkers bears off one from the highest of them; otherwise a die must be moved
inside. Nobody has to bear off as long as another move with that die is legal. At home nothing stands in the way, so every die
can be played while there is a checker: the rule of the higher die, where only one can be, never applies. A player is done
with the last checker off; dice that are left then count for nothing.

With `players=1` the value is the fewest expected rolls to bear everything off; the other side does not matter. With `players=2`
both sides bear off, the first player rolls first, and the player who is done first wins: no ties. The value is the first player's
chance to win: no doubling cube, no gammons.

Sources. Rules: bkgm.com/rules.html (Bearing Off). Values: GNU Backgammon's `makebearoff` has all 54,264 positions of one side, in
probabilities of 16 bits, and two-sided tables; 15 checkers on the ace point take 6.97959 rolls.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from math import gcd
from typing import Any

import numpy as np

from rollwise.errors import GameError, PositionError, brief
from rollwise.games.bear_off.homes import POINTS, ROLLS, Counts, Homes, pips, plays_below, tails
from rollwise.games.bear_off.vocabulary import checker_vocabulary
from rollwise.games.columns import ColumnGame, Mover, Relation, chance, choice
from rollwise.games.columns.column import PLAYERS, Column
from rollwise.games.columns.game import ColumnNotation, ColumnView
from rollwise.games.race import Race, RaceView
from rollwise.games.score_vocabulary import mine, theirs
from rollwise.model.abilities import Heuristic
from rollwise.model.card import Vocabulary
from rollwise.model.formatting import counted
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.objectives import Fewest
from rollwise.model.packing import fold, unfold
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.parameter import Text as TextKind
from rollwise.model.reasons import Comparison, join_reasons, name_chances, name_costs
from rollwise.model.view import Part, Rules, dice_part, mover_part, number_part, points_part
from rollwise.model.weights import WEIGHTS, ThrowsDice, weights_for

__all__ = ["BearOff", "BearOffRace", "bear_off"]

MOST = 15
FACES = 6
MOST_IN_RACE = 6
"""So many checkers a side a race begins with unless it says where: all pairs of boards are solved in a second."""
NEAR = 0.1
"""From this chance on that the next roll is the last, that is the first reason for a play."""
BOARD = re.compile(r"[0-9]{1,2}(/[0-9]{1,2}){0,5}")


def read_board(text: str) -> Counts:
    """Read a home board: the checkers on each point from the ace on; points left out are empty.

    >>> read_board("2/1/0/0/0/3"), read_board("15")
    ((2, 1, 0, 0, 0, 3), (15, 0, 0, 0, 0, 0))
    """
    if not BOARD.fullmatch(text.strip()):
        raise GameError(
            f"{brief(text)} is not a home board: expected the checkers on points 1 to 6 from the ace on, such as 2/1/0/0/0/3"
        )
    given = [int(number) for number in text.strip().split("/")]
    return tuple(given + [0] * (POINTS - len(given)))


def spread(checkers: int) -> Counts:
    """Put as many checkers on every point, and what is left over on the highest: where a side usually begins to bear off.

    >>> spread(15), spread(2)
    ((2, 2, 2, 3, 3, 3), (0, 0, 0, 0, 1, 1))
    """
    each, over = divmod(checkers, POINTS)
    return tuple(each + (place >= POINTS - over) for place in range(POINTS))


def show_board(counts: Sequence[int]) -> str:
    """Write a home board."""
    return "/".join(map(str, counts))


class Home(Column):
    """A home board, by its number."""

    def __init__(self, homes: Homes) -> None:
        self.homes, self.size = homes, len(homes)

    def show(self, value: int) -> str:
        return show_board(self.homes.counts(value))

    def read(self, text: str) -> int:
        try:
            counts = read_board(text)
        except GameError:
            raise PositionError(f"{brief(text)}: expected {self.example}") from None
        number = self.homes.number(counts)
        if number is None:
            raise PositionError(f"{text}, which the start cannot lead to: begin there, -p start={text}")
        return number

    @property
    def example(self) -> str:
        return "the checkers on points 1 to 6 from the ace on, such as 2/1/0/0/0/3"


class Thrown(Column):
    """What was thrown, two dice, by their number among the 21 throws; 0: nothing."""

    size = len(ROLLS) + 1
    example = "two dice such as 6-1, or -"

    def show(self, value: int) -> str:
        return "{}-{}".format(*ROLLS[value - 1]) if value else "-"

    def read(self, text: str) -> int:
        if text == "-":
            return 0
        dice = tuple(sorted((int(face) for face in re.findall("[1-6]", text)), reverse=True))
        if not re.fullmatch("[1-6]-?[1-6]", text) or dice not in ROLLS:
            raise PositionError(f"{brief(text)}: expected {self.example}")
        return ROLLS.index(dice) + 1

    def dice(self, value: int) -> Sequence[int]:
        return ROLLS[value - 1] if value else ()

    def part(self, name: str, value: int, label: Text = "") -> Part:
        return dice_part(name, self.dice(value), 6, label=label)

    def rolled(self, before: int, value: int) -> Sequence[int]:
        return self.dice(value)


def throws_of_two(weights: Sequence[int]) -> Relation:
    """List the throws of two dice that come: with fair ones a double has one way, others have two."""
    ways = [weights[high - 1] * weights[low - 1] * (1 if high == low else 2) for high, low in ROLLS]
    rolls = [(roll, weight) for roll, weight in enumerate(ways, 1) if weight]
    divisor = gcd(*(weight for _, weight in rolls))
    return Relation({"roll": [roll for roll, _ in rolls]}, weight=[weight // divisor for _, weight in rolls])


class CheckersNotation(ColumnNotation):
    """How positions and moves are written."""

    game: "_Checkers"

    def split(self, text: str) -> list[str]:
        """Split a position; dice alone are those of the first roll."""
        words = text.split()
        others = [word for word in words if "/" in word or word.isalpha()]
        if not others and self.game.players == 1:
            others = [show_board(self.game.homes.counts(self.game.start().home))]
        dice = "".join(word for word in words if word not in others)
        return [*others, *([dice] if dice else [])]

    def _frozen(self, home: int) -> int:
        """The number of a board among all boards of 15 checkers, whatever the start is."""
        return _all_homes().number(self.game.homes.counts(home)) or 0

    def _thawed(self, number: int) -> int:
        home = self.game.homes.number(_all_homes().counts(number)) if number < len(_all_homes()) else None
        if home is None:
            raise PositionError(f"board number {number:,} is none that the start can lead to")
        return home

    def packed_by(self) -> str:
        return f"bear-off {self.game.players}"


class CheckersView(ColumnView):
    """The board and the words of the game."""

    game: "_Checkers"
    look = "points"
    compares = "nothing"
    action_word = "play"

    def name_move(self, state: Any, action: Any, *, beside: Any = None) -> Text:
        play = _named(action)
        return Message("bear-off.move", {"play": play}) if beside is None else play

    def _better(self, move: Comparison, own: str) -> Message | None:
        """Say what speaks for the better of two plays: an earlier end, fewer checkers, fewer wasted pips, or a better board."""
        roll, before = move.state.roll, self.game.homes.counts(getattr(move.state, own))
        both = (move.action, move.rival)
        mine, other = (self._side(before, getattr(self.game.play(move.state, one), own), roll) for one in both)
        near = max(mine["ends"], other["ends"]) >= NEAR
        kinds = {**({"ends": 1} if near else {}), "left": -1, "wasted": -1, "ends": 1, "soon": 1, "points": 1}
        kind = next((kind for kind, sign in kinds.items() if sign * (mine[kind] - other[kind]) * float(move.gain) > 0), None)
        if kind is None:
            return None
        values, race = {"n": mine[kind], "other": other[kind]}, self.game.players == 2
        return Message("bear-off.ends-race" if kind == "ends" and race else f"bear-off.{kind}", values)

    def _side(self, before: Counts, home: int, roll: int) -> dict[str, float]:
        """What a play leaves: checkers, points with checkers; what it wastes, and what the next roll may do."""
        now, (high, low) = self.game.homes.counts(home), ROLLS[roll - 1]
        wasted = (4 * high if high == low else high + low) - pips(before) + pips(now)
        soon, ends = self._next_roll(home)
        return {
            "ends": round_chance(ends),
            "left": sum(now),
            "wasted": wasted,
            "soon": round(soon, 2),
            "points": sum(map(bool, now)),
        }

    def _next_roll(self, home: int) -> tuple[float, float]:
        """How many checkers the next roll can bear off on average, and the chance that it is the last."""
        if not home:
            return 0.0, 1.0
        rolls, plays, left = self.game.throws(), self.game.plays(), self.game.homes.tails[:, 0]
        weight, after = rolls.weight, plays.after
        begin, count = plays.counts(rolls.roll * len(self.game.homes) + home)
        most = [left[home] - left[after[low : low + size]].min() for low, size in zip(begin, count, strict=True)]
        return float(weight @ most / weight.sum()), float(weight[np.equal(most, left[home])].sum() / weight.sum())

    def _paragraphs(self) -> tuple[Message, ...]:
        return Message("rules.bear-off.throw"), Message("rules.bear-off.off")


class _Checkers(ColumnGame, Heuristic, ThrowsDice):
    """What one side and two sides share: the boards by number, what a roll makes of them, and the words."""

    notation = CheckersNotation
    view = CheckersView

    parameters = (
        Parameter.known("checkers", Integer(1, MOST), "15"),
        Parameter.known("start", TextKind(read_board), usual="spread"),
        Parameter.known("players", Integer(1, 2), "1", key="bear-off-players"),
        Parameter.known("other", TextKind(read_board), usual="as-first"),
        WEIGHTS,
    )  # fmt: skip
    gains = False
    labels: Mapping[str, str] = {"roll": "dice"}

    def begin_with(self, checkers: int, boards: Sequence[Counts | None]) -> tuple[Homes, list[int]]:
        """Number the boards that can come up, and give the numbers of those that a game begins with."""
        if not 1 <= checkers <= MOST:
            raise GameError(f"{counted(checkers, 'checker')}: expected 1 to {MOST}")
        usual = spread(min(checkers, MOST_IN_RACE) if len(boards) == 2 else checkers)
        given = [usual if board is None else tuple(board) for board in boards]
        for board in given:
            if len(board) != POINTS or min(board) < 0 or not 1 <= sum(board) <= checkers:
                raise GameError(
                    f"{show_board(board)} has {counted(sum(board), 'checker')}: expected 1 to {checkers} on six points "
                    "(checkers= says how many a side has)"
                )
        self.checkers = checkers
        self.homes = Homes(tuple(max(parts) for parts in zip(*map(tails, given), strict=True)))
        return self.homes, [self.homes.number(board) or 0 for board in given]

    def looks(self, home: int) -> float:
        """As many checkers off as possible, then as many points covered."""
        counts = self.homes.counts(home)
        return float(sum(count > 0 for count in counts) - 2 * POINTS * sum(counts))

    def throws(self) -> Relation:
        """The throws of two dice."""
        return throws_of_two(self.weights)

    def plays(self) -> Relation:
        """What each roll makes of each board."""
        return plays_below(self.homes.most)


class BearOffNotation(CheckersNotation):
    """How positions and moves are written."""

    game: "BearOff"

    def pack_state(self, state: Any) -> int:
        """Board, as GNU Backgammon numbers it, and roll; frozen."""
        return fold(self._frozen(state.home), (state.roll, Thrown.size))

    def unpack_state(self, number: int) -> Any:
        home, roll = unfold(number, Thrown.size)
        return self.game.at(home=self._thawed(home), roll=roll)


class BearOffView(CheckersView):
    """The board and the words of the game."""

    game: "BearOff"
    own_aim, other_aims = Fewest.aims[0], ()

    def because(self, move: Comparison) -> Text | None:
        if move.has_better:
            return join_reasons(self._better(move, "home"), name_costs(move, "rolls"))
        after = self.game.play(move.state, move.action).home
        ends = round_chance(self._next_roll(after)[1]) if after and move.rival is None else 0
        if ends == 1:
            return Message("bear-off.ends-sure")
        return Message("bear-off.ends-alone", {"chance": ends}) if ends else None

    def parts(self, state: Any) -> Sequence[Part]:
        counts = self.game.homes.counts(state.home)
        off = number_part("off", self.game.checkers - sum(counts), 0, self.game.checkers, label="borne off")
        left = number_part("pips", pips(counts), 0, pips(self.game.homes.counts(self.game.start().home)), label="pips to go")
        home = points_part("home", 0, counts, self.game.checkers - sum(counts), _listed(counts), label="checkers")
        return [home, off, left, *_dice_parts(state.roll)]

    def rules(self) -> Rules:
        start = show_board(self.game.homes.counts(self.game.start().home))
        begin = Message("rules.bear-off.begin", {"board": start})
        return Rules((begin, *self._paragraphs(), Message("rules.bear-off.fewest")))


class BearOff(_Checkers):
    """Bear off all checkers in the fewest rolls.

    >>> import rollwise
    >>> solution = rollwise.solve(BearOff(checkers=3, start=(0, 1, 0, 0, 1, 1)))
    >>> round(solution.value(), 6), solution.best(solution.game.read_state("0/1/0/0/1/1 2-1"))
    (2.329078, 'move 5/4 2/off')

    Raises `GameError` for more checkers than a side has.
    """

    notation = BearOffNotation
    view = BearOffView
    objective = Fewest()

    def __init__(self, checkers: int = MOST, start: Counts | None = None, weights: Sequence[int] | None = None) -> None:
        self.weights = weights_for(FACES, weights)
        homes, (begin,) = self.begin_with(checkers, [start])
        self.begin = {"home": begin}
        self.declare(home=Home(homes), roll=Thrown())

    @chance(_Checkers.throws, unless=lambda p: p.home == 0)
    def thrown(self, p: Any, dice: Any) -> Any:
        """Throw two dice."""
        return p.but(roll=dice.roll)

    @choice("move", _Checkers.plays, on=lambda self, s: s.roll * len(self.homes) + s.home)
    def moved(self, s: Any, play: Any) -> Any:
        """Play them."""
        return s.but(home=play.after, roll=0)

    def heuristic(self, state: Any, action: Any) -> float:
        return self.looks(self.play(state, action).home)

    def price(self, p: Any) -> Any:
        return p.home > 0

    def vocabulary(self) -> Vocabulary:
        return checker_vocabulary(self, lambda s: s.home, lambda p: p.home)


@cache
def _all_homes() -> Homes:
    return Homes((MOST,) * POINTS)


def _named(action: str) -> Text:
    """Name a move in backgammon's notation, in which only "off" has a translation."""
    moves: list[Text] = []
    for text in action.removeprefix("move ").split():
        point, off, times = text.partition("/off")
        moves.append(Message("bear-off.off", {"point": point, "times": times}) if off else text)
    return reduce(lambda first, after: Message("bear-off.then", {"first": first, "next": after}), moves)


def _listed(counts: Counts) -> Message:
    """List the checkers on each point, from the highest on."""
    points = reversed(list(enumerate(counts, 1)))
    listed = [Message("bear-off.on", {"number": count, "point": point}) for point, count in points if count]
    return Message("bear-off.listed", {"points": listed}) if listed else Message("bear-off.all-off")


def _side_part(player: int, counts: Counts, checkers: int) -> Part:
    """Describe one of two sides: in words its checkers, those that are off, the pips to go."""
    off = checkers - sum(counts)
    about = {"listed": _listed(counts), "pips": Message("bear-off.pips", {"n": pips(counts)})}
    side = Message("bear-off.side-off", {**about, "off": off}) if any(counts) and off else Message("bear-off.side", about)
    return points_part(PLAYERS[player], player, counts, off, side, label=f"{PLAYERS[player]} player")


def _dice_parts(roll: int) -> list[Part]:
    return [dice_part("roll", ROLLS[roll - 1], 6, label="dice")] if roll else []


class BearOffRaceNotation(CheckersNotation):
    """How positions and moves are written."""

    game: "BearOffRace"

    def pack_state(self, state: Any) -> int:
        """Both boards, as GNU Backgammon numbers them, the mover and the roll; frozen."""
        second = self._frozen(state.second)
        return fold(self._frozen(state.first), (second, len(_all_homes())), (state.mover, 2), (state.roll, Thrown.size))

    def unpack_state(self, number: int) -> Any:
        first, second, mover, roll = unfold(number, len(_all_homes()), 2, Thrown.size)
        return self.game.at(first=self._thawed(first), second=self._thawed(second), mover=mover, roll=roll)


class BearOffRaceView(CheckersView, RaceView):
    """The board and the words of the game."""

    game: "BearOffRace"

    def because(self, move: Comparison) -> Text | None:
        own, other = ("second", "first") if move.state.mover else ("first", "second")
        best = move.action if move.rival is None else move.ordered[0]
        after = self.game.play(move.state, best)
        if not getattr(after, own):
            return Message("bear-off.wins", {"play": _named(best)})
        rival = round_chance(self._next_roll(getattr(after, other))[1])
        told = self._better(move, own) if move.has_better else None
        stands = Message("bear-off.rival", {"chance": rival}) if rival >= NEAR else None
        return join_reasons(told, stands, name_chances(move) if move.has_better else None)

    def parts(self, state: Any) -> Sequence[Part]:
        over = not state.first or not state.second
        return [
            _side_part(0, self.game.homes.counts(state.first), self.game.checkers),
            _side_part(1, self.game.homes.counts(state.second), self.game.checkers),
            *([] if over else [mover_part("mover", state.mover, label="to move")]),
            *_dice_parts(state.roll),
        ]

    def rules(self) -> Rules:
        start = self.game.start()
        first, second = (show_board(self.game.homes.counts(home)) for home in (start.first, start.second))
        begin = Message("rules.bear-off.two", {"first": first, "second": second})
        return Rules((begin, *self._paragraphs(), Message("rules.bear-off.win")))


class BearOffRace(_Checkers, Race):
    """Two players bear off; the player who is done first wins.

    >>> import rollwise
    >>> solution = rollwise.solve(BearOffRace(checkers=2, start=(0, 0, 0, 0, 1, 1), other=(2, 0, 0, 0, 0, 0)))
    >>> round(solution.value(), 6)
    0.166667

    Raises `GameError` for more checkers than a side has.
    """

    notation = BearOffRaceNotation
    view = BearOffRaceView

    labels: Mapping[str, str] = {"first": "first player", "second": "second player", "roll": "dice"}

    def __init__(
        self, checkers: int = MOST, start: Counts | None = None, other: Counts | None = None,
        weights: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        self.weights = weights_for(FACES, weights)
        homes, (first, second) = self.begin_with(checkers, [start, start if other is None else other])
        self.begin, self.positions = {"first": first, "second": second}, len(homes)
        self.declare(first=Home(homes), second=Home(homes), mover=Mover(), roll=Thrown())

    def heuristic(self, state: Any, action: Any) -> float:
        return self.looks(theirs(self.play(state, action)))

    def vocabulary(self) -> Vocabulary:
        return checker_vocabulary(self, mine, theirs, theirs)


def bear_off(
    checkers: int = MOST,
    start: Counts | None = None,
    players: int = 1,
    other: Counts | None = None,
    weights: Sequence[int] | None = None,
) -> BearOff | BearOffRace:
    """Make the game for one player, or the race of two."""
    if players == 2:
        return BearOffRace(checkers, start, other, weights)
    if players != 1:
        raise GameError(f"players {players}: expected 1, who wants few rolls, or 2, who race")
    if other is not None:
        raise GameError(f"other={show_board(other)} is where a second player begins: add players=2")
    return BearOff(checkers, start, weights)
