"""The reference: every public name has a docstring, and one place on the pages of docs/reference."""

import re
import subprocess
import sys
from ast import literal_eval
from collections import Counter
from pathlib import Path

import pytest

import rollwise
from rollwise import cache, columns, errors, extending, families, games, own_dice, params, policies, views

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
MODULES = (rollwise, cache, columns, errors, extending, families, games, own_dice, params, policies, views)
PUBLIC = {module.__name__: module for module in MODULES}
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
    found = re.search(r"^__all__ = (\[.*?\])", file.read_text("utf-8"), re.MULTILINE | re.DOTALL) if file else None
    return list(literal_eval(found[1])) if found else []


def test_every_public_name_has_one_place() -> None:
    public = {(module, name) for module in (*PUBLIC, *EXTRAS) for name in listed(module)}
    helpers = {name for name in listed("rollwise.errors") if not name.endswith(("Error", "Warning"))}
    twice = {("rollwise.errors", name) for name in {*listed("rollwise"), *helpers}}
    found = places()
    assert set(found.values()) == {1}, "name it once on a page of docs/reference"
    assert {(module, name) for module, name in found if module in (*PUBLIC, *EXTRAS)} == public - twice
    assert all(name in listed(module) for module, name in found), "what is documented is public where it is"


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_has_a_docstring(module: str) -> None:
    found = {name: getattr(PUBLIC[module], name) for name in PUBLIC[module].__all__}
    assert [name for name, thing in found.items() if not (thing.__doc__ or "").strip()] == []


def test_every_page_of_the_reference_is_reached() -> None:
    tree = (REFERENCE / "index.md").read_text("utf-8").splitlines()
    assert {path.stem for path in REFERENCE.glob("*.md")} - {"index"} <= {*tree}


def test_the_version_is_in_one_place() -> None:
    """Whatever else names it says the same: the changelog has a part for it, and the citation is of it."""
    version = re.escape(rollwise.__version__)
    assert re.search(rf"^## {version}\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert re.search(rf"^version: {version}$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.full
def test_all_of_it_works_without_what_only_posix_has(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.no_posix", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
