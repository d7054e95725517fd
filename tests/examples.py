"""How many random examples a test tries: few by default, many with `--all`."""

from typing import Any

from hypothesis import settings

__all__ = ["examples"]


def examples(count: int, **options: Any) -> settings:
    """Settings for `count` examples with `--all`, and for a tenth of them (at least three) without."""
    return settings(max_examples=max(3, count * settings.default.max_examples // 100), **options)  # type: ignore[union-attr]
