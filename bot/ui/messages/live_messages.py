"""The boards, hands, pings and questions of all tables, as the rest of the bot sees them."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable
from typing import Final, Self

import discord
from msgspec.structs import replace

from bot.errors import NoSuchTable, StoreError
from bot.tables import MAX_CHOICES, Kind, LiveMessage, Messages, Receipt, Stage, Table, Tables
from bot.ui.interactions.reply import Reply, Sent, Where
from bot.ui.messages.drawings import Drawings, hand_digest, is_prompting
from bot.ui.messages.executor import Executor, new_nonce, with_picture
from bot.ui.messages.links import board_link, live_board
from bot.ui.messages.open_messages import OpenMessages
from bot.ui.messages.pace import Budget, Pace, Priority
from bot.ui.messages.ping_timing import PingTiming
from bot.ui.messages.reconciler import Lane, Owner, Reconciler, lane_of
from bot.ui.messages.sightings import Sightings
from bot.ui.messages.workers import Hold, persist
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.face import Faces
from bot.ui.posts.layout import digest, shown_version
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Sender

log: Final = logging.getLogger(__name__)

_ECHO_S: Final = 1.0
"""Maximum time between the event about an edit and its response."""
_LOOK_S: Final = 0.1
"""Interval of looking for a board that another process posts."""


class Answer:
    """The answer to an interaction, in a message that nothing else edits until the answer is given or cancelled.

    ``message`` is the live message that it shows, if it is one. ``with answer:`` cancels it if the block raises.
    """

    def __init__(self, messages: Messages, message: LiveMessage | None, hold: Hold | None) -> None:
        self._messages = messages
        self._hold = hold
        self.message = message

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.cancel()

    def reply(self, content: Post, table: Table, where: Where = "here", *, drawn: Post | None = None) -> Reply:
        """Return the reply that shows the message, and records that it does.

        ``drawn`` is the message without a notice that stays until it changes.
        """

        async def shown(sent: Sent) -> None:
            await self._shown(table, drawn or content, sent)

        mark = self.message.nonce if self.message else 0
        return Reply(content, where, table.key, table.version, mark=mark, shown=shown, lost=self.lost)

    async def _shown(self, table: Table, content: Post, sent: Sent) -> None:
        if self.message is not None:
            is_hand = self.message.kind is Kind.HAND
            shown = replace(
                with_picture(self.message, sent.picture),
                channel_id=sent.channel_id,
                message_id=sent.message_id,
                version=table.version,
                content=hand_digest(content) if is_hand else digest(content),
            )
            if shown.kind is Kind.HAND and shown.user_id is not None:
                shown = replace(shown, notified=(shown.user_id,) if is_prompting(content) else ())
            if self._hold and self._hold.is_shared:
                shown = shown.with_unknown_content()
            if shown.stage is Stage.NOTED:
                await self._messages.posted(shown)
            else:
                self._messages.update_soon(shown, self.message.version)
        self.cancel()

    def guard(self, reply: Reply) -> Reply:
        """Return another reply, until which nothing else edits the message."""

        async def shown(sent: Sent) -> None:
            self.cancel()
            if reply.shown is not None:
                await reply.shown(sent)

        return replace(reply, shown=shown, lost=self.cancel)

    def cancel(self) -> None:
        """Leave the message as it is: the answer shows something else."""
        if self._hold is not None:
            self._hold.release()

    def lost(self) -> None:
        """Have the message shown again: the answer may not have arrived."""
        if self.message is not None and self.message.stage is Stage.LIVE:
            self._messages.update_soon(self.message.with_unknown_content())
        self.cancel()


class LiveMessages:
    """Keeps what Discord shows of each table up to date."""

    def __init__(  # noqa: PLR0913 - the parts of a running bot that messages depend on
        self,
        client: discord.Client,
        tables: Tables,
        faces: Faces,
        *,
        now: Callable[[], float],
        owner: Owner,
        budget: Budget,
        sender: Sender,
    ) -> None:
        self._client = client
        self._tables = tables
        self._messages = tables.messages
        self._now = now
        self._owner = owner
        self._pace = Pace(budget)
        self.ping_timing = PingTiming(now)
        self.drawings = Drawings(tables, faces, self.ping_timing, now, client.get_guild)
        self._sightings = Sightings(now)
        executor = Executor(client, tables, self.drawings, self._sightings, now=now, sender=sender)
        self._reconciler = Reconciler(
            client=client,
            tables=tables,
            owner=owner,
            drawings=self.drawings,
            executor=executor,
            sightings=self._sightings,
            pace=self._pace,
            now=now,
        )
        self.open_messages = OpenMessages(tables, now, sender)
        self._refreshing: set[asyncio.Task[None]] = set()

    def on_board(self, listener: Callable[[Table], None]) -> None:
        """Call the listener with each table whose board is up to date."""
        self._reconciler.board_listeners.append(listener)

    # ---- bringing up to date

    def changed(self, receipt: Receipt) -> None:
        """Show a change of a table. The answer to the command that opened it is its first board."""
        self.ping_timing.restart(receipt.table.id, receipt.owed)
        self.open_messages.redraw(receipt.table.id)
        if receipt.before and receipt.table.status == "playing" and receipt.removed is None:
            self._request(receipt.table)
        elif receipt.before:
            self.refresh(receipt.table.id)  # those who have left have hands as well

    def refresh(self, table_id: int) -> asyncio.Task[None]:
        """Bring all messages of a table up to date; the task ends when that is done."""
        task = asyncio.create_task(self._refresh(table_id), name=f"messages of table {table_id}")
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)
        return task

    async def _refresh(self, table_id: int) -> None:
        async def look_up() -> list[asyncio.Future[None]]:
            snapshot = await self._tables.snapshot(table_id)
            return self._request(snapshot.table, snapshot.messages)

        with contextlib.suppress(NoSuchTable):  # it was deleted
            await asyncio.wait(await persist(f"looking up the messages of table {table_id}", look_up))

    def _request(self, table: Table, recorded: Iterable[LiveMessage] = ()) -> list[asyncio.Future[None]]:
        if not self._owner.holds(table.place.guild_id):
            # This asks the process that updates all of them, but after an answer that shows one of them.
            return [self._reconciler.request(self._reconciler.held_lane(table.id) or Lane(table.id))]
        hands = (Lane(table.id, sitter.user_id) for sitter in table.sitters if sitter.user_id is not None)
        lanes = dict.fromkeys((Lane(table.id), *hands, *map(lane_of, recorded)))  # those who have left have hands, too
        return [self._reconciler.request(lane) for lane in lanes]

    async def posted(self, table: Table, within_s: float) -> None:
        """Have the board of a new table posted, and wait for that up to a timeout. Another process may post it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await asyncio.wait({self.refresh(table.id)})
                if not self._owner.holds(table.place.guild_id):
                    while not live_board(await self._messages.of(table.id)):  # noqa: ASYNC110 - another process posts it
                        await asyncio.sleep(_LOOK_S)

    def redraw_hand(self, table_id: int, user_id: int) -> None:
        """Show a hand again soon: its player wants to see it in another way."""
        self._reconciler.redraw(Lane(table_id, user_id))

    def remind(self, table_id: int) -> None:
        """Send a reminder that has been claimed: ping the players to move, except those who want no ping now."""
        self.ping_timing.restart(table_id)
        self._reconciler.request(Lane(table_id))

    async def close(self) -> None:
        """Stop; the next start repairs what is left undone."""
        for task in self._refreshing:
            task.cancel()
        await self.open_messages.close()
        await self._reconciler.close()

    # ---- answers that show live messages

    async def opening(self, table: Table) -> Answer:
        """Return the answer that becomes the first board of a table."""
        hold = self._reconciler.hold(Lane(table.id))
        self._sightings.tables_without_board.add(table.id)  # hands link to it, so they come after it
        noted = LiveMessage(
            table_id=table.id,
            kind=Kind.BOARD,
            user_id=None,
            channel_id=table.place.channel_id,
            nonce=new_nonce(),
            version=table.version,
            posted_at=self._now(),
        )
        try:
            return Answer(self._messages, await self._messages.note(noted), hold)
        except BaseException:
            hold.release()
            raise

    async def answering(self, table_id: int, interaction: discord.Interaction, kind: Kind) -> Answer:
        """Return the answer to a press. If it may replace the pressed message, nothing else edits that until then.

        ``kind`` is the kind of live message that it may replace. It may always replace an open hand.
        """
        pressed = interaction.message.id if interaction.message else 0
        for message in await self._messages.of(table_id) if pressed else ():
            if (message.message_id, message.kind, message.stage) == (pressed, kind, Stage.LIVE):
                return Answer(self._messages, message, self._reconciler.hold(lane_of(message)))
        return Answer(self._messages, None, self.open_messages.hold(interaction))

    async def board_link(self, table: Table) -> str:
        """Return a named link to the board of a table, empty while there is none."""
        return board_link(table, await self._messages.of(table.id))

    # ---- what happens on Discord

    async def on_message(self, message: discord.Message) -> None:
        """Notice that somebody wrote below a board."""
        if self._client.user is None or message.author.id != self._client.user.id:
            self._sightings.note_message(message.channel.id, message.id)

    async def edited(self, message_id: int) -> None:
        """Show a board again if an edit overwrote it that Discord has carried out late."""
        self._sightings.note_edit(message_id, is_event=True)
        if self._sightings.is_certain(message_id):
            return
        await asyncio.sleep(_ECHO_S)  # the response to an own edit comes after its event
        if self._sightings.was_overwritten(message_id):
            for table_id in await self._messages.tables_of([message_id]):
                self._reconciler.redraw(Lane(table_id))

    async def deleted(self, message_ids: Collection[int]) -> None:
        """Post again what somebody else deleted."""
        deleted = self._sightings.deleted_by_others(message_ids)
        self._sightings.note_gone(deleted)
        for table_id in await self._messages.tables_of(deleted):
            if self._owner.holds((await self._tables.table(table_id)).place.guild_id):
                self._sightings.tables_without_board.add(table_id)
                self.refresh(table_id)

    async def channel_deleted(self, channel_id: int) -> None:
        """Let the players of the tables there know that their boards are gone."""
        for table in await self._tables.lists.in_channel(channel_id, None, MAX_CHOICES):
            messages = await self._messages.of(table.id)
            self._sightings.note_gone(
                message.message_id for message in messages if message.channel_id == channel_id and message.message_id
            )
            self.refresh(table.id)

    async def access_lost(self, channel_id: int) -> None:
        """Try the boards there, so that hands say what is wrong.

        The boards may still exist. They can be used again if the bot gets access back.
        """
        for table in await self._tables.lists.in_channel(channel_id, None, MAX_CHOICES):
            self._reconciler.redraw(Lane(table.id))
            self.refresh(table.id)

    async def check(self, table_id: int) -> None:
        """Check that the board is still there: it may have been deleted while the bot wasn't connected.

        If it shows moves that the database lacks, that is an older copy. Then all messages of the table are replaced.
        """
        if self._reconciler.refusals.wait_s(Lane(table_id)):
            return
        for board in await self._messages.of(table_id):
            if board.kind is not Kind.BOARD or board.stage is not Stage.LIVE or board.message_id is None:
                continue
            place = self._client.get_partial_messageable(board.channel_id)
            try:
                async with self._pace.slot(board.channel_id, "other", Priority.OTHER):
                    shown = await place.get_partial_message(board.message_id).fetch()
                if await self._shows_lost_moves(shown, board):
                    log.warning("table %s: its board shows moves that the database lacks", table_id)
                    await self._messages.mark_restored(table_id)
                    self.refresh(table_id)
            except discord.NotFound:
                await self.deleted([board.message_id])
            except CONNECTION_ERRORS as error:
                log.info("table %s: its board can't be checked: %s", table_id, error)

    async def _shows_lost_moves(self, shown: discord.Message, board: LiveMessage) -> bool:
        """Whether a board shows a later version of the table than the database has, or has been replaced."""
        if board.is_restored or board not in await self._messages.of(board.table_id):  # it is just being replaced
            return False
        table = await self._tables.table(board.table_id)
        version = shown_version(shown, table.key)
        return version is None or version > table.version

    # ---- what Discord has refused

    async def try_again(self, guild_id: int, thread_id: int | None = None) -> None:
        """Show the tables again where something was refused in this server, or thread: its settings have changed."""
        for table_id in self._reconciler.refused_tables() | set(self.drawings.troubles):
            with contextlib.suppress(NoSuchTable, StoreError):
                place = (await self._tables.table(table_id)).place
                if place.guild_id == guild_id and thread_id in {None, place.channel_id}:
                    self._reconciler.lift(table_id=table_id)
                    self.refresh(table_id)

    async def try_direct_messages(self, user_id: int) -> None:
        """Try direct messages to the user again, who may have opened them. If that doesn't help, wait longer."""
        refusals, mark = self._reconciler.refusals, ("tries", user_id)
        is_closed = user_id in self.drawings.unreachable or await self._tables.users.is_dm_closed(user_id)
        if not is_closed or refusals.wait_s(mark):
            return
        refusals.note(mark)
        await self.reopen(user_id)
        for table in await self._tables.lists.open_tables(user_id=user_id):
            self._reconciler.request(Lane(table.id, user_id))
            self._reconciler.request(Lane(table.id))

    async def reopen(self, user_id: int) -> None:
        """Count the user's direct messages as open."""
        self.drawings.unreachable.discard(user_id)
        self._reconciler.lift(user_id=user_id)
        await self._tables.users.set_dm_closed(user_id, closed=False)
