"""The reply to an interaction, as a value. `bot.ui.interactions.respond` sends it."""

from collections.abc import Awaitable, Callable
from typing import Final, Literal, NamedTuple

import discord
import msgspec

from bot.errors import LilypadError, PlayError
from bot.texts import gettext as _
from bot.texts import language, sentence_of
from bot.texts.rules_pages import page_about
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Post
from bot.ui.posts.sender import Attached

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


class Sent(NamedTuple):
    """The message that shows a reply, and the file of its picture."""

    channel_id: int
    message_id: int
    picture: Attached | None = None


class Reply(msgspec.Struct, frozen=True):
    """The reply to an interaction: a post, or a form to fill in.

    ``table`` (`Table.key`) and ``version`` are written into the buttons; ``mark`` makes it a live message (`layout`).
    ``shown`` is awaited once the post is visible. Otherwise ``lost`` is called. When the post is visible, the client
    dispatches the event ``answer`` with the interaction, the id of the message, and ``is_refusal``.
    """

    post: Post = NOTHING
    where: Where = "private"
    table: str | int = 0
    version: int = 0
    mark: int = 0
    form: discord.ui.Modal | None = None
    shown: Callable[[Sent], Awaitable[None]] | None = None
    lost: Callable[[], None] | None = None
    is_refusal: bool = False


def refusal(error: LilypadError) -> Post:
    """Return an error as a post. If it names a ruling, **Why?** opens the page of the rules about it."""
    ruling = error.ruling if isinstance(error, PlayError) else None
    page = page_about(ruling, language()) if ruling else None
    if page is None:
        return sentence(sentence_of(error))
    why = Button("rules", _("Why?"), argument=".".join(map(str, page)))
    return Post((f"{sentence_of(error)} ({ruling})",), rows=((why,),))


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
