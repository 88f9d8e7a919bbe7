"""Databases of schema 48, the last one of the version before, as that version left them.

Tables are in a lobby, in play and over; there is a daily, a challenge and a game night, and most SQL tables have a row.
Ann, Ben and Cleo have the ids that `tests.discord.play.World.people` gives them.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import asyncpg

DUMPS: Final = Path(__file__).parent / "store" / "version_48"


def old_file(path: Path) -> Path:
    """Write the database to a file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DUMPS / "sqlite.sql").read_text("utf-8"))
    return path


async def old_postgres(url: str) -> str:
    """Write the database to an empty one on a PostgreSQL server."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute((DUMPS / "postgres.sql").read_text("utf-8"))
    finally:
        await connection.close()
    return url
