"""A real browser for tests of the page: Debian's Chromium, driven by Playwright, against a server of its own.

No test waits for a time. `settled` waits until the table waits for the player: nothing changes then before the player does
something, so that what is read or clicked next cannot be gone. `play_out` chooses a button and clicks it in the same instant.
Games on the page are random; here their seeds are 1, 2, 3 and so on.
"""

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from pathlib import Path
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, ViewportSize, expect, sync_playwright

__all__ = [
    "AUDIT", "DESK", "PATIENCE", "PHONE", "SIZES", "Watched", "card", "choose", "clear", "enter", "fill_box", "go", "held_back",
    "launch", "part", "play_out", "running_server", "settled", "step", "url", "warm_up",
]  # fmt: skip

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 900}
SIZES = {"phone": PHONE, "desk": DESK}
PATIENCE = 180_000
"""Milliseconds that anything may take: a busy machine is slow, not wrong."""

expect.set_options(timeout=PATIENCE)


# The server


@contextmanager
def running_server(store: Path, program: Sequence[str] = (sys.executable, "-m", "tests.patient_server")) -> Iterator[str]:
    """Start `rollwise serve` on a free port; give its address."""
    command = [*program, "serve", "--port", "0", "--cache", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the server did not say where it is"
            yield found[0]
        finally:
            process.terminate()
    assert process.returncode == 0


def warm_up(address: str) -> None:
    """Have the server compile what charts and grades need: they are refused where that takes too long, as on a fresh machine."""
    game = {"game": "yazy", "parameters": {"boxes": "ones"}}
    lines = [{"kind": "roll", "text": "11123 2 ones"}, {"kind": "move", "text": "ones"}]
    while _post(address, "solve", game)["result"] is None:
        sleep(0.1)
    asked: dict[str, Any] = {"outlook": {"state": "11123 2 ones", "action": "keep 111"}, "grade": {"lines": lines}}
    for path, more in asked.items():
        while _post(address, path, {**game, **more}) is None:
            sleep(0.1)


def _post(address: str, path: str, body: dict[str, Any]) -> Any:
    """Give the answer; None where the server had no time for it."""
    request = Request(f"{address}api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urlopen(request) as answer:
            return json.load(answer) if answer.status == HTTPStatus.OK or path == "solve" else None
    except HTTPError as error:
        with error:
            if "not computed" in error.read().decode():
                return None
        raise


# The browser


@contextmanager
def launch() -> Iterator[Browser]:
    """Give Chromium, one for all tests of a process. Where it is missing the test is skipped, but in CI it fails."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        assert not os.environ.get("CI"), "Chromium is missing: apt-get install chromium"
        pytest.skip("Chromium is missing: apt-get install chromium")
    yield _started(path)


SEEDED = """
window.seed = 0;
const random = crypto.getRandomValues.bind(crypto);
const isSeed = (array) => array instanceof Uint32Array && array.length !== 3;
crypto.getRandomValues = (array) => (isSeed(array) ? array.fill((window.seed += 1)) : random(array));
"""
"""Run before the page: seeds of games and puzzles are counted; the name of a window (three words) stays random."""


@cache
def _started(path: str) -> Browser:
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
    make = browser.new_context

    def new_context(**options: Any) -> BrowserContext:
        # A service worker would answer before the routes of a test do: those that are about it ask for it.
        context = make(**{"service_workers": "block", "reduced_motion": "reduce", "viewport": DESK, **options})
        context.set_default_timeout(PATIENCE)
        context.set_default_navigation_timeout(PATIENCE)
        context.add_init_script(SEEDED)
        return context

    browser.new_context = new_context  # type: ignore[method-assign]
    atexit.register(playwright.stop)
    atexit.register(browser.close)
    return browser


BLOCKED = "Service Worker registration blocked"
CHARTS = ("/api/outlook", "/api/distribution", "/api/risk")


class Watched:
    """A page on which every fault counts: messages in the console, failed requests, requests to anybody else."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.faults: list[str] = []
        self.is_finished = False
        page.on("console", self._hear)
        page.on("pageerror", self._fail)
        page.on("request", self._look)
        page.on("response", self._judge)

    def _hear(self, message: ConsoleMessage) -> None:
        # A chart for which a busy server has no time is refused, and the page says so: no test asks how busy it is.
        is_busy = message.location["url"].endswith(CHARTS) and re.search("status of 4(22|29)", message.text)
        if message.type in ("error", "warning") and BLOCKED not in message.text and not is_busy:
            self.faults.append(message.text)

    def _fail(self, error: object) -> None:
        self.faults.append(str(error))

    def _look(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"request to {url}")

    def _judge(self, answer: Any) -> None:
        if answer.status >= 500:
            self.faults.append(answer.url)

    def finish(self, *expected: str) -> None:
        """Check that nothing was wrong but what was expected."""
        assert [fault for fault in self.faults if not any(part in fault for part in expected)] == []
        self.is_finished = True

    def release(self) -> None:
        """Watch no more."""
        for name, hear in {
            "console": self._hear,
            "pageerror": self._fail,
            "request": self._look,
            "response": self._judge,
        }.items():
            self.page.remove_listener(name, hear)


# What players do


def part(page: Page, name: str) -> Any:
    """Find a part of the page by the name that it has for tests."""
    return page.locator(f'[data-test="{name}"]')


def card(page: Page, game: str, what: str = "game") -> Any:
    """Look for a game on the start page; give what plays it, or with `more` what says more about it."""
    part(page, "find").fill(game)
    return page.locator(f'.found [data-test="{what}-{game}"]')


def url(page: Page) -> str:
    """Read the address, as the page has it at this moment."""
    return str(page.evaluate("location.href"))


GO = """fragment => {
  history.pushState(null, "", fragment || location.pathname);
  dispatchEvent(new HashChangeEvent("hashchange"));
  if (fragment) document.getElementById("view").replaceChildren();
}"""


KEYS = """() => import(document.querySelector("script[src]").src.replace("main.js", "keyboard.js"))"""
"""Run in the page: wait until it listens for keys."""


def go(watched: Watched, fragment: str = "") -> Page:
    """Follow a link on the page: nothing of the view before is left. The first one loads the page."""
    page = watched.page
    if page.url.startswith(watched.address):
        page.evaluate(GO, fragment)
    else:
        page.goto(watched.address + fragment)
        page.evaluate(KEYS)
    return page


def clear(page: Page) -> None:
    """Leave the view, and have the browser forget everything."""
    page.evaluate(GO, "")
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); window.seed = 0; }")


@contextmanager
def held_back(page: Page, pattern: str) -> Iterator[list[Route]]:
    """Hold requests back; they go on at the end."""
    waiting: list[Route] = []
    is_open = False

    def answer(route: Route) -> None:
        if is_open:
            route.continue_()
        else:
            waiting.append(route)

    page.route(pattern, answer)
    yield waiting
    is_open = True
    for route in waiting:
        route.continue_()
    page.unroute(pattern, answer)


SETTLED = """(wanted) => {
  const awaits = document.querySelector("[data-awaits]")?.dataset.awaits;
  return wanted.includes(awaits) && awaits;
}"""


def settled(page: Page, *wanted: str) -> str:
    """Wait until the table waits for the player, and say for what: a roll, dice to be entered, a move, or nothing at the end."""
    return str(page.wait_for_function(SETTLED, arg=list(wanted or ("roll", "dice", "move", "end"))).json_value())


def step(page: Page) -> str:
    """Roll or play the selected move once that can be done; give what the table awaited. At the end nothing is done."""
    awaits = settled(page)
    if awaits in ("roll", "move"):
        # Where each move has a big button, the one that plays what is selected is not seen; Enter still plays it.
        part(page, "roll" if awaits == "roll" else "play").dispatch_event("click")
    return awaits


PLAY_OUT = """() => {
  const awaits = document.querySelector("[data-awaits]")?.dataset.awaits;
  const click = (name) => document.querySelector(`[data-test="${name}"]`).click();
  if (awaits === "roll") click("roll");
  if (awaits === "move") click("play");
  return awaits === "end";
}"""


def play_out(page: Page) -> None:
    """Let the page roll, and play the selected moves, until the game is over and graded."""
    page.wait_for_function(PLAY_OUT, polling=10)


def choose(page: Page, item: str) -> None:
    """Choose what is in the menu of a table."""
    if not part(page, item).is_visible():
        part(page, "menu").click()
    part(page, item).click()


def enter(page: Page, faces: str) -> None:
    """Tap a roll in."""
    for face in faces:
        part(page, f"keypad-{face}").click()


def fill_box(page: Page, faces: str, box: str) -> None:
    """Tap a roll in, and fill a box with it."""
    enter(page, faces)
    settled(page, "move")
    if part(page, f"box-{box}").get_attribute("aria-pressed") != "true":
        part(page, f"box-{box}").click()
    part(page, f"box-{box}").click()


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
