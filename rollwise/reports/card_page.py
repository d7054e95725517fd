"""A strategy card as a page to print: one sheet of paper, readable at arm's length, with an example of each line in dice.

The sheet is one picture (SVG), so that a file, a browser and a printer show the same; HTML is the picture with what is below it.
Letters are as large as the sheet allows: the columns and the size are tried, largest first, until everything has a place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

from rollwise.cards.library import Example
from rollwise.model.card import Card, CardLine

__all__ = ["PrintedCard", "card_html", "card_markdown", "card_svg"]

WIDE, HIGH, MARGIN = 210.0, 297.0, 12.0
"""A4, in millimetres."""
SIZES = (7.0, 6.4, 5.8, 5.3, 4.9, 4.5, 4.2, 3.9, 3.6, 3.4, 3.2, 3.0, 2.8, 2.6, 2.4, 2.2, 2.0, 1.8)
"""Heights of the letters, the largest first."""
SMALLEST = 3.4
"""Two columns are tried rather than letters smaller than this, three rather than those of two columns."""
LETTER, BOLD = 0.53, 0.58
"""The mean width of a letter, as a part of its height."""
SIGNS = {
    ">=": "\N{GREATER-THAN OR EQUAL TO}",
    "<=": "\N{LESS-THAN OR EQUAL TO}",
    "!=": "\N{NOT EQUAL TO}",
    " - ": " \N{MINUS SIGN} ",
}
PIPS = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  # fmt: skip
INK, MUTE, RULE, ACCENT = "#1b1f24", "#56606e", "#d9dde3", "#0a5c8f"
STYLE = (
    "@page{size:A4;margin:0}html{background:#e9ecf0}body{margin:0}main{max-width:210mm;margin:0 auto}"
    "main>svg{display:block;width:100%;height:auto;background:#fff}"
    "@media screen{main{padding:1rem}main>svg{box-shadow:0 1px 6px #0003}}"
    "@media print{html{background:#fff}main>svg{width:210mm;height:296mm}}"
)


@dataclass(frozen=True)
class PrintedCard:
    """What a sheet says: the card, what it is worth in sentences, what its words mean, and examples by line."""

    title: str
    card: Card
    worth: Sequence[str] = ()
    words: Sequence[tuple[str, str]] = ()
    examples: Mapping[int, Example] = field(default_factory=dict)
    foot: str = ""


class _Row(NamedTuple):
    """A line of the card, laid out: its number, the words of each row of text, bold or not, and its example."""

    number: int
    texts: Sequence[Sequence[tuple[str, bool]]]
    example: Example | None


def card_svg(printed: PrintedCard) -> str:
    """Draw the sheet."""
    sheet = _Sheet(printed)
    about = " ".join([*printed.worth, *(f"{i}. {line}." for i, line in enumerate(printed.card.lines, 1))])
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE:g} {HIGH:g}" width="{WIDE:g}mm" height="{HIGH:g}mm"'
        f' role="img" font-family="system-ui,-apple-system,\'Segoe UI\',Roboto,Helvetica,Arial,sans-serif" fill="{INK}">'
    )
    return "\n".join([
        head, f"<title>{escape(printed.title)}</title>", f"<desc>{escape(about)}</desc>",
        f'<rect width="{WIDE:g}" height="{HIGH:g}" fill="#fff"/>', *sheet.draw(), "</svg>\n",
    ])  # fmt: skip


def card_html(printed: PrintedCard) -> str:
    """Write the sheet as an HTML document that fetches nothing and prints on one page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n<meta name="color-scheme" content="light">\n'
        f"<title>{escape(printed.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{card_svg(printed)}</main>\n"
        "</body>\n</html>\n"
    )


def card_markdown(printed: PrintedCard) -> str:
    """Write the card as Markdown: what it is worth, its numbers, its lines, its words; the card as text at the end."""
    card = printed.card
    numbers = [f"- {name}: {number}" for name, number in card.numbers]
    lines = [f"{i}. {_spoken(line)[0]}**{_spoken(line)[1]}**" for i, line in enumerate(card.lines, 1)]
    words = [f"- *{name}*: {says}" for name, says in printed.words]
    parts = [f"# {printed.title}", "\n\n".join(printed.worth), "\n".join(numbers), "\n".join(lines), "\n".join(words)]
    return "\n\n".join([part for part in parts if part] + [f"```\n{card}```", printed.foot]).rstrip() + "\n"


def _spoken(line: CardLine) -> tuple[str, str]:
    """Write a line for the eye: when, and what."""
    when, _, verb = str(line).rpartition(": ")
    for sign, nicer in SIGNS.items():
        when = when.replace(sign, nicer)
    return f"{when[:1].upper()}{when[1:]}: ", verb


def _wrap(words: Sequence[tuple[str, bool]], width: float, size: float) -> list[list[tuple[str, bool]]]:
    """Break words, some of them bold, into rows that are not wider than this; a word that is wider has a row of its own."""
    rows: list[list[tuple[str, bool]]] = [[]]
    used = 0.0
    for word, bold in words:
        own = (len(word) + 1) * size * (BOLD if bold else LETTER)
        if rows[-1] and used + own - size * LETTER > width:
            rows.append([])
            used = 0.0
        rows[-1].append((word, bold))
        used += own
    return rows


class _Sheet:
    """Lays the sheet out, and draws it."""

    def __init__(self, printed: PrintedCard) -> None:
        self.printed, self.card = printed, printed.card
        self.top = MARGIN
        self.parts: list[str] = []

    def draw(self) -> list[str]:
        """Draw the head, the numbers, the lines and, below them, what the words mean."""
        self._head()
        self._numbers()
        foot = self._foot()
        columns, size, rows = self._fit(HIGH - MARGIN - foot.height - self.top)
        self._lines(columns, size, rows)
        return [*self.parts, *foot.parts]

    def _say(self, text: str, size: float, color: str = INK, weight: str = "", gap: float = 1.35) -> None:
        """Write a paragraph across the sheet."""
        words = [(word, bool(weight)) for word in text.split()]
        for row in _wrap(words, WIDE - 2 * MARGIN, size):
            self.top += size * gap
            self.parts.append(_text(MARGIN, self.top - 0.3 * size, " ".join(word for word, _ in row), size, color, weight))

    def _head(self) -> None:
        self._say(self.printed.title, 9.0, weight="700", gap=1.1)
        self.top += 1.0
        for sentence in self.printed.worth:
            self._say(sentence, 4.2, MUTE)
        self.top += 3.0

    def _numbers(self) -> None:
        """Set the numbers of the card in cells side by side."""
        numbers = self.card.numbers
        if not numbers:
            return
        across = next((n for n in (5, 6, 7, 8) if len(numbers) <= 3 * n), 9)
        width, height = (WIDE - 2 * MARGIN) / across, 9.5
        for i, (name, number) in enumerate(numbers):
            x, y = MARGIN + i % across * width, self.top + i // across * height
            frame = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height}"'
            self.parts.append(f'<rect {frame} fill="none" stroke="{RULE}" stroke-width=".3"/>')
            size = min(3.2, (width - 2) / (len(name) * LETTER))
            self.parts.append(_text(x + 1, y + 3.4, name, size, MUTE))
            self.parts.append(_text(x + 1, y + 8.2, str(number), 4.8, weight="700"))
        self.top += ceil(len(numbers) / across) * height + 3.0

    def _fit(self, room: float) -> tuple[int, float, list[_Row]]:
        """Give how many columns, how large the letters, and the rows of text of every line."""
        tried = [(n, size) for n in (1, 2, 3) for size in SIZES if n == 3 or size >= SMALLEST]
        for columns, size in tried:
            width = self._width(columns)
            rows = [self._row(i, line, width, size) for i, line in enumerate(self.card.lines)]
            if self._columns(rows, size, room, columns) is not None:
                return columns, size, rows
        return columns, size, rows

    def _width(self, columns: int) -> float:
        return (WIDE - 2 * MARGIN - 6.0 * (columns - 1)) / columns

    def _row(self, number: int, line: CardLine, width: float, size: float) -> _Row:
        when, verb = _spoken(line)
        example = self.printed.examples.get(number)
        beside = 1.9 * size + (_dice_width(example, size) if example else 0.0)
        words = [(word, False) for word in when.split()] + [(word, True) for word in verb.split()]
        return _Row(number, _wrap(words, width - beside, size), example)

    def _height(self, row: _Row, size: float) -> float:
        return max(len(row.texts) * 1.22 * size, 1.5 * size) + 0.75 * size

    def _columns(self, rows: Sequence[_Row], size: float, room: float, columns: int) -> list[int] | None:
        """Give where each column begins; None where there is not room enough."""
        starts, used = [0], 0.0
        for i, row in enumerate(rows):
            height = self._height(row, size)
            if used + height > room:
                starts.append(i)
                used = 0.0
            used += height
        return starts if len(starts) <= columns else None

    def _lines(self, columns: int, size: float, rows: list[_Row]) -> None:
        room = HIGH - MARGIN - self._foot().height - self.top
        starts = self._columns(rows, size, room, columns) or [0]
        for column, (begin, end) in enumerate(pairwise([*starts, len(rows)])):
            x, y = MARGIN + column * (self._width(columns) + 6.0), self.top
            for row in rows[begin:end]:
                self._line(x, y, self._width(columns), row, size)
                y += self._height(row, size)

    def _line(self, x: float, y: float, width: float, row: _Row, size: float) -> None:
        """Draw a line of the card: its number, its text, and its example at the right."""
        self.parts.append(_text(x, y + size, f"{row.number + 1}", size, ACCENT, "700"))
        for i, words in enumerate(row.texts):
            at = f'x="{x + 1.9 * size:.2f}" y="{y + size + i * 1.22 * size:.2f}" font-size="{size:g}"'
            self.parts.append(f'<text {at} xml:space="preserve">{_spans(words)}</text>')
        if row.example:
            self.parts += _dice(x + width - _dice_width(row.example, size), y + 0.05 * size, row.example, size)
        bottom = y + self._height(row, size) - 0.3 * size
        self.parts.append(f'<path d="M{x:.2f} {bottom:.2f}H{x + width:.2f}" stroke="{RULE}" stroke-width=".25"/>')

    def _foot(self) -> "_Foot":
        """Lay out what the words mean, from the bottom of the sheet upwards."""
        texts = [f"{name}: {says}" for name, says in self.printed.words]
        size = 2.9 if len(texts) <= 14 else 2.3
        rows = [row for row in _wrap([(word, False) for word in " · ".join(texts).split()], WIDE - 2 * MARGIN, size) if row]
        lines = [" ".join(word for word, _ in row) for row in rows] + ([self.printed.foot] if self.printed.foot else [])
        height = len(lines) * 1.3 * size + 2.0
        first = HIGH - MARGIN - height + 2.0 + size
        return _Foot(height, [_text(MARGIN, first + i * 1.3 * size, line, size, MUTE) for i, line in enumerate(lines)])


class _Foot(NamedTuple):
    """What stands below the lines, and how high it is."""

    height: float
    parts: list[str]


def _spans(words: Sequence[tuple[str, bool]]) -> str:
    """Write words in a row, the bold ones, which come last, in bold."""
    plain, bold = (" ".join(word for word, heavy in words if heavy is wanted) for wanted in (False, True))
    heavy = f'<tspan font-weight="700">{escape(bold)}</tspan>' if bold else ""
    return escape(plain + (" " if plain and bold else "")) + heavy


def _text(x: float, y: float, text: str, size: float, color: str = INK, weight: str = "") -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.3g}" fill="{color}"{bold}>{escape(text)}</text>'


def _dice_width(example: Example, size: float) -> float:
    return len(example.dice) * 1.45 * size + 0.8 * size


def _dice(x: float, y: float, example: Example, size: float) -> list[str]:
    """Draw dice in a row; those that are rolled again are pale."""
    kept = list(example.dice if example.kept is None else example.kept)
    parts = []
    for i, face in enumerate(example.dice):
        stays = face in kept
        if stays:
            kept.remove(face)
        parts += _die(x + 0.8 * size + i * 1.45 * size, y, 1.3 * size, face, pale=not stays)
    return parts


def _die(x: float, y: float, side: float, face: Any, *, pale: bool) -> list[str]:
    ink, back, edge = ("#98a2ae", "#f4f6f8", RULE) if pale else (INK, "#fff", INK)
    box = (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{side:.2f}" height="{side:.2f}" rx="{side / 5:.2f}" fill="{back}" stroke="{edge}" '
        f'stroke-width="{side / 16:.2f}"/>'
    )
    across, down = x + side / 2, y + side / 2
    if face not in PIPS:
        at = f'x="{across:.2f}" y="{down + side * 0.24:.2f}" font-size="{side * 0.66:.2f}"'
        return [box, f'<text {at} text-anchor="middle" fill="{ink}">{escape(str(face))}</text>']
    places = [(across + i * side * 0.26, down + j * side * 0.26) for i, j in PIPS[face]]
    return [box, *(f'<circle cx="{i:.2f}" cy="{j:.2f}" r="{side / 10:.2f}" fill="{ink}"/>' for i, j in places)]
