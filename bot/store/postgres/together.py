"""Runs works at the same time, so that the same statement of several works is one request to the server.

A round trip takes longer than its statement. An append has five statements, so appends to 64 tables would be 320
round trips. Together they are five: the works run in step, and a statement that several of them wait for is sent once,
with the values of each. Only works about different things run together: they don't touch the same rows.
"""

import re
from collections.abc import Coroutine, Generator, Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import asyncpg

from bot.store.group_commit import Write
from bot.store.postgres.errors import may_go_away
from bot.store.postgres.server import Connection
from bot.store.postgres.setwise import SETWISE
from bot.store.postgres.transaction import lock_statement
from bot.store.postgres.translation import arguments, translate
from bot.store.transaction import Row, Values

_QUERY: Final = re.compile(r"\s*SELECT\b")
_RETURNING: Final = re.compile(r"\bRETURNING\b")


class NotTogether(Exception):
    """The works have to run one after the other, as one of them failed and has to be undone alone."""


class _Request(NamedTuple):
    """A statement that a work waits for. ``rows`` tells whether it needs the rows, or how many were changed."""

    statement: str
    values: Values
    rows: bool

    def __await__(self) -> Generator["_Request", Any, Any]:
        return (yield self)


class _StepTransaction:
    """Gives the statements of a work to whoever runs it."""

    async def execute(self, statement: str, values: Values = (), /) -> int:
        count: int = await _Request(statement, values, rows=False)
        return count

    async def execute_many(self, statement: str, values: Iterable[Values], /) -> None:
        for each in values:
            await _Request(statement, each, rows=False)

    async def rows(self, query: str, values: Values = (), /) -> list[Row]:
        rows: list[Row] = await _Request(query, values, rows=True)
        return rows

    async def named_rows(self, query: str, values: Values = (), /) -> list[dict[str, Any]]:
        raise NotTogether(query, values)

    async def lock(self, what: str, /) -> None:
        await self.rows(lock_statement(what))


class _Run:
    """A work that is being run, with the statement that it waits for, or in the end its result or its error."""

    def __init__(self, work: Coroutine[Any, Any, Any]) -> None:
        self._work = work
        self._has_written = False
        self.request: _Request | None = None
        self.result: Any = None

    def go_on(self, answer: Any) -> None:
        """Let the work run to its next statement or its end. Raises `NotTogether` if it failed after it had written."""
        if self.request is not None and not _QUERY.match(self.request.statement):
            self._has_written |= bool(answer)
        try:
            self.request = self._work.send(answer)
        except StopIteration as end:
            self.request, self.result = None, end.value
        except NotTogether:
            raise
        except Exception as error:
            if self._has_written:
                raise NotTogether from error
            self.request, self.result = None, error

    def stop(self) -> None:
        """Leave the work where it is."""
        self._work.close()


async def run_together(writes: Sequence[Write], connection: Connection) -> list[Any]:
    """Return the result or the error of each write, in the transaction that is open. Raises `NotTogether`."""
    results: dict[int, Any] = {}
    for part in independent(writes):
        # All processes lock rows in the same order, so that deadlocks are rare.
        part.sort(key=lambda number: writes[number].about or 0)
        runs = {number: _Run(writes[number].work(_StepTransaction())) for number in part}
        try:
            await _run_in_step(list(runs.values()), connection)
        finally:
            for run in runs.values():
                run.stop()
        results |= {number: run.result for number, run in runs.items()}
    return [results[number] for number in range(len(writes))]


def independent(writes: Sequence[Write]) -> list[list[int]]:
    """Return the numbers of the writes in parts that follow each other. Those in a part are about different things."""
    parts: list[list[int]] = []
    subjects: set[int] = set()
    for number, write in enumerate(writes):
        if write.about is None or write.about in subjects or not subjects:
            parts.append([])
            subjects = set()
        parts[-1].append(number)
        if write.about is not None:
            subjects.add(write.about)
    return parts


async def _run_in_step(runs: list[_Run], connection: Connection) -> None:
    for run in runs:
        run.go_on(None)
    while waiting := [(run.request, run) for run in runs if run.request is not None]:
        groups: dict[tuple[str, bool], list[tuple[_Request, _Run]]] = {}
        for request, run in waiting:
            groups.setdefault((request.statement, request.rows), []).append((request, run))
        for (statement, needs_rows), group in groups.items():
            answers = await _ask(statement, needs_rows, [request.values for request, _ in group], connection)
            for (_, run), answer in zip(group, answers, strict=True):
                run.go_on(answer)


async def _ask(statement: str, needs_rows: bool, values: list[Values], connection: Connection) -> list[Any]:  # noqa: FBT001 - part of the request
    """Run a statement with all these values, and return the rows or the number of changed rows of each."""
    try:
        found = await _fetch(statement, needs_rows, values, connection)
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        if may_go_away(error):
            raise
        raise NotTogether from error
    if not needs_rows:
        counts = [0] * len(values)
        for (number,) in found:
            counts[number] += 1
        return counts
    rows: list[list[Row]] = [[] for _ in values]
    for number, *columns in found:
        rows[number].append(tuple(columns))
    return rows


async def _fetch(statement: str, needs_rows: bool, values: list[Values], connection: Connection) -> list[Any]:  # noqa: FBT001 - part of the request
    """Return the rows, or one row for each that was changed. The first column is the number of its values."""
    if statement in SETWISE:
        of_all: list[Any] = await connection.fetch(SETWISE[statement], *zip(*values, strict=True), range(len(values)))
        return of_all
    text, keys = _numbered(statement, needs_rows=needs_rows)
    numbered = [(*arguments(keys, each), number) for number, each in enumerate(values)]
    of_each: list[Any] = await connection.fetchmany(text, numbered)
    return of_each


@cache
def _numbered(statement: str, *, needs_rows: bool) -> tuple[str, tuple[int | str, ...]]:
    """Return the statement in PostgreSQL's SQL, so that each row begins with the number of its values."""
    text, keys = translate(statement)
    number = f"CAST(${len(keys) + 1} AS INTEGER)"
    if not needs_rows:
        return f"{text} RETURNING {number}", keys
    if _RETURNING.search(text):
        return f"WITH found AS ({text}) SELECT {number}, found.* FROM found", keys  # noqa: S608 - a constant statement
    return f"SELECT {number}, found.* FROM ({text}) AS found", keys  # noqa: S608 - as above
