"""Errors of requests to Discord: which of them last and for whom, and the codes that the bot knows.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from enum import Enum, IntEnum, auto
from http import HTTPStatus
from typing import Final, TypeGuard

import aiohttp
import discord

CONNECTION_ERRORS: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Exceptions of a request if the connection or Discord fails, or if Discord refuses it. A timeout is an ``OSError``."""
UNREADABLE: Final = (LookupError, TypeError, ValueError, AttributeError)
"""Exceptions that discord.py raises if a proxy answers instead of Discord."""


class Code(IntEnum):
    """The codes of refusals."""

    NONE = 0
    """For errors without a code, such as a proxy's."""
    UNKNOWN_CHANNEL = 10003
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_USER = 10013
    UNKNOWN_WEBHOOK = 10015
    UNKNOWN_INTERACTION = 10062
    EXPLICIT_CONTENT = 20009
    SLOW_MODE = 20016
    SPAM_FLAG = 20026
    """The bot is quarantined: it may not send direct messages."""
    TOO_MANY_EDITS = 30046
    UNAUTHORIZED = 40001
    UNVERIFIED = 40002
    OPENING_DMS_TOO_FAST = 40003
    SENDING_DISABLED = 40004
    FILE_TOO_LARGE = 40005
    FEATURE_DISABLED = 40006
    REVOKED = 40012
    IN_FORUM = 40058
    ALREADY_ACKNOWLEDGED = 40060
    BLOCKED_BY_NETWORK = 40333
    """Discord's proxy, Cloudflare, refuses the bot's address or headers."""
    MISSING_ACCESS = 50001
    NOT_IN_DMS = 50003
    EMPTY_MESSAGE = 50006
    DMS_CLOSED = 50007
    """Also if the user has blocked the bot."""
    NO_TEXT_CHANNEL = 50008
    VERIFICATION = 50009
    MISSING_PERMISSIONS = 50013
    INVALID_TOKEN = 50014
    INVALID_WEBHOOK_TOKEN = 50027
    WRONG_CHANNEL_TYPE = 50024
    INVALID_RECIPIENT = 50033
    INVALID_FORM_BODY = 50035
    INVALID_ASSET = 50046
    ARCHIVED = 50083
    NOTHING_SHARED = 50278
    """The bot and the user are on no server together."""
    LOCKED = 160005
    TOO_MANY_THREADS = 160006
    TOO_MANY_NEWS_THREADS = 160007
    AUTOMOD = 200000
    AUTOMOD_TITLE = 200001
    HARMFUL_LINK = 240000
    UNUSUAL_ACTIVITY = 340013
    """The bot is flagged for spam, as with `SPAM_FLAG`."""


class Reach(Enum):
    """What else has to wait after a refusal that lasts."""

    USER = auto()
    """All new direct messages to the user, until they do something that may open them."""
    PLACE = auto()
    """The same messages of the table."""
    DIRECT_MESSAGES = auto()
    """New direct messages to anybody."""
    BOT = auto()
    """All requests of the bot, except answers."""


_REACH: Final[Mapping[int, Reach]] = {
    **dict.fromkeys((Code.DMS_CLOSED, Code.NOTHING_SHARED), Reach.USER),
    Code.SLOW_MODE: Reach.PLACE,  # with the status of a rate limit
    **dict.fromkeys((Code.OPENING_DMS_TOO_FAST, Code.SPAM_FLAG, Code.UNUSUAL_ACTIVITY), Reach.DIRECT_MESSAGES),
    **dict.fromkeys(
        (
            *(Code.UNAUTHORIZED, Code.UNVERIFIED, Code.SENDING_DISABLED, Code.FEATURE_DISABLED, Code.REVOKED),
            *(Code.BLOCKED_BY_NETWORK, Code.INVALID_TOKEN),
        ),
        Reach.BOT,
    ),
}
"""How far refusals with these codes reach. Others go by status.

`Reach.USER` is only about new direct messages. In a channel, and of an edit, it stands for `Reach.PLACE`.
"""
_SECONDS: Final = re.compile(r"[0-9]+(\.[0-9]+)?")
"""Seconds in a header: whole ones by the standard, but some proxies send fractions."""
_PASSING: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})


TOO_LATE: Final = frozenset({Code.ALREADY_ACKNOWLEDGED, Code.UNKNOWN_INTERACTION})
"""Refusals of a second initial response, and of one after the deadline."""
_TOKEN_REFUSED: Final = frozenset(
    {Code.UNKNOWN_MESSAGE, Code.UNKNOWN_WEBHOOK, Code.UNKNOWN_INTERACTION, Code.INVALID_WEBHOOK_TOKEN}
)
TOO_MANY_THREADS: Final = frozenset({Code.TOO_MANY_THREADS, Code.TOO_MANY_NEWS_THREADS})
POST_AGAIN: Final = frozenset({Code.ARCHIVED, Code.LOCKED, Code.TOO_MANY_EDITS})
"""Refusals of an edit that a new message avoids: it unarchives a thread, and isn't too old."""
UPLOAD_REFUSED: Final = frozenset(
    {
        *(Code.NONE, Code.FILE_TOO_LARGE, Code.EMPTY_MESSAGE),
        *(Code.MISSING_PERMISSIONS, Code.INVALID_FORM_BODY, Code.INVALID_ASSET),
    }
)


def reach_of(error: Exception, *, is_direct: bool, is_new: bool = False) -> Reach | None:
    """Return how far a refusal reaches, ``None`` if the error passes by itself or isn't Discord's.

    ``is_direct``: whether the request was about direct messages. ``is_new``: whether it was to post one.
    """
    if isinstance(error, KeyError) and error.args == ("retry_after",):  # discord.py expects it in each rate limit
        return Reach.DIRECT_MESSAGES if is_direct else Reach.PLACE
    if not isinstance(error, discord.HTTPException):
        return None
    reach = _REACH.get(error.code) or _reach_by_status(error)
    is_elsewhere = (reach is Reach.USER and not (is_direct and is_new)) or (
        reach is Reach.DIRECT_MESSAGES and not is_direct
    )
    return Reach.PLACE if is_elsewhere else reach


def _reach_by_status(error: discord.HTTPException) -> Reach | None:
    if not is_refusal(error):
        return None
    is_page = "text/html" in error.response.headers.get("Content-Type", "")  # by a proxy, such as Cloudflare
    is_ban = error.status == HTTPStatus.FORBIDDEN and is_page
    return Reach.BOT if is_ban or error.status == HTTPStatus.UNAUTHORIZED else Reach.PLACE


def is_refusal(error: BaseException) -> bool:
    """Whether Discord certainly hasn't carried a request out, and won't before something changes."""
    if not isinstance(error, discord.HTTPException):
        return False
    is_of_client = HTTPStatus.BAD_REQUEST <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return is_of_client and (error.status not in _PASSING or error.code in _REACH)


def is_token_refused(error: discord.HTTPException) -> bool:
    """Whether an interaction's token doesn't lead to its message any more. The bot may still reach it by itself."""
    return error.status == HTTPStatus.UNAUTHORIZED or error.code in _TOKEN_REFUSED


def is_rate_limited(error: BaseException | None) -> TypeGuard[discord.HTTPException]:
    """Whether Discord refused a request only because of a rate limit. discord.py raises some such errors at once."""
    return isinstance(error, discord.HTTPException) and error.status == HTTPStatus.TOO_MANY_REQUESTS


async def retry_after_s(error: BaseException) -> float:
    """Return how long Discord or its proxy wants the bot to wait after this error, 0 if it doesn't say."""
    if isinstance(error, aiohttp.ClientResponseError):
        return retry_after_header_s(error.headers or {}) or 0.0
    if not (isinstance(error, discord.HTTPException) and isinstance(error.response, aiohttp.ClientResponse)):
        return 0.0
    if (pause_s := retry_after_header_s(error.response.headers)) is not None:
        return pause_s
    try:
        return float((await error.response.json(content_type=None))["retry_after"])
    except (*CONNECTION_ERRORS, *UNREADABLE):
        return 0.0


def retry_after_header_s(headers: Mapping[str, str]) -> float | None:
    """Return the pause that the headers of a response ask for, ``None`` if they don't say.

    A proxy may give the end of the pause instead, on the clock of its own header.
    """
    header = headers.get("Retry-After", "")
    if _SECONDS.fullmatch(header):
        return float(header)
    try:
        return (parsedate_to_datetime(header) - parsedate_to_datetime(headers.get("Date", ""))).total_seconds()
    except UNREADABLE:
        return None


def is_outage(error: BaseException | None) -> bool:
    """Whether the connection to Discord failed or timed out, or Discord itself: the request may have been served."""
    if isinstance(error, discord.HTTPException):
        return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, (aiohttp.ClientError, OSError))
