"""The page in a real browser, as its users go through it. Details of every view are looked at in tests/full."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import AUDIT, PHONE, Watched, card, choose, enter, fill_box, go, part, play_out, settled, step, url
from tests.cut_off import CONTROLLED

SMALL = "#yazy?p.boxes=ones,straight,full-house"
BELOW = """document.querySelector("[data-test=find]").getBoundingClientRect().bottom + scrollY"""
"""Where the search of the start page ends; above it are the position to try and the famous games."""
SEEN = """() => {
  window.spoken = [];
  const status = document.querySelector("[data-test=status]");
  new MutationObserver(() => status.textContent && window.spoken.push(status.textContent)).observe(status, { childList: true });
}"""


def number(page: Page, name: str) -> float:
    """Read a number of the result; none is 0."""
    text = part(page, name).inner_text().replace("\N{MINUS SIGN}", "-")
    return 0.0 if text == "none" else float(text.removeprefix("< "))


def assert_graded(page: Page, total: int) -> None:
    """Luck and mistakes add up to the score, as far as their one decimal says it."""
    assert abs(number(page, "before") + number(page, "luck") - number(page, "mistakes") - total) < 0.2


# At the table


def test_solve_advise_hold_fill_and_undo(watched: Watched) -> None:
    """From the start page: dice are tapped in and ranked, some are held, the others are rolled again, a box is filled."""
    page = go(watched)
    part(page, "game-yazy").click()
    enter(page, "33561")
    expect(part(page, "status")).to_have_text("Best: keep 33 \N{EN DASH} 163.4 points in the end")
    expect(part(page, "move-0")).to_contain_text("Keep 33")
    expect(part(page, "selected-why")).to_contain_text("full house (+0.56")
    part(page, "account").locator("summary").click()
    expect(part(page, "account")).to_contain_text("+0.557")
    expect(part(page, "outlook").locator("svg rect").first).to_be_visible()
    assert [part(page, f"die-{i}").get_attribute("aria-pressed") for i in range(5)] == ["true"] * 2 + ["false"] * 3
    assert page.evaluate(AUDIT) == []
    for i in range(3):
        part(page, f"die-{i}").click()
    expect(page.locator(".advice")).to_contain_text("keep 5 costs 0.3 points")
    part(page, "play").click()
    expect(part(page, "status")).to_contain_text("4 to go")
    expect(part(page, "last")).to_contain_text("keep 5 cost 0.3")
    part(page, "undo").click()
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    part(page, "box-five-of-a-kind").click()
    part(page, "box-five-of-a-kind").click()
    expect(part(page, "status")).to_contain_text("5 to go")
    expect(part(page, "box-five-of-a-kind")).to_contain_text("0")
    expect(page).to_have_url(re.compile("total=0&points=five-of-a-kind:0"))
    watched.finish()


def test_a_whole_game_is_graded(watched: Watched) -> None:
    """The page rolls, and the coach's move is taken but once; each roll is spoken once; another game has other luck."""
    page = go(watched, SMALL + "&mode=roll")
    assert step(page) == "roll"
    settled(page, "move")
    first = url(page)
    page.evaluate(SEEN)
    part(page, "move-1").click()
    part(page, "play").click()
    settled(page, "move")
    assert [text.partition(" ")[0] for text in page.evaluate("window.spoken") if "Looking" not in text] == ["Best:"]
    play_out(page)
    assert_graded(page, int(re.findall(r"\d+", part(page, "result").locator("h2").first.inner_text())[0]))
    assert number(page, "mistakes") > 0
    expect(page.locator("#result-title")).to_be_focused()
    part(page, "again").click()
    assert step(page) == "roll"
    settled(page, "move")
    assert url(page) != first
    watched.finish()


def test_a_link_is_shared(watched: Watched, watch: Any) -> None:
    """Somebody else sees the same moves, also after a reload; a link that is wrong is told."""
    page = go(watched, "#yatzy?state=66666+1+sixes,yatzy+upper+57&total=100")
    settled(page, "move")
    part(page, "box-yatzy").click()
    if settled(page) == "move":
        part(page, "play").click()
    enter(page, "12345")
    settled(page, "move")
    shown = part(page, "move-0").inner_text()
    other = watch(viewport=PHONE, has_touch=True)
    go(other)
    other.page.goto(url(page))
    for _ in range(2):
        settled(other.page, "move")
        assert part(other.page, "move-0").inner_text() == shown
        expect(part(other.page, "box-yatzy")).to_contain_text("50")
        assert url(other.page) == url(page)
        other.page.reload()
    settled(other.page, "move")
    go(other, "#yatzy?state=6+6+6+6+6+2+rerolls+Sixes+and+yatzy+upper+57&total=100")
    settled(other.page, "move")
    expect(part(other.page, "box-yatzy")).to_be_enabled()
    assert "66666+2+sixes,yatzy+upper+57" in url(other.page)
    go(other, "#yazy?state=33569+2+all")
    expect(part(other.page, "error")).to_contain_text("33569")
    go(other, "#slots?id=298yW")
    expect(part(other.page, "error")).to_contain_text("check character")
    watched.finish()
    other.finish("the server responded with a status of 4")


def test_the_keyboard_alone(watched: Watched) -> None:
    page = go(watched)
    part(page, "find").focus()
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.dataset.test") == "game-yazy":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    settled(page, "dice")
    page.keyboard.type("33561")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("Best: keep 33")
    page.keyboard.press("ArrowDown")
    expect(part(page, "die-2")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+Digit1")
    expect(part(page, "die-0")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    settled(page, "dice")
    page.keyboard.type("3312")
    settled(page, "move")
    page.keyboard.press("u")
    expect(part(page, "status")).to_contain_text("1 to go")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    watched.finish()


# Other games


def test_slots(watched: Watched) -> None:
    page = go(watched, "#slots?state=all+0+6&mode=roll")
    settled(page, "move")
    expect(part(page, "move-0")).to_contain_text("x2even")
    expect(part(page, "status")).to_contain_text("48.5 %")
    play_out(page)
    expect(part(page, "ungraded")).to_be_visible()
    watched.finish()


def test_words(watched: Watched) -> None:
    page = go(watched)
    card(page, "words").click()
    settled(page, "dice")
    page.go_back()
    card(page, "words", "more").click()
    part(page, "words-dice").fill("A,,B")
    part(page, "start").click()
    expect(part(page, "fault-words-dice")).not_to_be_empty()
    part(page, "words-dice").fill("ABCDEF,GHIJKL")
    part(page, "words-words").fill("AG, BH\nCI")
    part(page, "start").click()
    settled(page, "dice")
    part(page, "mode-roll").click()
    play_out(page)
    expect(part(page, "luck")).to_be_visible()
    watched.finish()


def test_groups(watched: Watched) -> None:
    page = go(watched, "#groups?p.faces=6&p.sizes=3,2&state=2,1+2")
    settled(page, "move")
    expect(part(page, "move-0")).to_contain_text("Keep")
    part(page, "groups-keep").click()
    settled(page)
    part(page, "mode-roll").click()
    play_out(page)
    expect(part(page, "ungraded")).to_be_visible()
    watched.finish()


def test_pig_for_two_people(watched: Watched) -> None:
    """With the two large buttons; the end says who has won, and both are graded."""
    page = go(watched, "#pig?p.target=8&mode=roll")
    assert step(page) == "roll"
    settled(page, "move")
    assert page.evaluate(AUDIT) == []
    part(page, "act-roll").click()
    if settled(page) == "move":
        part(page, "act-hold").click()
    play_out(page)
    expect(part(page, "result")).to_contain_text(re.compile("The (first|second) player wins"))
    expect(part(page, "luck")).to_be_visible()
    watched.finish()


def test_a_target(watched: Watched) -> None:
    """Another aim is chosen in the middle of a game: the position stays, every move is a chance; what came of it."""
    page = go(watched, SMALL + "&mode=roll")
    step(page)
    settled(page, "move")
    state = re.findall("state=[^&]*", url(page))[0]
    part(page, "aim-change").click()
    page.locator("label.aim").get_by_text("Reach a total", exact=True).click()
    part(page, "aim-go").click()
    expect(part(page, "fault-at-least-target")).not_to_be_empty()
    part(page, "aim-at-least-target").fill("30")
    part(page, "aim-go").click()
    expect(part(page, "aim-now")).to_have_text("Reach a total: 30")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("chance of at least 30")
    expect(part(page, "bar")).to_have_attribute("aria-valuetext", re.compile(r"At least 30 [\d.]+ %"))
    assert state in url(page)
    assert "aim=at-least+30" in url(page)
    play_out(page)
    expect(part(page, "result")).to_contain_text(re.compile("You (reached|missed) the 30 that you played for"))
    expect(part(page, "before")).to_contain_text("%")
    watched.finish()


def test_a_party(watched: Watched) -> None:
    """Two players, one without the coach and once with a pencil; chances to win; the end, which the browser keeps."""
    page = go(watched, "#yazy?p.boxes=ones,straight")
    settled(page, "dice")
    choose(page, "players-open")
    for i, name in enumerate(["Anna", "Ben"]):
        part(page, f"player-name-{i}").fill(name)
    part(page, "player-coach-1").uncheck()
    part(page, "party-begin").click()
    expect(part(page, "chance-0")).to_have_text("50 %")
    fill_box(page, "12345", "straight")
    expect(part(page, "cell-0-straight")).to_have_text("40")
    expect(part(page, "status")).to_contain_text("Ben:")
    part(page, "undo").click()
    expect(part(page, "total-0")).to_have_text("0")
    settled(page, "move")
    part(page, "play").click()
    settled(page, "dice")
    enter(page, "11123")
    settled(page, "move")
    expect(page.locator(".advice")).to_contain_text("No advice for Ben")
    part(page, "box-ones").click()
    part(page, "box-ones").click()
    expect(part(page, "total-1")).to_have_text("3")
    fill_box(page, "11156", "ones")
    settled(page, "dice")
    part(page, "box-straight").click()
    part(page, "pencil-points").fill("41")
    part(page, "pencil-go").click()
    expect(part(page, "pencil-fault")).to_contain_text("from 0 to 40")
    part(page, "pencil-points").fill("0")
    part(page, "pencil-go").click()
    settled(page, "end")
    expect(part(page, "result")).to_contain_text("Anna wins with 43 points")
    expect(part(page, "mistakes-0")).to_have_text(re.compile(r"\d"))
    expect(part(page, "mistakes-1")).to_have_text("\N{EN DASH}")
    assert_graded(page, 43)
    part(page, "home").click()
    part(page, "games").click()
    page.locator("[data-test^=kept-]").click()
    expect(part(page, "result")).to_contain_text("Anna wins with 43 points")
    watched.finish()


# Around the table


def test_a_game_is_looked_at_afterwards(watched: Watched) -> None:
    """The line is one control: arrows go from move to move, with what was played and what was best; then lessons."""
    page = go(watched, "#yazy?p.boxes=ones,straight")
    fill_box(page, "11123", "straight")
    settled(page, "dice")
    fill_box(page, "23456", "ones")
    settled(page, "end")
    part(page, "course").focus()
    page.keyboard.press("ArrowRight")
    expect(part(page, "course")).to_have_attribute(
        "aria-valuetext", re.compile(r"^Move 1 of 3: 11123, 2 left: Straight, costs [\d.]+")
    )
    expect(part(page, "step-moves")).to_contain_text("Best Keep 23")
    page.keyboard.press("End")
    expect(part(page, "step-moves")).to_have_text("The game is over.")
    part(page, "learn").click()
    expect(part(page, "lesson-title")).to_have_text("Mistake 1 of 2")
    task = part(page, "task")
    task.locator('[data-test="die-3"]').click()
    task.locator('[data-test="die-4"]').click()
    part(page, "task-check").click()
    expect(part(page, "task-verdict")).to_have_text("Right: keep 23 is best.")
    expect(part(page, "task-reasons")).to_contain_text(re.compile("Best Keep 23"))
    assert page.evaluate(AUDIT) == []
    watched.finish()


def test_a_puzzle(watched: Watched) -> None:
    """The first answer counts, and the browser keeps the score."""
    boxes = "ones,sixes,three-of-a-kind,straight"
    page = go(watched, f"#puzzles/set/yazy?p.boxes={boxes}&seed=3")
    expect(part(page, "task")).to_be_visible()
    found = page.request.post(
        f"{watched.address}api/puzzles", data={"game": "yazy", "parameters": {"boxes": boxes}, "seed": 3, "n": 10}
    ).json()["puzzles"][0]
    expect(part(page, "task-check")).to_have_attribute("aria-disabled", "true")
    wrong = page.locator(f".learn-board [data-test^=box-]:enabled:not([data-test='box-{found['best']}'])")
    wrong.first.click()
    part(page, "task-check").click()
    expect(part(page, "task-verdict")).not_to_be_empty()
    part(page, "task-show").click()
    expect(part(page, "task-verdict")).to_contain_text(found["best"])
    go(watched, "#puzzles")
    expect(part(page, "score-right")).to_have_text("0 / 1")
    watched.finish()


def test_a_game_of_your_own(watched: Watched) -> None:
    """A file with an error is mended at its line, solved, played, and carried by a link."""
    page = go(watched)
    part(page, "own").click()
    part(page, "own-example").select_option(label="threes")
    expect(part(page, "own-text")).to_have_value(re.compile('name = "threes"'))
    text = part(page, "own-text").input_value()
    wrong = text.replace("[roll]", "[rol]")
    line = wrong[: wrong.index("[rol]")].count("\n") + 1
    part(page, "own-text").fill(wrong)
    part(page, "own-solve").click()
    expect(part(page, "own-fault")).to_contain_text(f"Line {line}, column")
    expect(page.locator(".numbers .wrong")).to_have_text(str(line))
    assert page.evaluate(AUDIT) == []
    part(page, "own-text").fill(text)
    part(page, "own-solve").click()
    expect(page.locator("h1")).to_have_text("threes")
    settled(page, "dice")
    part(page, "mode-roll").click()
    assert step(page) == "roll"
    settled(page, "move")
    shared = url(page)
    assert "#file?f=" in shared
    play_out(page)
    expect(part(page, "luck")).to_be_visible()
    go(watched, shared.partition("#")[1] + shared.partition("#")[2])
    expect(page.locator("h1")).to_have_text("threes")
    choose(page, "edit-file")
    expect(part(page, "own-text")).to_have_value(text)
    watched.finish("the server responded with a status of 422")


def test_without_a_connection(watch: Any) -> None:
    """The service worker keeps the page, and a table that is kept on the device answers as the server does."""
    watched = watch(service_workers="allow")
    page = go(watched, SMALL)
    choose(page, "keep-offline")
    expect(part(page, "keep-offline")).to_have_text(re.compile(r"Kept offline, \d+ kB"))
    page.evaluate(CONTROLLED)
    enter(page, "33561")
    settled(page, "move")
    told = [part(page, name).inner_text() for name in ("status", "move-0", "selected-why")]
    link = url(page)
    page.context.set_offline(True)
    page.goto("about:blank")
    page.goto(link)
    settled(page, "move")
    assert [part(page, name).inner_text() for name in ("status", "move-0", "selected-why")] == told
    expect(part(page, "away")).to_contain_text("No connection. Answers come from this device.")
    part(page, "mode-roll").click()
    play_out(page)
    expect(part(page, "ungraded")).to_be_visible()
    page.context.set_offline(False)
    expect(part(page, "away")).to_be_hidden()
    watched.finish("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")


def test_the_start_page_on_a_phone(watch: Any) -> None:
    """Something to try at once, without another request; forms and rules; nothing too wide, too small or too pale."""
    watched = watch(viewport=PHONE, has_touch=True)
    page = go(watched)
    part(page, "try-0").click()
    expect(part(page, "try-answer")).to_contain_text("That costs 1.1 points")
    part(page, "try-1").click()
    expect(part(page, "try-answer")).to_contain_text("Right: to keep 6 6 is best")
    assert page.evaluate(AUDIT) == []
    part(page, "more-yahtzee").click()
    part(page, "how-yahtzee").click()
    expect(part(page, "rule-full-house")).to_contain_text("pays 25")
    part(page, "rules-close").click()
    expect(part(page, "more-yahtzee")).to_be_focused()
    assert page.evaluate(BELOW) < 2 * PHONE["height"], "the famous games are within two screens, and the search"
    part(page, "more-yatzy").click()
    page.get_by_role("switch", name="Four alike are two pairs").check()
    assert page.evaluate(AUDIT) == []
    part(page, "start").click()
    expect(page.locator(".title .rules")).to_have_text("Four alike are two pairs")
    assert "p.four_as_two_pairs=yes" in url(page)
    watched.finish()


def test_what_the_server_refuses_stands_at_its_field(watched: Watched) -> None:
    """The form stays open, with what was typed, and nothing jumps; so does the chooser of an aim at the table."""
    page = go(watched)
    part(page, "more-yazy").click()
    part(page, "yazy-boxes").fill("ones,nothing")
    part(page, "start").click()
    expect(part(page, "fault-yazy-boxes")).to_contain_text("nothing")
    expect(part(page, "yazy-boxes")).to_be_focused()
    expect(part(page, "yazy-boxes")).to_have_value("ones,nothing")
    expect(part(page, "error")).to_be_hidden()
    part(page, "yazy-boxes").fill("ones")
    part(page, "start").click()
    settled(page, "dice")
    expect(part(page, "options")).to_have_count(0)
    go(watched, "#yazy?p.boxes=ones,nothing")
    expect(part(page, "fault-yazy-boxes")).to_contain_text("nothing")
    watched.finish("status of 422")


def test_a_new_game_begins_without_the_old_advice(watched: Watched) -> None:
    page = go(watched, SMALL)
    enter(page, "33561")
    settled(page, "move")
    expect(page.locator(".advice")).to_contain_text("better")
    choose(page, "new-game")
    settled(page, "dice")
    expect(page.locator(".advice .why").first).to_be_empty()
    expect(part(page, "move-0")).to_have_count(0)
    enter(page, "33561")
    settled(page, "move")
    expect(part(page, "move-0")).to_contain_text("Keep")
    watched.finish()


def test_nothing_waits_for_ever_after_an_error(watched: Watched) -> None:
    """A position that is none is told, and the game begins; an answer that did not come can be asked for again."""
    page = go(watched, "#pig?p.target=8&state=5+9+nobody+1")
    expect(part(page, "error")).to_contain_text("nobody")
    settled(page, "dice")
    go(watched, "#pig?p.target=8&state=5+5+first+2&mode=roll")
    settled(page, "move")
    refuse: Any = lambda route: route.fulfill(status=429, json={"detail": "too busy"})  # noqa: E731
    page.route("**/api/rolls*", refuse)
    part(page, "act-roll").click()
    expect(part(page, "play")).to_have_text("Try again")
    page.unroute_all()
    part(page, "play").click()
    settled(page, "move")
    go(watched, SMALL)
    settled(page, "dice")
    page.route("**/api/advise*", refuse)
    enter(page, "33561")
    expect(part(page, "play")).to_have_text("Try again")
    page.unroute_all()
    part(page, "play").click()
    settled(page, "move")
    watched.finish("status of 4")


def test_german(watch: Any) -> None:
    """Chosen by the browser, and switched; names that go to the server stay as they are."""
    watched = watch(locale="de-DE")
    page = go(watched)
    expect(page.get_by_role("heading", name="Was ist der beste Zug?")).to_be_visible()
    page.locator("#language").click()
    expect(page.get_by_role("heading", name="What is the best move?")).to_be_visible()
    page.locator("#language").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    go(watched, "#kniffel?state=12366+1+sechser,grosse-strasse+upper+45")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("Am besten: 66 halten")
    expect(part(page, "selected-why")).to_contain_text("Sechser (+2,7")
    part(page, "box-sechser").click()
    expect(part(page, "selected-why")).to_contain_text("12 für Sechser eintragen")
    part(page, "play").click()
    enter(page, "12345")
    settled(page, "move")
    part(page, "play").click()
    settled(page, "end")
    expect(part(page, "result")).to_contain_text("Punkte")
    watched.finish()
