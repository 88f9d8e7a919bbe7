"""The one place where an interaction is answered: inside Discord's three seconds, whatever happens.

Every command and every press is work that ends in a `Reply`. `answer` sends it, defers when the work takes long, and
turns each exception into one private sentence; a defect is logged under a reference number that the person is told.
"""

import asyncio
import io
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Literal, TypeVar

import aiohttp
import discord
import msgspec

from bot.errors import Claimed, Conflict, LilypadError, StoreError
from bot.ui.interactions.rate_limit import RateLimiter
from bot.ui.interactions.retry import retried
from bot.ui.posts.layout import layout
from bot.ui.posts.post import Post

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_S: Final = 1.8
"""How long the work may take before the interaction is deferred; Discord gives up after three seconds."""

ANSWERED_WITHIN_S: Final = 3.0
"""So long after it came Discord takes the first answer to an interaction."""
TRY_S: Final = 1.2
"""How long one try to give it may take: a request that hangs, or that discord.py repeats too late, is made anew."""
LATE_S: Final = 20.0
"""How long an answer may take that was put off."""

Where = Literal["private", "here", "board", "channel"]
"""Where a reply goes.

``private``: shown to the user alone. ``here``: in place of the pressed message if only the user sees that, else
``private``. ``board``: in place of the pressed message, whoever sees it. ``channel``: a new message for everybody.
"""

NOTHING: Final = Post(())
TOO_LATE: Final = frozenset({40060, 10062})
"""What Discord says to a first answer that comes after another, or after its time."""


class Reply(msgspec.Struct, frozen=True):
    """How an interaction is answered: with a post, or with a form to fill in.

    ``table`` and ``version`` are written into the buttons of the post; ``mark`` makes it a live message (`layout`).
    ``shown`` is awaited with the ids of the channel and of the message once the post can be seen; ``lost`` is called if
    it can't.
    """

    post: Post = NOTHING
    where: Where = "private"
    table: int = 0
    version: int = 0
    mark: int = 0
    form: discord.ui.Modal | None = None
    shown: Callable[[int, int], Awaitable[None]] | None = None
    lost: Callable[[], None] | None = None


SILENCE: Final = Reply()
"""Another process answers."""

_answering: Final[set[asyncio.Task[Any]]] = set()
"""The tasks that are giving answers in this process."""
_limiter: Final = RateLimiter()
"""What each user has this process do."""
_TOO_FAST: Final = "That was faster than anybody can play, so it was left undone; please go on in a moment."


async def answer(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply], *, public: bool = False) -> None:
    """Does the work and answers with its reply. ``public``: the reply is for the whole channel if it is deferred.

    The client dispatches the event ``first_answer``, with the seconds that the user waited here. Users above the limit
    of `bot.ui.interactions.rate_limit` are notified once, and their interactions aren't processed.
    """
    user_id = interaction.user.id
    if not _limiter.acquire(user_id):
        work.close()
        await _turn_away(interaction)
        return
    answering = asyncio.current_task()
    assert answering is not None  # noqa: S101 - only a task can await this
    _answering.add(answering)
    try:
        await asyncio.sleep(0)  # who else presses in this moment comes first to `_limiter`
        await _answer(interaction, work, public=public)
    finally:
        _answering.discard(answering)
        _limiter.release(user_id)


async def may_complete(interaction: discord.Interaction) -> bool:
    """Return whether autocomplete is within its user's rate limit. Above the limit nothing is offered.

    The slot is released when the current task ends, which discord.py creates for each interaction.
    """
    user_id = interaction.user.id
    if not _limiter.acquire(user_id):
        await _offer_nothing(interaction)
        return False
    completing = asyncio.current_task()
    assert completing is not None  # noqa: S101 - only a task can await this
    completing.add_done_callback(lambda _: _limiter.release(user_id))
    await asyncio.sleep(0)  # whatever else this user sends in this moment reaches `_limiter` before this goes on
    return True


async def finish_answers(within_s: float) -> None:
    """Waits until every answer that was begun in this event loop is given, but no longer than that."""
    if _answering:
        await asyncio.wait(_answering, timeout=within_s)


async def _answer(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply], *, public: bool) -> None:
    came = asyncio.get_running_loop().time()
    deferring: asyncio.Task[None] | None = None

    def defer() -> None:
        nonlocal deferring
        deferring = asyncio.ensure_future(_first(interaction, came, lambda: _defer(interaction, public=public)))

    patience = asyncio.get_running_loop().call_later(PATIENCE_S, defer)
    try:
        reply = await _reply_of(interaction, work)
    finally:
        patience.cancel()
    if reply is SILENCE:
        if deferring is None:
            return
        reply = Reply(sentence("This is done, as far as it could be: look at the table."))
    try:
        if deferring is None:
            message_id = await _first(interaction, came, lambda: _send(interaction, reply))
        else:
            await deferring
            async with asyncio.timeout(LATE_S):
                message_id = await _send(interaction, reply)
        if reply.shown and message_id and interaction.channel_id:
            await reply.shown(interaction.channel_id, message_id)
        elif reply.lost:  # Discord didn't say which message it is
            reply.lost()
    except Exception as fault:  # noqa: BLE001 - it is logged; whatever it is, the table is not to wait for this answer
        if reply.lost:
            reply.lost()
        _log_loss(interaction, fault)


def _log_loss(interaction: discord.Interaction, fault: Exception) -> None:
    if isinstance(fault, StoreError):
        what = "was answered, and that could not be recorded; it is drawn again"
        log.error("interaction %s %s", interaction.id, what, exc_info=fault)
    elif isinstance(fault, (discord.HTTPException, aiohttp.ClientError, OSError)):
        level = logging.INFO if getattr(fault, "code", 0) in TOO_LATE else logging.WARNING
        log.log(level, "interaction %s could not be answered: %s", interaction.id, fault)
    else:
        log.error("interaction %s could not be answered", interaction.id, exc_info=fault)


async def _first(interaction: discord.Interaction, came: float, give: Callable[[], Awaitable[T]]) -> T:
    """Send the initial response, retrying while Discord still takes it, and dispatch ``first_answer``.

    Retrying doubles nothing: if only Discord's receipt was lost, the second try is refused (40060).
    """
    given = await retried(give, came + ANSWERED_WITHIN_S, TRY_S)
    interaction.client.dispatch("first_answer", asyncio.get_running_loop().time() - came)
    return given


async def _turn_away(interaction: discord.Interaction) -> None:
    """Presses beyond the first are only acknowledged, which shows nothing; a command has to be answered each time."""
    try:
        if _is_press(interaction) and not _limiter.should_notify(interaction.user.id):
            await interaction.response.defer()
        else:
            await _send(interaction, Reply(sentence(_TOO_FAST)))
    except discord.HTTPException as fault:
        log.info("interaction %s, one of a flood, could not be answered: %s", interaction.id, fault)


async def _offer_nothing(interaction: discord.Interaction) -> None:
    try:
        await interaction.response.autocomplete([])
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("autocomplete of interaction %s, above the rate limit, was not answered: %s", interaction.id, error)


def sentence(text: str) -> Post:
    """A post of a single sentence."""
    return Post((text,))


async def _reply_of(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply]) -> Reply:
    try:
        return await work
    except Claimed:
        return SILENCE
    except StoreError as fault:
        if isinstance(fault, Conflict):
            return Reply(sentence(fault.sentence))
        return Reply(sentence(f"{fault.sentence} Reference **{_refer(interaction, fault)}**."))
    except LilypadError as refusal:
        return Reply(sentence(refusal.sentence))
    except Exception as fault:  # noqa: BLE001 - it is logged, with its story
        reference = _refer(interaction, fault)
        return Reply(sentence(f"Something went wrong here, and nothing was lost. Reference **{reference}**."))


def _refer(interaction: discord.Interaction, fault: Exception) -> str:
    """Logs what went wrong; gives the reference number under which it can be found."""
    reference = secrets.token_hex(3).upper()
    log.error(
        "reference %s: interaction %s failed",
        reference,
        interaction.id,
        exc_info=fault,
        extra={"reference": reference, "interaction": interaction.id},
    )
    return reference


def _is_press(interaction: discord.Interaction) -> bool:
    return interaction.message is not None


def is_private(interaction: discord.Interaction) -> bool:
    """Whether what was pressed is seen by the user alone: an answer to them, or a direct message."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or isinstance(interaction.channel, discord.DMChannel))


async def _defer(interaction: discord.Interaction, *, public: bool) -> None:
    if _is_press(interaction):
        await interaction.response.defer()
    else:
        await interaction.response.defer(thinking=True, ephemeral=not public)


async def _send(interaction: discord.Interaction, reply: Reply) -> int | None:
    """Sends the reply; gives the id of the message that now shows it."""
    if reply.form is not None:
        await _send_form(interaction, reply.form)
        return None
    response = interaction.response
    late = response.is_done()
    view = layout(reply.post, reply.table, reply.version, reply.mark)
    files = _files(reply.post)
    here = reply.where == "board" or (reply.where == "here" and is_private(interaction))
    if late:
        if not _is_press(interaction) or here:
            return (await interaction.edit_original_response(view=view, attachments=files)).id
        return (await interaction.followup.send(view=view, files=files, ephemeral=True, wait=True)).id
    if here and interaction.message is not None:
        await response.edit_message(view=view, attachments=files)
        return interaction.message.id
    callback = await response.send_message(view=view, files=files, ephemeral=reply.where != "channel")
    return callback.message_id or getattr(callback.resource, "id", None)


def _files(post: Post) -> list[discord.File]:
    return [discord.File(io.BytesIO(post.file[1].encode()), post.file[0])] if post.file else []


async def _send_form(interaction: discord.Interaction, form: discord.ui.Modal) -> None:
    if interaction.response.is_done():
        view = layout(sentence("That took too long to open; please press once more."))
        await interaction.followup.send(view=view, ephemeral=True)
        return
    form.stop()
    await interaction.response.send_modal(form)
