"""What is wrong with a running bot, in sentences: for ``/healthz`` and for its owner."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from bot.errors import StoreError
from bot.running.second_bot import NOTICE
from bot.worker_processes import starts

if TYPE_CHECKING:
    from bot.running.client import LilypadBot

_DATABASE_TIMEOUT_S: Final = 2.0


async def problems(bot: "LilypadBot") -> list[str]:
    """Return what is wrong now; nothing if players can be served."""
    wrong = [*_known(bot)]
    try:
        await asyncio.wait_for(bot.tables.lists.open_counts(), _DATABASE_TIMEOUT_S)
    except (StoreError, TimeoutError) as error:
        wrong.append(str(error) or "the database does not answer")
    return list(dict.fromkeys(wrong))


def _known(bot: "LilypadBot") -> Iterator[str]:
    yield from (f"shard {number} is not connected" for number, connected in bot.connections.items() if not connected)
    if starts.refused is not None:
        yield f"worker processes can't start: {starts.refused}"
    if bot.second_bot.is_noticed:
        yield NOTICE
    if bot.ticker.error is not None:
        yield str(bot.ticker.error)
    if bot.leases.have_ended:
        yield f"the leases are {bot.leases.age_s:.0f} s old"
