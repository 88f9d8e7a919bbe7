"""``/verify``: whether the deals of a game come from its seed and its cuts, in three lines."""

import asyncio
import io
import logging
from collections.abc import Iterator
from typing import Final

import discord

from bot.errors import NotAllowed, PlayError, TranscriptError, WrongPhase
from bot.games.game import CHANCE
from bot.tables import Table
from bot.texts import gettext as _
from bot.texts import ngettext, number
from bot.transcript import Fairness, Transcript, objects, read, verify
from bot.ui.actions.press import Context
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.text import PROOF_DIGITS, clip, plain

log = logging.getLogger(__name__)

MAX_BYTES: Final = 1_000_000
"""Maximum size of a file. The longest games take half of it, and its check a few seconds."""
_MAX_GAMES: Final = 50
"""Maximum number of games in a file."""
_MAX_WHY: Final = 300
_one_at_a_time: Final = asyncio.Semaphore(1)


async def verify_game(ctx: Context, file: discord.Attachment | None, ref: str | None) -> Reply:
    """Check the transcript in a file, or a table that has ended; with both, whether the file is of that table."""
    table = None if ref is None else await ctx.tables.finder.find(ref, ctx.visitor)
    if file is None and table is None:
        raise PlayError("Name a table, or attach a transcript. **More** has it when a game is over.")
    if table is not None and not table.has_ended:
        raise WrongPhase("You can check the deals of Table {name} when the game is over.", name=table.name)
    if file is not None:
        given: bytes | Transcript = await _content(file)
    else:
        given = await ctx.tables.transcript(table.id) if table else b""
    async with _one_at_a_time:
        checked = await asyncio.to_thread(_check, given, table.commitment if table else "")
    return Reply(sentence(_failure(checked) if isinstance(checked, _Failed) else _success(checked, table)))


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


class _Failed(Exception):
    """A transcript that isn't verified: the number of the game in its file, and the error."""

    def __init__(self, game: int, error: TranscriptError) -> None:
        super().__init__(str(error))
        self.game = game
        self.error = error


def _check(given: bytes | Transcript, commitment: str) -> list[Transcript] | _Failed:
    """Return the transcripts, or the first error. This takes seconds, so it runs in a thread."""
    checked: list[Transcript] = []
    try:
        for transcript in _transcripts(given):
            verify(transcript, commitment)
            checked.append(transcript)
    except TranscriptError as error:
        return _Failed(len(checked) + 1, error)
    return checked


def _transcripts(given: bytes | Transcript) -> Iterator[Transcript]:
    if isinstance(given, Transcript):
        yield given
        return
    for count, thing in enumerate(objects(io.BytesIO(given)), 1):
        if count > _MAX_GAMES:
            raise NotAllowed("A file may have at most {n} games.", n=_MAX_GAMES)
        yield read(thing)


def _success(games: list[Transcript], table: Table | None) -> str:
    last = games[-1]
    deals = sum(entry.seat is CHANCE for game in games for entry in game.entries)
    moves = sum(len(game.entries) for game in games) - deals
    digits = last.fairness.commitment[:PROOF_DIGITS] if isinstance(last.fairness, Fairness) else ""
    dealt = ngettext(
        "✅ The {n} deal or draw comes from the seed and the cuts.",
        "✅ All {n} deals and draws come from the seed and the cuts.",
        deals,
    )
    if table is not None:
        proof = _("🔒 The seed fits `{digits}…`, which Table {name} showed before.", digits=digits, name=table.name)
    elif len(games) == 1:
        proof = _("🔒 The seed fits `{digits}…`: your table showed the same before the start.", digits=digits)
    else:
        proof = _("🔒 The seeds of all {n} games fit their commitments.", n=len(games))
    played = ngettext(
        "{n} move follows the rules, and the result is right.",
        "All {n} moves follow the rules, and the result is right.",
        moves,
    )
    return f"{dealt}\n{proof}\n{played}"


def _failure(failed: _Failed) -> str:
    error = failed.error
    where = plain(error.where) if failed.game == 1 else _("game {n}, {where}", n=failed.game, where=plain(error.where))
    why = clip(plain(error.why), _MAX_WHY)
    return "\n".join((_("❌ This isn't verified."), f"{where}: {why}", _("-# What follows wasn't checked.")))
