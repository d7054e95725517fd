"""Shared fixtures."""

import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep solved games out of the user's cache, in one that all processes of this run share; subprocesses inherit it."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"))
        yield


def page_tests() -> Any:
    """Give the browser's module, which not every machine has."""
    return import_module("tests.browser")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for all tests of the page that do not need one of their own."""
    browsing = page_tests()
    with browsing.running_server(tmp_path_factory.mktemp("store")) as found:
        browsing.warm_up(found)
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium."""
    with page_tests().launch() as found:
        yield found


@pytest.fixture(scope="session")
def open_pages() -> dict[str, Any]:
    """Pages that are open, by the options of their contexts."""
    return {}


@pytest.fixture
def watch(browser: Any, address: str, open_pages: dict[str, Any]) -> Iterator[Any]:
    """Give a page on which every fault counts, at a desk or with other options, with nothing kept by the browser.

    Tests share one page for the same options; one that has not finished well leaves it to none.
    """
    given: dict[str, Any] = {}

    def make(**options: Any) -> Any:
        key = repr(sorted(options.items()))
        if key not in open_pages:
            open_pages[key] = browser.new_context(**options).new_page()
        page = open_pages[key]
        if page.url.startswith(address):
            page_tests().clear(page)
        given[key] = page_tests().Watched(page, address)
        return given[key]

    yield make
    for key, watched in given.items():
        watched.release()
        if not watched.is_finished:
            open_pages.pop(key).context.close()


@pytest.fixture
def watched(watch: Any) -> Any:
    """A page at a desk, on which every fault counts."""
    return watch()
