"""Shared fixtures."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep solved games out of the user's cache; subprocesses inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def page_tests() -> Any:
    """Give the browser's module, which not every machine has."""
    return import_module("tests.browser")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for all tests of the page that do not need one of their own."""
    with page_tests().running_server(tmp_path_factory.mktemp("store")) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium."""
    with page_tests().launch() as found:
        yield found


@pytest.fixture
def watched(browser: Any, address: str) -> Iterator[Any]:
    """A page at a desk, on which every fault counts."""
    context = browser.new_context(viewport=page_tests().DESK, reduced_motion="reduce")
    yield page_tests().Watched(context.new_page(), address)
    context.close()
