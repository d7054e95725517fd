"""The reports in the documents are those that their commands write today; `python -m tests.pictures` writes them anew."""

from pathlib import Path

import pytest

from tests.pictures import DOCS, REPORTS, write_report


@pytest.mark.audit
@pytest.mark.parametrize("name", [name for name in REPORTS if name != "yazy-duel"])  # which takes minutes
def test_a_report_is_as_it_is_written_today(name: str, tmp_path: Path) -> None:
    assert write_report(name, tmp_path).read_text("utf-8") == (DOCS / f"report-{name}.html").read_text("utf-8")


def test_every_report_can_be_drawn() -> None:
    assert {path.name for path in DOCS.glob("report-*.html")} == {f"report-{name}.html" for name in REPORTS}
