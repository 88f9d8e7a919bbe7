"""Requests that Discord refuses, and SimCord accepts."""

from typing import Any, Final

from aiohttp import web
from simcord.backend import models
from simcord.http import routes as _routes  # noqa: F401 - registers the routes

from tests.wire.faults import Refused
from tests.wire.kinds import is_limited_globally, kind_of
from tests.wire.objects import TOKEN, Interaction

INVALID_WEBHOOK_TOKEN: Final = 50027


def check_archived(thread: models.ThreadMetadata, *, is_post: bool) -> None:
    """Refuse changes in an archived thread. Posting opens it again, unless it is locked."""
    if thread.archived and (thread.locked or not is_post):
        raise Refused(400, 50083, "Thread is archived")
    thread.archived = False


def check_mentions(method: str, path: str, body: Any) -> None:
    """Refuse edits of messages in channels that leave it to Discord which mentions notify. Discord serves them."""
    if path.startswith("/channels/") and kind_of(method, path) == "PATCH messages" and "allowed_mentions" not in body:
        raise Refused(400, 50035, "no allowed_mentions")


def check_token(interaction: Interaction, path: str) -> None:
    """Refuse tokens that have expired, or lead to no message yet.

    Ids have to be of messages that follow the initial response: that one is ``@original``.
    """
    if not interaction.kind:
        raise Refused(404, 10015, "Unknown Webhook")
    if interaction.is_expired:
        raise Refused(401, INVALID_WEBHOOK_TOKEN, "Invalid Webhook Token")
    *_, message_id = path.split("/")
    if message_id.isdecimal() and int(message_id) not in interaction.record.followup_ids:
        raise Refused(404, 10008, "Unknown Message")


def check_headers(request: web.Request, path: str) -> None:
    """Refuse requests without the headers of a bot."""
    agent = request.headers.get("User-Agent", "")
    if not is_limited_globally(path):  # their token is in the path
        if not agent:
            raise Refused(403, 40333, "no User-Agent")
        return
    if not agent.startswith("DiscordBot ("):
        raise Refused(403, 40333, f"User-Agent {agent!r}")
    if request.headers.get("Authorization") != f"Bot {TOKEN}":
        raise Refused(401, 0, "401: Unauthorized")
