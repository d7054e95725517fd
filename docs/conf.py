"""The site: `./scripts/docs` builds it from these pages, from the docstrings, and from pages made here (`docs/made`).

Pages of the repository link to files beside `docs` as they do on disk (`../CHANGELOG.md`, `../examples/pig.toml`); on the site
each of these files has a page of its own, which is made again by every build, and the links are turned to it.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Any

import rollwise
from rollwise.games import CATALOGUE

DOCS = Path(__file__).parent
ROOT = DOCS.parent

project = "rollwise"
author = "the rollwise contributors"
release = version = rollwise.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]

source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 4
myst_url_schemes = {
    "http": None,
    "https": None,
    "mailto": None,
    "page": {"url": "{{path}}"},
}  # page: copied as it is
html_theme = "furo"
html_title = "rollwise"
html_extra_path = [path.name for path in sorted(DOCS.glob("report-*.html"))]
html_show_copyright = html_show_sourcelink = html_copy_source = False
html_static_path, html_css_files = ["static"], ["site.css"]
html_favicon = "../rollwise/web/static/icons/icon.svg"
html_theme_options = {  # the colours of the page in the browser
    "light_css_variables": dict.fromkeys(["color-brand-primary", "color-brand-content", "color-brand-visited"], "#0f6e66"),
    "dark_css_variables": dict.fromkeys(["color-brand-primary", "color-brand-content", "color-brand-visited"], "#5fc9bd"),
}

autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 110
add_module_names = False
default_role = "py:obj"
toc_object_entries_show_parents = "hide"

WHOLE = {
    "CHANGELOG.md": "changes",
    "CONTRIBUTING.md": "contributing",
    "SECURITY.md": "security",
    "bench/results.md": "benchmarks",
}
"""Pages beside `docs`, and what they are called on the site."""
EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.suffix in (".ipynb", ".py", ".toml"))
GAMES = {name: entry.module for name, entry in CATALOGUE.items() if entry.module.startswith("rollwise.games.")}
SHOWN = {
    "text/html": "````{{raw}} html\n{}\n````",
    "image/svg+xml": "````{{raw}} html\n{}\n````",
    "text/plain": "````text\n{}\n````",
}
"""How what a cell showed is put on a page, the best kind first."""
LINK = re.compile(r"\]\(([^)\s#:'\"]+)(#[^)\s]*)?\)")


def made() -> Iterator[tuple[str, str]]:
    """Give the pages that are made again: those beside `docs`, the games' rules and code, and the examples."""
    for path, name in WHOLE.items():
        yield name, turned((ROOT / path).read_text(encoding="utf-8"), path, f"made/{name}")
    for name, module in GAMES.items():
        yield f"games/{name}", _game_page(module)
    for name in EXAMPLES:
        yield f"examples/{_dashed(name)}", _example_page(name)
    yield "examples", "# Examples\n\nFiles to try and to change.\n\n" + _tree("examples", map(_dashed, EXAMPLES))
    yield "rules", "# Rules in full\n\nEach game: its rules, its sources and its code.\n\n" + _tree("games", GAMES)


def _game_page(module: str) -> str:
    """Write a game's page: what its module says about the rules, which is Markdown, and the code."""
    said = import_module(module).__doc__ or ""
    title, _, rules = said.partition("\n")
    code = _shown(module.replace(".", "/") + ".py", after=said.count("\n") + 2)
    return f"# {title.partition(':')[0]}\n\n{title}\n{rules}\n## The code\n\n{code}"


def _shown(path: str, after: int = 0) -> str:
    language = "python" if path.endswith(".py") else "toml"
    return f"```{{literalinclude}} ../../../{path}\n:language: {language}\n:lines: {after + 1}-\n```\n"


def _example_page(name: str) -> str:
    """Write an example's page: the file, or a notebook's text, code, and what that showed."""
    if not name.endswith(".ipynb"):
        return f"# {name}\n\n{_shown(f'examples/{name}')}"
    cells = json.loads((ROOT / "examples" / name).read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(part for cell in cells for part in _cell(cell, name))


def _cell(cell: dict[str, Any], name: str) -> Iterator[str]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield turned(text, f"examples/{name}", f"made/examples/{_dashed(name)}")
        return
    yield f"```python\n{text}\n```"
    for output in cell.get("outputs", ()):
        shown = output.get("data") or {"text/plain": output.get("text", "")}
        kind = next(kind for kind in SHOWN if kind in shown)
        yield SHOWN[kind].format("".join(shown[kind]).strip())


def _tree(folder: str, names: Iterable[str]) -> str:
    listed = "\n".join(f"{folder}/{name}" for name in names)
    return f"```{{toctree}}\n:maxdepth: 1\n{listed}\n```\n"


def _dashed(name: str) -> str:
    return name.replace(".", "-").replace("_", "-")


def make_pages(*_: Any) -> None:
    """Write the made pages, for Sphinx to find."""
    rmtree(DOCS / "made", ignore_errors=True)
    for name, text in made():
        page = DOCS / "made" / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")


def turned(text: str, path: str, docname: str) -> str:
    """Turn the links of a file of the repository to the pages of the site."""

    def turn(link: re.Match[str]) -> str:
        target = page_of(os.path.normpath(Path(path).parent / link[1]))
        return f"]({target if ':' in target else os.path.relpath(target, Path(docname).parent)}{link[2] or ''})"

    return LINK.sub(turn, text)


def page_of(path: str) -> str:
    """Say which page of the site shows a file of the repository."""
    folder, _, name = path.rpartition("/")
    if path in WHOLE or path == "README.md":
        return f"made/{WHOLE[path]}.md" if path in WHOLE else "index.md"
    if folder == "examples":
        return f"made/examples/{_dashed(name)}.md"
    if path.startswith("rollwise/games/"):  # a module, or the rules of a package
        return f"made/games/{_dashed(path.removeprefix('rollwise/games/').removesuffix('.py').removesuffix('/rules'))}.md"
    return f"page:{name}" if name.startswith("report-") else path.removeprefix("docs/")


def turn_links(_app: Any, docname: str, source: list[str]) -> None:
    """Turn the links of a page of `docs`; those of made pages are."""
    if not docname.startswith("made/"):
        source[0] = turned(source[0], f"docs/{docname}.md", docname)


def find_public(_app: Any, env: Any, node: Any, shown: Any) -> Any:
    """Find a name by where it is public: types say where it is at home."""
    *home, name = node.get("reftarget", "").split(".")
    if node.get("refdomain") != "py" or name not in rollwise.__all__ or (home and home[0] != "rollwise"):
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], env.app.builder, "obj", f"rollwise.{name}", node, shown)


def find_source(_app: Any, module: str, name: str) -> str | None:
    """Find the code of a public name, or of what belongs to one, where it was defined; not that of its value."""
    home = getattr(getattr(import_module(module), name.partition(".")[0]), "__module__", None)
    return home if isinstance(home, str) and home.startswith("rollwise.") else module


def lead_back(app: Any, failed: Exception | None) -> None:
    """Give each report, a page that stands alone, a way back to the site."""
    for name in [] if failed else html_extra_path:
        page = Path(app.outdir) / name
        page.write_text(
            page.read_text("utf-8").replace("<main>", '<main><a href="reports.html">rollwise: reports</a>', 1), "utf-8"
        )


def setup(app: Any) -> dict[str, bool]:
    """Connect what is done here."""
    app.connect("builder-inited", make_pages)
    app.connect("source-read", turn_links)
    app.connect("missing-reference", find_public)
    app.connect("viewcode-follow-imported", find_source)
    app.connect("build-finished", lead_back)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
