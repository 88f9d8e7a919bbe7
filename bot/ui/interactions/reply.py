"""The reply to an interaction, as a value. `bot.ui.interactions.respond` sends it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal, NamedTuple, Protocol

import discord
import msgspec

from bot.errors import LilypadError, PlayError
from bot.tables import Kind, LiveMessage, Snapshot, Stage, Table
from bot.texts import gettext as _
from bot.texts import language, sentence_of
from bot.texts.rules_pages import page_about
from bot.ui.posts.custom_id import Press
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Post
from bot.ui.posts.sender import Draft, Sent

Where = Literal["private", "here", "board", "channel"]
"""The place of a reply.

- ``private``: a new message that only the user sees
- ``here``: in place of the pressed message if only the user sees it, otherwise ``private``
- ``board``: in place of the pressed message
- ``channel``: a new public message
"""

NOTHING: Final = Post(())
_MAX_LABEL: Final = 45
"""Maximum length of the label of a field."""


Purpose = Literal["hand", "turn", "page", "hint", "question", "refusal"]
"""The hand, only the moves, a page about the table, a hint, an open question to others, or an error.

A user has one of each for a table, and one refusal in a channel.
"""
Draw = Callable[[Snapshot], Awaitable[Post | None]]
"""Draws the message from the current table; ``None`` deletes it."""


class Shows(NamedTuple):
    """A live message that a reply shows.

    Parameters
    ----------
    message: Its record so far.
    content: The digest of what the reply shows, without a notice that stays until it changes.
    notified: The users who know from the reply that it's their turn.
    """

    message: LiveMessage
    content: str
    notified: tuple[int, ...] = ()


class Opens(NamedTuple):
    """A private message that replaces the user's last one with this purpose. With ``draw``, it is kept up to date."""

    table: Table
    purpose: Purpose
    draw: Draw | None = None


class Reply(msgspec.Struct, frozen=True):
    """The reply to an interaction: a post, or a form to fill in.

    ``table`` (`Table.key`) and ``version`` are written into the buttons. ``shows`` is the live message that the reply
    shows, or the private one that it opens. When the post is visible, the client dispatches the event ``answer`` with
    the interaction.
    """

    post: Post = NOTHING
    where: Where = "private"
    table: str | int = 0
    version: int = 0
    form: discord.ui.Modal | None = None
    shows: Shows | Opens | None = None
    is_refusal: bool = False

    @property
    def draft(self) -> Draft:
        """What the message shows."""
        mark = self.shows.message.nonce if isinstance(self.shows, Shows) else 0
        return Draft(self.post, self.table, self.version, mark)


def opens(post: Post, table: Table, purpose: Purpose, draw: Draw | None = None, *, where: Where = "private") -> Reply:
    """Return a private reply about a table, which replaces the user's last one with this purpose.

    With ``draw``, it is kept up to date when the table changes.
    """
    return Reply(post, where, table.key, table.version, shows=Opens(table, purpose, draw))


def pressed(interaction: discord.Interaction, recorded: Sequence[LiveMessage], kind: Kind) -> LiveMessage | None:
    """Return the live message of this kind that the user has pressed, if it is one of these."""
    pressed_id = interaction.message.id if interaction.message else 0
    live = (each for each in recorded if each.stage is Stage.LIVE and each.kind is kind)
    return next((each for each in live if each.message_id == pressed_id), None)


def showing_board(message: LiveMessage, board: Post, table: Table, where: Where = "board") -> Reply:
    """Return the reply that shows a board."""
    shows = Shows(message, digest(board), message.notified)
    return Reply(board, where, table.key, table.version, shows=shows)


async def gone(_snapshot: Snapshot) -> None:
    """Delete a message that is about a single version of its table (a `Draw`)."""


class Answers(Protocol):
    """Takes note of what answers show: `bot.ui.messages.live_messages.LiveMessages`."""

    async def answered(self, interaction: discord.Interaction, reply: Reply, sent: Sent | None) -> None:
        """Record what the answer shows. Without ``sent``, nobody knows whether it has arrived."""

    def release(self, interaction_id: int) -> None:
        """Let messages be edited again that the answer might have replaced."""


def refusal(error: LilypadError) -> Post:
    """Return an error as a post. If it has a ruling, **Why?** opens the page of the rules about it."""
    ruling = error.ruling if isinstance(error, PlayError) else None
    page = page_about(ruling, language()) if ruling else None
    if page is None:
        return sentence(sentence_of(error))
    why = Button("rules", _("Why?"), argument=".".join(map(str, page)))
    return Post((sentence_of(error),), rows=((why,),))


def sentence(text: str) -> Post:
    """Return a post of a single sentence."""
    return Post((text,))


def text_form(press: Press, title: str, label: str, placeholder: str, max_length: int) -> discord.ui.Modal:
    """Return a form with one field, whose text `picked` returns to the handler of the press."""
    form = discord.ui.Modal(title=title, custom_id=press.custom_id)
    field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        custom_id="text", max_length=max_length, placeholder=placeholder
    )
    form.add_item(discord.ui.Label(text=label[:_MAX_LABEL], component=field))
    return form
