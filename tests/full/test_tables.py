"""Tables for other libraries: Parquet holds what CSV holds; the example asks DuckDB."""

import csv
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

import rollwise
from rollwise.games import load
from rollwise.playing.strategy import value_word, write_policy
from rollwise.solvers.base import table as tables
from rollwise.sweeps.sweep import make_sweep
from rollwise.sweeps.table import write_table
from tests.full.libraries import need
from tests.full.test_sweep import rows_of
from tests.terminal import run
from tests.test_huge import LADDER_FILE, LONG
from tests.test_tables import EXAMPLE, GAMES, check_nothing_half_written, plain_rows

pyarrow = need("pyarrow", "rollwise[parquet]")
parquet = need("pyarrow.parquet", "rollwise[parquet]")


@pytest.mark.parametrize(("name", "parameters", "exact", "types"), GAMES)
def test_csv_and_parquet_agree(name: str, parameters: dict[str, str], exact: bool, types: dict[str, str], tmp_path: Path) -> None:
    solution = rollwise.solve(load(name, **parameters), exact=exact)
    limit = 3000
    rows = [write_policy(solution, tmp_path / f"policy.{kind}", limit=limit) for kind in ("csv", "parquet")]
    assert rows[0] == rows[1] == min(limit, sum(1 for _ in islice(plain_rows(solution), limit)))
    table = parquet.read_table(tmp_path / "policy.parquet")
    word = value_word(solution)
    found = {field.name: str(field.type) for field in table.schema}
    assert found.items() >= {**types, word: "double", "loss of second best": "double"}.items()
    with (tmp_path / "policy.csv").open(newline="") as file:
        for text, typed in zip(csv.DictReader(file), table.to_pylist(), strict=True):
            assert {key: "" if typed[key] is None else str(typed[key]) for key in types} == {key: text[key] for key in types}
            for column in (word, "loss of second best"):
                exact_column = typed.get(f"{column}, exact") if exact else typed[column]
                assert ("" if exact_column is None else str(exact_column)) == text[column]


def test_a_column_that_stops_being_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held groups begin as "1", "2", ...; where the first states tell nothing else, writing starts over with text."""
    monkeypatch.setattr(tables, "SAMPLE", 0)
    monkeypatch.setattr(tables, "ROWS", 1)
    solution = rollwise.solve(load("groups", faces="6", sizes="1,2"))
    write_policy(solution, tmp_path / "groups.parquet")
    table = parquet.read_table(tmp_path / "groups.parquet")
    assert table.column("held groups").to_pylist() == [row["held groups"] for row in plain_rows(solution)]


def test_the_example(tmp_path: Path) -> None:
    need("duckdb", "duckdb")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, EXAMPLE, "yazy"], capture_output=True, text=True, env=environment, check=True)
    assert "yazy: 1,547,532 decisions" in done.stdout
    assert "515844" in done.stdout, "with no rerolls left every decision fills a box: 2047 * 252"


def test_fractions_are_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ladder.py").write_text(LADDER_FILE.replace("RUNGS", str(LONG)))
    for ending in ("csv", "parquet"):
        assert run(capsys, "policy", str(tmp_path / "ladder.py"), "--exact", "-o", str(tmp_path / f"ladder.{ending}"))[0] == 0
    with (tmp_path / "ladder.csv").open(newline="") as text:
        rows = list(csv.DictReader(text))
    table = parquet.read_table(tmp_path / "ladder.parquet").to_pydict()
    assert {row["expected rolls"] for row in rows} == set(table["expected rolls, exact"])


def test_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_nothing_half_written(tmp_path / "policy.parquet", monkeypatch)


def test_a_sweep_holds_the_same_in_both(tmp_path: Path) -> None:
    sweep = make_sweep("yazy", ["rerolls=0,1,101", "boxes=ones;ones,straight"], {})
    rows = rows_of(sweep)
    write_table(tmp_path / "table.parquet", sweep.columns, rows)
    table = parquet.read_table(tmp_path / "table.parquet")
    assert table.column_names == list(sweep.columns)
    assert table.schema.field("rerolls").type == pyarrow.int64()
    assert table.schema.field("boxes").type == pyarrow.string()
    assert table.schema.field("value").type == pyarrow.float64()
    assert table.to_pylist() == rows
