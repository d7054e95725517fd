"""The notebooks of `examples` run from the top, and say what they said when they were kept."""

import re
from typing import Any

import pytest

from tests.full.libraries import need

for name in ("nbclient", "ipykernel", "polars"):
    need(name)

from tests.full.notebooks import NOTEBOOKS, read, run  # noqa: E402

LONG = re.compile(r"\d+\.\d{5,}")
DEPENDS = ("engine ", "proved ")
"""Lines that depend on the machine: which engine was quicker, and its bound."""


def said(cell: Any) -> list[Any]:
    """What a cell put out, but for last digits."""
    return [
        (sorted(out.get("data", {})), _rounded(out.get("text", "") or out.get("data", {}).get("text/plain", "")))
        for out in cell.outputs
    ]


def _rounded(text: str) -> str:
    lines = [line for line in text.splitlines() if not line.startswith(DEPENDS)]
    return "\n".join(LONG.sub(lambda found: f"{float(found[0]):.4f}", line) for line in lines)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_says_the_same(name: str) -> None:
    kept, now = read(name), run(name)
    codes = [(old, new) for old, new in zip(kept.cells, now.cells, strict=True) if old.cell_type == "code"]
    assert all(old.outputs for old, _ in codes), "a cell was kept without its output: python -m tests.full.notebooks"
    for old, new in codes:
        assert said(new) == said(old), f"{old.source}\nif that is right: python -m tests.full.notebooks"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_fit_to_be_published(name: str) -> None:
    """Small, and with nothing of the machine it ran on."""
    text = str(read(name))
    assert len(text) < 100_000
    assert not re.search(r"/(home|root|work|tmp|Users)/", text)
    assert "Traceback" not in text
