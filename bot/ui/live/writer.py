"""Shows live messages on Discord. What they show is recorded, also if an answer to an interaction shows it."""

import contextlib
import logging
import secrets
from collections.abc import Callable
from typing import Final

import discord
from discord.ui import LayoutView
from msgspec.structs import replace

from bot.tables import Kind, LiveMessage, Stage, Table, Tables, in_slot
from bot.ui.interactions.reply import Shows
from bot.ui.live.drawings import Drawing, Drawings
from bot.ui.live.failures import may_attach
from bot.ui.live.pace import Priority, answered_within
from bot.ui.live.plan import Action, Create, Edit, Find, Mark, Remove, Wanted
from bot.ui.live.sightings import Sightings
from bot.ui.posts.discord_errors import POST_AGAIN, is_outage, is_rate_limited, is_refusal
from bot.ui.posts.layout import layout
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Attached, Draft, Files, Sender, Sent

log: Final = logging.getLogger(__name__)

EDIT_S: Final = 4.0
"""An edit without a response is sent again after this time, with what the table shows by then."""
LONGEST_EDIT_S: Final = 15.0
"""The same for the edits that follow, if Discord is just slow."""
_HISTORY: Final = 200
"""Maximum number of messages searched for a noted one."""
_NONCES: Final = range(2**20, 2**31)
"""A nonce is a component id as well: a positive 32-bit integer. Discord numbers the other components from 1."""

NO_MENTIONS: Final = discord.AllowedMentions.none()
"""For edits. Discord parses mentions by its own defaults in an edit that doesn't say which are allowed."""

Recorded = tuple[LiveMessage, ...]


def new_nonce() -> int:
    """Return a mark for a message that is about to be posted."""
    return secrets.choice(_NONCES)


class Writer:
    """Posts, edits and removes live messages. `Sender` makes the requests.

    Whatever Discord refuses is raised as it is; then the record still says what is left to do.
    """

    def __init__(  # noqa: PLR0913 - the parts that it ties together
        self,
        client: discord.Client,
        tables: Tables,
        drawings: Drawings,
        sightings: Sightings,
        *,
        now: Callable[[], float],
        sender: Sender,
    ) -> None:
        self._client = client
        self._messages = tables.messages
        self._users = tables.users
        self._drawings = drawings
        self._sightings = sightings
        self._now = now
        self._sender = sender

    async def execute(self, action: Action, drawing: Drawing, recorded: Recorded) -> Recorded:
        """Carry out one action and return the messages as they are recorded then."""
        match action:
            case Find(message):
                return _with(recorded, await self._find(message))
            case Create():
                return _with(recorded, await self._post(action, drawing, recorded))
            case Edit():
                return _with(recorded, await self._edit(action, drawing))
            case Mark(message, notified):
                marked = replace(message, notified=notified)
                await self._messages.update(self._as_stored(marked))
                return _with(recorded, marked)
            case Remove(message):
                if message.stage is not Stage.NOTED:
                    await self._remove(drawing, message, recorded)
                if message.is_restored:
                    await self._remove_lost(message)
                await self._messages.forget(message)
                return tuple(each for each in recorded if each.id != message.id)

    # ---- answers to interactions

    async def note_board(self, table: Table) -> LiveMessage:
        """Record the first board of a table, which an answer is about to show."""
        return await self._note(table, Wanted(Kind.BOARD, ""), table.place.channel_id)

    async def answered(self, shows: Shows, version: int, channel_id: int, sent: Sent | None) -> None:
        """Record the message that an answer shows. Without ``sent``, what a live one shows counts as unknown.

        Without it, a new message is later looked for by its nonce.
        """
        message = shows.message
        if sent is None:
            if message.stage is Stage.LIVE:
                self._messages.update_soon(message.with_unknown_content())
            return
        placed = replace(message, channel_id=channel_id, message_id=sent.message_id)
        shown = self._as_stored(_showing(placed, version, shows.content, shows.notified, sent))
        if message.stage is Stage.NOTED:
            await self._messages.posted(shown)
        else:
            self._messages.update_soon(shown, message.version)

    # ---- one method for each action

    async def _find(self, noted: LiveMessage) -> LiveMessage:
        """Return the message as posted, or unchanged if it isn't there.

        How old messages are is no help: Discord's clock may differ from this machine's.
        """
        async for message in self._client.get_partial_messageable(noted.channel_id).history(limit=_HISTORY):
            if any(getattr(part, "id", None) == noted.nonce for part in message.components):
                if noted.kind is not Kind.HAND and noted.notified:  # hands are sent silently
                    await self._users.record_pings(noted.table_id, noted.notified, noted.posted_at)
                return await self._messages.posted(replace(noted, message_id=message.id, content=None))
        return noted

    async def _post(self, action: Create, drawing: Drawing, recorded: Recorded) -> LiveMessage:
        wanted, table = action.wanted, drawing.table
        known = in_slot(recorded, wanted.slot, Stage.NOTED)
        reminders = next((each.reminders for each in recorded), None)
        noted = known or await self._note(
            table, wanted, await self._channel(drawing, recorded), action.notified, reminders
        )
        place = self._client.get_partial_messageable(noted.channel_id)
        allowed = discord.AllowedMentions(
            users=[discord.Object(user) for user in action.mentions],
            roles=[discord.Object(role) for role in wanted.roles],
        )

        async def transport(view: LayoutView, files: Files) -> discord.Message:
            is_silent = wanted.kind in {Kind.HAND, Kind.SCORE}
            return await place.send(
                view=view, files=files, nonce=str(noted.nonce), silent=is_silent, allowed_mentions=allowed
            )

        content = self._drawings.content(drawing, action, recorded)
        draft = Draft(self._fitting(content, drawing), table.key, table.version, noted.nonce)
        try:
            sent = await self._sender.send(draft, transport, (noted.channel_id,))
        except discord.HTTPException as error:
            if is_refusal(error):  # it was certainly not posted
                await self._messages.forget(noted)
            raise
        if action.mentions:
            await self._users.record_pings(table.id, action.mentions, self._now())
        # Discord answers a nonce that it knows with the message as it was then.
        shows = None if known else wanted.content
        posted = replace(noted, message_id=sent.message_id, deal=wanted.deal, posted_at=self._now())
        return await self._messages.posted(_showing(posted, table.version, shows, action.notified, sent))

    async def _note(
        self,
        table: Table,
        wanted: Wanted,
        channel_id: int,
        notified: tuple[int, ...] = (),
        reminders: int | None = None,
    ) -> LiveMessage:
        """Record a message that is about to be posted."""
        return await self._messages.note(
            LiveMessage(
                table_id=table.id,
                kind=wanted.kind,
                user_id=wanted.user_id,
                channel_id=channel_id,
                nonce=new_nonce(),
                version=table.version,
                posted_at=self._now(),
                deal=wanted.deal,
                notified=notified,
                reminders=reminders,
            )
        )

    def _fitting(self, content: Post, drawing: Drawing) -> Post:
        """Return the post in words where the bot may not attach pictures."""
        if drawing.user_id is None and not may_attach(self._client, drawing.table):
            return in_words(content)
        return content

    async def _channel(self, drawing: Drawing, recorded: Recorded) -> int:
        """Return the channel of a new message: the table's, or the direct messages of a player."""
        if drawing.user_id is None:
            return drawing.table.place.channel_id
        known = next((message.channel_id for message in recorded), None)
        return known or (await self._client.create_dm(discord.Object(drawing.user_id))).id

    async def _edit(self, action: Edit, drawing: Drawing) -> LiveMessage:
        """Edit a message; return it as it is now, unchanged if it has to be posted again."""
        message, table = action.message, drawing.table

        async def transport(view: LayoutView, files: Files) -> discord.Message:
            async with answered_within(EDIT_S if self._sightings.is_certain(message.sent_id) else LONGEST_EDIT_S):
                return await self._partial(message).edit(view=view, attachments=files, allowed_mentions=NO_MENTIONS)

        draft = Draft(self._fitting(action.wanted.post, drawing), table.key, table.version, message.nonce)
        places = (message.sent_id, message.channel_id)
        kept = Attached(message.picture, message.attachment_id) if message.picture and message.attachment_id else None
        try:
            sent = await self._sender.send(draft, transport, places, edits=message.sent_id, kept=kept)
        except discord.NotFound:
            self._sightings.note_gone([message.sent_id])
            if action.wanted.kind is Kind.BOARD:
                self._sightings.tables_without_board[table.id] = None
            return message
        except Exception as error:
            if isinstance(error, discord.HTTPException) and error.code in POST_AGAIN:
                self._sightings.note_uneditable(message.sent_id)
                return message
            if is_outage(error):  # the edit may still be carried out, even after a newer one
                self._sightings.note_late_edit(message.sent_id)
                await self._messages.update(replace(message.with_unknown_content(), notified=action.notified))
            raise
        self._sightings.note_edit(message.sent_id)
        edited = _showing(message, table.version, action.wanted.content, action.notified, sent)
        if action.wanted.kind is not message.kind:
            return await self._messages.posted(replace(edited, kind=action.wanted.kind, deal=action.wanted.deal))
        self._messages.update_soon(self._as_stored(edited), message.version)
        return edited

    def _as_stored(self, message: LiveMessage) -> LiveMessage:
        """Return the record of a message: of unknown content while a late edit may still overwrite it."""
        return message if self._sightings.is_certain(message.sent_id) else message.with_unknown_content()

    async def _remove(self, drawing: Drawing, message: LiveMessage, recorded: Recorded) -> None:
        """Delete a message, or where that isn't possible take its buttons away."""
        if self._sightings.is_gone(message.sent_id):
            return
        try:
            if message.kind is not Kind.HAND or message.is_restored:
                self._sightings.note_deletion(message.sent_id)
                await self._partial(message).delete()
                return
        except discord.NotFound:
            return
        except discord.HTTPException as refusal:
            if is_outage(refusal) or is_rate_limited(refusal):
                raise  # it is retried
            log.info("table %s: an old %s can't be deleted: %s", drawing.table.id, message.kind, refusal)
        text = await self._drawings.last_text(drawing, message, recorded)
        if text is not None:
            with contextlib.suppress(discord.NotFound):
                await self._partial(message).edit(view=layout(text), attachments=[], allowed_mentions=NO_MENTIONS)

    async def _remove_lost(self, restored: LiveMessage) -> None:
        """Delete what was posted later in the same channel, and isn't recorded: lost moves, pings, and lost tables."""
        marked = dict[int, discord.Message]()
        with contextlib.suppress(discord.Forbidden):
            async for message in self._client.get_partial_messageable(restored.channel_id).history(limit=_HISTORY):
                if message.id <= restored.sent_id:
                    break
                if message.author == self._client.user and message.components:
                    marked[getattr(message.components[0], "id", 0)] = message
        lost = set(marked).difference(await self._messages.nonces([message.id for message in marked.values()]))
        for message in (marked[mark] for mark in lost if mark in _NONCES):
            with contextlib.suppress(discord.NotFound):
                await message.delete()

    def _partial(self, message: LiveMessage) -> discord.PartialMessage:
        return self._client.get_partial_messageable(message.channel_id).get_partial_message(message.sent_id)


def request_of(action: Action, drawing: Drawing) -> tuple[int, str, Priority]:
    """Return the place, the route and the priority of the request that an action makes."""
    is_public = drawing.user_id is None
    place = drawing.table.place.channel_id if is_public else drawing.user_id or 0
    match action:
        case Create(wanted=wanted):
            is_first = is_public or wanted.is_prompt
            return place, "post", Priority.TURN if is_first else Priority.OTHER
        case Edit(wanted=wanted) if wanted.is_prompt:
            return place, "edit", Priority.TURN
        case Edit():
            return place, "edit", Priority.BOARD if is_public else Priority.OTHER
        case _:
            return place, "other", Priority.OTHER


def _showing(
    message: LiveMessage, version: int, content: str | None, notified: tuple[int, ...], sent: Sent
) -> LiveMessage:
    """Return a message that shows this now. If edits have crossed, nobody knows which one it shows."""
    file, name = (sent.picture.id, sent.picture.name) if sent.picture else (None, None)
    shown = replace(message, version=version, content=content, notified=notified, picture=name, attachment_id=file)
    return shown.with_unknown_content() if sent.has_crossed else shown


def _with(recorded: Recorded, message: LiveMessage) -> Recorded:
    """The messages with this one in place of what was known of it. If it is live now, the one before it retires."""
    others = [each for each in recorded if each.id != message.id]
    if message.stage is Stage.LIVE and (before := in_slot(others, message.slot)):
        others[others.index(before)] = replace(before, stage=Stage.RETIRING)
    return *others, message
