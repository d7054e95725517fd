"""Pictures and reports of the documents, drawn anew: `python -m tests.pictures [NAME ...]`, by default all of them.

page            docs/page.png and docs/page-phone.png, the page in a browser
pig, slots, yazy, yatzy, yazy-duel     docs/report-NAME.html (a duel of yazy takes minutes, and 3 GB)
"""

import argparse
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import ViewportSize

from rollwise.cli.main import main as rollwise
from tests.browser import DESK, PHONE, launch, running_server

__all__ = ["REPORTS", "draw_page", "write_report"]

DOCS = Path(__file__).parents[1] / "docs"
REPORTS = {
    "pig": ["pig"], "slots": ["slots", "--exact"], "yazy": ["yazy"], "yatzy": ["yatzy"],
    "yazy-duel": ["yazy", "--objective", "duel"],
}  # fmt: skip
DRAWN: list[tuple[str, ViewportSize, Literal["light", "dark"], int]] = [
    ("page", DESK, "light", 1),
    ("page-phone", PHONE, "dark", 2),
]
POSITION = "#yahtzee?state=13366+1+fours,sixes,full-house,large-straight,chance+upper+40&total=120"


def write_report(name: str, folder: Path = DOCS) -> Path:
    """Write a report as its command does."""
    page = folder / f"report-{name}.html"
    if rollwise(["report", *REPORTS[name], "-o", str(page)]):
        raise SystemExit(2)
    return page


def draw_page(folder: Path = DOCS) -> None:
    """Draw the page with a position of Yahtzee: at a desk, and in the dark on a phone."""
    with tempfile.TemporaryDirectory() as store, running_server(Path(store)) as address, launch() as browser:
        for name, size, scheme, scale in DRAWN:
            context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce", device_scale_factor=scale)
            page = context.new_page()
            page.goto(address + POSITION)
            page.locator("[data-test=move-0]").wait_for(timeout=90_000)
            page.get_by_text("half at most").first.wait_for(timeout=90_000, state="attached")
            page.wait_for_timeout(1_000)
            page.screenshot(path=folder / f"{name}.png")
            context.close()


def main() -> None:
    """Draw what is named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", choices=["all", "page", *REPORTS], default="all")
    given = parser.parse_args().name
    for name in ["page", *REPORTS] if "all" in given else given:
        if name == "page":
            draw_page()
        else:
            write_report(name)


if __name__ == "__main__":
    main()
