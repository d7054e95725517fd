"""Shared fixtures."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("rollwise", deadline=None)
settings.load_profile("rollwise")

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def known() -> list[dict[str, Any]]:
    """The values of known.toml."""
    return list(tomllib.loads((HERE / "known.toml").read_text())["value"])
