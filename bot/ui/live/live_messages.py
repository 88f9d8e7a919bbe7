"""The boards, hands, pings and questions of all tables, as the rest of the bot sees them."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Final

import discord

from bot.errors import DamagedTable, NoSuchTable
from bot.tables import MAX_CHOICES, Kind, LiveMessage, Place, Receipt, Table, Tables
from bot.ui.interactions.reply import Reply, Shows
from bot.ui.live.drawings import Drawings
from bot.ui.live.open_messages import OpenMessages
from bot.ui.live.outbox import Outbox
from bot.ui.live.pace import Budget, Priority
from bot.ui.live.pings import PingTiming
from bot.ui.live.reconciler import Lane, Owner, Reconciler, lane_of
from bot.ui.live.sightings import Sightings
from bot.ui.live.workers import Release, persist
from bot.ui.live.writer import Writer
from bot.ui.messages.board import board_link, live_board
from bot.ui.posts.face import Faces
from bot.ui.posts.sender import Sender, Sent

log: Final = logging.getLogger(__name__)

_ECHO_S: Final = 1.0
"""Maximum time between the event about an edit and its response."""
HOLD_S: Final = 30.0
"""The longest time that an answer keeps messages from being edited. By then it was given or given up."""
_POSTED_WITHIN_S: Final = 1.5
"""Maximum time that an answer waits for the board of a new table, so that it can link to it."""
_LOOK_S: Final = 0.1
"""How often this looks for a board that another process posts."""


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
        self._owner = owner
        self.ping_timing = PingTiming(now)
        self.drawings = Drawings(tables, faces, self.ping_timing, now, client.get_guild)
        self._sightings = Sightings(client, tables, budget, now)
        self._writer = Writer(client, tables, self.drawings, self._sightings, now=now, sender=sender)
        self._reconciler = Reconciler(
            client=client,
            tables=tables,
            owner=owner,
            drawings=self.drawings,
            writer=self._writer,
            sightings=self._sightings,
            budget=budget,
            now=now,
        )
        self.note_closed = self._reconciler.note_closed
        self.open_messages = OpenMessages(tables, now, sender)
        self.outbox = Outbox(client, budget, sender)
        self._refreshing: set[asyncio.Task[None]] = set()
        self._holds: dict[int, list[Release]] = {}
        """What keeps messages from being edited until an interaction is answered."""

    def on_board(self, listener: Callable[[Table], None]) -> None:
        """Call the listener with each table whose board is up to date."""
        self._reconciler.board_listeners.append(listener)

    # ---- bringing up to date

    def changed(self, receipt: Receipt) -> None:
        """Show a change of a table. The answer to the command that opened it is its first board."""
        self.ping_timing.restart(receipt.table.id, receipt.owed)
        self.open_messages.redraw(receipt.table.id)
        if receipt.before and receipt.table.status == "playing" and not receipt.removes:
            self._request(receipt.table)
        elif receipt.before:
            self.refresh(receipt.table.id)  # those who have left have hands as well

    def refresh(self, table_id: int) -> asyncio.Task[None]:
        """Bring all messages of a table up to date; the task ends when that is done."""
        task = asyncio.create_task(self._refresh(table_id), name=f"messages of table {table_id}")
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)
        return task

    async def refresh_games_of(self, user_id: int) -> None:
        """Bring the messages of all tables in play up to date where the user has a seat."""
        for table in await self._tables.lists.open_tables(user_id=user_id):
            if table.status == "playing":
                self.refresh(table.id)

    async def _refresh(self, table_id: int) -> None:
        async def look_up() -> list[asyncio.Future[None]]:
            snapshot = await self._tables.snapshot(table_id)
            return self._request(snapshot.table, snapshot.messages)

        with contextlib.suppress(NoSuchTable, DamagedTable):  # it was deleted, or has ended and can't be read
            await asyncio.wait(await persist(f"looking up the messages of table {table_id}", look_up))

    def _request(self, table: Table, recorded: Iterable[LiveMessage] = ()) -> list[asyncio.Future[None]]:
        if not self._owner.holds(table.place.guild_id):
            return [self._reconciler.request(Lane(table.id))]  # this asks the process that updates all of them
        hands = (Lane(table.id, sitter.player_id) for sitter in table.sitters if sitter.player_id is not None)
        lanes = dict.fromkeys((Lane(table.id), *hands, *map(lane_of, recorded)))  # those who have left have hands, too
        return [self._reconciler.request(lane) for lane in lanes]

    async def posted(self, table: Table) -> str:
        """Have the board of a new table posted, and return a named link to it; empty if that takes too long.

        Another process may post it.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_POSTED_WITHIN_S):
                await asyncio.wait({self.refresh(table.id)})
                if not self._owner.holds(table.place.guild_id):
                    while not live_board(await self._messages.of(table.id)):  # noqa: ASYNC110 - another process posts it
                        await asyncio.sleep(_LOOK_S)
        return await self.board_link(table)

    def asked(self, table_id: int) -> asyncio.Task[None]:
        """Show a question or an answer that doesn't change the table; the task ends when its messages show it."""
        self.open_messages.redraw(table_id, again=True)
        return self.refresh(table_id)

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

    # ---- answers to interactions

    def hold(self, interaction: discord.Interaction, table_id: int, kind: Kind) -> None:
        """Let nothing else edit the pressed message until the press is answered, as the answer may replace it.

        ``kind`` is the kind of live message that it may replace. It may always replace an open private message.
        """
        pressed = interaction.message
        if pressed is None:
            return
        if pressed.flags.ephemeral:
            self._hold(interaction, self.open_messages.hold(interaction.user.id, pressed.id))
        elif kind is Kind.BOARD:
            self._hold(interaction, self._reconciler.hold(Lane(table_id)))
        elif interaction.guild_id is None:
            self._hold(interaction, self._reconciler.hold(Lane(table_id, interaction.user.id)))

    def wait_in(self, interaction: discord.Interaction) -> None:
        """Keep the pressed private message, in which the user waits, until the interaction is answered."""
        if (pressed := interaction.message) is not None:
            release = self.open_messages.hold(interaction.user.id, pressed.id)
            self._holds.setdefault(interaction.id, []).append(release)

    def _hold(self, interaction: discord.Interaction, release: Release) -> None:
        timer = asyncio.get_running_loop().call_later(HOLD_S, self.release, interaction.id)
        self._holds.setdefault(interaction.id, []).extend((release, timer.cancel))

    def release(self, interaction_id: int) -> None:
        """Let the messages be edited again that an answer might have replaced."""
        for release in self._holds.pop(interaction_id, ()):
            release()

    async def opening(self, interaction: discord.Interaction, table: Table) -> LiveMessage:
        """Return the record of a table's first board, which the answer shows."""
        self._hold(interaction, self._reconciler.hold(Lane(table.id)))
        self._sightings.tables_without_board[table.id] = None  # hands link to it, so they come after it
        self._sightings.tables_seen[table.id] = None
        return await self._writer.note_board(table)

    async def answered(self, interaction: discord.Interaction, reply: Reply, sent: Sent | None) -> None:
        """Record what an answer shows. Without ``sent``, nobody knows whether it has arrived."""
        if isinstance(reply.shows, Shows):
            await self._writer.answered(reply.shows, reply.draft.version, interaction.channel_id or 0, sent)
        if sent:
            self.open_messages.answered(interaction, reply, sent)

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
            place = await self._place_of(table_id)
            if place is not None and self._owner.holds(place.guild_id):
                self._sightings.tables_without_board[table_id] = None
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
        table = await self._tables.table(table_id)
        if await self._sightings.finds_change(table, await self._messages.of(table_id), Priority.OTHER):
            self.refresh(table_id)

    async def _place_of(self, table_id: int) -> Place | None:
        """Return where a table is; ``None`` if it was deleted, or can't be read."""
        with contextlib.suppress(NoSuchTable, DamagedTable):
            return (await self._tables.table(table_id)).place
        return None

    # ---- what Discord has refused

    async def try_again(self, guild_id: int, thread_id: int | None = None) -> None:
        """Show the tables again where something was refused in this server, or thread: its settings have changed."""
        self._reconciler.note_change(guild_id=guild_id)
        for table_id in self._reconciler.refused_tables() | set(self.drawings.troubles):
            place = await self._place_of(table_id)
            if place is not None and place.guild_id == guild_id and thread_id in {None, place.channel_id}:
                self._reconciler.lift(table_id=table_id)
                self.refresh(table_id)

    async def joined(self, guild_id: int) -> None:
        """Try direct messages to the players of this server again who shared none with the bot before it came."""
        strangers = [each for each in self._sightings.strangers if each[1] in {guild_id, None}]
        for each in strangers:
            del self._sightings.strangers[each]
        for user_id in {user_id for user_id, _ in strangers}:
            await self._write_again(user_id)

    async def try_direct_messages(self, user_id: int, *, is_closed: bool) -> None:
        """Try direct messages to the user again, who may have opened them. If that doesn't help, wait longer.

        ``is_closed`` is what is stored about them.
        """
        refusals, mark = self._reconciler.refusals, ("tries", user_id)
        if not (is_closed or user_id in self.drawings.unreachable) or refusals.wait_s(mark):
            return
        refusals.note(mark)
        await self._write_again(user_id)

    async def _write_again(self, user_id: int) -> None:
        await self.reopen(user_id)
        for table in await self._tables.lists.open_tables(user_id=user_id):
            self._reconciler.request(Lane(table.id, user_id))
            self._reconciler.request(Lane(table.id))

    async def reopen(self, user_id: int) -> None:
        """Count the user's direct messages as open."""
        self._reconciler.note_change(user_id=user_id)
        self.drawings.unreachable.discard(user_id)
        self._reconciler.lift(user_id=user_id)
        await self._tables.users.set_dm_closed(user_id, closed=False)


_MAY_LIFT_REFUSALS: Final = (
    "on_guild_update",
    "on_guild_role_update",
    "on_guild_role_delete",
    "on_guild_channel_update",
    "on_thread_join",  # Discord reports an unarchived thread as a new one
    "on_thread_update",
    "on_member_update",
)
"""After any of these events, a board that Discord refused may be accepted."""


_Listener = Callable[..., Coroutine[Any, Any, None]]


def listeners(live: LiveMessages) -> Mapping[str, _Listener]:
    """Return a listener for each of the client's events that concern messages, channels and servers."""

    async def message_deleted(event: discord.RawMessageDeleteEvent) -> None:
        await live.deleted([event.message_id])

    async def message_edited(event: discord.RawMessageUpdateEvent) -> None:
        await live.edited(event.message_id)

    async def messages_deleted(event: discord.RawBulkMessageDeleteEvent) -> None:
        await live.deleted(event.message_ids)

    async def channel_deleted(channel: discord.abc.GuildChannel) -> None:
        await live.channel_deleted(channel.id)

    async def thread_deleted(event: discord.RawThreadDeleteEvent) -> None:
        await live.channel_deleted(event.thread_id)

    async def guild_left(guild: discord.Guild) -> None:
        for place in (*guild.channels, *guild.threads):
            await live.access_lost(place.id)

    async def guild_joined(guild: discord.Guild) -> None:
        await live.try_again(guild.id)
        await live.joined(guild.id)

    async def changed(*states: Any) -> None:
        """The last argument is the present state: a server, or something on it."""
        now = states[-1]
        guild = now if isinstance(now, discord.Guild) else now.guild
        await live.try_again(guild.id, now.id if isinstance(now, discord.Thread) else None)

    following: dict[str, _Listener] = {
        "on_raw_message_edit": message_edited,
        "on_raw_message_delete": message_deleted,
        "on_raw_bulk_message_delete": messages_deleted,
        "on_guild_channel_delete": channel_deleted,
        "on_raw_thread_delete": thread_deleted,
        "on_guild_remove": guild_left,
        "on_guild_join": guild_joined,
        "on_guild_available": guild_joined,  # Discord may report a server that the bot is invited to as available
        **dict.fromkeys(_MAY_LIFT_REFUSALS, changed),
    }
    return {"on_message": live.on_message, **{event: _repeated(event, each) for event, each in following.items()}}


def _repeated(event: str, listener: _Listener) -> _Listener:
    """Return a listener that is called again after database errors: Discord reports nothing twice."""

    async def repeated(*given: Any) -> None:
        await persist(event, partial(listener, *given))

    return repeated
