"""Deferred answers follow, even if receipts get lost or Discord fails: nothing says “thinking” forever."""

from pathlib import Path

import pytest

from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.failing import TWO
from tests.wire.faults import Fault, How, Refused
from tests.wire.objects import LOADING
from tests.wire.people import Person

pytestmark = pytest.mark.asyncio

UNAVAILABLE = Refused(503, 0, "503: Service Unavailable")


@pytest.mark.parametrize(
    ("kind", "how", "times"),
    [
        pytest.param("POST callback", "cut after", 99, id="deferral carried out, all receipts lost"),
        pytest.param("POST callback", "half", 1, id="deferral carried out, receipt broken"),
        pytest.param("PATCH @original", "refused", 3, id="answer refused for a while"),
        pytest.param("PATCH @original", "cut after", 1, id="answer carried out, receipt lost"),
        pytest.param("PATCH @original", "refused", 20, id="answer refused for long"),
    ],
)
async def test_a_deferred_command_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, how: How, times: int
) -> None:
    monkeypatch.setenv("DEFER_AFTER_S", "0")
    monkeypatch.setenv("RESPOND_WITHIN_S", "3")
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        ann = Person(discord, "Ann")
        await ann.type("pond open", computers=1, **TWO)
        fault = Fault(kind, how, UNAVAILABLE, about=ann.id, times=times)
        discord.faults.append(fault)
        asked = await ann.type("settings")
        await discord.until(lambda: asked.original and not asked.original.flags & LOADING)
        assert asked.original is not None
        said = asked.original.text
        assert "Your settings" in said or "Look at the table" in said
        assert fault.times == 0 or times == 99
