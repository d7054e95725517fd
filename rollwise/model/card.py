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
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

from rollwise.errors import GameError, brief, hint, one_of
from rollwise.model.card_tokens import Token, Tokens, listed

__all__ = [
    "Amount", "Card", "CardFeature", "CardLine", "Comparison", "StrategyCard", "Verb", "Vocabulary", "divided", "read_card",
    "true_or_not", "words_of",
]  # fmt: skip

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
    action: Any = field(default=None, kw_only=True)
    numbers: tuple[str, ...] = ()
    """The numbers that a card may give for it; if there are any, `find` takes them too, by name."""
    prefers: Callable[[Any], Any] | None = field(default=None, repr=False, kw_only=True)
    """Given where it means the first move to the position with the highest number; it takes columns of many positions, too."""

    def means(self, state: Any, numbers: Mapping[str, int]) -> Any:
        """Give the action that it means in a position of a card with these numbers; None: it means none."""
        return self.find(state, numbers) if self.numbers else self.find(state)


class Vocabulary(NamedTuple):
    """The words of a game: what can be seen, and what can be done."""

    features: tuple[CardFeature, ...]
    verbs: tuple[Verb, ...]

    def seen_from(self, inner: Callable[[Any], Any], *more: CardFeature) -> "Vocabulary":
        """Give the words of a game whose positions have those of this one inside, and other features, which go before its own."""
        new = {feature.name for feature in more}
        features = [replace(one, read=_through(one.read, inner), many=False) for one in self.features if one.name not in new]
        verbs = [replace(verb, find=_through(verb.find, inner), prefers=None) for verb in self.verbs]
        return Vocabulary((*features, *more), tuple(verbs))


def _through(ask: Callable[..., Any], inner: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda state, *more: ask(inner(state), *more)


class Amount(NamedTuple):
    """A sum: whole numbers and features with factors, each of them divided by a whole number (1: not at all)."""

    terms: tuple[tuple[int, str, int], ...]
    """(factor, feature or "" for the number itself, divisor)"""

    def worth(self, seen: Callable[[str], int]) -> int:
        """Add it up in a position."""
        return sum(divided(factor, seen(name) if name else 1, divisor) for factor, name, divisor in self.terms)


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

    def with_lines(self, *lines: CardLine) -> "Card":
        """Give the card with other lines."""
        return replace(self, lines=lines)

    def without(self, place: int) -> "Card":
        """Give the card without a line."""
        return self.with_lines(*self.lines[:place], *self.lines[place + 1 :])

    @property
    def features(self) -> list[str]:
        """The features that its conditions ask for, by name, in the order in which they come."""
        compared = [one for line in self.lines for every in line.condition for one in every]
        names = [name for one in compared for amount in (one.left, one.right) for _, name, _ in amount.terms if name]
        return list(dict.fromkeys(names))

    def words(self, game: Any) -> Vocabulary:
        """Give those words of a game that it is written in. Raises `GameError` for one that the game has not."""
        features, verbs = words_of(game)
        done = dict.fromkeys(line.verb for line in self.lines)
        unknown = [name for name in self.features if name not in features] + [name for name in done if name not in verbs]
        if unknown:
            raise GameError(
                f"the card says {unknown[0]!r}, which is no word of this game as it is played here: read it with its vocabulary()"
            )
        return Vocabulary(tuple(features[name] for name in self.features), tuple(verbs[name] for name in done))

    def weights(self, game: Any, state: Any) -> Mapping[Any, int]:
        """Do what the first line says that fits."""
        return {self.choose(game, state)[1]: 1}

    def choose(self, game: Any, state: Any) -> tuple[int, Any]:
        """Give the number of the line that is played, from 0 on, and the action; line -1: none fits."""
        features, verbs = words_of(game)
        seen, numbers = _Seen(features, state), dict(self.numbers)
        try:
            for number, line in enumerate(self.lines):
                if line.fits(seen) and (action := verbs[line.verb].means(state, numbers)) is not None:
                    return number, action
        except KeyError:
            self.words(game)
            raise
        return -1, game.actions(state)[0]

    def __str__(self) -> str:
        told = {"game": self.game, "aim": self.aim, "kind": "" if self.kind == "rules" else self.kind}
        heads = [f"{name} {text}" for name, text in told.items() if text]
        numbers = [f"{name} = {number}" for name, number in self.numbers]
        return "".join(f"{line}\n" for line in (*heads, *numbers, *self.lines))


StrategyCard = Card
"""What a card is called outside, where a card may also be what a duel is solved on."""

Words = tuple[Mapping[str, CardFeature], Mapping[str, Verb]]

_WORDS: WeakKeyDictionary[Any, Words] = WeakKeyDictionary()
"""The words of games, once requested: not among a game's attributes, which say what it is."""


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


def divided(factor: int, number: Any, divisor: int) -> Any:
    """Give a term of a sum: divided and rounded to the nearest whole number, halves up, before a minus takes it away.

    >>> 21 + divided(1, 4, 8), 21 + divided(-1, 4, 8)
    (22, 20)
    """
    if divisor == 1:
        return factor * number
    return (-1 if factor < 0 else 1) * ((2 * abs(factor) * number + divisor) // (2 * divisor))


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
    r"""Read a strategy card from its text, with the vocabulary of a game.

    >>> from rollwise.games import load
    >>> print(read_card("if turn total > 24: hold  # that is enough\notherwise: roll", load("pig").vocabulary()), end="")
    if turn total > 24: hold
    otherwise: roll

    Raises `GameError` with the first line that cannot be read.
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
        self.verbs = {verb.name.lower(): verb.name for verb in vocabulary.verbs}
        self.named = {name for verb in vocabulary.verbs for name in verb.numbers}
        self.tokens = Tokens(self.features)
        self.heads: dict[str, str] = {}
        self.lines: list[CardLine] = []
        self.numbers: dict[str, int] = {}

    def take(self, line: str) -> None:
        """Read a line."""
        colons = [place for place, sign in enumerate(line) if sign == ":"]
        if not colons:
            self._head(line)
            return
        # A verb may have a colon of its own: the first after which a verb stands ends the condition.
        at = next((place for place in colons if _verb_in(line, place) in self.verbs), colons[0])
        verb = _verb_in(line, at)
        if verb not in self.verbs:
            raise GameError(f"unknown verb {brief(verb)}{hint(verb, self.verbs)} (known: {listed(self.verbs.values())})")
        self.lines.append(CardLine(self._condition(line[:at].strip()), self.verbs[verb]))

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
        if name in self.heads:
            raise GameError(f"{brief(line)}: the card says its {name} already, {self.heads[name]}")
        if name == "kind":
            one_of("kind of card", text, KINDS)
        self.heads[name] = text

    def _number(self, name: str, number: int) -> None:
        if name not in self.named:
            known = f" (known: {listed(sorted(self.named))})" if self.named else "; the verbs of this game go by none"
            raise GameError(f"unknown number {brief(name)}{hint(name, self.named)}{known}")
        if name in self.numbers or self.lines:
            raise GameError(f"{brief(name)} = {number}: expected each number once, before the rules")
        self.numbers[name] = number

    def _condition(self, text: str) -> Condition:
        begin = re.match(r"(?:else )?(?:if|when) ", text, re.IGNORECASE)
        text = text[begin.end() :] if begin else text
        if text.lower() in ("", "otherwise", "else", "always"):
            return ((),)
        return _ConditionReader(text, self.tokens.split(text), self.features).read()


def _verb_in(line: str, colon: int) -> str:
    return line[colon + 1 :].strip().lower()


class _ConditionReader:
    """Reads the condition of a line from its pieces."""

    def __init__(self, text: str, tokens: list[Token], features: Mapping[str, CardFeature]) -> None:
        self.text, self.tokens, self.features = text, tokens, features
        self.place = 0

    def read(self) -> Condition:
        """Read alternatives, each of them comparisons."""
        every = [self._all_of()]
        while self._take("word", "or"):
            every.append(self._all_of())
        if self.place < len(self.tokens):
            raise self._wrong("'and', 'or' or ':'")
        return tuple(every)

    def _all_of(self) -> tuple[Comparison, ...]:
        found = list(self._comparisons())
        while self._take("word", "and"):
            found += self._comparisons()
        return tuple(found)

    def _comparisons(self) -> list[Comparison]:
        """Read `not 9 open`, `9 open`, `gap >= 8` or `8 <= gap <= 20`."""
        if self._take("word", "not"):
            name = self._take("feature")
            if name and self.features[name].is_flag and not self._next("operator", "sign"):
                return [true_or_not(name, wanted=False)]
            raise GameError(
                f"in {brief(self.text)}: 'not' belongs before a feature that is true or false; turn the comparison round"
            )
        sides = [self._amount()]
        operators: list[str] = []
        while operator := self._take("operator"):
            operators.append(operator)
            sides.append(self._amount())
        if not operators:
            return [self._flag(sides[0])]
        return [self._compared(left, operator, right) for left, operator, right in zip(sides, operators, sides[1:], strict=False)]

    def _compared(self, left: Amount, operator: str, right: Amount) -> Comparison:
        """Give a comparison; what says of a flag that it is 1 or 0 says that it is true or not."""
        plain, number = _plain(left), _number(right)
        if operator == "=" and plain and self.features[plain].is_flag and number in (0, 1):
            return true_or_not(plain, wanted=bool(number))
        return Comparison(left, operator, right)

    def _flag(self, amount: Amount) -> Comparison:
        name = _plain(amount)
        if name is None or not self.features[name].is_flag:
            what = brief(_write_amount(amount))
            example = name or next(iter(self.features), "turn total")
            raise GameError(f"in {brief(self.text)}: {what} is a number: expected a comparison, such as '{example} >= 2'")
        return true_or_not(name)

    def _amount(self) -> Amount:
        sign = -1 if self._take("sign", "-") else 1
        terms = [self._term(sign)]
        while self._next("sign") in ("+", "-"):
            sign = 1 if self._take("sign") == "+" else -1
            terms.append(self._term(sign))
        return Amount(tuple(terms))

    def _term(self, sign: int) -> tuple[int, str, int]:
        """Read `7`, `gap`, `2 * gap`, `gap * 2` or `gap / 8`."""
        factor, name, divisor = 1, self._take("feature") or "", 1
        if not name:
            factor = self._whole("a feature or a whole number")
        if self._take("sign", "*"):
            more = self._take("feature") if not name else ""
            name, factor = (more, factor) if more else (name, factor * self._whole("a whole number"))
        if self._take("sign", "/"):
            divisor = self._whole("a whole number")
            if divisor == 0:
                raise GameError(f"in {brief(self.text)}: a division by 0")
        return sign * factor, name, divisor

    def _whole(self, wanted: str) -> int:
        text = self._take("number")
        if text is None:
            raise self._wrong(wanted)
        return int(text)

    def _next(self, *kinds: str) -> str | None:
        token = self.tokens[self.place] if self.place < len(self.tokens) else None
        return token.text if token and token.kind in kinds else None

    def _take(self, kind: str, text: str = "") -> str | None:
        found = self._next(kind)
        if found is None or (text and found != text):
            return None
        self.place += 1
        return found

    def _wrong(self, wanted: str) -> GameError:
        got = brief(self.tokens[self.place].text) if self.place < len(self.tokens) else "the end"
        return GameError(f"in {brief(self.text)}: expected {wanted}, got {got}")


def _plain(amount: Amount) -> str | None:
    """Give the feature that a sum consists of, if it is nothing else."""
    return (
        amount.terms[0][1]
        if len(amount.terms) == 1 and amount.terms[0][1:] != ("", 1) and amount.terms[0][::2] == (1, 1)
        else None
    )


def _number(amount: Amount) -> int | None:
    """Give the whole number that a sum consists of, if it is nothing else."""
    return amount.terms[0][0] if len(amount.terms) == 1 and amount.terms[0][1:] == ("", 1) else None
