"""Viewers of tables. Each sees only some of them."""

from collections.abc import Sequence
from typing import Final, Protocol

from bot.store.records import Table


class Viewer(Protocol):
    """A user on Discord, or the operator on the command line."""

    @property
    def user_id(self) -> int | None:
        """The user; ``None`` for the operator."""

    @property
    def guild_id(self) -> int | None:
        """The server where the user acts; ``None`` in direct messages."""

    async def first_seen(self, tables: Sequence[Table]) -> Table | None:
        """Return the first table that the viewer may know of. Hidden tables take as long as none."""


class _Operator:
    user_id: int | None = None
    guild_id: int | None = None

    async def first_seen(self, tables: Sequence[Table], /) -> Table | None:
        return next(iter(tables), None)


OPERATOR: Final[Viewer] = _Operator()
"""Sees all tables. Nothing that people reach on Discord may use it."""


def is_seated(table: Table, user_id: int | None) -> bool:
    """Return whether the user has a seat there, or a computer keeps one for them."""
    return user_id is not None and any(user_id in {sitter.user_id, sitter.held_for} for sitter in table.sitters)
