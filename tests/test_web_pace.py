"""Long work stands back while answers wait, and only then."""

from typing import Any

import pytest

from rollwise.web import pace
from rollwise.web.guard import Guard
from rollwise.web.pace import PACE, Pace, Pacer
from tests.web_client import run_alone


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    time = {"now": 0.0, "slept": 0.0}

    def sleep(seconds: float) -> None:
        time["slept"] += seconds
        time["now"] += seconds

    monkeypatch.setattr(pace, "monotonic", lambda: time["now"])
    monkeypatch.setattr(pace, "sleep", sleep)
    return time


def work(pacer: Pacer, clock: dict[str, float], seconds: float) -> float:
    clock["now"] += seconds
    before = clock["slept"]
    pacer.pause()
    return clock["slept"] - before


def test_it_sleeps_only_while_answers_wait(clock: dict[str, float]) -> None:
    known = Pace()
    pacer = Pacer(known)
    assert work(pacer, clock, 0.01) == 0
    with known.answer(), known.answer():
        assert work(pacer, clock, 0.01) == pytest.approx(0.03)
        assert work(pacer, clock, 60.0) == pace.LONGEST
    assert work(pacer, clock, 0.01) == 0


@pytest.mark.parametrize(("path", "counted"), [("/api/advise", 1), ("/api/rolls", 1), ("/api/outlook", 0), ("/", 0)])
def test_the_guard_counts_what_is_answered_at_once(path: str, counted: int) -> None:
    seen: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(PACE.answering)
        raise ValueError("seen")

    async def nothing(*_given: Any) -> None:
        pass

    scope = {"type": "http", "path": path, "headers": []}
    with pytest.raises(ValueError, match="seen"):
        run_alone(Guard(app, 100, None)(scope, nothing, nothing))
    assert (seen, PACE.answering) == ([counted], 0)
