"""The reply to an interaction, as a value, and how it is sent: in place of the pressed message or as a new one.

`bot.ui.interactions.respond` decides when.
"""

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar

import discord
import msgspec
from msgspec.structs import replace

from bot.errors import LilypadError, NoSuchTable, PlayError, TooManyTables
from bot.records.live_message import Kind, LiveMessage, Snapshot, Stage
from bot.records.table import Table
from bot.texts import gettext as _, language, sentence_of
from bot.texts.rules_pages import place_of
from bot.ui.posts import discord_errors
from bot.ui.posts.custom_id import Outdated, Press
from bot.ui.posts.layout import layout
from bot.ui.posts.pictures import drawn
from bot.ui.posts.post import Button, Post
from bot.ui.posts.sender import Draft, Files, Sender, Sent
from bot.ui.posts.text import clip

log = logging.getLogger(__name__)

T = TypeVar("T")

Where = Literal["private", "here", "board", "channel"]
"""The place of a reply.

- ``private``: a new message that only the user sees
- ``here``: in place of the pressed message if only the user sees it, otherwise ``private``
- ``board``: in place of the pressed message
- ``channel``: a new public message
"""

NOTHING: Final = Post(())
_MAX_REFUSAL: Final = 1000
"""Maximum length of a refusal: some quote what the user wrote, which may have thousands of characters."""
_MAX_LABEL: Final = 45
"""Maximum length of the label of a field."""


Purpose = Literal["hand", "turn", "page", "hint", "review", "question", "start", "refusal"]
"""The hand, only the moves, a page, a hint, a review, an open question to others, how to start, or an error.

A user has one of each for a table, and one refusal in a channel.
"""
Draw = Callable[[Snapshot], Awaitable[Post | None]]
"""Draws the message from the current table; ``None`` deletes it."""


class Shows(NamedTuple):
    """A live message that shows what has become of the press: the board of a table, or the hand of a user."""

    table_id: int
    user_id: int | None = None


class Opens(NamedTuple):
    """A private message that replaces the user's last one with this purpose. With ``draw``, it is kept up to date."""

    table: Table
    purpose: Purpose
    draw: Draw | None = None


class Reply(msgspec.Struct, frozen=True):
    """The reply to an interaction: a post, or a form to fill in.

    The key and the version of the ``table`` are written into the buttons. ``shows`` is the private message that the
    reply opens, or the live one that shows it instead. When it is visible, the client dispatches the event ``answer``
    with the interaction.
    """

    post: Post = NOTHING
    where: Where = "private"
    table: Table | None = None
    form: discord.ui.Modal | None = None
    shows: Shows | Opens | None = None
    is_refusal: bool = False

    @property
    def draft(self) -> Draft:
        """What the message shows."""
        return Draft(self.post, self.table.key, self.table.version) if self.table else Draft(self.post)


def opens(post: Post, table: Table, purpose: Purpose, draw: Draw | None = None, *, where: Where = "private") -> Reply:
    """Return a private reply about a table, which replaces the user's last one with this purpose.

    With ``draw``, it is kept up to date when the table changes.
    """
    return Reply(post, where, table, shows=Opens(table, purpose, draw))


def pressed(interaction: discord.Interaction, recorded: Sequence[LiveMessage], kind: Kind) -> LiveMessage | None:
    """Return the live message of this kind that the user has pressed, if it is one of these."""
    pressed_id = interaction.message.id if interaction.message else 0
    live = (each for each in recorded if each.stage is Stage.LIVE and each.kind is kind)
    return next((each for each in live if each.message_id == pressed_id), None)


async def gone(_snapshot: Snapshot) -> None:
    """Delete a message that is about a single version of its table (a `Draw`)."""


class Answers(Protocol):
    """Takes note of what answers show: `bot.ui.live.live_messages.LiveMessages`."""

    async def shown(self, shows: Shows) -> None:
        """Wait until a live message is up to date, unless that takes long."""

    def answered(self, interaction: discord.Interaction, reply: Reply, sent: Sent) -> None:
        """Keep the private message that the answer shows up to date."""

    def wait_in(self, interaction: discord.Interaction) -> None:
        """Keep the pressed private message, in which the user waits, until the interaction is answered."""

    def release(self, interaction_id: int) -> None:
        """Let messages be edited again that the answer might have replaced."""


def refusal(error: LilypadError) -> Post:
    """Return an error as a post. If it has a ruling, **Why?** opens the page of the rules about it.

    Where a button doesn't work any more, or the user has to finish a game first, their games are one press away.
    """
    text = clip(sentence_of(error), _MAX_REFUSAL)
    if isinstance(error, Outdated | NoSuchTable | TooManyTables):
        return Post((text,), rows=((Button("tables", _("My games")),),))
    ruling = error.ruling if isinstance(error, PlayError) else None
    place = place_of(ruling, language()) if ruling else None
    if place is None:
        return sentence(text)
    why = Button("rules", _("Why?"), argument=place)
    return Post((text,), rows=((why,),))


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


# ---- sending it


_FIRST_PAUSE_S: Final = 0.1
"""The pause before the second try; each further one is twice as long."""
RESPONSE: Final = "response"
"""The key of an interaction's ``extras``: its `Response`."""
_WAITING: Final = "waiting"
"""The key of an interaction's ``extras``: whether `show_waiting` has answered it."""
_SAID: Final = "said"
"""The key of the texts that have announced the reply."""


def is_press(interaction: discord.Interaction) -> bool:
    """Whether the user pressed something in a message."""
    return interaction.message is not None


def is_on_page(interaction: discord.Interaction) -> bool:
    """Whether the user pressed an ephemeral message, which pages replace. They don't replace direct messages."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def defer(interaction: discord.Interaction, *, public: bool) -> None:
    """Acknowledge the interaction. After a command, the reply is seen by the whole channel if ``public``."""
    if is_press(interaction):
        await interaction.response.defer()
    else:
        await interaction.response.defer(thinking=True, ephemeral=not public)


async def show_waiting(
    interaction: discord.Interaction, text: str, *, beside: bool = False, draft: Draft | None = None
) -> None:
    """Show at once that the reply takes a while; the reply replaces it.

    A press has it on a private page, or with ``beside`` as a message of its own, in which Discord says so. ``draft``
    shows the text with more.
    """
    if interaction.response.is_done() or (is_press(interaction) and not (beside or is_on_page(interaction))):
        return
    interaction.extras[_WAITING] = "beside" if is_press(interaction) and beside else "here"
    interaction.extras[_SAID] = {text}
    try:
        if is_beside(interaction):
            await interaction.response.defer(thinking=True, ephemeral=True)
        elif is_press(interaction):
            answers(interaction).wait_in(interaction)
            await interaction.response.edit_message(view=layout(*draft or Draft(sentence(text))), attachments=[])
        else:
            await defer(interaction, public=False)
    except (*discord_errors.CONNECTION_ERRORS, discord.InteractionResponded) as error:
        log.info("interaction %s got no sign that it waits: %s", interaction.id, error)


async def show_progress(interaction: discord.Interaction, text: str, *, draft: Draft | None = None) -> None:
    """Replace what `show_waiting` has shown, if it has shown anything."""
    if not is_waiting(interaction):
        return
    interaction.extras[_SAID].add(text)
    try:
        await interaction.edit_original_response(view=layout(*draft or Draft(sentence(text))))
    except (*discord_errors.CONNECTION_ERRORS, *discord_errors.UNREADABLE) as error:
        log.info("interaction %s got no sign of its progress: %s", interaction.id, error)


def still_waits(interaction: discord.Interaction, message: discord.Message) -> bool:
    """Whether a message still announces the reply to the interaction."""
    texts = [each for part in message.components if isinstance(part, discord.Container) for each in part.children]
    said = [each.content for each in texts if isinstance(each, discord.TextDisplay)]
    return message.flags.loading or not interaction.extras.get(_SAID, frozenset()).isdisjoint(said)


def is_waiting(interaction: discord.Interaction) -> bool:
    """Whether `show_waiting` has announced the reply."""
    return _WAITING in interaction.extras


def is_beside(interaction: discord.Interaction) -> bool:
    """Whether `show_waiting` has announced the reply to a press in a message of its own."""
    return interaction.extras.get(_WAITING) == "beside"


def is_in_place(interaction: discord.Interaction, reply: Reply) -> bool:
    """Whether the reply takes the place of the pressed message: a board, or one that only the user sees."""
    if not is_press(interaction) or reply.where not in {"board", "here"}:
        return False
    return reply.where == "board" or is_on_page(interaction) or isinstance(interaction.channel, discord.DMChannel)


async def must_be_acknowledged(interaction: discord.Interaction, reply: Reply) -> bool:
    """Whether a press has to be acknowledged before the reply is sent.

    Discord may drop a new file from the initial response to a press, and another edit of the pressed message may be
    under way. If the reply is a message of its own, the acknowledgement makes the next edits of the pressed one free.
    """
    if interaction.message is None or reply.form is not None:
        return False
    sender = _sender(interaction)
    if not is_in_place(interaction, reply):
        return reply.where != "channel" and sender.tokens.is_missed(interaction.message.id)
    if sender.is_editing(interaction.message.id):
        return True
    return sender.may_upload(_places(interaction, reply)) and await drawn(reply.post) is not None


def keep_token(interaction: discord.Interaction) -> None:
    """Keep the token of a press with which the pressed message can be edited."""
    _sender(interaction).tokens.note(interaction)


def answers(interaction: discord.Interaction) -> Answers:
    """Return what takes note of answers."""
    client: Any = interaction.client  # the bot's own, which isn't known here
    live: Answers = client.live
    return live


def _sender(interaction: discord.Interaction) -> Sender:
    client: Any = interaction.client  # the bot's own, which isn't known here
    sender: Sender = client.sender
    return sender


def _places(interaction: discord.Interaction, reply: Reply) -> Sequence[int]:
    """Return the places where a refusal of the reply's picture matters: the pressed message, the user's replies."""
    message = interaction.message
    if message is not None and is_in_place(interaction, reply):
        return (message.id, interaction.channel_id or 0, interaction.user.id)
    return (interaction.user.id,)


async def send(interaction: discord.Interaction, reply: Reply, *, is_deferred: bool = False) -> Sent | None:
    """Send the reply, as the initial response or after a deferral, and return the message that shows it."""
    if reply.form is not None:
        await _send_form(interaction, reply.form, is_deferred=is_deferred)
        return None
    try:
        return await _send_post(interaction, reply, is_deferred=is_deferred)
    except discord.NotFound as error:
        if error.code != discord_errors.Code.UNKNOWN_MESSAGE or reply.where != "here" or not is_on_page(interaction):
            raise
        # another answer has replaced the pressed message in the meantime
        return await _send_post(interaction, replace(reply, where="private"), is_deferred=is_deferred)


async def follow_up(interaction: discord.Interaction, post: Post) -> None:
    """Send another private message after the answer. Its buttons belong to no table."""
    await interaction.followup.send(view=layout(post), ephemeral=True)


async def _send_post(interaction: discord.Interaction, reply: Reply, *, is_deferred: bool) -> Sent | None:
    replaced = interaction.message if is_in_place(interaction, reply) else None
    is_private = reply.where != "channel"

    async def transport(view: discord.ui.LayoutView, pictures: Files) -> discord.Message | int | None:
        files = [*_files(reply.post), *pictures]
        if is_deferred:
            if not is_press(interaction) or replaced is not None or is_beside(interaction):
                return await interaction.edit_original_response(view=view, attachments=files)
            return await interaction.followup.send(view=view, files=files, ephemeral=is_private, wait=True)
        if replaced is not None:
            await interaction.response.edit_message(view=view, attachments=files)
            return replaced.id
        callback = await interaction.response.send_message(view=view, files=files, ephemeral=is_private)
        return callback.resource if isinstance(callback.resource, discord.Message) else callback.message_id

    edits = 0 if replaced is None else replaced.id
    sent = await _sender(interaction).send(reply.draft, transport, _places(interaction, reply), edits=edits)
    return sent if sent.message_id and interaction.channel_id else None


def _files(post: Post) -> list[discord.File]:
    return [discord.File(io.BytesIO(post.file[1].encode()), post.file[0])] if post.file else []


async def _send_form(interaction: discord.Interaction, form: discord.ui.Modal, *, is_deferred: bool) -> None:
    if is_deferred:
        view = layout(sentence(_("That took too long. Press again.")))
        await interaction.followup.send(view=view, ephemeral=True)
        return
    form.stop()
    await interaction.response.send_modal(form)


async def retried(request: Callable[[], Awaitable[T]], until: float, try_s: float) -> T:
    """Await a request, and retry it if the connection or Discord fails.

    ``until`` is the deadline on the event loop's clock, ``try_s`` the timeout of one try. Raises the last error at the
    deadline, and at once an error that retrying can't fix.
    """
    loop = asyncio.get_running_loop()
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            async with asyncio.timeout(try_s):
                return await request()
        except Exception as error:
            wanted_s = _pause_after(error)
            if wanted_s is None or loop.time() > until - max(pause_s, wanted_s):
                raise
            log.info("retrying a request after %r", error)
            await asyncio.sleep(max(pause_s, wanted_s))
            pause_s *= 2


def _pause_after(error: Exception) -> float | None:
    """Return the minimum pause before the next try in seconds, or ``None`` if retrying is useless."""
    if discord_errors.is_rate_limited(error):
        return discord_errors.retry_after_header_s(error.response.headers) or 0.0
    return 0.0 if discord_errors.is_outage(error) or isinstance(error, discord_errors.UNREADABLE) else None
