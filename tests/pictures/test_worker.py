"""The process that draws pictures: what messages do while it is slow."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import pytest

from bot import machine, worker_processes
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
    monkeypatch.setattr("bot.pictures.worker.FIRST_TIMEOUT_S", 0.01)
    assert await drawn(painter, "late") is None
    monkeypatch.setattr("bot.pictures.worker.FIRST_TIMEOUT_S", 3600)
    assert await drawn(painter, "next") is None
    worker.goes_on.set()
    await until(lambda: drawn(painter, "next"))


async def test_the_first_picture_of_a_process_has_a_time_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = _Slow()
    painter = Painter(lambda: worker)
    monkeypatch.setattr("bot.pictures.worker.TIMEOUT_S", 0.01)
    first = asyncio.ensure_future(drawn(painter, "first"))
    await asyncio.wait({first}, timeout=0.1)
    assert not first.done()
    worker.goes_on.set()
    assert await first
    worker.goes_on.clear()
    assert await drawn(painter, "second") is None
    worker.goes_on.set()


async def test_a_warm_process_has_started_and_knows_the_drawings() -> None:
    painter = Painter()
    pids = [painter.pid]
    await painter.warm(drawings_of("frogs").table)
    pids.append(painter.pid)
    assert pids[0] is None
    assert pids[1] is not None
    assert await drawn(painter, "first")


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control group with much memory, for this process; the files of the system are this machine's."""
    (tmp_path / "own").write_text("0::/lily", encoding="ascii")
    (tmp_path / "lily").mkdir()
    (tmp_path / "lily/memory.max").write_text("200000000", encoding="ascii")
    use(tmp_path, 100)
    monkeypatch.setattr(machine, "_OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(machine, "_GROUPS", tmp_path)
    monkeypatch.setattr(worker_processes, "RETRY_S", 0.0)
    monkeypatch.setattr(worker_processes.starts, "refused", None)
    return tmp_path


def refused() -> str | None:
    """Return why no process can start."""
    return worker_processes.starts.refused


def use(group: Path, megabytes: int) -> None:
    """Let the group use so much of its 200 MB."""
    (group / "lily/memory.current").write_text(f"{megabytes}000000", encoding="ascii")


async def test_pictures_are_off_while_memory_is_short_and_come_back_by_themselves(group: Path) -> None:
    painter = Painter()
    use(group, 150)
    assert await drawn(painter, "too little to start") is None
    assert refused() == "only 50 MB of memory are left"
    use(group, 100)
    assert await drawn(painter, "enough")
    use(group, 150)
    assert await drawn(painter, "enough to go on")
    assert refused() is None
    use(group, 190)
    assert await drawn(painter, "before the kernel acts") is None
    assert painter.pid is None
    use(group, 100)
    assert await drawn(painter, "again")
