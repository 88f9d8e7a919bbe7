"""The same bot in a simulated Discord, played in the browser: no account, no token, no network.

``live.py`` makes a SimCord world run by the clock on the wall · ``world.py`` is the server, its people and what each of
them sees · ``door.py`` serves all that under one address · ``page/`` is the page there.
"""

from collections.abc import Callable

from discord.ext import commands

from bot.sandbox.door import door
from bot.sandbox.world import world


async def play(bot: commands.AutoShardedBot, port: int, announce: Callable[[str], None]) -> None:
    """Run the bot in the sandbox until it is cancelled; `announce` gets a line with the address to open.

    ``port`` 0 is any that is free. Raises `OSError` if the port is taken.
    """
    async with world(bot) as place, door(place, port) as address:
        announce(f"Lilypad is open at {address} (Ctrl-C closes it)")
        await place.live()
