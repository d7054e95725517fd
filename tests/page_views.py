"""Every view of the page, and every way in which it is looked at: light, dark, small, large text, forced colours."""

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import DESK, PHONE, card, part, play_out, settled, step

__all__ = ["BOARD_VIEWS", "LOOKS", "QUICK_LOOKS", "QUICK_VIEWS", "STILL", "VIEWS", "Look", "at", "look_at"]

Json = dict[str, Any]
Reach = Callable[[Page, str], None]


@dataclass(frozen=True)
class Look:
    """How the page is looked at: options of a browser context, and the size of text in percent."""

    context: Json = field(default_factory=dict)
    text: int = 100


HAND: Json = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LOOKS = {
    "light": Look({"viewport": DESK}),
    "dark": Look({"viewport": DESK, "color_scheme": "dark"}),
    "phone": Look({"viewport": PHONE, **HAND}),
    "phone-dark": Look({"viewport": PHONE, "color_scheme": "dark", **HAND}),
    "phone-german": Look({"viewport": PHONE, "locale": "de", **HAND}),
    "landscape": Look({"viewport": {"width": 740, "height": 360}, **HAND}),
    "text-200": Look({"viewport": DESK}, text=200),
    "phone-text-200": Look({"viewport": PHONE, **HAND}, text=200),
    "zoom-200": Look({"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2}),
    "forced": Look({"viewport": DESK, "forced_colors": "active"}),
    "forced-dark-phone": Look({"viewport": PHONE, "forced_colors": "active", "color_scheme": "dark", **HAND}),
}
QUICK_LOOKS = ("light", "phone-dark")


def at(fragment: str, shown: str = "move-0", *clicks: str) -> Reach:
    """Make a view by a link: wait for `shown`, then click."""

    def reach(page: Page, address: str) -> None:
        page.goto(address + fragment)
        expect(part(page, shown).first).to_be_visible()
        for name in clicks:
            part(page, name).first.click()

    return reach


def with_found_games(page: Page, address: str) -> None:
    """Look for a game by a part of its title."""
    at("", "game-yazy")(page, address)
    expect(card(page, "pig")).to_be_visible()


def with_help(page: Page, address: str) -> None:
    """Open the help dialog."""
    at("", "game-yazy")(page, address)
    page.locator("#help-open").click()
    expect(page.locator("dialog[open]")).to_be_visible()


def with_chart(fragment: str) -> Reach:
    """Wait for the chart, too; a machine that has never drawn one may take longer than the server allows."""

    def reach(page: Page, address: str) -> None:
        at(fragment)(page, address)
        chart = part(page, "outlook")
        drawn, refused = chart.locator("svg rect").first, chart.get_by_text(re.compile("not computed|Not available"))
        expect(drawn.or_(refused).first).to_be_visible()

    return reach


def with_the_dial(page: Page, address: str) -> None:
    """Move the risk dial, and wait until the page says what that gives up."""
    at("#yazy?p.boxes=ones,straight,full-house&state=33561+2+all", "move-0", "aim-change")(page, address)
    part(page, "dial").press("ArrowLeft")
    expect(part(page, "dial-price")).not_to_be_empty()
    settled(page, "move")


def at_the_end(page: Page, address: str) -> None:
    """Play a small game to its end, once not the best move, so that there is a mistake to show."""
    at("#yazy?p.boxes=ones,straight&mode=roll", "roll")(page, address)
    step(page)
    settled(page, "move")
    part(page, "moves").focus()
    page.keyboard.press("ArrowDown")
    step(page)
    play_out(page)


def while_solving(page: Page, address: str) -> None:
    """Ask for a game that is never done: the server's answer is made up."""
    job = {
        "id": "x", "game": "slots", "parameters": {}, "objective": None, "status": "solving", "ahead": 0, "error": None,
        "progress": {"what": "positions", "done": 300, "total": 1000}, "board": {"kind": "any", "start": ""}, "result": None,
    }  # fmt: skip

    def answer(route: Route) -> None:
        if not route.request.url.endswith("events"):
            route.fulfill(status=200, content_type="application/json", body=json.dumps(job))

    page.route("**/api/solve**", answer)
    page.route("**/api/solve/**", answer)
    at("#slots", "solve-progress")(page, address)


def with_a_fault(page: Page, address: str) -> None:
    """Give a game file that is none."""
    at("#own", "own-text")(page, address)
    part(page, "own-text").fill('name = "x"\ndice = [1, 2\n')
    part(page, "own-solve").click()
    expect(part(page, "own-fault")).to_be_visible()


def with_a_step(page: Page, address: str) -> None:
    """Look at a move of a game that was played."""
    at_the_end(page, address)
    expect(part(page, "course")).to_be_visible()
    part(page, "course").focus()
    page.keyboard.press("ArrowRight")
    expect(part(page, "step-moves").locator("li").first).to_be_visible()


def with_reasons(page: Page, address: str) -> None:
    """Answer a puzzle, and see the reasons."""
    at(PUZZLES, "task-show", "task-show")(page, address)
    expect(part(page, "task-reasons")).to_be_visible()


PUZZLES = "#puzzles/set/yazy?p.boxes=ones,sixes,three-of-a-kind,straight&seed=3"


def party_at_the_end(page: Page, address: str) -> None:
    """Let three players play a small game to its end."""
    at("#yazy?p.boxes=ones,straight&players=Anna,Benjamin,Cleo&mode=roll", "roll")(page, address)
    play_out(page)
    expect(part(page, "luck-2")).to_have_text(re.compile(r"\d"))


def with_kept_games(shown: str) -> Reach:
    """Play a move, so that a game is kept; then go where kept games are shown."""

    def reach(page: Page, address: str) -> None:
        at("#yazy?p.boxes=ones,straight&players=Anna,Ben", "box-ones", "box-ones", "pencil-3")(page, address)
        expect(part(page, "total-0")).to_have_text("3")
        party_at_the_end(page, address)
        part(page, "home").click()
        expect(page.locator("[data-test^=kept-]").first).to_be_visible()
        if shown == "games":
            part(page, "games").click()
            expect(part(page, "wins")).to_be_visible()

    return reach


def file_link(name: str) -> str:
    """Write the link of an example, as the page does."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress((EXAMPLES / f"{name}.toml").read_bytes()) + packer.flush()
    return "#file?f=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


EXAMPLES = Path(__file__).parents[1] / "examples"
WEEK = 7 * 86_400
"""Seconds."""


def with_drills(page: Page, address: str) -> None:
    """Play a small game with a mistake, and look a week later at what can be learnt from it."""
    at_the_end(page, address)
    page.clock.set_system_time(page.evaluate("Date.now()") / 1000 + WEEK)
    page.evaluate("location.hash = '#learn'")
    expect(part(page, "rating")).to_be_visible()


def with_a_drill(page: Page, address: str) -> None:
    """Answer a position that is asked again."""
    with_drills(page, address)
    part(page, "strict-best").click()
    part(page, "learn-start").click()
    part(page, "task-show").click()
    expect(part(page, "drill-note")).not_to_be_empty()


PARTY = "#yahtzee?players=Anna,Benjamin,Cleo,Dora&2.state=11234+1+ones,chance,yahtzee+upper+50&2.total=140&turn=2"

VIEWS: dict[str, Reach] = {
    "start": at("", "game-yazy"),
    "form": at("", "game-yazy", "more-yahtzee"),
    "text form": at("", "game-yazy", "family-3", "more-words"),
    "families": at("", "game-yazy", "family-0", "family-1"),
    "found games": with_found_games,
    "refused form": at("#yazy?p.boxes=ones,nothing", "fault-yazy-boxes"),
    "help": with_help,
    "error": at("#yazzy?state=1", "error"),
    "solving": while_solving,
    "sheet": with_chart("#yazy?p.boxes=ones,straight,five-of-a-kind,full-house&state=33561+2+all"),
    "bonus sheet": with_chart("#yatzy?state=66661+1+sixes,chance,yatzy+upper+57&total=100"),
    "held dice": at("#yazy?p.boxes=ones,straight&state=11561+2+all", "move-0", "die-3"),
    "set up": at("#yazy?p.boxes=ones,twos,straight&state=33561+2+ones,straight", "move-0", "menu", "edit"),
    "menu": at("#yazy?p.boxes=ones,straight&state=33561+2+all", "move-0", "menu"),
    "why in numbers": at("#yazy?p.boxes=ones,straight&state=33561+2+all", "move-0", "account"),
    "keypad": at("#yazy?p.boxes=ones,straight", "keypad-1", "keypad-3"),
    "rolling": at("#yazy?p.boxes=ones,straight&mode=roll", "roll"),
    "slots": with_chart("#slots?state=all+0+6"),
    "words": with_chart("#words?p.dice=ABCDEF,GHIJKL&p.words=AG,BH,CI&state=FG"),
    "groups": at("#groups?p.faces=6&p.sizes=3,2&state=2,1+2", "groups-keep"),
    "pig": at("#pig?p.target=20&state=0+0+first+6", "act-roll"),
    "pig's rolls": at("#pig?p.target=20", "picker"),
    "tiles": at("#shut-the-box?state=1,2,3,5,6,7,8,9+8", "move-0", "tile-2", "tile-6"),
    "columns": at("#cant-stop?p.sides=2&p.shortest=2&state=0/0/0+1/0/1+1122", "pairs", "pair-2,4"),
    "points": at("#bear-off?p.start=0/1/1/1/1/1&state=0/1/1/1/1/1+6-1", "move-0", "point-0-6"),
    "points of two": at("#bear-off?p.start=0/1/1/0/1&p.players=2&state=0/1/1/0/1/0+0/1/1/0/1/0+second+4-2", "move-0"),
    "squares": at("#ur?p.pieces=2&state=4,7+8,9+first+2", "move-0", "square-2-0"),
    "backgammon": at("#hypergammon?p.checkers=1&state=20+9+first+4-3", "move-0", "place-20"),
    "tracks": at(file_link("pig") + "&p.target=20&state=12+5+4+first", "act-roll"),
    "farkle": at("#farkle?p.most=600&state=0+112345", "act-keep"),
    "farkle's race": at("#farkle?p.players=2&p.target=500&state=100+250+first+100+11235&aside=1", "act-bank"),
    "farkle passed": at("#farkle?p.players=2&p.target=500&state=100+250+first+0+-", "act-begin"),
    "hog": at("#hog?p.target=50&state=22+31+first", "act-roll 6"),
    "threes": with_chart("#threes?p.dice=4&state=346&total=1&aside=1"),
    "word list": with_chart("#words?state=ADRNE"),
    "target": with_chart("#yazy?p.boxes=ones,straight&aim=at-least+40&state=33561+2+all"),
    "out of reach": at("#slots?aim=at-least+4000", "remark"),
    "aims": at("#yazy?p.boxes=ones,straight&state=33561+2+all", "move-0", "aim-change", "aim-total"),
    "risk dial": with_the_dial,
    "duel": at("#yazy?p.boxes=ones,straight,full-house&aim=duel&state=33561+2+ones,straight+vs+ones,full-house+lead+-3"),
    "duel to begin": at("#yazy?p.boxes=ones,straight,full-house&aim=duel&mode=roll", "roll"),
    "rules": at("", "game-yazy", "more-yahtzee", "how-yahtzee"),
    "tried": at("", "game-yazy", "try-1"),
    "own game": at("#own", "own-text"),
    "faulty game": with_a_fault,
    "result": at_the_end,
    "a move afterwards": with_a_step,
    "learn": with_drills,
    "a position asked again": with_a_drill,
    "puzzles": at("#puzzles", "puzzle-day"),
    "puzzle": at(PUZZLES, "task"),
    "puzzle answered": with_reasons,
    "who plays": at("", "game-yazy", "more-yahtzee", "players-yahtzee", "player-add"),
    "party": with_chart(PARTY),
    "party to begin": at("#yazy?players=Anna,Ben,Cleo", "box-ones"),
    "pencil": at("#yazy?players=Anna,Ben,Cleo", "box-ones", "box-straight"),
    "party result": party_at_the_end,
    "start with games": with_kept_games("start"),
    "games": with_kept_games("games"),
    "ungraded": at("#slots?state=none+24", "result"),
}
BOARD_VIEWS = ("tiles", "columns", "points", "points of two", "squares", "backgammon", "tracks")
QUICK_VIEWS = ("start", "aims", "error", "sheet", "pig", "result")


STILL = """() => {
  const chart = document.querySelector(".outlook.stale")?.checkVisibility();
  const asks = document.querySelector("[data-awaits=answer]");
  const moves = ({ playState, effect }) => playState === "running" && effect.getTiming().iterations !== Infinity;
  return !chart && !asks && !document.getAnimations().some(moves);
}"""
"""Run in the page: whether nothing is on its way, and nothing moves."""


@contextmanager
def look_at(browser: Browser, address: str, view: str, look: Look) -> Iterator[Page]:
    """Open a view in a context of its own."""
    with closing(browser.new_context(**look.context)) as context:
        page = context.new_page()
        if look.text != 100:
            session = context.new_cdp_session(page)
            session.send("Page.setFontSizes", {"fontSizes": {"standard": 16 * look.text // 100, "fixed": 13 * look.text // 100}})
        VIEWS[view](page, address)
        page.wait_for_function(STILL)
        yield page
