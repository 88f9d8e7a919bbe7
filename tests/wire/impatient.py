"""``python -m bot run`` with other timeouts.

Where the bot waits a minute for Discord, this waits a second, to keep tests fast. Where the bot has to answer within
seconds, this has a minute, so that no test fails on a busy machine.
"""

import os
import sys
import time

from bot import calendar, logs
from bot.__main__ import main
from bot.running import application_emojis as emojis, client, gateway
from bot.settings import Settings
from bot.tables.absence import deadlines
from bot.ui.actions import hint_actions
from bot.ui.interactions import rate_limit, respond as answer, response
from bot.ui.live import pings, sightings, workers, writer
from tests.patient import wait_for_pictures

SILENCE_S = 5.0
"""Maximum silence of the gateway before the connection counts as lost. Normally a minute."""
DRAWING_S = 20.0
"""Timeout of a drawing. Normally ten minutes."""
AWAKE_S = 1.0
"""Players are pinged if their last action is this old. Normally a minute."""
GUILDS_WITHIN_S = 0.3
"""Time after the last server event before all servers count as received. Normally two seconds."""
REQUEST_S = float(os.environ.get("REQUEST_S", "4"))
"""The timeout of a request. Normally 15 seconds."""
LATE_S = float(os.environ.get("LATE_S", "15"))
"""Time after a timeout in which an edit may still be carried out. Normally a minute."""
SYNC_RETRY_S = 0.5
"""Pause before the commands are sent again. Normally five seconds and more."""
PAUSE_S = 0.5
"""The longest pause between connection attempts. Normally a minute."""
RESPOND_WITHIN_S = float(os.environ.get("RESPOND_WITHIN_S", "60"))
"""Time for which initial responses are retried. Normally three seconds, which is too short on a busy machine."""
TRY_TIMEOUT_S = 5.0
"""The timeout of one attempt. Normally 1.2 seconds."""
DEFER_AFTER_S = float(os.environ.get("DEFER_AFTER_S", "20"))
"""Time that work may take before the interaction is deferred. Normally 1.8 seconds."""
ANNOUNCE_AFTER_S = float(os.environ.get("ANNOUNCE_AFTER_S", "1.5"))
"""A thought that takes longer is announced."""
MAX_CONCURRENT = 100
"""Maximum concurrent interactions of one user. Normally eight, which one slow process may reach."""
TICK_S = float(os.environ.get("TICK_S", "1"))
"""Interval of looking for what other processes have changed."""
EMOJI_PAUSE_S = 0.1
"""Pause before each emoji is created. Normally half a second."""

REMINDERS_S = tuple(map(float, os.environ.get("REMINDERS_S", "").split()))
"""When reminders are due at tables with three days for a move, if set. Normally after half a day and more."""
BEAT_S = 1.0
"""Interval of heartbeats, if reminders come so early. Normally a quarter of an hour."""
REPEAT_S = 0.0
"""Minimum time between warnings that differ in numbers only. Normally a minute."""
EMOJI_REPORT_S = 1.0
"""Interval of reporting emojis, and of retries to create them. Normally a minute and more."""

AHEAD_S = float(os.environ.get("AHEAD_S", "0"))
"""By how much the bot's clock is ahead. Bots that get a command at the same moment tag its table by their clocks."""


class Impatient(client.LilypadBot):
    """The bot with shorter gateway timeouts."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, now=lambda: time.time() + AHEAD_S, lease_tick_s=TICK_S, emoji_pause_s=EMOJI_PAUSE_S)
        self._connection.heartbeat_timeout = SILENCE_S
        self._connection.guild_ready_timeout = GUILDS_WITHIN_S

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """The time between two new sessions. Normally five seconds."""


if __name__ == "__main__":  # tests import the constants, without changing the bot
    logs.REPEAT_S = REPEAT_S  # type: ignore[misc]  # it is read for each warning
    client.LilypadBot = Impatient  # type: ignore[misc, assignment]  # `bot.running.login` takes it from there
    gateway.REQUEST_S = REQUEST_S  # type: ignore[misc]  # it is read at the start
    gateway.LONGEST_PAUSE_S = PAUSE_S  # type: ignore[misc]  # it is read for each pause
    gateway.SYNC_RETRY_S = (SYNC_RETRY_S,) * 4  # type: ignore[misc, assignment]  # it is read for each attempt
    writer.EDIT_S = writer.LONGEST_EDIT_S = REQUEST_S  # type: ignore[misc]  # it is read for each edit
    sightings.LATE_S = LATE_S  # type: ignore[misc]  # it is read at each timeout
    pings.PAUSE_S = AWAKE_S  # type: ignore[misc, assignment]  # it is read for each turn
    answer.DEFER_AFTER_S = DEFER_AFTER_S  # type: ignore[misc]  # it is read for each answer
    response.RESPOND_WITHIN_S, response.TRY_TIMEOUT_S = RESPOND_WITHIN_S, TRY_TIMEOUT_S  # type: ignore[misc]  # as above
    emojis.CHECK_S = EMOJI_REPORT_S  # type: ignore[misc]  # it is read for each report
    emojis.RETRY_AFTER_S = (EMOJI_REPORT_S,) * 3  # type: ignore[misc]  # it is read after each failure
    hint_actions.ANNOUNCE_AFTER_S = ANNOUNCE_AFTER_S  # type: ignore[misc]  # it is read for each hint
    rate_limit.MAX_CONCURRENT = MAX_CONCURRENT  # type: ignore[misc]  # it is read for each interaction
    if REMINDERS_S:
        deadlines.REMINDERS = {**deadlines.REMINDERS, "three-days": REMINDERS_S}  # type: ignore[misc]  # as above
        calendar.BEAT_S = calendar.LOOK_S = BEAT_S  # type: ignore[misc]  # they are read for each heartbeat
    wait_for_pictures()
    workers.LONGEST_S = DRAWING_S  # type: ignore[misc]  # it is read for each drawing
    sys.exit(main(["run"]))
