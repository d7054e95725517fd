"""A real browser for tests of the page: Debian's Chromium, driven by Playwright, against a server of its own."""

import atexit
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect, sync_playwright

__all__ = ["AUDIT", "PHONE", "SIZES", "Watched", "launch", "part", "running_server"]

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 900}
SIZES = {"phone": PHONE, "desk": DESK}

expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong


@contextmanager
def running_server(store: Path) -> Iterator[str]:
    """Start `rollwise serve` on a free port; give its address."""
    command = [str(Path(sys.executable).parent / "rollwise"), "serve", "--port", "0", "--cache", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the server did not say where it is"
            yield found[0]
        finally:
            process.terminate()
    assert process.returncode == 0


@contextmanager
def launch() -> Iterator[Browser]:
    """Give Chromium, one for all tests of a process. Where it is missing the test is skipped, but in CI it fails."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        assert not os.environ.get("CI"), "Chromium is missing: apt-get install chromium"
        pytest.skip("Chromium is missing: apt-get install chromium")
    yield _started(path)


@cache
def _started(path: str) -> Browser:
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
    # A service worker would answer before the routes of a test do: those that are about it ask for it.
    browser.new_context = partial(browser.new_context, service_workers="block")  # type: ignore[method-assign]
    atexit.register(playwright.stop)
    atexit.register(browser.close)
    return browser


def part(page: Page, name: str) -> Any:
    """Find a part of the page by the name that it has for tests."""
    return page.locator(f'[data-test="{name}"]')


BLOCKED = "Service Worker registration blocked"


class Watched:
    """A page on which every fault counts: messages in the console, failed requests, requests to anybody else."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.faults: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", self._look)
        page.on("response", lambda answer: self.faults.append(answer.url) if answer.status >= 500 else None)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and BLOCKED not in message.text:
            self.faults.append(message.text)

    def _look(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"request to {url}")

    def finish(self, *expected: str) -> None:
        """Check that nothing was wrong but what was expected."""
        assert [fault for fault in self.faults if not any(part in fault for part in expected)] == []


AUDIT = """() => {
  const faults = [];
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  if (wide > 0) faults.push(`the page is ${wide} px too wide`);
  const seen = { checkOpacity: true, checkVisibilityCSS: true };
  const shown = (node) => node.checkVisibility(seen) && node.getClientRects().length > 0;
  for (const node of document.querySelectorAll("button, a[href], input, select, textarea, summary")) {
    if (!shown(node)) continue;
    const name = node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.[0]?.textContent || node.title;
    if (!name) faults.push(`no name: ${node.outerHTML.slice(0, 80)}`);
  }
  for (const node of document.querySelectorAll("[data-test^=die-], [data-test^=box-], [data-test^=keypad-], [data-test=play]")) {
    const box = node.getBoundingClientRect();
    const small = node.tagName === "BUTTON" && box.height < 43.5;
    if (small && shown(node)) faults.push(`${node.dataset.test} is ${box.height} px high`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`two of id ${id}`);
  const parse = (text) => {
    const probe = (AUDIT.canvas ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
    probe.canvas.width = probe.canvas.height = 1;
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = text;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const behind = (node) => {
    const own = parse(getComputedStyle(node).backgroundColor);
    if (own[3] === 1) return own;
    return over(own, node.parentElement ? behind(node.parentElement) : [255, 255, 255, 1]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !shown(node) || node.closest(":disabled, .stale, noscript, svg")) continue;
    const back = behind(node);
    const [a, b] = [light(over(parse(getComputedStyle(node).color), back)), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${walker.currentNode.textContent.trim().slice(0, 40)}`);
  }
  return [...new Set(faults)];
}""".replace("AUDIT.canvas", "window.auditCanvas")
"""Run in the page: what is wrong with its width, names, sizes of what is tapped, ids and contrast."""
