"""The strategy as an Arrow table: the rows of the policy in every library, in batches, with nothing left behind."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rollwise
from rollwise import GameError, Solution
from rollwise.games import load
from rollwise.playing.strategy import policy_rows
from rollwise.solvers.base import table as tables
from rollwise.solvers.base.chunks import Coded
from tests.full.libraries import need

pyarrow = need("pyarrow", "rollwise[parquet]")


def solved(name: str, exact: bool = False, **parameters: str) -> Solution:
    return rollwise.solve(load(name, **parameters), exact=exact)


def as_text(entry: Any) -> str:
    return "" if entry is None else repr(entry) if isinstance(entry, float) else str(entry)


GAMES = {
    "slots": solved("slots"),
    "exact": solved("slots", exact=True),
    "groups": solved("groups", faces="6", sizes="1,2,2"),
    "words": solved("words", dice="012,12,23", words="012,123"),
    "sheet": solved("yazy", boxes="ones,twos"),
    "pig": solved("pig", target="9", faces="4"),
    "duel": rollwise.solve(load("yazy", boxes="ones", rerolls="0"), rollwise.Duel()),
    "target": rollwise.solve(load("yazy", boxes="ones", rerolls="1"), rollwise.AtLeast(3)),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_rows_of_the_policy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROWS", 700)
    solution = GAMES[name]
    table = pyarrow.table(solution.table())
    table.validate(full=True)
    rows = list(policy_rows(solution))
    plain = [field for field in table.column_names if not field.endswith(", exact")]
    assert plain == list(rows[0])
    for typed, text in zip(table.to_pylist(), rows, strict=True):
        for field in plain:
            assert as_text(typed.get(f"{field}, exact") if f"{field}, exact" in typed else typed[field]) == text[field]


def test_every_library_takes_it() -> None:
    polars, pandas, duckdb = (need(name) for name in ("polars", "pandas", "duckdb"))
    table = GAMES["slots"].table()
    value = GAMES["slots"].objective.words(GAMES["slots"].game).value
    rows = pyarrow.table(table).num_rows
    frame = polars.DataFrame(table)
    assert frame.shape == (rows, 6)
    assert str(frame.schema["total"]) == "Int64"
    assert frame[value].max() == 1
    assert len(pandas.DataFrame.from_arrow(table)) == rows
    with duckdb.connect() as database:
        database.register("strategy", table)
        assert database.execute("select count(*), max(total) from strategy").fetchone() == (rows, 51)


def test_where_limit_and_nothing() -> None:
    solution = GAMES["slots"]
    part = pyarrow.table(solution.table(where={"free slots": "x3", "total": "30"}))
    assert part.column("roll").to_pylist() == [1, 2, 3, 4, 5, 6]
    assert pyarrow.table(solution.table(limit=10)).num_rows == 10
    nothing = pyarrow.table(solution.table(where={"total": "999"}))
    assert nothing.num_rows == 0
    assert nothing.schema == part.schema
    with pytest.raises(GameError, match="did you mean 'total'"):
        pyarrow.table(solution.table(where={"totl": "1"}))
    with pytest.raises(GameError, match="expected 0 or more"):
        pyarrow.table(solution.table(limit=-1))


def test_a_game_without_decisions() -> None:
    class Still(rollwise.Game[Any, Any, str]):
        def start(self) -> int:
            return 0

        def roll(self, pending: int) -> dict[int, int]:
            return {1: 1}

        def actions(self, state: int) -> tuple[str, ...]:
            return ()

        def play(self, state: int, action: str) -> int:
            return 0

        def payoff(self, state: int) -> int:
            return state

    for exact in (False, True):
        table = rollwise.solve(Still(), exact=exact).table()
        assert pyarrow.table(table).num_rows == 0
        assert "0 rows" in table.summary().text()


def test_a_column_that_stops_being_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def chunks(*given: Any) -> Iterator[Any]:
        for entry in ("1", "1,2"):
            yield {"held": Coded((entry,), np.zeros(2, dtype=np.int32), whole=True), "value": np.array([0.5, np.nan])}

    monkeypatch.setattr(tables, "_row_chunks", chunks)
    with pytest.raises(pyarrow.ArrowInvalid, match=r"holds '1,2': say text=\['held'\]"):
        pyarrow.table(GAMES["slots"].table())
    found = pyarrow.table(GAMES["slots"].table(text=["held"])).to_pydict()
    assert found == {"held": ["1", "1", "1,2", "1,2"], "value": [0.5, None, 0.5, None]}


def test_batches_are_made_when_asked_for_and_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROWS", 100)
    gc.collect()
    before = pyarrow.total_allocated_bytes()
    made = []
    chunks = tables._row_chunks

    def counted(*given: Any) -> Iterator[Any]:
        for chunk in chunks(*given):
            made.append(1)
            yield chunk

    monkeypatch.setattr(tables, "_row_chunks", counted)
    reader = pyarrow.RecordBatchReader.from_stream(GAMES["slots"].table())
    batch = reader.read_next_batch()
    assert len(made) == 1
    column = batch.column(1)
    del batch, reader
    assert column.to_pylist()[:1] == [0]
    del column
    capsule = GAMES["slots"].table().__arrow_c_stream__()
    del capsule
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before


def test_a_table_freed_while_an_error_is_on_its_way() -> None:
    polars = need("polars")
    for take in (polars.DataFrame, pyarrow.table, lambda table: table.__arrow_c_stream__()):
        with pytest.raises(ZeroDivisionError):
            divmod(take(GAMES["groups"].table()), 1 // 0)


SCRIPT = """
import polars, pyarrow, rollwise
from rollwise.games import load
table = rollwise.solve(load("groups", faces="6", sizes="1,2")).table()
frame, whole, capsule = polars.DataFrame(table), pyarrow.table(table), table.__arrow_c_stream__()
batch = whole.to_batches()[0]
"""


def test_python_ends_quietly_with_a_table_alive() -> None:
    need("polars")
    done = subprocess.run([sys.executable, "-X", "dev", "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    table = GAMES["slots"].table()
    assert "total" in table.columns
    with pytest.raises(GameError, match=r"need PyArrow: pip install 'rollwise\[parquet\]'"):
        table.__arrow_c_stream__()
