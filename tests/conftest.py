"""Shared fixtures."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("rollwise", deadline=None)
settings.load_profile("rollwise")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep solved games out of the user's cache; subprocesses inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
