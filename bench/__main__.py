"""`python -m bench`: measure all rows, print the table, keep it in results.md.

With `--only` a part is measured and printed, and results.md stays as it is: ratios only mean something within one run.
"""

import argparse
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from bench.machine import describe
from bench.measure import Result, measure
from bench.rows import ROWS, Row
from bench.table import HEAD, cells, load_section, markdown, text_line

RESULTS = Path(__file__).parent / "results.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit code is 0 whatever the figures are, and 2 if no row has the name."""
    options = _parser().parse_args(arguments)
    rows = [row for row in ROWS if not options.only or any(_named(row, name) for name in options.only)]
    if options.list or not rows:
        print("\n".join(row.name for row in ROWS))
        return 0 if options.list else 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that a stopped run also stops what it measures
    machine = describe()
    print("\n".join(f"{name}: {text}" for name, text in machine.items()), flush=True)
    if options.load:
        return _load(machine)
    if options.busy:
        return _busy(options.busy)
    if options.limit:
        rows = [replace(row, timeout=min(row.timeout, options.limit)) for row in rows]
    print(f"\n{text_line(HEAD)}", flush=True)
    try:
        lines = _run(rows)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    if not options.only:
        _keep(markdown(lines, machine))
        print(f"\nkept in {RESULTS.parent.name}/{RESULTS.name}")
    return 0


def _keep(section: str) -> None:
    """Put a section into the results, in the place of the one with the same heading; the table has none and comes first."""
    heading = section.partition("\n")[0]
    kept = ("\n" + RESULTS.read_text(encoding="utf-8")).split("\n## ")
    sections = [kept[0].lstrip("\n"), *(f"## {part}" for part in kept[1:])]
    place = next((i for i, part in enumerate(sections) if part.partition("\n")[0] == heading), len(sections))
    sections[place : place + 1] = [section]
    RESULTS.write_text("\n\n".join(part.strip("\n") for part in sections) + "\n", encoding="utf-8")


def _load(machine: Mapping[str, str]) -> int:
    """Measure the server; only its own part of the results changes."""
    from bench.load import HEAD as COLUMNS  # noqa: PLC0415  (not needed, and heavy, for the rows)
    from bench.load import HOW, measure_all  # noqa: PLC0415

    lines = []
    for load in measure_all():
        lines.append(load.cells())
        print("; ".join(f"{name}: {text}" for name, text in zip(COLUMNS, lines[-1], strict=True)), flush=True)
    _keep(load_section(COLUMNS, HOW, lines, machine))
    return 0


def _busy(seconds: float) -> int:
    from bench.load import HEAD as COLUMNS  # noqa: PLC0415  (not needed, and heavy, for the rows)
    from bench.load import measure_busy  # noqa: PLC0415

    cells = measure_busy(seconds).cells()
    print("; ".join(f"{name}: {text}" for name, text in zip(COLUMNS, cells, strict=True)), flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measure rollwise against its peers.")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="a game, a tool or GAME/TOOL, with * for any text; may be repeated"
    )
    parser.add_argument(
        "--limit", type=float, metavar="SECONDS", help="the longest any row may take, if that is less than its own limit"
    )
    parser.add_argument("--load", action="store_true", help="measure the server under load instead (six minutes)")
    parser.add_argument(
        "--busy", type=float, nargs="?", const=600.0, metavar="SECONDS",
        help="measure advice while games solve and charts are abandoned instead (ten minutes); nothing is kept",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="list the rows and stop")
    return parser


def _named(row: Row, name: str) -> bool:
    return any(fnmatchcase(text, name) for text in (row.game, row.tool, row.name))


def _run(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    results: list[Result] = []
    lines = []
    for row in rows:
        result = measure(row)
        lines.append(cells(result, results))
        results.append(result)
        print(text_line(lines[-1]), flush=True)
    return lines


if __name__ == "__main__":
    sys.exit(main())
