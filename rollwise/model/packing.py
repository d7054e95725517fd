"""Numbers for positions: how the parts of a position, or its text, become one whole number and come back.

This is format 1 of position ids (`model.ids`), and it is frozen: what is written here may be added to, never changed, because ids
live in links and records for as long as their readers do.

    fold        digits of a mixed radix: the first part is the highest, and has no upper bound
    append      a whole number of any size and sign below another number, in groups of four bits and a bit for "more"
    pack_text   a text in groups of five bits: 1 to 30 is a piece of the current page, 31 turns to the next page for one piece;
                behind the last page stands any character, by its code point
"""

from collections.abc import Sequence
from math import comb

from rollwise.errors import PositionError

__all__ = ["append", "fold", "pack_text", "rank", "split", "unfold", "unpack_text", "unrank"]

PAGES = (
    ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", " ", ",", ", ", "(", ")", "-", "=", "'", "*", ":", ".", "/", "_",
     " first ", " second ", " over", "True", "False", "None", "all"),
    (*"abcdefghijklmnopqrstuvwxyz", "[", "]", "{", "}"),
    (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "+", '"', "<", ">"),
)  # fmt: skip
"""Frequent pieces, the most frequent on the first page. Frozen."""
TURN = 31
PLACES = {piece: (page, place) for page, pieces in enumerate(PAGES) for place, piece in enumerate(pieces, 1)}
LONGEST = max(map(len, PLACES))


def fold(first: int, *rest: tuple[int, int]) -> int:
    """Write parts as one number: the first, then each of `rest` with its size.

    >>> fold(7, (2, 3), (1, 10))
    231
    """
    number = first
    for part, size in rest:
        if not 0 <= part < size:
            raise PositionError(f"the part {part} of a position is not below {size}")
        number = number * size + part
    return number


def unfold(number: int, *sizes: int) -> tuple[int, ...]:
    """Read the parts that `fold` wrote.

    >>> unfold(231, 3, 10)
    (7, 2, 1)
    """
    parts: list[int] = []
    for size in reversed(sizes):
        number, part = divmod(number, size)
        parts.append(part)
    return (number, *reversed(parts))


def append(number: int, more: int) -> int:
    """Put a number of any size and sign below another; `split` takes them apart.

    >>> append(5, 3), split(append(5, -300))
    (166, (5, -300))
    """
    groups = _groups(2 * more if more >= 0 else -2 * more - 1)
    for group in reversed(groups):
        number = number << 5 | group
    return number


def split(number: int) -> tuple[int, int]:
    """Take apart what `append` put together."""
    found, place = 0, 0
    while True:
        number, group = number >> 5, number & 31
        found |= (group & 15) << place
        place += 4
        if group < 16:
            return number, -(found + 1) // 2 if found & 1 else found // 2


def _groups(number: int) -> list[int]:
    """Write a number in groups of four bits, the lowest first; a group that is not the last has 16 added."""
    groups = [number & 15]
    while number := number >> 4:
        groups[-1] += 16
        groups.append(number & 15)
    return groups


def pack_text(text: str) -> int:
    """Write a text as a number.

    >>> pack_text("3,1"), unpack_text(pack_text("27 31 first 12"))
    (2436, '27 31 first 12')
    """
    groups: list[int] = []
    start = 0
    while start < len(text):
        piece = next((found for size in range(LONGEST, 0, -1) if (found := text[start : start + size]) in PLACES), text[start])
        page, place = PLACES.get(piece, (len(PAGES), 0))
        groups += [TURN] * page + ([place] if place else _groups(ord(piece)))
        start += len(piece)
    return sum(group << 5 * place for place, group in enumerate(groups))


def unpack_text(number: int) -> str:
    """Read what `pack_text` wrote. Raises `PositionError` for a number that it never gives."""
    pieces: list[str] = []
    while number:
        page = 0
        while page < len(PAGES) and number & 31 == TURN:
            number, page = number >> 5, page + 1
        if page == len(PAGES):
            number, piece = _character(number)
            pieces.append(piece)
            continue
        if not number & 31:
            raise PositionError("the number of a text has a gap")
        pieces.append(PAGES[page][(number & 31) - 1])
        number >>= 5
    return "".join(pieces)


def _character(number: int) -> tuple[int, str]:
    code, place, more = 0, 0, True
    while more:
        code |= (number & 15) << place
        more, number, place = bool(number & 16), number >> 5, place + 4
    if not 0 < code <= 0x10FFFF:
        raise PositionError(f"the number of a text has a character {code:#x}")
    return number, chr(code)


def rank(hand: Sequence[int]) -> int:
    """Number the hands of so many dice: sorted faces from 1 on, by the combinatorial number system.

    >>> [rank(hand) for hand in ((1, 1), (1, 2), (2, 2), (1, 3))]
    [0, 1, 2, 3]
    """
    return sum(comb(face - 1 + place, place + 1) for place, face in enumerate(hand))


def unrank(number: int, count: int) -> tuple[int, ...]:
    """Give the hand of `count` dice with a number.

    >>> unrank(3, 2)
    (1, 3)
    """
    faces: list[int] = []
    for place in range(count, 0, -1):
        top = place - 1
        while comb(top + 1, place) <= number:
            top += 1
        number -= comb(top, place)
        faces.append(top - place + 2)
    return tuple(reversed(faces))
