"""The table in a real browser: whose chances it tells, what is in view on a phone, taps on a slow network, its menu."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from rollwise.games import CATALOGUE
from tests.browser import PHONE, Watched, card, choose, enter, go, held_back, part, settled, step

SMALL = "#yazy?p.boxes=ones,straight,full-house"
PHONE_OPTIONS: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

# Chances are the mover's

PIG = "#pig?p.target=20&state={}+{}+{}+6"
WHO = {"en": {"first": "first player", "second": "second player"}, "de": {"first": "erste", "second": "zweite"}}


def percents(text: str) -> list[str]:
    """The chances in a text; in German they have a comma."""
    return [found.replace(",", ".") for found in re.findall(r"[\d.,]+ %", text)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_chance_is_that_of_the_player_to_move(watch: Any, language: str) -> None:
    """The sentence, the list and the bar tell the same, whoever moves; the sentence says whose chance it is."""
    watched = watch(locale=language)
    for mover in ("first", "second"):
        page = go(watched, PIG.format(2, 9, mover))
        settled(page, "move")
        sides = percents(part(page, "bar").get_attribute("aria-valuetext") or "")
        mine = sides[0 if mover == "first" else 1]
        assert percents(part(page, "status").inner_text()) == [mine]
        assert mine in percents(part(page, "move-0").inner_text())
        expect(part(page, "status")).to_contain_text(WHO[language][mover])
        expect(page.locator(".move.head")).to_contain_text(re.compile(mover if language == "en" else WHO[language][mover], re.I))
    watched.finish()


def test_the_same_in_a_duel(watched: Watched) -> None:
    """Against the computer it is yours; between two people that of the player to move."""
    page = go(watched, SMALL + "&aim=duel&state=33561+2+ones,straight+vs+ones,straight+lead+10")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("you win")
    part(page, "rival").select_option("")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("first player wins")
    watched.finish()


# On a phone


FIRST_VIEW = {
    "pig": "?p.target=20",
    "hog": "?p.target=10",
    "two-dice-pig": "?p.target=20",
    "groups": "?p.faces=6&p.sizes=3,2",
    "words": "?p.dice=ABCDEF,GHIJKL&p.words=AG,BH,CI",
    "shut-the-box": "?p.tiles=4",
    "threes": "?p.dice=3",
    "bear-off": "?p.checkers=3",
    "hypergammon": "?p.checkers=1",
    "ur": "?p.pieces=1",
}
"""A small game where there is one."""
QUICK = ["yazy", "slots", "pig", "farkle", "groups", "words", "shut-the-box", "threes"]


IS_FREE = """node => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


PLAYS = "[data-test=play], .dock .big"
"""What plays a move: the button below, or one for each move."""
ROLLED = ".rolled, .face:not(.missing, .mini *, .deco *)"
"""What was rolled: in words where the game shows no dice."""


def in_view(place: Any) -> None:
    """See a part whole, with nothing before it."""
    expect(place).to_be_in_viewport(ratio=1)
    assert place.evaluate(IS_FREE), f"{place} is covered"


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.audit) for name in CATALOGUE if name not in QUICK)]
)
def test_the_first_view_of_a_phone(watch: Any, name: str) -> None:
    """Who rolls, the switch for advice, the roll, and then the dice and what to play: nothing is scrolled for them."""
    watched = watch(**PHONE_OPTIONS)
    page = go(watched, f"#{name}{FIRST_VIEW.get(name, '')}")
    settled(page)
    for switch in ("mode-mine", "mode-roll", "coach"):
        in_view(part(page, switch))
    part(page, "mode-roll").click()
    # In Hog a move comes before its roll.
    if settled(page, "roll", "move") == "roll":
        in_view(part(page, "roll"))
    step(page)
    settled(page, "move")
    in_view(part(page, "coach"))
    plays = page.locator(PLAYS).filter(visible=True)
    in_view(plays.first)
    for play in plays.all():
        in_view(play)
    in_view(page.locator(ROLLED).filter(visible=True).first)
    watched.finish()


def test_what_a_move_cost_is_seen_without_advice(watch: Any) -> None:
    """It stands where the advice would; with advice, what is cut off can be shown."""
    watched = watch(**PHONE_OPTIONS)
    page = go(watched, SMALL)
    part(page, "coach").uncheck()
    enter(page, "33561")
    settled(page, "move")
    expect(page.locator(".advice")).to_contain_text("hidden")
    part(page, "box-ones").click()
    part(page, "play").click()
    expect(part(page, "last")).to_contain_text("Last move: ones cost")
    in_view(part(page, "last"))
    enter(page, "12345")
    settled(page, "move")
    in_view(part(page, "last"))
    part(page, "coach").check()
    why, more = part(page, "selected-why"), part(page, "more")
    expect(why).not_to_be_empty()
    if more.is_visible():
        more.click()
        expect(why).to_be_in_viewport(ratio=1)
        expect(more).to_have_attribute("aria-expanded", "true")
    watched.finish()


# Dice


def test_a_key_too_many_wipes_nothing(watched: Watched) -> None:
    """It says what can be done; `Clear` takes the roll off, and what was kept stays, so that the game can be graded."""
    page = go(watched, SMALL)
    enter(page, "33561")
    settled(page, "move")
    enter(page, "4")
    expect(part(page, "status")).to_contain_text("Clear")
    page.keyboard.press("2")
    spoken = [f"die {i} shows {face}" for i, face in enumerate("33561", 1)]
    for i, text in enumerate(spoken):
        expect(part(page, f"die-{i}")).to_contain_text(text)
    part(page, "play").click()
    enter(page, "1")
    part(page, "clear").click()
    expect(part(page, "status")).to_contain_text("3 to go")
    enter(page, "123")
    settled(page, "move")
    part(page, "clear").click()
    expect(part(page, "status")).to_contain_text("3 to go")
    expect(page.locator("[data-test^=die-][aria-pressed=true]")).to_have_count(2)
    watched.finish()


def test_taps_count_before_the_answer(watched: Watched) -> None:
    """On a slow network a die or a box is pressed at once, and is what is selected when the advice comes."""
    page = go(watched, SMALL)
    settled(page, "dice")
    with held_back(page, "**/api/advise"):
        enter(page, "33561")
        part(page, "die-2").click()
        expect(part(page, "die-2")).to_have_attribute("aria-pressed", "true")
    settled(page, "move")
    expect(part(page, "die-2")).to_have_attribute("aria-pressed", "true")
    expect(part(page, "play")).to_contain_text("keep 5")
    part(page, "clear").click()
    with held_back(page, "**/api/advise"):
        enter(page, "11123")
        part(page, "box-full-house").click()
        expect(part(page, "box-full-house")).to_have_attribute("aria-pressed", "true")
    settled(page, "move")
    expect(part(page, "play")).to_contain_text("full house")
    watched.finish()


# Losses


def test_losses_have_the_colour_of_their_class_on_one_scale(watched: Watched) -> None:
    """A blunder fills its bar, in every position; what loses nothing worth a name has no colour."""
    page = go(watched, SMALL + "&state=33344+0+all")
    settled(page, "move")
    expect(part(page, "moves").locator(".blunder").first).to_have_attribute("style", "width: 100%;")
    expect(part(page, "move-1")).to_contain_text("blunder")
    expect(part(page, "move-0").locator(".fill")).to_have_attribute("style", "width: 0%;")
    watched.finish()


# The menu, and the way back


def test_the_menu_by_keyboard_and_by_hand(watched: Watched) -> None:
    page = go(watched, SMALL)
    settled(page, "dice")
    item = part(page, "new-game")
    expect(item).to_be_hidden()
    part(page, "menu").focus()
    page.keyboard.press("Enter")
    expect(item).to_be_visible()
    page.keyboard.press("Tab")
    expect(item).to_be_focused()
    page.keyboard.press("Escape")
    expect(item).to_be_hidden()
    expect(part(page, "menu")).to_be_focused()
    part(page, "menu").click()
    expect(item).to_be_visible()
    page.locator("h1").click()
    expect(item).to_be_hidden()
    enter(page, "33561")
    settled(page, "move")
    choose(page, "new-game")
    expect(item).to_be_hidden()
    expect(part(page, "status")).to_contain_text("5 to go")
    choose(page, "edit")
    part(page, "box-ones").click()
    part(page, "edit-done").click()
    expect(part(page, "edit-done")).to_be_hidden()
    expect(part(page, "box-ones")).to_contain_text("\N{CHECK MARK}")
    watched.finish()


@pytest.mark.parametrize("way", ["family", "find"])
def test_who_comes_back_finds_the_page_where_it_was(watch: Any, way: str) -> None:
    """A family that was open is open, a game that was looked for is found, and the page is scrolled as it was."""
    watched = watch(viewport={**PHONE, "height": 400})
    page = go(watched)
    if way == "find":
        game = card(page, "threes")
    else:
        family = page.locator(".family").filter(has=part(page, "game-threes"))
        family.locator("summary").click()
        game = family.locator('[data-test="game-threes"]')
    game.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0
    page.wait_for_function("() => history.state?.scroll === scrollY")
    game.click()
    settled(page)
    assert page.evaluate("scrollY") == 0
    page.go_back()
    expect(game).to_be_in_viewport()
    assert abs(page.evaluate("scrollY") - before) < 2
    watched.finish()
