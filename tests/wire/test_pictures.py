"""Boards and hands with pictures, on a Discord with every peculiarity about files."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.people import Person
from tests.wire.playing import doors, open_table, play_on, see_the_end
from tests.world import walk

MEDIA_GALLERY = 12


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[Discord]:
    """A Discord with a running bot. At the end, every interaction must be answered."""
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db"):
        await discord.gateway.until_ready()
        yield discord
        assert discord.unanswered == []


def has_picture(person: Person) -> bool:
    """Return whether the board shows a picture."""
    return any(part["type"] == MEDIA_GALLERY for part in walk(person.board.components))


@pytest.mark.parametrize("group", ["pond", "frogs", "pontis", "potblack"])
async def test_pictures_are_uploaded_and_kept_without_a_refusal(discord: Discord, group: str) -> None:
    discord.refused_uploads = {"UPDATE_MESSAGE"}
    people = [Person(discord, "Ann"), Person(discord, "Ben")]
    options: dict[str, dict[str, object]] = {
        "pond": {"players": 2, "rounds": 2},
        "pontis": {"players": 2},
        "potblack": {"players": 3, "computers": 1, "deals": 5},
    }
    await open_table(people, group, **options.get(group, {}))
    assert has_picture(people[0])
    await play_on(people, doors(group), random.Random(1))
    await see_the_end(people)
    assert has_picture(people[0])
    assert discord.refused == []


async def test_boards_and_hands_are_in_words_where_uploads_are_refused(discord: Discord) -> None:
    discord.refused_uploads = {"POST", "PATCH", "UPDATE_MESSAGE"}
    people = [Person(discord, "Ann"), Person(discord, "Ben")]
    await open_table(people, players=2, rounds=2)
    await play_on(people, doors("pond"), random.Random(1))
    assert not has_picture(people[0])
    assert discord.refused
    discord.refused_uploads = set()  # the transcript is a file as well
    await see_the_end(people)
    assert all("a file in " in line for line in discord.refused)


async def test_pictures_are_posted_where_they_cannot_be_edited_in(discord: Discord) -> None:
    discord.refused_uploads = {"PATCH", "UPDATE_MESSAGE"}
    people = [Person(discord, "Ann"), Person(discord, "Ben")]
    await open_table(people, players=2, rounds=2)
    await play_on(people, doors("pond"), random.Random(1))
    await see_the_end(people)
    assert all("a file in " in line for line in discord.refused)
