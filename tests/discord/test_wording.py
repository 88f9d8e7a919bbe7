"""Messages are recognised after a crash even if all their texts have changed."""

import pytest

from bot.records.live_message import Kind, Stage
from tests.discord.play import World
from tests.discord.tables import play_on, started


async def lose_answers(world: World) -> None:
    """Put the records in the state between posting a message and recording Discord's response."""
    world.execute("UPDATE messages SET stage = 'noted', message_id = NULL, content = NULL")


def posted(world: World) -> int:
    """Return the number of messages the bot has posted, without answers."""
    return len([each for each in world.env.http_requests if (each.method, each.path[-9:]) == ("POST", "/messages")])


async def test_messages_are_found_again_after_every_text_has_changed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    await world.wait(100)
    await ann.types("pond undo")
    before = {(message.kind, message.user_id, message.message_id) for message in await world.tables.messages.of(1)}
    assert {kind for kind, *_ in before} == {Kind.BOARD, Kind.HAND, Kind.QUESTION}
    posts = posted(world)

    monkeypatch.setattr("bot.ui.posts.layout.clip", lambda *_: "changed")
    await world.crash(lambda: lose_answers(world))
    after = await world.tables.messages.of(1)
    assert {(message.kind, message.user_id, message.message_id) for message in after} == before
    assert {message.stage for message in after} == {Stage.LIVE}
    assert posted(world) == posts
    public = [seen for seen in ann.messages() if not seen.is_private]
    assert {word for seen in (*public, ann.dms[-1], ben.dms[-1]) for word in seen.text.split()} == {"changed"}
