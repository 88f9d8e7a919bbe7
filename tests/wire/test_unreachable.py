"""Direct messages, threads and announced answers of dailies, duplicates, hints and GIFs, if Discord fails."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.failing import TWO
from tests.wire.faults import Fault, How, Page, Refused
from tests.wire.objects import LOADING
from tests.wire.people import Person, button
from tests.wire.playing import hands, open_table, resign
from tests.world import walk

UNAVAILABLE = Refused(503, 0, "503: Service Unavailable")
PORTAL = Page(200, "<html>Log in</html>")
MAYBE = "This may be done already. Look at the table."


@pytest.fixture
async def discord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """A Discord with a bot with short timeouts, which announces every hint. What goes wrong is said in clear words."""
    monkeypatch.setenv("RESPOND_WITHIN_S", "3")
    monkeypatch.setenv("ANNOUNCE_AFTER_S", "0")
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        yield discord
        assert not any("Something went wrong" in str(body) for _, _, body in discord.requests)


@pytest.mark.parametrize(
    ("how", "refusal", "page"),
    [
        pytest.param("refused", Refused(403, 50007, "Cannot send messages to this user"), None, id="closed"),
        pytest.param("refused", Refused(400, 40003, "You are opening direct messages too fast"), None, id="too fast"),
        pytest.param("refused", UNAVAILABLE, PORTAL, id="a portal"),
    ],
)
async def test_a_daily_begins_once_direct_messages_can_be_opened(
    discord: Discord, how: How, refusal: Refused, page: Page | None
) -> None:
    ann = Person(discord, "Ann")
    shown = (await ann.type("daily")).original
    assert shown is not None
    discord.faults.append(Fault("POST @me/channels", how, refusal, about=ann.id, page=page))
    answer = (await ann.press_label(shown, "Play")).original
    assert answer is not None
    assert "I can't open your direct messages." in answer.text
    await ann.press_label(shown, "Play")
    await discord.until(lambda: hands(ann))


async def test_a_thread_is_refused_in_a_sentence_by_a_portal_too(discord: Discord) -> None:
    ann = Person(discord, "Ann")
    await ann.type("server threads", own=True)
    discord.faults.append(Fault("POST threads", about=ann.channel_id, page=PORTAL))
    answer = (await ann.type("pond open", **TWO)).original
    assert answer is not None
    assert "couldn't create a thread" in answer.text


async def test_a_duplicate_begins_once_a_player_can_be_added_to_their_thread(discord: Discord) -> None:
    ann, ben, cleo, dan = people = [Person(discord, name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    await ann.type("duplicate", game="pond-2", deals=1)
    await discord.until(lambda: any(button(seen, "Join A") for seen in ann.seen))
    for person, label in ((ben, "Join A"), (cleo, "Join B"), (dan, "Join B")):
        await person.press_label(ann.board, label)
    discord.faults.append(Fault("PUT thread-members", refusal=Refused(404, 10007, "Unknown Member"), about=dan.id))
    refused = await ann.press_label(ann.board, "Start")
    await discord.until(lambda: refused.original and "I can't add Dan" in refused.original.text)
    begun = await ann.press_label(ann.board, "Start")
    await discord.until(lambda: begun.original and "It begins." in begun.original.text)
    await discord.until(lambda: all(hands(person) for person in people))


@pytest.mark.parametrize("times", [1, 10])
async def test_a_hint_that_cannot_be_shown_does_not_leave_discord_thinking(discord: Discord, times: int) -> None:
    ann = Person(discord, "Ann")
    await open_table([ann], computers=1, **TWO)
    await discord.until(lambda: hands(ann))
    discord.faults.append(Fault("PATCH @original", "cut", UNAVAILABLE, about=ann.id, times=times))
    typed = await ann.type("hint")
    await discord.until(lambda: typed.original and not typed.original.flags & LOADING)
    assert typed.original is not None
    assert "### Hint" in typed.original.text or (times > 1 and MAYBE in typed.original.text)


async def test_a_gif_that_cannot_be_posted_is_not_announced_for_ever(discord: Discord) -> None:
    ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    await open_table([ann, ben], "frogs")
    await resign(ann)
    replay = (await ann.type("replay")).original
    assert replay is not None
    discord.faults.append(Fault("POST follow-up", "refused", Refused(413, 40005, "Too large"), about=ann.id, times=9))
    gif = next(part["custom_id"] for part in walk(replay.components) if "replay-gif" in part.get("custom_id", ""))
    asked = await ann.press(replay, gif)
    await discord.until(lambda: asked.original and button(asked.original, "The whole game"))
    assert asked.original is not None
    whole = asked.original
    await ann.press(whole, button(whole, "The whole game") or "")
    await discord.until(lambda: MAYBE in whole.text)
