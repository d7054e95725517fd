"""Long work stands back while answers wait, and only then."""

from threading import Event
from typing import Any

import pytest

from rollwise.model.game import Progress
from rollwise.web import work as web_work
from rollwise.web.guard import Guard
from rollwise.web.work import PACE, Pace, stopper
from tests.web_client import run_alone


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    time = {"now": 0.0, "slept": 0.0}

    def sleep(seconds: float) -> None:
        time["slept"] += seconds
        time["now"] += seconds

    monkeypatch.setattr(web_work, "monotonic", lambda: time["now"])
    monkeypatch.setattr(web_work, "sleep", sleep)
    return time


def work(progress: Progress, clock: dict[str, float], seconds: float) -> float:
    clock["now"] += seconds
    before = clock["slept"]
    progress("solving", 0, None)
    return clock["slept"] - before


def test_it_sleeps_only_while_answers_wait(clock: dict[str, float]) -> None:
    known = Pace()
    progress = stopper(Event(), 1000.0, pace=known)
    assert work(progress, clock, 0.01) == 0
    with known.answer(), known.answer():
        assert work(progress, clock, 0.01) == pytest.approx(0.03)
        assert work(progress, clock, 60.0) == web_work.LONGEST
    assert work(progress, clock, 0.01) == 0


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
