"""Every game on the page: it fits at all sizes, has names and contrast, and nothing jumps; links that are wrong; a link by id."""

import re

from playwright.sync_api import expect

from tests.browser import AUDIT, SIZES, Watched, choose, go, part, settled, url

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }).observe({ type: "layout-shift" });
}"""
GAMES = {
    "yazy": "#yazy?p.boxes=ones,straight,full-house&state=33561+2+all",
    "yatzy": "#yatzy?state=66661+1+sixes,chance,yatzy+upper+57&total=100",
    "yahtzee": "#yahtzee?state=12345+1+ones,full-house,chance+upper+0",
    "slots": "#slots?state=all+0+6",
    "words": "#words?p.dice=ABCDEF,GHIJKL&p.words=AG,BH,CI&state=FG",
    "groups": "#groups?p.faces=6&p.sizes=3,2&state=2,1+2",
    "pig": "#pig?p.target=20&state=0+0+first+6",
}
WRONG = {
    "#yazzy?state=33561+2+all": "yazzy",
    "#yazy?state=33569+2+all": "33569",
    "#yazy?state=33561+7+all": "7",
    "#yazy?state=33561+2+ones,nothing": "nothing",
    "#slots?state=all+0+9": "9",
    "#slots?id=298yW": "check character",
    "#yazy?p.boxes=none": "none",
    "#words?p.dice=AB&p.words=@/etc/passwd": "@",
    "#%E0%A4%A": "link",
    "#yazy?p.boxes=ones&moves=abc": "The game in the link is damaged",
    "#kept?id=nobody": "This game is no longer saved",
    "#file?f=_____": "The game file in the link is damaged",
    "#file?state=1": "The link carries no game file",
    "#file?f=" + "A" * 16_001: "expected at most 16000",
    "#puzzles/day/someday": "There are no puzzles for the day someday.",
    "#puzzles/set/yazzy?seed=1": "There is no game yazzy to set puzzles of.",
    "#puzzles/set/yazy?seed=x": "seed x in the link: expected a whole number",
}


def test_every_game_fits_and_nothing_jumps(watched: Watched) -> None:
    page = go(watched)
    page.evaluate(SHIFTS)
    for size in SIZES.values():
        page.set_viewport_size(size)
        for game, fragment in GAMES.items():
            page.evaluate("window.shifts = []")
            go(watched, fragment)
            settled(page, "move")
            chart = part(page, "outlook")
            drawn = chart.locator("svg rect").or_(chart.get_by_text(re.compile("[Nn]ot (available|computed)")))
            if game != "pig":
                expect(drawn.first).to_be_visible()
                assert sum(page.evaluate("window.shifts")) < 0.1, game
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(AUDIT) == [], (game, size, scheme)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(SIZES["desk"])
    watched.finish()


def test_wrong_links_are_told(watched: Watched) -> None:
    for fragment, message in WRONG.items():
        page = go(watched, fragment)
        expect(page.locator("#error, dialog .fault").filter(has_text=message).first).to_be_visible()
        expect(part(page, "home")).to_be_visible()
    go(watched, "#puzzles/set/yazy?p.boxes=ones&seed=1")
    expect(part(watched.page, "no-puzzles")).to_be_visible()
    watched.finish("the server responded with a status of 4")


def test_a_link_by_id(watched: Watched) -> None:
    page = go(watched, "#slots?id=298yV")
    settled(page, "move")
    expect(part(page, "status")).to_contain_text("Best: x3")
    choose(page, "share")
    expect(part(page, "status")).to_contain_text("the id of the position is 298yV")
    assert "state=x3,bin+30+6" in url(page)
    watched.finish()
