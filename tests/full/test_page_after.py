"""After a game, in a real browser: the sentence, the line by keyboard and by tap, every move, and lessons from mistakes."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import AUDIT, PHONE, Watched, fill_box, go, part, settled

MINUS = "\N{MINUS SIGN}"


def play_badly(watched: Watched) -> Page:
    """Play a game of two boxes: ones in the straight, a straight in the ones, and both at once."""
    page = go(watched, "#yazy?p.boxes=ones,straight")
    fill_box(page, "11123", "straight")
    settled(page, "dice")
    fill_box(page, "23456", "ones")
    settled(page, "end")
    expect(part(page, "summed")).to_be_visible()
    return page


def assert_adds_up(page: Page) -> None:
    """The sentence says what the dice and the decisions made of the average."""
    found = re.fullmatch(r"0: average ([\d.]+), dice (\S+), decisions (\S+)\.", part(page, "summed").inner_text())
    assert found
    start, dice, own = (float(text.replace(MINUS, "-")) for text in found.groups())
    assert abs(start + dice + own) < 0.16
    assert own < -5
    assert abs(float(part(page, "luck").inner_text().replace(MINUS, "-")) - dice) < 0.051


def test_every_move_by_keyboard_mouse_and_list(watched: Watched) -> None:
    """The line is one control: arrows go from move to move, with the position, what was played, what was best, and why."""
    page = play_badly(watched)
    assert_adds_up(page)
    line, step = part(page, "course"), part(page, "step")
    expect(line).to_have_attribute("role", "slider")
    expect(step).to_be_hidden()
    line.focus()
    page.keyboard.press("ArrowRight")
    expect(part(page, "step-title")).to_have_text("Move 1 of 3: 11123, 2 left")
    expect(part(page, "step-moves")).to_contain_text(re.compile(r"Played Straight costs [\d.]+ points \(blunder\)"))
    expect(step.locator('[data-test="box-straight"]')).to_have_attribute("aria-pressed", "true")
    expect(line).to_be_focused()
    for key, move in {"PageDown": 2, "Home": 1}.items():
        page.keyboard.press(key)
        expect(part(page, "step-title")).to_contain_text(f"Move {move} of 3")
    part(page, "step-next").click()
    expect(part(page, "step-title")).to_contain_text("Move 2 of 3")
    expect(step.locator('[data-test="box-straight"]')).to_contain_text("0")
    assert page.evaluate(AUDIT) == []
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + 60)
    expect(part(page, "step-title")).to_contain_text("Move 1 of 3")
    page.get_by_role("button", name="Look at 23456, 2 left").click()
    expect(part(page, "step-title")).to_contain_text("Move 2 of 3")
    expect(part(page, "step-title")).to_be_focused()
    part(page, "step-on").click()
    expect(page).to_have_url(re.compile(r"state=23456\+2\+ones"))
    settled(page, "move")
    watched.finish()


def test_a_game_is_replayed_for_its_mistakes(watch: Any) -> None:
    """On a phone: the line by a tap; only the mistakes, one after another: what was played is no answer, the best move is."""
    watched = watch(viewport=PHONE, has_touch=True, is_mobile=True)
    page = play_badly(watched)
    part(page, "course").scroll_into_view_if_needed()
    box = part(page, "course").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.6, box["y"] + 60)
    expect(part(page, "step-title")).to_contain_text("Move 2 of 3")
    learn = part(page, "learn")
    expect(learn).to_have_text("Learn from your 2 mistakes")
    learn.click()
    expect(part(page, "lesson-title")).to_have_text("Mistake 1 of 2")
    expect(part(page, "task-check")).to_be_in_viewport()
    assert page.evaluate(AUDIT) == []
    task = part(page, "task")
    expect(task).to_contain_text(re.compile(r"You filled straight, which cost [\d.]+ points \(blunder\)\. Find a better move\."))
    part(page, "task-check").click(force=True)  # it says why it does nothing yet
    expect(part(page, "task-verdict")).to_have_text("Choose a move first: hold dice, or pick a box.")
    task.locator('[data-test="box-straight"]').click()
    part(page, "task-check").click()
    expect(part(page, "task-verdict")).to_have_text(
        re.compile(r"^straight costs [\d.]+ points \(blunder\)\. That is what you played\. Try again")
    )
    for dice, held, verdict in (
        ((0, 1, 2), "111", r"^keep 111 costs 2\.8 points \(blunder\)\."),
        (range(5), "23", r"^Right: keep 23 is best\.$"),
    ):
        for die in dice:
            task.locator(f'[data-test="die-{die}"]').click()
        expect(part(page, "task-check")).to_contain_text(f"Check: keep {held}")
        part(page, "task-check").click()
        expect(part(page, "task-verdict")).to_have_text(re.compile(verdict))
    expect(part(page, "task-reasons")).to_contain_text(re.compile("Best Keep 23.*Yours Straight.*Yours Keep 111"))
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
