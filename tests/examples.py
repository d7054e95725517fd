"""What a test tries by default, and what with `--all` only: random examples, and rows of a table."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

__all__ = ["default_of", "examples"]


def examples(count: int, **options: Any) -> settings:
    """Settings for `count` examples with `--all`, and for a tenth of them (at least three) without."""
    return settings(max_examples=max(3, count * settings.default.max_examples // 100), **options)  # type: ignore[union-attr]


def default_of(names: Iterable[str], *default: str) -> list[Any]:
    """Parameters of a test: the `default` ones always, the others with `--all`."""
    return [name if name in default else pytest.param(name, marks=pytest.mark.full) for name in names]
