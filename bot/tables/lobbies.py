"""Lobbies: opens them, as a rematch or in another place too, and gives people seats."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import cycle, islice
from typing import Final

from msgspec.structs import replace

from bot.errors import Conflict, InvalidOption, NoSuchTable, Stale, Text
from bot.fairness import SEED_BYTES, commitment
from bot.games.game import AnyGame, Seat, Value
from bot.store.records import Person, Place, Quotas, Sitter, Table
from bot.store.store import Store
from bot.tables import seating
from bot.tables.absence.deadlines import settle_clock
from bot.tables.computers import settle_level
from bot.tables.finding import Finder
from bot.tables.ledger import Ledger, Receipt
from bot.tables.random_names import RESTS_S, table_name
from bot.tables.rematch import next_seat, rematch_guests, rematch_sitters

_MAX_NAME_TRIES: Final = 5
"""Tries to name a table, as another process may take the name first."""
_MAX_MOVES: Final = 5
"""Tries to move a lobby, as players may come and go meanwhile."""
MOVES_LOBBY: Final = Text("Only the host can move the table into a thread, before the start.")


class Lobbies:
    """Opens lobbies, and gives people seats there. The parameters are those of `bot.tables.tables.Tables`."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a table is made of
        self,
        store: Store,
        ledger: Ledger,
        finder: Finder,
        now: Callable[[], float],
        entropy: Callable[[int], bytes],
        quotas: Quotas | None,
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
        clock: str = "none",
        levels: Sequence[str] = ("fair",),
    ) -> Receipt:
        """Open a lobby with the host on seat 0 and computers on the last seats.

        ``clock`` is a key of `bot.tables.absence.deadlines.CLOCKS`. The computers have these levels in turn; the first
        is also the table's own. Raises `InvalidOption` and `TooManyTables`.
        """
        game, options = self._finder.game(game_key), self.settle(game_key, given_options, computers)
        settled = [settle_level(level) for level in levels]
        sitters = seating.first_sitters(host, list(islice(cycle(settled), computers)), game.seats(options))
        draft = self._draft(game, options, place, sitters, clock=settle_clock(clock))
        return await self._open(replace(draft, level=settled[0]))

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
        if self._quotas is not None:
            await self._store.check_quotas(self._quotas, host.id, place)

    async def rematch(
        self, table_id: int, person: Person, check_opening: Callable[[], Awaitable[object]] | None = None
    ) -> Receipt:
        """Open the rematch of a table, or sit down there if another player has opened it.

        ``check_opening`` raises an error if the person may not open tables. Raises `WrongPhase` before the end and
        once the rematch has started, `NotAllowed` if the person didn't play, `TooManyTables` if no table can be opened.
        """
        table = await self._ledger.table(table_id)
        sitters = rematch_sitters(table, person)
        rematch = await self._store.rematch(table_id)
        if rematch is not None:
            return await self.sit(rematch.id, person)
        if check_opening is not None:
            await check_opening()
        game = self._finder.game(table.game)
        options = seating.under_current_rules(table, game).options
        try:
            draft = self._draft(game, options, table.place, sitters, clock=table.clock)
            draft = replace(
                draft, rematch_of=table.id, level=table.level, hints=table.hints, invited_only=table.invited_only
            )
            return await self._open(replace(draft, guests=rematch_guests(table, person)))
        except Conflict:  # another player has opened it in the meantime
            rematch = await self._store.rematch(table_id)
            if rematch is None:
                raise
            return await self.sit(rematch.id, person)

    def _draft(
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
        draft = self._draft(
            game, options, place, tuple([replace(each, cut="") for each in table.sitters]), clock=table.clock
        )
        return replace(
            draft,
            host_id=user_id,
            level=table.level,
            hints=table.hints,
            invited_only=table.invited_only,
            guests=tuple([replace(each, is_called=False) for each in table.guests if each.is_invited]),
        )

    async def _open(self, draft: Table, replaced: Table | None = None) -> Receipt:
        """Store a lobby under a new name, in place of one that is closed."""
        seed = self._entropy(SEED_BYTES)
        for _ in range(_MAX_NAME_TRIES):
            taken = await self._store.taken_names(draft.place, draft.opened_at - RESTS_S)
            name = table_name(taken, int.from_bytes(self._entropy(4)))
            table = replace(draft, name=name, commitment=commitment(seed))
            try:
                receipt = Receipt(await self._store.open_table(table, seed, self._quotas, replaced), 0)
            except Conflict:  # an open table has the name, or the replaced lobby has changed
                if replaced is not None and (await self._ledger.table(replaced.id)).version != replaced.version:
                    raise
                continue
            self._ledger.announce(receipt)
            if replaced is not None:
                self._ledger.announce(Receipt(await self._ledger.table(replaced.id), replaced.version))
            return receipt
        raise Conflict("Too many tables are being opened at once. Try again in a moment.")

    # ---- seats

    async def sit(self, table_id: int, person: Person, seat: Seat | None = None) -> Receipt:
        """Give the person this seat, otherwise their own one in a rematch, otherwise the first free one.

        A player of the lobby may change seats.
        """
        own = await self._seat_in_rematch(table_id, person.id) if seat is None else None
        return await self._ledger.seat(table_id, person.id, seating.sit, person, seat, own)

    async def _seat_in_rematch(self, table_id: int, user_id: int) -> Seat | None:
        """Return the user's seat in the rematch, if this lobby is one and they played before. That never changes."""
        table = await self._ledger.table(table_id)
        if table.rematch_of is None:
            return None
        try:
            return next_seat(await self._ledger.table(table.rematch_of), user_id)
        except NoSuchTable:  # deleted, long after its end
            return None
