"""A third language is one more catalogue: here one whose letters are all wide, so that what is not in it is seen on the page."""

import json
import re
import string
import sys
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page

from rollwise.texts import read_catalogue, read_texts
from tests.browser import running_server, warm_up
from tests.page_views import STILL, VIEWS, at

WIDE = str.maketrans({letter: chr(ord(letter) + 0xFEE0) for letter in string.ascii_letters})
SERVE = """
import sys
from pathlib import Path
import rollwise.texts
rollwise.texts.FOLDER = Path(sys.argv.pop(1))
from rollwise.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""Run `rollwise` with the catalogues of another folder."""
SEEN = [
    "start", "form", "text form", "help", "rules", "tried", "sheet", "bonus sheet", "held dice", "set up", "keypad", "rolling",
    "slots", "groups", "pig", "pig's rolls", "target", "out of reach", "aims", "duel", "own game", "result", "a move afterwards",
    "puzzles", "puzzle answered", "learn", "who plays", "squares", "backgammon", "party", "pencil", "party result", "games",
]  # fmt: skip
MORE = {
    "slots to roll": at("#slots?mode=roll", "roll"),
    "slots to enter": at("#slots", "keypad-1"),
    "jokers": at("#yahtzee?state=11234+1+ones,chance+upper+50&total=140", "move-0", "menu", "edit"),
    "farkle": at("#farkle?p.most=600", "picker"),
    "rules of pig": at("", "game-yazy", "more-pig", "how-pig"),
    "rules of shut the box": at("", "game-yazy", "more-shut-the-box", "how-shut-the-box"),
    "threes": at("#threes?p.dice=3", "picker"),
    "shut the box": at("#shut-the-box?p.tiles=4", "picker"),
}
NARROW = """() => {
  const found = new Set();
  const add = (text) => text && /[A-Za-z]/.test(text) && found.add(text.trim());
  add(document.title);
  for (const node of document.querySelectorAll("body, body *")) {
    if (node.closest("script, noscript, textarea, kbd, code, time, #own-example, [data-test=after]")) continue;
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) add(child.textContent);
    for (const name of ["aria-label", "aria-valuetext", "placeholder", "alt"]) add(node.getAttribute(name));
    if (!node.matches(".look")) add(node.getAttribute("title"));
  }
  return [...found];
}"""
"""Run in the page: what has letters that are not wide, but for keys, dates, names of game files, and positions as typed."""
NAMES = {"rollwise", "English", "Deutsch", "Anna", "Ben", "Benjamin", "Cleo", "Dora"}
"""What has no translation: the program, languages, which are called as their speakers do, and what players typed."""

SLOTS = r"x3|x2even|[Ff]lip|[Bb]in|\+4(odd|only12)"
"""The slots of Slots have the names that a player gives them."""
DICE = r"[A-Z]{6}(,[A-Z]{6})+"
"""Dice with letters."""
ENGINES = r"(sheet|points|duel)-num(ba|py)|induction(\+return)?|partitions|(ur|hypergammon)-sweeps"
"""Engines are named as the command line takes them."""


def widen(text: str | Mapping[str, str]) -> str | dict[str, str]:
    """Make all letters of a text wide, but for the names of its arguments."""
    if isinstance(text, str):
        parts = re.split(r"(\{[^}]*\})", text)
        return "".join(part if place % 2 else part.translate(WIDE) for place, part in enumerate(parts))
    return {form: str(widen(each)) for form, each in text.items()}


@pytest.fixture(scope="module")
def wide_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that has a third language."""
    folder = tmp_path_factory.mktemp("texts")
    for language in ("en", "de"):
        (folder / f"{language}.json").write_bytes(read_catalogue(language))
    wide = {key: widen(text) for key, text in read_texts("en").items()}
    (folder / "xx.json").write_text(json.dumps(wide, ensure_ascii=False), encoding="utf-8")
    command = [sys.executable, "-c", SERVE, str(folder)]
    with running_server(tmp_path_factory.mktemp("store"), command) as found:
        warm_up(found)
        yield found


@pytest.fixture(scope="module")
def page(browser: Browser, wide_address: str) -> Iterator[Page]:
    context = browser.new_context()
    context.add_init_script('localStorage.setItem("rollwise.language", "xx")')
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("view", [*SEEN, *MORE])
def test_every_text_is_in_the_catalogue(page: Page, wide_address: str, view: str) -> None:
    page.goto("about:blank")
    (MORE.get(view) or VIEWS[view])(page, wide_address)
    page.wait_for_function(STILL)
    left = [text for text in page.evaluate(NARROW) if re.search("[A-Za-z]", without_names(text))]
    assert not left, "\n".join(left)


def without_names(text: str) -> str:
    return re.sub(rf"\b({'|'.join(NAMES)})\b|{SLOTS}|{DICE}|{ENGINES}|\d(e[-+]\d+)", "", text)
