"""Cut the bot off at the points where something leaves it: requests to Discord, and writes to its database.

The bot doesn't notice. Without power, no request gets out, no answer comes in, and nothing is written. So a new bot in
the same world, on the same file, finds what it would find if the process had been killed there.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from unittest.mock import patch

from simcord.backend import Backend
from simcord.http import router

from bot.records.quota import Quotas
from bot.records.table import Change, Table
from bot.store.database import Commit, Work, Writer
from bot.store.schema import Migration
from bot.store.sqlite import SqliteStore
from tests.world import walk

T = TypeVar("T")

_OF_EVERY_START: Final = ("/@me", "/commands", "/gateway/bot")
"""The ends of request paths that have nothing to do with tables."""


class Power:
    """The bot's power supply. ``passed`` has the names of all points passed since `begins`.

    Power fails at the first item of ``fails_at``, a point's name or number, then at the next item, and so on.
    """

    def __init__(self, *fails_at: int | str) -> None:
        self.passed: list[str] = []
        self.fails_at = list(fails_at)
        self.failures = 0
        self.stops_the_clocks: Callable[[], None] = lambda: None
        """Cancels timers of a bot without power."""
        self.is_off = False
        self._is_watched = False
        self._writers: list[PoweredWriter] = []

    def begins(self) -> None:
        """Count points from now on."""
        self._is_watched = True

    def is_reliable(self) -> None:
        """Stop failing."""
        self._is_watched = False

    def passes(self, what: str) -> None:
        """Pass a named point. Without power, cancel the caller, so that nothing it began is finished."""
        if self._is_watched and not self.is_off:
            self.is_off = self.fails_at[:1] in ([len(self.passed)], [what])
            self.passed.append(what)
            if self.is_off:
                self.failures += 1
                del self.fails_at[0]
                self.stops_the_clocks()
                for writer in self._writers:
                    writer.forgets_what_waits()
        if self.is_off:
            raise asyncio.CancelledError

    @contextmanager
    def supplies_every_bot(self) -> Iterator[Self]:
        """Let every bot that starts in this context depend on this power."""
        dispatch = router.dispatch

        def powered(backend: Any, method: str, path: str, *, json: Any = None, **others: Any) -> Any:
            if path.endswith("/@me"):  # another bot logs in; nothing of the last one is left
                self.is_off = False
            if path.endswith(_OF_EVERY_START):
                return dispatch(backend, method, path, json=json, **others)
            what = f"{method} {_kind(backend, path, json)}"
            self.passes(f"before {what}")
            answer = dispatch(backend, method, path, json=json, **others)
            self.passes(f"after {what}")
            return answer

        def writer(commit: Commit) -> PoweredWriter:
            self._writers.append(PoweredWriter(commit, self))
            return self._writers[-1]

        with (
            patch.object(router, "dispatch", powered),
            patch("bot.store.sqlite.SqliteStore", self._store()),
            patch("bot.store.sqlite.sqlite_store.Writer", writer),
        ):
            yield self

    async def _write(self, what: str, write: Awaitable[T]) -> T:
        try:
            self.passes(f"before {what}")
        except asyncio.CancelledError:
            getattr(write, "close", lambda: None)()
            raise
        done = await write
        self.passes(f"after {what}")
        return done

    def _watch(self, repository: object, **writes: str | Callable[..., str]) -> None:
        """Make these methods of a repository fail without power. ``writes`` describes each."""
        for name, what in writes.items():
            setattr(repository, name, partial(self._call, what, getattr(repository, name)))

    async def _call(
        self, what: str | Callable[..., str], write: Callable[..., Awaitable[T]], *args: Any, **options: Any
    ) -> T:
        name = what if isinstance(what, str) else what(*args, **options)
        return await self._write(name, write(*args, **options))

    def _store(power: "Power") -> type[SqliteStore]:  # noqa: N805 - the store's methods have their own self
        write = power._write

        class PoweredStore(SqliteStore):
            """A store that depends on the power. Disk syncs are skipped, as the process isn't killed."""

            @classmethod
            async def open(cls, path: Path, known: Sequence[Migration] | None = None) -> Self:
                store = await super().open(path, known)
                power._watch(store.users, set_dm_closed="a user is written")
                power._watch(store.undos, answer=_answer, agree="a consent is written")
                power._watch(
                    store.waits,
                    record_vote="a vote is written",
                    end_absence="votes are forgotten",
                    claim_step="a step is claimed",
                )
                power._watch(
                    store.messages,
                    note=lambda message: f"a {message.kind} is noted",
                    posted=lambda message: f"a {message.kind} is recorded",
                    update=lambda message: f"a {message.kind} is updated",
                    forget=lambda message: f"a {message.kind} is forgotten",
                )
                await store._writing.run(lambda bare: bare.execute("PRAGMA synchronous = OFF").close())
                return store

            async def open_table(
                self, table: Table, seed: bytes, quotas: Quotas | None = None, replaced: Table | None = None
            ) -> Table:
                return await write("a table is opened", super().open_table(table, seed, quotas, replaced))

            async def write(self, before: Table, change: Change, at: float) -> Table:
                what = "a move" if change.entries else "an undo" if change.taken_back else "a change"
                return await write(f"the commit of {what}", super().write(before, change, at))

        return PoweredStore


class PoweredWriter(Writer):
    """A writer that depends on the power. Writes that nobody waits for are lost with it."""

    def __init__(self, commit: Commit, power: Power) -> None:
        super().__init__(commit)
        self._power = power

    def write(self, work: Work[T]) -> asyncio.Future[T]:
        """Write, unless the power is off."""
        if self._power.is_off:
            raise asyncio.CancelledError
        return super().write(work)

    def forgets_what_waits(self) -> None:
        """Drop writes that hadn't started."""
        waiting, self._waiting = self._waiting, []
        for _, acknowledged in waiting:
            acknowledged.cancel()


def _answer(_table_id: int, _version: int, asker_id: int, user_id: int) -> str:
    return "a wish to undo is written" if user_id == asker_id else "a consent is written"


def _kind(backend: Backend, path: str, body: Any) -> str:
    """Return a short name for a request to Discord."""
    if path.endswith("/callback"):
        return "an answer"
    _, resource, place, *_, last = path.split("/")
    if "/messages" not in path:
        return "a channel" if last == "channels" else last
    text = json.dumps([part.get("content") for part in walk((body or {}).get("components", ()))])
    if resource == "webhooks":
        place = str(backend.interactions[backend.interaction_tokens[path.split("/")[3]]].channel_id)
    if (
        body
        and place.isdecimal()
        and resource in {"channels", "webhooks"}
        and backend.get_channel(int(place)).recipient_ids
    ):
        return "a hand"
    kinds = {
        "### Table": "a board",
        "your turn at": "a ping",
        "wants to undo": "a question",
    }
    return next((kind for words, kind in kinds.items() if words in text), "a message")
