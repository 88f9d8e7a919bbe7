"""The same bot in a simulated Discord, played in the browser: no account, no token, no network.

``live.py`` makes a SimCord world run by the clock on the wall · ``world.py`` is the server, its people and what each of
them sees · ``door.py`` serves all that under one address · ``page/`` is the page there.
"""

from discord.ext import commands

from bot.sandbox.door import door
from bot.sandbox.world import world


async def play(bot: commands.AutoShardedBot, port: int = 0) -> None:
    """Runs the bot in the sandbox until it is cancelled; prints the address to open, on a line of its own.

    ``port`` 0 is any that is free. Raises `OSError` if the port is taken.
    """
    async with world(bot) as place, door(place, port) as address:
        print(f"Lilypad is open at {address} (Ctrl-C closes it)", flush=True)  # noqa: T201 - this is the answer to the command
        await place.live()
