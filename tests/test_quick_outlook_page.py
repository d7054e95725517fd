"""The page says how close a quick outlook is, and shows the exact one on request."""

from pathlib import Path

from playwright.sync_api import expect

from rollwise import store
from rollwise.games import load
from rollwise.playing.spread import quick_outlooks
from tests.browser import Watched, launch, running_server


def test_the_chart_says_how_close_it_is_and_shows_exactly(tmp_path: Path) -> None:
    game = load("yazy", boxes="ones,sixes,straight,full-house")
    assert quick_outlooks(store.solve(game, directory=tmp_path, worth_seconds=0), [game.start()], build=True)
    with running_server(tmp_path) as address, launch() as browser:
        watched = Watched(browser.new_page(), address)
        page = watched.page
        page.goto(f"{address}#yazy?p.boxes=ones,sixes,straight,full-house&state=11234+1+all")
        chart, button = (page.locator(f'[data-test="{name}"]') for name in ("outlook", "show-exactly"))
        expect(chart).to_contain_text("Chances within 0.21 percentage points.")
        button.click()
        expect(chart).not_to_contain_text("Chances within")
        expect(button).to_be_hidden()
        expect(chart.locator("svg rect").first).to_be_visible()
        watched.finish()
