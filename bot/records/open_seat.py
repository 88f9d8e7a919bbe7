"""A seat at an open table as a value."""

import msgspec

from bot.records.table import Table


class OpenSeat(msgspec.Struct, frozen=True):
    """An open table where a user has a seat, and whether it waits for their move."""

    table: Table
    is_waiting: bool
