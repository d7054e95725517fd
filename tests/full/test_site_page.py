"""A site of plain files in a real browser: below a path, from Python's own server, and without any."""

import shutil
import sys
from collections.abc import Iterator
from gzip import compress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import rollwise
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.wire.to_json import describe_advice
from tests.browser import AUDIT, PHONE, part, play_out, settled
from tests.cut_off import Host, app, ask, kept

BOXES = "ones,twos,straight"
GAME = f"yazy?p.boxes={BOXES}"
STATIC = Path(rollwise.__file__).parent / "web" / "static"
STATES = [f"33561 2 {BOXES}", f"12345 1 {BOXES}", "66612 2 ones,straight", "11222 0 twos,ones", "24466 1 straight"]
PATH = "dice/coach/"
EDITION = "document.querySelector('script[src]').src.split('/').at(-3)"
KEPT = """async (edition) => {
  const worker = await navigator.serviceWorker.ready;
  const isKept = async () => (await caches.match(`static/${edition}/app/dom.js`)) && !worker.waiting && !worker.installing;
  while (!(await isKept())) await new Promise((resolve) => setTimeout(resolve, 50));
}"""
"""Wait until an edition is kept, and the service worker is the one that knows it."""
MOST_BYTES = 60_000
"""What the start page of the server may take."""


def write(folder: Path, *games: str) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    assert main(["site", "-o", str(folder), *games]) == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write(folder, GAME, "yazy?p.boxes=ones,twos")
    return folder


@pytest.fixture
def host(site: Path, tmp_path: Path) -> Iterator[Host]:
    shutil.copytree(site, tmp_path / PATH)
    with Host.folder(tmp_path, PATH) as found:
        yield found


def advice_of(state: str) -> Any:
    solution = rollwise.solve(load("yazy", boxes=BOXES))
    return describe_advice(solution, rollwise.advise(solution, solution.game.read_state(state), outlook=False))


def assert_same_values(page: Page) -> None:
    """What the page computes is what the library says."""
    for state in STATES:
        here, there = ask(page, "advise", game="yazy", parameters={"boxes": BOXES}, state=state), advice_of(state)
        values = {move["action"]: (move["value"], move["points"], move["after"]) for move in there["moves"]}
        assert {move["action"] for move in here["moves"]} == {*values}
        assert here["state"] == there["state"]
        for move in here["moves"]:
            value, points, after = values[move["action"]]
            assert move["value"] == pytest.approx(value, abs=1e-4)
            assert (move["points"], move["after"]) == (points, after)


def open_game(page: Page) -> None:
    part(page, "site-tables").get_by_role("row", name=BOXES).get_by_role("link").click()
    settled(page, "dice")


def play_game(page: Page) -> None:
    open_game(page)
    part(page, "mode-roll").click()
    play_out(page)
    expect(part(page, "mistakes")).to_be_visible()


def test_a_whole_game_with_a_host_and_without(browser: Browser, host: Host) -> None:
    """Nothing but plain files is asked for, and values are those of the library; then all of it without a host."""
    with app(browser) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(host.address)
        expect(part(page, "site-tables")).to_contain_text("kB")
        assert page.evaluate(AUDIT) == []
        play_game(page)
        assert not [url for url in asked if not url.startswith((host.address, "data:")) or "/api/" in url]
        kept(page)
        host.stop()
        page.goto(host.address)
        play_game(page)
        assert_same_values(page)
        expect(part(page, "away")).to_be_hidden()
        page.evaluate("location.hash = '#yazy?p.boxes=sixes'")
        expect(part(page, "error")).to_contain_text("not on this site")


def test_a_new_edition_never_mixes_with_the_old_one(browser: Browser, host: Host, tmp_path: Path, monkeypatch: Any) -> None:
    """A page that is open goes on with its own scripts, though the host has them no more; the next one is all new."""
    with app(browser) as page:
        page.goto(host.address)
        kept(page)
        first = page.evaluate(EDITION)
        shutil.copytree(STATIC, tmp_path / "next" / "static")
        with (tmp_path / "next" / "static" / "app" / "dom.js").open("a") as script:
            script.write("\nexport const isNew = true;\n")
        monkeypatch.setattr("rollwise.web.files.files", lambda _: tmp_path / "next")
        write(tmp_path / PATH, GAME)
        assert not (tmp_path / PATH / "static" / first).exists()
        open_game(page)
        assert page.evaluate(EDITION) == first
        for _ in range(50):  # a host that is slow to answer is not waited for: then the page that is kept comes once more
            page.goto(host.address + "?again")
            second = page.evaluate(EDITION)
            if second != first:
                break
        assert second != first
        expect(part(page, "site-tables")).to_be_visible()
        page.evaluate(KEPT, second)
        host.stop()
        page.goto(host.address)
        assert page.evaluate(EDITION) == second
        open_game(page)


def test_the_first_load_is_as_small_as_the_servers(browser: Browser, host: Host) -> None:
    """Packed by the host, as hosts do; Python's own server packs nothing."""
    context = browser.new_context()
    page = context.new_page()
    files: dict[str, int] = {}
    page.on("response", lambda answer: files.__setitem__(answer.url, len(compress(answer.body()))))
    page.goto(host.address, wait_until="networkidle")
    expect(part(page, "site-tables")).to_be_visible()
    sys.stdout.write(f"\nthe start page of a site: {sum(files.values()):,} bytes packed in {len(files)} files\n")
    assert sum(files.values()) < MOST_BYTES
    assert page.evaluate(AUDIT) == []
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(AUDIT) == []
    context.close()
