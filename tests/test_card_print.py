"""Cards on paper: one sheet that holds every line, what it says about itself, and examples that the card does play."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import rollwise
from rollwise.cards.library import Example
from rollwise.games import load
from rollwise.model.card import Card, read_card
from rollwise.reports.card_page import HIGH, WIDE, PrintedCard, card_html, card_markdown, card_svg
from rollwise.reports.card_print import _above, find_examples, print_card, write_card
from rollwise.solvers.base.distribution import Distribution

SVG = "{http://www.w3.org/2000/svg}"
SMALL = load("yazy", boxes="ones,sixes,straight")
TEXT = """par ones = 2
if straight open and longest run >= 4 and rolls left >= 1: go for straight
if rolls left >= 1: keep the largest open set
otherwise: fill the best over par
"""


def card_of(text: str, game: Any = SMALL) -> Card:
    return read_card(text, game.vocabulary())


def words_in(svg: str) -> str:
    return " ".join("".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text"))


@pytest.mark.parametrize("lines", [1, 8, 30, 100])
def test_every_line_stands_on_the_sheet(lines: int) -> None:
    text = "".join(f"if sum >= {30 - i % 26} and rolls left >= 1: keep the largest open set\n" for i in range(lines))
    card = card_of(text)
    examples = {i: Example((1, 2, 3, 4, 5), (4, 5)) for i in range(lines)}
    svg = card_svg(PrintedCard("Title", card, ["worth"], [("sum", "the total of all dice")], examples, "foot"))
    found = words_in(svg)
    assert found.count("keep") == lines
    assert len(ElementTree.fromstring(svg).findall(f"{SVG}rect")) == 1 + 5 * lines
    for node in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        assert 0 < float(node.attrib["x"]) < WIDE
        assert 0 < float(node.attrib["y"]) < HIGH


def test_signs_of_markup_in_a_title_stay_text() -> None:
    printed = PrintedCard("<b> & co", card_of(TEXT), ["a < b"])
    assert "<b>" not in card_html(printed)
    assert "<b> & co" in words_in(card_svg(printed))


def test_page_fetches_nothing() -> None:
    page = card_html(PrintedCard("Yazy", card_of(TEXT)))
    assert not re.findall(r'(?:src|href)="', page)
    assert "@page{size:A4" in page


def test_markdown_has_the_card_as_text() -> None:
    printed = PrintedCard("Yazy", card_of(TEXT), ["It is worth something."], [("sum", "all dice")])
    text = card_markdown(printed)
    assert "1. If straight open and longest run ≥ 4 and rolls left ≥ 1: **go for straight**" in text
    assert card_of(text.partition("```\n")[2].partition("```")[0]) == printed.card


def test_examples_are_played_by_their_lines() -> None:
    card = card_of(TEXT)
    found = find_examples(SMALL, card)
    assert found == find_examples(SMALL, card)
    assert set(found) == {0, 1, 2}
    assert all(len(example.dice) == 5 for example in found.values())
    kept = found[1].kept
    assert kept is not None
    assert len(set(kept)) == 1


def test_says_what_it_loses_and_how_often_it_is_beaten(tmp_path: Path) -> None:
    solution, card = rollwise.solve(SMALL), card_of(TEXT)
    value = float(rollwise.evaluate(SMALL, card).value)
    printed = print_card(solution, card, value, float(solution.value()))
    assert printed.title == "Yazy in 4 lines"
    assert f"{value:.2f} points a game" in printed.worth[0]
    beaten = re.search(r"beats it in ([\d.]+) % of games", printed.worth[1])
    assert beaten
    assert 50 < float(beaten[1]) < 100
    for ending in (".html", ".svg", ".md"):
        write_card(printed, tmp_path / f"card{ending}")
        assert "Yazy in 4 lines" in (tmp_path / f"card{ending}").read_text(encoding="utf-8")


def test_two_totals_compared() -> None:
    one, other = Distribution("points", 0, np.array([0.5, 0.5])), Distribution("points", 0, np.array([0.25, 0.75]))
    assert _above(one, other) == pytest.approx(0.5 * 0.25 / 2 + 0.5 * (0.25 + 0.75 / 2))


def test_two_players_and_chances_in_their_own_words() -> None:
    pig = load("pig", target=15)
    solution, card = rollwise.solve(pig), read_card("if turn total >= 8: hold\notherwise: roll", pig.vocabulary())
    assert "Against a perfect player" in print_card(solution, card, 0.45, 0.5).worth[0]
    slots = load("slots")
    solution, card = rollwise.solve(slots), read_card("otherwise: most points", slots.vocabulary())
    assert "of games, perfect play in" in print_card(solution, card, 0.07, 0.29).worth[0]
    assert print_card(solution, card, 0.29, 0.29 + 1e-14).worth == ["It plays perfectly: nothing is lost."]
