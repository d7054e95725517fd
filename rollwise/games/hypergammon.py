"""Hypergammon: backgammon with three checkers a side, or fewer.

Rules. Each side has `checkers` checkers, which begin on its highest points: 24, 23 and 22; with fewer, on the highest of these. A
side's points count down to its home board, points 6 to 1; its point p is the opponent's point 25 - p. On a turn two dice are
thrown, and each moves a checker down by its number, in either order; a double is played four times. A checker may land on any
point but one with two or more opposing checkers. A single opposing checker there is hit and goes to the bar (point 25), from
where it must enter, with a die d on point 25 - d, before its side may move another. Once all checkers of a side are home they may
be borne off: a die bears off a checker from the point of its number, or from the highest point with checkers if that is lower.
As many dice must be played as can be; if only one of two can, and either could, the higher. With no legal move the turn passes.

The side that bears off its last checker first wins a point; two (a gammon) if the opponent has borne off none; three (a
backgammon) if, besides, an opposing checker is on the bar or in the winner's home board. There is no doubling cube. The value is
what the first player wins on average, the cubeless equity. The first player has won the opening roll: two dice that differ, one
of each side, so the first roll is no double.

With one checker a side every win is at least a gammon. The default is 2 checkers, which are solved in seconds.

Sources. Rules: bkgm.com/rules.html and bkgm.com/variants/HyperBackgammon.html. Values: Tom Keith, Hyper Fun 06 (2018),
bkgm.com/articles/Keith/Hyper06: the winner of the opening roll wins 52.118 % of games and 0.0836795444708631 points; 7,959,904
positions. First solved by Hugh Sconyers in 1991. GNU Backgammon's `makehyper` solves up to three checkers.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.abilities import Heuristic, Sized
from rollwise.model.formatting import is_number
from rollwise.model.game import Game
from rollwise.model.message import Argument, Message, Text, round_chance
from rollwise.model.notation import Notation, not_a_position
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.reading import says
from rollwise.model.reasons import Comparison, join_reasons
from rollwise.model.view import OfferedAim, Part, Rules, View, dice_part, mover_part, points_part

__all__ = ["BAR", "HOME", "PASS", "PLAYERS", "HyperPosition", "Hypergammon", "plays_of"]

PASS = "pass"
PLAYERS = ("first", "second")
BAR, HOME = 25, 6
MOST_CHECKERS = 3

Points = tuple[int, ...]
"""The points of a side's checkers that are not off, from the highest on; 25 is the bar."""
Sides = tuple[Points, Points]
"""The points of the side to move, and of the other side, each as that side counts them."""


class HyperPosition(NamedTuple):
    """The checkers of both sides, who is to move, the dice from the higher on, and whether the opening roll is still to come."""

    points: Sides
    mover: int
    dice: tuple[int, ...] = ()
    opening: bool = False


class Step(NamedTuple):
    """A move of one checker."""

    begin: int
    to: int
    hits: bool


class HypergammonNotation(Notation):
    """How positions and moves are written: each side is the points of its checkers."""

    game: "Hypergammon"

    def show_state(self, state: HyperPosition) -> str:
        over = self.game.is_over(state)
        rest = "over" if over else f"{PLAYERS[state.mover]} {'-'.join(map(str, state.dice))}"
        return f"{self._show_sides(state)} {rest}"

    def show_pending(self, pending: HyperPosition) -> str:
        return f"{self._show_sides(pending)} {PLAYERS[pending.mover]}{' opens' if pending.opening else ''}"

    def _show_sides(self, position: HyperPosition) -> str:
        return " ".join(map(_show_side, position.points))

    def read_state(self, text: str) -> HyperPosition:
        words = text.split()
        over = len(words) == 3 and words[2] == "over"
        mover = next((place for place, name in enumerate(PLAYERS) if len(words) == 4 and says(words[2], name)), None)
        if not over and mover is None:
            example = self.show_state(HyperPosition(self.game.start().points, 0, (6, 5)))
            raise not_a_position(text, Message("error.hypergammon.position"), repr(example))
        first, second = (self._read_side(word, text) for word in words[:2])
        state = HyperPosition((first, second), mover or 0, () if over else _read_dice(words[3], text))
        self._check(state, text, over=over)
        # The player who has won is the one who moved last.
        return state._replace(mover=int(bool(first))) if over else state

    def _read_side(self, word: str, text: str) -> Points:
        points = [] if word == "-" else [str(BAR) if says(point, "bar") else point for point in word.split(",")]
        if not all(map(is_number, points)) or any(not 1 <= int(point) <= BAR for point in points):
            raise PositionError(
                f"{brief(word)} in {brief(text)}: expected points from 1 to 24 such as 24,6,6, bar, or - for none"
            )
        if len(points) > self.game.checkers:
            raise PositionError(f"{brief(word)} in {brief(text)} has too many checkers: a side has {self.game.checkers}")
        return _sorted(map(int, points))

    def _check(self, state: HyperPosition, text: str, *, over: bool) -> None:
        first, second = state.points
        if any(BAR - point in second for point in first if point != BAR):
            raise PositionError(f"{brief(text)} has checkers of both sides on one point")
        if not (first or second) or (over and first and second):
            raise PositionError(f"{brief(text)} is not over: expected one side with no checkers left")
        if self.game.is_over(state) and not over:
            raise PositionError(f"{brief(text)} is won: write 'over' in place of the player and the dice")

    def columns(self, state: HyperPosition) -> Mapping[str, str]:
        first, second = map(_show_side, state.points)
        over = self.game.is_over(state)
        rest = ("-", "-") if over else (PLAYERS[state.mover], "-".join(map(str, state.dice)))
        return {"first": first, "second": second, "mover": rest[0], "dice": rest[1]}

    def packed_by(self) -> str:
        return f"hypergammon {self.game.checkers}"


class HypergammonView(View):
    """The board and the words of the game."""

    game: "Hypergammon"
    look = "backgammon"
    compares = "nothing"
    action_word = "play"
    own_aim = OfferedAim.known("own", "", key="own-equity")
    other_aims = ()

    def show_dice(self, state: HyperPosition) -> Sequence[int]:
        return state.dice * 2 if len({*state.dice}) == 1 else state.dice

    def parts(self, state: HyperPosition) -> Sequence[Part]:
        sides = [self._side_part(state, player) for player in range(len(PLAYERS))]
        if self.game.is_over(state):
            return sides
        dice = [dice_part("dice", state.dice, 6, label="dice")] if state.dice else []
        return [*sides, mover_part("mover", state.mover, label="to move"), *dice]

    def _side_part(self, state: HyperPosition, player: int) -> Part:
        """Say where a side's checkers are; the last of its points is the bar."""
        points, name = state.points[player], PLAYERS[player]
        counts = [points.count(point) for point in range(1, BAR + 1)]
        said = self._describe_side(state, player)
        return points_part(name, player, counts, self.game.checkers - len(points), said, label=f"{name} player")

    def before_roll(self, pending: HyperPosition) -> Mapping[str, Any]:
        return {"kind": View.board_kind, "parts": list(self.parts(pending))}

    def _describe_side(self, state: HyperPosition, player: int) -> Message:
        """Say where a side's checkers are, how many are off, and how far they have to go."""
        points = state.points[player]
        listed = [Message("hypergammon.bar") if point == BAR else str(point) for point in points]
        about: dict[str, Argument] = {"points": listed, "off": self.game.checkers - len(points), "n": sum(points)}
        return Message("hypergammon.side" if points else "hypergammon.all-off", about)

    def describe(self, state: HyperPosition) -> Text:
        sides = {name: self._describe_side(state, player) for player, name in enumerate(PLAYERS)}
        if self.game.is_over(state):
            return Message("hypergammon.over", sides)
        return Message(f"hypergammon.{PLAYERS[state.mover]}-rolled", {**sides, "dice": "-".join(map(str, state.dice))})

    def name_rolls(self, pending: HyperPosition, states: Sequence[HyperPosition]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return [("" if state.dice else Message("hypergammon.no-roll"), state.dice) for state in states]

    def decision(self, state: HyperPosition) -> Text:
        return Message("any.which", {"word": self.action_word})

    def name_move(self, state: HyperPosition, action: str, *, beside: str | None = None) -> Text:
        if action == PASS:
            return Message("hypergammon.pass")
        return Message("hypergammon.move", {"play": action}) if beside is None else action

    def because(self, move: Comparison) -> Text | None:
        best = move.action if move.rival is None else move.ordered[0]
        if best == PASS:
            return Message("hypergammon.none")
        after = self.game.play(move.state, best)
        if self.game.is_over(after):
            return Message("hypergammon.wins", {"n": abs(self.game.payoff(after))})
        if not move.has_better:
            return None
        mine, other = (self._judge(move.state, action) for action in move.ordered)
        kinds = {"hits": 1, "off": 1, "exposed": -1, "reach": 1, "made": 1}
        found = [kind for kind, sign in kinds.items() if sign * (mine[kind] - other[kind]) > 0]
        told = [Message(f"hypergammon.{kind}", {"n": mine[kind], "other": other[kind]}) for kind in found[:2]]
        return join_reasons(*told)

    def _judge(self, state: HyperPosition, action: str) -> dict[str, float]:
        """Count what a play hits, bears off and holds, and the chances that the next roll of either side hits."""
        after = self.game.play(state, action)
        own, other = after.points[state.mover], after.points[1 - state.mover]
        return {
            "hits": action.count("*"),
            "off": len(state.points[state.mover]) - len(own),
            "exposed": self._can_hit((other, own)),
            "reach": self._can_hit((own, other)),
            "made": sum(own.count(point) > 1 for point in {*own}),
        }

    def _can_hit(self, sides: Sides) -> float:
        rolls = [((high, low), 1 if high == low else 2) for low, high in combinations_with_replacement(range(1, 7), 2)]
        able = sum(weight for dice, weight in rolls if any("*" in play for play in plays_of(sides, dice)))
        return round_chance(able / 36)

    def rules(self) -> Rules:
        begin: dict[str, Argument] = {"n": self.game.checkers, "points": [str(point) for point in self.game.start().points[0]]}
        names = ("throw", "land", "hit", "off", "must", "win", "first")
        return Rules((Message("rules.hypergammon.begin", begin), *(Message(f"rules.hypergammon.{name}") for name in names)))


class Hypergammon(Game[HyperPosition, HyperPosition, str], Heuristic, Sized):
    """Backgammon with up to three checkers a side.

    >>> game = Hypergammon(checkers=3)
    >>> state = game.read_state("bar,6,3 24,6 first 6-1")
    >>> game.actions(state)
    ('bar/19* 3/2', 'bar/19* 6/5', 'bar/19*/18', 'bar/18')

    Raises `GameError` for fewer than 1 or more than 3 checkers.
    """

    notation = HypergammonNotation
    view = HypergammonView

    parameters = (Parameter.known("checkers", Integer(1, MOST_CHECKERS), "2"),)
    extra_rules = ("is_over",)

    def __init__(self, checkers: int = 2) -> None:
        if not 1 <= checkers <= MOST_CHECKERS:
            raise GameError(f"{checkers} checkers were given: expected 1 to {MOST_CHECKERS}")
        self.checkers = checkers

    def start(self) -> HyperPosition:
        points = tuple(range(24, 24 - self.checkers, -1))
        return HyperPosition((points, points), 0, opening=True)

    def roll(self, pending: HyperPosition) -> Mapping[HyperPosition, int]:
        if self.is_over(pending):
            return {pending: 1}
        rolls = [(high, low) for low, high in combinations_with_replacement(range(1, 7), 2) if high > low or not pending.opening]
        return {HyperPosition(pending.points, pending.mover, dice): 1 + (dice[0] > dice[1]) for dice in rolls}

    def actions(self, state: HyperPosition) -> Sequence[str]:
        return () if self.is_over(state) else tuple(plays_of(_sides(state), state.dice))

    def play(self, state: HyperPosition, action: str) -> HyperPosition:
        own, other = plays_of(_sides(state), state.dice)[action]
        points = (other, own) if state.mover else (own, other)
        return HyperPosition(points, 1 - state.mover if own else state.mover)

    def payoff(self, state: HyperPosition) -> int:
        first, second = state.points
        if first and second:
            return 0
        left = first or second
        behind = left[0] > BAR - HOME - 1
        points = 1 if len(left) < self.checkers else 3 if behind else 2
        return -points if first else points

    def mover(self, state: HyperPosition) -> int:
        return state.mover

    def is_over(self, position: HyperPosition) -> bool:
        """Say whether a side has borne off all its checkers."""
        return not all(position.points)

    def heuristic(self, state: HyperPosition, action: str) -> float:
        """Hits first, then checkers borne off, then points made."""
        own = self.play(state, action).points[state.mover]
        made = sum(own.count(point) > 1 for point in {*own})
        return 100.0 * action.count("*") - 10 * len(own) + made

    def dimensions(self) -> Mapping[str, int]:
        return {"checkers": self.checkers}


def _sides(state: HyperPosition) -> Sides:
    return state.points if state.mover == 0 else (state.points[1], state.points[0])


@lru_cache(maxsize=1 << 16)
def plays_of(sides: Sides, dice: tuple[int, ...]) -> Mapping[str, Sides]:
    """Give what the side to move can make of a roll: each different result once, by how the play is written.

    >>> list(plays_of(((24, 23, 22), (24, 23, 22)), (2, 1)))
    ['22/19', '23/20', '23/21 22/21', '24/23 22/20', '24/21', '24/22 23/22']
    >>> plays_of(((25,), (6, 6, 5)), (6, 6))
    {'pass': ((25,), (6, 6, 5))}
    """
    high, low = dice
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found: dict[tuple[int, int], dict[Sides, tuple[Step, ...]]] = {}
    for order in orders:
        for result, steps in _played(sides, order):
            # As many dice as can be must be played; if only one of two can, the higher.
            rank = len(steps), order[0] if len(steps) == 1 else 0
            found.setdefault(rank, {}).setdefault(result, steps)
    best = found[max(found)]
    return {_write(best[result]): result for result in sorted(best, reverse=True)}


def _played(sides: Sides, dice: tuple[int, ...]) -> Iterator[tuple[Sides, tuple[Step, ...]]]:
    """Play dice in this order as far as each can be: every result with the moves that lead to it."""
    steps = list(_steps(sides, dice[0])) if dice and sides[0] else []
    if not steps:
        yield sides, ()
    for step, after in steps:
        for result, more in _played(after, dice[1:]):
            yield result, (step, *more)


def _steps(sides: Sides, die: int) -> Iterator[tuple[Step, Sides]]:
    """List the moves of one checker by a die."""
    own, other = sides
    for begin in sorted({*own}, reverse=True):
        to = begin - die
        # A checker on the bar goes first, and whoever bears off with a larger die does so from the highest point.
        if begin < own[0] and (own[0] == BAR or (to < 0 and own[0] <= HOME)):
            continue
        if to <= 0 and own[0] > HOME:
            continue
        to = max(to, 0)
        met = other.count(BAR - to) if to else 0
        if met > 1:
            continue
        rest = _without(own, begin)
        mine = _sorted((*rest, to)) if to else rest
        yield Step(begin, to, met == 1), (mine, _sorted((*_without(other, BAR - to), BAR)) if met else other)


def _write(steps: Sequence[Step]) -> str:
    """Write a play as backgammon players do: what a checker does in a row together, and what two do alike once, with (2)."""
    chains: list[list[Step]] = []
    for step in steps:
        chain = next((chain for chain in chains if chain[-1].to == step.begin), None)
        if chain is None:
            chains.append([step])
        else:
            chain.append(step)
    texts = [_write_chain(chain) for chain in sorted(chains, key=lambda chain: (-chain[0].begin, -chain[-1].to))]
    counted = {text: texts.count(text) for text in texts}
    return " ".join(f"{text}({count})" if count > 1 else text for text, count in counted.items()) or PASS


def _write_chain(chain: Sequence[Step]) -> str:
    stops = [step for step in chain[:-1] if step.hits]
    text = "bar" if chain[0].begin == BAR else str(chain[0].begin)
    return text + "".join(f"/{step.to or 'off'}{'*' * step.hits}" for step in [*stops, chain[-1]])


def _sorted(points: Any) -> Points:
    return tuple(sorted(points, reverse=True))


def _without(points: Points, point: int) -> Points:
    place = points.index(point)
    return points[:place] + points[place + 1 :]


def _show_side(points: Points) -> str:
    return ",".join("bar" if point == BAR else str(point) for point in points) or "-"


def _read_dice(word: str, text: str) -> tuple[int, int]:
    faces = [face for face in word if face != "-"]
    if len(faces) != 2 or not set(faces) <= {*"123456"}:
        raise PositionError(f"the dice {brief(word)} in {brief(text)}: expected two dice such as 6-1")
    low, high = sorted(map(int, faces))
    return high, low
