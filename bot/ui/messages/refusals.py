"""Private refusals, of which a user has only one in a channel: a newer one replaces it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import discord

from bot.ui.interactions.respond import CONNECTION_ERRORS
from bot.ui.messages.open_messages import VALID_S, reaches

log = logging.getLogger(__name__)

MAX_SHOWN: Final = 5000
"""Maximum refusals that are remembered; above it the oldest is dropped."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    webhook: discord.Webhook
    message_id: int
    until: float


class Refusals:
    """Deletes a user's last refusal in a channel when the next one is shown. This is in memory only."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._shown: dict[tuple[int, int | None], _Refusal] = {}

    async def on_refusal(self, interaction: discord.Interaction, message_id: int) -> None:
        """Remember a refusal, and delete the one that it replaces."""
        whose = interaction.user.id, interaction.channel_id
        last = self._shown.pop(whose, None)
        self._shown[whose] = _Refusal(interaction.followup, message_id, self._now() + VALID_S)
        if len(self._shown) > MAX_SHOWN:
            del self._shown[next(iter(self._shown))]
        if last is not None and last.until >= self._now() and last.message_id != message_id:
            try:
                await reaches(last.webhook.delete_message(last.message_id))
            except CONNECTION_ERRORS as error:
                log.info("a replaced refusal stays: %s", error)
