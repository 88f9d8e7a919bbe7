"""Play tables of all four games at full speed until the process is killed.

Acknowledged changes are written to standard output, one per line: ``changed table at version digest`` for every change
of a table, and also ``moved table at seat move`` for every move of a user. ``at`` is the time of the change, which is
unique. ``digest`` is a digest of the table after it.
"""

import asyncio
import contextlib
import itertools
import math
import random
import sys
from collections.abc import Callable, Mapping
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from bot import calendar
from bot.calendar import Calendar
from bot.errors import LilypadError, PlayError, Stale
from bot.games import GAMES
from bot.records.event import day_of
from bot.records.match import Match, MatchPlayer
from bot.records.table import Person, Place, Receipt, Table
from bot.store.open_store import open_store
from bot.tables.absence.timer import Deadlines
from bot.tables.events import midnight, today
from bot.tables.matches import CHALLENGES
from bot.tables.tables import Tables
from bot.thinking.turns import Turns

TABLES_A_GAME: Final = 3
HERE: Final = Place(1, 100)
PEOPLE: Final = (Person(1, "Ann"), Person(2, "Ben"))
VISITOR: Final = Person(3, "Cleo")
OPTIONS: Final[Mapping[str, Mapping[str, object]]] = {
    "pond": {},
    "frogs": {},
    "pontis": {"players": 3},
    "pot_black": {"players": 3, "form": "individual"},
}
HURRY: Final = 1000.0
"""Time passes this many times faster here, so that clocks run out."""
TICK_S: Final = 0.02


class NoMessages:
    """Show nothing."""

    def refresh(self, table_id: int, /) -> object:
        """Show nothing."""

    def remind(self, table_id: int, /) -> None:
        """Remind nobody."""


class Time:
    """Seconds since 1970, a thousand times as fast. All returned times are different."""

    def __init__(self, start: float) -> None:
        self._now = start
        self._wakes_at = math.inf
        self._wake: Callable[[], None] = lambda: None

    def __call__(self) -> float:
        """Return the time."""
        self._now += 0.001
        return self._now

    def sleep(self, delay_s: float, wake: Callable[[], None]) -> asyncio.TimerHandle:
        """Call a function when this time has passed."""
        self._wakes_at, self._wake = self._now + delay_s, wake
        return asyncio.get_running_loop().call_later(1e9, wake)

    async def flies(self) -> None:
        """Let time pass, and the timer go off."""
        while True:
            await asyncio.sleep(TICK_S)
            self._now += TICK_S * HURRY
            if self._wakes_at <= self._now:
                self._wakes_at = math.inf
                self._wake()


def digest_of(table: Table) -> str:
    """Return a digest of everything known about the table. The end of an event reveals the seed later."""
    return sha256(repr(table if table.event is None else replace(table, seed=None)).encode()).hexdigest()[:16]


def say(*words: object) -> None:
    """Acknowledge a line."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def changed(receipt: Receipt) -> None:
    """Acknowledge a change."""
    table = receipt.table
    say("changed", table.id, repr(table.changed_at), table.version, digest_of(table))


async def play_all(database: Path | str, rng: random.Random, start: float) -> None:
    """Play all open tables, and open new ones when they end."""
    async with await open_store(database) as store:
        now = Time(start)
        tables = Tables(store, now=now)
        turns = Turns(tables)
        due = Calendar(store.due, now, beat=tables.waiting.beat, sleep=now.sleep)
        deadlines = Deadlines(tables, NoMessages(), now, stand_in=turns.stand_in, expect=due.expect)
        due.add("deadline", deadlines.due)
        for listener in (changed, turns.changed, deadlines.changed):
            tables.on_change(listener)
        await due.resume()
        await turns.resume()
        left = await tables.lists.open_tables()
        waiting = {key: [each for each in left if each.game == key and each.event is None] for key in GAMES}
        evenings = [evening(tables, key, waiting[key], rng) for key in GAMES for _ in range(TABLES_A_GAME)]
        tries = [each for each in left if each.event and day_of(each.event[0])]
        matches = [match for each in await tables.matches.unfinished() if (match := await tables.matches.find(each))]
        of_kind = {kind: [match for match in matches if match.kind == kind] for kind in ("challenge", "duplicate")}
        await asyncio.gather(
            now.flies(),
            dailies(tables, tries, rng),
            challenges(tables, of_kind["challenge"], rng),
            duplicates(tables, of_kind["duplicate"], rng),
            *evenings,
        )


async def dailies(tables: Tables, left: list[Table], rng: random.Random) -> None:
    """Play the daily again and again, each time as somebody else, beginning with the tries of the last process."""
    while True:
        await tables.events.close_due()
        with contextlib.suppress(PlayError):  # what was left may be over by now
            table = await tables.events.resume(left.pop()) if left else await begun(tables, rng)
            user = table.sitters[0].user_id
            assert user is not None
            while (await tables.table(table.id)).status == "playing":
                with contextlib.suppress(PlayError):
                    await move(tables, table.id, user, 0, rng)


async def begun(tables: Tables, rng: random.Random) -> Table:
    """Begin the daily as somebody who hasn't played it."""
    day, person = today(UTC, tables.events.now()), Person(rng.randrange(100, 10**9), "Dora")
    return await tables.events.begin(day, person, Place(None, person.id), HERE.guild_id, midnight(day, UTC))


def strangers(count: int, rng: random.Random) -> list[Person]:
    """Return people who haven't played."""
    return [Person(rng.randrange(100, 10**9), "Eve") for _ in range(count)]


async def challenges(tables: Tables, left: list[Match], rng: random.Random) -> None:
    """Play one challenge after another, beginning with those of the last process."""
    while True:
        if left:
            match = left.pop()
        else:
            host, guest = strangers(2, rng)
            match = await tables.matches.challenge(
                host, guest, HERE, rng.choice(list(CHALLENGES)), deals=2, days=rng.choice((1, 14))
            )
        with contextlib.suppress(PlayError):  # it may be over by now
            if match.status == "offered":
                await tables.matches.accept(match, match.players[1].user_id or 0)
            await asyncio.gather(*(challenged(tables, match.id, player, rng) for player in match.players))
        await tables.matches.update(match.id)


async def challenged(tables: Tables, match_id: int, player: MatchPlayer, rng: random.Random) -> None:
    """Play all deals of a challenge."""
    person = Person(player.user_id or 0, player.name)
    while match := await tables.matches.find(match_id):
        table = await tables.matches.play(match, person, Place(None, person.id))
        if table is None:
            return
        await finish(tables, table.id, [person.id], rng)


async def duplicates(tables: Tables, left: list[Match], rng: random.Random) -> None:
    """Play one duplicate after another, beginning with those of the last process."""
    while True:
        match = left.pop() if left else await offered(tables, rng)
        with contextlib.suppress(PlayError):  # it may be over by now
            if (
                match.status == "offered" and len(match.players) < 4
            ):  # the last process was killed before all had joined
                await tables.matches.withdraw(match, match.host_id or 0)
            elif match.status == "offered":
                await tables.duplicates.begin(match, (HERE.channel_id + 1, HERE.channel_id + 2))
            await asyncio.gather(*(at_duplicate(tables, match.id, room, rng) for room in (0, 1)))
        await tables.matches.update(match.id)


async def offered(tables: Tables, rng: random.Random) -> Match:
    """Offer a duplicate, and let four people join it."""
    host, *others = strangers(4, rng)
    match = await tables.duplicates.offer(host, HERE, "pond-2", deals=2, days=rng.choice((1, 14)))
    for number, person in enumerate(others, 1):
        await tables.duplicates.join(match, person, number // 2)
    return await tables.matches.find(match.id) or match


async def at_duplicate(tables: Tables, match_id: int, room: int, rng: random.Random) -> None:
    """Play all deals in a room of a duplicate."""
    while (match := await tables.matches.find(match_id)) and match.status == "playing":
        await tables.duplicates.open_tables(match)
        here = [each for each in await tables.matches.results(match) if each.side == room and each.is_open]
        if not here or here[0].played is None:
            return
        people = [each.user_id for each in match.players if each.room == room and each.user_id is not None]
        await finish(tables, here[0].played, people, rng)


async def finish(tables: Tables, table_id: int, users: list[int], rng: random.Random) -> None:
    """Let the users make their moves to the end of the game."""
    while (await tables.table(table_id)).status == "playing":
        for user in users:
            with contextlib.suppress(PlayError):
                await move(tables, table_id, user, 0, rng)


async def evening(tables: Tables, key: str, waiting: list[Table], rng: random.Random) -> None:
    """Play one table after another, beginning with those of the last process. Some get a rematch."""
    last: Table | None = None
    while True:
        if waiting:
            table = waiting.pop()
        elif last is not None and last.status == "over" and last.sitter(1) is not None and rng.random() < 0.5:
            table = (await tables.lobbies.rematch(last.id, PEOPLE[0])).table
        else:
            clock = rng.choice(("none", "live"))
            table = (await tables.lobbies.open(key, OPTIONS[key], PEOPLE[0], HERE, clock=clock)).table
        if table.status == "lobby":
            table = await seated(tables, table, rng)
        users = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
        await asyncio.gather(*(play(tables, table.id, user, rng) for user in users))
        last = await tables.table(table.id)


async def seated(tables: Tables, table: Table, rng: random.Random) -> Table:
    """Open a table with a second user and computers, let people join and leave, and start it."""
    keeps_seats = table.rematch_of is not None
    if table.sitter(VISITOR.id) is None and not (table.is_full or keeps_seats) and rng.random() < 0.5:
        table = (await tables.lobbies.sit(table.id, VISITOR)).table
    if table.sitter(VISITOR.id) is not None:
        await tables.lobbies.cut(table.id, VISITOR.id, "a word of hers")
        table = (await tables.lobbies.stand(table.id, VISITOR.id)).table
    if table.sitter(PEOPLE[1].id) is None and not table.is_full:
        table = (await tables.lobbies.sit(table.id, PEOPLE[1])).table
    await tables.lobbies.cut(table.id, PEOPLE[0].id, "a word of his")
    for _ in range(len(table.sitters), table.seats):
        table = (await tables.computers.add(table.id, table.host_id)).table
    return (await tables.lobbies.start(table.id, PEOPLE[0].id)).table


async def play(tables: Tables, table_id: int, user: int, rng: random.Random) -> None:
    """Let the user act until the game is over, or they have no seat any more."""
    for number in itertools.count():
        table = await tables.table(table_id)
        if table.status != "playing":
            return
        try:
            if table.sitter(user) is None:
                if not await tables.waiting.come_back(await tables.table(table_id), PEOPLE[user - 1]):
                    return
            else:
                await act(tables, table_id, user, number, rng)
        except PlayError:  # another user was faster, or it was not allowed
            await asyncio.sleep(0.001)


async def act(tables: Tables, table_id: int, user: int, number: int, rng: random.Random) -> None:
    """Usually make a move, else undo, sleep, resign, or act on another player's absence."""
    match rng.choices(("play", "undo", "sleep", "move on", "resign"), (100, 4, 1, 2, 0.5))[0]:
        case "play":
            await move(tables, table_id, user, number, rng)
        case "undo":
            await undo(tables, table_id, user)
        case "sleep":  # a live clock runs out
            await asyncio.sleep(0.3)
        case "move on":
            await tables.waiting.move_on(table_id, user, "seat")
        case _:
            await tables.resign(table_id, user)


async def move(tables: Tables, table_id: int, user: int, number: int, rng: random.Random) -> None:
    """Play any legal move if it is the user's turn, or go on to the next deal."""
    sight = await tables.look(table_id, user)
    await tables.go_on(sight.table, user)
    sitter = sight.table.sitter(user)
    if not sight.observation.legal or sitter is None:
        await asyncio.sleep(0.001)
        return
    chosen = str(rng.choice(sight.observation.legal))
    # sometimes with a version, as from a button, else without, as from a command
    receipt = await tables.play(table_id, user, chosen, sight.table.version if number % 2 else None)
    say("moved", table_id, repr(receipt.table.changed_at), sitter.seat, chosen)


async def undo(tables: Tables, table_id: int, user: int) -> None:
    """Undo the user's last move, with the necessary consent."""
    undoing = await tables.undos.undo(table_id, user)
    for other in undoing.waiting:
        try:
            undoing = await tables.undos.agree(table_id, other, user, undoing.table.version)
        except Stale:  # the table has changed
            return


if __name__ == "__main__":
    calendar.LATE_S = 60 * HURRY  # type: ignore[misc]  # a busy machine is late by seconds
    try:
        address = sys.argv[1] if sys.argv[1].startswith("postgresql:") else Path(sys.argv[1])
        asyncio.run(play_all(address, random.Random(sys.argv[2]), float(sys.argv[3])))
    except LilypadError as fault:
        sys.exit(fault.sentence)
