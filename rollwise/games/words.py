"""Words: reroll any of the dice until they spell a word in some order; as few rolls as possible.

Rules. There are d dice, each with symbols on its faces (repeats allowed). All are rolled first. Then, as long as the dice do
not spell a word of the dictionary in some order, any non-empty set of them is rolled again. Every roll counts 1, the first one
included. A dictionary that the dice cannot spell makes the game impossible: its value is infinite.

Source: ICPC World Finals 2023, problem K "Alea Iacta Est".
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path

from rollwise.errors import GameError, PositionError
from rollwise.model.game import Game, Parameter
from rollwise.model.notation import counted
from rollwise.model.objective import Fewest, Objective
from rollwise.model.roll import Roll, die

__all__ = ["STAR", "Words", "patterns_of"]

STAR = "*"
RESERVED = {STAR, ","}
MOST_DICE = 16

Faces = tuple[str, ...]
"""What each die shows; `*` for a die that is being rolled."""


class Words(Game[Faces, Faces, Faces]):
    """Spell a word with dice. An action is the pattern that is kept, `*` for the dice to roll again.

    >>> game = Words(dice=["AB", "CD"], words=["CA"])
    >>> game.actions(("A", "C")), game.actions(("A", "D"))
    ((), (('A', '*'), ('*', 'D'), ('*', '*')))
    >>> import rollwise
    >>> rollwise.solve(game, exact=True).value()
    Fraction(8, 3)

    Raises `GameError` for a die without symbols, a symbol `*` or white space, or a word of the wrong length.
    """

    parameters = (
        Parameter("dice", lambda text: text.split(","), "the dice, symbols of each: ABCDEF,GHIJKL,..."),
        Parameter("words", lambda text: Path(text[1:]) if text.startswith("@") else text.split(","), "WORD,WORD,... or @FILE"),
    )
    action_word = "keep"

    def __init__(self, dice: Sequence[str], words: Iterable[str] | Path) -> None:
        if not all(dice):
            raise GameError(f"dice {list(dice)}: expected symbols on every die, such as ABC,DEF")
        self.dice = tuple(tuple(sorted(die(symbols).items())) for symbols in dice)
        if not self.dice:
            raise GameError("words needs at least one die: give dice=ABCDEF,...")
        if len(self.dice) > MOST_DICE:
            raise GameError(f"{len(self.dice)} dice have 2**{len(self.dice)} ways to reroll: expected at most {MOST_DICE}")
        for faces in dice:
            if any(symbol.isspace() or len(symbol) != 1 or symbol in RESERVED for symbol in faces):
                raise GameError(f"die {faces!r}: symbols are single characters, not white space, a comma or '*'")
        self.words = _read_words(words)
        for word in self.words:
            if STAR in word:
                raise GameError(f"word {word!r} has a '*', which no die can show: leave it out")
            if len(word) != len(self.dice):
                raise GameError(
                    f"word {word!r} has {counted(len(word), 'symbol')}, but there {_dice(len(self.dice))}: they must be equal"
                )
        self.goals = frozenset("".join(sorted(word)) for word in self.words)
        self.weights = [dict(faces) for faces in self.dice]
        self.patterns = patterns_of(len(self.dice))

    @property
    def objective(self) -> Objective:
        return Fewest()

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

    def greed(self, state: Faces, action: Faces) -> float:
        """The chance that the next roll spells a word."""
        return self._finish(action)

    @lru_cache(maxsize=1 << 16)  # noqa: B019
    def _finish(self, pending: Faces) -> float:
        roll = self.roll(pending)
        return sum(w for s, w in roll.items() if "".join(sorted(s)) in self.goals) / sum(roll.values())

    def show_state(self, state: Faces) -> str:
        return "".join(state)

    def read_state(self, text: str) -> Faces:
        state = tuple(text.strip().replace(",", ""))
        if len(state) != len(self.dice) or any(face not in faces for face, faces in zip(state, self.weights, strict=True)):
            sides = ",".join("".join(faces) for faces in self.weights)
            raise PositionError(f"{text!r} is not a roll of the dice: expected one symbol of each of {sides}, in order")
        return state

    def show_action(self, action: Faces) -> str:
        return "".join(action)

    def read_action(self, text: str) -> Faces:
        action = tuple(text.strip())
        if len(action) != len(self.dice) or STAR not in action:
            raise PositionError(f"{text!r} is not a reroll: expected {len(self.dice)} symbols, '*' for each die to roll")
        return action

    def show_pending(self, pending: Faces) -> str:
        return "".join(pending)

    def columns(self, state: Faces) -> Mapping[str, str]:
        return {"dice": self.show_state(state)}


@lru_cache(maxsize=MOST_DICE)
def patterns_of(count: int) -> tuple[tuple[bool, ...], ...]:
    """List which of so many dice may be rolled again, fewest first.

    >>> patterns_of(2)
    ((False, True), (True, False), (True, True))
    """
    patterns = (pattern for pattern in product((False, True), repeat=count) if any(pattern))
    return tuple(sorted(patterns, key=lambda pattern: (sum(pattern), [not roll for roll in pattern][::-1])))


def _dice(count: int) -> str:
    return "is 1 die" if count == 1 else f"are {count} dice"


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
