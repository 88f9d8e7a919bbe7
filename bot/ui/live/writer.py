"""Shows live messages on Discord. What they show is recorded, also if an answer to an interaction shows it."""

import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Final

import discord
from discord.ui import LayoutView
from msgspec.structs import replace

from bot.records.live_message import Kind, LiveMessage, Stage, in_slot
from bot.tables.tables import Tables
from bot.ui.interactions.response import NO_MENTIONS
from bot.ui.live.drawings import Drawings
from bot.ui.live.failures import may_attach
from bot.ui.live.lanes import Card, Drawing, Recorded
from bot.ui.live.pace import Priority, answered_within
from bot.ui.live.plan import Action, Create, Edit, Find, Leave, Mark, Remove, Wanted
from bot.ui.live.sightings import Sightings
from bot.ui.posts.discord_errors import POST_AGAIN, is_outage, is_rate_limited, is_refusal, is_token_refused
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Post
from bot.ui.posts.recent import Recent
from bot.ui.posts.sender import Attached, Draft, Files, Sender, Sent, Transport
from bot.ui.posts.tokens import Answered

log: Final = logging.getLogger(__name__)

EDIT_S: Final = 4.0
"""An edit without a response is sent again after this time, with what the table shows by then."""
LONGEST_EDIT_S: Final = 15.0
"""The same for the edits that follow, if Discord is just slow."""
_HISTORY: Final = 200
"""Maximum number of messages searched for a noted one."""
_MAX_PLACES: Final = 1000
_NONCES: Final = range(2**20, 2**31)
"""A nonce is a component id as well: a positive 32-bit integer. Discord numbers the other components from 1."""


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
        self._helps = Recent[int, bool](_MAX_PLACES)
        """Whether a new post shows a board's picture in a channel where Discord has refused to add it by an edit."""
        self._trying: set[int] = set()
        """The channels where a new post tries that."""

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
            case Leave(message):
                return _with(recorded, await self._messages.leave(message))
            case Remove(message):
                if message.stage is not Stage.NOTED:
                    await self._remove(drawing, message, recorded)
                if message.is_restored:
                    await self._remove_lost(message)
                await self._messages.forget(message)
                return tuple(each for each in recorded if each.id != message.id)

    # ---- one method for each action

    def is_pressed(self, message: LiveMessage) -> bool:
        """Whether a message answers a press by what it shows next."""
        return message.stage is Stage.LIVE and self._sender.tokens.unanswered(message.sent_id) is not None

    def is_free(self, action: Action, table_id: int) -> bool:
        """Whether Discord doesn't count the request for an action, as it answers an interaction, or has its token."""
        tokens = self._sender.tokens
        if isinstance(action, Create):
            return action.wanted.kind is Kind.BOARD and tokens.unanswered(board_of(table_id)) is not None
        if not isinstance(action, Edit | Remove):
            return False
        message_id = action.message.sent_id
        return bool(tokens.of(message_id) or (isinstance(action, Edit) and tokens.unanswered(message_id)))

    async def _find(self, noted: LiveMessage) -> LiveMessage:
        """Return the message as posted, or unchanged if it isn't there.

        How old messages are is no help: Discord's clock may differ from this machine's.
        """
        async for message in self._client.get_partial_messageable(noted.channel_id).history(limit=_HISTORY):
            if any(getattr(part, "id", None) == noted.nonce for part in message.components):
                if noted.kind is not Kind.HAND and noted.notified:  # hands are sent silently
                    await self._users.record_pings(noted.subject_id, noted.notified, noted.posted_at)
                return await self._messages.posted(replace(noted, message_id=message.id, content=None))
        return noted

    async def _post(self, action: Create, drawing: Drawing, recorded: Recorded) -> LiveMessage:
        wanted, table = action.wanted, drawing.table
        known = in_slot(recorded, wanted.slot, Stage.NOTED)
        reminders = next((each.reminders for each in recorded), None)
        noted = known or await self._note(
            drawing, wanted, await self._channel(drawing, recorded), action.notified, reminders
        )
        content = self._drawings.content(drawing, action, recorded)
        draft = Draft(self._fitting(content, drawing), table.key, table.version, noted.nonce)
        try:
            sent = await self._sender.send(draft, self._posting(action, noted), (noted.channel_id,))
        except discord.HTTPException as error:
            is_kept = known is not None and isinstance(table, Card)  # somebody has asked for it
            if is_refusal(error) and not is_kept:  # it was certainly not posted
                await self._messages.forget(noted)
            raise
        self._note_help(wanted, noted.channel_id, sent)
        if not sent.message_id:
            return noted  # it has to be looked for
        if action.mentions and not isinstance(table, Card):
            await self._users.record_pings(table.id, action.mentions, self._now())
        # Discord answers a nonce that it knows with the message as it was then.
        shows = None if known else wanted.content
        posted = replace(noted, message_id=sent.message_id, deal=wanted.deal, posted_at=self._now())
        return await self._messages.posted(_showing(posted, table.version, shows, action.notified, sent))

    def _note_help(self, wanted: Wanted, channel_id: int, sent: Sent) -> None:
        """Note whether a new board has a picture there that no edit could add, if that was tried."""
        if wanted.kind is Kind.BOARD and channel_id in self._trying:
            self._trying.discard(channel_id)
            self._helps[channel_id] = sent.picture is not None

    def _posting(self, action: Create, noted: LiveMessage) -> Transport:
        """Return the transport for a new message: as the bot, or in answer to the command that has opened the table."""
        wanted, place = action.wanted, self._client.get_partial_messageable(noted.channel_id)
        allowed = discord.AllowedMentions(
            users=[discord.Object(user) for user in action.mentions],
            roles=[discord.Object(role) for role in wanted.roles],
        )

        async def transport(view: LayoutView, files: Files) -> discord.Message | int | None:
            if wanted.kind is Kind.BOARD and (command := self._sender.tokens.unanswered(board_of(noted.subject_id))):
                try:
                    return await command.show(view, files)
                except (Answered, discord.HTTPException) as refusal:  # another bot with this token may have answered
                    if isinstance(refusal, discord.HTTPException) and not is_token_refused(refusal):
                        raise
                    for file in files:
                        file.reset()
            is_silent = wanted.is_silent or wanted.kind in {Kind.HAND, Kind.SCORE}
            nonce = str(noted.nonce)
            return await place.send(view=view, files=files, nonce=nonce, silent=is_silent, allowed_mentions=allowed)

        return transport

    async def _note(
        self,
        drawing: Drawing,
        wanted: Wanted,
        channel_id: int,
        notified: tuple[int, ...] = (),
        reminders: int | None = None,
    ) -> LiveMessage:
        """Record a message that is about to be posted."""
        return await self._messages.note(
            LiveMessage(
                subject=drawing.lane.subject,
                subject_id=drawing.lane.subject_id,
                kind=wanted.kind,
                user_id=wanted.user_id,
                channel_id=channel_id,
                nonce=new_nonce(),
                version=drawing.table.version,
                posted_at=self._now(),
                deal=wanted.deal,
                notified=notified,
                reminders=reminders,
            )
        )

    def _fitting(self, content: Post, drawing: Drawing) -> Post:
        """Return the post in words where the bot may not attach pictures."""
        if drawing.user_id is None and not may_attach(self._client, drawing.table.place):
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
        message, table, wanted = action.message, drawing.table, action.wanted
        draft = Draft(self._fitting(wanted.post, drawing), table.key, table.version, message.nonce)
        adds = _adds_picture(action, draft)
        if adds and self._helps.get(message.channel_id, False):
            if not self.is_pressed(message) and self._posts_anew(message, wanted):
                return message
            draft = draft._replace(post=in_words(draft.post))
        may_add = adds and self._sender.may_upload((message.sent_id, message.channel_id))
        sent = await self._try_edit(action, drawing, draft)
        if sent is None or (may_add and sent.picture is None and self._posts_anew(message, wanted)):
            return message
        edited = _showing(message, table.version, wanted.content, action.notified, sent)
        if wanted.kind is not message.kind:
            return await self._messages.posted(replace(edited, kind=wanted.kind, deal=wanted.deal))
        self._messages.update_soon(self._as_stored(edited), message.version)
        return edited

    async def _try_edit(self, action: Edit, drawing: Drawing, draft: Draft) -> Sent | None:
        """Edit a message; return ``None`` if it has to be posted again."""
        message = action.message
        try:
            sent = await self._send_edit(message, draft)
        except discord.NotFound:
            self._sightings.note_gone([message.sent_id])
            if action.wanted.kind is Kind.BOARD:
                self._sightings.tables_without_board[drawing.table.id] = None
            return None
        except Exception as error:
            if isinstance(error, discord.HTTPException) and error.code in POST_AGAIN:
                self._sightings.note_uneditable(message.sent_id)
                return None
            if is_outage(error):  # the edit may still be carried out, even after a newer one
                self._sightings.note_late_edit(message.sent_id)
                await self._messages.update(replace(message.with_unknown_content(), notified=action.notified))
            raise
        self._sightings.note_edit(message.sent_id)
        return sent

    def _posts_anew(self, message: LiveMessage, wanted: Wanted) -> bool:
        """Have a board in words posted anew, with its picture, if that may help here. Return whether it is.

        Discord may refuse to add a picture to a message: https://github.com/discord/discord-api-docs/issues/7529. A new
        post is tried once a channel, and then what worked.
        """
        place, is_refused = message.channel_id, not self._sender.may_upload((message.sent_id,))
        helps = self._helps.get(place, is_refused)
        if helps and not wanted.is_final:
            self._trying.add(place)
            self._sightings.note_uneditable(message.sent_id)
        return helps and not wanted.is_final

    async def _send_edit(self, message: LiveMessage, draft: Draft) -> Sent:
        """Edit a message in answer to its press, or by the token of its last one, which Discord doesn't count.

        If there is none, or if Discord refuses it, edit the message as the bot. A refused token is forgotten.
        """
        message_id, tokens = message.sent_id, self._sender.tokens
        kept = Attached(message.picture, message.attachment_id) if message.picture and message.attachment_id else None
        send = partial(self._sender.send, draft, places=(message_id, message.channel_id), edits=message_id, kept=kept)
        free: list[Transport] = []
        if press := tokens.unanswered(message_id):
            free.append(press.show)
        if pressed := tokens.of(message_id):
            free.append(self._editing(message_id, pressed.edit_original_response))
        for transport in free:
            try:
                return await send(transport=transport)
            except Answered:  # while it waited for its turn
                continue
            except discord.HTTPException as refusal:
                if not is_token_refused(refusal):
                    raise
                tokens.forget(message_id)
        tokens.note_missed(message_id)
        return await send(transport=self._editing(message_id, self._partial(message).edit))

    def _editing(self, message_id: int, edit: Callable[..., Awaitable[discord.Message]]) -> Transport:
        """Return the transport for an edit of a message. It doesn't wait long for Discord's response."""
        limit_s = EDIT_S if self._sightings.is_certain(message_id) else LONGEST_EDIT_S

        async def transport(view: LayoutView, files: Files) -> discord.Message:
            async with answered_within(limit_s):
                return await edit(view=view, attachments=files, allowed_mentions=NO_MENTIONS)

        return transport

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
                await self._delete(message)
                return
        except discord.NotFound:
            return
        except discord.HTTPException as refusal:
            if is_outage(refusal) or is_rate_limited(refusal):
                raise  # it is retried
            log.info("%s: an old %s can't be deleted: %s", drawing.lane, message.kind, refusal)
        text = await self._drawings.last_text(drawing, message, recorded)
        if text is not None:
            with contextlib.suppress(discord.NotFound):
                await self._send_edit(message, Draft(drawing.as_read(text)))

    async def _delete(self, message: LiveMessage) -> None:
        """Delete a message, by its token if there is one."""
        pressed = self._sender.tokens.of(message.sent_id)
        self._sender.tokens.forget(message.sent_id)
        try:
            if pressed is not None:
                await pressed.delete_original_response()
                return
        except discord.HTTPException as refusal:
            if not is_token_refused(refusal):
                raise
        await self._partial(message).delete()

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


def board_of(table_id: int) -> Hashable:
    """Return what a command expects that has opened a table (`Tokens.expect`)."""
    return "board", table_id


def request_of(action: Action, drawing: Drawing) -> tuple[int, str, Priority]:
    """Return the place, the route and the priority of the request that an action makes."""
    is_board, place = drawing.lane.is_board, drawing.user_id or drawing.table.place.channel_id
    match action:
        case Create(wanted=wanted):
            return place, "post", Priority.TURN if is_board or wanted.is_prompt else Priority.OTHER
        case Edit(wanted=wanted) if wanted.is_prompt:
            return place, "edit", Priority.TURN
        case Edit():
            return place, "edit", Priority.BOARD if is_board else Priority.OTHER
        case _:
            return place, "other", Priority.OTHER


def _adds_picture(action: Edit, draft: Draft) -> bool:
    """Whether an edit gives a board in words a picture."""
    return action.wanted.kind is Kind.BOARD and draft.post.scene is not None and action.message.picture is None


def _showing(
    message: LiveMessage, version: int, content: str | None, notified: tuple[int, ...], sent: Sent
) -> LiveMessage:
    """Return a message that shows this now."""
    file, name = (sent.picture.id, sent.picture.name) if sent.picture else (None, None)
    return replace(message, version=version, content=content, notified=notified, picture=name, attachment_id=file)


def _with(recorded: Recorded, message: LiveMessage) -> Recorded:
    """The messages with this one in place of what was known of it. If it is live now, the one before it retires."""
    others = [each for each in recorded if each.id != message.id]
    if message.stage is Stage.LIVE and (before := in_slot(others, message.slot)):
        others[others.index(before)] = replace(before, stage=Stage.RETIRING)
    return *others, message
