"""A game of your own in a real browser: an example, a file opened and saved, one that is refused, one too long for a link."""

import re
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, expect

from tests.browser import AUDIT, SIZES, Watched, go, held_back, part, settled

EXAMPLES = Path(__file__).parents[2] / "examples"
THREES = (EXAMPLES / "threes.toml").read_text(encoding="utf-8")

DONE = "() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))"
"""Run in the page: wait until it has done what was to be done at once."""


def begin(watched: Watched) -> Page:
    """Go to the editor from the start page, and wait for the file to begin from."""
    page = go(watched)
    part(page, "own").click()
    expect(part(page, "own-text")).to_have_value(re.compile("format = 1"))
    return page


def test_what_is_typed_while_an_example_is_on_its_way_stays(watched: Watched) -> None:
    page = go(watched)
    with page.expect_response("**/*.toml") as found, held_back(page, "**/*.toml"), page.expect_request("**/*.toml"):
        go(watched, "#own")
        part(page, "own-text").fill("mine")
    found.value.finished()
    page.evaluate(
        "() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))"
    )  # what was to be done is done
    expect(part(page, "own-text")).to_have_value("mine")
    watched.finish()


def test_the_example_that_is_chosen_last_is_shown(watched: Watched) -> None:
    """Even where the one to begin from is still on its way."""
    page = go(watched)
    with page.expect_response("**/first.toml") as found, held_back(page, "**/threes.toml"):
        with held_back(page, "**/first.toml"), page.expect_request("**/threes.toml"):
            go(watched, "#own")
            part(page, "own-example").select_option(label="threes")
        found.value.finished()
        page.evaluate(DONE)
    expect(part(page, "own-text")).to_have_value(THREES)
    watched.finish()


def test_a_roll_asked_for_early_is_rolled_once_it_may_be(watched: Watched) -> None:
    page = begin(watched)
    part(page, "own-text").fill(THREES)
    with held_back(page, "**/api/rolls"):
        with page.expect_request("**/api/rolls"):
            part(page, "own-solve").click()
        part(page, "mode-roll").click()
        part(page, "roll").click()
        expect(part(page, "move-0")).to_have_count(0)
    settled(page, "move")
    watched.finish()


def test_faults_examples_and_files(watched: Watched, tmp_path: Path) -> None:
    """A fault is selected in the text; an example is shown with its rules; files are opened and saved, but not all of them."""
    page = begin(watched)
    part(page, "own-text").fill(THREES.replace("[roll]", "[rol]"))
    part(page, "own-solve").click()
    expect(part(page, "own-fault")).to_contain_text("did you mean 'roll'")
    assert page.evaluate("getSelection().toString()").startswith(("[rol]", "rol]"))
    for size in SIZES.values():
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(AUDIT) == [], (size, scheme)
    page.emulate_media(color_scheme="light")
    part(page, "own-example").select_option(label="hog")
    expect(part(page, "own-text")).to_have_value((EXAMPLES / "hog.toml").read_text(encoding="utf-8"))
    part(page, "own-rules").click()
    expect(part(page, "rules")).to_contain_text("Two players race to 100")
    part(page, "rules-close").click()
    part(page, "own-file").set_input_files({"name": "mine.toml", "mimeType": "application/toml", "buffer": THREES.encode()})
    expect(part(page, "own-text")).to_have_value(THREES)
    expect(page.locator(".numbers .wrong")).to_have_count(0)
    with page.expect_download() as download:
        part(page, "own-save").click()
    assert download.value.suggested_filename == "threes.toml"
    download.value.save_as(tmp_path / "threes.toml")
    assert (tmp_path / "threes.toml").read_text(encoding="utf-8") == THREES
    for name, content, fault in [
        ("game.py", b"import os", "Python files are not opened here"),
        ("huge.toml", b"#" * 70_000, "huge.toml has 70000 bytes: expected a game file of at most 65536"),
    ]:
        part(page, "own-file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        expect(part(page, "own-fault")).to_contain_text(fault)
        expect(part(page, "own-text")).to_have_value(THREES)
    part(page, "own-share").click()
    expect(part(page, "own-link")).to_have_value(re.compile(r"#file\?f=[\w-]+$"))
    watched.finish("the server responded with a status of 422")


def test_a_file_too_long_for_a_link_is_saved_instead(watched: Watched) -> None:
    """It is played all the same, and a reload finds it."""
    page = begin(watched)
    noise = Random(1).randbytes(20_000).hex()
    long = THREES + "".join(f"# {noise[i : i + 100]}\n" for i in range(0, len(noise), 100))
    part(page, "own-text").fill(long)
    part(page, "own-share").click()
    expect(part(page, "own-fault")).to_have_text("The file is too long for a link: save it, and send the file instead")
    part(page, "own-solve").click()
    expect(page.locator("h1")).to_have_text("threes")
    page.reload()
    expect(page.locator("h1")).to_have_text("threes")
    watched.finish()


def test_who_has_gone_elsewhere_stays_there(browser: Browser, address: str) -> None:
    """A view whose script arrives late does not replace the next one."""
    context = browser.new_context()
    watched = Watched(context.new_page(), address)
    page = go(watched)
    with (
        page.expect_response("**/own-game.js") as found,
        held_back(page, "**/own-game.js"),
        page.expect_request("**/own-game.js"),
    ):
        go(watched, "#own")
        go(watched, "#games")
        expect(page.locator("h1")).to_have_text("Your games")
    found.value.finished()
    page.evaluate(DONE)
    expect(page.locator("h1")).to_have_text("Your games")
    watched.finish()
    context.close()
