"""The messages of all tables and other subjects, as the rest of the bot sees them."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable
from typing import Final

import discord

from bot.errors import DamagedTable, NoSuchTable
from bot.records.live_message import TABLE, LiveMessage
from bot.records.table import Place, Receipt, Table
from bot.tables.finding import MAX_CHOICES
from bot.tables.tables import Tables
from bot.ui.interactions.reply import RESPONSE, Reply, Shows
from bot.ui.live.drawings import Drawings, computers_next
from bot.ui.live.hands import Note
from bot.ui.live.lanes import Draw, Lane, Owner, lane_of
from bot.ui.live.open_messages import OpenMessages
from bot.ui.live.outbox import Outbox
from bot.ui.live.pace import Budget, Priority
from bot.ui.live.pings import PingTiming
from bot.ui.live.reconciler import Reconciler
from bot.ui.live.sightings import Look, Sightings
from bot.ui.live.workers import Release, persist
from bot.ui.live.writer import Writer, board_of
from bot.ui.messages.board import board_link, live_board
from bot.ui.posts.discord_errors import Code
from bot.ui.posts.face import Faces
from bot.ui.posts.sender import Sender, Sent

log: Final = logging.getLogger(__name__)

_ECHO_S: Final = 1.0
"""Maximum time between the event about an edit and its response."""
HOLD_S: Final = 30.0
"""The longest time that an answer keeps private messages from being edited. By then it was given or given up."""
SHOWN_WITHIN_S: Final = 20.0
"""The longest time that an answer waits for a live message."""
_POSTED_WITHIN_S: Final = 1.5
"""Maximum time that an answer waits for the board of a new table, so that it can link to it."""
_LOOK_S: Final = 0.1
"""How often this looks for a board that another process posts."""


class LiveMessages:
    """Keeps what Discord shows of each table, and of other subjects, up to date."""

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
            note_closed=self.note_closed,
            now=now,
        )
        self.request, self.redraw = self._reconciler.request, self._reconciler.redraw
        self.open_messages = OpenMessages(tables, now, sender)
        self.outbox = Outbox(client, budget, sender)
        self._refreshing: set[asyncio.Task[None]] = set()
        self._sender = sender
        self._expected: dict[int, list[Release]] = {}
        """What to do once an interaction is answered."""

    def on_board(self, listener: Callable[[Table], None]) -> None:
        """Call the listener with each table whose board is up to date."""
        self._reconciler.dependents.board_listeners.append(listener)

    def add(self, subject: str, draw: Draw) -> None:
        """Register what draws the messages of a kind of subject. Ask for them by `request`, with its lane."""
        self.drawings.features[subject] = draw

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

    def refresh_notices(self) -> None:
        """Bring the boards up to date that say that time runs out, or has: the time of an outage doesn't count."""
        for table_id in sorted(self.drawings.timed):
            self.refresh(table_id)

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

    def expect(self, interaction: discord.Interaction) -> None:
        """Let the pressed message answer the press when it is edited. Only the answer edits a private one."""
        pressed = interaction.message
        if pressed is None:
            return
        if pressed.flags.ephemeral:
            self.wait_in(interaction)
        else:
            self._until_answered(interaction, self._sender.tokens.expect(pressed.id, interaction.extras[RESPONSE]))

    def wait_in(self, interaction: discord.Interaction) -> None:
        """Keep the pressed private message, in which the user waits, until the interaction is answered."""
        if (pressed := interaction.message) is not None:
            self._until_answered(interaction, self.open_messages.hold(interaction.user.id, pressed.id))

    def _until_answered(self, interaction: discord.Interaction, release: Release) -> None:
        timer = asyncio.get_running_loop().call_later(HOLD_S, self.release, interaction.id)
        self._expected.setdefault(interaction.id, []).extend((release, timer.cancel))

    def release(self, interaction_id: int) -> None:
        """Expect nothing more of an interaction."""
        for release in self._expected.pop(interaction_id, ()):
            release()

    def opened(self, interaction: discord.Interaction, table: Table) -> Shows:
        """Let the board of a new table be the answer to the command."""
        self._sightings.tables_without_board[table.id] = None  # hands link to it, so they come after it
        self._sightings.tables_seen[table.id] = None
        end = self._sender.tokens.expect(board_of(table.id), interaction.extras[RESPONSE])
        self._until_answered(interaction, end)
        self._until_answered(interaction, lambda: self._reconciler.request(Lane(table.id)))  # in case it can't be
        self._reconciler.request(Lane(table.id))
        return Shows(table.id)

    async def show_board(self, table: Table) -> Shows:
        """Have the board answer a press by showing a change of the table, at once if computers are to move."""
        if await computers_next(self._tables, table):
            self._reconciler.redraw(Lane(table.id))
        elif table.status != "playing":
            self._reconciler.request(Lane(table.id))  # `changed` first looks up whose messages there are
        return Shows(table.id)

    def show_hand(self, table: Table, user_id: int, note: Note | None = None) -> Shows:
        """Show a hand again soon, with something that its player wants to see."""
        self.drawings.set_note(table.id, user_id, note)
        self._reconciler.redraw(Lane(table.id, user_id))
        return Shows(table.id, user_id)

    def asks(self, table: Table, user_id: int) -> None:
        """Show a player a question in their hand that is nobody else's business: others' messages stay as they are."""
        self.show_hand(table, user_id)
        self.open_messages.redraw(table.id, again=True, of=user_id)

    async def shown(self, shows: Shows) -> None:
        """Wait until a live message is up to date, unless that takes long."""
        if (working := self._reconciler.working(Lane(*shows))) is not None:
            await asyncio.wait({working}, timeout=SHOWN_WITHIN_S)

    def answered(self, interaction: discord.Interaction, reply: Reply, sent: Sent) -> None:
        """Keep the private message that an answer shows up to date, and delete those that it replaces."""
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
            for message in await self._messages.among([message_id]):
                self.redraw(lane_of(message))

    async def deleted(self, message_ids: Collection[int]) -> None:
        """Post again what somebody else deleted. Cards wait for their next change."""
        deleted = self._sightings.deleted_by_others(message_ids)
        self._sightings.note_gone(deleted)
        recorded = await self._messages.among(deleted)
        for table_id in dict.fromkeys(each.subject_id for each in recorded if each.subject == TABLE):
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

    async def check(self, table_id: int) -> bool:
        """Check that the board is still there: it may have been deleted while the bot wasn't connected.

        If it shows moves that the database lacks, that is an older copy. Then all messages of the table are replaced.
        Return false if it has to be checked again, as Discord couldn't be asked.
        """
        self._sightings.tables_seen.pop(table_id, None)
        if self._reconciler.refusals.wait_s(Lane(table_id)):
            return True  # the next attempt looks first
        table = await self._tables.table(table_id)
        found = await self._sightings.look(table, await self._messages.of(table_id), Priority.OTHER)
        if found is Look.CHANGED:
            self.refresh(table_id)
        return found is not Look.FAILED

    async def _place_of(self, table_id: int) -> Place | None:
        """Return where a table is; ``None`` if it was deleted, or can't be read."""
        with contextlib.suppress(NoSuchTable, DamagedTable):
            return (await self._tables.table(table_id)).place
        return None

    # ---- what Discord has refused

    async def try_again(self, guild_id: int, thread_id: int | None = None) -> None:
        """Show the tables again where something was refused in this server, or thread: its settings have changed."""
        self._reconciler.note_change(guild_id=guild_id)
        self._reconciler.lift_cards(guild_id, thread_id)
        for table_id in sorted(self._reconciler.refused_tables().union(self.drawings.troubles)):
            place = await self._place_of(table_id)
            if place is not None and place.guild_id == guild_id and thread_id in {None, place.channel_id}:
                self._reconciler.lift(table_id=table_id)
                self.refresh(table_id)

    async def joined(self, guild_id: int) -> None:
        """Try direct messages to the players of this server again who shared none with the bot before it came."""
        strangers = [each for each in self._sightings.strangers if each[1] in {guild_id, None}]
        for each in strangers:
            del self._sightings.strangers[each]
        for user_id in dict.fromkeys(user_id for user_id, _ in strangers):
            await self.reopen(user_id)

    async def try_direct_messages(self, user_id: int, *, is_closed: bool, is_asked: bool = False) -> None:
        """Try direct messages to the user again, who may have opened them. If that doesn't help, wait longer.

        ``is_closed`` is what is stored about them. For users who ask for it, the pause doesn't grow.
        """
        refusals, mark = self._reconciler.refusals, ("asked" if is_asked else "tries", user_id)
        if not (is_closed or user_id in self.drawings.unreachable) or refusals.wait_s(mark):
            return
        if is_asked:
            refusals.lift(mark)
        refusals.note(mark)
        await self.reopen(user_id)

    async def note_closed(self, user_id: int, guild_id: int | None, refusal: Exception) -> None:
        """Count a user's direct messages as closed, as Discord has refused one, about a table of this server.

        The boards of all their tables say so.
        """
        if getattr(refusal, "code", 0) == Code.NOTHING_SHARED:
            self._sightings.strangers[user_id, guild_id] = None
        await self._tables.users.set_dm_closed(user_id, closed=True)
        for table in await self._tables.lists.open_tables(user_id=user_id):
            self._reconciler.request(Lane(table.id))

    async def reopen(self, user_id: int) -> None:
        """Count the user's direct messages as open. If they were closed, send what the user has missed."""
        was_closed = user_id in self.drawings.unreachable or await self._tables.users.is_dm_closed(user_id)
        self._reconciler.note_change(user_id=user_id)
        self.drawings.unreachable.discard(user_id)
        self._reconciler.lift(user_id=user_id)
        if not was_closed:
            return
        await self._tables.users.set_dm_closed(user_id, closed=False)
        for table in await self._tables.lists.open_tables(user_id=user_id):
            if table.place.guild_id is None:  # its board is a direct message, too
                self._reconciler.lift(table_id=table.id)
            self._reconciler.request(Lane(table.id, user_id))
            self._reconciler.request(Lane(table.id))
