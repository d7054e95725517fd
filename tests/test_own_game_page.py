"""A game of your own in a real browser: pasted, mended at its line, solved, played, shared as a link, opened again."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from rollwise.web.pages import Pages
from tests.browser import AUDIT, PHONE, SIZES, Watched, part

EXAMPLES = Path(__file__).parent.parent / "examples"
THREES = (EXAMPLES / "threes.toml").read_text(encoding="utf-8")


def begin(watched: Watched) -> Page:
    """Go to the editor from the start page, and wait for the file to begin from."""
    page = watched.page
    page.goto(watched.address)
    part(page, "own").click()
    expect(part(page, "own-text")).to_have_value(re.compile("format = 1"))
    return page


def test_examples_are_those_of_the_library() -> None:
    shipped = {name: asset.plain for name, asset in Pages().assets.items() if name.endswith(".toml") and name != "first.toml"}
    assert len(shipped) >= 4
    assert all(plain == (EXAMPLES / name).read_bytes() for name, plain in shipped.items())


def test_a_roll_asked_for_early_is_rolled_once_it_may_be(watched: Watched) -> None:
    page = begin(watched)
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/api/rolls", hold)
    part(page, "own-text").fill(THREES)
    part(page, "own-solve").click()
    part(page, "mode-roll").click()
    part(page, "roll").click()
    expect(part(page, "move-0")).to_have_count(0)
    while waiting:
        waiting.pop().continue_()
    expect(part(page, "move-0")).to_be_visible()
    watched.finish()


def test_paste_mend_solve_play_share_and_open_again(watched: Watched, browser: Browser) -> None:
    page = begin(watched)
    wrong = THREES.replace("[roll]", "[rol]")
    line = wrong.splitlines().index(next(text for text in wrong.splitlines() if text.startswith("[rol]"))) + 1
    part(page, "own-text").fill(wrong)
    part(page, "own-solve").click()
    expect(part(page, "own-fault")).to_contain_text(f"Line {line}, column")
    expect(part(page, "own-fault")).to_contain_text("did you mean 'roll'")
    expect(page.locator(".numbers .wrong")).to_have_text(str(line))
    assert page.evaluate("getSelection().toString()").startswith(("[rol]", "rol]"))
    assert page.evaluate(AUDIT) == []

    part(page, "own-text").fill(THREES)
    expect(page.locator(".numbers .wrong")).to_have_count(0)
    part(page, "own-share").click()
    expect(part(page, "own-link")).to_have_value(re.compile(r"#file\?f=[\w-]+$"))
    part(page, "own-solve").click()
    expect(page.locator("h1")).to_have_text("threes")
    assert "#file?f=" in page.url
    part(page, "mode-roll").click()
    part(page, "roll").click()
    expect(part(page, "move-0")).to_be_visible()
    part(page, "play").click()
    shared = page.url
    assert "state=" in shared or "f=" in shared

    context = browser.new_context(viewport=PHONE)
    other = Watched(context.new_page(), watched.address)
    other.page.goto(shared)
    expect(other.page.locator("h1")).to_have_text("threes")
    part(other.page, "rules-open").click()
    expect(part(other.page, "rules")).to_contain_text("Rules of threes")
    part(other.page, "rules-close").click()
    part(other.page, "edit-file").click()
    expect(part(other.page, "own-text")).to_have_value(THREES)
    context.close()
    watched.finish("the server responded with a status of 422")
    other.finish()


def test_begin_from_an_example(watched: Watched) -> None:
    page = begin(watched)
    part(page, "own-example").select_option(label="hog")
    expect(part(page, "own-text")).to_have_value((EXAMPLES / "hog.toml").read_text(encoding="utf-8"))
    part(page, "own-rules").click()
    expect(part(page, "rules")).to_contain_text("Two players race to 100")
    watched.finish()


def test_open_and_save_a_file(watched: Watched, tmp_path: Path) -> None:
    page = begin(watched)
    part(page, "own-file").set_input_files({"name": "mine.toml", "mimeType": "application/toml", "buffer": THREES.encode()})
    expect(part(page, "own-text")).to_have_value(THREES)
    with page.expect_download() as download:
        part(page, "own-save").click()
    assert download.value.suggested_filename == "threes.toml"
    download.value.save_as(tmp_path / "threes.toml")
    assert (tmp_path / "threes.toml").read_text(encoding="utf-8") == THREES
    watched.finish()


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("game.py", b"import os", "Python files are not opened here"),
        ("huge.toml", b"#" * 70_000, "huge.toml has 70000 bytes: expected a game file of at most 65536"),
    ],
)
def test_files_that_stay_outside(watched: Watched, name: str, content: bytes, fault: str) -> None:
    """They are refused before anything is read or sent."""
    page = begin(watched)
    before = part(page, "own-text").input_value()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    part(page, "own-file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    expect(part(page, "own-fault")).to_contain_text(fault)
    expect(part(page, "own-text")).to_have_value(before)
    assert asked == []
    watched.finish()


def test_a_file_too_long_for_a_link_is_saved_instead(watched: Watched) -> None:
    """It is played all the same, and a reload finds it."""
    page = begin(watched)
    noise = page.evaluate(
        "Array.from(crypto.getRandomValues(new Uint8Array(20000)), (x) => x.toString(16).padStart(2, '0')).join('')"
    )
    long = THREES + "".join(f"# {noise[i : i + 100]}\n" for i in range(0, len(noise), 100))
    part(page, "own-text").fill(long)
    part(page, "own-share").click()
    expect(part(page, "own-fault")).to_have_text("The file is too long for a link: save it, and send the file instead")
    part(page, "own-solve").click()
    expect(page.locator("h1")).to_have_text("threes")
    page.reload()
    expect(page.locator("h1")).to_have_text("threes")
    watched.finish()


@pytest.mark.parametrize(
    ("link", "fault"),
    [
        ("#file?f=_____", "The game file in the link is damaged"),
        ("#file?state=1", "The link carries no game file"),
        ("#file", "The link carries no game file"),
        ("#file?f=" + "A" * 16_001, "expected at most 16000"),
    ],
)
def test_links_that_carry_no_file(watched: Watched, link: str, fault: str) -> None:
    watched.page.goto(watched.address + link)
    expect(part(watched.page, "error")).to_contain_text(fault)
    expect(part(watched.page, "game-yahtzee")).to_be_visible()
    watched.finish()


def test_a_small_link_does_not_unpack_to_much(watched: Watched) -> None:
    """A hundred megabytes of one letter pack to a few thousand characters: reading stops at the largest file."""
    page = watched.page
    page.goto(watched.address)
    packed = page.evaluate("""async () => {
      const stream = new Blob(["a".repeat(8_000_000)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    }""")
    assert len(packed) < 16_000
    page.goto(watched.address + "#file?f=" + packed)
    expect(part(page, "error")).to_contain_text("more than 65536 bytes")
    watched.finish()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_manners(browser: Browser, address: str, size: str, scheme: Any) -> None:
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme, reduced_motion="reduce")
    watched = Watched(context.new_page(), address)
    page = begin(watched)
    part(page, "own-text").fill("format = 2\n")
    part(page, "own-solve").click()
    expect(part(page, "own-fault")).to_contain_text("Line 1")
    assert page.evaluate(AUDIT) == []
    context.close()
    watched.finish("the server responded with a status of 422")
