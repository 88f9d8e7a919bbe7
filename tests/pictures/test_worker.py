"""The process that draws pictures: what messages do while it is slow."""

import threading
from collections.abc import Callable
from typing import Final, TypeVar

import pytest

from bot.cli.preview import MOMENTS, drawings_of, observed
from bot.pictures import Picture
from bot.pictures.worker import Painter
from bot.worker_processes import Worker
from tests.waiting import until

R = TypeVar("R")

OBSERVATION: Final = observed("frogs", next(iter(MOMENTS["frogs"])), None)


class _Slow(Worker):
    """Draws nothing until it is told to go on."""

    def __init__(self) -> None:
        super().__init__("slow", 0)
        self.goes_on = threading.Event()

    def run(self, function: Callable[..., R], *arguments: object) -> R:
        self.goes_on.wait()
        return function(*arguments)


async def drawn(painter: Painter, key: str) -> Picture | None:
    return await painter.draw(key, drawings_of("frogs").table, OBSERVATION, ("Ann", "Ben"), "en")


async def test_after_a_late_picture_messages_come_in_words_at_once_until_it_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = _Slow()
    painter = Painter(lambda: worker)
    monkeypatch.setattr("bot.pictures.worker.TIMEOUT_S", 0.01)
    assert await drawn(painter, "late") is None
    monkeypatch.setattr("bot.pictures.worker.TIMEOUT_S", 3600)
    assert await drawn(painter, "next") is None
    worker.goes_on.set()
    await until(lambda: drawn(painter, "next"))
