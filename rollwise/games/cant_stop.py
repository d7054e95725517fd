"""Can't Stop alone: climb three columns in the fewest expected turns.

Rules. The board has a column for every sum of two dice of `sides` sides, 2 to 2 x sides. The outer ones have `shortest` steps,
each further in has two more: with six sides and three steps the board of the box, 3-5-7-9-11-13-11-9-7-5-3. A turn begins with
three free `markers`. Roll four dice and make two pairs of them in one of the three ways; each pair's sum moves in its column,
by one step: a marker that is there, else a free one, put one step above what the column holds so far. Then stop, and what the
markers reached is kept; or roll again. When no sum of the dice can move, the turn is lost, and the columns hold what they held
when it began. The game is won when `columns_to_win` columns are at the top. The value is the expected number of turns, lost
ones and the last one included.

The default is the largest board that a page solves in a few seconds: dice of four sides, columns of 2-4-6-8-6-4-2 steps.

Questions. Of the pairing that is chosen both sums move if they can, one alone if only one can. If each could, but one marker is
left and both need it, the player says which. Two equal sums are two steps, or one if only one is left. A column at the top,
whether it was finished in an earlier turn or in this one, is closed: its sum does not move, and a marker that stands there
stays in use. The dice are rolled at least once a turn; after any roll that moved something the player may stop, with free
markers too. As soon as enough columns are at the top the game is over: nobody rolls on. A pairing of which no sum can move may
not be chosen.

Stored are the turn starts: what the columns hold, with fewer than `columns_to_win` of them finished. A lost turn leads back to
its own start; nothing else goes round in a circle.

Sources: the game is by Sid Sackson (1980). Glenn, Fang, Kruskal, A Retrograde Approximation Algorithm for One-Player Can't
Stop, Computers and Games (2006), and Fang, Glenn, Kruskal, Retrograde Approximation Algorithms for Jeopardy Stochastic Games,
ICGA Journal 31 (2008), define the small boards and solve them: 1.347 turns for two sides and two steps.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import lcm
from typing import Any, NamedTuple

from rollwise.errors import GameError, PositionError
from rollwise.model.abilities import Heuristic, Sized
from rollwise.model.card import CardFeature, Verb, Vocabulary
from rollwise.model.features import Feature, Features, face_counts
from rollwise.model.formatting import counted, is_number
from rollwise.model.game import Game
from rollwise.model.message import Argument, Message, Text, round_chance
from rollwise.model.notation import Notation, not_a_position, wrong_dice
from rollwise.model.objectives import Fewest
from rollwise.model.parameter import Integer, Parameter
from rollwise.model.reasons import Comparison
from rollwise.model.roll import Roll, certain, dice
from rollwise.model.view import OfferedAim, Part, Rules, View, dice_part, number_part, track_part
from rollwise.model.weights import WEIGHTS, ThrowsDice, weights_for

__all__ = ["BUST", "CantStop", "Climb", "moves_of", "pairings"]

BUST = "bust"
ROLL, STOP = "roll", "stop"
GROWTH = 2
DICE = 4
MOST_SIDES = 6

Steps = tuple[int, ...]
Sums = tuple[int, ...]
"""The sums that move, in rising order: two, the same one twice, or one."""


class Climb(NamedTuple):
    """A position: steps saved in each column, where each stands now, and the dice (none before a roll, and at the end)."""

    saved: Steps
    now: Steps
    dice: tuple[int, ...] = ()


class CantStopNotation(Notation):
    """How positions and moves are written."""

    game: "CantStop"

    def show_state(self, state: Climb) -> str:
        return f"{self.show_pending(state)} {''.join(map(str, state.dice)) or '-'}"

    def show_pending(self, pending: Climb) -> str:
        turn = [new - old for old, new in zip(pending.saved, pending.now, strict=True)]
        return f"{_steps(pending.saved)} {_steps(turn)}"

    def read_state(self, text: str) -> Climb:
        words = text.split()
        steps, shown = [word for word in words if "/" in word], "".join(word for word in words if "/" not in word)
        if not steps and shown:
            steps = [_steps([0] * len(self.game.lengths))] * 2
        if len(steps) != 2 or not shown:
            example = self.show_state(self.game.start()._replace(dice=(1, 1, 2, 2)))
            raise not_a_position(text, "SAVED-STEPS STEPS-OF-THIS-TURN DICE", repr(example))
        saved, turn = (self._read_steps(word, text) for word in steps)
        now = tuple(map(int.__add__, saved, turn))
        shown = shown if shown == "-" else re.sub("[,-]", "", shown)
        hand = () if shown == "-" else tuple(sorted(int(face) for face in shown if face in "123456"))
        state = Climb(saved, now, hand)
        self._check(state, shown, text)
        return state

    def _read_steps(self, word: str, text: str) -> Steps:
        parts = word.split("/")
        if len(parts) != len(self.game.lengths) or not all(map(is_number, parts)):
            raise PositionError(f"steps {word!r} in {text!r}: expected {len(self.game.lengths)} numbers with '/' between them")
        return tuple(map(int, parts))

    def _check(self, state: Climb, shown: str, text: str) -> None:
        if any(step > length for step, length in zip(state.now, self.game.lengths, strict=True)):
            raise PositionError(f"{text!r} climbs above a column: they have {_steps(self.game.lengths)} steps")
        if sum(map(int.__lt__, state.saved, state.now)) > self.game.markers:
            raise PositionError(f"{text!r} climbs more columns in a turn than there are markers: {self.game.markers}")
        over = self.game.is_won(state.now)
        if over and (state.saved != state.now or shown != "-"):
            raise PositionError(f"{text!r} is won: write '{_steps(state.now)} {_steps([0] * len(state.now))} -'")
        if not over and (len(shown) != DICE or len(state.dice) != DICE or state.dice[-1] > self.game.sides):
            raise wrong_dice(shown, text, DICE, self.game.sides)
        self.game.check_shown(state.dice)

    def columns(self, state: Climb) -> Mapping[str, str]:
        saved, turn, hand = self.show_state(state).split()
        return {"saved": saved, "turn": turn, "dice": hand}

    def packed_by(self) -> str:
        return f"cant-stop {self.game.sides} {self.game.shortest}"


class CantStopView(View):
    """The board and the words of the game."""

    game: "CantStop"
    look = "columns"
    compares = "nothing"
    action_word = "move"
    cost_word = "turns"
    own_aim = OfferedAim.known("own", "", key="own-turns")
    other_aims = ()

    @property
    def title(self) -> str:
        return "Can't Stop"

    def show_dice(self, state: Climb) -> Sequence[int]:
        return state.dice

    def parts(self, state: Climb) -> Sequence[Part]:
        steps = [
            track_part(f"column_{i}", now, 0, length, base=old, label=_label({"column": i, "steps": length}, now, old))
            for i, (old, now, length) in enumerate(zip(state.saved, state.now, self.game.lengths, strict=True), 2)
        ]
        done, most = self.game._tops(state.now), self.game.columns_to_win
        free = self.game.markers - sum(map(int.__lt__, state.saved, state.now))
        numbers = [
            number_part("finished", done, 0, most, label=Message("cant-stop.finished", {"n": most})),
            number_part("free", free, 0, self.game.markers, label=Message("cant-stop.free")),
        ]
        return [*([dice_part("dice", state.dice, self.game.sides, label="dice")] if state.dice else []), *steps, *numbers]

    def before_roll(self, pending: Climb) -> Mapping[str, Any]:
        return {"kind": "any", "parts": list(self.parts(pending))}

    def name_rolls(self, pending: Climb, states: Sequence[Climb]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return [("" if state.dice else self.describe(state), state.dice) for state in states]

    def describe(self, state: Climb) -> Text:
        climbing = [
            Message("cant-stop.at", {"column": i, "now": now, "of": length, "saved": old})
            for i, (old, now, length) in enumerate(zip(state.saved, state.now, self.game.lengths, strict=True), 2)
            if now
        ]
        dice = Message("cant-stop.dice", {"dice": " ".join(map(str, state.dice))}) if state.dice else Message("cant-stop.won")
        if not climbing:
            return Message("cant-stop.none", {"dice": dice})
        return Message("cant-stop.columns", {"dice": dice, "columns": climbing})

    def decision(self, state: Climb) -> Text:
        return Message("cant-stop.which" if len(self.game.moves(state)) > 1 else "cant-stop.stop-or-roll")

    def ends_turn(self, state: Climb, action: str) -> str | None:
        return "" if action.endswith(ROLL) else action.partition(" ")[2] or BUST

    def name_move(self, state: Climb, action: str, *, beside: str | None = None) -> Text:
        sums, _, end = action.partition(" ")
        if action == BUST:
            return Message("cant-stop.bust")
        if beside and beside.startswith(f"{sums} "):
            return Message(f"cant-stop.{end}")
        columns = _columns(action)
        return columns if beside and beside.endswith(f" {end}") else Message(f"cant-stop.move-{end}", {"columns": columns})

    def because(self, move: Comparison) -> Text | None:
        state, best = move.state, move.action if move.rival is None else move.ordered[0]
        if best == BUST:
            return Message("cant-stop.lost")
        now = self.game.play(state, best).now
        if self.game.is_won(now):
            tops = zip(state.now, now, self.game.lengths, strict=True)
            finished = [i for i, (before, step, length) in enumerate(tops, 2) if before < step == length]
            return Message("cant-stop.wins", {"n": len(finished), "columns": finished})
        if not move.has_better:
            return None
        better, worse = move.ordered
        mine, other = (self.game.play(state, action) for action in move.ordered)
        if better.endswith(ROLL) != worse.endswith(ROLL):
            rolling, kind = (mine, "roll") if better.endswith(ROLL) else (other, "stop")
            risk, at_stake = self.game.bust_chance(rolling), sum(rolling.now) - sum(state.saved)
            return Message(f"cant-stop.{kind}-{'risk' if risk else 'safe'}", {"n": at_stake, "chance": round_chance(risk)})
        measures: dict[str, Callable[[Climb], float]] = {"higher": lambda after: self.game.share(state.now, after.now)}
        if better.endswith(ROLL):
            measures = {
                "winning": self.game.win_chance,
                "safer": lambda after: 1 - self.game.bust_chance(after),
                "again": self.game.again_chance,
                **measures,
            }
        names = {"move": _columns(better), "other": _columns(worse)}
        for kind, measure in measures.items():
            chances = [round_chance(measure(after)) for after in (mine, other)]
            if chances[0] > chances[1]:
                return Message(f"cant-stop.{kind}", {**names, "chance": chances[0], "chance2": chances[1]})
        return None

    def rules(self) -> Rules:
        sides: dict[str, Argument] = {"sides": self.game.sides, "last": 2 * self.game.sides, "steps": list(self.game.lengths)}
        markers = Message("rules.cant-stop.markers", {"n": self.game.markers})
        return Rules((
            Message("rules.cant-stop.columns", sides), Message("rules.cant-stop.turn", {"markers": markers}),
            Message("rules.cant-stop.stop"), Message("rules.cant-stop.win", {"n": self.game.columns_to_win}),
        ))  # fmt: skip


class CantStopFeatures(Features):
    """Positions as numbers."""

    game: "CantStop"

    def features(self, state: Climb) -> Mapping[str, Feature] | None:
        longest = max(self.game.lengths)
        return {
            "dice": face_counts(state.dice, range(1, self.game.sides + 1), DICE),
            "saved": Feature(state.saved, 0, longest),
            "now": Feature(state.now, 0, longest),
        }

    def every_action(self) -> Sequence[str] | None:
        columns = range(2, 2 * self.game.sides + 1)
        sums = [*((one,) for one in columns), *combinations_with_replacement(columns, 2)]
        return (BUST, *(f"{_show(both)} {end}" for both in sums for end in (STOP, ROLL)))


class CantStop(Game[Climb, Climb, str], Heuristic, Sized, ThrowsDice):
    """Climb columns by the sums of dice, and stop in time.

    >>> import rollwise
    >>> solution = rollwise.solve(CantStop(sides=2, shortest=2))
    >>> round(solution.value(), 6), solution.best(solution.game.read_state("0/0/0 1/0/1 1122"))
    (1.347282, '3,3 roll')

    Raises `GameError` for more columns to win than there are, or numbers out of range.
    """

    notation = CantStopNotation
    view = CantStopView
    features = CantStopFeatures
    objective = Fewest()

    parameters = (
        Parameter.known("sides", Integer(2, MOST_SIDES), "4"),
        Parameter.known("shortest", Integer(1, 9), "2"),
        Parameter.known("markers", Integer(1, 11), "3"),
        Parameter.known("columns_to_win", Integer(1, 11), "3"),
        WEIGHTS,
    )

    def __init__(
        self, sides: int = 4, shortest: int = 2, markers: int = 3, columns_to_win: int = 3,
        weights: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        columns = 2 * sides - 1
        if not 2 <= sides <= MOST_SIDES or shortest < 1 or markers < 1:
            raise GameError(
                f"{sides} sides, {counted(shortest, 'step')}, {counted(markers, 'marker')}: expected 2 to {MOST_SIDES} sides, "
                "and at least 1 of the others"
            )
        if not 1 <= columns_to_win <= columns:
            raise GameError(f"{columns_to_win} columns to win: dice of {sides} sides have {columns} columns, give 1 to {columns}")
        self.sides, self.shortest, self.markers, self.columns_to_win = sides, shortest, markers, columns_to_win
        self.lengths = tuple(shortest + GROWTH * min(i, columns - 1 - i) for i in range(columns))
        self.weights = weights_for(sides, weights)
        self._check_columns()

    def _check_columns(self) -> None:
        """Refuse dice that never make the sums of enough columns: the game would not end."""
        sums = {a + b for a in self.die for b in self.die}
        if len(sums) < self.columns_to_win:
            columns = counted(len(sums), "column")
            raise GameError(
                f"columns_to_win={self.columns_to_win}, but the sums of two dice with weights "
                f"{','.join(map(str, self.weights))} are those of {columns}: give other weights, or fewer columns to win"
            )

    def start(self) -> Climb:
        nothing = (0,) * len(self.lengths)
        return Climb(nothing, nothing)

    def roll(self, pending: Climb) -> Mapping[Climb, int]:
        if self.is_won(pending.now):
            return certain(pending)
        return self._throws.map(lambda hand: pending._replace(dice=hand))

    @cached_property
    def _throws(self) -> Roll[tuple[int, ...]]:
        """The throws of four dice."""
        return dice(DICE, self.die)

    def is_won(self, steps: Steps) -> bool:
        """Say whether enough columns are at the top."""
        return self._tops(steps) >= self.columns_to_win

    def _tops(self, steps: Steps) -> int:
        """Count the columns at the top."""
        return sum(map(int.__eq__, steps, self.lengths))

    def actions(self, state: Climb) -> Sequence[str]:
        if not state.dice:
            return ()
        found = []
        for sums in self.moves(state):
            won = self.is_won(self.moved(state.now, sums))
            found += [f"{_show(sums)} {end}" for end in ((STOP,) if won else (STOP, ROLL))]
        return found or (BUST,)

    def moves(self, state: Climb) -> Sequence[Sums]:
        """List the sums that may be moved, in rising order."""
        climbing = frozenset(i for i, (old, new) in enumerate(zip(*state[:2], strict=True)) if new > old)
        left = tuple(length - step for length, step in zip(self.lengths, state.now, strict=True))
        return moves_of(state.dice, climbing, left, self.markers)

    def moved(self, now: Steps, sums: Sums) -> Steps:
        """Give where the columns stand after a move."""
        return tuple(step + sums.count(i + 2) for i, step in enumerate(now))

    def play(self, state: Climb, action: str) -> Climb:
        if action == BUST:
            return Climb(state.saved, state.saved)
        sums, _, end = action.partition(" ")
        now = self.moved(state.now, _read(sums))
        return Climb(now if end == STOP else state.saved, now)

    def cost(self, pending: Climb) -> int:
        """Count the first roll of a turn."""
        return int(pending.now == pending.saved and not self.is_won(pending.now))

    def heuristic(self, state: Climb, action: str) -> float:
        """What share of its columns a move climbs; to roll on adds the same again, less what the turn risks."""
        after = self.play(state, action)
        if action == BUST:
            return 0.0
        climbed = self.share(state.now, after.now)
        risk = self.bust_chance(after)
        return climbed if action.endswith(STOP) else climbed + (1 - risk) * climbed - risk * self.share(state.saved, after.now)

    def share(self, before: Steps, after: Steps) -> float:
        """Add up the shares of their columns that are climbed."""
        return sum((new - old) / length for old, new, length in zip(before, after, self.lengths, strict=True))

    def bust_chance(self, pending: Climb) -> float:
        """Give the chance that no sum of the next roll can move."""
        roll = self.roll(pending)
        return sum(weight for state, weight in roll.items() if self.actions(state) == (BUST,)) / sum(roll.values())

    def win_chance(self, pending: Climb) -> float:
        """Give the chance that the next roll can finish the last column that is needed."""
        roll = self.roll(pending)
        wins = sum(
            weight
            for state, weight in roll.items()
            if any(self.is_won(self.moved(state.now, sums)) for sums in self.moves(state))
        )
        return wins / sum(roll.values())

    def again_chance(self, pending: Climb) -> float:
        """Give the chance that the next roll can move a marker that is in use."""
        roll = self.roll(pending)
        used = {i for i, (old, new) in enumerate(zip(pending.saved, pending.now, strict=True), 2) if new > old}
        return sum(weight for state, weight in roll.items() if any({*sums} & used for sums in self.moves(state))) / sum(
            roll.values()
        )

    # The words of a strategy card

    def vocabulary(self) -> Vocabulary:
        most, points = sum(self.lengths), sum((length + 1) * self._worth(i) for i, length in enumerate(self.lengths))

        def see(name: str, read: Callable[[Climb], int], most: int, says: str) -> CardFeature:
            return CardFeature(name, read, 0, most, says)

        features = (
            see(
                "turn points",
                self._turn_points,
                points,
                "steps of this turn: 1 in the middle column, 2 in its neighbours and so on, the first in a column twice",
            ),
            see("turn steps", lambda s: sum(s.now) - sum(s.saved), most, "steps of this turn before this roll"),
            see("free markers", self._free, self.markers, "markers that are not used before this roll"),
            see(
                "columns climbed", lambda s: self.markers - self._free(s), self.markers, "columns with a marker before this roll"
            ),
            see("columns finished", lambda s: self._tops(s.saved), self.columns_to_win, "columns at the top when the turn began"),
            see(
                "tops reached",
                lambda s: self._tops(s.now) - self._tops(s.saved),
                self.markers,
                "columns that this turn has brought to the top",
            ),
            see("risk", self._risk, 100, "the chance, in per cent, to lose the turn with the next roll after the safest move"),
        )
        ranks = {
            "safest": (self._safety, "after which the next roll is least likely to lose the turn"),
            "furthest": (self._climbed, "that climbs the largest share of its columns"),
            "fewest markers": (self._thrift, "that uses the fewest new markers, and then climbs most"),
        }
        verbs = [self._moving(name, end, *rank) for name, rank in ranks.items() for end in (STOP, ROLL)]
        return Vocabulary(features, tuple(verbs))

    def _moving(self, name: str, end: str, rank: Callable[[Climb, Sums], Any], says: str) -> Verb:
        """A verb that moves by a rank and then stops, or rolls where nothing is won; a move that wins comes first."""

        def find(state: Climb) -> str | None:
            moves = [(self.is_won(self.moved(state.now, sums)), sums) for sums in self.moves(state)] if state.dice else []
            fit = [(won, rank(state, sums), sums) for won, sums in moves if end == STOP or not won]
            return f"{_show(max(fit)[2])} {end}" if fit else None

        return Verb(f"{name}, {end}", find, f"make the move {says}, and {'stop' if end == STOP else 'roll again'}")

    def _worth(self, column: int) -> int:
        return 1 + abs(column - len(self.lengths) // 2)

    def _turn_points(self, state: Climb) -> int:
        steps = enumerate(zip(state.saved, state.now, strict=True))
        return sum((new - old + 1) * self._worth(i) for i, (old, new) in steps if new > old)

    def _free(self, state: Climb) -> int:
        return self.markers - sum(map(int.__lt__, state.saved, state.now))

    def _risk(self, state: Climb) -> int:
        return round(-100 * max((self._safety(state, sums) for sums in self.moves(state)), default=0.0)) if state.dice else 0

    def _safety(self, state: Climb, sums: Sums) -> float:
        return -self._busting(Climb(state.saved, self.moved(state.now, sums)))

    @lru_cache(maxsize=1 << 14)  # noqa: B019
    def _busting(self, pending: Climb) -> float:
        return 0.0 if self.is_won(pending.now) else self.bust_chance(pending)

    def _climbed(self, _: Climb, sums: Sums) -> int:
        unit = lcm(*self.lengths)
        return sum(unit // self.lengths[total - 2] for total in sums)

    def _thrift(self, state: Climb, sums: Sums) -> tuple[int, int]:
        new = sum(state.now[total - 2] == state.saved[total - 2] for total in set(sums))
        return -new, self._climbed(state, sums)

    def dimensions(self) -> Mapping[str, int]:
        return {"steps": sum(self.lengths)}


def _read(sums: str) -> Sums:
    return tuple(map(int, sums.split(",")))


def _columns(action: str) -> Message:
    """Name the columns that a move climbs."""
    sums = _read(action.partition(" ")[0])
    twice = len(set(sums)) < len(sums)
    return Message("cant-stop.twice", {"column": sums[0]}) if twice else Message("cant-stop.sums", {"columns": list(sums)})


def _label(column: dict[str, Argument], now: int, saved: int) -> Message:
    """Name a column, and the step that is saved where the turn has climbed it."""
    return Message("cant-stop.column", column) if now == saved else Message("cant-stop.column-saved", {**column, "saved": saved})


@lru_cache(maxsize=1 << 12)
def pairings(hand: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """List the sums of the ways to make two pairs of four dice, the lower sum first.

    >>> pairings((1, 2, 2, 3))
    ((3, 5), (4, 4))
    """
    a, b, c, d = hand
    ways = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(sorted({(min(way), max(way)) for way in ways}))


def moves_of(hand: tuple[int, ...], climbing: frozenset[int], left: Sequence[int], markers: int) -> list[Sums]:
    """List what the dice may move, in rising order, by the columns with a marker (the first is 0), steps left, and all markers.

    >>> moves_of((1, 1, 2, 2), frozenset({0, 2}), (1, 4, 0), markers=3), moves_of((1, 1, 2, 2), frozenset(), (1, 4, 2), markers=1)
    ([(2,), (3, 3)], [(2,), (3, 3), (4,)])
    """
    free = markers - len(climbing)
    found: set[Sums] = set()
    for low, high in pairings(hand):
        able = [total for total in (low, high) if left[total - 2] and (free or total - 2 in climbing)]
        if low == high:
            able = able[: left[low - 2]]
        if sum(total - 2 not in climbing for total in set(able)) > free:
            found |= {(total,) for total in able}
        elif able:
            found.add(tuple(able))
    return sorted(found)


def _show(sums: Sums) -> str:
    return ",".join(map(str, sums))


def _steps(steps: Sequence[int]) -> str:
    return "/".join(map(str, steps))
