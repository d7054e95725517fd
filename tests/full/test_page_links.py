"""Links, and leaving, in a real browser: aims in the address, a solve that nobody waits for, a connection that is lost."""

import re
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser import Watched, card, go, part, settled, url

SLOW = "#words?p.dice=ABC,ABC&p.words=AB"
JOB: dict[str, Any] = {
    "id": "words-0123456789ab", "game": "words", "parameters": {}, "objective": None, "ahead": 0, "error": None,
    "progress": {"what": "positions", "done": 300, "total": 1000}, "board": {"kind": "words"}, "result": None,
}  # fmt: skip
OFFLINE = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch dynamically imported module", "ERR_FAILED")


def pretend(page: Page, status: str = "solving") -> None:
    """Answer about words as a server does that is not done with them; other games are the server's own."""

    def answer(route: Route) -> None:
        request = route.request
        if "/events" in request.url:
            if status != "solving":
                route.abort()
        elif request.method == "POST" and (request.post_data_json or {})["game"] != "words":
            route.continue_()
        else:
            route.fulfill(json={**JOB, "status": "solving" if request.method == "POST" else status})

    page.route(re.compile("/api/solve"), answer)


def test_a_link_with_an_aim(watched: Watched) -> None:
    """The aim of a link reaches the server, and stays in the address."""
    page = go(watched)
    with page.expect_request("**/api/solve?*") as asked:
        go(watched, "#yazy?aim=at-least+30&p.boxes=ones,straight")
    assert asked.value.post_data_json == {"game": "yazy", "parameters": {"boxes": "ones,straight"}, "objective": "at-least 30"}
    settled(page, "dice")
    assert "#yazy?aim=at-least+30&p.boxes=ones,straight" in url(page)
    watched.finish()


def test_leaving_a_solve_leaves_its_job(watched: Watched) -> None:
    page = go(watched)
    pretend(page)
    for way in ("home", "back", "link", "cancel"):
        go(watched)
        go(watched, SLOW)
        expect(part(page, "solve-progress")).to_be_visible()
        with page.expect_request(lambda request: request.method == "DELETE") as left:
            leave(page, way)
        expect(part(page, "keypad-1" if way == "link" else "game-yazy")).to_be_visible()
        assert re.search(rf"/api/solve/{JOB['id']}\?visitor=[\w-]+$", left.value.url)
    page.unroute_all(behavior="ignoreErrors")
    watched.finish()


def leave(page: Page, way: str) -> None:
    if way == "back":
        page.go_back()
    elif way == "link":
        page.evaluate("location.hash = '#yazy?p.boxes=ones'")
    else:
        part(page, way).click()


def test_a_solve_that_was_cancelled_elsewhere(watched: Watched) -> None:
    """The page stays where it is, says so, and solves it again at a touch."""
    page = go(watched)
    pretend(page, "cancelled")
    go(watched, SLOW)
    expect(part(page, "stopped")).to_contain_text("cancelled in another window")
    assert SLOW in url(page)
    page.unroute_all()
    part(page, "again-solve").click()
    settled(page, "dice")
    watched.finish("ERR_FAILED")


def test_offline_for_a_moment(watched: Watched) -> None:
    page = go(watched)
    page.reload()
    slots = card(page, "slots")
    page.context.set_offline(True)
    slots.click()
    expect(part(page, "stopped")).to_contain_text("The server does not answer")
    page.context.set_offline(False)
    settled(page, "dice")
    watched.finish(*OFFLINE)
