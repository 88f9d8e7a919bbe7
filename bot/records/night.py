"""Game nights as values."""

from typing import Literal

import msgspec

NightStatus = Literal["planned", "begun", "missed", "cancelled"]
"""``missed``: no table could be opened when it should have begun."""


class Night(msgspec.Struct, frozen=True):
    """A game night.

    Parameters
    ----------
    opened_as: The table that opened when it began.
    moves: How often its time was changed while others were in, who get a ping each time.
    is_moderated: Whether somebody else than its host has changed it last: hosts need no ping of their own changes.
    guests: The users who are in, in the order in which they said so.
    """

    id: int
    guild_id: int
    channel_id: int
    host_id: int
    host_name: str
    game: str
    starts_at: float
    status: NightStatus = "planned"
    opened_as: int | None = None
    moves: int = 0
    is_moderated: bool = False
    guests: tuple[int, ...] = ()
