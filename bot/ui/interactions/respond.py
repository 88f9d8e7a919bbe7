"""Answering interactions within Discord's three seconds.

The work of each command and press returns a `Reply`. `answer` sends it, defers if the work takes long, and turns each
exception into a private sentence. Unexpected errors are logged under a reference number that the user sees.
"""

import asyncio
import logging
import math
import secrets
import time
from collections import deque
from collections.abc import Coroutine
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import discord
from msgspec.structs import replace

from bot import logs
from bot.errors import Conflict, LilypadError, OutcomeUnknown, StoreError, is_defect
from bot.texts import gettext as _, supported, use
from bot.ui.interactions.language import is_by_ear, use_language_of
from bot.ui.interactions.rate_limit import QUIET_S, RateLimiter
from bot.ui.interactions.reply import (
    RESPONSE,
    Reply,
    Shows,
    answers,
    is_beside,
    is_on_page,
    is_press,
    is_waiting,
    refusal,
    send,
    sentence,
    still_waits,
)
from bot.ui.interactions.response import Response
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, TOO_LATE, UNREADABLE, is_refusal
from bot.ui.posts.heard import heard
from bot.ui.posts.layout import layout
from bot.ui.posts.pictures import drawn
from bot.ui.posts.post import Button, Post
from bot.ui.posts.recent import Recent
from bot.ui.posts.sender import Sent

log = logging.getLogger(__name__)

DEFER_AFTER_S: Final = 1.8
"""An interaction is deferred if its answer takes longer."""
COMPLETE_AFTER_S: Final = (1, 5, 15, 60, 180, 480)
"""Pauses before a deferral that the reply didn't reach is replaced. Discord takes that for 15 minutes."""

_GIVING_UP_S: Final = 0.5
"""Timeout for answers to notice that they are given up."""


class Repeated(Exception):
    """Raised for an interaction that another process, or an earlier one, has had before. That one answers it."""


_answering: Final[set[asyncio.Task[Any]]] = set()
"""The tasks that are answering."""
_completing: Final[set[asyncio.Task[None]]] = set()
"""The tasks that replace deferrals."""
_limiter: Final = RateLimiter()
_KEPT: Final = 10_000
_delivered: Final[WeakKeyDictionary[discord.Client, Recent[int, bool]]] = WeakKeyDictionary()
"""The latest interactions of each client."""
_floods: Final[dict[int, asyncio.TimerHandle]] = {}
"""When the flood of each user's presses is over."""
_FAULTS_KEPT: Final = 20
_MOST_OUTAGES: Final = 100
_outages: Final[WeakKeyDictionary[discord.Client, Recent[str, tuple[str, float]]]] = WeakKeyDictionary()
"""Why the database can't be used, with the reference and the time at which that was logged, by bot."""


async def answer(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply], *, public: bool = False) -> None:
    """Await the work and answer with its reply. If deferred, the reply is seen by the whole channel if ``public``.

    The client dispatches the event ``first_answer`` with the seconds until the initial response. Users above the rate
    limit are notified once, and their interactions aren't processed. After a flood of presses, the client dispatches
    the event ``flood_over`` with the last one.
    """
    user_id = interaction.user.id
    logs.note(interaction=interaction.id, server=interaction.guild_id, user=user_id)
    if _was_delivered(interaction):
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


def _was_delivered(interaction: discord.Interaction) -> bool:
    """Return whether this process has had this interaction: Discord may deliver one again when a session resumes."""
    recent = _delivered.setdefault(interaction.client, Recent(_KEPT))
    if interaction.id in recent:
        log.info("interaction %s was delivered twice", interaction.id)
        return True
    recent[interaction.id] = True
    return False


async def may_autocomplete(interaction: discord.Interaction) -> bool:
    """Return whether autocomplete is within its user's rate limit. Above the limit, offer nothing.

    The slot is released when the current task ends; discord.py creates one for each interaction.
    """
    user_id = interaction.user.id
    logs.note(interaction=interaction.id, server=interaction.guild_id, user=user_id)
    if not _limiter.acquire(user_id):
        await offer_nothing(interaction)
        return False
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - only a task can await this
    task.add_done_callback(lambda _task: _limiter.release(user_id))
    await asyncio.sleep(0)  # let interactions that arrived at the same time reach the limiter
    return True


async def finish_answers(within_s: float) -> None:
    """Wait for the answers in progress, up to a timeout, and give up the rest while the connection is still open."""
    if _answering:
        await asyncio.wait(_answering, timeout=within_s)
    late = [*_answering, *_completing]
    for task in late:
        task.cancel()
    if late:
        await asyncio.wait(late, timeout=_GIVING_UP_S)


async def _answer(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply], *, public: bool) -> None:
    response = Response(interaction, public=public)
    interaction.extras[RESPONSE] = response
    deferral = asyncio.get_running_loop().call_later(DEFER_AFTER_S, response.defer)
    try:
        reply = await _reply_of(interaction, work)
        if reply is None:
            return
        if isinstance(reply.shows, Shows):
            await answers(interaction).shown(reply.shows)
        else:
            await drawn(reply.post)  # it is kept until the reply is sent
    finally:
        deferral.cancel()
    reply = _as_read(interaction, reply)
    if is_waiting(interaction) and is_on_page(interaction) and reply.where != "channel":
        reply = replace(reply, where="private" if is_beside(interaction) else "here")
    try:
        sent = await _sent(response, reply)
        if sent:
            interaction.client.dispatch("answer", interaction)
            answers(interaction).answered(interaction, reply, sent)
    except Exception as error:  # noqa: BLE001 - it is logged; the table must not wait for this answer
        _log_loss(interaction, error)
        if response.is_announced:
            completing = asyncio.create_task(_complete(interaction))
            _completing.add(completing)
            completing.add_done_callback(_completing.discard)


def _as_read(interaction: discord.Interaction, reply: Reply) -> Reply:
    """Return the reply as its user gets it: a private one in words, if they want hands as text."""
    if not is_by_ear(interaction) or reply.where in {"board", "channel"}:
        return reply
    return replace(reply, post=heard(reply.post))


async def _sent(response: Response, reply: Reply) -> Sent | None:
    """Send the reply, unless a live message has shown it. Return the message that shows it."""
    if not isinstance(reply.shows, Shows):
        return await response.send(reply)
    if not (response.has_shown or response.is_press):
        return await response.send(Reply(sentence(_maybe_done())))
    await response.acknowledge()
    return Sent(response.pressed_id)


def _log_loss(interaction: discord.Interaction, error: Exception) -> None:
    if isinstance(error, StoreError):
        logs.failure(log, "interaction %s was answered, but not recorded; redrawing", interaction.id, error=error)
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


async def _reply_of(interaction: discord.Interaction, work: Coroutine[Any, Any, Reply]) -> Reply | None:
    """Return the reply; ``None`` if the interaction was delivered before."""
    try:
        await use_language_of(interaction)
        return await work
    except Repeated:
        log.info("interaction %s was delivered twice", interaction.id)
        return None
    except Conflict as error:
        log.info("interaction %s conflicts: %s", interaction.id, error)
        return Reply(sentence(_("Someone was faster. Look at the table and try again.")))
    except OutcomeUnknown as error:
        log.warning("interaction %s may be done or not: %s", interaction.id, error)
        return Reply(sentence(_maybe_done()))
    except StoreError as error:
        reference = _log_error(interaction, error) if is_defect(error) else _log_outage(interaction, error)
        said = _(
            "I can't save or load games right now. Nothing has changed. Try again soon. Reference **{id}**.",
            id=reference,
        )
        return Reply(_with_report(said, reference))
    except LilypadError as error:
        return Reply(refusal(error), is_refusal=True)
    except Exception as error:  # noqa: BLE001 - it is logged with its traceback
        reference = _log_error(interaction, error)
        said = _("Something went wrong. Your game is safe. Reference **{id}**.", id=reference)
        return Reply(_with_report(said, reference))
    finally:
        work.close()  # it hasn't begun if the language can't be looked up


def _with_report(said: str, reference: str) -> Post:
    """Return the sentence about a fault, with a button to report it."""
    return Post((said,), rows=((Button("report", _("Report"), argument=reference),),))


class Fault(NamedTuple):
    """An interaction that failed: when, in seconds since 1970, the reference that the user has read, and the error."""

    at: float
    reference: str
    error: str
    table_id: int | None


_faults: Final[WeakKeyDictionary[discord.Client, deque[Fault]]] = WeakKeyDictionary()


def faults(client: discord.Client) -> tuple[Fault, ...]:
    """Return the last faults of a client, the latest first."""
    return tuple(reversed(_faults.get(client, ())))


def fault_of(client: discord.Client, reference: str) -> Fault | None:
    """Return the fault with this reference, if it is one of the last."""
    return next((each for each in faults(client) if each.reference == reference), None)


def _note_fault(interaction: discord.Interaction, reference: str, error: Exception) -> None:
    said = error.sentence if isinstance(error, StoreError) else type(error).__name__  # others may quote moves
    noted = _faults.setdefault(interaction.client, deque(maxlen=_FAULTS_KEPT))
    noted.append(Fault(time.time(), reference, said, logs.noted("table")))


def _log_outage(interaction: discord.Interaction, error: StoreError) -> str:
    """Log once a minute that the database can't be used. All interactions that fail meanwhile get one reference."""
    outages = _outages.setdefault(interaction.client, Recent(_MOST_OUTAGES))
    now = asyncio.get_running_loop().time()
    reference, at = outages.get(error.sentence, ("", -math.inf))
    if now - at >= logs.REPEAT_S:
        reference = _new_reference()
        outages[error.sentence] = reference, now
        extra = {"reference": reference, "interaction": interaction.id}
        log.warning("reference %s: interaction %s failed: %s", reference, interaction.id, error, extra=extra)
        _note_fault(interaction, reference, error)
    return reference


def _new_reference() -> str:
    return secrets.token_hex(3).upper()


def _log_error(interaction: discord.Interaction, error: Exception) -> str:
    """Log an error and return the reference number under which it can be found."""
    reference = _new_reference()
    _note_fault(interaction, reference, error)
    log.error(
        "reference %s: interaction %s failed",
        reference,
        interaction.id,
        exc_info=error,
        extra={"reference": reference, "interaction": interaction.id},
    )
    return reference
