"""Write results as a table: ratios, checked values and remarks; as text while measuring and as Markdown to keep."""

from collections.abc import Mapping, Sequence

from bench.measure import Result

HEAD = ("game", "tool", "value", "CPU s", "wall s", "peak MiB", "CPU ratio", "notes")
WIDTHS = (30, 24, 19, 9, 9, 9, 10, 0)

HOW = """Each line is a process of its own. CPU and wall time are of the solve with its model building, on one core unless said,
without the start of Python and imports, and after one warm-up where code is compiled on the way; "whole process" lines count
everything. Peak memory is of the whole process. The ratio is the CPU time over that of the first line of the same game (an
exact peer: over rollwise exact); above 1 is slower than rollwise. The general solvers get their model from `rollwise.explore`,
which counts as their model building; "solve alone" is only their solver, with its ratio to all of ours. "Graph only" lines build
the explored game and no more; from PRISM text, Storm builds the same nodes itself. Nothing is asserted about time, but every
value is compared with the published or known one where there is one."""


def cells(result: Result, earlier: Sequence[Result]) -> tuple[str, ...]:
    """Give the texts of one line; `earlier` are the results before it, ours among them."""
    row = result.row
    if result.reason:
        return (row.game, row.tool, "-", "-", "-", "-", "-", result.reason)
    base = _base(result, earlier)
    return (
        row.game,
        row.tool,
        "-" if result.value is None else f"{result.value:.12f}".rstrip("0").rstrip("."),
        _seconds(result.cpu),
        _seconds(result.wall),
        "-" if result.memory is None else f"{result.memory:.0f}",
        _ratio(result.cpu, base.cpu) if base else "-",
        "; ".join(_notes(result, base)),
    )


def _base(result: Result, earlier: Sequence[Result]) -> Result | None:
    """Find what a line is compared with: the line it names, or the first of its game."""
    same = [other for other in (*earlier, result) if other.row.game == result.row.game and not other.reason]
    if result.row.against:
        same = [other for other in same if other.row.tool == result.row.against]
    return same[0] if same and same[0].row.tool.startswith("rollwise") else None


def _notes(result: Result, base: Result | None) -> list[str]:
    notes = [_fault(result)] if _fault(result) else []
    if result.solve is not None:
        share = f" ({_ratio(result.solve, base.cpu)} x)" if base else ""
        notes.append(f"explore {_seconds(result.explore)} s, solve alone {_seconds(result.solve)} s{share}")
    if base and base is not result and result.row.tool.startswith("rollwise, ") and result.row.tool.endswith(" threads"):
        bits = "same bits" if result.value == base.value else "OTHER BITS"
        notes.append(f"wall {_ratio(base.wall, result.wall)} x faster than one thread, {bits}")
    return notes + ([result.note] if result.note else [])


def _fault(result: Result) -> str:
    known, value = result.row.known, result.value
    if known is None or (value is not None and abs(value - known) <= result.row.tolerance):
        return ""
    return f"VALUE DIFFERS from the known {known}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds:.4f}" if seconds < 0.1 else f"{seconds:.3f}" if seconds < 10 else f"{seconds:.1f}"


def _ratio(ours: float | None, base: float | None) -> str:
    if not ours or not base:
        return "-"
    ratio = ours / base
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def text_line(line: Sequence[str]) -> str:
    """Set one line for the terminal."""
    columns = zip(line, WIDTHS, strict=True)
    return "  ".join(cell.ljust(width) if i < 2 or width == 0 else cell.rjust(width) for i, (cell, width) in enumerate(columns))


def markdown(lines: Sequence[Sequence[str]], machine: Mapping[str, str]) -> str:
    """Set the whole page that is kept."""
    facts = "\n".join(f"- {name}: {text}" for name, text in machine.items())
    rule = "|---|---|" + "---:|" * 5 + "---|"
    body = "\n".join(_markdown_line(line) for line in lines)
    return f"# Benchmark results\n\nMade by `./scripts/bench`.\n\n{facts}\n\n{HOW}\n\n{_markdown_line(HEAD)}\n{rule}\n{body}\n"


LOAD = "## The server under load"


def load_section(head: Sequence[str], how: str, lines: Sequence[Sequence[str]], machine: Mapping[str, str]) -> str:
    """Set the part of the page about the server."""
    facts = "\n".join(f"- {name}: {text}" for name, text in machine.items())
    body = "\n".join(_markdown_line(line) for line in lines)
    rule = "|---|" + "---:|" * (len(head) - 1)
    return f"{LOAD}\n\nMade by `./scripts/bench --load`.\n\n{facts}\n\n{how}\n\n{_markdown_line(head)}\n{rule}\n{body}\n"


def _markdown_line(line: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |"
