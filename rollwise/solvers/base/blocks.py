"""A page as a list of blocks: headings, paragraphs, figures, tables and pictures. How it is written is not said here."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Block", "Facts", "Figure", "Grid", "Heading", "Page", "Prose"]


@dataclass(frozen=True)
class Heading:
    """The title of a section."""

    text: str


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Facts:
    """A few figures, each with its name."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Grid:
    """A table. Columns whose cells are all numbers stand to the right."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Figure:
    """A picture with a caption."""

    svg: str
    caption: str


Block = Heading | Prose | Facts | Grid | Figure


@dataclass(frozen=True)
class Page:
    """A title, a line below it, and blocks."""

    title: str
    subtitle: str
    blocks: Sequence[Block]
