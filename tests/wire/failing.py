"""Two people at a table while requests fail, in every way in which requests can fail."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from tests.wire.conftest import World
from tests.wire.faults import Fault, How, Refused
from tests.wire.objects import Interaction, Message
from tests.wire.people import Person, moves
from tests.wire.playing import hands, may_bait, open_table

TWO: Final = {"players": 2, "rounds": 2}
WAYS: Final[tuple[tuple[How, int], ...]] = (
    ("refused", 500),
    ("refused", 502),
    ("refused", 503),
    ("cut", 0),
    ("cut after", 0),
    ("half", 0),
)
"""Ways to fail, with the status of the response."""

Fail = Callable[[str, str], None]
"""Lets the next request of a kind fail that has an id in its path or body."""
Scene = Callable[[World, Person, Person, Fail], Awaitable[None]]


async def in_every_way(town: World, scene: Scene) -> None:
    """Play the scene at one table for each way to fail, all at the same time."""

    async def at_a_table(how: How, status: int) -> None:
        ann, ben = town.people()

        def fail(kind: str, about: str) -> None:
            town.discord.faults.append(Fault(kind, how, Refused(status, 0, f"{status}: Server Error"), about))

        await scene(town, ann, ben, fail)

    await asyncio.gather(*(at_a_table(how, status) for how, status in WAYS))


async def seated(ann: Person, ben: Person) -> None:
    """Start a table for both, and wait for their hands. The bot edits its board by itself."""
    await open_table([ann, ben], **TWO)
    await ann.discord.until(lambda: hands(ann) and hands(ben))
    people = {ann.user.id, ben.user.id}  # other tables of `in_every_way` wait for answers
    for interaction in ann.discord.interactions.values():
        interaction.is_expired |= interaction.record.user_id in people


async def plays(person: Person) -> Interaction:
    """Play the first move offered in the person's direct messages."""
    return await person.press(hands(person)[-1], *moves(hands(person)[-1])[0])


async def replaced(ann: Person, ben: Person) -> Message:
    """Let the turn pass at a table whose board is buried; return the old board once the new one is there."""
    for person in (ann, ben):
        await plays(person)
    await ann.discord.until(lambda: "set a card aside." not in ann.board.text)
    old, first = ann.board, ann if "**Ann**: " in ann.board.text else ben
    await ann.discord.until(lambda: may_bait(first))
    await ben.says("what a day")
    await plays(first)
    await ann.discord.until(lambda: ann.board.id != old.id)
    return old
