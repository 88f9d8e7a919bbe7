"""Boards: one live message a table, and one ping a turn.

A board is a projection of the log, drawn from the public's observation and from nothing else. It is redrawn until the
version shown is the version committed; the latest wins.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import discord

from bot.games.game import Observation
from bot.tables import Shown, Sight, Table, Tables
from bot.ui.ending import ending
from bot.ui.hand import Faces
from bot.ui.layout import digest, layout
from bot.ui.links import link_to
from bot.ui.lobby import lobby
from bot.ui.post import Button, Face, Post
from bot.ui.redraw import Redraws, computers_next
from bot.ui.text import clip, listed, name_of

log = logging.getLogger(__name__)

YOUNG_S: Final = 50 * 60
"""Older messages are posted anew: Discord lets a message older than an hour be edited only so often (30046)."""
AWAKE_S: Final = 60
"""Who moved or took part in the lobby so recently needs no ping."""
_EVENTS: Final = 8
_EVENTS_TEXT: Final = 1500

BUTTONS: Final = (
    (Button("hand", "My hand", "primary"), Button("turn", "Play"), Button("rules", "Rules"), Button("more", "More")),
)


def board(face: Face[Any], sight: Sight) -> Post:
    """The public board of a table that has started."""
    table, observation = sight.table, sight.observation
    heading = f"### Table {table.name} · {face.game.title} · {face.progress(observation)}"
    if observation.outcome is not None:
        rows = ((Button("rules", "Rules"), Button("fair", "Fair deal"), Button("transcript", "Transcript")),)
        return Post((heading, *ending(face, table, observation)), rows=rows)
    if table.status == "closed":
        return Post((heading, "This table was closed before the end.", *face.board(table, observation)))
    turn = f"**{listed([name_of(table, seat) for seat in _owing(observation)])} to play**"
    return Post((f"{heading}\n{turn}", *face.board(table, observation), *_events(face, sight)), rows=BUTTONS)


def to_act(sight: Sight) -> tuple[int, ...]:
    """The users who owe a move; computers are left out."""
    owing = _owing(sight.observation)
    return tuple(s.user_id for s in sight.table.sitters if s.seat in owing and s.user_id is not None)


def _owing(observation: Observation) -> tuple[int, ...]:
    return tuple(sorted(seat for seat in observation.to_act if seat is not None))


def _events(face: Face[Any], sight: Sight) -> tuple[str, ...]:
    said = [line for event in sight.events if (line := face.say(sight.table, event))][-_EVENTS:]
    while sum(map(len, said)) > _EVENTS_TEXT and len(said) > 1:
        said.pop(0)
    return (clip("\n".join(said), _EVENTS_TEXT),) if said else ()


class Boards:
    """The board messages of all tables."""

    def __init__(self, client: discord.Client, tables: Tables, faces: Faces, now: Callable[[], float]) -> None:
        self._client = client
        self._tables = tables
        self._faces = faces
        self._now = now
        self._redraws = Redraws("board", self._draw)
        self._were_to_act: dict[int, tuple[int, ...]] = {}
        self._noticed: dict[int, float] = {}

    def redraw(self, table_id: int) -> asyncio.Task[None]:
        """Brings the board of the table up to date, soon; the task never raises."""
        return self._redraws.ask(table_id)

    def notice(self, user_id: int) -> None:
        """The user is here, as his press in a lobby shows; no move tells of it."""
        now = self._now()
        recent = {user: at for user, at in self._noticed.items() if now - at <= AWAKE_S}
        self._noticed = recent | {user_id: now}

    async def close(self) -> None:
        """Stops drawing; what is left undone is repaired at the next start."""
        await self._redraws.close()

    async def post(self, table: Table) -> Post:
        """What the board says now."""
        face = self._faces[table.game]
        if table.status == "lobby" or (table.status == "closed" and table.outcome is None):
            users = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
            by_button = frozenset([user for user in users if await self._tables.dm_closed(user)])
            return lobby(table, face.game, by_button)
        return board(face, await self._tables.look(table.id, None))

    async def adopt(self, table: Table, channel_id: int, message_id: int, post: Post) -> None:
        """Makes a message that shows this post the board of the table, such as the answer to ``/pond open``."""
        await self._record(table, channel_id, message_id, post)
        self.redraw(table.id)

    # ---- drawing

    async def _draw(self, table_id: int) -> None:
        table = await self._tables.table(table_id)
        shown = await self._tables.shown(table_id)
        old = next((message for message in shown if message.kind == "board"), None)
        pings = [message for message in shown if message.kind == "ping"]
        if await computers_next(self._tables, table):
            return
        post = await self.post(table)
        turn = await self._turn(table)
        is_drawn = old is not None and old.digest == digest(post)
        # A board that the last run has drawn has had its ping, too.
        passed = turn != self._were_to_act.setdefault(table_id, turn if is_drawn else ())
        if is_drawn and not passed:
            return
        try:
            if old is None or self._to_post_anew(table, old, pings, passed=passed):
                await self._delete(pings)
                await self._post(table, post, turn if passed else (), old)
            elif not is_drawn and not await self._edit(table, old, post):
                await self._delete(pings)
                await self._post(table, post, turn if passed else (), None)
            elif passed:
                await self._delete(pings)
                await self._ping(table, turn, old)
        except discord.Forbidden as refusal:
            log.warning("table %s: the bot may not write in channel %s: %s", table_id, table.place.channel_id, refusal)
        self._were_to_act[table_id] = turn

    async def _turn(self, table: Table) -> tuple[int, ...]:
        if table.status != "playing":
            return ()
        return to_act(await self._tables.look(table.id, None))

    def _to_post_anew(self, table: Table, old: Shown, pings: list[Shown], *, passed: bool) -> bool:
        if self._now() - old.posted_at > YOUNG_S:
            return True
        channel = self._client.get_channel(table.place.channel_id)
        last = getattr(channel, "last_message_id", None)
        ours = {old.message_id, *(ping.message_id for ping in pings)}
        return passed and table.place.guild_id is not None and last is not None and last not in ours

    async def _edit(self, table: Table, old: Shown, post: Post) -> bool:
        """Whether the message was still there to be edited."""
        message = self._client.get_partial_messageable(old.channel_id).get_partial_message(old.message_id)
        try:
            await message.edit(view=layout(post, table.id, table.version))
        except discord.NotFound:
            return False
        await self._record(table, old.channel_id, old.message_id, post, posted_at=old.posted_at)
        return True

    async def _post(self, table: Table, post: Post, turn: tuple[int, ...], old: Shown | None) -> None:
        users = await self._asleep(table, turn)
        seen = replace(post, paragraphs=(*post.paragraphs, _mention(users))) if users else post
        message = await self._client.get_partial_messageable(table.place.channel_id).send(
            view=layout(seen, table.id, table.version),
            nonce=f"b{table.commitment[:12]}.{table.version}",
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in users]),
        )
        await self._record(table, table.place.channel_id, message.id, post)
        if old is not None:
            await self._strip(table, old, message.id)

    async def _strip(self, table: Table, old: Shown, new_id: int) -> None:
        message = self._client.get_partial_messageable(old.channel_id).get_partial_message(old.message_id)
        line = Post((f"-# Table {table.name} goes on [further down]({link_to(table, new_id)}).",))
        try:
            await message.edit(view=layout(line))
        except discord.HTTPException as fault:  # it is of no use any more, so one try is enough
            log.info("the old board of table %s stays as it is: %s", table.id, fault)

    # ---- pings

    async def _ping(self, table: Table, turn: tuple[int, ...], board_message: Shown) -> None:
        users = await self._asleep(table, turn)
        if not users:
            return
        link = link_to(table, board_message.message_id)
        title = self._faces[table.game].game.title
        line = f"{_mention(users)} your turn at [Table {table.name}]({link}) · {title}"
        message = await self._client.get_partial_messageable(table.place.channel_id).send(
            view=layout(Post((line,))),
            nonce=f"p{table.commitment[:12]}.{table.version}",
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in users]),
        )
        channel_id = table.place.channel_id
        await self._tables.record_shown(
            Shown(table.id, "ping", users[0], channel_id, message.id, table.version, self._now(), "")
        )

    async def _asleep(self, table: Table, turn: tuple[int, ...]) -> tuple[int, ...]:
        """Of those to act, the users to ping: all but who was active a moment ago; nobody in a direct message."""
        if table.place.guild_id is None:
            return ()
        moved = await self._tables.last_moves(table.id)
        active = {user: max(moved.get(user, 0.0), self._noticed.get(user, 0.0)) for user in turn}
        return tuple(user for user in turn if self._now() - active[user] > AWAKE_S)

    async def _delete(self, pings: list[Shown]) -> None:
        for ping in pings:
            message = self._client.get_partial_messageable(ping.channel_id).get_partial_message(ping.message_id)
            try:
                await message.delete()
            except discord.NotFound:
                log.info("a ping of table %s was gone already", ping.table_id)
            await self._tables.forget_shown(ping)

    async def _record(
        self, table: Table, channel_id: int, message_id: int, post: Post, posted_at: float | None = None
    ) -> None:
        at = self._now() if posted_at is None else posted_at
        await self._tables.record_shown(
            Shown(table.id, "board", 0, channel_id, message_id, table.version, at, digest(post))
        )


def _mention(users: tuple[int, ...]) -> str:
    return " ".join(f"<@{user}>" for user in users)
