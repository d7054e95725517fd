"""What is typed into a game file while its example is still on the way is not lost."""

from pathlib import Path

from playwright.sync_api import Route, expect

from tests.browser import launch, running_server


def test_a_late_example_does_not_replace_what_was_typed(tmp_path: Path) -> None:
    waiting: list[Route] = []
    with running_server(tmp_path) as address, launch() as browser:
        page = browser.new_page()
        page.route("**/*.toml", lambda route: waiting.append(route))  # noqa: PLW0108 - Playwright does not take the method
        with page.expect_request("**/*.toml"):
            page.goto(address + "#own")
        text = page.locator('[data-test="own-text"]')
        text.fill("mine")
        with page.expect_response("**/*.toml"):
            waiting[0].continue_()
        page.wait_for_timeout(100)
        expect(text).to_have_value("mine")
