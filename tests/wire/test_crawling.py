"""Everything that can be typed and pressed is answered, with requests that Discord takes."""

import json
import random
import signal
from pathlib import Path

import pytest

from tests.doses import dose
from tests.spoken import into, some_languages
from tests.wire.bot_process import running
from tests.wire.crawling import Crawler
from tests.wire.discord_server import Discord
from tests.wire.objects import CHANNEL_IDS, LOADING
from tests.wire.people import Person

STEPS = dose(test=200, full=6000)
EXPECTED = ("404 10003", "404 10008", "404 10015")
"""The bot asks for channels that may not exist, and pages may be gone when they are pressed. On a busy machine, a
deferral may get no answer in time; then the reply is tried without it, and again."""
ERROR = "Something went wrong. Your game is safe. Reference **{id}**."
LOCALES = {"en": "en-US", "es": "es-419"}
"""Discord's name of a language where it is another one."""


@pytest.mark.parametrize("language", some_languages("crawling"))
async def test_whatever_is_typed_or_pressed_is_answered_as_discord_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("REPORT_CHANNEL", CHANNEL_IDS[0])  # the owner of the application is nobody there
    async with Discord(limits={}) as discord, running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        people = [Person(discord, name) for name in ("Ann", "Ben", "Cleo")]
        for person in people:
            person.locale = LOCALES.get(language, language)
        crawler = Crawler(people, random.Random(STEPS))
        for _ in range(STEPS):
            await crawler.step()
            assert [each for each in discord.refused if not any(code in each for code in EXPECTED)] == [], crawler.log
        answers = [interaction.original for interaction in discord.interactions.values()]
        await discord.until(lambda: not any(each.flags & LOADING for each in answers if each))
        assert discord.unanswered == []
        said = json.dumps([body for _, _, body in discord.requests], ensure_ascii=False)
        assert into(language)(ERROR).partition(".")[0] not in said, crawler.log
        _, written = await bot.end(signal.SIGTERM)
        assert "ERROR" not in written
