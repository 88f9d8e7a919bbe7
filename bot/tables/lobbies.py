"""Lobbies: opens them, as a rematch or in another place too, gives people seats, and starts their games."""

import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Final

from msgspec.structs import replace

from bot.errors import Conflict, InvalidOption, NoSuchTable, NotAllowed, Stale, Text, WrongPhase
from bot.fairness import SEED_BYTES, commitment
from bot.games.game import AnyGame, Entry, Seat, Value
from bot.records.quota import Quotas
from bot.records.table import DEFAULT_CLOCK, DEFAULT_LEVEL, LEARNED_AFTER, Guest, Person, Place, Receipt, Sitter, Table
from bot.store.store import Store
from bot.tables import closing, seating
from bot.tables.absence.deadlines import settle_clock
from bot.tables.defaults import proposed_to
from bot.tables.finding import Finder
from bot.tables.hosting import first_sitters, settle_level, with_computers
from bot.tables.ledger import Ledger
from bot.tables.random_names import RESTS_S, table_name
from bot.tables.rematches import next_seat, rematch_guests, rematch_opening, rematch_sitters, return_opening

log: Final = logging.getLogger(__name__)

_MAX_NAME_TRIES: Final = 5
"""Tries to name a table, as another process may take the name first."""
_MAX_MOVES: Final = 20
"""Tries to move a lobby, as players may come and go meanwhile: more than it has seats."""
Insert = Callable[[Table, bytes], Awaitable[Table]]
"""Stores a new table with its seed, and returns it with its numbers."""
MOVES_LOBBY: Final = Text("Only the host can move the table into a thread, before the start.")


class Lobbies:
    """Opens lobbies, changes them, and starts their games. The parameters are those of `bot.tables.tables.Tables`."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a table is made of
        self,
        store: Store,
        ledger: Ledger,
        finder: Finder,
        now: Callable[[], float],
        entropy: Callable[[int], bytes],
        quotas: Quotas,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._finder = finder
        self._now = now
        self._entropy = entropy
        self._quotas = quotas

    async def open(  # noqa: PLR0913 - a table is opened with five things
        self,
        game_key: str,
        given_options: Mapping[str, object],
        host: Person,
        place: Place,
        computers: int = 0,
        *,
        clock: str = DEFAULT_CLOCK,
        levels: Sequence[str] = (DEFAULT_LEVEL,),
        called: Sequence[int] = (),
    ) -> Receipt:
        """Open a lobby with the host on seat 0 and computers on the last seats.

        ``clock`` is a key of `bot.tables.absence.deadlines.CLOCKS`. The computers have these levels in turn; the first
        is also the table's own. The users ``called`` get a ping. Raises `InvalidOption` and `TooManyTables`.
        """
        game, options = self._finder.game(game_key), self.settle(game_key, given_options, computers)
        settled = [settle_level(level) for level in levels]
        sitters = first_sitters(host, list(islice(cycle(settled), computers)), game.seats(options))
        sitters = (replace(sitters[0], nth_game=await self.nth_game(game.key, host.id)), *sitters[1:])
        draft = self.draft(game, options, place, sitters, clock=settle_clock(clock))
        guests = tuple(Guest(user) for user in sorted(called))
        return await self._open(replace(draft, level=settled[0], guests=guests))

    async def open_against(
        self, game_key: str, given_options: Mapping[str, object], person: Person, place: Place, level: str
    ) -> Receipt:
        """Open a lobby of a short game with computers of this level on all other seats, in direct messages."""
        game = self._finder.game(game_key)
        options = {**proposed_to(game, is_learner=True), **given_options}
        seats = game.seats(game.settle(options))
        return await self.open(game_key, options, person, place, seats - 1, levels=(level,))

    def settle(self, game_key: str, given_options: Mapping[str, object], computers: int) -> dict[str, Value]:
        """Return all options of a table, with defaults for those that aren't given. Raises `InvalidOption`."""
        game = self._finder.game(game_key)
        options = game.settle(given_options)
        seats = game.seats(options)
        if not 0 <= computers < seats:
            raise InvalidOption("This table takes 0 to {most} computers.", most=seats - 1)
        return options

    async def check_quotas(self, host: Person, place: Place) -> None:
        """Raise `TooManyTables` if the host can't open a table there now."""
        await self._store.check_quotas(self._quotas, host.id, place, self._now())

    async def rematch(
        self,
        table_id: int,
        person: Person,
        check_opening: Callable[[], Awaitable[object]] | None = None,
        *,
        is_return: bool = False,
    ) -> Receipt:
        """Open the rematch of a table, or sit down there if another player has opened it. Who sits there stays.

        In a return game, the other player begins. ``check_opening`` raises an error if the person may not open tables.
        Raises `WrongPhase` before the end and once the rematch has started, `NotAllowed` if the person didn't play,
        `TooManyTables` if no table can be opened.
        """
        table = await self._ledger.table(table_id)
        sitters = rematch_sitters(table, person)
        rematch = await self._store.lists.rematch(table_id)
        if rematch is not None and rematch.is_open and rematch.sitter(person.id) is not None:
            return Receipt(rematch, rematch.version)
        if rematch is not None:
            return await self.sit(rematch.id, person)
        if check_opening is not None:
            await check_opening()
        game = self._finder.game(table.game)
        opening = rematch_opening(table)
        if is_return:
            opening = return_opening(game, table, (await self._ledger.folded(table_id))[1].entries)
        options = seating.without_opening(seating.under_current_rules(table, game), game).options
        nth_game = await self.nth_game(game.key, person.id)
        sitters = tuple([each if each.is_computer else replace(each, nth_game=nth_game) for each in sitters])
        try:
            draft = self.draft(game, options, table.place, sitters, clock=table.clock)
            draft = replace(
                draft, rematch_of=table.id, level=table.level, hints=table.hints, invited_only=table.invited_only
            )
            draft = replace(draft, opening=opening)
            return await self._open(replace(draft, guests=rematch_guests(table, person)))
        except Conflict:  # another player has opened it in the meantime
            rematch = await self._store.lists.rematch(table_id)
            if rematch is None:
                raise
            return await self.sit(rematch.id, person)

    async def start_with(self, table_id: int, person: Person, played: tuple[Entry, ...]) -> Receipt:
        """Start a table that plays on, with the entries that it takes over."""
        return await self._ledger.start(table_id, partial(seating.may_start, user_id=person.id), None, played)

    async def open_to_play_on(self, source: Table, plies: int, person: Person, seat: Seat, place: Place) -> Table:
        """Open a table for `start_with` that is to play on after so many entries of a game that has ended.

        The person sits there, and computers elsewhere. Raises `WrongPhase` if the rules have changed since.
        """
        game = self._finder.game(source.game)
        if game.rules != source.rules:
            raise WrongPhase("The rules of {game} have changed since, so nobody can play on.", game=game.title)
        own = Sitter(seat, person.name, person.id, nth_game=await self.nth_game(game.key, person.id))
        others = {other: source.level for other in range(source.seats) if other != seat}
        draft = self.draft(game, source.options, place, with_computers([own], others), clock="none")
        draft = replace(draft, level=source.level, continues=(source.name, plies))
        return (await self._open(draft)).table

    def draft(
        self, game: AnyGame, options: Mapping[str, Value], place: Place, sitters: tuple[Sitter, ...], *, clock: str
    ) -> Table:
        """Return a lobby that has no name yet. Its host is the first user of the players."""
        at = self._now()
        return Table(
            id=0,
            name="",
            game=game.key,
            options=options,
            seats=game.seats(options),
            status="lobby",
            version=1,
            host_id=next(sitter.user_id for sitter in sitters if sitter.user_id is not None),
            place=place,
            sitters=sitters,
            commitment="",
            seed=None,
            outcome=None,
            opened_at=at,
            changed_at=at,
            rules=game.rules,
            clock=clock,
        )

    async def move(self, table_id: int, user_id: int, place: Place) -> Receipt:
        """Open the same lobby in another place with the same people, for its host, and close this one."""
        for _ in range(_MAX_MOVES):
            table = await self._ledger.table(table_id)
            with contextlib.suppress(Conflict):
                return await self._open(self._moved(table, user_id, place), table)
        raise Stale("The lobby has changed. Look again.")

    def _moved(self, table: Table, user_id: int, place: Place) -> Table:
        """Return the draft of a lobby in another place. Cuts are left out: they follow the new commitment (G-12)."""
        seating.need_lobby_host(table, user_id, MOVES_LOBBY)
        game = self._finder.game(table.game)
        options = seating.under_current_rules(table, game).options
        draft = self.draft(
            game, options, place, tuple([replace(each, cut="") for each in table.sitters]), clock=table.clock
        )
        return replace(
            draft,
            host_id=user_id,
            level=table.level,
            hints=table.hints,
            invited_only=table.invited_only,
            rematch_of=table.rematch_of,
            opening=table.opening,
            guests=_kept_guests(table),
            former=table.former,
        )

    async def _open(self, draft: Table, replaced: Table | None = None) -> Receipt:
        """Store a lobby under a new name, in place of one that is closed."""

        async def insert(table: Table, seed: bytes) -> Table:
            return await self._store.open_table(table, seed, self._quotas, replaced)

        receipt = await self.place(draft, self._entropy(SEED_BYTES), insert, replaced)
        if replaced is not None:
            self._ledger.announce(Receipt(await self._ledger.table(replaced.id), replaced.version))
        return receipt

    async def place(self, draft: Table, seed: bytes, insert: Insert, replaced: Table | None = None) -> Receipt:
        """Store a lobby with this seed under a new name, by ``insert``, which raises `Conflict` for a taken one."""
        for _ in range(_MAX_NAME_TRIES):
            taken = await self._store.lists.taken_names(draft.place, draft.opened_at - RESTS_S)
            name = table_name(taken, int.from_bytes(self._entropy(4)))
            table = replace(draft, name=name, commitment=commitment(seed))
            try:
                receipt = Receipt(await insert(table, seed), 0)
            except Conflict:  # an open table has the name, or the replaced lobby has changed
                if replaced is not None and (await self._ledger.table(replaced.id)).version != replaced.version:
                    raise
                continue
            self._ledger.announce(receipt)
            return receipt
        raise Conflict("Too many tables are being opened at once. Try again in a moment.")

    # ---- seats

    async def sit(self, table_id: int, person: Person, seat: Seat | None = None) -> Receipt:
        """Give the person this seat, otherwise their own one in a rematch, otherwise the first free one.

        A player of the lobby may change seats. A full table becomes one for more players, if its game has that.
        """
        table = await self._ledger.table(table_id)
        own = await self._seat_in_rematch(table, person.id) if seat is None else None
        game, nth_game = self._finder.game(table.game), await self.nth_game(table.game, person.id)
        return await self._ledger.update(table_id, seating.sit, game, person, seat, own, nth_game)

    async def nth_game(self, game_key: str, user_id: int) -> int:
        """Return which game of this kind a user begins, if it is one of the first; else 0."""
        nth = await self._store.lists.finished(user_id, game_key) + 1
        return nth if nth <= LEARNED_AFTER else 0

    async def sit_with(self, table_id: int, user_id: int, partner: Seat, seen: int) -> Receipt:
        """Give a player of the lobby a seat on the side of the player on the seat ``partner``.

        Whoever has that seat gets theirs: a computer, or for the host anybody. ``seen`` is the version that the user
        saw. Raises `Stale`.
        """
        game = self._finder.game((await self._ledger.table(table_id)).game)
        return await self._ledger.update(table_id, _sit_with, game, user_id, partner, seen)

    async def _seat_in_rematch(self, table: Table, user_id: int) -> Seat | None:
        """Return the user's seat in the rematch, if this lobby is one and they played before. That never changes."""
        if table.rematch_of is None:
            return None
        try:
            return next_seat(await self._ledger.table(table.rematch_of), user_id)
        except NoSuchTable:  # deleted, long after its end
            return None

    # ---- changes and the start

    async def set_options(
        self, table_id: int, user_id: int, given: Mapping[str, object], clock: str | None = None
    ) -> Receipt:
        """Change options of the lobby and, if given, its clock, for the host.

        Raises `InvalidOption`, or `NotAllowed` if seats don't suffice.
        """
        game = self._finder.game((await self._ledger.table(table_id)).game)
        settled = None if clock is None else settle_clock(clock)
        return await self._ledger.update(table_id, seating.set_options, game, user_id, given, settled)

    async def remove(self, table_id: int, user_id: int, seat: Seat, seen: int | None = None) -> Receipt:
        """Remove the player on this seat from the lobby, for the host. A removed user can't join again.

        ``seen`` is the version of the table that the host saw, ``None`` for the current one. Raises `Stale`.
        """
        return await self._ledger.update(table_id, seating.remove, user_id, seat, seen)

    async def stand(self, table_id: int, user_id: int) -> Receipt:
        """Remove the user from the lobby. The next user becomes the host; without one, the lobby is closed."""
        return await self._ledger.update(table_id, seating.stand, user_id)

    async def follow_name(self, table: Table, user_id: int, called: tuple[str, int | None]) -> Table:
        """Return a lobby with the present name of one of its players; in play, `Tables.play` brings it."""
        if seating.renamed(table, user_id, called) == table:
            return table
        return (await self._ledger.update(table.id, seating.renamed, user_id, called)).table

    async def cut(self, table_id: int, user_id: int, text: str) -> Receipt:
        """Set the user's text in the key of the deals. They may change it until the start (G-12)."""
        return await self._ledger.update(table_id, seating.cut, user_id, text)

    async def start(self, table_id: int, user_id: int) -> Receipt:
        """Start the game, for a player, if all seats are taken; the first chance entries are written with it."""

        def check(table: Table) -> None:
            seating.may_start(table, user_id)
            if table.continues is not None:  # a crash left it in the lobby
                raise NotAllowed(
                    "Press **Play on from here** in the replay again to go on at Table {name}.", name=table.name
                )

        return await self._ledger.start(table_id, check, user_id)

    # ---- closing

    async def close_idle(self, idle_s: float) -> tuple[Receipt, ...]:
        """Close all lobbies that haven't changed for this long."""
        before = self._now() - idle_s
        closed = []
        for table_id in await self._store.lists.idle_lobbies(before):
            try:
                closed.append(await self._ledger.update(table_id, closing.close_idle, before))
            except WrongPhase:
                log.info("table %s changed before it was closed as idle", table_id)
        return tuple(closed)


def _kept_guests(table: Table) -> tuple[Guest, ...]:
    """Return the guests of a lobby that moves. Seats of a rematch are still kept for the last players."""
    guests = [replace(each, is_called=False) if each.is_invited else each for each in table.guests]
    return tuple([each for each in guests if each.is_invited or table.rematch_of is not None])


def _sit_with(table: Table, game: AnyGame, user_id: int, partner: Seat, seen: int) -> Table:
    """Swap a player of the lobby to the side of another one: with a free seat, a computer or, for the host, anybody."""
    sitter, sides = seating.seated(table, user_id), seating.teams(table, game)
    seating.need_changeable(table)
    if seen != table.version:
        raise Stale("The lobby has changed. Look again.")
    if table.sitter_at(partner) is None or partner == sitter.seat or not sides:
        raise NotAllowed("Choose another player of Table {name} as your partner.", name=table.name)
    seats = _beside(sides, partner)
    if sitter.seat in seats:
        raise NotAllowed("You already play together.")
    given = min(seats, key=lambda seat: _how_taken(table.sitter_at(seat)))
    other = table.sitter_at(given)
    if other is not None and not other.is_computer and user_id != table.host_id:
        raise NotAllowed("Another player has that seat. The host can swap you.")
    moved = [replace(sitter, seat=given), *([replace(other, seat=sitter.seat)] if other else [])]
    return seating.with_sitters(seating.with_sitters(table, without=sitter), *moved)


def _beside(sides: Sequence[int], partner: Seat) -> list[Seat]:
    """Return the other seats of the partner's side."""
    return [seat for seat, side in enumerate(sides) if side == sides[partner] and seat != partner]


def _how_taken(sitter: Sitter | None) -> int:
    return 0 if sitter is None else 1 if sitter.is_computer else 2
