"""The reference: every public name has a docstring, and one place on the pages of docs/reference."""

import re
import subprocess
import sys
from ast import literal_eval
from collections import Counter
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

import rollwise
from rollwise import games, store

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
PUBLIC = {"rollwise": rollwise, "rollwise.games": games, "rollwise.store": store}
EXTRAS = ("rollwise.gym", "rollwise.adapters.open_spiel", "rollwise.adapters.icepool")
"""Public modules that need a library which may be missing: they are read, not imported."""


def places() -> Counter[tuple[str, str]]:
    """Count where each name is documented, by its module."""
    found: Counter[tuple[str, str]] = Counter()
    for page in REFERENCE.glob("*.md"):
        text = page.read_text("utf-8")
        for part in text.split(".. currentmodule:: ")[1:]:
            names = re.findall(r"^\.\. (?:auto|py:)\w+:: (\w+)", part, re.MULTILINE)
            found.update((part.split()[0], name) for name in names)
    return found


def listed(module: str) -> list[str]:
    """Read the public names of a module, if it is there."""
    path = ROOT / module.replace(".", "/")
    file = next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)
    found = re.search(r"^__all__ = (\[.*?\])$", file.read_text("utf-8"), re.MULTILINE | re.DOTALL) if file else None
    return list(literal_eval(found[1])) if found else []


def test_every_public_name_has_one_place() -> None:
    elsewhere = {("rollwise.store", "StoreError")}  # with the other errors
    public = {(module, name) for module in (*PUBLIC, *EXTRAS) for name in listed(module)} - elsewhere
    assert dict(places()) == dict.fromkeys(public, 1), "name it once on a page of docs/reference"


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_has_a_docstring(module: str) -> None:
    found = {name: getattr(PUBLIC[module], name) for name in PUBLIC[module].__all__}
    assert [name for name, thing in found.items() if not (thing.__doc__ or "").strip()] == []


def test_every_page_of_the_reference_is_reached() -> None:
    tree = (REFERENCE / "index.md").read_text("utf-8").splitlines()
    assert {path.stem for path in REFERENCE.glob("*.md")} - {"index"} <= {*tree}


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
