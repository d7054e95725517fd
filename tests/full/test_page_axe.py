"""Accessibility of every view: axe finds nothing, nothing overlaps or is cut off, forced colours show what is selected."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PlaywrightError

from tests.page_views import BOARD_VIEWS, LOOKS, QUICK_LOOKS, QUICK_VIEWS, VIEWS, look_at

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async (rules) => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const root = document.querySelector(":popover-open") ?? document;
  const found = await axe.run(root, { runOnly: tags, resultTypes: ["violations"], rules });
  const say = ({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary.replaceAll(/\\s+/g, " ")}`;
  return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${say(node)}`));
}"""
CROWDED = """() => {
  const clip = (node, box) => {
    let { left, top, right, bottom } = box;
    for (let up = node; up && up !== document.documentElement; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const edge = up.getBoundingClientRect();
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom };
  };
  const afloat = (node) => {
    for (let up = node; up; up = up.parentElement) if (["fixed", "sticky"].includes(getComputedStyle(up).position)) return up;
    return null;
  };
  const root = document.querySelector("dialog[open], :popover-open") ?? document.body;
  const seen = { checkOpacity: true, checkVisibilityCSS: true };
  const shown = (node) => node.checkVisibility(seen) && !node.closest(".skip, noscript");
  const faults = [];
  const things = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const put = (node, box, name) => {
    const left = clip(node, box);
    const isSeen = left.right - left.left > 1 && left.bottom - left.top > 1;
    if (isSeen) things.push({ node, name: name.trim().slice(0, 30), float: afloat(node), ...left });
  };
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const node = text.parentElement;
    if (!text.textContent.trim() || !shown(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) put(node, box, text.textContent);
  }
  for (const node of root.querySelectorAll("button, input, select, textarea, summary")) {
    if (shown(node)) put(node, node.getBoundingClientRect(), node.dataset.test ?? node.id ?? node.tagName);
  }
  for (const [i, a] of things.entries()) {
    for (const b of things.slice(i + 1)) {
      if (a.node.contains(b.node) || b.node.contains(a.node) || a.float !== b.float) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const area = `${wide.toFixed(0)} x ${high.toFixed(0)} px`;
      if (wide > 1.5 && high > 2.5) faults.push(`'${a.name}' and '${b.name}' overlap by ${area}`);
    }
  }
  for (const node of root.querySelectorAll("*")) {
    if (!shown(node) || node.tagName === "INPUT" || node.closest("svg")) continue;
    const hides = ["hidden", "clip"].includes(getComputedStyle(node).overflowX);
    if (hides && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1) {
      faults.push(`cut off: '${node.textContent.trim().slice(0, 40)}'`);
    }
  }
  const wide = document.documentElement.scrollWidth - Math.min(window.innerWidth, screen.width);
  if (wide > 0) faults.push(`the page is ${wide} px too wide`);
  return [...new Set(faults)];
}"""
"""Run in the page: texts and controls that lie on each other, texts that are cut off, and a page that is too wide."""
SELECTED = ("aria-pressed", "aria-selected")


@pytest.fixture(scope="module")
def axe() -> str:
    """Give axe, which ./scripts/check-page installs. Where it is missing the test is skipped, but in CI it fails."""
    if not AXE.exists():
        assert not os.environ.get("CI"), "axe-core is missing: ./scripts/check-page installs it"
        pytest.skip(
            "axe-core is missing: ./scripts/check-page installs it" + ("" if shutil.which("npm") else ", with Node and npm")
        )
    return AXE.read_text()


def faults(page: Page, axe: str, *, forced: bool) -> list[str]:
    """Say what is wrong with the view on the page."""
    page.evaluate(axe)
    rules = {"color-contrast": {"enabled": not forced}}  # forced colours are the user's own
    return [*page.evaluate(RUN, rules), *page.evaluate(CROWDED), *(unseen(page) if forced else [])]


def unseen(page: Page) -> list[str]:
    """Say which selected things look the same when they are not selected."""
    found = []
    for attribute in SELECTED:
        for node in page.query_selector_all(f'[{attribute}="true"]:visible'):
            name, before = node.get_attribute("data-test"), node.screenshot()
            node.evaluate("(node, name) => node.setAttribute(name, 'false')", attribute)
            after = node.screenshot()
            node.evaluate("(node, name) => node.setAttribute(name, 'true')", attribute)
            if before == after:
                found.append(f"{name} does not look selected")
    return found


def check(browser: Browser, address: str, axe: str, look: str, views: Iterable[str]) -> None:
    """Check that nothing is wrong with these views."""
    found = []
    for view in views:
        try:
            with look_at(browser, address, view, LOOKS[look]) as page:
                found += [f"{view}: {fault}" for fault in faults(page, axe, forced="forced" in look)]
        except (AssertionError, PlaywrightError) as error:
            found.append(f"{view} was not reached: {error}")
    assert not found, "\n".join([look, *found])


@pytest.mark.parametrize("look", QUICK_LOOKS)
def test_the_main_views(browser: Browser, address: str, axe: str, look: str) -> None:
    check(browser, address, axe, look, QUICK_VIEWS)


def test_what_is_selected_is_seen_in_forced_colours(browser: Browser, address: str, axe: str) -> None:
    check(browser, address, axe, "forced", ["held dice"])


@pytest.mark.parametrize("look", ["light", "phone-german"])
def test_boards(browser: Browser, address: str, axe: str, look: str) -> None:
    check(browser, address, axe, look, BOARD_VIEWS)


@pytest.mark.audit
@pytest.mark.parametrize("look", LOOKS)
def test_every_view(browser: Browser, address: str, axe: str, look: str) -> None:
    check(browser, address, axe, look, VIEWS)
