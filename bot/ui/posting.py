"""Messages that show a table are posted once each, whatever happens between Discord's answer and our record of it.

Before one is posted it is noted as coming, under a nonce that Discord takes once within minutes. What is noted and not
recorded when a drawing begins may have been posted: it is looked for in its channel, and taken over if it is there.
"""

import secrets
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import discord
from discord.http import MultipartParameters
from msgspec.structs import replace

from bot.games.game import Seat
from bot.tables import Shown, Table, Tables
from bot.ui.custom_id import Press
from bot.ui.layout import Component

_V2: Final = discord.MessageFlags(components_v2=True).value
_FAR: Final = 200
"""So many messages are looked at, the latest first: a channel says more only while the bot is away for long."""

_COMING: Final[dict[str, Literal["new board", "new hand", "new ping"]]] = {
    "board": "new board",
    "hand": "new hand",
    "ping": "new ping",
}

Kind = Literal["board", "hand", "ping"]


def question_of(seat: Seat) -> int:
    """In place of a user: what a seat asks everybody is recorded as a ping, so that it goes when the turn does."""
    return -1 - seat


def is_question(message: Shown) -> bool:
    """Whether this is, or is the note of, a question that a seat asks."""
    return message.user_id < 0


def coming(shown: Iterable[Shown], kind: Kind, user_id: int | None = None) -> Shown | None:
    """The note of a message of this kind that was to be posted, if it wasn't recorded since; no question's, unless
    ``user_id`` is its `question_of`.
    """
    notes = (each for each in shown if each.kind == _COMING[kind])
    return next((n for n in notes if (not is_question(n) if user_id is None else n.user_id == user_id)), None)


def questions_coming(shown: Iterable[Shown]) -> tuple[Shown, ...]:
    """The notes of questions that were to be asked, if they weren't recorded since."""
    return tuple(each for each in shown if each.kind == "new ping" and is_question(each))


async def note(tables: Tables, message: Shown, old: Shown | None) -> tuple[str, bool]:
    """Notes that a message is about to be posted in place of ``old``; gives its nonce, and whether that is new.

    If it isn't, Discord may have the message already, as it was then: posting it again gives that one. Recording the
    message takes the note away. Of ``message`` only kind, table, user and channel matter. Raises `Conflict` if another
    process has posted it and recorded that.
    """
    nonce = secrets.token_hex(8)
    coming_now = replace(message, kind=_COMING[message.kind], message_id=0, digest=nonce)
    agreed = await tables.note_shown(coming_now, old.message_id if old else 0)
    return agreed, agreed == nonce


async def edit(client: discord.Client, shown: Shown, written: list[Component]) -> None:
    """What `discord.PartialMessage.edit` does, but no message is made of Discord's answer, which nobody would read."""
    changes = MultipartParameters({"components": written, "flags": _V2}, None, None)
    await client.http.edit_message(shown.channel_id, shown.message_id, params=changes)


async def look_for(
    client: discord.Client, noted: Shown, table: Table, shown: Iterable[Shown]
) -> discord.Message | None:
    """The message that was noted as coming, if it is in its channel; ``shown`` are those that are recorded."""
    recorded = {each.message_id for each in shown}
    last = next(
        (each.message_id for each in shown if _COMING.get(each.kind) == noted.kind and each.user_id == noted.user_id), 0
    )
    async for message in client.get_partial_messageable(noted.channel_id).history(limit=_FAR):
        if message.id <= last:
            return None
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
    if is_question(noted):
        asker = table.sitter_at(question_of(noted.user_id))
        asked = Press("undo-yes", table.id, noted.version, str(asker.user_id) if asker else "")
        return asked in presses
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
