"""How things show themselves: a small table, a few figures, a picture; in HTML in a notebook, in lines of text elsewhere.

A thing says what it has to show once, as a `Summary`; `Shown` gives that to notebooks. Every summary is short: long texts are
cut, and of many rows the first are shown.
"""

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rollwise.errors import GameError

__all__ = ["Shown", "Summary", "cut", "series"]

NUMBER = re.compile(r"[-+]?\d[\d,.]*(e[-+]?\d+)?( %)?")
WIDEST = 90
"""Characters of a cell."""
STYLE = (
    ".rollwise{font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;max-width:60rem;margin:.3rem 0}"
    ".rollwise{overflow-x:auto}"
    ".rollwise .t{font-weight:600}.rollwise .s{opacity:.75}"
    ".rollwise table.rw{border-collapse:collapse;margin:.4rem 0;font-size:13px;font-variant-numeric:tabular-nums;border:0}"
    ".rollwise table.rw :is(td,th){text-align:left;vertical-align:top;padding:.18rem 1rem .18rem 0;border:0;background:none;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 22%,transparent);max-width:30rem;white-space:normal;color:inherit}"
    ".rollwise table.rw th{font-weight:600;opacity:.75;white-space:nowrap}"
    ".rollwise table.rw :is(td,th).n{text-align:right}.rollwise table.rw :is(td.n,td:first-child){white-space:nowrap}"
)
"""Colours are those of the text around it, so that a dark notebook needs nothing else."""


def cut(text: str, most: int = WIDEST) -> str:
    r"""Cut a text that is too long to be read, on one line.

    >>> cut("a\nb"), cut("123456789", 5)
    ('a b', '1234…')
    """
    text = " ".join(text[: 4 * most].split("\n"))
    return text if len(text) <= most else f"{text[: most - 1]}…"


@dataclass(frozen=True)
class Summary:
    """What there is to show: a title, a line below it, figures with their names, a table, a line below that, and a picture.

    >>> print(Summary("Die", facts=[("faces", "6")], header=["face", "chance"], rows=[["1", "16.67 %"], ["2", "16.67 %"]]).text())
    Die
    faces  6
    face    chance
    1      16.67 %
    2      16.67 %
    """

    title: str
    note: str = ""
    facts: Sequence[tuple[str, str]] = ()
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    more: str = ""
    picture: str = ""

    def html(self) -> str:
        """Write it for a notebook; nothing in it is taken for markup but the picture."""
        parts = [
            f'<div class="t">{_clean(self.title)}</div>',
            f'<div class="s">{_clean(self.note)}</div>' if self.note else "",
            _html_table((), self.facts) if self.facts else "",
            _html_table(self.header, self.rows) if self.rows else "",
            f'<div class="s">{_clean(self.more)}</div>' if self.more else "",
            self.picture,
        ]
        return f'<div class="rollwise"><style>{STYLE}</style>\n' + "\n".join(filter(None, parts)) + "\n</div>"

    def text(self) -> str:
        """Write it as lines of text."""
        lines = [cut(self.title), cut(self.note, 3 * WIDEST), *_text_table((), self.facts)]
        lines += _text_table(self.header, self.rows) if self.rows else []
        return "\n".join(line for line in [*lines, cut(self.more, 3 * WIDEST)] if line)


def series(name: str, of: str, index: Sequence[Any], values: Sequence[Any]) -> Any:
    """Make a `pandas.Series`. Raises `GameError` where pandas is missing."""
    try:
        import pandas  # noqa: PLC0415  (an optional extra)
    except ImportError:
        raise GameError("to_pandas needs pandas: pip install 'rollwise[pandas]'") from None
    return pandas.Series(values, index=pandas.Index(index, name=of, tupleize_cols=False), name=name)


class Shown:
    """A thing that shows itself in a notebook."""

    __slots__ = ()

    @abstractmethod
    def summary(self) -> Summary:
        """Say what there is to show."""

    @abstractmethod
    def line(self) -> str:
        """Say what it is in a line."""

    def __repr__(self) -> str:
        return self.line()

    def _repr_html_(self) -> str:
        return self.summary().html()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show lines of text, and one line inside of a list or another thing."""
        printer.text(repr(self) if cycle or printer.indentation else self.summary().text())


def _clean(text: str) -> str:
    return escape(cut(text, 3 * WIDEST))


def _html_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    sides = [' class="n"' if right else "" for right in _right(rows)]
    head = "".join(f'<th scope="col"{side}>{escape(cut(name))}</th>' for name, side in zip(header, sides, strict=False))
    body = "".join(
        "<tr>" + "".join(f"<td{side}>{escape(cut(cell))}</td>" for cell, side in zip(row, sides, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<table class="rw">{f"<thead><tr>{head}</tr></thead>" if head else ""}<tbody>{body}</tbody></table>'


def _text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells = [[cut(cell) for cell in row] for row in ([header, *rows] if header else rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = _right(rows)
    return [
        "  ".join(
            cell.rjust(width) if end else cell.ljust(width) for cell, width, end in zip(row, widths, right, strict=False)
        ).rstrip()
        for row in cells
    ]


def _right(rows: Sequence[Sequence[str]]) -> list[bool]:
    """Say which columns, but for the first, hold numbers only."""
    columns = list(zip(*rows, strict=True))
    return [i > 0 and all(not cell or NUMBER.fullmatch(cell) for cell in column) for i, column in enumerate(columns)]
