"""Play with a bot that isn't as patient as `tests.patient`: on a busy machine, a picture may be late."""

import asyncio
import random
from functools import partial

from tests.waiting import DEADLINE_S, until
from tests.wire.objects import LOADING, Message
from tests.wire.people import Person, moves
from tests.wire.playing import doors, hands, play_on
from tests.wire.test_pictures import has_picture


async def sees_picture(person: Person) -> None:
    """Play Pond · cards until the board has a picture. Each move draws another one."""
    async with asyncio.timeout(DEADLINE_S):
        while not has_picture(person):
            await play_on([person], doors("pond"), random.Random(1), rounds=1)


async def gets_hint(person: Person) -> str:
    """Return a hint. While the computer sets its card aside as well, a hint is out of date before it's shown."""
    await until(lambda: hands(person) and moves(hands(person)[-1]))
    async with asyncio.timeout(DEADLINE_S):
        while True:
            answer = (await person.type("hint")).original
            assert answer is not None
            await until(partial(_is_shown, answer))
            if "Ask again" not in answer.text:
                return answer.text


def _is_shown(answer: Message) -> bool:
    return not answer.flags & LOADING
