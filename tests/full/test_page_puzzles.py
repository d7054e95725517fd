"""Puzzles in a real browser: three a day for everybody, others by game and aim, and a score that the browser keeps."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser import AUDIT, Watched, go, part, settled, url
from tests.web_client import Json

SMALL: Json = {"game": "yazy", "parameters": {"boxes": "ones,sixes,three-of-a-kind,straight"}}
SET = "#puzzles/set/yazy?p.boxes=ones,sixes,three-of-a-kind,straight&seed=3"
DAY = "2026-11-18"
"""A day of the game that is solved fastest."""


def puzzles(page: Page, address: str) -> list[Json]:
    """The puzzles of the small set, with their answers."""
    found: list[Json] = page.request.post(f"{address}api/puzzles", data={**SMALL, "seed": 3, "n": 10}).json()["puzzles"]
    return found


def choose(page: Page, action: str) -> None:
    """Choose a move on the board: a box, or the dice that it keeps."""
    expect(part(page, "task")).to_be_visible()
    board: Locator = page.locator(".learn-board")
    if not action.startswith("keep "):
        board.locator(f'[data-test="box-{action}"]').click()
        return
    wanted = [*action.removeprefix("keep ").replace("-", "")]
    for die in board.locator("button.die").all():
        face = re.findall(r"shows (\d)", die.text_content() or "")[0]
        holds = face in wanted
        if holds:
            wanted.remove(face)
        if holds != (die.get_attribute("aria-pressed") == "true"):
            die.click()


def answer(page: Page, action: str) -> None:
    """Choose a move and check it."""
    choose(page, action)
    part(page, "task-check").click()


def test_a_puzzle_missed_and_solved(watched: Watched) -> None:
    """The tempting move is told as such, the best one is right; the first answer counts; a reload keeps the score."""
    page = go(watched, SET)
    expect(part(page, "task")).to_be_visible()
    first, second = puzzles(page, watched.address)[:2]
    answer(page, first["tempting"])
    expect(part(page, "task-verdict")).to_contain_text("That is the tempting move. Try again, or see the answer.")
    expect(part(page, "puzzle-score")).to_have_text("0 of 1 right at the first try so far; 0 in a row.")
    answer(page, first["best"])
    expect(part(page, "task-verdict")).to_contain_text("Right: ")
    expect(part(page, "task-reasons")).to_contain_text(re.compile("Best .*Yours ", re.DOTALL))
    assert page.evaluate(AUDIT) == []
    part(page, "task-next").click()
    expect(part(page, "puzzle-head")).to_contain_text("Puzzle 2 of ")
    answer(page, second["best"])
    expect(part(page, "puzzle-score")).to_have_text("1 of 2 right at the first try so far; 1 in a row.")
    go(watched, "#puzzles")
    page.reload()
    expect(part(page, "score-right")).to_have_text("1 / 2")
    expect(part(page, "score-run")).to_have_text("1")
    watched.finish()


def test_the_puzzles_of_a_day(watch: Any) -> None:
    """Three of them; half of them are there after a reload; when all are answered the day counts."""
    watched = watch(timezone_id="UTC")  # a page of its own: its clock stands still
    watched.page.clock.set_fixed_time(f"{DAY}T12:00:00Z")
    watched.page.add_init_script("navigator.share = async (given) => { window.shared = given; };")
    page = go(watched)
    part(page, "puzzles").click()
    expect(page.locator("#puzzle-day-title")).to_have_text("Today: Yazy")
    part(page, "puzzle-day").click()
    expect(part(page, "puzzle-head")).to_have_text("Puzzle 1 of 3 · easy")
    expect(part(page, "task")).to_be_visible()
    assert url(page).endswith(f"#puzzles/day/{DAY}")
    part(page, "task-show").click()
    part(page, "task-next").click()
    expect(part(page, "puzzle-head")).to_have_text("Puzzle 2 of 3 · less easy")
    page.reload()
    expect(part(page, "puzzle-head")).to_have_text("Puzzle 2 of 3 · less easy")
    for head in ("Puzzle 2 of 3", "Puzzle 3 of 3"):
        expect(part(page, "puzzle-head")).to_contain_text(head)
        part(page, "task-show").click()
        part(page, "task-next").click()
    expect(part(page, "puzzle-head")).to_have_text("0 of 3 right at the first try")
    expect(part(page, "puzzle-days")).to_have_text("1 day in a row.")
    part(page, "puzzle-copy").click()
    shared: Any = page.wait_for_function("() => window.shared").json_value()
    assert shared["url"] == url(page)
    assert shared["url"].endswith(f"#puzzles/day/{DAY}")
    assert shared["text"].endswith("\N{LARGE RED SQUARE}" * 3)
    part(page, "puzzle-repeat").click()
    part(page, "task-show").click()
    expect(part(page, "task-verdict")).to_contain_text("The answer: ")
    go(watched, "#puzzles")
    expect(part(page, "score-right")).to_have_text("0 / 3")
    expect(part(page, "puzzle-day")).to_have_text("Done for today: see the answers")
    watched.finish()


def test_puzzles_by_game_and_aim(watched: Watched) -> None:
    """Of a game without dice to hold, by buttons, and played on; of words by keys alone."""
    page = go(watched, "#puzzles")
    part(page, "puzzle-game").select_option("shut-the-box")
    part(page, "start").click()
    expect(part(page, "puzzle-head")).to_contain_text("Puzzle 1 of 10")
    expect(page.locator("h1")).to_have_text("Shut the Box: puzzles")
    page.locator(".tile:not(.shut)").first.wait_for()
    for tile in page.query_selector_all(".tile:not(.shut)"):  # the first that is a move, alone or with tiles before it
        if part(page, "task-check").get_attribute("aria-disabled") and not tile.get_attribute("aria-disabled"):
            tile.click()
    part(page, "task-check").click()
    expect(part(page, "task-verdict")).not_to_be_empty()
    assert page.evaluate(AUDIT) == []
    part(page, "puzzle-on").click()
    settled(page, "move")
    go(watched, "#puzzles/set/words?p.dice=ABCDEF,ABCDEF,ABCDEF,ABCDEF&p.words=FACE,DEAF,BEAD,FADE,CAFE,DEAD&seed=1")
    expect(part(page, "task")).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator('.learn-board [data-test="die-0"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(part(page, "task-verdict")).not_to_be_empty()
    watched.finish()
