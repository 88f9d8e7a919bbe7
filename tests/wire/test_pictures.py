"""Boards and hands with pictures, on a Discord with every peculiarity about files."""

import random
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.doses import IS_COMPLETE
from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.failing import replaced, seated
from tests.wire.faults import Fault, How, Refused
from tests.wire.objects import Message
from tests.wire.people import Person
from tests.wire.playing import by_direct_message, doors, open_table, play_on, see_the_end
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
    return shows_picture(person.board)


def shows_picture(message: Message) -> bool:
    """Return whether the message shows a picture."""
    return any(part["type"] == MEDIA_GALLERY for part in walk(message.components))


@pytest.mark.parametrize(
    ("group", "rounds"), [("pond", 8), ("frogs", None if IS_COMPLETE else 8), ("pontis", 6), ("potblack", 6)]
)
async def test_pictures_are_uploaded_and_kept_without_a_refusal(
    discord: Discord, group: str, rounds: int | None
) -> None:
    discord.refused_uploads = {"UPDATE_MESSAGE"}
    people = [Person(discord, "Ann"), Person(discord, "Ben")]
    options: dict[str, dict[str, object]] = {
        "pond": {"players": 2, "rounds": 2},
        "pontis": {"players": 2},
        "potblack": {"players": 3, "computers": 1, "deals": 5},
    }
    await open_table(people, group, **options.get(group, {}))
    await play_on(people, doors(group), random.Random(1), rounds=4)  # the first picture may be late
    assert has_picture(people[0])
    await play_on(people, doors(group), random.Random(1), rounds)
    if rounds is None:
        await see_the_end(people)
    assert has_picture(people[0])
    assert discord.refused == []


@pytest.mark.parametrize("how", ["direct", "unreadable"])
async def test_a_rate_limit_is_not_taken_for_a_refused_picture(discord: Discord, how: How) -> None:
    people = ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    await seated(ann, ben)
    limit = Refused(429, 0, "You are being rate limited.", 0.7)
    discord.faults += [Fault("PATCH messages", how, limit, about=ann.channel_id, times=2)]
    await play_on(people, (by_direct_message,), random.Random(1), rounds=4)  # nobody presses the board
    await discord.until(lambda: discord.faults[0].times == 0 and has_picture(ann))
    assert discord.refused == []


async def test_boards_and_hands_are_in_words_where_uploads_are_refused(discord: Discord) -> None:
    discord.refused_uploads = {"POST", "PATCH", "UPDATE_MESSAGE"}
    people = ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    await seated(ann, ben)
    await replaced(ann, ben)
    for person in people:
        await person.press_label(person.board, "My hand")
    await play_on(people, doors("pond"), random.Random(1), rounds=3)  # until no request of before is under way
    refused = list(discord.refused)
    assert refused
    before = ann.board.text
    await play_on(people, doors("pond"), random.Random(1), None if IS_COMPLETE else 8)
    await discord.until(lambda: ann.board.text != before)
    assert discord.refused == refused
    assert not has_picture(ann)
    discord.refused_uploads = set()  # the transcript is a file as well
    if IS_COMPLETE:
        await see_the_end(people)
    assert all("a file in " in line for line in discord.refused)


async def test_pages_of_the_rules_are_turned_with_and_without_pictures(discord: Discord) -> None:
    discord.refused_uploads = {"UPDATE_MESSAGE"}
    ann = Person(discord, "Ann")
    await ann.type("pond rules")

    async def turns(label: str, *, is_illustrated: bool) -> None:
        await ann.press_label(ann.seen[-1], label)
        await until(lambda: shows_picture(ann.seen[-1]) is is_illustrated)

    await turns("Next", is_illustrated=False)
    await turns("Previous", is_illustrated=True)
    await turns("Next", is_illustrated=False)
    assert discord.refused == []


async def test_pictures_are_posted_where_they_cannot_be_edited_in(discord: Discord) -> None:
    discord.refused_uploads = {"PATCH", "UPDATE_MESSAGE"}
    people = [Person(discord, "Ann"), Person(discord, "Ben")]
    await open_table(people, players=2, rounds=2)
    await play_on(people, doors("pond"), random.Random(1))
    await see_the_end(people)
    assert [line for line in discord.refused if "a file in " not in line] == []
    assert max(Counter(discord.refused).values()) == 2
