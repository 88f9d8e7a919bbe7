"""Undo against computers alone, on Discord."""

from tests.discord.play import World
from tests.discord.tables import play_on, started
from tests.discord.test_undo import entries
from tests.waiting import until


async def test_alone_a_card_that_computers_answered_is_taken_back_after_a_question(world: World) -> None:
    """The game can't raise a rating then, which the question says once."""
    ann = world.person("Ann")
    await started(ann, computers=1)
    await play_on(world, [ann], lambda seen: seen.phase == "play")
    await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    await until(lambda: "Undo" in ann.hand.labels)
    before = await entries(world)
    asked = await ann.clicks(ann.hand, "Undo")
    assert asked.labels == ["Take it back", "Back"]
    assert "this game can't raise your rating" in asked.text
    assert await entries(world) == before
    assert "You took your move back." in (await ann.clicks(asked, "Take it back")).text
    assert await entries(world) < before
    await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    await until(lambda: "Undo" in ann.hand.labels)
    assert "You took your move back." in (await ann.clicks(ann.hand, "Undo")).text, "it isn't asked again"
