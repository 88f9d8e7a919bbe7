"""The messages of dailies, challenges and game nights survive what boards survive: one poster keeps both."""

from typing import Any, Final

import pytest

from bot.ui.posts.discord_errors import Code
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import pings
from tests.waiting import until

SUBJECTS: Final = ["daily", "challenge", "night"]
HEADING: Final = {"daily": "### ", "challenge": "### ⚔️ Challenge", "night": "### 🌙 Game night"}


def cards(player: Player, what: str) -> list[Seen]:
    """Return the messages about an event in the channel, the oldest first."""
    public = [seen for seen in player.messages() if not seen.is_private and seen.text.startswith(HEADING[what])]
    return [seen for seen in public if what != "daily" or "'s daily · " in seen.text]


async def begins(world: World, what: str) -> tuple[Player, Player]:
    """Let Ann type the command that leads to a message about an event, and return her and Ben."""
    ann, ben = world.people(2)
    options: dict[str, dict[str, Any]] = {
        "daily": {},
        "challenge": {"player": ben.member},
        "night": {"when": "in 2 hours"},
    }
    await ann.types(what, **options[what])
    return ann, ben


async def changes(ann: Player, ben: Player, what: str) -> str:
    """Let people change what the message shows, and return how it shows that then."""
    if what == "daily":
        await ann.clicks(await ann.types("daily"), "Play")
        return "1 playing"
    if what == "challenge":
        await ben.clicks(cards(ben, what)[-1], "Accept")
        return "0 of 3"
    await ben.clicks(cards(ben, what)[-1], "I'm in")
    return "**2 are in**"


@pytest.mark.parametrize("what", SUBJECTS)
async def test_a_message_that_is_too_old_to_be_edited_is_replaced(world: World, what: str) -> None:
    ann, ben = await begins(world, what)
    await until(lambda: cards(ann, what))
    (old,) = cards(ann, what)
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/{old.id}", 400, Code.TOO_MANY_EDITS, times=None)
    before = len(pings(world))
    text = await changes(ann, ben, what)
    await until(lambda: [seen.id for seen in cards(ann, what)] > [old.id])
    (new,) = cards(ann, what)
    assert text in new.text
    assert len(pings(world)) == before


@pytest.mark.parametrize("what", SUBJECTS)
@pytest.mark.parametrize("code", [Code.MISSING_PERMISSIONS, Code.MISSING_ACCESS])
async def test_a_refused_message_is_posted_once_the_bot_may(world: World, what: str, code: Code) -> None:
    world.breaks("POST", f"/channels/{world.channel.id}/messages", 403, code, times=None)
    ann, ben = await begins(world, what)
    await world.wait(300)
    assert cards(ann, what) == []
    world.mends()
    await world.wait(700)
    (card,) = cards(ann, what)
    assert card.labels
    assert card.pinged == ((ben.id,) if what == "challenge" else ())


@pytest.mark.parametrize("what", SUBJECTS)
async def test_a_crash_between_the_post_and_its_record_doubles_nothing(world: World, what: str) -> None:
    ann, ben = await begins(world, what)
    await until(lambda: cards(ann, what))
    before = len(pings(world))
    await world.env.settle()
    world.execute("UPDATE messages SET stage = 'noted', message_id = NULL, content = NULL WHERE subject <> 'table'")
    await world.crash()
    await world.wait(60)
    (card,) = cards(ann, what)
    assert await changes(ann, ben, what) in (await _now(ann, what, card)).text
    assert len(pings(world)) == before


async def _now(player: Player, what: str, before: Seen) -> Seen:
    """Wait until the only message shows something else."""
    await until(lambda: cards(player, what)[-1].text != before.text)
    (card,) = cards(player, what)
    assert card.id == before.id
    return card


@pytest.mark.parametrize("what", SUBJECTS)
async def test_an_edit_without_a_response_is_repeated(world: World, what: str) -> None:
    ann, ben = await begins(world, what)
    await until(lambda: cards(ann, what))
    (card,) = cards(ann, what)
    world.breaks("PATCH", f"/channels/{world.channel.id}/messages/{card.id}", 503, times=6)
    text = await changes(ann, ben, what)
    await world.wait(120)
    assert text in (await _now(ann, what, card)).text
