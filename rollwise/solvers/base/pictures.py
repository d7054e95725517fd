"""Pictures as SVG text, written by hand: no plotting library, no fonts, nothing fetched.

Four pictures cover the reports: `bars` (a distribution with its quantiles), `curve` (one or more lines), `heat_map` (a grid
of shares) and `bar_list` (named numbers). Two cover sweeps: `value_curve` and `value_map`, whose numbers begin anywhere. Each
returns an `<svg>` element with a title and a description for screen readers. Colours are CSS variables from the Okabe-Ito
palette, lighter on dark pages; nothing is said by colour alone. `STYLE` belongs in the page that holds the pictures;
`standalone` puts it into a picture that is a file of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import count
from math import floor, log10

__all__ = [
    "STYLE",
    "WIDTH",
    "HeatRow",
    "Mark",
    "Series",
    "bar_list",
    "bars",
    "curve",
    "for_notebooks",
    "heat_map",
    "standalone",
    "target_curve",
    "value_curve",
    "value_map",
]

WIDTH = 560
STYLE = (
    "svg.rw{--ink:#1b1f24;--mute:#56606e;--grid:#d9dde3;--one:#0072b2;--two:#d55e00;--three:#007a59;--on:#fff;"
    "font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:var(--ink)}"
    "@media(prefers-color-scheme:dark){svg.rw{--ink:#e8eaed;--mute:#a9b1bd;--grid:#3b424c;--one:#56b4e9;--two:#e69f00;"
    "--three:#2fc79d;--on:#0b1218}}"
    "svg.rw .m{fill:var(--mute)}svg.rw .e{text-anchor:end}svg.rw .c{text-anchor:middle}svg.rw .b{font-weight:600}"
    "svg.rw .g{stroke:var(--grid);fill:none}svg.rw .k{stroke:var(--ink);fill:none}"
    "svg.rw .f1{fill:var(--one)}svg.rw .f2{fill:var(--two)}svg.rw .f3{fill:var(--three)}svg.rw .on{fill:var(--on)}"
    "svg.rw .l1{stroke:var(--one)}svg.rw .l2{stroke:var(--two)}svg.rw .l3{stroke:var(--three)}"
    "svg.rw .l1,svg.rw .l2,svg.rw .l3{fill:none;stroke-width:2.2;stroke-linejoin:round}"
)


NOTEBOOK = (
    ".rollwise svg.rw{--ink:currentColor;--mute:color-mix(in srgb,currentColor 75%,transparent);"
    "--grid:color-mix(in srgb,currentColor 20%,transparent);--one:#2385c7;--two:#d55e00;--three:#12966f;--on:#fff;"
    "display:block;max-width:100%;height:auto;margin:.4rem 0}"
)
"""Colours for pages that are light or dark by a setting of their own: ink as around it, and colours that stand out on both."""


def for_notebooks(svg: str) -> str:
    """Give a picture its style, for a `Summary`."""
    return f"<style>{STYLE}{NOTEBOOK}</style>{svg}"


def standalone(svg: str) -> str:
    """Make a picture a file of its own, with its style inside."""
    head, rest = svg.split(">", 1)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head} xmlns="http://www.w3.org/2000/svg">\n<style>{STYLE}</style>{rest}\n'


def _svg(height: float, title: str, about: str, parts: Sequence[str]) -> str:
    """Put a picture together."""
    head = f'<svg class="rw" viewBox="0 0 {WIDTH} {_n(height)}" width="{WIDTH}" height="{_n(height)}" role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<desc>{escape(about)}</desc>", *parts, "</svg>"])


def _n(number: float) -> str:
    """Write a coordinate briefly."""
    return f"{number:.1f}".removesuffix(".0")


def _text(x: float, y: float, text: str, css: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}"{_css(css)}>{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, css: str = "g", more: str = "") -> str:
    return f'<path d="M{_n(x)} {_n(y)}L{_n(to_x)} {_n(to_y)}"{_css(css)}{more}/>'


def _rect(x: float, y: float, width: float, height: float, css: str, more: str = "") -> str:
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(max(width, 0.4))}" height="{_n(max(height, 0))}"{_css(css)}{more}/>'


def _css(names: str) -> str:
    return f' class="{names}"' if names else ""


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most about `most` of them."""
    span = (high - low) or 1.0
    power = 10 ** floor(log10(span / most))
    step = next(power * m for m in (1, 2, 5, 10) if span / (power * m) <= most)
    first = -floor(-low / step + 1e-9)
    return [round((first + i) * step, 10) for i in range(int((high - first * step) / step + 1e-9) + 1)]


def _round_up(most: float) -> float:
    """The next tick, where the largest number is close to it: 0.9999 belongs below a line at 1."""
    ticks = _ticks(0, 1.3 * most, 6)
    return next((tick for tick in ticks if most <= tick <= 1.1 * most), most)


@dataclass(frozen=True)
class _Frame:
    """Where data lie in the picture."""

    left: float
    top: float
    right: float
    bottom: float
    low: float
    high: float
    most: float
    least: float = 0.0

    def x(self, value: float) -> float:
        return self.left + (value - self.low) / ((self.high - self.low) or 1) * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.least) / ((self.most - self.least) or 1) * (self.bottom - self.top)

    def axes(self, labels: tuple[str, str], show: Callable[[float], str], below: Sequence[tuple[float, str]] = ()) -> list[str]:
        """Grid lines with their numbers on the left, numbers below (or `below`: places with their names), titles of both axes."""
        whole = [tick for tick in _ticks(self.low, self.high, 8) if tick == round(tick)]
        names = below or [(tick, f"{tick:g}") for tick in whole]
        parts = [_text(self.x(x), self.bottom + 16, name, "m c") for x, name in names]
        middle = _n((self.top + self.bottom) / 2)
        parts.append(_text((self.left + self.right) / 2, self.bottom + 34, labels[0], "m c"))
        parts.append(f'<text x="12" y="{middle}" class="m c" transform="rotate(-90 12 {middle})">{escape(labels[1])}</text>')
        for tick in _ticks(self.least, self.most, 5):
            parts.append(_line(self.left, self.y(tick), self.right, self.y(tick)))
            parts.append(_text(self.left - 6, self.y(tick) + 4, show(tick), "m e"))
        return parts


@dataclass(frozen=True)
class Mark:
    """A number on the axis of `bars` with a short label."""

    at: float
    label: str


def percent(share: float) -> str:
    """Write a chance for an axis.

    >>> percent(0.25), percent(0.005)
    ('25 %', '0.5 %')
    """
    return f"{100 * share:.6g} %"


def bars(
    title: str,
    about: str,
    lowest: int,
    chance: Sequence[float],
    labels: tuple[str, str],
    *,
    numbers: Sequence[int] | None = None,
    marks: Sequence[Mark] = (),
    split: int | None = None,
    below: bool = False,
) -> str:
    """Draw a distribution over whole numbers from `lowest` on; neighbours are put together until the bars can be told apart.

    `labels` name the axes. `numbers` lists them, rising, where they are not consecutive. Bars from `split` on have another
    colour (`below`: those below it). `marks` are drawn as lines with labels above.

    >>> bars("Coin", "Heads or tails.", 0, [0.5, 0.5], ("heads", "chance")).count("<rect")
    2
    """
    width, first, height = _bin(numbers or range(lowest, lowest + len(chance)), chance, split)
    across = _Frame(66, 0, WIDTH - 14, 190, first - 0.5, first + width * len(height) - 0.5, max(height))
    levels = _levels([(across.x(mark.at), mark.label) for mark in marks])
    top = 18 + 15 * (max(levels, default=-1) + 1)
    frame = replace(across, top=top, bottom=top + 190)
    per = "" if width == 1 else f" (bars of {width})"
    parts = frame.axes((labels[0] + per, labels[1]), percent)
    for i, share in enumerate(height):
        if share > 0:
            x, to = frame.x(first + i * width - 0.5), frame.x(first + (i + 1) * width - 0.5)
            css = "f2" if split is not None and (first + i * width >= split) != below else "f1"
            gap = 1 if to - x > 4 else 0
            parts.append(_rect(x + gap / 2, frame.y(share), to - x - gap, frame.bottom - frame.y(share), css))
    for mark, level in zip(marks, levels, strict=True):
        x = frame.x(mark.at)
        parts.append(_line(x, 20 + 15 * level, x, frame.bottom, "k", ' stroke-dasharray="3 3" stroke-opacity=".75"'))
        side = " e" if x > WIDTH / 2 else ""
        parts.append(_text(x + (-4 if side else 4), 16 + 15 * level + 10, mark.label, f"b{side}"))
    return _svg(frame.bottom + 42, title, about, parts)


def _bin(numbers: Sequence[int], chance: Sequence[float], split: int | None) -> tuple[int, int, list[float]]:
    """Put neighbours together: the width of a bar, where the first begins, and the heights. A bar begins at `split`."""
    lowest, span = numbers[0], numbers[-1] - numbers[0] + 1
    width = next(w for p in count() for w in (10**p, 2 * 10**p, 5 * 10**p) if span / w <= 80)
    offset = (split or 0) % width
    first = (lowest - offset) // width * width + offset
    heights = [0.0] * ((numbers[-1] - first) // width + 1)
    for number, share in zip(numbers, chance, strict=True):
        heights[(number - first) // width] += float(share)
    return width, first, heights


def _levels(labels: Sequence[tuple[float, str]]) -> list[int]:
    """Give every label, beside its place, a row so that labels do not run into one another."""
    rows: list[list[tuple[float, float]]] = []
    levels = []
    for x, text in labels:
        size = 7.2 * len(text) + 14
        span = (x - size, x) if x > WIDTH / 2 else (x, x + size)
        level = next((i for i, row in enumerate(rows) if all(span[1] < a or b < span[0] for a, b in row)), len(rows))
        rows += [[]] if level == len(rows) else []
        rows[level].append(span)
        levels.append(level)
    return levels


@dataclass(frozen=True)
class Series:
    """A line: its name and its points."""

    name: str
    points: Sequence[tuple[float, float]]


def curve(
    title: str,
    about: str,
    series: Sequence[Series],
    labels: tuple[str, str],
    *,
    show: Callable[[float], str] = percent,
    dots: bool = False,
) -> str:
    """Draw up to three lines over one axis, distinguished by colour, dashes and a legend; `labels` name the axes.

    >>> curve("Line", "It rises.", [Series("a", [(0, 0), (1, 1)])], ("x", "y")).count("<path")
    7
    """
    across = [x for line in series for x, _ in line.points]
    most = _round_up(max(y for line in series for _, y in line.points))
    top = 16 if len(series) == 1 else 38
    frame = _Frame(66, top, WIDTH - 18, top + 200, min(across), max(across), most)
    parts = frame.axes(labels, show)
    for i, line in enumerate(series):
        parts.append(_path(frame, line, i))
        if dots:
            parts += [f'<circle cx="{_n(frame.x(a))}" cy="{_n(frame.y(b))}" r="3" class="f{i + 1}"/>' for a, b in line.points]
    return _svg(frame.bottom + 42, title, about, [*parts, *(_legend(frame.left, series) if len(series) > 1 else [])])


def target_curve(chance: Sequence[float]) -> str:
    """Draw the best chance of at least t points over t, where `chance[t]` is that.

    >>> target_curve([1.0, 0.5]).count("<path")
    7
    """
    step = max(1, len(chance) // 200)
    points = [(float(t), float(chance[t])) for t in range(0, len(chance), step)]
    about = f"The best chance of at least t points, for every t from 0 to {len(chance) - 1}; each t is played for on its own."
    return curve(
        "Best chance by target", about, [Series("best", [*points, (len(chance), 0.0)])], ("target (points)", "best chance")
    )


@dataclass(frozen=True)
class HeatRow:
    """A row of a heat map: its name and its cells (None: empty). Rows with the same group stand together under its name."""

    name: str
    cells: Sequence[float | None]
    group: str = ""


def heat_map(
    title: str,
    about: str,
    columns: Sequence[str],
    rows: Sequence[HeatRow],
    *,
    label: str,
    show: Callable[[float], str],
    most: float = 1.0,
) -> str:
    """Draw a grid of numbers from 0 to `most`: the larger, the stronger the colour; the number stands in its cell.

    >>> heat_map("Grid", "Two cells.", ["a", "b"], [HeatRow("r", [0.5, None])], label="x", show=percent).count("<rect")
    1
    """
    left = 16 + 7 * max(len(row.name) for row in rows)
    size = (WIDTH - left - 6) / len(columns)
    tall = 24 if size > 40 else 20
    parts = [_text(left + size * (i + 0.5), 34, name, "m c") for i, name in enumerate(columns)]
    parts.append(_text((left + WIDTH) / 2, 14, label, "m c"))
    y = 42.0
    for place, row in enumerate(rows):
        if row.group and (place == 0 or rows[place - 1].group != row.group):
            y += 22
            parts.append(_text(4, y - 6, row.group, "b"))
        parts.append(_text(left - 8, y + tall / 2 + 4, row.name, "m e"))
        for i, cell in enumerate(row.cells):
            if cell is not None:
                parts += _cell(left + i * size, y, size, tall, cell / (most or 1), show(cell))
        y += tall
    return _svg(y + 6, title, about, parts)


def _cell(x: float, y: float, width: float, height: float, share: float, text: str) -> list[str]:
    strong = 0.06 + 0.94 * min(max(share, 0.0), 1.0)
    ink = "c on" if strong > 0.72 else "c"
    box = _rect(x + 1, y + 1, width - 2, height - 2, "f1", f' fill-opacity="{strong:.2f}" rx="2"')
    small = ' style="font-size:10px"' if width < 34 else ""
    return [box, f'<text x="{_n(x + width / 2)}" y="{_n(y + height / 2 + 4)}" class="{ink}"{small}>{escape(text)}</text>']


def bar_list(title: str, about: str, rows: Sequence[tuple[str, float]], label: str, *, show: Callable[[float], str]) -> str:
    """Draw named numbers as horizontal bars, with a label below; negative ones point left, in another colour.

    >>> bar_list("List", "Two bars.", [("a", 1.0), ("b", -0.5)], "share", show=percent).count("<rect")
    2
    """
    left = 16 + 6.8 * max(len(name) for name, _ in rows)
    room = 10 + 7.2 * max(len(show(value)) for _, value in rows)
    low, high = min(0.0, *(value for _, value in rows)), max(0.0, *(value for _, value in rows))
    begin = left + (room if low < 0 else 0)
    scale = (WIDTH - room - begin) / ((high - low) or 1)
    zero = begin - low * scale
    parts = []
    for i, (name, value) in enumerate(rows):
        y = 8 + 24 * i
        end = zero + value * scale
        parts.append(_text(left - 8, y + 14, name, "e"))
        parts.append(_rect(min(zero, end), y + 2, abs(end - zero), 17, "f1" if value >= 0 else "f2", ' rx="2"'))
        parts.append(_text(end + 6 if value >= 0 else end - 6, y + 15, show(value), "m" if value >= 0 else "m e"))
    parts.append(_line(zero, 4, zero, 10 + 24 * len(rows), "k"))
    parts.append(_text((left + WIDTH) / 2, 26 + 24 * len(rows), label, "m c"))
    return _svg(34 + 24 * len(rows), title, about, parts)


def value_curve(
    title: str,
    about: str,
    series: Sequence[Series],
    labels: tuple[str, str],
    *,
    show: Callable[[float], str],
    places: Sequence[str] = (),
    level: float | None = None,
) -> str:
    """Draw values over a parameter, a line with dots for each series (up to three); the axis begins where the values do.

    `places` names the places 0, 1, ... of a parameter that is not a number: dots without a line. A dashed line marks `level`.

    >>> value_curve("Line", "It rises.", [Series("a", [(0, 7), (1, 8)])], ("x", "y"), show=str).count("<circle")
    2
    """
    across, values = ([point[i] for line in series for point in line.points] for i in (0, 1))
    least, most = _bracket([*values, *([] if level is None else [level])])
    low, high = (-0.5, len(places) - 0.5) if places else (min(across), max(across))
    ticks = [show(tick) for tick in _ticks(least, most, 5)]
    named = any(line.name for line in series)
    top, left = 38 if named else 16, 32 + 7 * max(map(len, ticks))
    frame = _Frame(left, top, WIDTH - 18, top + 200, low, high, most, least)
    names = list(enumerate(places)) if places else [(tick, f"{tick:g}") for tick in _ticks(low, high, 8)]
    parts = frame.axes(labels, show, names)
    if level is not None:
        parts.append(_line(frame.left, frame.y(level), frame.right, frame.y(level), "k", ' stroke-dasharray="3 3"'))
    for i, line in enumerate(series):
        parts += _dotted(frame, line, i, joined=not places, show=show)
    return _svg(frame.bottom + 42, title, about, [*parts, *(_legend(frame.left, series) if named else [])])


DASHES = ("", ' stroke-dasharray="7 3"', ' stroke-dasharray="2 3"')


def _path(frame: _Frame, line: Series, number: int) -> str:
    path = "L".join(f"{_n(frame.x(x))} {_n(frame.y(y))}" for x, y in line.points)
    return f'<path d="M{path}" class="l{number + 1}"{DASHES[number]}/>'


def _dotted(frame: _Frame, line: Series, number: int, *, joined: bool, show: Callable[[float], str]) -> list[str]:
    """A line with its points, each of which says what it is."""
    parts = []
    if joined and len(line.points) > 1:
        parts.append(_path(frame, line, number))
    radius = 3 if len(line.points) <= 60 else 1.5
    for x, y in line.points:
        said = f"<title>{escape(f'{line.name} {x:g}: {show(y)}'.strip())}</title>"
        parts.append(f'<circle cx="{_n(frame.x(x))}" cy="{_n(frame.y(y))}" r="{radius}" class="f{number + 1}">{said}</circle>')
    return parts


def _legend(x: float, series: Sequence[Series]) -> list[str]:
    parts = []
    for i, line in enumerate(series):
        parts.append(_line(x, 14, x + 26, 14, f"l{i + 1}", DASHES[i]))
        parts.append(_text(x + 32, 18, line.name))
        x += 52 + 7 * len(line.name)
    return parts


def _bracket(values: Sequence[float]) -> tuple[float, float]:
    """Where an axis of values begins and ends: at round numbers around them."""
    low, high = min(values), max(values)
    room = (high - low) * 0.06 or abs(high) * 0.02 or 1.0
    ticks = _ticks(low - 6 * room, high + 6 * room, 8)
    return max((t for t in ticks if t <= low), default=low - room), min((t for t in ticks if t >= high), default=high + room)


def value_map(
    title: str,
    about: str,
    columns: Sequence[str],
    rows: Sequence[HeatRow],
    *,
    show: Callable[[float], str],
    labels: tuple[str, str],
    brief: Callable[[float], str] | None = None,
) -> str:
    """Draw a grid of values, the larger the stronger; numbers stand in their cells where there is room, a stroke in empty ones.

    `labels` name what goes across and down; `brief` writes the numbers in the cells (default: `show`).

    >>> value_map("Grid", "Two.", ["1", "2"], [HeatRow("7", [248.1, None])], show=str, labels=("x", "y")).count("<rect")
    1
    """
    known = [cell for row in rows for cell in row.cells if cell is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    left = 16 + 7 * max(len(labels[1]), *(len(row.name) for row in rows))
    size = (WIDTH - left - 6) / len(columns)
    brief = brief or show
    tall, written = (24 if size >= 24 else 16), size >= 6.5 * max((len(brief(cell)) for cell in known), default=0) + 2
    every = max(1, -(-max(7 * max(map(len, columns)) + 4, 1) // max(int(size), 1)))
    parts = [_text((left + WIDTH) / 2, 14, labels[0], "m c"), _text(left - 8, 34, labels[1], "m e")]
    parts += [_text(left + size * (i + 0.5), 34, name, "m c") for i, name in enumerate(columns) if i % every == 0]
    for place, row in enumerate(rows):
        y = 42 + place * tall
        parts.append(_text(left - 8, y + tall / 2 + 4, row.name, "m e"))
        for i, cell in enumerate(row.cells):
            x = left + i * size
            if cell is None:
                parts.append(f'<path d="M{_n(x + 3)} {_n(y + 3)}L{_n(x + size - 3)} {_n(y + tall - 3)}" class="g"/>')
            else:
                parts += _value_cell((x, y, size, tall), (cell - low) / ((high - low) or 1), (show(cell), brief(cell)), written)
    bottom = 42 + len(rows) * tall
    said = f"from {show(low)}, the palest, to {show(high)}, the strongest" if known else "nothing could be solved"
    return _svg(bottom + 24, title, about, [*parts, _text((left + WIDTH) / 2, bottom + 16, said, "m c")])


def _value_cell(at: tuple[float, float, float, float], share: float, texts: tuple[str, str], written: bool) -> list[str]:
    x, y, width, height = at
    if written:
        return _cell(x, y, width, height, share, texts[1])
    gap = 1 if width > 6 else 0
    strong = 0.06 + 0.94 * share
    box = _rect(x + gap / 2, y + gap / 2, width - gap, height - gap, "f1", f' fill-opacity="{strong:.2f}"')
    return [f"{box.removesuffix('/>')}><title>{escape(texts[0])}</title></rect>"]
