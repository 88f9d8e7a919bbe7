"""A process that plays at full speed is killed at random moments: nothing is lost, nothing doubled, every log folds.

``make kill-trials KILLS=1000 SEED=7`` does it oftener, or again. A trial takes about half a second.
"""

import asyncio
import os
import random
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.store.sqlite import SqliteStore
from bot.tables import Tables
from bot.transcript import replay

ROOT: Final = Path(__file__).parents[2]
KILLS: Final = int(os.environ.get("KILLS", "24"))
SEED: Final = os.environ.get("SEED") or str(random.SystemRandom().randrange(10**6))
KILLS_A_FILE: Final = 8
"""After so many the trials begin with a new file: a kill may hit its making, too."""

Moves = dict[tuple[int, int], list[str]]
"""The moves of each seat, by table and seat, in order."""


async def killed(path: Path, rng: random.Random) -> Moves:
    """What a process had acknowledged by the time that it was killed."""
    arguments = ("-m", "tests.kill.playing", str(path), str(rng.random()))
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=PIPE, stderr=PIPE, cwd=ROOT)
    assert process.stdout is not None
    said = b""
    if rng.random() < 0.8:  # else it may not even have begun
        said = await process.stdout.readline()
    await asyncio.sleep(rng.random() * 0.4)
    assert process.returncode is None, await process.communicate()
    os.kill(process.pid, signal.SIGKILL)
    rest, errors = await process.communicate()
    assert errors == b""
    moves: Moves = defaultdict(list)
    for line in (said + rest).decode().split("\n")[:-1]:
        table, seat, move = line.split(" ", 2)
        moves[int(table), int(seat)].append(move)
    return moves


async def written(path: Path) -> Moves:
    """What the database holds of each user's moves. Every log folds, to the state that its table says it is in."""
    moves: Moves = defaultdict(list)
    async with await SqliteStore.open(path) as store:
        tables = Tables(store)
        for table in await store.tables():
            if table.status == "lobby":
                continue
            whole = await tables.transcript(table.id, unfinished=True)
            replay(whole)
            users = {sitter.seat for sitter in table.sitters if not sitter.is_computer}
            for entry in whole.entries:
                if entry.seat in users and entry.seat is not None:
                    moves[table.id, entry.seat].append(entry.move)
    return moves


async def test_nothing_acknowledged_is_lost_or_doubled_when_the_process_is_killed(tmp_path: Path) -> None:
    sys.stdout.write(f"SEED={SEED}\n")
    rng = random.Random(SEED)
    acknowledged = 0
    for number in range(KILLS):
        path = tmp_path / f"{number // KILLS_A_FILE}.db"
        before = await written(path) if path.exists() and not is_empty(path) else {}
        said = await killed(path, rng)
        after = await written(path)
        for seat in before.keys() | said.keys() | after.keys():
            known = [*before.get(seat, ()), *said.get(seat, ())]
            there = after.get(seat, [])
            # the last one may be committed without its having been said
            assert there[: len(known)] == known, f"trial {number}: a move at {seat} was lost"
            assert len(there) <= len(known) + 1, f"trial {number}: a move at {seat} was doubled"
        acknowledged += sum(map(len, said.values()))
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    sys.stdout.write(f"{KILLS} kills, {acknowledged} moves acknowledged, none lost, none doubled\n")
    assert acknowledged > KILLS


def is_empty(path: Path) -> bool:
    """Whether the process was killed before it had written anything."""
    return path.stat().st_size == 0
