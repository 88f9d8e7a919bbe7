"""Tests of several processes with one database, and of processes that are killed."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Final

from bot.errors import Conflict
from bot.games.game import Entry
from bot.store.open_store import open_store
from bot.store.store import Store
from tests.databases import Database
from tests.store.lilypads import append, opened

URL: Final = "://"
ROOT: Final = Path(__file__).parents[2]


async def write(address: Path | str, table_id: int, writer: int, count: int) -> None:
    """Append pairs of entries to the table, and print each pair when it is acknowledged."""
    async with await open_store(address) as store:
        for number in range(count):
            pair = [Entry(writer, f"play {number}"), Entry(writer, f"again {number}")]
            version = None
            while version is None:
                table = await store.table(table_id)
                assert table is not None
                try:
                    version = (await append(store, table, pair, at=1.0, by_user=writer)).version
                except Conflict:
                    await asyncio.sleep(0.001 * writer)
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


async def writer_process(address: Path | str, table_id: int, writer: int, count: int) -> Process:
    """Run `write` in another process."""
    arguments = map(str, (address, table_id, writer, count))
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.test_processes", *arguments, stdout=PIPE, cwd=ROOT
    )


async def test_four_connections_to_one_table_lose_and_double_nothing(database: Database) -> None:
    async with await database.open() as store:
        table = await opened(store)
        await asyncio.gather(*(write(database.address, table.id, writer, 10) for writer in range(4)))
        assert await pairs_of(store, table.id) == [10] * 4


async def test_four_processes_at_one_table_lose_and_double_nothing(database: Database) -> None:
    async with await database.open() as store:
        table = await opened(store)
        processes = [await writer_process(database.address, table.id, writer, 25) for writer in range(4)]
        await asyncio.gather(*(process.communicate() for process in processes))
        assert [process.returncode for process in processes] == [0] * 4
        assert await pairs_of(store, table.id) == [25] * 4


async def pairs_of(store: Store, table_id: int) -> list[int]:
    """Check that all pairs are complete and in order; return how many each of four writers has in the log."""
    written = await store.log(table_id)
    assert written is not None
    assert written.table.version == 1 + len(written.entries)
    counts = [0] * 4
    for first, second in zip(written.entries[::2], written.entries[1::2], strict=True):
        assert first.seat is not None
        assert first == Entry(first.seat, f"play {counts[first.seat]}")
        assert second == Entry(first.seat, f"again {counts[first.seat]}")
        counts[first.seat] += 1
    return counts


async def test_a_killed_process_keeps_every_acknowledged_write_and_no_part_of_others(database: Database) -> None:
    async with await database.open() as store:
        table = await opened(store)
    for writer in range(4):
        process = await writer_process(database.address, table.id, writer, 100_000)
        assert process.stdout is not None
        for _ in range(20 + 7 * writer):
            acknowledged = await process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = await process.communicate()
        last = int((rest.rpartition(b"\n")[0].split() or [acknowledged])[-1])
        async with await database.open() as store:
            assert last + 1 <= (await pairs_of(store, table.id))[writer] <= last + 2


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1] if URL in sys.argv[1] else Path(sys.argv[1]), *map(int, sys.argv[2:])))
