"""After a game, in a real browser: the sentence, the line by keyboard and by tap, every move, and lessons from mistakes."""

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser import AUDIT, PHONE, Watched, part

GAME = "#yazy?p.boxes=ones,straight"
MINUS = "\N{MINUS SIGN}"


def roll(page: Page, faces: str) -> None:
    """Enter a roll, and wait for the moves on it."""
    for face in faces:
        part(page, f"keypad-{face}").click()
    expect(part(page, "move-0")).to_be_visible()
    expect(part(page, "play")).to_be_enabled()


def play_badly(watched: Watched) -> Page:
    """Play a game of two boxes: ones in the straight, a straight in the ones, and both at once."""
    page: Page = watched.page
    page.goto(watched.address + GAME)
    roll(page, "11123")
    part(page, "box-straight").click()
    part(page, "box-straight").click()
    expect(part(page, "status")).to_contain_text("5 to go")
    roll(page, "23456")
    part(page, "box-ones").click()
    part(page, "box-ones").click()
    expect(part(page, "summed")).to_be_visible(timeout=60_000)  # the first grade waits for what is being compiled
    return page


def assert_adds_up(page: Page) -> None:
    """The sentence says what the dice and the decisions made of the average."""
    found = re.fullmatch(r"0: average ([\d.]+), dice (\S+), decisions (\S+)\.", part(page, "summed").inner_text())
    assert found
    start, dice, own = (float(text.replace(MINUS, "-")) for text in found.groups())
    assert abs(start + dice + own) < 0.16
    assert own < -5
    assert abs(float(part(page, "luck").inner_text().replace(MINUS, "-")) - dice) < 0.051


def test_every_move_by_keyboard(watched: Watched) -> None:
    """The line is one control: arrows go from move to move, with the position, what was played, what was best, and why."""
    page = play_badly(watched)
    assert_adds_up(page)
    line = part(page, "course")
    expect(line).to_have_attribute("role", "slider")
    expect(part(page, "step")).to_be_hidden()
    line.focus()
    page.keyboard.press("ArrowRight")
    expect(line).to_have_attribute("aria-valuetext", re.compile(r"^Move 1 of 3: 11123, 2 left: straight, costs [\d.]+ points$"))
    step = part(page, "step")
    expect(part(page, "step-title")).to_have_text("Move 1 of 3: 11123, 2 left")
    expect(part(page, "step-moves")).to_contain_text(re.compile(r"Played straight costs [\d.]+ points \(blunder\)"))
    expect(part(page, "step-moves")).to_contain_text("Best keep 23")
    expect(step.locator('[data-test="box-straight"]')).to_have_attribute("aria-pressed", "true")
    expect(line).to_be_focused()
    page.keyboard.press("PageDown")
    expect(part(page, "step-title")).to_have_text("Move 2 of 3: 23456, 2 left")
    page.keyboard.press("End")
    expect(part(page, "step-moves")).to_have_text("The game is over.")
    page.keyboard.press("Home")
    expect(part(page, "step-title")).to_contain_text("Move 1 of 3")
    part(page, "step-next").click()
    expect(part(page, "step-title")).to_contain_text("Move 2 of 3")
    expect(step.locator('[data-test="box-straight"]')).to_contain_text("0")
    assert page.evaluate(AUDIT) == []
    watched.finish()


def test_a_move_by_mouse_and_from_the_list(watched: Watched) -> None:
    page = play_badly(watched)
    box = part(page, "course").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + 60)
    expect(part(page, "step-title")).to_contain_text("Move 1 of 3")
    page.get_by_role("button", name="Look at 23456, 2 left").click()
    expect(part(page, "step-title")).to_contain_text("Move 2 of 3")
    expect(part(page, "step-title")).to_be_focused()
    part(page, "step-on").click()
    expect(part(page, "move-0")).to_be_visible()
    assert "state=23456+2+ones" in page.url
    watched.finish()


def test_a_game_is_replayed_for_its_mistakes(watched: Watched) -> None:
    """Only the mistakes, one after another: what was played is no answer, the best move is, and the reasons follow."""
    page = play_badly(watched)
    learn = part(page, "learn")
    expect(learn).to_have_text("Learn from your 2 mistakes")
    learn.click()
    expect(part(page, "lesson-title")).to_have_text("Mistake 1 of 2")
    task = part(page, "task")
    expect(task).to_contain_text(re.compile(r"You played straight, which cost [\d.]+ points\. Find a better move\."))
    part(page, "task-check").click(force=True)  # it says why it does nothing yet
    expect(part(page, "task-verdict")).to_have_text("Choose a move first: hold dice, or pick a box.")
    task.locator('[data-test="box-straight"]').click()
    part(page, "task-check").click()
    expect(part(page, "task-verdict")).to_have_text(
        re.compile(r"^straight costs [\d.]+ points\. That is what you played\. Try again")
    )
    for dice, held, verdict in (
        ((0, 1, 2), "111", r"^keep 111 costs 2\.798 points\."),
        (range(5), "23", r"^Right: keep 23 is best\.$"),
    ):
        for die in dice:
            task.locator(f'[data-test="die-{die}"]').click()
        expect(part(page, "task-check")).to_contain_text(f"Check: keep {held}")
        part(page, "task-check").click()
        expect(part(page, "task-verdict")).to_have_text(re.compile(verdict))
    expect(part(page, "task-reasons")).to_contain_text(re.compile("Best keep 23.*Yours straight.*Yours keep 111"))
    expect(part(page, "task-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(part(page, "lesson-title")).to_have_text("Mistake 2 of 2")
    part(page, "task-show").click()
    expect(part(page, "task-verdict")).to_contain_text("The answer: ")
    part(page, "task-next").click()
    expect(part(page, "lesson-sum")).to_have_text("0 of 2 mistakes set right at the first try.")
    part(page, "lesson-done").click()
    expect(part(page, "course")).to_be_visible()
    expect(learn).to_be_focused()
    watched.finish()


def test_on_a_phone_a_finger_slides_along_the_line(browser: Browser, address: str) -> None:
    options: Any = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
    context = browser.new_context(**options)
    watched = Watched(context.new_page(), address)
    page = play_badly(watched)
    part(page, "course").scroll_into_view_if_needed()
    box = part(page, "course").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.6, box["y"] + 60)
    expect(part(page, "step-title")).to_contain_text("Move 2 of 3")
    part(page, "learn").click()
    expect(part(page, "task-check")).to_be_in_viewport()
    assert page.evaluate(AUDIT) == []
    watched.finish()
    context.close()
