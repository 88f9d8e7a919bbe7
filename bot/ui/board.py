"""Boards: one live message a table, and one ping a turn.

A board is a projection of the log, drawn from the public's observation and from nothing else. It is redrawn until the
version shown is the version committed; the latest wins.
"""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, Final

import aiohttp
import discord
from msgspec.structs import replace

from bot.games.game import Observation
from bot.tables import Shown, Sight, Table, Tables
from bot.ui.ending import READING, RECENT_TEXT, ending, recent
from bot.ui.layout import MOST_TEXT, components, digest, layout
from bot.ui.links import link_to
from bot.ui.lobby import lobby
from bot.ui.notice import is_silent, with_notice
from bot.ui.pings import Pings, Plan
from bot.ui.post import Button, Face, Faces, Post
from bot.ui.posting import all_text, coming, edit, is_question, look_for, note, questions_coming
from bot.ui.redraw import Redraws, computers_next
from bot.ui.text import listed, name_of
from bot.ui.trouble import POST_ANEW, lasts, trouble

log = logging.getLogger(__name__)

_REMINDED_ALONE_S: Final = 1.0
"""How long the clocks wait for a reminder before they go on to the next table."""
YOUNG_S: Final = 50 * 60
"""Older messages are posted anew: Discord lets a message older than an hour be edited only so often (30046)."""
_MOMENT_S: Final = 0.25
"""An answer and an edit that Discord confirmed so close to each other may have come to it in either order."""
_DELETIONS: Final = 256
"""So many deletions of messages are remembered: a board may be deleted before it is recorded."""
_RESERVED: Final = 700
"""Characters left free on a board for what `with_notice` says and for mentions."""
_MENTION: Final = re.compile(r"<@(\d+)>")


BUTTONS: Final = (
    (Button("hand", "My hand", "primary"), Button("turn", "Play"), Button("rules", "Rules"), Button("more", "More")),
)


def board(face: Face[Any], sight: Sight) -> Post:
    """The public board of a table that has started."""
    table, observation = sight.table, sight.observation
    heading = f"### Table {table.name} · {face.game.title} · {face.progress(observation)}"
    if observation.outcome is not None:
        rows = ((*READING, Button("again", "Rematch", "primary")),)
        return Post((heading, *ending(face, sight)), rows=rows)
    turn = f"**{listed([name_of(table, seat) for seat in _owing(observation)])} to play**"
    parts = (f"{heading}\n{turn}", *face.board(table, observation))
    room = min(RECENT_TEXT, MOST_TEXT - _RESERVED - sum(map(len, parts)))
    return Post((*parts, recent(face, sight, room=room)), rows=BUTTONS)


def to_act(sight: Sight) -> tuple[int, ...]:
    """The users who owe a move; computers are left out."""
    owing = _owing(sight.observation)
    return tuple(s.user_id for s in sight.table.sitters if s.seat in owing and s.user_id is not None)


def _owing(observation: Observation) -> tuple[int, ...]:
    return tuple(sorted(seat for seat in observation.to_act if seat is not None))


class Boards:
    """The board messages of all tables."""

    def __init__(self, client: discord.Client, tables: Tables, faces: Faces, now: Callable[[], float]) -> None:
        self._client = client
        self._tables = tables
        self._faces = faces
        self._now = now
        self._redraws = Redraws("board", self._draw)
        self._opening: set[int] = set()
        self._deleted: deque[int] = deque(maxlen=_DELETIONS)
        self._troubles: dict[int, tuple[int | None, str]] = {}
        self._listeners: list[Callable[[int], object]] = []
        self.pings = Pings(tables, now, self.redraw)
        self._adopted: dict[int, Shown] = {}
        self._edited: dict[int, float] = {}

    def redraw(self, table_id: int) -> asyncio.Task[None]:
        """Brings the board of the table up to date, soon; the task never raises."""
        return self._redraws.ask(table_id)

    def notice(self, table_id: int, user_id: int) -> None:
        """The user is there, as he moves at the table, or does something in its lobby."""
        self.pings.active(table_id, user_id)

    async def close(self) -> None:
        """Stops drawing; what is left undone is repaired at the next start."""
        self.pings.close()
        await self._redraws.close()

    async def post(self, table: Table) -> Post:
        """What the board says now."""
        face = self._faces[table.game]
        if table.status in {"lobby", "closed"} or not self._tables.has_rulebook(table):
            users = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
            by_button = frozenset([user for user in users if await self._tables.dm_closed(user)])
            return lobby(table, face.game, by_button)
        sight = await self._tables.sight(table)
        post = board(face, sight)
        if sight.table.status != "playing":
            return post
        if is_silent(sight.table, self._now()) and not await self._tables.waiting.has_votes(sight.table):
            return post
        return with_notice(post, sight.table, await self._tables.waiting.standstill(sight.table))

    async def opening(self, table: Table) -> None:
        """The answer to a command is about to be the first board; until `adopt` or `lost` nothing else is drawn."""
        self._opening.add(table.id)
        await note(self._tables, self._shown(table, table.place.channel_id, 0), None)

    async def adopt(self, table: Table, channel_id: int, message_id: int, post: Post) -> None:
        """Makes a message that shows this post the board of the table, such as the answer to ``/pond open``.

        It is recorded by the next drawing, and not at once: else one that is under way might note in between whom it
        has told that it is his turn, and that would be lost. An edit of the same moment may have hidden the answer. If
        the board was posted anew meanwhile, the message becomes a link to it instead.
        """
        now = self._now()
        self._edited = {each: at for each, at in self._edited.items() if abs(now - at) < _MOMENT_S}
        shows = "" if table.id in self._edited else digest(post)
        self._adopted[table.id] = self._shown(table, channel_id, message_id, shows)
        self._opening.discard(table.id)
        self.redraw(table.id)

    def lost(self, table: Table) -> None:
        """The answer that was to be the first board may not have come; it is looked for, or posted."""
        self._opening.discard(table.id)
        self.redraw(table.id)

    # ---- drawing

    async def _draw(self, table_id: int) -> None:
        if table_id in self._opening:
            return
        await self._record_adopted(table_id)
        table = await self._tables.table(table_id)
        if not table.place.channel_id:  # it was in the direct messages of somebody who deleted their data
            return
        if await computers_next(self._tables, table):
            return
        turn = await self._turn(table)
        try:
            shown = await self._recovered(table, turn)
            await self._show(table, turn, shown)
        except discord.HTTPException as refusal:
            if lasts(refusal):
                self._tell(table, trouble(self._client, table, refusal))
            raise
        self._tell(table, "")
        past = [noted for noted in questions_coming(shown) if noted.version < table.version]
        for noted in filter(None, (coming(shown, "board"), coming(shown, "ping"), *past)):
            await self._tables.forget_shown(noted)  # it was not posted, and needs not be any more

    async def _record_adopted(self, table_id: int) -> None:
        while (new := self._adopted.get(table_id)) is not None:
            old = next(iter(_of_kind("board", await self._tables.shown(table_id))), None)
            told = old.digest.partition(":")[2] if old else ""
            await self._record(await self._tables.table(table_id), replace(new, digest=f"{new.digest}:{told}"))
            if self._adopted[table_id] is new:
                del self._adopted[table_id]

    async def _record(self, table: Table, new: Shown, old: Shown | None = None) -> None:
        """Records a message as the board. Of it and one that was posted meanwhile, such as by another process, the
        newer stays; the other becomes a link to it, as ``old`` has already, and does again if that was edited since.
        """
        other = await self._tables.record_shown(new)
        if other is not None and other != old:
            first, last = sorted((other.message_id, new.message_id))
            await self._strip(table, replace(new, message_id=first), last)
            self.redraw(table.id)

    async def _show(self, table: Table, turn: tuple[int, ...], shown: Sequence[Shown]) -> None:
        old = next(iter(_of_kind("board", shown)), None)
        pings = _of_kind("ping", shown)
        post = await self.post(table)
        drawn, _, told = old.digest.partition(":") if old else ("", "", "")
        drawing = digest(post)
        is_drawn = drawn == drawing
        plan = await self.pings.plan(table, turn, told.split("."))
        told_now = _told(plan.settled)
        passed = plan.is_news or bool(told and not turn)
        is_news = bool(plan.now) or (passed and not is_drawn)
        is_new = is_news or not is_drawn
        stays = old is not None and not (is_new and self._to_post_anew(table, old, pings, passed=is_news))
        if stays and old is not None and not is_drawn:
            stays = await self._edit(table, old, post, f"{drawing}:{told if plan.now else told_now}")
        if not stays or old is None:
            await self._post(table, post, plan, shown)
        past = [ping for ping in pings if passed or _is_past(ping, turn) or (plan.now and not is_question(ping))]
        faults = await self._delete(past)
        if stays and old is not None and told != told_now and (plan.now or is_drawn):
            there = [each for each in pings if each not in past or each.message_id in faults]
            ping = await self._ping(table, plan.now, old, there) if plan.now else None
            await self._tables.record_shown(replace(old, version=table.version, digest=f"{drawing}:{told_now}"))
            if ping is not None:  # as long as it isn't recorded it is looked for; so that comes last
                await self._record_ping(ping)
        for fault in faults.values():
            if not (isinstance(fault, discord.HTTPException) and lasts(fault)):
                raise fault  # the board is shown, and the ping is tried again

    # ---- what the last run, or an answer that was lost, may have left behind

    async def _recovered(self, table: Table, turn: tuple[int, ...]) -> Sequence[Shown]:
        """The messages that show the table, with those that were posted and not recorded."""
        shown = await self._tables.shown(table.id)
        for question in questions_coming(shown):
            asked = await look_for(self._client, question, table, shown)
            if asked is not None:
                await self._tables.record_shown(replace(question, kind="ping", message_id=asked.id))
                shown = await self._tables.shown(table.id)
        for kind in ("board", "ping"):
            noted = coming(shown, kind)
            found = await look_for(self._client, noted, table, shown) if noted else None
            if found is not None:
                await (self._take_board if kind == "board" else self._take_ping)(table, turn, found, shown)
                shown = await self._tables.shown(table.id)
        return shown

    async def _take_board(
        self, table: Table, turn: tuple[int, ...], found: discord.Message, shown: Sequence[Shown]
    ) -> None:
        old = next(iter(_of_kind("board", shown)), None)
        told = old.digest.partition(":")[2] if old else ""
        if mentioned := await self._mentioned(table, found):
            told = _told(_pinged(turn, mentioned, told)) if mentioned <= set(turn) else ""
        if old is not None:
            await self._strip(table, old, found.id)
        new = self._shown(table, found.channel.id, found.id, f":{told}")
        await self._record(table, replace(new, posted_at=found.created_at.timestamp()), old)

    async def _take_ping(
        self, table: Table, turn: tuple[int, ...], found: discord.Message, shown: Sequence[Shown]
    ) -> None:
        users = await self._mentioned(table, found)
        for old in _of_kind("board", shown):
            if users <= set(turn):
                drawn, _, told = old.digest.partition(":")
                told_now = _told(_pinged(turn, users, told))
                await self._tables.record_shown(replace(old, digest=f"{drawn}:{told_now}"))
        ping = self._shown(table, found.channel.id, found.id, _told(tuple(users)))
        await self._tables.record_shown(replace(ping, kind="ping", user_id=min(users)))

    async def _mentioned(self, table: Table, found: discord.Message) -> set[int]:
        """Whom the message pinged; its text mentions nobody else. That is recorded, as it wasn't when it was sent."""
        users = {int(user) for user in _MENTION.findall(all_text(found))}
        if users:
            await self._tables.record_pings(table.id, users, found.created_at.timestamp())
        return users

    async def _turn(self, table: Table) -> tuple[int, ...]:
        if table.status != "playing":
            return ()
        return to_act(await self._tables.sight(table))

    def _to_post_anew(self, table: Table, old: Shown, pings: list[Shown], *, passed: bool) -> bool:
        if old.message_id in self._deleted or self._now() - old.posted_at > YOUNG_S:
            return True
        guild = self._client.get_guild(table.place.guild_id) if passed and table.place.guild_id else None
        channel = guild.get_channel_or_thread(table.place.channel_id) if guild else None
        last = getattr(channel, "last_message_id", None)
        return last is not None and last not in {old.message_id, *(ping.message_id for ping in pings)}

    async def _edit(self, table: Table, old: Shown, post: Post, content: str) -> bool:
        """Whether the message was still there to be edited."""
        try:
            await edit(self._client, old, components(post, table.id, table.version))
        except discord.HTTPException as refusal:
            if isinstance(refusal, discord.NotFound):
                self._deleted.append(old.message_id)
                return False
            if refusal.code in POST_ANEW:
                return False
            raise
        self._edited[table.id] = self._now()
        if table.id in self._adopted:  # while this was on its way
            self._adopted[table.id] = replace(self._adopted[table.id], digest="")
        noted = self._tables.redrawn(replace(old, version=table.version, digest=content), old)
        self._redraws.overtaken(noted, table.id, partial(self._strip_replaced, table, old))
        return True

    async def _post(self, table: Table, post: Post, plan: Plan, shown: Sequence[Shown]) -> None:
        seen = replace(post, paragraphs=(*post.paragraphs, _mention(plan.now))) if plan.now else post
        new = self._shown(table, table.place.channel_id, 0, f"{digest(post)}:{_told(plan.settled)}")
        old = next(iter(_of_kind("board", shown)), None)
        message_id, is_as_drawn = await self._send(new, old, layout(seen, table.id, table.version), plan.now)
        if old is not None:
            await self._strip(table, old, message_id)
        shows = new.digest if is_as_drawn else f":{_told(plan.settled)}"
        await self._record(table, replace(new, message_id=message_id, digest=shows), old)
        if not is_as_drawn:
            self.redraw(table.id)
        if message_id in self._deleted:  # before it was recorded
            await self.deleted(new.channel_id, {message_id})

    async def _send(
        self, new: Shown, old: Shown | None, view: discord.ui.LayoutView, users: tuple[int, ...]
    ) -> tuple[int, bool]:
        """Posts what is to be recorded as ``new`` in place of ``old``, once; the id of the message, and whether it
        surely shows the view.
        """
        nonce, is_new = await note(self._tables, new, old)
        message = await self._client.get_partial_messageable(new.channel_id).send(
            view=view,
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in users]),
        )
        if users:
            await self._tables.record_pings(new.table_id, users, self._now())
        return message.id, is_new

    async def _strip_replaced(self, table: Table, old: Shown) -> None:
        for latest in _of_kind("board", await self._tables.shown(table.id)):
            if latest.message_id > old.message_id:
                await self._strip(table, old, latest.message_id)

    async def _strip(self, table: Table, old: Shown, new_id: int) -> None:
        if old.message_id in self._deleted:
            return
        line = Post((f"-# Table {table.name} goes on [further down]({link_to(table, new_id)}).",))
        try:
            await edit(self._client, old, components(line))
        except discord.HTTPException as fault:  # it is of no use any more, so one try is enough
            log.info("the old board of table %s stays as it is: %s", table.id, fault)

    # ---- pings

    async def _ping(self, table: Table, users: tuple[int, ...], board_message: Shown, pings: Sequence[Shown]) -> Shown:
        """Pings; gives what is to be recorded of that."""
        link = link_to(table, board_message.message_id)
        title = self._faces[table.game].game.title
        line = f"{_mention(users)} your turn at [Table {table.name}]({link}) · {title}"
        ping = replace(self._shown(table, table.place.channel_id, 0, _told(users)), kind="ping", user_id=min(users))
        old = next((each for each in pings if each.user_id == ping.user_id), None)
        message_id, _ = await self._send(ping, old, layout(Post((line,))), users)
        return replace(ping, message_id=message_id)

    async def _record_ping(self, ping: Shown) -> None:
        """Records a ping. Of it and one that another process has sent meanwhile the newer stays."""
        if other := await self._tables.record_shown(ping):
            await self._delete([replace(ping, message_id=min(other.message_id, ping.message_id))])

    async def remind(self, table_id: int) -> None:
        """Pings whom the table waits for once more, but for who wants no ping now."""
        table = await self._tables.table(table_id)
        if await self.pings.wanting(table, await self._turn(table)):
            self.pings.restart(table_id)
            for old in _of_kind("board", await self._tables.shown(table_id)):
                await self._tables.record_shown(replace(old, digest=f"{old.digest.partition(':')[0]}:"))
            await asyncio.wait({self.redraw(table_id)}, timeout=_REMINDED_ALONE_S)

    async def _delete(self, pings: Sequence[Shown]) -> dict[int, Exception]:
        """Deletes pings; gives why, by the ids of those that can't be now, such as in an archived thread."""
        faults: dict[int, Exception] = {}
        for ping in pings:
            message = self._client.get_partial_messageable(ping.channel_id).get_partial_message(ping.message_id)
            try:
                await message.delete()
            except discord.NotFound:
                log.info("a ping of table %s was gone already", ping.table_id)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as fault:
                log.info("a ping of table %s stays for now: %s", ping.table_id, fault)
                faults[ping.message_id] = fault
                continue
            await self._tables.forget_shown(ping)
        return faults

    def _shown(self, table: Table, channel_id: int, message_id: int, content: str = "") -> Shown:
        """A board as it is recorded: ``content`` is the digest of its post and who was told that it is his turn."""
        return Shown(table.id, "board", 0, channel_id, message_id, table.version, self._now(), content)

    # ---- trouble

    def trouble(self, table_id: int) -> str:
        """Why the board can't be shown, as a sentence; empty while it can."""
        return self._troubles[table_id][1] if table_id in self._troubles else ""

    def on_trouble(self, listener: Callable[[int], object]) -> None:
        """From now on calls the listener with the number of a table whose trouble begins, changes or is over."""
        self._listeners.append(listener)

    def try_again(self, guild_id: int) -> None:
        """Draws what could not be drawn there: something may be different now on that server."""
        for table_id, (where, _) in tuple(self._troubles.items()):
            if where == guild_id:
                self.redraw(table_id)

    async def deleted(self, channel_id: int, message_ids: AbstractSet[int] | None) -> None:
        """Somebody deleted messages, or the channel (``None``); a board of an open table among them is posted anew, and
        a question of an undo that was there may be asked again.
        """
        self._deleted.extend(message_ids or ())
        for table_id in await self._tables.lists.shown(channel_id, message_ids):
            shown = await self._tables.shown(table_id)
            for old in _of_kind("board", shown):
                if message_ids is None or old.message_id in message_ids:
                    self._tables.redrawn(replace(old, digest=f":{old.digest.partition(':')[2]}"), old)
                    self.redraw(table_id)
            for question in filter(is_question, _of_kind("ping", shown)):
                if question.message_id in (message_ids or ()):
                    await self._tables.forget_shown(question)

    async def look_after(self, table_id: int) -> None:
        """Looks whether the board is still there: it may have been deleted while nobody told this process."""
        for old in _of_kind("board", await self._tables.shown(table_id)):
            try:
                await self._client.http.get_message(old.channel_id, old.message_id)
            except discord.NotFound:
                await self.deleted(old.channel_id, {old.message_id})
            except (discord.HTTPException, aiohttp.ClientError, OSError) as fault:
                log.info("whether the board of table %s is there could not be seen: %s", table_id, fault)

    def _tell(self, table: Table, what: str) -> None:
        if self.trouble(table.id) == what:
            return
        if what:
            self._troubles[table.id] = (table.place.guild_id, what)
        else:
            del self._troubles[table.id]
        for listener in self._listeners:
            listener(table.id)


def _of_kind(kind: str, shown: Iterable[Shown]) -> list[Shown]:
    return [each for each in shown if each.kind == kind]


def _is_past(ping: Shown, turn: tuple[int, ...]) -> bool:
    """Whether whom it pings has nothing to do any more, though the turn of others goes on; a question goes with it."""
    pinged = set() if is_question(ping) else set(filter(None, ping.digest.split(".")))
    return bool(pinged) and pinged.isdisjoint(map(str, turn))


def _told(turn: tuple[int, ...]) -> str:
    return ".".join(map(str, turn))


def _pinged(turn: tuple[int, ...], mentioned: AbstractSet[int], told: str) -> tuple[int, ...]:
    """Of those to act, who has been told: by a message found just now, or before."""
    return tuple(user for user in turn if user in mentioned or str(user) in told.split("."))


def _mention(users: tuple[int, ...]) -> str:
    return " ".join(f"<@{user}>" for user in users)
