"""What follows from an edit that may have come too late."""

import asyncio
import logging

import pytest

from bot.ui.redraw import Redraws


@pytest.mark.parametrize(
    ("told", "happened"),
    [
        pytest.param(True, ["drawn"], id="something newer may be hidden"),
        pytest.param(None, ["mended"], id="another message is in its place"),
        pytest.param(False, [], id="all is well"),
    ],
)
async def test_an_edit_that_came_too_late_is_made_good(*, told: bool | None, happened: list[str]) -> None:
    seen: list[str] = []

    async def draw(_: int) -> None:
        seen.append("drawn")

    async def mend() -> None:
        seen.append("mended")

    redraws = Redraws("hand", draw)
    noted: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()
    redraws.overtaken(noted, 1, mend)
    noted.set_result(told)
    await asyncio.sleep(0.01)
    await redraws.close()
    assert seen == happened


async def test_an_old_message_that_can_not_be_mended_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def draw(_: int) -> None:
        """Not asked for here."""

    async def mend() -> None:
        raise ConnectionError("no way")

    redraws = Redraws("hand", draw)
    noted: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()
    redraws.overtaken(noted, 1, mend)
    noted.set_result(None)
    await asyncio.sleep(0.01)
    assert [(record.levelno, "stays as it is" in record.message) for record in caplog.records] == [
        (logging.WARNING, True)
    ]
