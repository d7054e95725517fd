"""How a page is written: HTML with everything inside, or Markdown with its pictures beside it."""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from rollwise.errors import GameError
from rollwise.solvers.base.blocks import Block, Facts, Figure, Grid, Heading, Page, Prose
from rollwise.solvers.base.pictures import STYLE, standalone
from rollwise.solvers.base.writing import write_whole

__all__ = ["ENDINGS", "as_html", "as_markdown", "check_place", "write_page"]

ENDINGS = (".html", ".md")
"""How a page may be kept."""
NUMBER = re.compile(r"[-+]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(/\d+)?( %| times)?( = [\d/]+)?")
CSS = (
    ":root{color-scheme:light dark;--ink:#1b1f24;--mute:#56606e;--paper:#fff;--card:#f4f6f8;--rule:#d9dde3;--accent:#0072b2}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--mute:#a9b1bd;--paper:#14181d;--card:#1e242b;--rule:#3b424c;--accent:#56b4e9}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);"
    "font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    "main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem}h1{font-size:2rem;line-height:1.2;margin:.5rem 0 0}"
    "h2{font-size:1.3rem;margin:2.6rem 0 .4rem;padding-top:.6rem;border-top:1px solid var(--rule)}"
    ".sub{color:var(--mute);margin:.2rem 0 1.4rem}p{margin:.6rem 0}"
    "dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.6rem;margin:1rem 0}"
    "dl div{background:var(--card);border-radius:.5rem;padding:.6rem .8rem}dt{color:var(--mute);font-size:.82rem}"
    "dd{margin:0;font-size:1.15rem;font-weight:600;overflow-wrap:anywhere}"
    "figure{margin:1.2rem 0}figure .box,.table{overflow-x:auto}"
    "figure svg{display:block;width:100%;height:auto;min-width:30rem;max-width:42rem}"
    "figcaption{color:var(--mute);font-size:.9rem;margin-top:.3rem}"
    "table{border-collapse:collapse;font-size:.92rem;margin:.8rem 0;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:.28rem .9rem .28rem 0;border-bottom:1px solid var(--rule);vertical-align:top}"
    "th{color:var(--mute);font-weight:600;vertical-align:bottom}td{white-space:nowrap}td:first-child{white-space:normal}.n{text-align:right}"
    "footer{color:var(--mute);font-size:.85rem;margin-top:3rem;border-top:1px solid var(--rule);padding-top:.6rem}"
)


def as_html(page: Page, footer: str) -> str:
    """Write a page as one HTML document that fetches nothing."""
    body = "\n".join(_html(block) for block in page.blocks)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{escape(page.title)}</title>\n<style>{CSS}{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{escape(page.title)}</h1>\n<p class="sub">{escape(page.subtitle)}</p>\n{body}\n'
        f"<footer>{escape(footer)}</footer>\n</main>\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Prose(text):
            return f"<p>{escape(text)}</p>"
        case Facts(rows):
            return "<dl>" + "".join(f"<div><dt>{escape(a)}</dt><dd>{escape(b)}</dd></div>" for a, b in rows) + "</dl>"
        case Grid(header, rows):
            return _html_table(header, rows)
        case Figure(svg, caption):
            return f'<figure><div class="box" tabindex="0">{svg}</div><figcaption>{escape(caption)}</figcaption></figure>'


def _html_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    sides = [' class="n"' if right else "" for right in _right(header, rows)]
    head = "".join(f'<th scope="col"{side}>{escape(name)}</th>' for name, side in zip(header, sides, strict=True))
    body = "\n".join(
        "<tr>"
        + "".join(f"<td{side}>{escape(cell).replace(',', ',<wbr>')}</td>" for cell, side in zip(row, sides, strict=True))
        + "</tr>"
        for row in rows
    )
    return f'<div class="table" tabindex="0"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def _right(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[bool]:
    """Say which columns hold numbers only."""
    columns = [[row[i] for row in rows if row[i]] for i in range(len(header))]
    return [bool(cells) and all(NUMBER.fullmatch(cell) for cell in cells) for cells in columns]


def as_markdown(page: Page, footer: str, pictures: Sequence[str]) -> str:
    """Write a page as Markdown; `pictures` are the names of the files its figures are in, in order."""
    names = iter(pictures)
    parts = [f"# {_plain(page.title)}", _plain(page.subtitle)]
    for block in page.blocks:
        match block:
            case Heading(text):
                parts.append(f"## {_plain(text)}")
            case Prose(text):
                parts.append(_plain(text))
            case Facts(rows):
                parts.append(_markdown_table(["", ""], rows))
            case Grid(header, rows):
                parts.append(_markdown_table(header, rows))
            case Figure(_, caption):
                parts.append(f"![{_plain(caption)}](<{next(names)}>)\n\n*{_plain(caption)}*")
    return "\n\n".join([*parts, "---", _plain(footer)]) + "\n"


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---:" if right else "---" for right in _right(header, rows)]
    lines = [[_plain(cell) for cell in row] for row in [header, *rows]]
    lines.insert(1, rule)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """Keep Markdown from reading signs in a text as its own."""
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, f"\\{sign}")
    return text


def check_place(path: Path, endings: Sequence[str], what: str) -> None:
    """Raise `GameError` unless the file has one of the endings and its directory is there."""
    if path.suffix.lower() not in endings:
        raise GameError(f"cannot write {str(path)!r}: {what} is written to a file that ends in {' or '.join(endings)}")
    if not path.parent.is_dir():
        raise GameError(f"cannot write {str(path)!r}: there is no directory {str(path.parent)!r}")
    if path.is_dir():
        raise GameError(f"cannot write {str(path)!r}: it is a directory")


def write_page(page: Page, path: Path, footer: str) -> list[Path]:
    """Write a page by the ending of its file; pictures of a Markdown page go first. Returns the files, the page last."""
    if path.suffix.lower() != ".md":
        write_whole(path, as_html(page, footer))
        return [path]
    figures = [block.svg for block in page.blocks if isinstance(block, Figure)]
    files = [path.with_name(f"{path.stem}-{i}.svg") for i in range(1, len(figures) + 1)]
    for file, svg in zip(files, figures, strict=True):
        write_whole(file, standalone(svg))
    write_whole(path, as_markdown(page, footer, [file.name for file in files]))
    return [*files, path]
