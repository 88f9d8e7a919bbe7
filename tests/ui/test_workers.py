"""Workers retry what failed, and leave alone what is held or gone."""

import asyncio

import pytest

from bot.errors import NoSuchTable
from bot.ui.interactions.respond import FOLLOW_UP_TIMEOUT_S, RESPOND_WITHIN_S
from bot.ui.messages import workers
from bot.ui.messages.workers import HOLD_S, Workers


class Work:
    """Something to be done that may fail; it counts the attempts."""

    def __init__(self, error: Exception | None = None) -> None:
        self.attempts = 0
        self.again = asyncio.Event()
        self._error = error

    async def __call__(self, _key: int) -> None:
        """Make an attempt."""
        self.attempts += 1
        if self.attempts > 1:
            self.again.set()
        if self._error is not None:
            raise self._error


@pytest.fixture(autouse=True)
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry after a hundredth of a second, then after an hour."""
    monkeypatch.setattr(workers, "RETRY_AFTER_S", (0.01, 3600))


async def test_a_failed_attempt_is_retried() -> None:
    work = Work(ValueError())
    running = Workers("the tests", work)
    await running.request(1)
    async with asyncio.timeout(5):
        await work.again.wait()
    await running.close()


async def test_a_deleted_table_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    work = Work(NoSuchTable("There is no table 1."))
    running = Workers("the tests", work)
    await running.request(1)
    await asyncio.sleep(0.05)
    assert work.attempts == 1
    assert caplog.records == []
    await running.close()


async def test_closed_workers_start_nothing() -> None:
    work = Work()
    running = Workers("the tests", work)
    await running.close()
    await running.request(1)
    assert work.attempts == 0


def test_a_hold_outlasts_every_answer() -> None:
    """Else an answer that comes after the hold has ended hides a newer edit, and nothing shows the table again."""
    assert HOLD_S > RESPOND_WITHIN_S + FOLLOW_UP_TIMEOUT_S
