"""Words: reroll any of the dice until they spell a word in some order; as few rolls as possible.

Rules. There are d dice, each with symbols on its faces (repeats allowed). All are rolled first. Then, as long as the dice do
not spell a word of the dictionary in some order, any non-empty set of them is rolled again. Every roll counts 1, the first one
included. A dictionary that the dice cannot spell makes the game impossible: its value is infinite.

Source: ICPC World Finals 2023, problem K "Alea Iacta Est".
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rollwise.errors import GameError
from rollwise.games.reroll import GOALS_SHOWN, STAR, RerollGame, RerollView
from rollwise.model.message import Message
from rollwise.model.parameter import File, Names, Parameter
from rollwise.model.view import Rules

__all__ = ["STAR", "Words"]


class WordsView(RerollView):
    """The board and the words of the game."""

    game: "Words"

    def rules(self) -> Rules:
        turn = Message("rules.words.turn", {"dice": Message("n.die", {"n": len(self.game.dice)})})
        return Rules((turn, Message("rules.words.fewest")))

    def _next(self, chance: float) -> Message:
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
        Parameter.known("dice", Names(), key="words-dice", example="AEIOUY,BCDLMP,AEINRS,DEKNST"),
        Parameter.known("words", File(), example="BEAT,BIRD,BONE,CARD,COIN,DICE,DUNE,DUST,LAKE,LAND,LINE,MASK,MINT,PINE,PORT"),
    )
    goal_word = "word"
    finish_word = "spells"

    def __init__(self, dice: Sequence[str], words: Iterable[str] | Path) -> None:
        self.words = _read_words(words)
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
