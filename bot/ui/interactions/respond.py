"""Answering interactions within Discord's three seconds.

The work of each command and press returns a `Reply`. `answer` sends it, defers if the work takes long, and turns each
exception into a private sentence. Unexpected errors are logged under a reference number that the user sees.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

import discord
from msgspec.structs import replace

from bot.errors import Claimed, Conflict, LilypadError, OutcomeUnknown, StoreError
from bot.tables import answering
from bot.texts import gettext as _, supported, use
from bot.ui.interactions.language import use_language_of
from bot.ui.interactions.rate_limit import QUIET_S, RateLimiter
from bot.ui.interactions.reply import (
    Reply,
    answers,
    defer,
    is_beside,
    is_in_place,
    is_on_page,
    is_press,
    is_waiting,
    refusal,
    replaces_picture,
    retried,
    send,
    sentence,
    still_waits,
)
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, TOO_LATE, UNREADABLE, Code, is_outage, is_refusal
from bot.ui.posts.layout import layout
from bot.ui.posts.pictures import drawn
from bot.ui.posts.sender import Sent

log = logging.getLogger(__name__)

T = TypeVar("T")

DEFER_AFTER_S: Final = 1.8
"""An interaction is deferred if its answer takes longer."""
TAKE_OVER_S: Final = 2.2
"""If the process that should answer hasn't answered or deferred by then, a standby does."""
RESPOND_WITHIN_S: Final = 3.0
"""How long Discord accepts the initial response."""
TRY_TIMEOUT_S: Final = 1.2
"""Timeout of one try to send the initial response. discord.py itself would retry too late."""
FOLLOW_UP_TIMEOUT_S: Final = 20.0
"""Timeout for sending the reply to a deferred interaction."""

COMPLETE_AFTER_S: Final = (1, 5, 15, 60, 180, 480)
"""Pauses before a deferral that the reply didn't reach is replaced. Discord takes that for 15 minutes."""

SILENCE: Final = Reply()
"""No reply, as another process answers."""

_answering: Final[set[asyncio.Task[Any]]] = set()
"""The tasks that are answering."""
_completing: Final[set[asyncio.Task[None]]] = set()
"""The tasks that replace deferrals."""
_LOOK_S: Final = 0.05
"""How often a standby looks whether it has to answer now."""
_limiter: Final = RateLimiter()
_floods: Final[dict[int, asyncio.TimerHandle]] = {}
"""When the flood of each user's presses is over."""


async def answer(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply], *, public: bool = False) -> None:
    """Await the work and answer with its reply. If deferred, the reply is seen by the whole channel if ``public``.

    The client dispatches the event ``first_answer`` with the seconds until the initial response. Users above the rate
    limit are notified once, and their interactions aren't processed. After a flood of presses, the client dispatches
    the event ``flood_over`` with the last one.

    Discord sends an interaction to every process of a shard. The holder of the shard's lease answers; see `_is_ours`.
    """
    user_id = interaction.user.id
    if not await _is_ours(interaction, public=public):
        work.close()
        return
    if not _limiter.acquire(user_id):
        work.close()
        await _reject(interaction)
        return
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - only a task can await this
    _answering.add(task)
    try:
        await asyncio.sleep(0)  # let interactions that arrived at the same time reach the limiter
        await _answer(interaction, work, public=public)
    finally:
        answers(interaction).release(interaction.id)
        _answering.discard(task)
        _limiter.release(user_id)


async def _is_ours(interaction: discord.Interaction, *, public: bool) -> bool:
    """Return whether this process answers: it has the shard's lease, or the one that has it leaves this unanswered.

    Then this process defers first. Discord takes one initial response, so of two processes only one goes on here; and
    `bot.tables.answering` lets one of them change tables, should the other be slow rather than dead.
    """
    client: Any = interaction.client
    if client.leases.answers(interaction.guild_id):
        return True
    now = asyncio.get_running_loop().time
    received_at = now()
    while now() < received_at + TAKE_OVER_S and not client.leases.answers(interaction.guild_id):  # noqa: ASYNC110 - the database decides
        await asyncio.sleep(_LOOK_S)
    try:
        await retried(lambda: defer(interaction, public=public), received_at + RESPOND_WITHIN_S, TRY_TIMEOUT_S)
    except (*CONNECTION_ERRORS, *UNREADABLE) as error:
        log.debug("interaction %s is left to the process that has answered it: %s", interaction.id, error)
        return False
    log.info("interaction %s is answered by a standby", interaction.id)
    return True


async def may_autocomplete(interaction: discord.Interaction) -> bool:
    """Return whether autocomplete is within its user's rate limit. Above the limit, offer nothing.

    Every process of the shard offers something, and Discord takes what comes first: that changes nothing.

    The slot is released when the current task ends; discord.py creates one for each interaction.
    """
    user_id = interaction.user.id
    if not _limiter.acquire(user_id):
        await offer_nothing(interaction)
        return False
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - only a task can await this
    task.add_done_callback(lambda _task: _limiter.release(user_id))
    await asyncio.sleep(0)  # let interactions that arrived at the same time reach the limiter
    return True


async def finish_answers(within_s: float) -> None:
    """Wait for the answers in progress, up to a timeout."""
    if _answering:
        await asyncio.wait(_answering, timeout=within_s)


async def _answer(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply], *, public: bool) -> None:
    response = _Response(interaction, public=public)
    deferral = asyncio.get_running_loop().call_later(DEFER_AFTER_S, response.defer)
    try:
        reply = await _reply_of(interaction, work)
        await drawn(reply.post)  # it is kept until the reply is sent
    finally:
        deferral.cancel()
    if reply is SILENCE:
        if not response.is_deferred:
            return
        reply = Reply(sentence(_maybe_done()))
    if is_waiting(interaction) and is_on_page(interaction) and reply.where != "channel":
        reply = replace(reply, where="private" if is_beside(interaction) else "here")
    try:
        sent = await response.send(reply)
        if sent:
            interaction.client.dispatch("answer", interaction)
        await answers(interaction).answered(interaction, reply, sent)
    except Exception as error:  # noqa: BLE001 - it is logged; the table must not wait for this answer
        await answers(interaction).answered(interaction, reply, None)
        _log_loss(interaction, error)
        if response.is_announced:
            completing = asyncio.create_task(_complete(interaction))
            _completing.add(completing)
            completing.add_done_callback(_completing.discard)


class _Response:
    """The response to an interaction: the reply itself, or a deferral that the reply follows."""

    def __init__(self, interaction: discord.Interaction, *, public: bool) -> None:
        self._interaction = interaction
        self._is_public = public
        self._created_at = asyncio.get_running_loop().time()
        self._deferral: asyncio.Task[None] | None = None
        self._has_tried_to_defer = False

    @property
    def is_deferred(self) -> bool:
        return self._deferral is not None or self._interaction.response.is_done()

    @property
    def is_announced(self) -> bool:
        """Whether the user sees that a reply is to follow. A deferred press shows nothing."""
        return is_waiting(self._interaction) or (self.is_deferred and not is_press(self._interaction))

    def defer(self) -> None:
        """Start deferring, unless the interaction is answered already."""
        if self._interaction.response.is_done():
            return
        self._deferral = asyncio.ensure_future(self._initial(self._defer))

    async def _defer(self) -> None:
        """Defer. If Discord refuses a retry as already done, the earlier try arrived and its receipt was lost."""
        is_another_try, self._has_tried_to_defer = self._has_tried_to_defer, True
        try:
            await defer(self._interaction, public=self._is_public)
        except discord.InteractionResponded:
            pass  # it was announced in the meantime
        except discord.HTTPException as error:
            if error.code != Code.ALREADY_ACKNOWLEDGED or not (is_another_try or is_waiting(self._interaction)):
                raise

    async def send(self, reply: Reply) -> Sent | None:
        """Send the reply and return the message that shows it."""
        if not self.is_deferred and await replaces_picture(self._interaction, reply):
            self.defer()
        if not self.is_deferred:
            try:
                return await self._initial(lambda: send(self._interaction, reply))
            except discord.HTTPException as error:  # if Discord has announced it, the receipt of that was lost
                if error.code != Code.ALREADY_ACKNOWLEDGED or not is_waiting(self._interaction):
                    raise
        if self._deferral is not None:
            await self._has_deferred(self._deferral)
        return await self._follow_up(reply)

    async def _has_deferred(self, deferral: asyncio.Task[None]) -> None:
        """Wait for the deferral. If it got no answer, Discord may have carried it out, and the reply must follow."""
        try:
            await deferral
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            if not (is_outage(error) or isinstance(error, UNREADABLE)):
                raise
            await self._check_deferred(error)

    async def _check_deferred(self, error: Exception) -> None:
        """Raise the error of a deferral, unless Discord has carried it out, or doesn't say."""
        try:
            await self._interaction.original_response()
        except (*CONNECTION_ERRORS, *UNREADABLE) as refusal:
            if is_refusal(refusal):
                raise error from refusal

    async def _follow_up(self, reply: Reply) -> Sent | None:
        """Send the reply after a deferral. What it replaces can be sent again; a new message would be doubled."""
        async with asyncio.timeout(FOLLOW_UP_TIMEOUT_S):
            replaces = is_in_place(self._interaction, reply) or is_beside(self._interaction)
            if is_press(self._interaction) and not replaces:
                return await send(self._interaction, reply, is_deferred=True)
            until = asyncio.get_running_loop().time() + FOLLOW_UP_TIMEOUT_S
            return await retried(
                lambda: send(self._interaction, reply, is_deferred=True), until, FOLLOW_UP_TIMEOUT_S / 3
            )

    async def _initial(self, request: Callable[[], Awaitable[T]]) -> T:
        """Send the initial response, retrying until the deadline, and dispatch ``first_answer``.

        Retrying doesn't respond twice: if only Discord's receipt was lost, Discord refuses the second try (40060).
        """
        result = await retried(request, self._created_at + RESPOND_WITHIN_S, TRY_TIMEOUT_S)
        waited_s = asyncio.get_running_loop().time() - self._created_at
        self._interaction.client.dispatch("first_answer", waited_s)
        return result


def _log_loss(interaction: discord.Interaction, error: Exception) -> None:
    if isinstance(error, StoreError):
        log.error("interaction %s was answered, but not recorded; redrawing", interaction.id, exc_info=error)
    elif isinstance(error, CONNECTION_ERRORS):
        level = logging.INFO if getattr(error, "code", 0) in TOO_LATE else logging.WARNING
        log.log(level, "interaction %s could not be answered: %s", interaction.id, error)
    else:
        log.error("interaction %s could not be answered", interaction.id, exc_info=error)


async def _complete(interaction: discord.Interaction) -> None:
    """Replace a deferral or an announcement that the reply didn't reach, as soon as Discord takes that."""
    for pause_s in COMPLETE_AFTER_S:
        await asyncio.sleep(pause_s)
        try:
            if still_waits(interaction, await interaction.original_response()):
                use(supported(str(interaction.locale)))
                await interaction.edit_original_response(view=layout(sentence(_maybe_done())))
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            if is_refusal(error):
                return
        else:
            return


def _maybe_done() -> str:
    return _("This may be done already. Look at the table.")


async def _reject(interaction: discord.Interaction) -> None:
    """Notify a user above the rate limit. Further presses are only acknowledged; commands always need a message."""
    is_new = _limiter.should_notify(interaction.user.id)
    if is_press(interaction):
        _expect_end(interaction)
    try:
        if is_press(interaction) and not is_new:
            await interaction.response.defer()
        else:
            use(supported(str(interaction.locale)))
            await send(interaction, Reply(sentence(_("Too fast! Wait a moment and try again."))))
    except CONNECTION_ERRORS as error:
        log.info("interaction %s, above the rate limit, could not be answered: %s", interaction.id, error)


def _expect_end(interaction: discord.Interaction) -> None:
    """Dispatch ``flood_over`` with this press, unless a later one of the user is rejected, too."""
    user_id = interaction.user.id
    if before := _floods.pop(user_id, None):
        before.cancel()

    def is_over() -> None:
        del _floods[user_id]
        interaction.client.dispatch("flood_over", interaction)

    _floods[user_id] = asyncio.get_running_loop().call_later(2 * QUIET_S, is_over)


async def offer_nothing(interaction: discord.Interaction) -> None:
    """Answer autocomplete without a choice."""
    try:
        await interaction.response.autocomplete([])
    except CONNECTION_ERRORS as error:
        log.info("autocomplete of interaction %s could not be answered: %s", interaction.id, error)


async def _reply_of(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply]) -> Reply:
    try:
        await use_language_of(interaction)
        with answering(interaction.id):
            return await work
    except Claimed:
        return SILENCE
    except Conflict as error:
        log.info("interaction %s conflicts: %s", interaction.id, error)
        return Reply(sentence(_("Someone was faster. Look at the table and try again.")))
    except OutcomeUnknown as error:
        log.warning("interaction %s may be done or not: %s", interaction.id, error)
        return Reply(sentence(_maybe_done()))
    except StoreError as error:
        reference = _log_error(interaction, error)
        return Reply(
            sentence(
                _(
                    "I can't save or load games right now. Nothing has changed. Try again soon. Reference **{id}**.",
                    id=reference,
                )
            )
        )
    except LilypadError as error:
        return Reply(refusal(error), is_refusal=True)
    except Exception as error:  # noqa: BLE001 - it is logged with its traceback
        reference = _log_error(interaction, error)
        return Reply(sentence(_("Something went wrong. Your game is safe. Reference **{id}**.", id=reference)))


def _log_error(interaction: discord.Interaction, error: Exception) -> str:
    """Log an error and return the reference number under which it can be found."""
    reference = secrets.token_hex(3).upper()
    log.error(
        "reference %s: interaction %s failed",
        reference,
        interaction.id,
        exc_info=error,
        extra={"reference": reference, "interaction": interaction.id},
    )
    return reference
