"""Players who left the server while their table was a lobby: the question at the start, and its answers."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

import discord

from bot.errors import NotAllowed, NotSeated
from bot.tables import Sitter, Table, Tables
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.texts.lists import listed
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post

_WITHIN_S: Final = 1.0
"""How long Discord may take to say who is still there. Players it says nothing about count as present."""


async def who_left(client: discord.Client, table: Table, asker_id: int) -> tuple[Sitter, ...]:
    """Return the players of a full lobby, other than the asker, who have left its server. That's a request each."""
    guild = client.get_guild(table.place.guild_id or 0)
    if guild is None or table.status != "lobby" or not table.is_full or table.sitter(asker_id) is None:
        return ()
    others = [sitter for sitter in table.sitters if sitter.user_id not in {None, asker_id}]
    have_left = await asyncio.gather(*(_has_left(guild, sitter.user_id or 0) for sitter in others))
    return tuple(sitter for sitter, has_left in zip(others, have_left, strict=True) if has_left)


async def _has_left(guild: discord.Guild, user_id: int) -> bool:
    try:
        async with asyncio.timeout(_WITHIN_S):
            await guild.fetch_member(user_id)
    except discord.NotFound:
        return True
    except CONNECTION_ERRORS:  # also of the timeout, which is an `OSError`
        return False
    return False


def question(table: Table, left: Sequence[Sitter], user_id: int) -> Post:
    """Ask the host what to do about players who have left. Raise `NotAllowed` for others, unless the host has left."""
    names = listed([name_of(table, sitter.seat) for sitter in left])
    if user_id != table.host_id and table.host_id not in {sitter.user_id for sitter in left}:
        raise NotAllowed("{names} left this server. The host can start without them.", names=names)
    text = ngettext(
        "**{names}** left this server. What about their seat at **Table {table}**?",
        "**{names}** left this server. What about their seats at **Table {table}**?",
        len(left),
        names=names,
        table=table.name,
    )
    row = (
        Button("unseat", _("Play with a computer"), "success", argument="computer"),
        Button("unseat", _("Remove them"), argument="remove"),
        Button("start-anyway", _("Start anyway")),
    )
    return Post((text,), rows=(row,))


async def unseat(tables: Tables, table: Table, left: Sequence[Sitter], *, for_computers: bool) -> Table:
    """Free the seats of players who have left, as if they had pressed **Leave**, or give them to computers."""
    for sitter in left:
        with contextlib.suppress(NotSeated):  # another press has freed the seat
            table = (await tables.stand(table.id, sitter.user_id or 0)).table
    if for_computers:
        table = (await tables.computers.add(table.id, table.host_id, fill=True)).table
    return table
