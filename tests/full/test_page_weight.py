"""What the start page takes: few bytes, two round trips, no waiting for one script after another."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

MOST_BYTES = 60_000
READY = "[data-test^=game-]"
WHEN = f"""() => {{
  const look = () => {{
    if (document.querySelector("{READY}")) window.readyAt = performance.now();
    else requestAnimationFrame(look);
  }};
  requestAnimationFrame(look);
}}"""
"""Run before the page: note when the first game can be clicked. Scripts make that button, so its listener is there as well."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


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
    assert not [url for url in sizes if "/api/" in url], "the catalogue comes with the page"
    named = {link.get_attribute("href") for link in page.locator("link[rel=modulepreload]").all()}
    later = {url.rpartition("/")[2] for url in sizes if url.endswith(".js") and url.removeprefix(address) not in named}
    assert later <= {"main.js", "keyboard.js", "install.js", "connection.js"}, "they are not waited for"


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
