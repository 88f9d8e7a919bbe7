"""Pings and questions: who gets them, when, and what they say."""

from collections.abc import Callable, Collection, Mapping, Sequence, Set as AbstractSet
from typing import Any, Final

from msgspec.structs import replace

from bot.records.live_message import Kind, Reader, Snapshot, slot_of
from bot.records.table import Table
from bot.tables.ping_settings import wants_digest, wants_ping
from bot.tables.seating import has_others
from bot.texts import gettext as _
from bot.ui.live.plan import Wanted
from bot.ui.messages.board import named_link
from bot.ui.messages.lobby import full_post
from bot.ui.posts.face import Face
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Post
from bot.ui.posts.recent import Recent
from bot.ui.posts.text import title_of

PAUSE_S: Final = 60
"""Players aren't pinged within this time of their last move, of something they did in the lobby, or of a ping."""
ALONE_S: Final = 600
"""The same for players among computers alone: they are playing right now, or have left on purpose."""

TABLES_KEPT: Final = 20_000
"""Maximum number of tables whose presses are remembered. Nothing else removes the presses of an ended table."""


class PingTiming:
    """Remembers recent activity; what happened before this process began, or in another one, is in the database."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._active: dict[tuple[int, int], float] = {}
        """When each user last moved at a table, or did something in its lobby; the longest ago first."""
        self._pressed = Recent[int, AbstractSet[int]](TABLES_KEPT)
        """The users who have pressed something at each table since it last changed, or since their turn began."""

    def active(self, table_id: int, user_id: int) -> None:
        """Note that the user moves at the table, or does something in its lobby."""
        now = self._now()
        self._active.pop((table_id, user_id), None)
        self._active[table_id, user_id] = now
        while not 0 <= now - self._active[first := next(iter(self._active))] <= ALONE_S:
            del self._active[first]

    def pressed(self, table_id: int, user_id: int) -> None:
        """Note that the user has pressed something at the table, so that they know whose turn it is, without a ping."""
        self._pressed[table_id] = self._pressed.get(table_id, frozenset()) | {user_id}

    def restart(self, table_id: int, owed: AbstractSet[int] = frozenset()) -> None:
        """Forget all presses, except by users who owed a move then: they know that it's their turn."""
        if table_id in self._pressed:
            self._pressed[table_id] &= owed

    def ping_at(self, snapshot: Snapshot, users: Collection[int]) -> Mapping[int, float]:
        """Return the time from which each user may be pinged, without those who need or want no ping.

        There are no pings in direct messages, where every message is one.
        """
        if snapshot.table.place.guild_id is None:
            return {}
        aware = self._pressed.get(snapshot.table.id, frozenset[int]())
        return {
            user: self._ready_at(snapshot.table, user, snapshot.reader(user))
            for user in users
            if user not in aware
            and wants_ping(settings := snapshot.reader(user).settings, self._now())
            and not wants_digest(settings, snapshot.table)
        }

    def to_ask(self, snapshot: Snapshot, users: Collection[int]) -> tuple[int, ...]:
        """Return the users that a question may ping now, also in direct messages."""
        now = self._now()
        readers = {user: snapshot.reader(user) for user in users}
        return tuple(
            user
            for user, reader in readers.items()
            if wants_ping(reader.settings, now)
            and (reader.pinged_at is None or not 0 <= now - reader.pinged_at < PAUSE_S)
        )

    def to_host(self, snapshot: Snapshot, face: Face[Any]) -> tuple[tuple[Wanted, ...], float | None]:
        """Return the one ping of a lobby's host, from when the last seat goes until the start, or when it's due.

        There is none among computers alone: who filled the table with them is here.
        """
        table, slot = snapshot.table, slot_of(Kind.QUESTION, snapshot.table.host_id)
        if not table.is_full or not has_others(table, table.host_id):
            return (), None
        if not any(message.slot == slot for message in snapshot.messages):
            is_fresh = snapshot.reader(table.host_id).pinged_at is None
            at = self.ping_at(snapshot, (table.host_id,) if is_fresh else ()).get(table.host_id)
            if at is None or at > self._now():
                return (), at
        post = full_post(face, named_link(table, snapshot.messages))
        mentions = (table.host_id,)
        return (Wanted(Kind.QUESTION, digest(post), table.host_id, post=post, mentions=mentions, is_final=True),), None

    def _ready_at(self, table: Table, user_id: int, reader: Reader) -> float:
        """Times in the future, from before the clock was put back, don't count."""
        times = (self._active.get((table.id, user_id)), reader.moved_at, reader.pinged_at)
        pause_s = PAUSE_S if has_others(table, user_id) else ALONE_S
        return max((at + pause_s for at in times if at is not None and at <= self._now()), default=0.0)


def ping_post(table: Table, face: Face[Any], users: Sequence[int], link: str) -> Post:
    """Return the post that pings users below a board that stays. ``link`` is the table's name with a link to it."""
    mentions, title = _mentions(users), title_of(face.game)
    if table.status == "lobby":
        text = _("{mentions} you're invited to {table} · {game}", mentions=mentions, table=link, game=title)
        return Post((text,), rows=((Button("join", _("Join"), "success"),),))
    return Post((_("{mentions} your turn at {table} · {game}", mentions=mentions, table=link, game=title),))


def with_mentions(post: Post, table: Table, users: Sequence[int], *, is_question: bool) -> Post:
    """Return a message that pings these users when it is posted."""
    if not users:
        return post
    mentions = _mentions(users)
    if is_question:
        return replace(post, paragraphs=(mentions, *post.paragraphs))
    said = _("{mentions}, your turn.", mentions=mentions)
    if table.status == "lobby":
        said = _("{mentions} you're invited.", mentions=mentions)
    return replace(post, paragraphs=(*post.paragraphs, said))


def _mentions(users: Sequence[int]) -> str:
    return " ".join(f"<@{user}>" for user in users)
