"""Strategy cards: a strategy in a few lines that a person can carry, as text and as a policy.

    if turn total >= 25: hold
    otherwise: roll

A card is an ordered list of lines; the first that fits is played. A line fits where its condition holds and its verb means a
legal move. The words, features of a position and verbs, are the game's own (`Game.vocabulary`). A condition is made of
comparisons of sums of features and whole numbers, joined by `and` and `or` (`and` binds tighter); a feature that is 0 or 1 may
stand alone, or after `not`. `/` divides and rounds to the nearest whole number, halves up. Where no line fits, the first move
that the rules list is made.

`#` begins a comment. Before the rules a card may say what it is for, one a line: `game pig`, `aim at-least 1`, `kind formula`. Of
a formula the whole numbers count as its size, of other cards the lines. Some verbs go by numbers that the card gives, one a line
before the rules, such as `par ones = 2`; each counts as a line.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

from rollwise.errors import GameError, brief, hint, one_of

__all__ = ["Amount", "Card", "CardFeature", "CardLine", "Comparison", "Verb", "Vocabulary", "read_card", "true_or_not"]

OPERATORS: Mapping[str, Callable[[int, int], bool]] = {
    ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b, "<": lambda a, b: a < b, "=": lambda a, b: a == b,
}  # fmt: skip
KINDS = ("rules", "tree", "formula")
HEADS = ("game", "aim", "kind")


@dataclass(frozen=True)
class CardFeature:
    """A number that a player sees in a position, by the words for it; `says` explains them in a sentence.

    `many` says that `read` takes columns of many positions, too, as rules over columns do, and gives a number for each.
    """

    name: str
    read: Callable[[Any], int] = field(repr=False)
    low: int = 0
    high: int = 1
    says: str = ""
    many: bool = False

    @property
    def is_flag(self) -> bool:
        """Whether it is only true or false."""
        return (self.low, self.high) == (0, 1)


@dataclass(frozen=True)
class Verb:
    """What a player does, by the words for it: `find` gives the action it means in a position, or None where it means none.

    `action` is given where it is the same one wherever it is offered, and elsewhere the verb means none.
    """

    name: str
    find: Callable[..., Any] = field(repr=False)
    says: str = ""
    action: Any = None
    numbers: tuple[str, ...] = ()
    """The numbers that a card may give for it; if there are any, `find` takes them too, by name."""

    def means(self, state: Any, numbers: Mapping[str, int]) -> Any:
        """Give the action that it means in a position of a card with these numbers; None: it means none."""
        return self.find(state, numbers) if self.numbers else self.find(state)


class Vocabulary(NamedTuple):
    """The words of a game: what can be seen, and what can be done."""

    features: tuple[CardFeature, ...]
    verbs: tuple[Verb, ...]


class Amount(NamedTuple):
    """A sum: whole numbers and features with factors, each of them divided by a whole number (1: not at all)."""

    terms: tuple[tuple[int, str, int], ...]
    """(factor, feature or "" for the number itself, divisor)"""

    def worth(self, seen: Callable[[str], int]) -> int:
        """Add it up in a position."""
        return sum(_rounded(factor * (seen(name) if name else 1), divisor) for factor, name, divisor in self.terms)


class Comparison(NamedTuple):
    """Two sums and what must hold between them; one of a feature that is true or false (`true_or_not`) is a flag."""

    left: Amount
    operator: str
    right: Amount
    flag: bool = False

    def holds(self, seen: Callable[[str], int]) -> bool:
        """Say whether it holds in a position."""
        return OPERATORS[self.operator](self.left.worth(seen), self.right.worth(seen))


def true_or_not(name: str, wanted: bool = True) -> Comparison:
    """Give the condition that a feature is true, or that it is not."""
    return Comparison(Amount(((1, name, 1),)), "=", Amount(((int(wanted), "", 1),)), flag=True)


Condition = tuple[tuple[Comparison, ...], ...]
"""Alternatives, each of them comparisons that all must hold; one without comparisons always holds."""


class CardLine(NamedTuple):
    """When to do what."""

    condition: Condition
    verb: str

    def fits(self, seen: Callable[[str], int]) -> bool:
        """Say whether the condition holds in a position."""
        return any(all(comparison.holds(seen) for comparison in every) for every in self.condition)

    @property
    def always(self) -> bool:
        """Whether it has no condition."""
        return any(not every for every in self.condition)

    @property
    def integers(self) -> int:
        """How many whole numbers a player has to remember for it."""
        amounts = [amount for every in self.condition for one in every if not one.flag for amount in (one.left, one.right)]
        return sum(
            (not name) + (name != "" and abs(factor) != 1) + (divisor != 1) for a in amounts for factor, name, divisor in a.terms
        )

    def __str__(self) -> str:
        if self.always:
            return f"otherwise: {self.verb}"
        return f"if {' or '.join(' and '.join(map(_write, every)) for every in self.condition)}: {self.verb}"


@dataclass(frozen=True)
class Card:
    """An ordered list of lines as a strategy; `kind` is rules, tree or formula.

    `game` and `aim` say what it was made for; "": it does not say.
    """

    name: ClassVar[str] = "card"

    lines: tuple[CardLine, ...]
    kind: str = "rules"
    game: str = ""
    aim: str = ""
    numbers: tuple[tuple[str, int], ...] = ()
    """What verbs go by, such as ("par ones", 2): each is a line of its own."""

    @property
    def size(self) -> int:
        """The lines, or the whole numbers of a formula."""
        lines = sum(line.integers for line in self.lines) if self.kind == "formula" else len(self.lines)
        return lines + len(self.numbers)

    def weights(self, game: Any, state: Any) -> Mapping[Any, int]:
        """Do what the first line says that fits."""
        return {self.choose(game, state)[1]: 1}

    def choose(self, game: Any, state: Any) -> tuple[int, Any]:
        """Give the number of the line that is played, from 0 on, and the action; line -1: none fits."""
        alone, at = game.alone(), game.alone_at(state)
        features, verbs = words_of(alone)
        seen, numbers = _Seen(features, at), dict(self.numbers)
        for number, line in enumerate(self.lines):
            if line.fits(seen) and (action := verbs[line.verb].means(at, numbers)) is not None:
                return number, action
        return -1, alone.actions(at)[0]

    def __str__(self) -> str:
        told = {"game": self.game, "aim": self.aim, "kind": "" if self.kind == "rules" else self.kind}
        heads = [f"{name} {text}" for name, text in told.items() if text]
        numbers = [f"{name} = {number}" for name, number in self.numbers]
        return "".join(f"{line}\n" for line in (*heads, *numbers, *self.lines))


Words = tuple[Mapping[str, CardFeature], Mapping[str, Verb]]

_WORDS: WeakKeyDictionary[Any, Words] = WeakKeyDictionary()
"""The words of games that were asked for: not among a game's attributes, which say what it is."""


def words_of(game: Any) -> Words:
    """Give the words of a game by name."""
    known = _WORDS.get(game)
    if known is None:
        features, verbs = game.vocabulary()
        known = _WORDS[game] = ({feature.name: feature for feature in features}, {verb.name: verb for verb in verbs})
    return known


class _Seen:
    """What is seen in a position, each feature read once."""

    def __init__(self, features: Mapping[str, CardFeature], state: Any) -> None:
        self.features, self.state = features, state
        self.known: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        if name not in self.known:
            self.known[name] = self.features[name].read(self.state)
        return self.known[name]


def _rounded(number: int, divisor: int) -> int:
    """Divide and round to the nearest whole number, halves up."""
    return number if divisor == 1 else (2 * number + divisor) // (2 * divisor)


def _write(comparison: Comparison) -> str:
    if comparison.flag:
        return ("" if comparison.right.terms[0][0] else "not ") + comparison.left.terms[0][1]
    return f"{_write_amount(comparison.left)} {comparison.operator} {_write_amount(comparison.right)}"


def _write_amount(amount: Amount) -> str:
    text = ""
    for factor, name, divisor in amount.terms:
        size = abs(factor)
        term = (name if size == 1 else f"{size} * {name}") if name else str(size)
        term += f" / {divisor}" if divisor != 1 else ""
        sign = "-" if factor < 0 else "+"
        text += f" {sign} {term}" if text else f"-{term}" if factor < 0 else term
    return text


def read_card(text: str, vocabulary: Vocabulary) -> Card:
    r"""Read a card. Raises `GameError` with the line for anything that is not one.

    >>> turn = CardFeature("turn total", lambda state: state, 0, 100)
    >>> words = Vocabulary((turn,), (Verb("hold", lambda state: "hold"), Verb("roll", lambda state: "roll")))
    >>> print(read_card("if turn total > 24: hold  # that is enough\notherwise: roll", words), end="")
    if turn total > 24: hold
    otherwise: roll
    """
    reader = _Reader(vocabulary)
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = " ".join(raw.partition("#")[0].split())
        if line:
            try:
                reader.take(line)
            except GameError as error:
                raise GameError(f"line {number}: {error}") from None
    return reader.card()


class _Reader:
    """Reads a card line by line."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.features = {feature.name: feature for feature in vocabulary.features}
        self.verbs = {verb.name for verb in vocabulary.verbs}
        self.named = {name for verb in vocabulary.verbs for name in verb.numbers}
        names = sorted(map(re.escape, self.features), key=len, reverse=True)
        self.feature = re.compile(rf"(?:{'|'.join(names)})(?![\w-])") if names else None
        self.heads: dict[str, str] = {}
        self.lines: list[CardLine] = []
        self.numbers: dict[str, int] = {}

    def take(self, line: str) -> None:
        """Read a line."""
        condition, colon, verb = line.rpartition(":")
        if not colon:
            self._head(line)
            return
        verb = verb.strip()
        if verb not in self.verbs:
            raise GameError(
                f"unknown verb {brief(verb)}{hint(verb, self.verbs)}: expected one of {', '.join(sorted(self.verbs))}"
            )
        self.lines.append(CardLine(self._condition(condition.strip()), verb))

    def card(self) -> Card:
        """Give the card that was read."""
        if not self.lines:
            raise GameError("the card has no rules: expected lines such as 'if turn total >= 25: hold'")
        kind, game, aim = self.heads.get("kind", "rules"), self.heads.get("game", ""), self.heads.get("aim", "")
        return Card(tuple(self.lines), kind, game, aim, tuple(self.numbers.items()))

    def _head(self, line: str) -> None:
        if number := re.fullmatch(r"([^=<>]+?) ?= ?(-?[0-9]{1,9})", line):
            self._number(number[1], int(number[2]))
            return
        name, _, text = line.partition(" ")
        if name not in HEADS or not text or self.lines:
            raise GameError(f"expected WHEN: VERB, got {brief(line)}: write 'if CONDITION: VERB' or 'otherwise: VERB'")
        if name == "kind":
            one_of("kind of card", text, KINDS)
        self.heads[name] = text

    def _number(self, name: str, number: int) -> None:
        if name not in self.named:
            known = f": {', '.join(sorted(self.named))}" if self.named else "; the verbs of this game go by none"
            raise GameError(f"unknown number {brief(name)}{hint(name, self.named)}{known}")
        if name in self.numbers or self.lines:
            raise GameError(f"{brief(name)} = {number}: expected each number once, before the rules")
        self.numbers[name] = number

    def _condition(self, text: str) -> Condition:
        for word in ("if ", "when "):
            text = text.removeprefix(word)
        if text in ("", "otherwise", "else", "always"):
            return ((),)
        return tuple(tuple(self._comparison(one) for one in re.split(r"\band\b", every)) for every in re.split(r"\bor\b", text))

    def _comparison(self, text: str) -> Comparison:
        sides = re.split(r"(>=|<=|!=|[><=])", text)
        if len(sides) == 3:
            return Comparison(self._amount(sides[0]), sides[1], self._amount(sides[2]))
        name, wanted = text.strip(), True
        if len(sides) == 1 and name.startswith("not "):
            name, wanted = name[4:].strip(), False
        if len(sides) != 1 or name not in self.features:
            raise GameError(
                f"expected a comparison such as 'turn total >= 25', got {brief(text.strip())}{hint(name, self.features)}"
            )
        if not self.features[name].is_flag:
            raise GameError(f"{name!r} is a number: expected a comparison, such as '{name} >= {self.features[name].high}'")
        return true_or_not(name, wanted)

    def _amount(self, text: str) -> Amount:
        terms, left = [], text.strip()
        sign = 1
        if left.startswith("-"):
            sign, left = -1, left[1:].strip()
        while True:
            term, left = self._term(left, text.strip())
            terms.append((sign * term[0], term[1], term[2]))
            if not left:
                return Amount(tuple(terms))
            if left[0] not in "+-":
                raise GameError(f"in {brief(text.strip())}: expected + or - before {brief(left)}")
            sign, left = (1 if left[0] == "+" else -1), left[1:].strip()

    def _term(self, left: str, whole: str) -> tuple[tuple[int, str, int], str]:
        """Read `7`, `gap`, `2 * gap` or `gap / 8`, and give what follows."""
        factor, name, divisor = 1, "", 1
        if number := re.match(r"([0-9]{1,9})\s*(\*?)\s*", left):
            factor, left = int(number[1]), left[number.end() :]
            if not number[2]:
                return (factor, "", 1), left
        found = self.feature.match(left) if self.feature else None
        if not found:
            raise GameError(
                f"in {brief(whole)}: expected a number or a feature{hint(left, self.features)}: {', '.join(self.features)}"
            )
        name, left = found[0], left[found.end() :].strip()
        if number := re.match(r"/\s*([0-9]{1,9})\s*", left):
            divisor, left = int(number[1]), left[number.end() :]
            if divisor == 0:
                raise GameError(f"in {brief(whole)}: a division by 0")
        return (factor, name, divisor), left
