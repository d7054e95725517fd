"""Solutions, advice, distributions, rolls and reports show themselves: short in every case, well-formed, nothing taken for
markup.
"""

from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import numpy as np

import rollwise
from rollwise import Against, AtLeast, Duel, Fewest, Objective, Roll, Solution, certain, dice, die
from rollwise.games import load
from rollwise.model.summary import Shown
from rollwise.solvers.base.distribution import Distribution
from tests.known_games import KNOWN

BIG = {"maxi-yatzy", "kniffel", "yatzy", "yahtzee", "cant-stop"}
"""Whole sheets, as others here, and what takes a compiler long."""
FEW = {"boxes": "sixes,straight"}
AIMS: list[tuple[str, dict[str, Any], Objective | None, dict[str, Any]]] = [
    *((name, KNOWN[name]["game"].get("small", {}), None, {}) for name in sorted({*KNOWN} - BIG)),
    ("yazy", FEW, AtLeast(30), {}),
    ("yazy", FEW, Against({20: 1, 30: 2}), {}),
    ("yazy", FEW, Duel(), {}),
    ("yatzy", {"boxes": "ones,sixes", "saved_rolls": "yes", "threshold": "20"}, None, {}),
    ("yazy", {"boxes": "ones"}, None, {"exact": True}),
    ("slots", {}, None, {"exact": True}),
    ("groups", {"faces": "6", "sizes": "3,2"}, Fewest(), {"exact": True}),
]
EMPTY = {"br", "hr", "img", "rect", "path", "circle"}


class Tags(HTMLParser):
    """Says whether every tag that is opened is closed, and which there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)
        self.open += [] if tag in EMPTY else [tag]

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def printed(thing: Shown, inside: int = 0) -> str:
    """Print a thing as IPython does (tests/full/test_notebooks.py), alone or inside of another."""
    lines: list[str] = []
    thing._repr_pretty_(SimpleNamespace(text=lines.append, indentation=inside), cycle=False)
    return "".join(lines)


def look(thing: Shown) -> dict[str, str]:
    """Show a thing as a notebook does, and see that it is short and well-formed."""
    shown = {"text/plain": printed(thing), "text/html": thing._repr_html_()}
    assert len(shown["text/html"]) < 30_000
    assert {"script", "iframe"}.isdisjoint(Tags(shown["text/html"]).seen)
    lines = shown["text/plain"].split("\n")
    assert len(lines) < 25
    assert max(map(len, lines)) < 400
    assert len(repr(thing)) < 500
    assert "\n" not in repr(thing)
    return shown


def first_state(solution: Solution) -> Any:
    return next(iter(solution.game.roll(solution.game.start())))


def test_every_solver_and_aim() -> None:
    for name, parameters, objective, how in AIMS:
        solution = rollwise.solve(load(name, **parameters), objective, **how)
        shown = look(solution)
        words = solution.objective.words(solution.game)
        assert words.show(solution.value()) in shown["text/plain"]
        advice = rollwise.advise(solution, first_state(solution), outlook=False)
        assert solution.game.show_action(advice.moves[0].action) in look(advice)["text/plain"] if advice.moves else True
        look(solution.table())


def test_distributions_and_reports() -> None:
    solution = rollwise.solve(load("yazy", boxes="sixes,straight"))
    shown = look(rollwise.distribution(solution))
    assert "<svg" in shown["text/html"]
    assert f"{float(solution.value()):.6g}" in shown["text/plain"]
    assert "<svg" in look(rollwise.reports.build.make_report(solution, name="yazy"))["text/html"]
    advice = rollwise.advise(solution, solution.game.read_state("23456 1 all"))
    assert "points to come: 5 %" in look(advice)["text/plain"]
    curve = rollwise.solve(load("yazy", boxes="sixes,straight"), AtLeast(20))
    assert "<svg" in look(curve)["text/html"]


ODD = [
    Distribution("points", 7, np.array([1.0])),
    Distribution("points", 0, np.array([0.5, 0.5]), numbers=np.array([0, 10**12])),
    Distribution("rolls", 0, np.array([0.25, 0.25]), rest=0.5),
    Distribution("points", 0, np.full(5000, 1 / 5000), error=0.01, moments=(2499.5, 1443.0)),
    die(6),
    dice(5),
    certain("x" * 100_000),
    Roll({"<script>alert(1)</script>": 1, ("a", ("b", 2)): 2, None: 3}),
    Roll({("long",) * 10_000: 1, "b": 1}),
]


def test_odd_things() -> None:
    for thing in ODD:
        shown = look(thing)
        assert {"i", "b"}.isdisjoint(Tags(shown["text/html"]).seen)


class Odd(rollwise.Game[Any, Any, str]):
    """<img src=x onerror=alert(1)> named by a stranger."""

    def start(self) -> str:
        return "start"

    def roll(self, pending: str) -> dict[str, int]:
        return {"<b>x</b>": 1} if pending == "start" else {"end": 1}

    def actions(self, state: str) -> tuple[str, ...]:
        return ("<script>alert(1)</script>", "y" * 10_000) if state != "end" else ()

    def play(self, state: str, action: str) -> str:
        return action

    def payoff(self, state: str) -> int:
        return 10**15


def test_what_a_stranger_names() -> None:
    solution = rollwise.solve(Odd())
    for thing in (
        solution,
        rollwise.advise(solution, "<b>x</b>"),
        solution.table(),
        rollwise.reports.build.make_report(solution),
    ):
        assert "<b>" not in look(thing)["text/html"]
