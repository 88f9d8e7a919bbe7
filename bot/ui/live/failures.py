"""What Discord refuses: why, what players read about it, and when it may be tried again."""

import asyncio
from collections.abc import Hashable
from http import HTTPStatus
from typing import Final, NamedTuple

import discord

from bot.errors import Text
from bot.records.table import Place, Table
from bot.texts import gettext as _, listed, translated
from bot.ui.posts.discord_errors import TOO_MANY_THREADS, Code
from bot.ui.posts.recent import Recent

Channel = discord.abc.GuildChannel | discord.Thread

_VIEW: Final = Text("View Channel")
_NEEDED: Final = {"view_channel": _VIEW, "send_messages": Text("Send Messages")}
_NEEDED_IN_THREAD: Final = {"view_channel": _VIEW, "send_messages_in_threads": Text("Send Messages in Threads")}
_NEEDED_IN_VOICE: Final = {**_NEEDED, "connect": Text("Connect")}
"""The chat of a voice channel is only for those who may connect: to others, Discord answers Missing Access (50001)."""
_MAX_ERROR: Final = 100
_WHY: Final = (
    ({Code.ARCHIVED, Code.LOCKED}, Text("the thread is locked. Ask a moderator to unlock it.")),
    (TOO_MANY_THREADS, Text("this server has too many open threads. Ask a moderator to close some.")),
    ({Code.AUTOMOD, Code.AUTOMOD_TITLE}, Text("AutoMod blocks it. Ask a moderator to let my messages pass.")),
    ({Code.HARMFUL_LINK}, Text("Discord takes a link in it for harmful.")),
    ({Code.SLOW_MODE}, Text("slow mode is on. Ask a moderator to turn it off, or to let me bypass it.")),
    ({Code.VERIFICATION}, Text("the server wants me to be verified. Ask a moderator to give me a role.")),
    (
        {Code.IN_FORUM, Code.NO_TEXT_CHANNEL, Code.WRONG_CHANNEL_TYPE},
        Text("it takes no messages. Open the next table in a text channel."),
    ),
    (
        {Code.UNAUTHORIZED, Code.UNVERIFIED, Code.SENDING_DISABLED, Code.FEATURE_DISABLED, Code.BLOCKED_BY_NETWORK},
        Text("Discord takes no messages from me at the moment. I keep trying."),
    ),
    ({HTTPStatus.TOO_MANY_REQUESTS}, Text("Discord makes me wait, perhaps for slow mode.")),
)
"""What players read about refusals with these codes, which begins in the middle of a sentence."""


class Trouble(NamedTuple):
    """Why Discord refuses to show a board: its error, and the permissions that the bot lacks."""

    guild_id: int | None
    code: int
    text: str
    lacking: tuple[str, ...] = ()


def trouble(client: discord.Client, place: Place, refusal: Exception) -> Trouble:
    """Return why Discord refuses to show a board."""
    lacking = tuple(_lacking(client, place))
    if not isinstance(refusal, discord.HTTPException):
        return Trouble(place.guild_id, HTTPStatus.TOO_MANY_REQUESTS, "", lacking)
    if not lacking and refusal.code == Code.MISSING_ACCESS:
        lacking = (_VIEW,)
    return Trouble(place.guild_id, refusal.code, refusal.text or str(refusal.status), lacking)


def trouble_text(trouble: Trouble, table: Table) -> str:
    """Return why Discord refuses to show a board, as sentences for the table's players."""
    why = _why(trouble, f"<#{table.place.channel_id}>")
    return _("{why} You can play on with this message: it's up to date.", why=why)


def _why(trouble: Trouble, channel: str) -> str:
    if trouble.code == Code.UNKNOWN_CHANNEL:
        return _("I can't show the board: its channel is gone.")
    for codes, why in _WHY:
        if trouble.code in codes:
            return _("I can't post the board in {channel}: {why}", channel=channel, why=translated(why))
    if trouble.lacking:
        return _(
            "I can't post the board in {channel}. Ask a moderator to give me these permissions: {permissions}.",
            channel=channel,
            permissions=listed([translated(name) for name in trouble.lacking]),
        )
    if trouble.code == Code.MISSING_PERMISSIONS:
        return _(
            "I can't post the board in {channel}. Ask a moderator to check my permissions.",
            channel=channel,
        )
    error = trouble.text.partition("\n")[0][:_MAX_ERROR]
    return _("I can't post the board in {channel}. Discord says “{error}”.", channel=channel, error=error)


def may_attach(client: discord.Client, place: Place) -> bool:
    """Whether the bot may post pictures in a channel, as far as it is cached."""
    channel = channel_of(client, place)
    has = _permissions(channel) if channel else None
    return has is None or has.attach_files


def _lacking(client: discord.Client, place: Place) -> list[str]:
    """Return the permissions that the bot lacks in a channel, as far as it is cached."""
    channel = channel_of(client, place)
    if channel is None:
        return []
    if (has := _permissions(channel)) is None:  # a thread in a channel that the bot can't view
        return [_VIEW]
    return missing_to_post(has, channel)


def channel_of(client: discord.Client, place: Place) -> Channel | None:
    """Return a channel of a server, if it is cached."""
    guild = client.get_guild(place.guild_id or 0)
    return guild.get_channel_or_thread(place.channel_id) if guild else None


def is_away(client: discord.Client, place: Place) -> bool:
    """Whether the bot isn't on the server, as far as it knows."""
    return place.guild_id is not None and client.get_guild(place.guild_id) is None


def _permissions(channel: Channel) -> discord.Permissions | None:
    try:
        return channel.permissions_for(channel.guild.me)
    except discord.ClientException:
        return None


def may_read(has: discord.Permissions, channel: object) -> bool:
    """Whether somebody with these permissions can read the messages of a channel."""
    is_voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    return has.view_channel and (has.connect or not is_voice)


def missing_to_post(has: discord.Permissions, channel: object) -> list[str]:
    """Return the names of the permissions that the bot lacks to post in a channel or thread. They aren't translated."""
    match channel:
        case discord.Thread():
            needed = _NEEDED_IN_THREAD
        case discord.VoiceChannel() | discord.StageChannel():
            needed = _NEEDED_IN_VOICE
        case _:
            needed = _NEEDED
    return [name for key, name in needed.items() if not getattr(has, key)]


PAUSES_S: Final = (10.0, 60.0, 300.0, 600.0)
"""Pauses after the first refusal and the next ones; the last one repeats."""
SHARED_PAUSES_S: Final = (60.0, 300.0, 600.0, 1800.0)
"""The same for what everybody waits for, such as all new direct messages."""
TRY_S: Final = 20.0
"""The longest time that everybody waits for the result of one try."""
_MAX_KEPT: Final = 10_000


class _Pause(NamedTuple):
    """A pause until this time by the event loop's clock, after so many refusals, or during another try."""

    refusals: int = 0
    until: float = 0.0
    is_try: bool = False


class Refusals:
    """What has been refused, by any key."""

    def __init__(self) -> None:
        self._noted = Recent[Hashable, _Pause](_MAX_KEPT)

    def wait_s(self, what: Hashable) -> float:
        """Return for how long this mustn't be tried; 0 if it may."""
        return max(0.0, self._noted[what].until - _now()) if what in self._noted else 0.0

    def share_s(self, what: Hashable) -> float:
        """Return for how long this mustn't be tried; after 0, everybody else waits for the result of the caller."""
        wait_s = self.wait_s(what)
        if what in self._noted and not wait_s:
            self._noted[what] = _Pause(self._noted[what].refusals, _now() + TRY_S, is_try=True)
        return wait_s

    def note(self, what: Hashable, *, is_shared: bool = False) -> None:
        """Remember that this has been refused. Requests that were under way together count once."""
        before = self._noted.get(what, _Pause())
        if before.until > _now() and not before.is_try:
            return
        pauses = SHARED_PAUSES_S if is_shared else PAUSES_S
        self._noted[what] = _Pause(before.refusals + 1, _now() + pauses[min(before.refusals, len(pauses) - 1)])

    def lift(self, what: Hashable) -> None:
        """Forget that this was refused."""
        self._noted.pop(what, None)

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """All that has been refused and not been tried with success since."""
        return tuple(self._noted)


def _now() -> float:
    return asyncio.get_running_loop().time()
