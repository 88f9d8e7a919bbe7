"""The objects of this Discord: the bot, a server with a channel, messages and interactions."""

import asyncio
import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from tests.wire.limits import FLAGS_OF_A_MESSAGE, LOADING, Json, parts

TOKEN: Final = "a.good.token"  # noqa: S105 - only for this server
APP_ID, GUILD_ID = "900000000000000001", str((1 << 22) + 7)
EVERYTHING: Final = str((1 << 53) - 1)
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
LAST_ID: Final = itertools.count(1)

BOT_USER: Final[Json] = {
    "id": APP_ID,
    "username": "Lilypad",
    "discriminator": "0",
    "global_name": None,
    "avatar": None,
    "bot": True,
}
CHANNELS: Final[dict[str, Json]] = {
    str(800_000_000_000_000_000 + number): {
        "id": str(800_000_000_000_000_000 + number),
        "type": 0,
        "guild_id": GUILD_ID,
        "name": f"games-{number}",
        "position": number,
        "permission_overwrites": [],
        "nsfw": False,
        "parent_id": None,
        "topic": None,
        "last_message_id": None,
        "rate_limit_per_user": 0,
    }
    for number in range(80)
}
"""The channels of the server by id."""


def new_id() -> str:
    """Return an id as Discord makes them: the time, then a number."""
    return str(int(time.time() * 1000 - 1_420_070_400_000) << 22 | next(LAST_ID) & 0xFFF)


def guild() -> Json:
    everyone = {"id": GUILD_ID, "name": "@everyone", "permissions": EVERYTHING, "position": 0, "color": 0}
    role = everyone | {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
    me = {"user": BOT_USER, "roles": [], "joined_at": now(), "deaf": False, "mute": False, "flags": 0, "nick": None}
    lists = ("emojis", "features", "threads", "voice_states", "presences", "stage_instances", "stickers", "soundboard")
    return {
        "id": GUILD_ID,
        "name": "Friends",
        "owner_id": "1",
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "preferred_locale": "en-US",
        "system_channel_flags": 0,
        "roles": [role],
        "channels": list(CHANNELS.values()),
        "members": [me],
        "member_count": 3,
        "joined_at": now(),
        "large": False,
        "unavailable": False,
        **{each: [] for each in lists},
    }


def thread(parent_id: str, name: str) -> Json:
    """Return a new public thread."""
    metadata = {"archived": False, "locked": False, "auto_archive_duration": 10_080, "archive_timestamp": now()}
    counts = {"message_count": 0, "member_count": 1, "total_message_sent": 0, "rate_limit_per_user": 0, "flags": 0}
    place = {"id": new_id(), "type": 11, "guild_id": GUILD_ID, "parent_id": parent_id, "owner_id": APP_ID}
    return {**place, **counts, "name": name, "last_message_id": None, "thread_metadata": metadata}


def now() -> str:
    return datetime.now(UTC).isoformat()


@dataclass(eq=False)
class Message:
    """A message. ``only_for`` is the user who sees it, if it is ephemeral."""

    id: str
    channel_id: str
    flags: int = 0
    content: str = ""
    components: list[Json] = field(default_factory=list)
    attachments: dict[str, bytes] = field(default_factory=dict)
    only_for: str | None = None
    nonce: str | None = None
    edits: int = 0

    @property
    def text(self) -> str:
        """Return all text in the message."""
        return "\n".join([self.content, *(part["content"] for part in parts(self.components) if part["type"] == 10)])

    def write(self, body: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
        """Edit the message with a request's body."""
        kept = {each.get("filename") for each in body.get("attachments") or ()} if "attachments" in body else None
        if kept is not None:
            self.attachments = {name: data for name, data in self.attachments.items() if name in kept}
        self.attachments.update(files)
        self.flags = self.flags & ~LOADING | body.get("flags", 0) & FLAGS_OF_A_MESSAGE
        self.content = body.get("content", self.content) or ""
        if "components" in body:
            self.components = body["components"] or []

    @property
    def described(self) -> Json:
        """Return the message as Discord describes it."""
        attachments = [
            {
                "id": new_id(),
                "filename": name,
                "size": len(data),
                "url": f"https://cdn/{name}",
                "proxy_url": "https://cdn",
            }
            for name, data in self.attachments.items()
        ]
        lists: Json = {key: [] for key in ("embeds", "mentions", "mention_roles")}
        return lists | {
            "id": self.id,
            "channel_id": self.channel_id,
            "author": BOT_USER,
            "type": 0,
            "content": self.content,
            "flags": self.flags,
            "components": self.components,
            "attachments": attachments,
            "timestamp": now(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "pinned": False,
            "nonce": self.nonce,
        }


@dataclass(eq=False)
class Interaction:
    """Something a user did, and how it was answered. ``kind`` is that of the initial response."""

    id: str
    token: str
    type: int
    user_id: str
    channel_id: str
    pressed: Message | None
    made_at: float = field(default_factory=time.monotonic)
    answered: asyncio.Future[float] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    kind: int = 0
    answer: Json = field(default_factory=dict)
    original: Message | None = None

    @property
    def described(self) -> Json:
        """Return the response to an initial response, if requested."""
        about: Json = {"id": self.id, "type": self.type}
        resource: Json = {"type": self.kind}
        if self.original is not None:
            about["response_message_id"] = self.original.id
            about["response_message_ephemeral"] = self.original.only_for is not None
            resource["message"] = self.original.described
        return {"interaction": about, "resource": resource}
