"""Which tests run: without `--all`, all but those in tests/full, those marked `full`, and doctests of optional libraries."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent
NEEDS = {
    "rollwise/adapters/gym/two_players.py": "pettingzoo",
    "rollwise/adapters/gym": "gymnasium",
    "rollwise/adapters/icepool.py": "icepool",
    "rollwise/adapters/open_spiel": "pyspiel",
    "rollwise/gym.py": "gymnasium",
    "rollwise/solvers/base/arrow.py": "pyarrow",
    "rollwise/solvers/base/table.py": "polars",
    "docs/ecosystem.md": "pyspiel",
    "docs/gym.md": "gymnasium",
    "docs/notebooks.md": "polars",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--all`."""
    parser.addoption("--all", action="store_true", help="run everything, with many more random examples")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many random examples are tried: always the same ones, so that no run fails by luck."""
    settings.register_profile("rollwise", deadline=None, derandomize=True, max_examples=100 if config.getoption("all") else 10)
    settings.load_profile("rollwise")


def runs_all(config: pytest.Config) -> bool:
    """Whether everything is run; tests that are named on the command line are run in any case."""
    return bool(config.getoption("all")) or config.args_source is pytest.Config.ArgsSource.ARGS


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is run with `--all` only, and outside CI what needs a library that is missing."""
    path = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    if path == "tests/full" or path in NEEDS:
        missing = path in NEEDS and find_spec(NEEDS[path]) is None and not os.environ.get("CI")
        return True if missing or not runs_all(config) else None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that are marked `full`."""
    left_out = [item for item in items if item.get_closest_marker("full") and not runs_all(config)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
