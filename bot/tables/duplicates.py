"""Duplicates: two tables of a server play the same deals with the seats exchanged, so that luck cancels.

Side 0 has the even seats at the first table, and side 1 at the second. Each table is in a private thread, a room, as
the other one's players may not see its cards. Seats without a player have computers: as many for either side.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.errors import InvalidOption, NotAllowed
from bot.games.game import AnyGame, Seat, Value
from bot.store.event_records import Event, EventResult
from bot.store.match_records import Match, MatchPlayer
from bot.store.records import Person, Place, Sitter, Table
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY
from bot.tables.events import LEVEL, Events
from bot.tables.finding import Finder
from bot.tables.hosting import with_computers
from bot.tables.matches import SIDES, Matches

FORMS: Final[Mapping[str, tuple[str, Mapping[str, Value]]]] = {
    "pond-2": ("pond", {"players": 2, "rounds": 2}),
    "pond-4": ("pond", {"players": 4, "rounds": 4}),
    "pot_black": ("pot_black", {"players": 4, "form": "partnership"}),
}
"""The games of duplicates, with two sides each, and the options of a table."""


class Duplicates:
    """Offers duplicates, and opens their tables."""

    def __init__(
        self, store: Store, finder: Finder, events: Events, matches: Matches, now: Callable[[], float]
    ) -> None:
        self._store = store
        self._finder = finder
        self._events = events
        self._matches = matches
        self._now = now
        self.leave = store.matches.leave

    async def offer(self, host: Person, place: Place, form: str, *, deals: int, days: int) -> Match:
        """Offer a duplicate, whose host is the first of side 0. Raises as `Matches.challenge` does."""
        if form not in FORMS:
            raise InvalidOption("Duplicate needs a game of two sides with cards.")
        player = MatchPlayer(0, 0, host.id, host.name)
        return await self._matches.offer("duplicate", FORMS[form], place, (player,), deals=deals, days=days)

    async def join(self, match: Match, person: Person, side: int) -> None:
        """Put a person on a side, and off the other one. Raises `NotAllowed`."""
        _check_offered(match)
        player = MatchPlayer(SIDES[side], 0, person.id, person.name)
        await self._store.matches.join(match, player, self._seats(match))

    def check_may_begin(self, match: Match, user_id: int) -> None:
        """Raise `NotAllowed` unless the user is the host, and each side has as many players at either table."""
        _check_offered(match)
        if user_id != match.host_id:
            raise NotAllowed("Only the host can do that.")
        counts = {sum(each.room == room for each in match.players_of(side)) for side in SIDES for room in SIDES}
        if len(counts) > 1 or not sum(counts):
            if self._seats(match) == len(SIDES):
                raise NotAllowed("Each side needs 2 players: one at each table.")
            raise NotAllowed("Each side needs 2 or 4 players: half of them at each table.")

    async def begin(self, match: Match, rooms: tuple[int, int]) -> None:
        """Begin a duplicate in these threads. Raises `NotAllowed` unless it is still offered to the same players."""
        until = self._now() + match.days * DAY
        if self._now() >= match.until or not await self._store.matches.begin(match, rooms, until):
            raise NotAllowed("This match has changed. Look at its message again.")

    async def open_tables(self, match: Match) -> None:
        """Start what is to be played next in each room of a match that is being played."""
        event = await self._events.records.event(match.event)
        if event is None or match.status != "playing" or not match.rooms:
            return
        results = await self._matches.results(match)
        for room in SIDES:
            await self._go_on(match, event, room, [result for result in results if result.side == room])

    async def _go_on(self, match: Match, event: Event, room: int, played: Sequence[EventResult]) -> None:
        """Start the table of a room that hasn't started, or the next one once that has ended."""
        open_one = next((result for result in played if result.is_open), None)
        if open_one is None and len(played) < match.deals and self._now() < match.until:
            await self._open(match, event, room, len(played))
        elif open_one is not None and (table := await self._events.table(open_one)) is not None:
            await self._events.resume(table)

    async def _open(self, match: Match, event: Event, room: int, deal: int) -> Table | None:
        """Open a table; ``None`` if nobody of the room is left."""
        sitters = sitters_of(match, self._finder.game(match.game), room)
        if all(sitter.is_computer for sitter in sitters):
            return None
        result = EventResult(match.event, None, match.guild_id, "", ends_at=match.until, deal=deal, side=room)
        return await self._events.open(event, Place(match.guild_id, match.rooms[room]), sitters, result)

    def _seats(self, match: Match) -> int:
        game = self._finder.game(match.game)
        return game.seats(game.settle(match.options))


def sitters_of(match: Match, game: AnyGame, room: int) -> tuple[Sitter, ...]:
    """Return who sits where in a room: the seats are exchanged between the rooms."""
    people: list[Sitter] = []
    levels: dict[Seat, str] = {}
    waiting = {side: [each for each in match.players_of(side) if each.room == room] for side in SIDES}
    for seat, of_game in enumerate(game.sides(game.settle(match.options))):
        side = waiting[(of_game + room) % len(SIDES)]
        player = side.pop(0) if side else None
        if player is None or player.user_id is None:
            levels[seat] = LEVEL
        else:
            people.append(Sitter(seat, player.name, player.user_id))
    return with_computers(people, levels)


def _check_offered(match: Match) -> None:
    if match.status != "offered":
        raise NotAllowed("This match has begun already, or was withdrawn.")
