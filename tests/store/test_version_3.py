"""A database of schema version 3, the first one in use, is backed up and upgraded."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from bot.store.messages import Kind, LiveMessage, Stage
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.connection import connect
from bot.store.sqlite.sqlite_schema import migrations, prepare

TABLE: Final = """
INSERT INTO tables (id, name, game, rules, options, seats, status, version, plies, host_id, guild_id, channel_id,
    commitment, opened_at, changed_at)
VALUES (1, 'Snail', 'frogs', 1, '{"preset": "standard", "repetition": "draw"}', 2, 'playing', 5, 0, 7, 4194304, 50,
    'c', 10.0, 20.0)
"""
SEATS: Final = (
    "INSERT INTO seats (table_id, seat, name, user_id, cut) VALUES (1, 0, 'Ann', 7, '')",
    "INSERT INTO seats (table_id, seat, name, user_id, cut) VALUES (1, 1, 'Ben', 8, '')",
)
SHOWN: Final = (
    # table, kind, user, channel, message, version, posted at, digest, revision
    (1, "board", 0, 50, 100, 5, 20.0, "aaaa:7.8", 3),
    (1, "hand", 7, 70, 101, 5, 11.0, "-1:bbbb", 0),
    (1, "hand", 8, 80, 102, 4, 12.0, "2:", 1),
    (1, "ping", 7, 50, 103, 5, 21.0, "7.8", 0),
    (1, "ping", -2, 50, 104, 5, 22.0, "", 0),
    (1, "new board", 0, 50, 0, 5, 23.0, "123456", 0),
    (1, "new ping", -1, 50, 0, 5, 24.0, "654321", 0),
)


@pytest.fixture
def old(path: Path) -> Path:
    """A file of version 3 with a table in play and a message of each kind."""
    with closing(connect(path)) as connection:
        prepare(path, migrations()[:3], connection)
        for statement in (TABLE, *SEATS):
            connection.execute(statement)
        connection.executemany("INSERT INTO shown VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", SHOWN)
    return path


def message(kind: Kind, message_id: int, channel_id: int, **known: Any) -> dict[str, Any]:
    """The expected upgraded message, except for its row and nonce, which are new."""
    defaults = {"user_id": None, "version": 5, "content": None, "deal": None, "notified": ()}
    return {**defaults, "kind": kind, "message_id": message_id, "channel_id": channel_id, **known}


def facts(found: LiveMessage) -> dict[str, Any]:
    names = ("kind", "message_id", "channel_id", "user_id", "version", "content", "deal", "notified", "posted_at")
    return {name: getattr(found, name) for name in names}


async def test_messages_recorded_by_version_3_are_live_after_the_upgrade(old: Path) -> None:
    async with await SqliteStore.open(old) as store:
        found = await store.messages.of(1)
    assert {each.stage for each in found} == {Stage.LIVE}
    assert all(each.nonce > 0 for each in found)
    assert sorted(map(facts, found), key=lambda each: each["message_id"]) == [
        message(Kind.BOARD, 100, 50, content="aaaa", notified=(7, 8), posted_at=20.0),
        message(Kind.HAND, 101, 70, user_id=7, content="bbbb", deal=-1, posted_at=11.0),
        message(Kind.HAND, 102, 80, user_id=8, version=4, deal=2, posted_at=12.0),
        message(Kind.PING, 103, 50, notified=(7, 8), posted_at=21.0),
        message(Kind.QUESTION, 104, 50, user_id=8, posted_at=22.0),
    ]


async def test_an_upgrade_leaves_a_private_backup_of_the_file_before(old: Path) -> None:
    async with await SqliteStore.open(old):
        pass
    backup = old.with_name(f"{old.name}.v3.backup")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("SELECT max(number) FROM migrations").fetchone() == (3,)
        assert connection.execute("SELECT * FROM shown").fetchall() == sorted(SHOWN)
    assert sorted(file.name for file in old.parent.glob("*.backup")) == [backup.name]


async def test_a_backup_of_an_earlier_try_is_replaced(old: Path) -> None:
    backup = old.with_name(f"{old.name}.v3.backup")
    backup.write_text("half a copy")
    async with await SqliteStore.open(old):
        pass
    with closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_only_the_upgrade_of_an_existing_file_makes_a_backup(path: Path) -> None:
    for _ in range(2):
        async with await SqliteStore.open(path):
            pass
    assert list(path.parent.glob("*.backup")) == []
