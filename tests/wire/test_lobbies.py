"""Pages of lobbies over HTTP: each request has the shape that Discord's own description asks for."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.objects import Message
from tests.wire.people import Person, button


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[Discord]:
    """A Discord with a running bot, which must have refused nothing."""
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db"):
        await discord.gateway.until_ready()
        yield discord
        assert discord.refused == []
        assert discord.unanswered == []


def page(person: Person) -> Message:
    """Return the last answer that only this person sees."""
    return next(seen for seen in reversed(person.seen) if seen.only_for is not None)


async def test_a_host_invites_saves_options_and_looks_for_players(discord: Discord) -> None:
    ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    await ann.type("pond open", players=4, rounds=2)
    lobby = ann.board
    more = await ann.opens(lobby, "More")
    await ann.press_label(more, "Find players")
    await discord.until(lambda: any("Looking for 3 more" in seen.text for seen in ben.seen))
    more = await ann.opens(lobby, "More")
    await ann.press_label(more, "Options")
    await discord.until(lambda: button(page(ann), "House rules"))
    await ann.pick_people(page(ann), ben)
    await discord.until(lambda: any("you're invited" in seen.text for seen in ben.seen))
    await ann.press_label(page(ann), "Saved options")
    form = await ann.press_label(page(ann), "Save options")
    await ann.fill_in(form.answer, "Friday", page(ann))
    assert await ann.complete("pond open", "options") == ["Friday"]
    await ann.type("pond open", options="Friday")
    assert "2 rounds" in ann.board.text
