"""What the start page takes: few bytes, two round trips, no waiting for one script after another."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import running_server

STATIC = Path(__file__).parents[1] / "rollwise" / "web" / "static"
MOST_BYTES = 60_000
IMPORT = re.compile(r"^(?:import|export)\b[^;]*?\bfrom\s+\"\./([\w.-]+)\";|^import\s+\"\./([\w.-]+)\";", re.MULTILINE)
READY = "[data-test^=game-]"
WHEN = f"""() => {{
  const look = () => {{
    if (document.querySelector("{READY}")) window.readyAt = performance.now();
    else requestAnimationFrame(look);
  }};
  requestAnimationFrame(look);
}}"""
"""Run before the page: note when the first game can be clicked. Scripts make that button, so its listener is there as well."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("store")) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def imported(name: str) -> set[str]:
    """List what a script needs before it runs, itself included."""
    found, waiting = set[str](), [name]
    while waiting:
        script = waiting.pop()
        if script not in found:
            found.add(script)
            waiting += [one or other for one, other in IMPORT.findall((STATIC / script).read_text())]
    return found


def test_every_script_of_the_start_page_is_preloaded(page: Page, address: str) -> None:
    """Else a script would be asked for only when the one that imports it has arrived."""
    page.goto(address)
    named = page.eval_on_selector_all(
        "link[rel=modulepreload], script[type=module][src]", "links => links.map((link) => link.href || link.src)"
    )
    assert {url.rpartition("/")[2] for url in named} == imported("main.js")


def test_the_start_page_is_small_and_comes_at_once(page: Page, address: str) -> None:
    """Whatever it loads at first, headers and all, is counted as it came over the wire."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    asked: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def count(event: Any) -> None:
        sizes[asked[event["requestId"]]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", lambda event: asked.__setitem__(event["requestId"], event["request"]["url"]))
    session.on("Network.loadingFinished", count)
    page.goto(address, wait_until="networkidle")
    expect(page.locator(READY).first).to_be_visible()
    sys.stdout.write(f"\nthe start page: {sum(sizes.values()):,} bytes in {len(sizes)} files\n")
    assert len(sizes) > 3
    assert sum(sizes.values()) < MOST_BYTES, sizes
    assert not [url for url in sizes if url.endswith("/api/games")], "the catalogue comes with the page"


@pytest.mark.audit
def test_interactive_with_a_slow_connection(page: Page, address: str) -> None:
    """With 400 ms more for each request the page is ready after two of them: itself, and all that it names."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    unlimited = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", {**unlimited, "latency": 400})
    page.add_init_script(f"({WHEN})()")
    times = []
    for _ in range(3):
        page.goto("about:blank")
        session.send("Network.clearBrowserCache")
        page.goto(address)
        page.wait_for_selector(READY)
        times.append(page.evaluate("window.readyAt") / 1000)
    sys.stdout.write(f"\ninteractive after {sorted(times)[1]:.2f} s with 400 ms added to each request (of {sorted(times)})\n")
    assert sorted(times)[1] < 1.3
