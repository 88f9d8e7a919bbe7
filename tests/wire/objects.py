"""Messages and interactions of SimCord's backend, as people at their phones see them."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any, Final

from simcord.backend import Backend, models
from simcord.enums import ComponentType

from tests.world import Json, text_of, walk

TOKEN: Final = "a.good.token"  # noqa: S105 - only for this server
GUILD_ID: Final = str((1 << 22) + 7)
"""The first server; the others follow, each on the next shard."""
CHANNEL_IDS: Final = tuple(str(800_000_000_000_000_000 + number) for number in range(80))
"""The text channels of the servers, to which they belong in turn."""
LOADING: Final = 1 << 7
V2: Final = 1 << 15


class Message:
    """A message as it is now. After it is deleted, it stays as it was last."""

    def __init__(self, backend: Backend, model: models.Message) -> None:
        self._backend = backend
        self.model = model
        self.id = str(model.id)
        self.channel_id = str(model.channel_id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def is_deleted(self) -> bool:
        """Return whether the message is gone."""
        return self.model.id not in self._backend.messages.get(self.model.channel_id, {})

    @property
    def flags(self) -> int:
        """Return the message flags."""
        return self.model.flags

    @property
    def components(self) -> list[Json]:
        """Return the components."""
        return self.model.components

    @property
    def text(self) -> str:
        """Return all text in the message, and the descriptions of its pictures."""
        galleries = (part["items"] for part in walk(self.components) if part["type"] == ComponentType.MEDIA_GALLERY)
        described = "\n".join(item["description"] for items in galleries for item in items)
        return f"{self.model.content}\n{text_of(self.components)}\n{described}"

    @property
    def only_for(self) -> str | None:
        """Return the user who sees the message, if it is ephemeral."""
        about = self.model.interaction_metadata or {}
        return str(about["user"]["id"]) if self.model.is_ephemeral else None

    @property
    def attachments(self) -> dict[str, bytes]:
        """Return the contents of the attached files by name."""
        return {each["filename"]: self._backend.cdn.get(each["url"]) or b"" for each in self.model.attachments}


@dataclass(eq=False)
class Interaction:
    """Something a user did, and how it was answered.

    ``kind`` and ``answer`` are the type and the data of the initial response. ``answered`` has the seconds until then.
    """

    backend: Backend
    record: models.Interaction
    made_at: float = field(default_factory=time.monotonic)
    answered: asyncio.Future[float] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    kind: int = 0
    is_expired: bool = False
    answer: dict[str, Any] = field(default_factory=dict)

    @property
    def original(self) -> Message | None:
        """Return the message that answers the interaction."""
        there = self.backend.messages.get(self.record.channel_id, {})
        model = there.get(self.record.message_id or 0)
        return Message(self.backend, model) if model else None

    def give_up(self) -> None:
        """Show “This interaction failed”. A later response is refused."""
        self.answered.cancel()
        self.record.initial_response_deadline = self.backend.now_iso()
