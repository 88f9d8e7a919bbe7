"""The bot's power, which may fail whenever something leaves the bot: a request to Discord, or a write to its database.

Nothing inside the bot knows of it. Without power no request gets out, no answer comes in and nothing is written; so a
new bot in the same world, on the same file, finds what it would find had the process been killed there.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self
from unittest.mock import patch

from simcord.http import router

from bot.games.game import Entry
from bot.store.records import Changes, Shown, Table
from bot.store.sqlite import SqliteStore
from tests.discord.seen import walk


class Power:
    """``passed`` are the names of all that went in or out so far; at ``fails_at``, counted from 0, power fails."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.passed: list[str] = []
        self.fails_at = fails_at
        self.is_off = False

    def comes_back(self) -> None:
        """It won't fail again."""
        self.is_off = False
        self.fails_at = None

    def passes(self, what: str) -> None:
        """Whoever has no power for it comes to his end: nothing of his is carried on, nor done in its place."""
        if not self.is_off:
            self.is_off = len(self.passed) == self.fails_at
            self.passed.append(what)
        if self.is_off:
            raise asyncio.CancelledError

    @contextmanager
    def supplies_every_bot(self) -> Iterator[Self]:
        """Every bot that starts meanwhile hangs on it."""
        dispatch = router.dispatch

        def powered(backend: Any, method: str, path: str, *, json: Any = None, **others: Any) -> Any:
            if self.is_off and path.endswith("/@me"):  # another bot logs in, and nothing of the last one is left
                self.comes_back()
            what = f"{method} {_kind(path, json)}"
            self.passes(f"before {what}")
            answer = dispatch(backend, method, path, json=json, **others)
            self.passes(f"after {what}")
            return answer

        with patch.object(router, "dispatch", powered), patch("bot.client.SqliteStore", self._store()):
            yield self

    def _store(power: "Power") -> type[SqliteStore]:  # noqa: N805 - the store's methods have a self of their own
        check = power.passes

        class PoweredStore(SqliteStore):
            """A store on the same power."""

            async def open_table(self, table: Table, seed: bytes) -> Table:
                check("before a table is opened")
                opened = await super().open_table(table, seed)
                check("after a table is opened")
                return opened

            async def append(self, table_id: int, version: int, entries: Sequence[Entry], changes: Changes) -> int:
                what = "move" if entries else "change"
                check(f"before the commit of a {what}")
                after = await super().append(table_id, version, entries, changes)
                check(f"after the commit of a {what}")
                return after

            async def record_shown(self, shown: Shown) -> None:
                check(f"before a {shown.kind} is recorded")
                await super().record_shown(shown)
                check(f"after a {shown.kind} is recorded")

            async def forget_shown(self, shown: Shown) -> None:
                check(f"before a {shown.kind} is forgotten")
                await super().forget_shown(shown)
                check(f"after a {shown.kind} is forgotten")

            async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
                check("before a user is written")
                await super().set_dm_closed(user_id, closed=closed)

        return PoweredStore


def _kind(path: str, body: Any) -> str:
    """What is asked of Discord, in a word."""
    if path.endswith("/callback"):
        return "an answer"
    if "/messages" not in path:
        *_, last = path.split("/")
        return "commands" if last == "commands" else "a channel" if last == "channels" else last
    text = json.dumps([part.get("content") for part in walk((body or {}).get("components", ()))])
    kinds = {"### Table": "a board", "### Your hand": "a hand", "You sit at": "a hand", "your turn at": "a ping"}
    return next((kind for words, kind in kinds.items() if words in text), "a message")
