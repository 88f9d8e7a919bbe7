"""Predict at which size a bot reaches each of its limits, and check the prediction with a small real run.

    python -m benchmarks.scale [--moves N] [--playing PART] [--move-s N] [--by-message PART]

The costs are measured first, with two processes (`benchmarks.costs`). Then two processes with four shards play in
another way, and what they use is printed beside what the costs predict. The tables assume habits of play, which the
options change.
"""

import argparse
import asyncio
import math
import sys
from dataclasses import dataclass
from typing import Final

from benchmarks.costs import CHANNELS_A_SERVER, WARM_UP, Costs, Used, measure_costs, open_on, town
from bot.ui.live.pace import SLOTS, WINDOW_S

MOVES: Final = 12
TABLES: Final = 4
ANSWER_S: Final = 0.15
"""The assumed time of a request to Discord, for which it keeps its slot."""
SERVERS_A_SHARD: Final = 2500
"""Discord's maximum. It recommends fewer."""
IDENTIFY_S: Final = 5.0
"""Discord lets a bot begin one session in this time, or as many as its `max_concurrency`."""
BUSY: Final = 0.7
"""The part of a core that a process may take; beyond it, answers are late."""
MEMORY_MB: Final = 2000.0
"""The memory that a process may take."""
SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
PROCESSES: Final = (1, 4, 16, 40)


@dataclass(frozen=True)
class Habits:
    """How people play in the busiest hour."""

    playing: float = 0.01
    """The part of the servers where a game is going on."""
    tables: float = 1.5
    """Tables there."""
    move_s: float = 20.0
    """Seconds between two moves at a table."""
    by_message: float = 0.5
    """The part of the moves that are made in direct messages. They all reach the process with shard 0."""

    def moves_per_s(self, servers: float) -> float:
        """Return the moves a second of a bot on this many servers."""
        return servers * self.playing * self.tables / self.move_s


@dataclass(frozen=True)
class Load:
    """What the bot needs in the busiest hour. The process with shard 0 is the busiest."""

    requests_per_s: float
    commits_per_s: float
    core: float
    memory_mb: float
    uploads_mbit: float
    start_s: float


def load(costs: Costs, habits: Habits, servers: float, processes: int) -> Load:
    """Predict the load of a bot on this many servers with this many processes."""
    moves = habits.moves_per_s(servers)
    by_message, by_board = moves * habits.by_message, moves * (1 - habits.by_message)
    working_ms = (
        costs.by_message.press_ms * by_message
        + costs.by_board.press_ms * by_board / processes
        + costs.show_ms * moves / processes
    )
    commits = costs.by_message.commits * by_message + costs.by_board.commits * by_board
    upload_kb = costs.by_message.upload_kb * by_message + costs.by_board.upload_kb * by_board
    return Load(
        requests_per_s=moves * costs.requests,
        commits_per_s=processes * costs.idle_commits_per_s + commits,
        core=costs.idle + working_ms / 1000,
        memory_mb=costs.base_mb + servers / processes * costs.server_kb / 1000,
        uploads_mbit=upload_kb * 8 / 1000,
        start_s=math.ceil(servers / SERVERS_A_SHARD) * IDENTIFY_S,
    )


def reached(costs: Costs, habits: Habits, processes: int) -> dict[str, float]:
    """Return the number of servers at which each limit is reached."""
    one, none = load(costs, habits, 1, processes), load(costs, habits, 0, processes)
    return {
        "requests": SLOTS / (WINDOW_S + ANSWER_S) / one.requests_per_s,
        "commits": (costs.commits_per_s - none.commits_per_s) / (one.commits_per_s - none.commits_per_s),
        "core": (BUSY - none.core) / (one.core - none.core),
        "memory": (MEMORY_MB - none.memory_mb) / (one.memory_mb - none.memory_mb),
    }


def predicted(costs: Costs, used: Used, by_message: int, by_board: int) -> dict[str, float]:
    """Predict what two processes use.

    The first gets all moves by message. Each has half of the tables, and so of the moves from boards.
    """
    moves, ways = by_message + by_board, (costs.by_message, costs.by_board)
    half_ms = (costs.by_board.press_ms * by_board + costs.show_ms * moves) / 2
    one_ms = costs.by_message.press_ms * by_message + half_ms
    draw_ms, commits, upload_kb = (
        sum(cost * count for cost, count in zip(each, (by_message, by_board), strict=True))
        for each in zip(*((way.draw_ms, way.commits, way.upload_kb) for way in ways), strict=True)
    )
    return {
        "core of the first process, s": costs.idle * used.seconds + one_ms / 1000,
        "core of the second process, s": costs.idle * used.seconds + half_ms / 1000,
        "pictures, s": draw_ms / 1000,
        "counted requests": costs.requests * moves,
        "transactions": 2 * costs.idle_commits_per_s * used.seconds + commits,
        "uploaded, kB": upload_kb,
    }


async def check(costs: Costs, moves_each: int) -> None:
    """Let two processes with four shards play, and print what they used beside the prediction.

    The servers of half of the tables are on shards of the first process. Every other move comes from the board: a press
    for the hand, and a press for the move.
    """
    async with town(4, 4, ("0-1/4", "2-3/4")) as larger:
        tables = await open_on(larger.discord, range(2 * TABLES))
        await larger.measure(tables, WARM_UP)
        used = await larger.measure(tables, moves_each, by_board_every=2)
    by_board = used.presses - used.moves  # each has one press more
    guess = predicted(costs, used, used.moves - by_board, by_board)
    measured = (*used.cpu_s, used.drawing_s, used.requests, used.commits, used.uploaded / 1000)
    _say(f"\n{used.moves} moves in {used.seconds:.0f} s by two processes with four shards   predicted   measured")
    for (name, value), real in zip(guess.items(), measured, strict=True):
        _say(f"  {name:52} {value:11.1f} {real:10.1f}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_costs(costs: Costs) -> None:
    """Print the measured costs, and where the rest comes from."""
    _say("Costs, measured now")
    for name, way in (("message", costs.by_message), ("board", costs.by_board)):
        _say(f"  a move by {name}: its presses {way.press_ms:.1f} ms of the bot's core, pictures {way.draw_ms:.1f} ms")
        _say(f"  of another core, {way.commits:.2f} commits, {way.upload_kb:.1f} kB sent")
    _say(f"  a move: showing it {costs.show_ms:.1f} ms of the bot's core, {costs.requests:.2f} counted requests")
    _say(f"  idle {100 * costs.idle:.1f} % of a core")
    _say(
        f"  memory {costs.base_mb:.0f} MB, and {costs.server_kb:.1f} kB for each server ({CHANNELS_A_SERVER} channels)"
    )
    _say(f"  the database: {costs.commits_per_s:.0f} commits a second (benchmarks.store, 64 writers of one process,")
    _say("  which share transactions: an upper bound for several processes)")
    _say(f"Discord: {SLOTS} slots of {WINDOW_S + ANSWER_S:.2f} s for requests; a session every {IDENTIFY_S:.0f} s")


def print_sizes(costs: Costs, habits: Habits) -> None:
    """Print what bots of several sizes need, and where the limits are."""
    _say(f"\nBusiest hour: {100 * habits.playing:g} % of servers play, {habits.tables:g} tables each, a move every")
    _say(f"{habits.move_s:g} s, {100 * habits.by_message:g} % of moves in direct messages")
    _say("\n  servers  processes  moves/s  requests/s  commits/s  busiest core  memory MB  Mbit/s  full start")
    for servers in SIZES:
        for processes in PROCESSES:
            need = load(costs, habits, servers, processes)
            _say(
                f"{servers:9,} {processes:10} {habits.moves_per_s(servers):8.1f} {need.requests_per_s:11.1f}"
                f" {need.commits_per_s:10.1f} {100 * need.core:11.0f} % {need.memory_mb:10.0f}"
                f" {need.uploads_mbit:7.1f} {need.start_s:9.0f} s"
            )
    _say("\nServers at which a limit is reached (requests: whatever the number of processes)")
    _say("processes    requests     commits        core      memory   the first")
    for processes in PROCESSES:
        limits = reached(costs, habits, processes)
        first = min(limits, key=limits.__getitem__)
        _say(f"{processes:9} " + " ".join(f"{limit:11,.0f}" for limit in limits.values()) + f"   {first}")


def main() -> None:
    """Read the command line, measure, predict and check."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--moves", type=int, default=MOVES, help="moves at each table of the real runs")
    given.add_argument("--playing", type=float, default=Habits.playing, help="part of servers where people play")
    given.add_argument("--move-s", type=float, default=Habits.move_s, help="seconds between two moves at a table")
    given.add_argument("--by-message", type=float, default=Habits.by_message, help="part of moves made in messages")
    asked = given.parse_args()
    costs = asyncio.run(measure_costs(asked.moves, TABLES))
    print_costs(costs)
    asyncio.run(check(costs, asked.moves))
    print_sizes(costs, Habits(asked.playing, move_s=asked.move_s, by_message=asked.by_message))


if __name__ == "__main__":
    main()
