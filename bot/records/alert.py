"""Alerts about new tables: how often, how many, and who wants them."""

from typing import Final

import msgspec

from bot.records.preference import UserSettings

DELAY_S: Final = 60.0
"""Time between the opening of a table and alerts about it. One that starts at once brings about none."""
PAUSE_S: Final = 24 * 60 * 60.0
"""Minimum time between two alerts of a user."""
MOST: Final = 20
"""Maximum number of users who are told about a table."""


class Listener(msgspec.Struct, frozen=True):
    """A user who wants to be told about new tables."""

    user_id: int
    language: str | None
    settings: UserSettings
