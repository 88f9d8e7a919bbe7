"""Measure what a move costs where two processes share a bot: `benchmarks.scale` predicts larger ones from that.

Both processes run on a Discord of the tests, without its checks and limits. All tables are on servers of the second
process, and moves first come from direct messages, which reach the first one. So the first answers presses, and the
second shows moves. Then moves come from boards: the second answers these presses, too. It uploads more, as each move
opens a hand under the board.
"""

import asyncio
import random
import signal
import struct
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.store import appends
from benchmarks.wire import TICKS, cpu_s
from bot.running.application_emojis import full_names
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.objects import GUILD_ID
from tests.wire.people import Person, moves
from tests.wire.playing import by_board, hands, open_table
from tests.world import add_channel, add_server

SETTLED_S: Final = 4.0
WRITERS: Final = 64
WARM_UP: Final = 2
"""Moves at each table before measuring, with which pictures and caches begin."""
SERVERS: Final = 300
CHANNELS_A_SERVER: Final = 20
_WAL_HEADER, _FRAME_HEADER = 32, 24


@dataclass(frozen=True)
class Way:
    """What a move costs that is made in one way, on average. Times are of one core."""

    press_ms: float
    """The answers to its presses, in the process that gets them."""
    draw_ms: float
    """Its pictures, in the worker processes of all bots."""
    commits: float
    """Its transactions."""
    upload_kb: float


@dataclass(frozen=True)
class Costs:
    """What a bot needs. Times are of one core."""

    by_message: Way
    """A move from the hand in a direct message."""
    by_board: Way
    """A move from the hand that the board opens: a press for the hand, and one for the move."""
    show_ms: float
    """The board and the hands after a move, in the process with the table's lease."""
    idle: float
    """The part of a core that a process takes while nobody plays."""
    requests: float
    """Requests of a move that count against Discord's limit."""
    idle_commits_per_s: float
    """Transactions of a process while nobody plays, which renew its leases and its share of requests."""
    base_mb: float
    """The memory of a process with few servers."""
    server_kb: float
    """The memory of a server with 20 channels."""
    commits_per_s: float
    """The transactions that the database carries out in a second."""


@dataclass(frozen=True)
class Used:
    """What two processes used in a time."""

    seconds: float
    cpu_s: tuple[float, float]
    drawing_s: float
    presses: int
    moves: int
    requests: int
    commits: int
    uploaded: int


class Town:
    """Two processes with one database, and people who play."""

    def __init__(self, discord: Discord, database: Path, bots: Sequence[BotProcess]) -> None:
        self.discord = discord
        self.bots = bots
        self._database = database
        self._moves = 0

    def counters(self) -> list[float]:
        """Return everything that is counted, in the order of `Used`."""
        drawing = sum(cpu_of(pid) for bot in self.bots for pid in descendants(bot.pid))
        counted = len(self.discord.arrived_at), commits_in(self._database), self.discord.received_bytes
        own = [cpu_s(bot) for bot in self.bots]
        return [time.monotonic(), *own, drawing, len(self.discord.waits_s), self._moves, *counted]

    async def measure(self, tables: Sequence[Sequence[Person]], moves_each: int, by_board_every: int = 0) -> Used:
        """Let people play this many moves at each table, at most one a second, and wait until all are shown."""
        before = self.counters()
        await asyncio.gather(
            *(self._play(people, moves_each, number, by_board_every) for number, people in enumerate(tables))
        )
        await self.settle()
        passed, one, two, *rest = (after - then for after, then in zip(self.counters(), before, strict=True))
        drawing, *counts = rest
        return Used(passed, (one, two), drawing, *map(int, counts))

    async def settle(self) -> None:
        """Wait until no more requests come. On a busy machine, a picture may take seconds."""
        seen = -1
        while seen != len(self.discord.requests):
            seen = len(self.discord.requests)
            await asyncio.sleep(SETTLED_S)

    async def _play(self, people: Sequence[Person], count: int, number: int, by_board_every: int) -> None:
        rng, started = random.Random(number), time.monotonic()  # noqa: S311 - a benchmark needs no secrets
        for turn in range(count):
            await self.discord.until(lambda: _next(people))
            if (person := _next(people)) is None:
                return
            if by_board_every and turn % by_board_every == 0:
                await by_board(person, rng)
            else:
                await person.press(hands(person)[-1], *rng.choice(moves(hands(person)[-1])))
            self._moves += 1
            await asyncio.sleep(max(0.0, started + turn + 1 - time.monotonic()))


def _next(people: Sequence[Person]) -> Person | None:
    return next((person for person in people if moves(hands(person)[-1])), None)


@asynccontextmanager
async def town(shards: int, servers: int, parts: tuple[str, str]) -> AsyncIterator[Town]:
    """Two processes with these shards."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "tables.db"
        async with Discord(shards, servers=servers, strict=False) as discord:
            for name in full_names().values():
                discord.backend.create_application_emoji(name)
            arguments = ("-m", "tests.patient", "run")
            async with (
                running(discord.url, path, arguments=arguments, shards=parts[0]) as one,
                running(discord.url, path, arguments=arguments, shards=parts[1]) as two,
            ):
                await discord.gateway.until_ready()
                yield Town(discord, path, (one, two))


async def open_on(discord: Discord, channels: Sequence[int]) -> list[list[Person]]:
    """Open a table for two in each of these channels."""
    tables = []
    for channel in channels:
        people = [Person(discord, f"{name} {channel}", channel) for name in ("Ann", "Ben")]
        await open_table(people, players=2, rounds=4)
        await discord.until(lambda people=people: all(hands(person) for person in people))  # type: ignore[misc]  # its default
        tables.append(people)
    return tables


async def measure_costs(moves_each: int, tables: int) -> Costs:
    """Measure all costs."""
    async with town(2, 1, ("0/2", "1/2")) as small:  # the only server is on shard 1
        people = await open_on(small.discord, range(tables))
        await small.measure(people, WARM_UP)
        idle = await small.measure((), 0)
        by_message = await small.measure(people, moves_each)
        by_board = await small.measure(people, moves_each, by_board_every=1)
        base_mb = sum(bot.memory_mb for bot in small.bots) / 2
        for bot in small.bots:
            await bot.end(signal.SIGTERM)
    idle_part = sum(idle.cpu_s) / 2 / idle.seconds
    idle_commits_per_s = idle.commits / idle.seconds / 2
    press_s, show_s = (each - idle_part * by_message.seconds for each in by_message.cpu_s)
    show_ms = 1000 * show_s / by_message.moves
    both_s = sum(by_board.cpu_s) - 2 * idle_part * by_board.seconds
    with tempfile.TemporaryDirectory() as directory:
        commits_per_s = (await appends(Path(directory) / "writers.db", WRITERS)).per_s
    return Costs(
        by_message=_way(by_message, 1000 * press_s / by_message.moves, idle_commits_per_s),
        by_board=_way(by_board, 1000 * both_s / by_board.moves - show_ms, idle_commits_per_s),
        show_ms=show_ms,
        idle=idle_part,
        requests=(by_message.requests + by_board.requests) / (by_message.moves + by_board.moves),
        idle_commits_per_s=idle_commits_per_s,
        base_mb=base_mb,
        server_kb=await server_kb(),
        commits_per_s=commits_per_s,
    )


def _way(used: Used, press_ms: float, idle_commits_per_s: float) -> Way:
    """Return what a move costs, from what two processes used for these moves."""
    return Way(
        press_ms,
        draw_ms=1000 * used.drawing_s / used.moves,
        commits=(used.commits - 2 * idle_commits_per_s * used.seconds) / used.moves,
        upload_kb=used.uploaded / used.moves / 1000,
    )


async def server_kb() -> float:
    """Return the memory that a process takes for a server, from the difference of many servers and one."""
    used = []
    for servers in (1, SERVERS):
        with tempfile.TemporaryDirectory() as directory:
            async with Discord(strict=False) as discord:
                for number in range(1, servers):
                    server = add_server(discord.backend, int(GUILD_ID) + (number << 22))
                    discord.servers.append(server)
                    for channel in range(CHANNELS_A_SERVER):
                        add_channel(discord.backend, server, f"channel-{channel}")
                async with running(discord.url, Path(directory) / "tables.db") as bot:
                    await discord.gateway.until_ready()
                    await discord.until(lambda: discord.commands)
                    await asyncio.sleep(SETTLED_S)
                    used.append(bot.memory_mb)
    return (used[1] - used[0]) * 1000 / (SERVERS - 1)


def commits_in(database: Path) -> int:
    """Return the number of transactions in the write-ahead log: of their last frames, which have the file's size."""
    wal = database.with_name(f"{database.name}-wal").read_bytes()
    page_bytes, salt = struct.unpack_from(">8xI", wal)[0], wal[16:24]
    frames = range(_WAL_HEADER, len(wal) - page_bytes, _FRAME_HEADER + page_bytes)
    return sum(wal[at + 8 : at + 16] == salt and wal[at + 4 : at + 8] != bytes(4) for at in frames)


def descendants(pid: int) -> list[int]:
    """Return the processes that this one has started, and so on."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found, last = list[int](), [pid]
    while last:
        last = [child for each in last for child in parents.get(each, ())]
        found += last
    return found


def cpu_of(pid: int) -> float:
    """Return the processor time of a process in seconds; none if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS
