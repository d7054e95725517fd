"""Shut the Box: throw two dice, and shut open tiles whose numbers add up to the throw, until none fit.

Rules. The tiles 1 to 9 are open. Two dice are thrown, and open tiles must be shut, one or more, whose sum is that of the dice;
which ones is the player's choice. Then the dice are thrown again, and so on. When no open tiles fit the throw, the turn is over,
and what is open counts against the player: the lower the sum the better. Who shuts all tiles has shut the box.

Options.
- `tiles`: how many, up to 12. With more than 12 the last ones could not be shut alone.
- `one_die`: whether one die may be thrown in place of two. `never`; `sum6`, before any throw when the open tiles add up to 6 or
  less; `789`, when 7, 8 and 9 are shut, and with more tiles all others above 6. In both cases it may, and need not.
- `most_tiles`: at most so many tiles are shut after a throw. A throw that only more tiles would fit ends the turn.
- `aim`, for one player: `shut`, the best chance to shut the box, or `sum`, the lowest expected sum of what stays open.
- `players=2`: the first plays a whole turn, then the second plays one with all tiles open again; the lower sum wins, and the same
  sum is a tie, which counts half a win (so the value is half of what the first expects to win at even money, and 0.5 more). The
  second, who knows the sum to beat, stops as soon as the own one is lower. Who shuts the box does not win at once: the other
  may still tie.

Sources: Bill Butler, durangobill.com/ShutTheBox.html: the chance to shut the box is 7.1432 % with two dice, 9.7614 % with one die
from a sum of 6 on (there it must be used, which is best anyway), 7.4194 % with that and at most two tiles a throw; with the
chance of every sum (ours is the same but where moves are tied). With at most two tiles and always two dice 0.05, position by
position: cambridgemovies.org.uk/comp/box.html. The rule 789 with a free choice is that of The Riddler, fivethirtyeight.com,
13 April 2018. The game for two, with the same sum as a draw: possiblywrong.wordpress.com, 20 January 2013.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, PositionError
from rollwise.games.columns import ColumnGame, Mover, Number, Relation, Subset, chance, choice, throws, where
from rollwise.games.columns.column import PLAYERS
from rollwise.games.columns.game import ColumnNotation, ColumnView
from rollwise.games.shut_the_box.vocabulary import tile_vocabulary
from rollwise.model.abilities import Heuristic, Sized
from rollwise.model.card import Vocabulary
from rollwise.model.formatting import is_number
from rollwise.model.message import Argument, Message, Text, round_chance
from rollwise.model.notation import not_a_position
from rollwise.model.objective import Objective
from rollwise.model.objectives import AtMost, Lowest, Win
from rollwise.model.parameter import Choice, Integer, Parameter
from rollwise.model.reading import join_commas, says
from rollwise.model.reasons import Comparison, join_reasons, name_chances
from rollwise.model.view import OfferedAim, Part, Rules, mover_part, number_part
from rollwise.model.weights import WEIGHTS, ThrowsDice, weights_for

__all__ = ["ShutTheBox"]

MOST = 12
"""The highest throw, and so the highest tile that one throw can shut."""
FACES = LOW = 6
"""The highest throw of one die."""
THROWS_AHEAD = 3
"""The throws in a row whose chance to fit is compared."""
ONE_DIE = ("never", "sum6", "789")
AIMS = {
    "shut": OfferedAim.known("own", "", key="own-shut"),
    "sum": OfferedAim.known("own", "", key="own-sum"),
}
FOR_TWO = OfferedAim.known("own", "", key="own-lower")
DICE = {0: "no dice", 1: "one die", 2: "two dice"}
HOW_MANY = Relation({"dice": [1, 2]}, labels=[DICE[1], DICE[2]])


class ShutTheBoxNotation(ColumnNotation):
    """How positions and moves are written."""

    game: "ShutTheBox"

    def show_state(self, state: Any) -> str:
        shown = f"{self.game.box.show(state.open)} {state.rolled}"
        return f"{shown} {self._turn(state)}" if self.game.two else shown

    def _turn(self, position: Any) -> str:
        return f"second {position.beat}" if position.mover else "first"

    def read_state(self, text: str) -> Any:
        words = join_commas(text).split()
        end = next((place for place, word in enumerate(words) if says(word, *PLAYERS)), len(words)) - 1
        if end < 0 or not is_number(words[end]) or int(words[end]) > MOST:
            raise self._misread(text, "tiles")
        tiles = self.game.box.read(" ".join(words[:end]) or "all")
        return self.game.at(open=tiles, rolled=int(words[end]), **self._read_turn(text, words[end + 1 :]))

    def _read_turn(self, text: str, words: list[str]) -> dict[str, int]:
        if len(words) == self.game.two and all(says(word, "first") for word in words):
            return {}
        beat = words[1] if self.game.two and len(words) == 2 and says(words[0], "second") and is_number(words[1]) else ""
        if not beat or int(beat) > self.game.most:
            raise self._misread(text, "turn" if self.game.two else "nothing")
        return {"mover": 1, "beat": int(beat)}

    def _misread(self, text: str, wanted: str) -> PositionError:
        examples = "'1,2,9 8 first' or '1,2,9 8 second 14'" if self.game.two else "'1,2,9 8'"
        return not_a_position(text, Message(f"error.box.{wanted}"), examples)

    def show_pending(self, pending: Any) -> str:
        shown = f"{self.game.box.show(pending.open)}, {DICE[pending.dice]}"
        return f"{shown}, {self._turn(pending)}" if self.game.two else shown

    def columns(self, state: Any) -> Mapping[str, str]:
        found = {"open": self.game.box.show(state.open), "rolled": str(state.rolled)}
        return (
            {**found, "turn": PLAYERS[state.mover], "to beat": str(state.beat) if state.mover else "-"}
            if self.game.two
            else found
        )


class ShutTheBoxView(ColumnView):
    """The board and the words of the game."""

    game: "ShutTheBox"
    look = "tiles"
    compares = "nothing"
    own_aim = AIMS["shut"]
    other_aims: ClassVar[tuple[str, ...]] = ("lowest", "at-most", "worst", "quantile")

    def __init__(self, game: "ShutTheBox") -> None:
        super().__init__(game)
        self.own_aim = FOR_TWO if game.two else AIMS[game.aimed_at]  # type: ignore[misc]
        self.other_aims = () if game.two else ShutTheBoxView.other_aims  # type: ignore[misc]

    @property
    def title(self) -> str:
        return "Shut the Box"

    def parts(self, state: Any) -> Sequence[Part]:
        found = [
            {**self.game.box.part("open", state.open, "open tiles"), "kind": "tiles"},
            number_part("sum", self.game.left(state), 0, self.game.most, label="their sum"),
        ]
        found += [self._throw_part(state)] if state.rolled or state.dice else []
        if not self.game.two:
            return found
        beat = [number_part("beat", state.beat, 0, self.game.most, label="sum to beat")] if state.mover else []
        return [*found, *beat, mover_part("mover", state.mover, label="turn")]

    def _throw_part(self, state: Any) -> Part:
        """Describe the throw or, where its sum is 0, the dice to throw; `dice` lists how many they may be."""
        either = not state.dice and self.game.choosable[state.open]
        label = "thrown" if state.rolled else "dice to throw"
        thrown = number_part("rolled", state.rolled, 0, MOST, label=label, kind="counter")
        return {**thrown, "dice": [1, 2] if either else [state.dice or 2]}

    def name_rolls(self, pending: Any, states: Sequence[Any]) -> Sequence[tuple[Text, Sequence[Any]]]:
        return [(f"{state.rolled}" if state.rolled else Message("shut.no-throw"), ()) for state in states]

    def decision(self, state: Any) -> Text:
        return Message("shut.which-tiles" if state.rolled else "shut.how-many-dice")

    def name_move(self, state: Any, action: Any, *, beside: Any = None) -> Text:
        verb, _, rest = action.partition(" ")
        return str(rest if beside is not None and rest and beside.startswith(f"{verb} ") else action)

    def because(self, move: Comparison) -> Text | None:
        state, best = move.state, move.action if move.rival is None else move.ordered[0]
        after = self.game.play(state, best)
        done = self._done(state, after, best)
        if done or (move.rival is not None and not move.has_better):
            return done
        fits = self._fits(move, after)
        if not self.game.two or move.rival is None:
            return fits
        chances = name_chances(move)
        beat = Message("shut.to-beat", {"beat": int(state.beat)}) if state.mover else None
        return join_reasons(fits, beat, Message("shut.chances", chances.args) if chances else None)

    def _fits(self, move: Comparison, after: Any) -> Message | None:
        """Say how likely the next throws fit after the better move, and after the other one."""
        state, best = move.state, move.action if move.rival is None else move.ordered[0]
        if move.rival is None:
            return Message("shut.fits", {"chance": self._lasts(after, 1)})
        other, kind = self.game.play(state, move.ordered[1]), "dice" if best.startswith("roll") else "fits"
        names: dict[str, Argument] = {"move": best.partition(" ")[2], "other": move.ordered[1].partition(" ")[2]}
        if kind == "dice":
            names = {name: Message("n.with-dice", {"n": int(side.dice)}) for name, side in (("move", after), ("other", other))}
        for number in range(1, THROWS_AHEAD + 1):
            chance, chance2 = self._lasts(after, number), self._lasts(other, number)
            if chance > chance2:
                return Message(f"shut.{kind}-{number}", {**names, "chance": chance, "chance2": chance2})
        return None

    def _done(self, state: Any, after: Any, action: str) -> Message | None:
        """Say what a move ends: the turn, or the game."""
        left = self.game.left(after)
        if action == "pass":
            return Message("shut.passes", {"points": self.game.left(state)})
        if self.game.two and after.mover != state.mover:
            return Message("shut.can-tie")
        if self.game.two and left < after.beat:
            choices = len(self.game.actions(state))
            return Message("shut.all-win" if choices > 1 else "shut.wins", {"points": left, "beat": int(after.beat)})
        return None if after.open else Message("shut.shuts")

    def _lasts(self, pending: Any, number: int) -> float:
        """How likely so many next throws all fit."""
        return round_chance(float(self.game.lasting[number][pending.dice, pending.open]))

    def rules(self) -> Rules:
        turn = Message("rules.shut.turn", {"tiles": self.game.tiles})
        if self.game.one_die != "never":
            turn = Message(f"rules.shut.one-die-{self.game.one_die}", {"turn": turn})
        if self.game.most_tiles:
            turn = Message("rules.shut.most", {"turn": turn, "tiles": self.game.most_tiles})
        return Rules((turn, Message("rules.shut.two" if self.game.two else f"rules.shut.{self.game.aimed_at}")))


class ShutTheBox(ColumnGame, Heuristic, Sized, ThrowsDice):
    """Shut tiles whose sum is thrown, all of them if possible.

    >>> import rollwise
    >>> solution = rollwise.solve(ShutTheBox())
    >>> round(solution.value(), 6), solution.best(solution.game.read_state("all 8"))
    (0.071432, 'shut 8')
    >>> round(rollwise.solve(ShutTheBox(aim="sum")).value(), 6)
    11.157508

    Raises `GameError` for an option that does not exist, or fewer than two tiles or more than twelve.
    """

    notation = ShutTheBoxNotation
    view = ShutTheBoxView

    parameters = (
        Parameter.known("tiles", Integer(2, MOST), "9"),
        Parameter.known("one_die", Choice(*ONE_DIE), "never"),
        Parameter.known("aim", Choice(*AIMS), "shut"),
        Parameter.known("most_tiles", Integer(1, MOST), usual="any"),
        Parameter.known("players", Integer(1, 2), "1", key="shut-the-box-players"),
        WEIGHTS,
    )
    gains = False

    def __init__(
        self, tiles: int = 9, one_die: str = "never", aim: str = "shut", most_tiles: int | None = None, players: int = 1,
        weights: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        _check(tiles, one_die, aim, most_tiles, players)
        self.weights = weights_for(FACES, weights)
        self.tiles, self.one_die, self.aimed_at, self.most_tiles, self.two = tiles, one_die, aim, most_tiles, players == 2
        self.box = Subset(range(1, tiles + 1))
        rival = {"beat": Number(self.most), "mover": Mover()} if self.two else {}
        self.declare(open=self.box, rolled=Number(MOST), dice=Number(2), **rival)
        self.begin = {"open": self.box.all, "dice": 0 if self.choosable[self.box.all] else 2}

    @property
    def objective(self) -> Objective:
        if self.two:
            return Win()
        return AtMost(0) if self.aimed_at == "shut" else Lowest()

    # Look-ups by what is open

    @cached_property
    def sums(self) -> npt.NDArray[np.int64]:
        """What the open tiles add up to."""
        masks = np.arange(self.box.size)
        return np.asarray(sum((masks >> place & 1) * (place + 1) for place in range(self.tiles)))

    def left(self, position: Any) -> int:
        """Add up the open tiles of one position."""
        return int(self.sums[position.open])

    @property
    def most(self) -> int:
        """What all tiles add up to."""
        return int(self.sums[-1])

    @cached_property
    def choosable(self) -> npt.NDArray[np.bool_]:
        """Whether one die may be thrown."""
        sums, masks = self.sums, np.arange(self.box.size)
        allowed = {"never": masks < 0, "sum6": sums <= LOW, "789": masks < 1 << LOW}
        return allowed[self.one_die] & (masks > 0)

    @cached_property
    def fits(self) -> npt.NDArray[np.bool_]:
        """Whether open tiles fit a throw: `fits[open, rolled]`."""
        found, masks, sets = np.zeros((self.box.size, MOST + 1), dtype=np.bool_), np.arange(self.box.size), self.sets()
        for mask, total in zip(sets.mask.tolist(), sets.sum.tolist(), strict=True):
            found[masks & mask == mask, total] = True
        return found

    @cached_property
    def lasting(self) -> Sequence[npt.NDArray[np.float64]]:
        """How likely so many throws in a row fit, or shut the box, played for just that: `lasting[throws][dice, open]`.

        With 0 dice the player chooses how many, where that is allowed.
        """
        masks, sets = np.arange(self.box.size), self.sets()
        found = [np.ones((3, self.box.size))]
        for _ in range(THROWS_AHEAD):
            best = np.zeros((MOST + 1, self.box.size))
            for mask, total in zip(sets.mask.tolist(), sets.sum.tolist(), strict=True):
                inside = masks[masks & mask == mask]
                best[total, inside] = np.maximum(best[total, inside], found[-1][0, inside - mask])
            one, two = (table.weight @ best[table.sum] / table.weight.sum() for table in map(self.throws, (1, 2)))
            found.append(np.array([where(self.choosable, np.maximum(one, two), two), one, two]))
            found[-1][:, 0] = 1
        return found

    def sets(self) -> Relation:
        """The tiles that may be shut after a throw, by their sum."""
        return self.box.subsets(MOST, members=self.most_tiles)

    # The rules

    def throws(self, count: int | tuple[int, ...] = (1, 2)) -> Relation:
        """The sums of the dice, by their number."""
        return throws(count, FACES, self.weights)

    @chance(throws, on="dice", unless=lambda p: p.dice == 0)
    def thrown(self, p: Any, throw: Any) -> Any:
        """Throw one die or two."""
        return p.but(rolled=throw.sum, dice=0)

    @choice("shut", sets, on="rolled", when=lambda s, tiles: s.open & tiles.mask == tiles.mask)
    def shut(self, s: Any, tiles: Any) -> Any:
        """Shut tiles; a second player whose box is shut, or whose sum is lower, is done."""
        after = s.but(open=s.open - tiles.mask, rolled=0)
        after = after.but(dice=where(self.is_over(after) | self.choosable[after.open], 0, 2))
        return where((after.open == 0) & (s.mover == 0), self.handed_on(after), after) if self.two else after

    @choice("roll", HOW_MANY, when=lambda self, s, _: self.may_choose(s))
    def roll_some(self, s: Any, some: Any) -> Any:
        """Choose how many dice to throw."""
        return s.but(dice=some.dice)

    @choice("pass", when=lambda self, s: self.is_stuck(s))
    def hand_on(self, s: Any) -> Any:
        """Give the box to the second player."""
        return self.handed_on(s)

    def handed_on(self, s: Any) -> Any:
        """Open all tiles for the second player, who has a sum to beat."""
        return s.but(beat=self.sums[s.open], mover=1, rolled=0, **self.begin)

    def is_over(self, s: Any) -> Any:
        """Say where there is nothing left to throw for: the box is shut, or the second player's sum is lower."""
        shut = s.open == 0
        return shut | ((s.mover == 1) & (self.sums[s.open] < s.beat)) if self.two else shut

    def may_choose(self, s: Any) -> Any:
        """Say where the number of dice is to be chosen."""
        return (s.rolled == 0) & self.choosable[s.open] & ~self.is_over(s)

    def is_stuck(self, s: Any) -> Any:
        """Say where no tiles fit the first of two players' throw."""
        stuck = (s.rolled > 0) & ~self.fits[s.open, s.rolled]
        return stuck & (s.mover == 0) if self.two else s.rolled < 0

    def final(self, s: Any) -> Any:
        left = self.sums[s.open]
        return (left > s.beat) * 2 + (left == s.beat) if self.two else left

    # How it looks and speaks

    def heuristic(self, state: Any, action: str) -> float:
        """As few tiles as possible, and among these the highest; one die rather than two."""
        word, *rest = action.split()
        if word != "shut":
            return float(action == "roll one die")
        tiles = [int(tile) for tile in rest[0].split("+")]
        return max(tiles) - MOST * len(tiles)

    def vocabulary(self) -> Vocabulary:
        return tile_vocabulary(self)

    def dimensions(self) -> Mapping[str, int]:
        return {"tiles": self.tiles}


def _check(tiles: int, one_die: str, aim: str, most_tiles: int | None, players: int) -> None:
    """Refuse options that do not exist. Raises `GameError`."""
    if not 2 <= tiles <= MOST:
        raise GameError(f"tiles={tiles}: expected 2 to {MOST} tiles")
    if one_die not in ONE_DIE:
        raise GameError(f"one_die={one_die!r} was given: expected {Choice(*ONE_DIE).expected}")
    if aim not in AIMS:
        raise GameError(f"aim={aim!r} was given: expected {Choice(*AIMS).expected}")
    if most_tiles is not None and most_tiles < 1:
        raise GameError(f"at most {most_tiles} tiles may be shut after a throw: expected at least 1")
    if players not in (1, 2):
        raise GameError(f"{players} players: expected 1 or 2")
