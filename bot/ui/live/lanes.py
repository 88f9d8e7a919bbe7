"""The places where subjects are shown, and what is to be shown there.

The messages of one place are kept up to date one after the other.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from bot.records.live_message import TABLE, Kind, LiveMessage, in_slot, slot_of
from bot.records.table import Place, Table
from bot.texts import SOURCE
from bot.ui.live.plan import Desired, Wanted
from bot.ui.messages.board import link_to
from bot.ui.posts.heard import heard
from bot.ui.posts.post import Post

Recorded = tuple[LiveMessage, ...]


class Owner(Protocol):
    """Knows which process updates the messages of which servers: `bot.running.leases.Leases`."""

    def holds(self, guild_id: int | None) -> bool:
        """Whether this process updates the messages of the server, or of direct messages (``None``)."""

    async def request(self, table_id: int, guild_id: int | None) -> None:
        """Ask the process that updates this table's messages to do so."""

    async def request_event(self, name: str, guild_id: int) -> None:
        """Ask the process that updates the server's messages to update the one about an event."""


class Lane(NamedTuple):
    """A place where a subject is shown: its channel, or the direct messages of a user.

    Each ``day`` of a server's dailies is a place of its own.
    """

    subject_id: int
    user_id: int | None = None
    subject: str = TABLE
    day: int | None = None

    @property
    def is_board(self) -> bool:
        """Whether it is the channel of a table."""
        return self.subject == TABLE and self.user_id is None

    def __str__(self) -> str:
        if self.subject == TABLE:
            return f"table {self.subject_id}, {'its channel' if self.user_id is None else 'a hand'}"
        return f"{self.subject} {self.subject_id}" + (f" {self.day}" if self.day else "")


def lane_of(message: LiveMessage) -> Lane:
    """Return the lane of a message."""
    if message.subject != TABLE:
        user_id = message.user_id if message.kind is Kind.ALERT else None
        day = message.deal if message.kind is Kind.CARD else None
        return Lane(message.subject_id, user_id, message.subject, day)
    return Lane(message.subject_id, message.user_id if message.kind is Kind.HAND else None)


class Card(NamedTuple):
    """A daily on a server, a match, a game night or an alert, with the attributes of `Table` that messages depend on.

    Parameters
    ----------
    name: What another process is asked to update: ``match 5``.
    """

    lane: Lane
    name: str
    place: Place
    version: int = 0
    key: str = "0"

    @property
    def id(self) -> int:
        """The id of the subject."""
        return self.lane.subject_id


class Drawing(msgspec.Struct, frozen=True):
    """The desired messages in a lane, with their language; ``user_id`` is that of the lane.

    ``is_by_ear``: whether its messages are for the ear (`bot.ui.posts.heard`).
    """

    table: Table | Card
    user_id: int | None
    desired: Desired
    language: str = SOURCE
    is_by_ear: bool = False

    def read_in(self, language: str, *, by_ear: bool) -> "Drawing":
        """Return the drawing for somebody who reads this language, the current one, or hears it."""
        read = replace(self, language=language, is_by_ear=by_ear)
        messages = [replace(each, post=read.as_read(each.post)) for each in self.desired.messages]
        return replace(read, desired=replace(self.desired, messages=tuple(messages)))

    def as_read(self, post: Post) -> Post:
        """Return a post as its user gets it."""
        return heard(post) if self.is_by_ear else post

    @property
    def lane(self) -> Lane:
        """The place of the messages."""
        return self.table.lane if isinstance(self.table, Card) else Lane(self.table.id, self.user_id)


Draw = Callable[[Lane, Recorded], Awaitable[Drawing | None]]
"""Draws a subject, given its recorded messages; ``None`` if they stay as they are."""

CARD_LINK: Final = "https://discord.com/channels/card"
"""Stands for the link to the card, which may be posted just before the message that has it."""


def drawn(card: Card, *messages: Wanted) -> Drawing:
    """Return a drawing of these messages."""
    return Drawing(card, card.lane.user_id, Desired(messages))


def with_card_link(post: Post, card: Card, recorded: Sequence[LiveMessage]) -> Post:
    """Return a post with a link to its subject's card in place of `CARD_LINK`."""
    live = in_slot(recorded, slot_of(Kind.CARD, deal=card.lane.day))
    link = link_to(card.place, live.sent_id if live else 0)
    return replace(post, paragraphs=tuple([text.replace(CARD_LINK, link) for text in post.paragraphs]))
