"""``/verify``: whether the deals of a game come from its seed and its cuts, in three lines."""

import asyncio
import logging
from typing import Final

import discord
from msgspec.structs import replace

from bot.errors import NotAllowed, PlayError, WrongPhase
from bot.records.table import Table
from bot.texts import gettext as _, ngettext, number
from bot.transcript import MAX_GAMES, Refuted, Verified, check, write
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.text import clip, plain

log = logging.getLogger(__name__)

MAX_BYTES: Final = 1_000_000
"""Maximum size of a file. The longest games take half of it, and its check a few seconds."""
_MAX_WHY: Final = 300
_one_at_a_time: Final = asyncio.Semaphore(1)


async def verify_game(ctx: Context, file: discord.Attachment | None, ref: str | None) -> Reply:
    """Check the transcript in a file, or a table that has ended; with both, whether the file is of that table."""
    table = None if ref is None else await ctx.tables.finder.find(ref, ctx.visitor)
    if file is None and table is None:
        raise PlayError("Name a table, or attach a transcript. **More** has it when a game is over.")
    if table is not None:
        _check_verifiable(table)
    if file is not None:
        content = await _content(file)
    else:
        content = write(await ctx.tables.transcript(table.id)).encode() if table else b""
    async with _one_at_a_time:
        checked = await ctx.app.elsewhere(check, content, table.commitment if table else "")
    if checked is None:
        raise NotAllowed("A file may have at most {n} games.", n=MAX_GAMES)
    return Reply(sentence(_failure(checked) if isinstance(checked, Refuted) else _success(checked, table)))


@press("verify")
async def _verify_pressed(ctx: Context) -> Reply:
    return replace(await verify_game(ctx, None, ctx.table.key), table=ctx.table)


def _check_verifiable(table: Table) -> None:
    """Raise `WrongPhase` before the end of a game, and `NotAllowed` if it is the rest of another one."""
    if not table.has_ended:
        raise WrongPhase("You can check the deals of Table {name} when the game is over.", name=table.name)
    if table.continues is not None:
        source, _plies = table.continues
        raise NotAllowed(
            "Table {name} plays on from Table {source}, and only whole games can be checked. Check that table instead.",
            name=table.name,
            source=source,
        )


async def _content(file: discord.Attachment) -> bytes:
    """Return the content of a file. Raises `NotAllowed` if it is too large, or can't be read."""
    _check_size(file.size)
    try:
        content = await file.read()
    except CONNECTION_ERRORS as error:
        log.info("a file for /verify can't be read: %s", type(error).__name__)  # the error has its address
        raise NotAllowed("I couldn't read this file. Attach it again.") from None
    _check_size(len(content))
    return content


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise NotAllowed("This file is too large: a transcript has at most {n} bytes.", n=number(MAX_BYTES))


def _success(found: Verified, table: Table | None) -> str:
    digits = found.commitment
    dealt = ngettext(
        "✅ The {n} deal or draw comes from the seed and the cuts.",
        "✅ All {n} deals and draws come from the seed and the cuts.",
        found.deals,
    )
    if table is not None:
        proof = _("🔒 The seed fits `{digits}`, which Table {name} showed before.", digits=digits, name=table.name)
    elif found.games == 1:
        proof = _("🔒 The seed fits `{digits}`: your table showed the same before the start.", digits=digits)
    else:
        proof = _("🔒 The seeds of all {n} games fit their commitments.", n=found.games)
    if found.results:
        played = ngettext(
            "{n} move follows the rules, and the result is right.",
            "All {n} moves follow the rules, and the result is right.",
            found.moves,
        )
    else:
        played = ngettext(
            "{n} move follows the rules. There is no result.",
            "All {n} moves follow the rules. There is no result.",
            found.moves,
        )
    return f"{dealt}\n{proof}\n{played}"


def _failure(error: Refuted) -> str:
    where = plain(error.where) if error.game == 1 else _("game {n}, {where}", n=error.game, where=plain(error.where))
    if not error.is_false:
        text = _(
            "I can't check this file. A game that isn't over, or that plays on from another one, has no seed in it."
        )
        return text if error.game == 1 else f"{where}: {text}"
    why = clip(plain(error.why), _MAX_WHY)
    return "\n".join((_("❌ This isn't verified."), f"{where}: {why}", _("-# What follows wasn't checked.")))
