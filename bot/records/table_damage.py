"""What shows that a table is damaged: a reason of its closing, or a record that can't be right."""

import math
from typing import Final, get_args

from bot.records.table import LEVELS, Status, Table

DAMAGED: Final = "damaged "
"""The reason of tables that were closed because of damage begins with this; their reference number follows."""
_MOST_SEATS: Final = 64
"""More than any game has."""


def damage_reference(table: Table) -> str | None:
    """Return the reference number of the damage in the log, if the table was closed for damage."""
    return table.why.removeprefix(DAMAGED) if table.why and table.why.startswith(DAMAGED) else None


def problem_of(table: Table) -> str | None:
    """Return which part of a table can't be right, whatever its game is; ``None`` if all can."""
    checks = {
        "status": table.status in get_args(Status),
        "number of seats": 0 < table.seats <= _MOST_SEATS,
        "players": all(0 <= sitter.seat < table.seats for sitter in table.sitters),
        "level": all(level in LEVELS for level in (table.level, *(sitter.level for sitter in table.sitters))),
        "time": math.isfinite(table.opened_at) and math.isfinite(table.changed_at),
    }
    return next((what for what, is_right in checks.items() if not is_right), None)
