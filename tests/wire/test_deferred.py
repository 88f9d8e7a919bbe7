"""Deferred answers follow, even if receipts get lost or Discord fails: nothing says “thinking” forever."""

from pathlib import Path

import pytest

from tests.ui.test_lessons import lesson_of
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.failing import TWO
from tests.wire.faults import Fault, How, Refused
from tests.wire.objects import LOADING
from tests.wire.people import Person, moves
from tests.wire.playing import open_table
from tests.wire.test_lessons import Walker

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


@pytest.mark.parametrize("defer_after_s", ["0", "20"], ids=["a deferral", "the reply"])
async def test_a_press_on_a_private_page_is_answered_even_if_what_was_carried_out_is_reported_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, defer_after_s: str
) -> None:
    monkeypatch.setenv("DEFER_AFTER_S", defer_after_s)
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        learner = Walker(discord, tmp_path / "tables.db")
        lesson, page = lesson_of("pond"), await learner.opens("pond")
        await learner.is_at(page, lesson, 0)
        for number in range(2):
            discord.faults.append(Fault("POST callback", "failed after", UNAVAILABLE, about=learner.ann.id))
            await learner.makes(page, "pond", lesson.steps[number].move or "next")
            await learner.is_at(page, lesson, number + 1)
        ann = Person(discord, "Ann")
        await open_table([ann], computers=1, **TWO)
        hand = await ann.opens(ann.board, "My hand")
        for _ in range(2):
            await discord.until(lambda: moves(hand))
            before = hand.text
            discord.faults.append(Fault("POST callback", "failed after", UNAVAILABLE, about=ann.id))
            await ann.press(hand, *moves(hand)[0])
            await discord.until(lambda: hand.text != before)  # noqa: B023 - awaited at once
        assert all(fault.times == 0 for fault in discord.faults)
        assert len(discord.repeated) == 4
        assert discord.refused == []
