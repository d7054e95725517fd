"""Links of the documents: the file is there, and so is the heading; no network is needed. `./scripts/docs` checks the site's."""

import re
import unicodedata
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted(path for folder in (".", "docs", "docs/reference", "bench", "examples") for path in (ROOT / folder).glob("*.md"))
FENCED = re.compile(r"^(```+).*?^\1`*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(<?([^)\s>]+)>?\)")


@cache
def prose(page: Path) -> str:
    """Give a page without the code in it."""
    return re.sub(r"`[^`\n]+`", lambda code: code[0].strip("`").replace("](", "] ("), FENCED.sub("", page.read_text("utf-8")))


@cache
def anchors(page: Path) -> set[str]:
    """Name the headings of a page as GitHub and the site do: small letters, dashes for blanks, no other signs."""
    found: list[str] = []
    for title in re.findall(r"^#+ +(.+?) *$", prose(page), re.MULTILINE):
        plain = LINK.sub("]", title).lower()
        slug = "".join(sign for sign in plain if sign in " -_" or unicodedata.category(sign)[0] in "LNM").replace(" ", "-")
        found.append(f"{slug}-{earlier}" if (earlier := found.count(slug)) else slug)
    return {*found}


def links(page: Path) -> list[tuple[Path, str]]:
    """Give the places inside the repository that a page leads to."""
    inside = [link for link in LINK.findall(prose(page)) if not re.match(r"[a-z]+:", link)]
    parts = [link.partition("#") for link in inside]
    return [((page.parent / path).resolve() if path else page, anchor) for path, _, anchor in parts]


def faults(page: Path) -> list[str]:
    """Say which links of a page lead nowhere."""
    made = ROOT / "docs" / "made"  # by the build of the site, which warns
    seen = [(path, anchor) for path, anchor in links(page) if made not in path.parents]
    missing = [f"{path} is not there" for path, _ in seen if not path.exists()]
    places = [(path, anchor) for path, anchor in seen if anchor and path.exists()]
    return missing + [f"{path.name} has no heading #{anchor}" for path, anchor in places if anchor not in anchors(path)]


def test_links_lead_somewhere() -> None:
    assert {page: found for page in PAGES if (found := faults(page))} == {}


def test_every_page_is_reached() -> None:
    """From the README, and from the menu of the site."""
    docs = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert docs - {path.stem for path, _ in links(ROOT / "README.md")} == {"reports"}
    trees = re.findall(r"```\{toctree\}\n(.*?)```", (ROOT / "docs" / "index.md").read_text("utf-8"), re.DOTALL)
    assert docs <= {*"\n".join(trees).splitlines()}


CITED = re.compile(r"docs/(?:reference/)?[a-z][a-z0-9-]*\.md")


def test_every_page_that_code_cites_is_there() -> None:
    kinds = {".py", ".js", ".ts", ".css", ".html", ".txt", ".toml", ".ipynb", ".sh", ""}
    folders = [ROOT / name for name in ("rollwise", "bench", "tests", "scripts", "examples")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix in kinds]
    cited = {(page, path.name) for path in files for page in CITED.findall(path.read_text("utf-8"))}
    assert len(cited) > 5
    assert [one for one in sorted(cited) if not (ROOT / one[0]).exists()] == []
