"""Shared fixtures."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("rollwise", deadline=None)
settings.load_profile("rollwise")

HERE = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep solved games out of the user's cache; subprocesses inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def known() -> list[dict[str, Any]]:
    """The values of known.toml."""
    return list(tomllib.loads((HERE / "known.toml").read_text())["value"])
