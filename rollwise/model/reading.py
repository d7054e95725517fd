"""Read what people type: names in any case, spacing and language, their short forms, lists of them, dice, numbers beside a word.

A name is compared by its `key`: its letters and numbers without case, blanks and hyphens. What it is called besides stands in the
catalogues of `rollwise.texts`: `box.NAME` and `move.NAME` in every language, short forms and other words in `typed.NAME`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from rollwise.errors import PositionError, brief
from rollwise.model.formatting import is_number
from rollwise.model.message import Message
from rollwise.texts import languages, read_texts

__all__ = [
    "Keep",
    "Key",
    "Typed",
    "cut_number",
    "find_names",
    "join_commas",
    "key",
    "one_name",
    "read_keep",
    "read_names",
    "read_race",
    "says",
]

Key = tuple[str, ...]
TOKEN = re.compile(r"\d+|[^\W\d_]+|[*/]|(?<!\S)-(?!\S)")
WORD = re.compile(r"[,;]|[^\s,;]+")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
SEPARATORS = (",", ";")
MARKERS = ("upper", "rerolls", "lead")
"""Words with a number beside them, which `:` or `=` may stand between."""


@lru_cache(maxsize=10_000)
def key(text: str) -> Key:
    """Give what names are compared by: numbers, and letters without what stands between them.

    >>> key("Full-House") == key("full house"), key("2,3 roll"), key("Große Straße")
    (True, ('2', '3', 'roll'), ('grossestrasse',))
    """
    found: list[str] = []
    for token in TOKEN.findall(unicodedata.normalize("NFC", text).casefold().translate(UMLAUTS)):
        if found and found[-1].isalpha() and token.isalpha():
            found[-1] += token
        else:
            found.append(token)
    return tuple(found)


@lru_cache(maxsize=10_000)
def _spellings(name: str) -> tuple[Key, ...]:
    """List the keys of what a name is called besides, in every language."""
    slug, (first, _, rest) = name.replace(" ", "-"), name.partition(" ")
    found: list[str] = []
    for texts in map(read_texts, languages()):
        found += [str(texts.get(f"{kind}.{slug}", "")) for kind in ("box", "move")]
        found += [str(texts.get(f"move.{first}.rest", "")).replace("{rest}", rest)] if rest else []
        found += str(texts.get(f"typed.{slug}", "")).split(",")
    return tuple(dict.fromkeys(known for each in found if (known := key(each)) and known != key(name)))


@lru_cache(maxsize=10_000)
def says(word: str, *names: str) -> bool:
    """Say whether a word is one of some names, or stands for one in some language.

    >>> says("Without", "but"), says("außer", "but"), says("with", "but")
    (True, True, False)
    """
    return any(key(word) in (key(name), *_spellings(name)) for name in names)


def find_names(typed: str, names: Sequence[str], *, whole: bool = False) -> list[str]:
    """Find the names that are meant: first those that are typed in full, then what begins like that, unless `whole` is asked for.

    >>> boxes = ["threes", "three-of-a-kind", "full-house", "small-straight", "large-straight"]
    >>> [find_names(typed, boxes) for typed in ("Full House", "3k", "three", "Kleine", "straight")]
    [['full-house'], ['three-of-a-kind'], ['threes', 'three-of-a-kind'], ['small-straight'], ['small-straight', 'large-straight']]
    """
    if typed in names:
        return [typed]
    wanted, begins = key(typed), "".join(key(typed))
    if not wanted:
        return []
    ways = [[name for name in names if key(name) == wanted], [name for name in names if wanted in _spellings(name)]]
    if not whole and not typed.replace(" ", "").isdecimal():
        ways.append([name for name in names if name.casefold().startswith(typed.casefold())])
    if not whole and not begins.isdecimal():
        ways.append([name for name in names if "".join(key(name)).startswith(begins)])
        ways.append([name for name in names if any("".join(known).startswith(begins) for known in _spellings(name))])
        ways.append([name for name in names if any("".join(key(word)).startswith(begins) for word in re.split("[- ]", name))])
    return next(filter(None, ways), [])


def one_name(typed: str, names: Sequence[str]) -> str:
    """Find the one name that is meant. Raises `PositionError`, with what was typed, where that is none or could be several."""
    found = find_names(typed, names)
    if len(found) == 1:
        return found[0]
    if found:
        raise PositionError(Message("error.name-many", {"typed": brief(typed), "names": found}))
    raise PositionError(Message("error.name-none", {"typed": brief(typed), "names": list(names)}))


def read_names(text: str, names: Mapping[str, int]) -> dict[str, int]:
    """Read a list of names, as `ones, full house and 3k`, `all` or `all but ones`, each with how many times it stands for.

    `names` says how many times a name may stand for; `fours:3` is three times fours.

    >>> boxes = {"ones": 1, "twos": 4, "full-house": 1}
    >>> read_names("Ones & full house", boxes), read_names("all but ones", boxes), read_names("twos:3", boxes)
    ({'ones': 1, 'full-house': 1}, {'twos': 4, 'full-house': 1}, {'twos': 3})

    Raises `PositionError` for a name that is none, could be several, or stands too often.
    """
    found: dict[str, int] = {}
    for name, times in _read_list(text, names):
        found[name] = found.get(name, 0) + times
        if not times or found[name] > names[name]:
            fault = "error.name-twice" if names[name] == 1 else "error.name-times"
            number = {"times": found[name], "most": names[name]}
            raise PositionError(Message(fault, {"name": repr(name), "text": brief(join_commas(text)), **number}))
    return found


def _read_list(text: str, known: Mapping[str, int]) -> list[tuple[str, int]]:
    names = list(known)
    words = WORD.findall(text)
    if all(word in known or word in SEPARATORS for word in words) and set(words) - set(SEPARATORS):
        return [(word, 1) for word in words if word in known]
    words = [word for word in words if not says(word, "filler") or find_names(word, names, whole=True)]
    if not set(words) - set(SEPARATORS):
        return [(one_name(text.strip(), names), 1)]
    if len(words) == 1 and words[0] not in known and says(words[0], "all", "none"):
        return list(known.items()) if says(words[0], "all") else []
    if len(words) > 2 and says(words[0], "all") and says(words[1], "but"):
        without = {name for name, _ in _read_pieces(words[2:], names)}
        return [(name, times) for name, times in known.items() if name not in without]
    if words and words[0] not in known and says(words[0], "all", "none"):
        return [(one_name(join_commas(" ".join(words)), names), 1)]
    return _read_pieces(words, names)


def _read_pieces(words: Sequence[str], names: Sequence[str]) -> list[tuple[str, int]]:
    """Read names with something between them, or else as many words as make up a name each."""
    if len(words) > 1 and len(found := find_names(" ".join(words), names, whole=True)) == 1:
        return [(found[0], 1)]
    pieces: list[list[str]] = [[]]
    for word in words:
        if word in SEPARATORS or says(word, "and"):
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [found for piece in pieces for found in _read_piece(piece, names)]


def _read_piece(words: Sequence[str], names: Sequence[str]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    while words:
        whole = [length for length in range(len(words), 0, -1) if _named(" ".join(words[:length]), names, whole=True)]
        length = whole[0] if whole else len(words) if len(_named(" ".join(words), names)) == 1 else 1
        typed = " ".join(words[:length])
        name, times = _with_times(typed, names)
        found.append((one_name(name, names), times))
        words = words[length:]
    return found


def _named(typed: str, names: Sequence[str], *, whole: bool = False) -> list[str]:
    return find_names(_with_times(typed, names)[0], names, whole=whole)


def _with_times(typed: str, names: Sequence[str]) -> tuple[str, int]:
    name, colon, times = typed.rpartition(":")
    counts = colon and is_number(times.strip()) and typed not in names
    return (name.strip(), int(times)) if counts else (typed, 1)


def join_commas(text: str) -> str:
    """Write commas without blanks around them: `1, 2` as `1,2`.

    >>> join_commas(" 1, 2 ,9   8 ")
    '1,2,9 8'
    """
    return re.sub(r" ?, ?", ",", " ".join(text.split()))


def cut_number(text: str, name: str) -> tuple[str, int | None]:
    """Take a word and the number after it, or else before it, out of a text, and leave the rest as it is; None for none.

    >>> cut_number("33561 2 all needs 45", "needs"), cut_number("(1, 2)", "needs")
    (('33561 2 all', 45), ('(1, 2)', None))
    """
    words = list(re.finditer(r"[^\s:=,;]+[:=,;]?", text))
    for place in reversed(range(len(words))):
        for number in (place + 1, place - 1) if says(words[place][0], name) else ():
            if 0 <= number < len(words) and is_number(words[number][0].strip(",;"), negative=True):
                begin, end = (words[at(number, place)] for at in (min, max))
                return (text[: begin.start()] + text[end.end() :]).strip(" ,;"), int(words[number][0].strip(",;"))
    return text, None


def _separator(word: str) -> str:
    """What stands between a word and a number after `:`; names keep it, as in `fours:3`."""
    return " " if word.isdecimal() or says(word, *MARKERS) else ":"


class Typed:
    """The words of a position as it was typed, to be taken out one after another."""

    def __init__(self, text: str) -> None:
        self.text = text
        split = re.sub(r"(?<!\w)(\w++)\s*+[:=]\s*+(?=\d)", lambda found: f"{found[1]}{_separator(found[1])}", text)
        self.words = WORD.findall(re.sub(r"[:=](?=\s|$)|(?<=\d)-(?=\d)|[][(){}]", " ", split))

    @property
    def rest(self) -> str:
        """What is left, with the blanks that separate words."""
        return " ".join(self.words).strip(" ,;")

    def take(self, *names: str) -> int:
        """Take out a word wherever it stands; say how often it did."""
        before = len(self.words)
        self.words = [word for word in self.words if word not in names and (word.isdecimal() or not says(word, *names))]
        return before - len(self.words)

    def take_one(self, *names: str) -> str | None:
        """Take out the word that stands for one of some names, and say which; None where there is none, or two."""
        found = [name for name in names if self.take(name)]
        return found[0] if len(found) == 1 else None

    def place(self, name: str) -> int | None:
        """Find the first word that stands for a name."""
        return next((place for place, word in enumerate(self.words) if not word.isdecimal() and says(word, name)), None)

    def take_number(self, name: str) -> int | None:
        """Take out a word and the number after it, or else the one before it; None where the word is not there.

        Raises `PositionError` for a word without a number.
        """
        place = self.place(name)
        if place is None:
            return None
        after = place + 1
        while after < len(self.words) and says(self.words[after], "filler"):
            after += 1
        for number in (after, place - 1):
            if 0 <= number < len(self.words) and is_number(self.words[number], negative=True):
                found = int(self.words[number])
                del self.words[min(number, place) : max(number, place) + 1]
                return found
        raise PositionError(
            Message("error.number", {"word": repr(self.words[place]), "name": self.words[place], "text": brief(self.text)})
        )

    def numbers(self, *others: str) -> list[str]:
        """Take out all numbers and some other words, in their order."""
        found = [word for word in self.words if is_number(word, negative=True) or word in others]
        self.words = [word for word in self.words if word not in found]
        return found


def read_race(text: str, target: int) -> tuple[list[str], str | None]:
    """Read a race of two: the numbers in their order, two scores first, and first, second or over; None for what is no such text.

    >>> read_race("27:31, First 12", 100), read_race("100 31", 100), read_race("27 first", 100)[1]
    ((['27', '31', '12'], 'first'), (['100', '31'], 'over'), None)
    """
    typed = Typed(text)
    who, numbers = typed.take_one("first", "second", "over"), typed.numbers("-")
    typed.take("filler", *SEPARATORS)
    if typed.words or len(numbers) < 2 or not all(map(is_number, numbers[:2])):
        return numbers, None
    return numbers, "over" if who is None and numbers[2:] == [] and str(target) in numbers else who


class Keep(NamedTuple):
    """Dice to keep, or to throw again: `dice` as they were typed; None for all of them."""

    verb: Literal["keep", "reroll"]
    dice: tuple[str, ...] | None

    def of(self, table: Iterable[str]) -> Counter[str] | None:
        """Give the dice that are kept of those on the table; None where that does not fit."""
        there = Counter(table)
        if self.dice is None:
            return there if self.verb == "keep" else Counter()
        for meant in (Counter(self.dice), Counter("".join(self.dice))):
            if meant <= there:
                return meant if self.verb == "keep" else there - meant
        return None


def read_keep(text: str) -> Keep | None:
    """Read which dice to keep or to throw again; None for what says neither.

    >>> [read_keep(text) for text in ("hold 6 6", "reroll 1, 2", "keep all but 3")]
    [Keep(verb='keep', dice=('6', '6')), Keep(verb='reroll', dice=('1', '2')), Keep(verb='reroll', dice=('3',))]
    >>> read_keep("roll"), read_keep("335"), read_keep("ones")
    (Keep(verb='reroll', dice=None), Keep(verb='keep', dice=('335',)), None)
    """
    words = [word for word in re.split(r"[\s,;&+]+|(?<=\d)-(?=\d)", text) if word and not says(word, "and", "filler")]
    verb: Literal["keep", "reroll"] = "keep"
    at = next((at for at in (0, -1) if words and says(words[at], "keep", "reroll")), None)
    if at is not None:
        verb = "reroll" if says(words.pop(at), "reroll") else "keep"
    if at is not None and len(words) > 1 and says(words[0], "all") and says(words[1], "but"):
        verb, words = "keep" if verb == "reroll" else "reroll", words[2:]
    if words and all(map(is_number, words)):
        return Keep(verb, tuple(words))
    if at is None or len(words) > 1 or (not words and verb == "keep"):
        return None
    if not words or says(words[0], "all"):
        return Keep(verb, None)
    return Keep(verb, ()) if says(words[0], "none") else None
