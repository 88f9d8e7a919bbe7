"""``python -m bot run`` with other timeouts.

A second where it waits a minute for Discord, so that tests are quick; a minute where it has to answer within seconds,
so that no test fails on a busy machine.
"""

import sys

from bot import client, gateway
from bot.__main__ import main
from bot.settings import Settings
from bot.ui.interactions import respond as answer
from bot.ui.messages import executor, presence, workers

SILENCE_S = 5.0
"""So long the gateway may say nothing before the connection counts as lost; a minute elsewhere."""
DRAWING_S = 3.0
"""So long a drawing may take; ten minutes elsewhere."""
AWAKE_S = 1.0
"""Who did something so long ago is pinged; a minute elsewhere."""
GUILDS_WITHIN_S = 0.3
"""So long after the last server that Discord told of it is taken to have told of all; two seconds elsewhere."""
REQUEST_S = 2.0
"""So long one request may take; a quarter of a minute elsewhere."""
LATE_S = 4.0
"""So long after a timeout an edit may still be carried out; a minute elsewhere."""
PAUSE_S = 0.5
"""The longest pause between two tries to connect; a minute elsewhere."""
RESPOND_WITHIN_S = 60.0
"""How long a first answer is retried; three seconds elsewhere, which is too short on a machine with other work."""
TRY_TIMEOUT_S = 5.0
"""The timeout of one try; 1.2 seconds elsewhere."""
DEFER_AFTER_S = 20.0
"""How long work may take before the interaction is deferred; 1.8 seconds elsewhere."""


class Impatient(client.LilypadBot):
    """The bot, with less patience for the gateway."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._connection.heartbeat_timeout = SILENCE_S
        self._connection.guild_ready_timeout = GUILDS_WITHIN_S

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Elsewhere five seconds: so long has to lie between two sessions that begin."""


if __name__ == "__main__":  # tests import the figures, and must find the bot itself as it is
    client.LilypadBot = Impatient  # type: ignore[misc, assignment]  # `make_bot` takes it from there
    gateway.REQUEST_S = REQUEST_S  # type: ignore[misc]  # it is read at the start
    gateway.LONGEST_PAUSE_S = PAUSE_S  # type: ignore[misc]  # it is read anew for each pause
    executor.LATE_S = LATE_S  # type: ignore[misc]  # it is read at each timeout
    presence.PAUSE_S = AWAKE_S  # type: ignore[misc, assignment]  # it is read anew for each turn
    answer.RESPOND_WITHIN_S, answer.TRY_TIMEOUT_S, answer.DEFER_AFTER_S = (  # type: ignore[misc]  # they are read for each answer
        RESPOND_WITHIN_S,
        TRY_TIMEOUT_S,
        DEFER_AFTER_S,
    )
    workers.LONGEST_S = DRAWING_S  # type: ignore[misc]  # it is read anew for each drawing
    sys.exit(main(["run"]))
