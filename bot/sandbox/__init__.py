"""The bot in a simulated Discord, played in the browser without an account, a token or a network.

- ``live.py`` runs a SimCord world in real time, with our emojis, and shows pictures at once.
- ``world.py`` has the server, its people and their windows.
- ``proxy.py`` serves all windows under one address, with our changes of SimCord's page.
- ``page/`` is the page at that address.
"""

import asyncio
from collections.abc import Callable

from discord.ext import commands

from bot.sandbox.proxy import address_of, listen, serve
from bot.sandbox.world import world


async def play(bot: commands.AutoShardedBot, port: int, announce: Callable[[str], None]) -> None:
    """Run the bot in the sandbox until it is cancelled. ``announce`` is called with the address, first and last.

    If the port is taken, the next free one is used; with port 0, any. Raise `OSError` if none can be opened.
    """
    with listen(port) as listener:
        announce(f"Lilypad starts at {address_of(listener)}")
        async with world(bot) as place, serve(place, listener) as address:
            announce(f"Lilypad is open at {address} (Ctrl-C closes it)")
            await asyncio.get_running_loop().create_future()
