"""Errors of requests to Discord: which of them pass, and the codes that the bot knows.

https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
"""

from enum import IntEnum
from http import HTTPStatus
from typing import Final, TypeGuard

import aiohttp
import discord

CONNECTION_ERRORS: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Exceptions of a request if the connection or Discord fails, or if Discord refuses it. A timeout is an ``OSError``."""
UNREADABLE: Final = (LookupError, TypeError, ValueError)
"""Exceptions that discord.py raises if a proxy answers instead of Discord."""


class Code(IntEnum):
    """The codes of refusals."""

    NONE = 0
    """For errors without a code, such as a proxy's."""
    UNKNOWN_CHANNEL = 10003
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_INTERACTION = 10062
    TOO_MANY_EDITS = 30046
    FILE_TOO_LARGE = 40005
    ALREADY_ACKNOWLEDGED = 40060
    MISSING_ACCESS = 50001
    EMPTY_MESSAGE = 50006
    DMS_CLOSED = 50007
    MISSING_PERMISSIONS = 50013
    INVALID_FORM_BODY = 50035
    INVALID_ASSET = 50046
    ARCHIVED = 50083
    NOTHING_SHARED = 50278
    """The bot and the user are on no server together."""
    LOCKED = 160005


TOO_LATE: Final = frozenset({Code.ALREADY_ACKNOWLEDGED, Code.UNKNOWN_INTERACTION})
"""Refusals of a second initial response, and of one after the deadline."""
DMS_CLOSED: Final = frozenset({Code.DMS_CLOSED, Code.NOTHING_SHARED})
POST_AGAIN: Final = frozenset({Code.ARCHIVED, Code.LOCKED, Code.TOO_MANY_EDITS})
"""Refusals of an edit that a new message avoids: it unarchives a thread, and isn't too old."""
UPLOAD_REFUSED: Final = frozenset(
    {
        *(Code.NONE, Code.FILE_TOO_LARGE, Code.EMPTY_MESSAGE),
        *(Code.MISSING_PERMISSIONS, Code.INVALID_FORM_BODY, Code.INVALID_ASSET),
    }
)


def is_rate_limited(error: BaseException | None) -> TypeGuard[discord.HTTPException]:
    """Whether Discord refused a request only because of a rate limit. discord.py raises some such errors at once."""
    return isinstance(error, discord.HTTPException) and error.status == HTTPStatus.TOO_MANY_REQUESTS


async def retry_after_s(error: BaseException) -> float:
    """Return how long Discord or its proxy wants the bot to wait after this error, 0 if it doesn't say."""
    if not (isinstance(error, discord.HTTPException) and isinstance(error.response, aiohttp.ClientResponse)):
        return 0.0
    if (pause_s := retry_after_header_s(error)) is not None:
        return pause_s
    try:
        return float((await error.response.json(content_type=None))["retry_after"])
    except (*CONNECTION_ERRORS, *UNREADABLE):
        return 0.0


def retry_after_header_s(error: discord.HTTPException) -> float | None:
    """Return the pause that the header of a response asks for, ``None`` if it doesn't say."""
    header = error.response.headers.get("Retry-After", "")
    return float(header) if header.isdecimal() else None


def is_outage(error: BaseException | None) -> bool:
    """Whether the connection to Discord failed or timed out, or Discord itself: the request may have been served."""
    if isinstance(error, discord.HTTPException):
        return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, (aiohttp.ClientError, OSError))
