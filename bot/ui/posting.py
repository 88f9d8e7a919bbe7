"""Messages that show a table are posted once each, whatever happens between Discord's answer and our record of it.

Before one is posted it is noted as coming, under a nonce that Discord takes once within minutes. What is noted and not
recorded when a drawing begins may have been posted: it is looked for in its channel, and taken over if it is there.
"""

import secrets
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import discord

from bot.tables import Shown, Table, Tables
from bot.ui.custom_id import Press

_FAR: Final = 200
"""So many messages are looked at, the latest first: a channel says more only while the bot is away for long."""

_COMING: Final[dict[str, Literal["new board", "new hand", "new ping"]]] = {
    "board": "new board",
    "hand": "new hand",
    "ping": "new ping",
}

Kind = Literal["board", "hand", "ping"]


def coming(shown: Iterable[Shown], kind: Kind, user_id: int | None = None) -> Shown | None:
    """The note of a message of this kind that was to be posted, if it wasn't recorded since."""
    notes = (each for each in shown if each.kind == _COMING[kind] and user_id in {None, each.user_id})
    return next(notes, None)


async def note(tables: Tables, message: Shown, known: Shown | None) -> str:
    """Notes that a message is about to be posted; gives its nonce, that of the note ``known`` if there was one.

    Recording the message takes the note away. Of ``message`` only kind, table, user and channel matter.
    """
    nonce = known.digest if known else secrets.token_hex(8)
    if known is None:
        kind, at = _COMING[message.kind], message.posted_at
        await tables.record_shown(
            Shown(message.table_id, kind, message.user_id, message.channel_id, 0, message.version, at, nonce)
        )
    return nonce


async def look_for(
    client: discord.Client, noted: Shown, table: Table, shown: Iterable[Shown]
) -> discord.Message | None:
    """The message that was noted as coming, if it is in its channel; ``shown`` are those that are recorded."""
    recorded = {each.message_id for each in shown}
    async for message in client.get_partial_messageable(noted.channel_id).history(limit=_FAR):
        is_ours = client.user is not None and message.author.id == client.user.id
        if is_ours and message.id not in recorded and _shows(message, noted, table):
            return message
    return None


def all_text(message: discord.Message) -> str:
    """All that is written in the message."""
    return "\n".join(part.content for part in _parts(message.components) if isinstance(part, discord.TextDisplay))


def _shows(message: discord.Message, noted: Shown, table: Table) -> bool:
    text = all_text(message)
    ids = (getattr(part, "custom_id", None) for part in _parts(message.components))
    presses = [press for custom_id in ids if custom_id and (press := Press.read(custom_id))]
    if not all(press.table in {0, table.id} for press in presses):  # an older table of the same name
        return False
    if noted.kind == "new ping":
        return f"your turn at [Table {table.name}](" in text
    if noted.kind == "new board":
        return text.startswith(f"### Table {table.name} ·")
    heading = text.partition("\n")[0]
    is_hand = heading.startswith("### Your ") and f" · Table {table.name} · " in heading
    return is_hand or text.startswith(f"You sit at **Table {table.name}**")


def _parts(components: Iterable[Any]) -> Iterator[Any]:
    for part in components:
        yield part
        yield from _parts(getattr(part, "children", ()))
