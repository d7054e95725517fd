"""Libraries that a small environment lacks: their tests fail without them in CI, and are skipped elsewhere."""

import os
from importlib import import_module
from typing import Any

import pytest

__all__ = ["need"]


def need(name: str, install: str = "rollwise[dev]") -> Any:
    """Import a library; without it, fail in CI, and skip the test or the file elsewhere."""
    try:
        return import_module(name)
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} is missing: pip install '{install}'", allow_module_level=True)
