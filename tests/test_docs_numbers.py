"""Numbers in the documents are computed here; a number that nothing computes fails a test.

A number is one with a decimal point or at least four digits, in the text or a table of a page, outside code. It is either

- in `docs_numbers.toml`, with what computes it, or among what is `stated`;
- a known value (`tests/known`) of a game that its line names, or in a sample on the same page, which other tests run;
- a time or a size in bytes, or in a sentence or table that says it was measured or simulated.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from inspect import signature
from math import comb, pi, sqrt
from pathlib import Path
from pydoc import locate
from sys import float_info
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import rollwise
from rollwise.cards.evaluate import evaluate_card
from rollwise.cards.library import measured_cards
from rollwise.extending import ability
from rollwise.games import CATALOGUE, load
from rollwise.playing.opponents import resolve
from rollwise.playing.strategy import policy_rows
from rollwise.policies import Greedy, RandomPolicy
from rollwise.solvers.base.abilities import ListsDecisions
from rollwise.solvers.graph.explore import explore
from rollwise.solvers.graph.levels import _edges
from rollwise.solvers.sheets.reading import make_sheet_arrays
from rollwise.solvers.sheets.saved_rolls_axis import count_saved
from rollwise.web.limits import Limits
from tests.known_games import FOLDER, KNOWN
from tests.test_known_cards import card_of

ROOT = Path(__file__).parents[1]
WRITTEN = {"catalogue.md", "reasons.md"}
"""Pages that are written from what other tests compute, and compared with it."""
PAGES = {path.name: path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.name not in WRITTEN}
TABLE: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests" / "docs_numbers.toml").read_text("utf-8"))
NAMES = (Greedy, Limits, RandomPolicy, comb, float_info, pi, policy_rows, signature, sqrt)
"""What the table uses."""
NUMBER = r"[-\u2212]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
TO_COMPUTE = re.compile(r"(?<![\w.,/])[-\u2212]?(?:\d[\d,]*\.\d+(?:e-?\d+)?|\d{1,3}(?:,\d{3})+|\d{4,})(?![\d/]|\.\d)")
SIZE = re.compile(r"(?: (?:and|to|/) [\d.,]+)? ?(?:s|ms|min|h|hours|seconds|minutes|[kMGTP]i?B)\b")
UNITS = {"%": -2, "percentage points": -2, "million": 6, "thousand million": 9, "billion": 9, "trillion": 12}
"""Units of numbers, as powers of ten."""
MEASURED = re.compile(r"\b(?:measured|simulat\w+)\b", re.IGNORECASE)
BLOCK = re.compile(r"^(```+).*?^\1`*$", re.MULTILINE | re.DOTALL)


# What computes numbers


@cache
def solved(name: str, objective: str | None = None, **rules: Any) -> Any:
    return rollwise.solve(load(name, **rules), objective)


def value(name: str, objective: str | None = None, **rules: Any) -> float:
    return float(solved(name, objective, **rules).value())


@cache
def known(name: str) -> float:
    """Give the value of a game by its usual rules, which other tests compute."""
    rows = [*KNOWN[name].get("value", ()), *KNOWN[name].get("exact", ())]
    return next(float(Fraction(row["value"])) for row in rows if not {"parameters", "objective"} & {*row})


def constant(name: str) -> Any:
    return locate(f"rollwise.{name}")


@cache
def plan(name: str, objective: str | None = None, **rules: Any) -> Any:
    return rollwise.plan(load(name, **rules), objective)


def duel(name: str) -> tuple[int, ...]:
    """Count the positions of a duel that are stored, those with all leads, and the pairs of sheets."""
    found = plan(name, "duel")
    return found.states, found.full_range_states, found.rows


def turns(name: str, **rules: Any) -> tuple[int, int]:
    """Count the turn starts of a sheet: all, and those that differ."""
    arrays = make_sheet_arrays(load(name, **rules))  # type: ignore[arg-type]
    every, layers = count_saved(arrays if rules else replace(arrays, rerolls=0))
    return every, sum(layers)


def decisions(name: str) -> int:
    return ability(solved(name), ListsDecisions).count({})


def cycles_of_pig() -> int:
    """Count the components of Pig's graph that are cycles."""
    source, target = _edges(explore(load("pig")).graph)
    size = int(max(source.max(), target.max())) + 1
    edges = coo_matrix((np.ones(len(source), dtype=bool), (source, target)), shape=(size, size))
    return int((np.bincount(connected_components(edges, connection="strong")[1]) > 1).sum())


def reached(name: str, *totals: int, best: bool = True) -> list[float]:
    """Give the chance of some totals: the best one, or that of a player for the expected score."""
    if best:
        return [float(chance) for chance in solved(name, "at least 200").curve()[[*totals]]]
    ends = rollwise.distribution(solved(name))
    return [float(ends.at_least(total)) for total in totals]


def against_self(name: str) -> float:
    """Give the chance to beat a player for points, whose score is not known."""
    return float(rollwise.solve(load(name), resolve(rollwise.read_objective("against self"), load(name))).value())


def to_beat(name: str) -> float:
    """Give the chance to beat a player for points, whose score is known; a tie counts half."""
    ends, curve = rollwise.distribution(solved(name)), np.append(solved(name, "at least 200").curve(), 0)
    scores = ends.lowest + np.arange(len(ends.chance))
    return float(np.dot(ends.chance, (curve[scores] + curve[scores + 1]) / 2))


def played(name: str, policy: Any) -> float:
    return float(rollwise.evaluate(load(name), policy).value)


def swept(target: int) -> tuple[float, ...]:
    row = next(iter(rollwise.sweep("slots", {"target": [target]})))
    return row["value"], row["standard_deviation"], row["q50"], row["states"]


def jokers(bonus: int) -> float:
    """Give what forced jokers add."""
    return value("yahtzee", joker="forced", upper_bonus=bonus) - value("yahtzee", joker="none", upper_bonus=bonus)


def card(name: str, size: int, scale: int = 1) -> tuple[float, float, float]:
    """Give the value of a known card, the optimum, and the difference."""
    figures = next(figures for one, figures in measured_cards(name, load(name))[::-1] if one.size <= size)
    return figures.value, figures.optimum, scale * abs(figures.optimum - figures.value)


def card_of_pig(size: int) -> tuple[float, float, float]:
    """Give the value of a card against the best player, the optimum, and the difference in percentage points."""
    found = float(evaluate_card("pig", card_of("pig", size), solution=solved("pig")).value)
    return found, 0.5, 100 * (0.5 - found)


def lost(name: str, found: float) -> tuple[float, float, float]:
    """Give the optimum, what a card of this value loses, in points or percentage points, and as a part of the optimum."""
    loss = abs(known(name) - found)
    return known(name), loss * (100 if known(name) < 1 else 1), loss / known(name)


# Where they are on the pages


@cache
def lines(page: str) -> tuple[str, ...]:
    """Give a page without its blocks of code: a line is a paragraph, an item of a list or a row of a table."""
    text = BLOCK.sub("", PAGES[page].read_text("utf-8"))
    joined = re.sub(r"(?<![|\n])\n(?=[^|\n#*-]|\*\*)(?: *)(?!- )", " ", text)
    return tuple(" ".join(line.split()) for line in joined.splitlines())


def pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text).replace(r"\{\}", f"({NUMBER})"))


def read(number: str, after: str) -> tuple[Fraction, Fraction]:
    """Give a number as it is written, with its unit, and half of its last digit."""
    after = re.sub(r"^(?:,? (?:and )?[\d.,]+\b)*", "", after).lstrip()
    power = next((power for unit, power in UNITS.items() if after.startswith(unit)), 0)
    written = Decimal(number.replace(",", "").replace("\u2212", "-")).scaleb(power)
    return Fraction(written), Fraction(10) ** int(written.as_tuple().exponent) / 2


def facts(mark: str) -> list[Any]:
    """Give the rows of the table that run by default, with `--all` or as audits: page, text, expression."""
    found = [(page, row.get(mark, {}) if mark else row) for page, row in TABLE.items()]
    rows = [(page, text, expression) for page, row in found for text, expression in row.items() if isinstance(expression, str)]
    return [pytest.param(*row, id=f"{row[0]}-{row[1][:40]}", marks=getattr(pytest.mark, mark) if mark else ()) for row in rows]


@pytest.mark.parametrize(("page", "text", "expression"), [*facts(""), *facts("full"), *facts("audit")])
def test_number(page: str, text: str, expression: str) -> None:
    found = [match for line in lines(page) for match in pattern(text).finditer(line)]
    assert len(found) == 1, f"{text!r} is {len(found)} times on the page"
    computed = eval(expression)
    wanted = [*computed] if isinstance(computed, tuple | list) else [computed]
    shown = [(number, found[0].string[found[0].end(place) :]) for place, number in enumerate(found[0].groups(), 1)]
    for (number, after), right in zip(shown, wanted, strict=True):
        written, half = read(number, after)
        assert abs(written - Fraction(right)) <= half * (1 + Fraction(1, 10**6)), f"{number} is {float(right)}"


@cache
def known_numbers() -> dict[str, tuple[Fraction, ...]]:
    """Give the numbers that are known about each game, by its names."""
    texts = {name: (FOLDER / f"{name}.toml").read_text("utf-8").replace(",", "") for name in KNOWN}
    found = {name: tuple(map(Fraction, re.findall(r"(?<![\w.])\d+(?:\.\d+|/[1-9]\d*)?", text))) for name, text in texts.items()}
    return found | {str(CATALOGUE[name].title).lower(): numbers for name, numbers in found.items()}


def is_known(number: str, after: str, line: str) -> bool:
    written, half = read(number, after)
    named = [one for name, numbers in known_numbers().items() if name in line.lower() for one in numbers]
    return len(re.sub(r"\D", "", number).lstrip("0")) >= 4 and any(abs(one - written) <= half for one in named)


def uncovered(page: str) -> Iterator[str]:
    """List the numbers of a page that nothing computes, with what stands around them."""
    samples = {number for block in BLOCK.finditer(PAGES[page].read_text("utf-8")) for number in re.findall(NUMBER, block[0])}
    row = TABLE.get(page, {})
    covered = [pattern(text) for text in [*row, *row.get("full", ()), *row.get("audit", ()), *row.get("stated", ())]]
    above = table = ""
    for line in lines(page):
        above, table = (above, table or f"{above} {line}") if line.startswith("|") else (line or above, "")
        spans = [match.span() for one in covered for match in one.finditer(line)]
        plain = re.sub(r"`[^`]*`|\]\([^)]*\)", lambda code: " " * len(code[0]), line)
        for match in TO_COMPUTE.finditer(plain):
            number, (start, end), after = match[0], match.span(), plain[match.end() :]
            sentence = re.split(r"[.!?] (?=[A-Z*])", plain[:start])[-1] + re.split(r"[.!?] (?=[A-Z*])", plain[start:])[0]
            if not (
                any(first <= start < last for first, last in spans)
                or number in samples
                or re.fullmatch(r"(?:19|20)\d\d", number)
                or SIZE.match(after)
                or MEASURED.search(table + sentence)
                or is_known(number, after, line)
            ):
                yield line[max(0, start - 40) : end + 30]


@pytest.mark.parametrize("page", PAGES)
def test_every_number_is_computed(page: str) -> None:
    assert list(uncovered(page)) == []


def test_a_wrong_number_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One digit that is changed fails, and so does a number that is new."""
    page = PAGES["solvers.md"].read_text("utf-8").replace("828,416", "828,417") + "\nYatzy is worth 248.45 points.\n"
    (tmp_path / "solvers.md").write_text(page, "utf-8")
    monkeypatch.setitem(PAGES, "solvers.md", tmp_path / "solvers.md")
    lines.cache_clear()
    try:
        with pytest.raises(AssertionError, match="828,417 is 828416"):
            test_number("solvers.md", "for Yatzy {} turns instead of {}", "turns('yatzy')[::-1]")
        assert [*uncovered("solvers.md")] == ["Yatzy is worth 248.45 points."]
    finally:
        lines.cache_clear()
