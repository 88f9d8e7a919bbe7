"""Matches: two sides play the same deals. In a challenge, each is one member of a server, against computers; in a
duplicate, each has half of the seats at either of two tables.

A match is an event (`bot.tables.events`) with several deals. It closes, and so publishes everything, once all its
tables have ended, or when its time is over: games that were begun before that have `GRACE_S` more.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from bot.errors import InvalidOption, NotAllowed
from bot.fairness import SEED_BYTES, commitment
from bot.games import GAMES
from bot.games.daily import Daily
from bot.games.game import AnyGame, Seat, Value
from bot.records.event import GRACE_S, Event, EventResult, match_name
from bot.records.match import LEFT, Kind, Match, MatchPlayer, MatchStatus
from bot.records.quota import Quotas
from bot.records.table import DEFAULT_LEVEL, Person, Place, Sitter, Table
from bot.store.quotas import ping_key
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY
from bot.tables.events import WEEK, Events
from bot.tables.finding import Finder
from bot.tables.hosting import with_computers

CHALLENGES: Final[Mapping[str, Daily]] = dict(WEEK)
"""The games of challenges, with the forms in which they are played: those of dailies."""
DUPLICATES: Final = {
    form: (game.key, options) for game in GAMES.values() for form, (_, options) in game.duplicates.items()
}
"""The game of each form of duplicates, and the options of a table."""
DEALS: Final = range(1, 11)
DAYS: Final = range(1, 15)
"""How many deals a match may have, and how many days."""
OFFER_S: Final = 2 * DAY
"""A challenge that nobody has answered for this long has expired."""
WON, DRAWN = 2, 1
"""The match points for the better result at a deal, and for an equal one."""
SIDES: Final = (0, 1)
_IDS: Final = range(2**20, 2**31)


class DealResult(NamedTuple):
    """A deal that was played by both sides, or by one: how far each was ahead, and their match points.

    In a duplicate, each side was ahead at the table where it had the even seats.
    """

    deal: int
    scores: tuple[int | None, int | None]
    match_points: tuple[int, int]


class Total(NamedTuple):
    """The result of a match. ``ahead`` is how many points side 0 is ahead at the deals that both have finished."""

    deals: tuple[DealResult, ...]
    match_points: tuple[int, int]
    ahead: int

    @property
    def winner(self) -> int | None:
        """The side with more match points, or else with more points; ``None`` for a draw."""
        margin = self.match_points[0] - self.match_points[1] or self.ahead
        return None if margin == 0 else int(margin < 0)


def total(match: Match, results: Sequence[EventResult]) -> Total:
    """Return the result of a match, or of what has been played of it.

    A challenge's deal without a result is lost. In a duplicate, it counts for nobody, as both sides were at the table.
    """
    scores = {(result.deal, result.side): result.score for result in results}
    needs_both = match.kind == "duplicate"
    deals = tuple(
        [
            _compared(deal, scores.get((deal, 0)), scores.get((deal, 1)), needs_both=needs_both)
            for deal in range(match.deals)
        ]
    )
    points = (sum(each.match_points[0] for each in deals), sum(each.match_points[1] for each in deals))
    both = [(one, other) for each in deals for one, other in [each.scores] if one is not None and other is not None]
    return Total(deals, points, sum(one - other for one, other in both))


def _compared(deal: int, one: int | None, other: int | None, *, needs_both: bool) -> DealResult:
    if (one is None or other is None) if needs_both else (one is None and other is None):
        return DealResult(deal, (one, other), (0, 0))
    if one == other:
        return DealResult(deal, (one, other), (DRAWN, DRAWN))
    is_first = other is None or (one is not None and one > other)
    return DealResult(deal, (one, other), (WON, 0) if is_first else (0, WON))


def finished(results: Sequence[EventResult], side: int) -> int:
    """Return how many tables of a side have ended."""
    return sum(result.side == side and not result.is_open for result in results)


def is_done(match: Match, results: Sequence[EventResult]) -> bool:
    """Whether nothing is left to be played. Challenged players who have deleted their data play no more."""
    left = {player.side for player in match.players if player.user_id is not None or match.kind == "duplicate"}
    return all(finished(results, side) == match.deals for side in left)


def has_ended(match: Match, results: Sequence[EventResult], now: float) -> bool:
    """Whether a match is done or its time is over. Games that were begun in time may be finished a little later."""
    is_late = now >= match.until and not any(result.is_open for result in results)
    return is_late or now >= match.until + GRACE_S or is_done(match, results)


class Matches:
    """Offers, plays and ends matches."""

    def __init__(  # noqa: PLR0913, PLR0917 - as for events
        self,
        store: Store,
        finder: Finder,
        events: Events,
        now: Callable[[], float],
        entropy: Callable[[int], bytes],
        quotas: Quotas,
    ) -> None:
        self._store = store
        self._finder = finder
        self._events = events
        self._now = now
        self._entropy = entropy
        self._quotas = quotas
        self.find = store.matches.find
        self.unfinished = store.matches.unfinished
        self.of_user = store.matches.of_user

    async def challenge(  # noqa: PLR0913 - a challenge has six parts
        self, host: Person, guest: Person, place: Place, game: str, *, deals: int, days: int
    ) -> Match:
        """Challenge another member of a server. Raises `InvalidOption`, `NotAllowed` or `TooManyTables`."""
        if game not in CHALLENGES:
            raise InvalidOption("That game has no challenges.")
        if host.id == guest.id:
            raise NotAllowed("You can't challenge yourself.")
        players = tuple([MatchPlayer(side, 0, each.id, each.name) for side, each in enumerate((host, guest))])
        deals += -deals % len(CHALLENGES[game].turns)  # each of them comes equally often
        return await self.offer("challenge", (game, CHALLENGES[game].options), place, players, deals=deals, days=days)

    async def offer(  # noqa: PLR0913 - as `challenge`
        self,
        kind: Kind,
        game: tuple[str, Mapping[str, Value]],
        place: Place,
        players: tuple[MatchPlayer, ...],
        *,
        deals: int,
        days: int,
    ) -> Match:
        """Offer a match, whose host is the first player. ``game`` is its key, with options."""
        if deals not in DEALS or days not in DAYS:
            raise InvalidOption("Choose {deals} games and {days} days at most.", deals=DEALS[-1], days=DAYS[-1])
        if place.guild_id is None:
            raise NotAllowed("Challenges are for servers.")
        match_id, at, secret = secrets.choice(_IDS), self._now(), self._entropy(SEED_BYTES)
        match = Match(
            match_id,
            match_name(match_id),
            kind,
            place.guild_id,
            place.channel_id,
            deals,
            days,
            at + OFFER_S,
            host_id=players[0].user_id,
            game=game[0],
            options=game[1],
            players=players,
            level=CHALLENGES[game[0]].level if kind == "challenge" else DEFAULT_LEVEL,
        )
        uses = self._quotas.uses("match", players[0].user_id or 0, place.guild_id)
        await self._store.matches.offer(match, (secret, commitment(secret)), uses, at)
        return match

    async def may_ping(self, match: Match) -> bool:
        """Return whether the offer may ping the challenged member: its host hasn't had them pinged within an hour."""
        host, guest = match.host_id, match.players[-1].user_id
        if host is None or guest is None or match.kind != "challenge":
            return False
        return await self._store.holder(ping_key(host, guest), self._now(), match.id) == match.id

    def game(self, match: Match) -> AnyGame:
        """Return the game of a match."""
        return self._finder.game(match.game)

    async def results(self, match: Match) -> tuple[EventResult, ...]:
        """Return the results of a match. Until it is over, nobody may see their scores."""
        return await self._store.events.results(match.event)

    # ---- the answer

    async def accept(self, match: Match, user_id: int) -> None:
        """Begin a match, for the challenged member. Raises `NotAllowed`."""
        _need_guest(match, user_id)
        if self._now() >= match.until:
            raise _no_longer()
        await self._settle(match, "playing", self._now() + match.days * DAY)

    async def decline(self, match: Match, user_id: int) -> None:
        """Decline a match, for the challenged member. Raises `NotAllowed`."""
        _need_guest(match, user_id)
        await self._settle(match, "declined", self._now())

    async def withdraw(self, match: Match, user_id: int, *, moderates: bool = False) -> None:
        """Withdraw an offer, for its host or a moderator. Raises `NotAllowed`."""
        if match.status == "offered" and user_id != match.host_id and not moderates:
            raise NotAllowed("Only the host or a moderator can withdraw it.")
        await self._settle(match, "withdrawn", self._now())

    async def _settle(self, match: Match, status: MatchStatus, until: float) -> None:
        if match.status != "offered" or not await self._store.matches.settle(match, status, until):
            raise _no_longer()

    # ---- playing

    async def table(self, match: Match, user_id: int) -> Table | None:
        """Return the user's table of a match that is still being played."""
        for result in await self._tries(match, user_id):
            if result.is_open and (table := await self._events.table(result)) is not None:
                return table
        return None

    async def tables(self, match: Match, user_id: int) -> dict[int, Table]:
        """Return the user's tables of a match by the number of the deal."""
        tables = {result.deal: await self._events.table(result) for result in await self._tries(match, user_id)}
        return {deal: table for deal, table in sorted(tables.items()) if table is not None}

    async def _tries(self, match: Match, user_id: int) -> list[EventResult]:
        player, results = match.player(user_id), await self.results(match)
        if match.kind == "duplicate" and player is not None:
            return [result for result in results if result.side == player.room]
        return [result for result in results if result.user_id == user_id]

    async def play(self, match: Match, person: Person, place: Place) -> Table | None:
        """Return the person's table: the one where they play, else one with the next deal; ``None`` after the last.

        Raises `NotAllowed` for others, and if the match isn't being played.
        """
        player = match.player(person.id)
        if player is None or match.kind != "challenge":
            raise NotAllowed("You're not in this challenge.")
        if match.status == "playing" and (table := await self.table(match, person.id)) is not None:
            return await self._events.resume(table)
        if match.status != "playing" or self._now() >= match.until:
            raise NotAllowed("This challenge is over.")
        event, deal = await self._events.records.event(match.event), len(await self._tries(match, person.id))
        if event is None or deal >= match.deals:
            return None
        result = EventResult(
            match.event, person.id, match.guild_id, person.name, ends_at=match.until, deal=deal, side=player.side
        )
        try:
            return await self._events.begin_try(event, place, result)
        except NotAllowed:
            if (table := await self.table(match, person.id)) is None:
                raise
            return await self._events.resume(table)  # they have pressed twice

    # ---- the end

    async def update(self, match_id: int, now: float | None = None) -> Match | None:
        """Return the match after what is due: an offer expires, and a match that is done or whose time is over ends.

        ``now`` is the present by default.
        """
        match = await self.find(match_id)
        if match is None or not match.is_open:
            return match
        now = self._now() if now is None else now
        if match.status == "offered":
            if now >= match.until:
                await self._store.matches.settle(match, "expired", match.until)
        elif has_ended(match, await self.results(match), now) and await self._events.close(match.event):
            await self._store.matches.settle(match, "over", min(match.until, self._now()))
        return await self.find(match_id)

    async def desert(self, match: Match, side: int) -> None:
        """End a challenge without the player of a side."""
        at = min(match.until, self._now())
        if match.status == "offered":
            await self._store.matches.settle(match, "withdrawn", at)
        elif match.status == "playing" and await self._events.close(match.event):
            await self._store.matches.settle(match, LEFT[side], at)


def _need_guest(match: Match, user_id: int) -> None:
    if match.kind != "challenge":
        raise _no_longer()
    guest = match.players[-1]
    if user_id != guest.user_id:
        raise NotAllowed("Only {name} can answer this challenge.", name=f"<@{guest.user_id}>")


def _no_longer() -> NotAllowed:
    return NotAllowed("This challenge has been answered already, or has expired.")


class Duplicates:
    """Offers duplicates, and opens their tables, where the same deals are played with the seats exchanged.

    Side 0 has the even seats at the first table, and side 1 at the second. Each table is in a private thread, a room,
    as the other one's players may not see its cards. Seats without a player have computers: as many for either side.
    """

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
        if form not in DUPLICATES:
            raise InvalidOption("Duplicate needs a game of two sides with cards.")
        player = MatchPlayer(0, 0, host.id, host.name)
        return await self._matches.offer("duplicate", DUPLICATES[form], place, (player,), deals=deals, days=days)

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
            levels[seat] = match.level
        else:
            people.append(Sitter(seat, player.name, player.user_id))
    return with_computers(people, levels)


def _check_offered(match: Match) -> None:
    if match.kind != "duplicate" or match.status != "offered":
        raise NotAllowed("This match has begun already, or was withdrawn.")
