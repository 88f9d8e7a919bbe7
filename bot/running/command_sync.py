"""Syncs the slash commands with Discord."""

import asyncio
import itertools
import logging
from typing import Any, Final

from discord import app_commands

from bot.running.failure_reasons import is_discords, reason_of
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE, is_refusal, retry_after_s

log: Final = logging.getLogger(__name__)

SYNC_RETRY_S: Final = (5, 30, 300, 3600)
"""Retry delays for syncing commands; the last one repeats."""
OUTAGE_RETRY_S: Final = 60
"""Maximum delay while Discord fails, or something else answers."""


async def keep_syncing(tree: app_commands.CommandTree[Any], tried: asyncio.Event) -> None:
    """Sync the commands, retrying until Discord takes them. ``tried`` is set after the first attempt.

    Discord may fail, or refuse after too many starts in a day. Until then the commands of the last start are valid.
    """
    for delay_s in itertools.chain(SYNC_RETRY_S, itertools.repeat(SYNC_RETRY_S[-1])):
        pause_s: float = delay_s
        try:
            if not await tree.sync():
                raise ValueError  # Discord lists the commands
        except app_commands.CommandSyncFailure:
            log.exception("Discord refuses the commands; retrying in %s s", delay_s)
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            is_refused = is_refusal(error) and is_discords(error)
            pause_s = max(delay_s if is_refused else min(delay_s, OUTAGE_RETRY_S), await retry_after_s(error))
            log.warning("Discord didn't take the commands: %s. Retrying in %s s.", reason_of(error), pause_s)
        else:
            return
        finally:
            tried.set()
        await asyncio.sleep(pause_s)
