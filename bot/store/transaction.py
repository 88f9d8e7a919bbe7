"""Works: statements that belong together, written once for every engine.

A *work* is an asynchronous function of a `Transaction`. On SQLite its statements never wait, so it runs to its end in
one step on the connection's thread. On PostgreSQL it is awaited. It may run again after a deadlock or a lost
connection, so it changes nothing but the database.

Statements are written in the SQL that both engines understand. `bot.store.postgres.translation` lists the few functions
of SQLite that are translated for PostgreSQL.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]
Values: TypeAlias = Sequence[object] | Mapping[str, object]
"""The values of a statement: for ``?`` and ``?1`` in order, for ``:name`` by name."""


class Transaction(Protocol):
    """Runs the statements of a work."""

    async def execute(self, statement: str, values: Values = (), /) -> int:
        """Run a statement, and return how many rows it changed."""
        ...

    async def execute_many(self, statement: str, values: Iterable[Values], /) -> None:
        """Run a statement with each of these values."""
        ...

    async def rows(self, query: str, values: Values = (), /) -> list[Row]:
        """Return the rows of a query, or of a statement with ``RETURNING``."""
        ...

    async def named_rows(self, query: str, values: Values = (), /) -> list[dict[str, Any]]:
        """Return the rows as values by the names of their columns."""
        ...

    async def lock(self, what: str, /) -> None:
        """Let no other work with this lock run until the transaction ends.

        Needed where a work reads some rows and then writes others. A changed row is locked anyway.
        """
        ...


Work: TypeAlias = Callable[[Transaction], Coroutine[Any, Any, T]]
