"""Links, and leaving, in a real browser: aims in the address, a solve that nobody waits for, a connection that is lost."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser import Watched, part, running_server

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
SLOW = f"#words?p.dice={','.join(LETTERS[6 * i : 6 * i + 6] for i in range(8))}&p.words={LETTERS[::6]}"
"""Eight different dice: solved in seconds, not at once."""
OFFLINE = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch dynamically imported module", "ERR_FAILED")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("store")) as found:
        yield found


def test_a_link_with_an_aim(watched: Watched) -> None:
    """The aim of a link reaches the server, and stays in the address."""
    page = watched.page
    with page.expect_request("**/api/solve?*") as asked:
        page.goto(watched.address + "#yazy?aim=at-least+30&p.boxes=ones,straight")
    assert asked.value.post_data_json == {"game": "yazy", "parameters": {"boxes": "ones,straight"}, "objective": "at-least 30"}
    expect(part(page, "keypad-1")).to_be_visible()
    assert "#yazy?aim=at-least+30&p.boxes=ones,straight" in page.url
    watched.finish()


@pytest.mark.parametrize("way", ["home", "back", "link", "cancel"])
def test_leaving_a_solve_leaves_its_job(watched: Watched, way: str) -> None:
    page, left = watched.page, []
    page.on("request", lambda request: left.append(request) if request.method == "DELETE" else None)
    page.goto(watched.address)
    expect(part(page, "game-yazy")).to_be_visible()
    page.evaluate("fragment => { location.hash = fragment; }", SLOW)
    expect(part(page, "solve-progress")).to_be_visible()
    with page.expect_request(lambda request: request.method == "DELETE"):
        leave(page, way)
    expect(part(page, "keypad-1" if way == "link" else "game-yazy")).to_be_visible(timeout=60_000)
    assert len(left) == 1
    assert re.search(r"/api/solve/words-[0-9a-f]{12}\?visitor=[\w-]+$", left[0].url)
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
    page = watched.page
    page.goto(watched.address)
    page.route("**/api/solve/*/events?*", lambda route: route.abort())
    page.route(re.compile(r"/api/solve/words-\w+\?"), answer_cancelled)
    page.goto(watched.address + SLOW)
    expect(part(page, "stopped")).to_contain_text("cancelled in another window")
    assert SLOW in page.url
    page.unroute_all()
    part(page, "again-solve").click()
    expect(part(page, "solve-progress")).to_be_visible()
    part(page, "cancel").click()
    watched.finish("ERR_FAILED")


def answer_cancelled(route: Any, request: Request) -> None:
    answer = route.fetch()
    route.fulfill(json={**answer.json(), "status": "cancelled"} if request.method == "GET" else answer.json())


def test_offline_for_a_moment(watched: Watched) -> None:
    page = watched.page
    page.goto(watched.address)
    expect(part(page, "game-slots")).to_be_visible()
    page.context.set_offline(True)
    part(page, "game-slots").click()
    expect(part(page, "stopped")).to_contain_text("The server does not answer")
    page.context.set_offline(False)
    expect(part(page, "keypad-1")).to_be_visible()
    watched.finish(*OFFLINE)
