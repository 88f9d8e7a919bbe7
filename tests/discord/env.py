"""SimCord for machines that are busy."""

from typing import Any, Final

import simcord

PATIENCE: Final = 24
"""Multiple of SimCord's timeout of five seconds that the bot may take to settle on a busy machine."""


class PatientEnv(simcord.Env):
    """SimCord, polling the bot more often. Games would take four times as long otherwise.

    It tolerates a busy machine by retrying. A longer timeout wouldn't do: SimCord waits for all timers due before it.
    """

    async def _settle_internal(self, *, idle: float = 0.002, _deadline: float | None = None, **others: Any) -> None:
        for left in reversed(range(PATIENCE)):
            try:
                await super()._settle_internal(idle=idle, **others)
            except TimeoutError:
                if not left:
                    raise
            else:
                return

    async def _advance_to(self, target: float, deadline: float) -> None:
        await super()._advance_to(target, deadline + PATIENCE * self.settle_timeout)
