"""The site of the documents is built without a warning, and its links lead somewhere."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.audit
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "--fresh-env"]
    done = subprocess.run([*command, "docs", str(tmp_path / "site")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    built = {str(path.relative_to(tmp_path / "site")) for path in (tmp_path / "site").rglob("*.html")}
    assert {"index.html", "search.html", "report-slots.html", "made/changes.html", "made/games/pig.html"} <= built
    assert dead_links(tmp_path / "site") == []


def dead_links(site: Path) -> list[str]:
    """Say which links and pictures of a built site lead nowhere."""
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    ids = {path: {*re.findall(r'\bid="([^"]+)"', text)} for path, text in pages.items()}
    faults = []
    for page, text in pages.items():
        for link in {*re.findall(r'\b(?:href|src)="([^"]+)"', text)} - {"#"}:
            path, _, anchor = unquote(unescape(link)).partition("#")
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            inside = not re.match(r"[a-z]+:", link)
            lost = not target.exists() or (anchor and target in ids and anchor not in ids[target])
            faults += [f"{page.relative_to(site)}: {link}"] if inside and lost else []
    return faults
