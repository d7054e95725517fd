"""Words: reroll any of the dice until they spell a word in some order; as few rolls as possible.

Rules. There are d dice, each with symbols on its faces (repeats allowed). All are rolled first. Then, as long as the dice do
not spell a word of the dictionary in some order, any non-empty set of them is rolled again. Every roll counts 1, the first one
included. A dictionary that the dice cannot spell makes the game impossible: its value is infinite.

`RerollGame` is the family: the dice have symbols with integer weights. A goal is a multiset of symbols, one for each die: in
which order the dice show them makes no difference.

Without parameters there are five dice, and words that English and German share.

Source: ICPC World Finals 2023, problem K "Alea Iacta Est".
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import comb, prod
from pathlib import Path
from random import Random
from typing import Any

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.abilities import Draws, Heuristic, Sized
from rollwise.model.card import CardFeature, Verb, Vocabulary
from rollwise.model.formatting import counted
from rollwise.model.game import Game
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.notation import Notation
from rollwise.model.objectives import Fewest
from rollwise.model.packing import fold, unfold
from rollwise.model.parameter import File, Names, Parameter
from rollwise.model.reasons import Comparison, join_reasons, name_costs
from rollwise.model.roll import Roll, die
from rollwise.model.view import Rules, View

__all__ = ["STAR", "Faces", "RerollGame", "Words", "patterns_of"]

STAR = "*"
RESERVED = {STAR, ","}
MOST_DICE = 16
GOALS_SHOWN = 200
DICE = ("AEFLOU", "ABDGRT", "AIMORV", "KLNORS", "AEIPST")
WORDS = (
    "ALARM,ALBUM,ALIEN,ARENA,ATLAS,BONUS,DRAMA,KARMA,KOALA,LASER,LOTUS,MANGO,METRO,MOTOR,ORBIT,ORGAN,OTTER,PANDA,PASTA,PIANO,"
    "POKER,POLKA,RADAR,RADIO,RODEO,SALSA,SAMBA,SAUNA,SOLAR,SPORT,START,STEAK,TANGO,TEMPO,TENOR,TIGER,TITAN,TOAST,TREND,VIDEO"
)

Faces = tuple[str, ...]
"""What each die shows; `*` for a die that is being rolled."""


class RerollNotation(Notation):
    """How positions and moves are written."""

    game: "RerollGame"

    def show_state(self, state: Faces) -> str:
        return "".join(state)

    def read_state(self, text: str) -> Faces:
        shown = re.sub(r"[\s,]", "", text)
        upper = shown.upper() if not set(shown) <= {face for faces in self.game.weights for face in faces} else shown
        state = tuple(upper)
        if len(state) != len(self.game.dice) or any(
            face not in faces for face, faces in zip(state, self.game.weights, strict=True)
        ):
            sides = ",".join("".join(faces) for faces in self.game.weights)
            raise PositionError(Message("error.symbols", {"text": brief(text), "dice": sides}))
        return state

    def pack_state(self, state: Faces) -> int:
        """For every die, the place of what it shows among its symbols in order; frozen."""
        places = [sorted(faces).index(shown) for shown, faces in zip(state, self.game.weights, strict=True)]
        return fold(0, *zip(places, map(len, self.game.weights), strict=True))

    def unpack_state(self, number: int) -> Faces:
        _, *places = unfold(number, *map(len, self.game.weights))
        return tuple(sorted(faces)[place] for place, faces in zip(places, self.game.weights, strict=True))

    def packed_by(self) -> str:
        return f"rerolls {','.join(''.join(sorted(faces)) for faces in self.game.weights)}"

    def show_action(self, action: Faces) -> str:
        return "".join(action)

    def read_action(self, text: str) -> Faces:
        action = tuple(text.strip())
        if len(action) != len(self.game.dice) or STAR not in action:
            raise PositionError(f"{text!r} is not a reroll: expected {len(self.game.dice)} symbols, '*' for each die to roll")
        return action

    def show_pending(self, pending: Faces) -> str:
        return "".join(pending)

    def columns(self, state: Faces) -> Mapping[str, str]:
        return {"dice": self.show_state(state)}


class RerollView(View):
    """The board and the words of the game."""

    game: "RerollGame"
    compares = "nothing"
    action_word = "keep"
    own_aim, other_aims = Fewest.aims[0], ()
    board_kind = "words"

    def show_dice(self, state: Faces) -> Faces:
        return state

    def name_move(self, state: Faces, action: Faces, *, beside: Faces | None = None) -> Text:
        held, other = (" ".join(symbol for symbol in each if symbol != STAR) for each in (action, beside or ()))
        if not held:
            return Message("words.roll-all")
        if beside is None or not other:
            return Message("words.holds", {"dice": held})
        return held if held != other else self.game.show_action(action)

    def because(self, move: Comparison) -> Text | None:
        both = [(move.action, move.facts), (move.rival, move.rival_facts)][: 1 + (move.rival is not None)]
        chances = [round_chance(facts["finish"] if "finish" in facts else self.game._finish(action)) for action, facts in both]
        if not move.has_better and move.rival is not None:
            return None
        odds = Message("words.chance" if len({*chances}) == 1 else "words.chances", {"chance": chances[0], "rival": chances[-1]})
        told = self._next(odds)
        if (chances[0] - chances[-1]) * float(move.gain) < 0:
            told = Message("words.later", {"does": told})
        return join_reasons(told, name_costs(move, "rolls"))

    def _next(self, chance: Message) -> Message:
        """Say how likely the next roll is the last."""
        word, finish = self.game.goal_word, self.game.finish_word
        if (word, finish) == (RerollGame.goal_word, RerollGame.finish_word):
            return Message("words.next-goal", {"chance": chance})
        goal = f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
        return Message("words.next-other", {"finish": finish, "goal": goal, "chance": chance})

    def decision(self, state: Faces) -> Text:
        return Message("words.what-to-keep")

    def board(self) -> Mapping[str, Any]:
        dice = ["".join(symbol * weight for symbol, weight in faces) for faces in self.game.dice]
        shown, start = sorted(self.game.goals)[:GOALS_SHOWN], self.notation.show_pending(self.game.start())
        return {"kind": self.board_kind, "dice": dice, "words": shown, "word_count": len(self.game.goals), "start": start}

    def position(self, state: Faces) -> Mapping[str, Any]:
        return {"kind": self.board_kind, "dice": list(state)}


class RerollGame(Game[Faces, Faces, Faces], Draws, Heuristic, Sized):
    """Roll dice until they show one of `goals`, texts with a symbol for each die, in any order.

    An action is the pattern that is kept, `*` for the dice to roll again.

    >>> import rollwise
    >>> rollwise.solve(RerollGame(["AB", "AB"], ["AA"]), exact=True).value()
    Fraction(8, 3)

    Raises `GameError` for a die without symbols, a symbol `*` or white space, or a goal of the wrong length.
    """

    notation = RerollNotation
    view = RerollView
    objective = Fewest()

    goal_word = "goal"
    finish_word = "shows"
    """How messages name a goal, and what a roll does to it."""

    def __init__(self, dice: Sequence[str], goals: Iterable[str]) -> None:
        if not all(dice):
            raise GameError(f"dice {list(dice)}: expected symbols on every die, such as ABC,DEF")
        self.dice = tuple(tuple(sorted(die(symbols).items())) for symbols in dice)
        if not self.dice:
            raise GameError(f"{type(self).__name__.lower()} needs at least one die: give dice=ABCDEF,...")
        if len(self.dice) > MOST_DICE:
            raise GameError(f"{len(self.dice)} dice have 2**{len(self.dice)} ways to reroll: expected at most {MOST_DICE}")
        for faces in dice:
            if any(symbol.isspace() or len(symbol) != 1 or symbol in RESERVED for symbol in faces):
                raise GameError(f"die {faces!r}: symbols are single characters, not white space, a comma or '*'")
        given = tuple(goals)
        for goal in given:
            if STAR in goal:
                raise GameError(f"{self.goal_word} {goal!r} has a '*', which no die can show: leave it out")
            if len(goal) != len(self.dice):
                there = "is 1 die" if len(self.dice) == 1 else f"are {len(self.dice)} dice"
                has = counted(len(goal), "symbol")
                raise GameError(f"{self.goal_word} {goal!r} has {has}, but there {there}: they must be equal")
        self.goals = frozenset("".join(sorted(goal)) for goal in given)
        self.weights = [dict(faces) for faces in self.dice]
        self.patterns = patterns_of(len(self.dice))

    def start(self) -> Faces:
        return (STAR,) * len(self.dice)

    def roll(self, pending: Faces) -> Mapping[Faces, int]:
        options = [self.weights[i] if shown == STAR else {shown: 1} for i, shown in enumerate(pending)]
        if all(weight == 1 for faces in options for weight in faces.values()):
            return dict.fromkeys(product(*options), 1)
        return Roll({faces: prod(options[i][face] for i, face in enumerate(faces)) for faces in product(*options)})

    def actions(self, state: Faces) -> Sequence[Faces]:
        if "".join(sorted(state)) in self.goals:
            return ()
        return tuple(
            tuple(STAR if roll else face for roll, face in zip(pattern, state, strict=True)) for pattern in self.patterns
        )

    def play(self, state: Faces, action: Faces) -> Faces:
        return action

    def cost(self, pending: Faces) -> int:
        """Count every roll, a sure one too."""
        return 1

    def heuristic(self, state: Faces, action: Faces) -> float:
        """The chance that the next roll spells a word."""
        return self._finish(action)

    @lru_cache(maxsize=1 << 16)  # noqa: B019
    def _finish(self, pending: Faces) -> float:
        roll = self.roll(pending)
        return sum(w for s, w in roll.items() if "".join(sorted(s)) in self.goals) / sum(roll.values())

    # The words of a strategy card

    def vocabulary(self) -> Vocabulary:
        goal, number = self.goal_word, len(self.dice)
        features = (
            CardFeature("letters", lambda s: self._nearest(s)[0], 0, number, f"the most dice that are right for one {goal}"),
            CardFeature(
                "missing", lambda s: number - self._nearest(s)[0], 0, number, f"the fewest dice that are not right for one {goal}"
            ),
            CardFeature(
                f"near {goal}s", lambda s: self._nearest(s)[1], 0, len(self.goals), f"how many {goal}s as many dice are right for"
            ),
        )
        verbs = (
            Verb(
                "hold for the nearest",
                lambda s: self._nearest(s)[2] if self.actions(s) else None,
                f"hold what is right for the {goal} with most dice right, of several the first by letters; roll the others",
            ),
            Verb(
                "hold the best chance",
                self._likeliest,
                f"hold the dice with which the next roll most likely {self.finish_word} a {goal}; of several ways the first",
            ),
            Verb("roll all", lambda s: self.start() if self.actions(s) else None, "roll all dice again"),
        )
        return Vocabulary(features, verbs)

    @lru_cache(maxsize=1 << 14)  # noqa: B019
    def _nearest(self, state: Faces) -> tuple[int, int, Faces]:
        """Give the most dice that are right for one goal, for how many goals, and what is held for the first of these."""
        held = [found for goal in sorted(self.goals) if (found := self._held(state, goal)) is not None]
        right = [sum(face != STAR for face in faces) for faces in held]
        most = max(right, default=0)
        return most, right.count(most), held[right.index(most)] if held else self.start()

    def _held(self, state: Faces, goal: str) -> Faces | None:
        """Hold the most dice with which the others can still make up a goal, the first dice first; None: they never can."""
        known: dict[tuple[int, str], tuple[int, Faces] | None] = {(len(state), ""): (0, ())}

        def best(die: int, left: str) -> tuple[int, Faces] | None:
            if (die, left) not in known:
                known[die, left] = max(ways(die, left), key=lambda way: way[0], default=None)
            return known[die, left]

        def ways(die: int, left: str) -> Iterator[tuple[int, Faces]]:
            for letter in sorted({*left} & {*self.weights[die]}, key=lambda one: one != state[die]):
                rest = best(die + 1, left.replace(letter, "", 1))
                if rest is not None:
                    right = letter == state[die]
                    yield rest[0] + right, (letter if right else STAR, *rest[1])

        found = best(0, goal)
        return None if found is None else found[1]

    def _likeliest(self, state: Faces) -> Faces | None:
        return max(self.actions(state), key=self._finish, default=None)

    def dimensions(self) -> Mapping[str, int]:
        """Count the cells of the table: for k equal dice of n faces the multisets of up to k symbols."""
        cells = prod(comb(len(faces) + k, k) for faces, k in Counter(self.dice).items())
        faces = max(sum(weight for _, weight in faces) for faces in self.dice)
        return {"dice to hold": len(self.dice), "faces on a die": faces, "ways to hold dice": cells}

    def draw(self, pending: Faces, random: Random) -> Faces:
        """Roll one die at a time: all rolls of many dice together do not fit into memory."""
        dice = zip(pending, self.weights, strict=True)
        return tuple(_pick(faces, random) if shown == STAR else shown for shown, faces in dice)

    def can_follow(self, pending: Faces, state: Faces) -> bool:
        dice = zip(pending, state, self.weights, strict=True)
        return all(shown == held or (held == STAR and shown in faces) for held, shown, faces in dice)


@lru_cache(maxsize=MOST_DICE)
def patterns_of(count: int) -> tuple[tuple[bool, ...], ...]:
    """List which of so many dice may be rolled again, fewest first.

    >>> patterns_of(2)
    ((False, True), (True, False), (True, True))
    """
    patterns = (pattern for pattern in product((False, True), repeat=count) if any(pattern))
    return tuple(sorted(patterns, key=lambda pattern: (sum(pattern), [not roll for roll in pattern][::-1])))


def _pick(faces: Mapping[str, int], random: Random) -> str:
    upto = list(accumulate(faces.values()))
    return list(faces)[bisect_right(upto, random.randrange(upto[-1]))]


class WordsView(RerollView):
    """The board and the words of the game."""

    game: "Words"

    def rules(self) -> Rules:
        turn = Message("rules.words.turn", {"dice": Message("n.die", {"n": len(self.game.dice)})})
        return Rules((turn, Message("rules.words.fewest")))

    def _next(self, chance: Message) -> Message:
        return Message("words.next-word", {"chance": chance})

    def board(self) -> Mapping[str, Any]:
        return {**super().board(), "words": list(self.game.words[:GOALS_SHOWN]), "word_count": len(self.game.words)}


class Words(RerollGame):
    """Spell a word with dice. An action is the pattern that is kept, `*` for the dice to roll again.

    >>> game = Words(dice=["AB", "CD"], words=["CA"])
    >>> game.actions(("A", "C")), game.actions(("A", "D"))
    ((), (('A', '*'), ('*', 'D'), ('*', '*')))
    >>> import rollwise
    >>> rollwise.solve(game, exact=True).value()
    Fraction(8, 3)

    Raises `GameError` for a die without symbols, a symbol `*` or white space, or a word of the wrong length.
    """

    view = WordsView

    parameters = (
        Parameter.known("dice", Names(), ",".join(DICE), key="words-dice"),
        Parameter.known("words", File(), WORDS),
    )
    goal_word = "word"
    finish_word = "spells"

    def __init__(self, dice: Sequence[str] = DICE, words: Iterable[str] | Path | None = None) -> None:
        self.words = _read_words(WORDS.split(",") if words is None else words)
        super().__init__(dice, self.words)


def _read_words(words: Iterable[str] | Path) -> tuple[str, ...]:
    if isinstance(words, Path):
        path = words
        try:
            words = path.read_text(encoding="utf-8-sig").split()
        except OSError as error:
            raise GameError(f"cannot read the words from {str(path)!r}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise GameError(f"cannot read the words from {str(path)!r}: it is not text in UTF-8") from None
        if not words:
            raise GameError(f"there are no words in {str(path)!r}: expected at least one")
    return tuple(dict.fromkeys(words))
