"""Ask questions of a whole strategy: write it as Parquet, query it with DuckDB.

    python examples/query_strategy.py [GAME [FILE.parquet]]

Needs `pip install 'rollwise[parquet]' duckdb`.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rollwise import Solution, cache, write_policy
from rollwise.games import load

QUESTIONS = {
    "How often is each kind of move best, by rolls left?": """
        select "rerolls left", case when move like 'keep %' then 'keep' else 'fill a box' end as kind, count(*) as decisions
        from strategy group by all order by all
    """,
    "Which boxes are filled at once, with rolls to spare?": """
        select move, count(*) as decisions from strategy
        where "rerolls left" > 0 and move not like 'keep %' group by move order by decisions desc, move limit 5
    """,
    "Which decisions with all boxes open are the closest calls?": """
        select dice, "rerolls left", move, round("loss of second best", 4) as "second loses" from strategy
        where "open boxes" = 'all' and "loss of second best" > 0 order by "loss of second best", dice limit 5
    """,
}


def ask(file: Path) -> None:
    try:
        import duckdb  # noqa: PLC0415  (an optional package)
    except ImportError:
        sys.exit("this example needs DuckDB: pip install 'rollwise[parquet]' duckdb")
    with duckdb.connect() as database:
        database.read_parquet(str(file)).create_view("strategy")
        for question, query in QUESTIONS.items():
            print(f"\n{question}\n{database.sql(query)}")


def export(name: str, file: Path) -> None:
    solution: Solution = cache.solve(load(name), name=name)
    rows = write_policy(solution, file)
    print(f"{name}: {rows:,} decisions, {file.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "yazy"
    with TemporaryDirectory() as directory:
        file = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(directory) / "strategy.parquet"
        export(name, file)
        ask(file)


if __name__ == "__main__":
    main()
