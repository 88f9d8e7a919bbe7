"""`Tables`, the door through which every table is changed and looked at."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from bot.errors import AmbiguousTable, Claimed, Conflict, InvalidOption, NoSuchTable, NotAllowed, WrongPhase
from bot.fairness import SEED_BYTES, commitment
from bot.games import GAMES, OLDER
from bot.games.game import RESIGN, AnyGame, Event, Observation, Seat, Value
from bot.store import Store
from bot.store.records import Habits, Person, Place, Quotas, Server, Sitter, Table, TakenBack
from bot.tables import absence, seating
from bot.tables.folds import Fold
from bot.tables.ledger import Ledger, Listener, Receipt, no_table
from bot.tables.names import table_name
from bot.tables.privacy import Privacy
from bot.tables.undo import Undos
from bot.tables.viewing import Viewer
from bot.tables.waiting import Waiting
from bot.transcript import Fairness, Transcript

log: Final = logging.getLogger(__name__)

LISTED: Final = 25
"""The maximum length of a list of tables: Discord takes no more options in a menu or in autocomplete."""

_CLOSED_AT_ONCE: Final = 100
_NAME_TRIES: Final = 5
"""How often another name is drawn because another process took the first."""


class Sight(msgspec.Struct, frozen=True):
    """What one user, or the public, sees of a table that has started.

    ``events`` are the last public ones, oldest first; ``observation`` is that of the user's seat, or the public's.
    ``may_undo`` says whether the seat may take its last move back without asking anybody.
    """

    table: Table
    observation: Observation
    events: tuple[Event, ...]
    may_undo: bool = False


class Tables:
    """Every table there is. Whatever is refused is a `PlayError` and has changed nothing.

    ``games`` are the current rulebooks by key, ``older`` those of earlier rules that tables in play may go on under.
    ``now`` gives seconds since 1970, ``entropy`` that many random bytes, from which seeds and names are drawn.
    Without ``quotas`` any number of tables may be open.
    """

    def __init__(  # noqa: PLR0913 - each has a default, and is replaced alone
        self,
        store: Store,
        *,
        games: Mapping[str, AnyGame] = GAMES,
        older: Iterable[AnyGame] = OLDER,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        quotas: Quotas | None = None,
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._games = games
        self._now = now
        self._entropy = entropy
        self._ledger = Ledger(store, games, now, older)
        self.messages = store.messages
        self.undos = Undos(store, self._ledger)
        self.privacy = Privacy(store, self._ledger, now)
        self.waiting = Waiting(store, self._ledger, now)
        self.lists = store.lists

    def on_change(self, listener: Listener) -> None:
        """From now on calls the listener after each commit, in the order of the commits of each table.

        What a listener raises is logged; it undoes nothing.
        """
        self._ledger.on_change(listener)

    # ---- the lobby

    async def open(  # noqa: PLR0913 - what a table is opened with are five things of five kinds
        self,
        game_key: str,
        given_options: Mapping[str, object],
        host: Person,
        place: Place,
        computers: int = 0,
        *,
        clock: str = "none",
    ) -> Receipt:
        """A new table with its lobby: the host on seat 0, computers on the last seats, the deal's seed committed to.

        ``clock`` is one of `bot.tables.absence.CLOCKS`. Raises `InvalidOption` and `TooManyTables`.
        """
        game, options = self._game(game_key), self.settle(game_key, given_options, computers)
        seats = game.seats(options)
        seed, at = self._entropy(SEED_BYTES), self._now()
        draft = Table(
            id=0,
            name="",
            game=game.key,
            options=options,
            seats=seats,
            status="lobby",
            version=1,
            host_id=host.id,
            place=place,
            sitters=seating.first_sitters(host, computers, seats),
            commitment=commitment(seed),
            seed=None,
            outcome=None,
            opened_at=at,
            changed_at=at,
            rules=game.rules,
            clock=absence.settle_clock(clock),
        )
        return await self._opened(draft, seed)

    def settle(self, game_key: str, given_options: Mapping[str, object], computers: int) -> dict[str, Value]:
        """All options of a table that could be opened with these and so many computers. Raises `InvalidOption`."""
        game = self._game(game_key)
        options = game.settle(given_options)
        seats = game.seats(options)
        if not 0 <= computers < seats:
            raise InvalidOption(f"computers can be 0 to {seats - 1} at this table.")
        return options

    async def rematch(self, table_id: int, person: Person) -> Receipt:
        """The table once more, everybody moved on by a seat; the first who asks opens it, the others sit down there.

        Raises `NotAllowed` for who didn't play there, `WrongPhase` before the end and once the rematch has begun,
        `TooManyTables` if no table can be opened.
        """
        table = await self.table(table_id)
        sitters = absence.rematch_sitters(table, person)
        again = await self.waiting.rematch(table_id)
        if again is not None:
            return await self.sit(again.id, person)
        seed, at = self._entropy(SEED_BYTES), self._now()
        draft = replace(
            seating.under_current_rules(table, self._game(table.game)),
            status="lobby",
            version=1,
            host_id=person.id,
            sitters=sitters,
            commitment=commitment(seed),
            seed=None,
            outcome=None,
            opened_at=at,
            changed_at=at,
            undone_at=0,
            why=None,
            rematch_of=table.id,
        )
        try:
            return await self._opened(draft, seed)
        except Conflict:  # somebody else has asked for it in this very moment
            again = await self.waiting.rematch(table_id)
            if again is None:
                raise
            return await self.sit(again.id, person)

    async def _opened(self, draft: Table, seed: bytes) -> Receipt:
        receipt = Receipt(await self._named(draft, seed), 0)
        self._ledger.announce(receipt)
        return receipt

    async def sit(self, table_id: int, person: Person, seat: Seat | None = None) -> Receipt:
        """The person takes that seat, or the first free one; who sits there already may change to a free seat."""
        if await self._store.personal.was_removed(table_id, person.id):
            table = await self.table(table_id)
            raise NotAllowed(f"The host removed you from Table {table.name}, so you can't join it again.")
        if seat is None:
            seat = await self.waiting.seat_in_rematch(table_id, person.id)
        return await self._ledger.arrange(table_id, lambda table: seating.sit(table, person, seat, self._now()))

    async def add_computer(self, table_id: int, user_id: int) -> Receipt:
        """The host gives the last free seat to a computer."""
        return await self._ledger.arrange(table_id, lambda table: seating.add_computer(table, user_id, self._now()))

    async def remove_computer(self, table_id: int, user_id: int) -> Receipt:
        """The host sends away the computer that came last."""
        return await self._ledger.arrange(table_id, lambda table: seating.remove_computer(table, user_id, self._now()))

    async def remove(self, table_id: int, user_id: int, seat: Seat, seen: int | None = None) -> Receipt:
        """The host removes whoever has this seat from the lobby; a user can't join it again.

        ``seen`` is the version of the table where the host saw who sits there, ``None`` for now. Raises `Stale`.
        """
        return await self._ledger.arrange(
            table_id, lambda table: seating.remove(table, user_id, seat, seen, self._now())
        )

    async def was_removed(self, table_id: int, user_id: int) -> bool:
        """Return whether the host has removed the user from this lobby."""
        return await self._store.personal.was_removed(table_id, user_id)

    async def stand(self, table_id: int, user_id: int) -> Receipt:
        """The user leaves the lobby. If he is the host, the next user is; if no user is left, the table is closed."""
        return await self._ledger.arrange(table_id, lambda table: seating.stand(table, user_id, self._now()))

    async def cut(self, table_id: int, user_id: int, text: str) -> Receipt:
        """The user's own word in the deal, until the start; a later one replaces it (G-12)."""
        return await self._ledger.arrange(table_id, lambda table: seating.cut(table, user_id, text, self._now()))

    async def start(self, table_id: int, user_id: int) -> Receipt:
        """Somebody seated starts the table, whose seats are full; what chance has to write first is written with it."""
        return await self._ledger.start(table_id, partial(seating.may_start, user_id=user_id), user_id)

    async def close(self, table_id: int, user_id: int, *, moderates: int | None = None) -> Receipt:
        """The host, or who moderates the server with this number, gives the table up, in the lobby or in play.

        It has no outcome then.
        """
        return await self._ledger.arrange(table_id, lambda table: seating.close(table, user_id, self._now(), moderates))

    async def close_idle_lobbies(self, idle_s: float) -> tuple[Receipt, ...]:
        """Closes every lobby in which nothing has changed for so many seconds."""
        before = self._now() - idle_s
        closed = []
        for table_id in await self._store.idle_lobbies(before):
            try:
                closed.append(
                    await self._ledger.arrange(table_id, partial(seating.close_idle, before=before, at=self._now()))
                )
            except WrongPhase:
                log.info("table %s woke up before it was closed", table_id)
        return tuple(closed)

    async def close_outdated(self) -> int:
        """Close every table in play whose rules this program lacks; return how many there were."""
        outdated = await self._store.played_by_other_rules(self._ledger.rules)
        for first in range(0, len(outdated), _CLOSED_AT_ONCE):
            await asyncio.gather(*map(self._ledger.table, outdated[first : first + _CLOSED_AT_ONCE]))
        return len(outdated)

    # ---- play

    async def play(self, table_id: int, user_id: int, text: str, seen: int | None = None) -> Receipt:
        """The user's move, in notation or as people type it, and the chance that follows it.

        ``seen`` is the version that the user saw when he chose, ``None`` if he means the table as it is now. Raises
        `NotSeated`, `InvalidMove`, `IllegalMove`, `WrongPhase`, and `Stale` if the table has moved on since ``seen``:
        that is if chance or this very seat has written since, or the move isn't legal any more.
        """
        return await self._ledger.play(table_id, lambda table: seating.seated(table, user_id).seat, text, seen, user_id)

    async def play_computer(self, table_id: int, seat: Seat, text: str, seen: int | None = None) -> Receipt:
        """As `play`, for a seat that a computer has. Raises `NotAllowed` for any other."""
        return await self._ledger.play(table_id, partial(seating.computer_seat, seat=seat), text, seen, None)

    async def play_absent(self, table_id: int, seat: Seat, text: str, seen: int | None = None) -> Receipt:
        """As `play_computer`, for the seat of an absent user, once `Waiting.move_on` or the table's clock allows it."""
        return await self._ledger.play(table_id, partial(absence.users_seat, seat=seat), text, seen, None)

    async def resign(self, table_id: int, user_id: int) -> Receipt:
        """With two sides the user's side concedes; with more a computer takes over his seat (G-10)."""
        table = await self.table(table_id)
        if len(set(self._ledger.rulebook(table).sides(table.options))) == 2:
            return await self._ledger.play(
                table_id, lambda table: seating.seated(table, user_id).seat, RESIGN, None, user_id
            )
        return await self._ledger.arrange(table_id, lambda table: seating.hand_over(table, user_id, self._now()))

    # ---- looking

    async def look(self, table_id: int, user_id: int | None = None) -> Sight:
        """What the user sees of a table that has started; the public's sight if he doesn't sit there.

        Raises `WrongPhase` before the start.
        """
        return await self.sight(await self._ledger.table(table_id), user_id)

    async def sight(self, table: Table, user_id: int | None = None) -> Sight:
        """As `look`, of a table that was read just now: it is not read again, unless its log has been forgotten."""
        table, now = await self._ledger.fold(table)
        sitter = None if user_id is None else table.sitter(user_id)
        return self._sight(table, now, sitter.seat if sitter else None)

    async def look_as_computer(self, table_id: int, seat: Seat) -> Sight:
        """What the computer on this seat sees. Raises `NotAllowed` if a user has the seat."""
        table, now = await self._ledger.fold(await self._ledger.table(table_id))
        return self._sight(table, now, seating.computer_seat(table, seat))

    async def look_for_absent(self, table_id: int, seat: Seat) -> Sight:
        """What the computer sees that is to play a turn for the absent user on this seat."""
        table, now = await self._ledger.fold(await self._ledger.table(table_id))
        return self._sight(table, now, absence.users_seat(table, seat))

    async def whose_turn(self, table: Table) -> tuple[int, ...]:
        """The users who owe a move at the table, in the order of the seats."""
        return tuple(sitter.user_id for sitter in await self._to_act(table) if sitter.user_id is not None)

    async def computers_turn(self, table: Table) -> tuple[Seat, ...]:
        """The seats of the computers that owe a move at the table, lowest first."""
        return tuple(sitter.seat for sitter in await self._to_act(table) if sitter.is_computer)

    async def transcript(self, table_id: int, *, unfinished: bool = False) -> Transcript:
        """The table as it is written down. Before its end that tells every secret but the seed: only where
        ``unfinished`` is asked for, for the operator. Raises `WrongPhase` otherwise.
        """
        written = await self._store.log(table_id)
        if written is None:
            raise no_table(str(table_id))
        table = written.table
        if not (table.has_ended or (unfinished and table.is_full)):
            raise seating.wrong_phase(table)
        return Transcript(
            game=self._ledger.rulebook(table) if self._ledger.has_rulebook(table) else self._game(table.game),
            rules=table.rules,
            options=table.options,
            seats=table.names,
            entries=written.entries,
            outcome=table.outcome,
            fairness=Fairness(table.commitment, table.seed, table.cuts),
            ended=table.ended,
        )

    def has_rulebook(self, table: Table) -> bool:
        """Whether this program has the rules that the table is played by, so that it can be shown."""
        return self._ledger.has_rulebook(table)

    # ---- finding

    async def table(self, table_id: int) -> Table:
        """The table with this number. Raises `NoSuchTable`."""
        return await self._ledger.table(table_id)

    async def seen(self, table_id: int, viewer: Viewer) -> Table:
        """Return the table with this number. Raises `NoSuchTable` if there is none that the viewer may see."""
        table = await self.table(table_id)
        if not await viewer.sees(table):
            raise no_table(str(table_id))
        return table

    async def find(self, ref: str, viewer: Viewer) -> Table:
        """Return the table a person means: ``81``, ``#81``, ``heron`` or ``Table Heron``, finished ones included.

        Of several tables with this name that the viewer may see, the open one comes first, then the latest.
        Raises `NoSuchTable`.
        """
        words = ref.split()
        name = " ".join(words[1:] if len(words) > 1 and words[0].lower() == "table" else words)
        number = name.removeprefix("#")
        if number.isascii() and number.isdigit() and len(number) < 19:
            return await self.seen(int(number), viewer)
        for table in await self._store.named(name, user_id=viewer.user_id, guild_id=viewer.guild_id):
            if await viewer.sees(table):
                return table
        raise no_table(name)

    async def choose(self, viewer: Viewer, game_key: str, channel_id: int | None, ref: str | None = None) -> Table:
        """Return the table that a user's command is about.

        That is the table they name; else the one of this game in this channel where they sit; else their only one of
        this game. One being played goes before a lobby. Raises `NoSuchTable` or `AmbiguousTable`.
        """
        game = self._game(game_key)
        if ref and ref.strip():
            table = await self.find(ref, viewer)
            if table.game != game_key:
                raise NoSuchTable(f"Table {table.name} plays {self._game(table.game).title}, not {game.title}.")
            return table
        own = await self.tables_of(viewer.user_id, game_key) if viewer.user_id else ()
        if not own:
            raise NoSuchTable(f"You sit at no table of {game.title}; open one, or join one.")
        here = (channel_id and viewer.user_id and await self.tables_of(viewer.user_id, game_key, channel_id)) or own
        fitting = [table for table in here if table.status == "playing"] or here
        if len(fitting) > 1:
            raise AmbiguousTable(
                f"You sit at several tables of {game.title}. Say which, with the option `table`.",
                tuple(table.id for table in fitting),
            )
        return fitting[0]

    async def tables_of(
        self, user_id: int, game_key: str | None = None, channel_id: int | None = None
    ) -> tuple[Table, ...]:
        """The first `LISTED` open tables where the user sits: those that wait for him first, of these the longest
        waiting first. Only those of a game or in a channel, if given.
        """
        seats = await self.lists.seats(user_id, game_key, channel_id, LISTED)
        return tuple(seat.table for seat in seats)

    async def tables_in(self, channel_id: int, game_key: str | None = None) -> tuple[Table, ...]:
        """The first `LISTED` open tables whose board is in the channel, by number; only those of a game, if given."""
        return await self.lists.in_channel(channel_id, game_key, LISTED)

    async def fill_in_turns(self) -> None:
        """Records whose turn it is at tables that an older version of the program wrote."""
        await self._ledger.fill_in_turns()

    async def check_quotas(self, host: Person, place: Place) -> None:
        """Raises `TooManyTables` if the host couldn't open a table there now."""
        if self._quotas is not None:
            await self._store.check(self._quotas, host.id, place)

    async def open_tables(self) -> tuple[Table, ...]:
        """Every open table, by number."""
        return await self._store.open_tables()

    async def open_counts(self) -> Mapping[tuple[str, str], int]:
        """How many open tables there are of each game and status."""
        return await self._store.open_counts()

    async def open_numbers(self) -> tuple[int, ...]:
        """The number of every open table, the one changed last first."""
        return await self._store.open_numbers()

    async def tables_with_computers(self) -> tuple[int, ...]:
        """The numbers of the tables being played where a computer has a seat."""
        return await self._store.tables_with_computers()

    async def taken_back(self, table_id: int) -> tuple[TakenBack, ...]:
        """The entries of the table that stand no more, in the order of their going: what, whose, by whom and when."""
        return await self._store.taken_back(table_id)

    # ---- servers

    async def server(self, guild_id: int) -> Server:
        """What the moderators of the server have set; the defaults if nothing is."""
        return await self._store.server(guild_id)

    async def set_server(self, server: Server) -> None:
        """Keeps what the moderators of a server have set."""
        await self._store.set_server(server)

    # ---- messages and users

    async def claim(self, interaction_id: int) -> None:
        """Takes up an interaction that changes more than one version of a table allows. Raises `Claimed` if another
        process has done so: Discord tells all of them.
        """
        if not await self._store.claim(interaction_id):
            raise Claimed("Another process of the bot does this already.")

    async def dm_closed(self, user_id: int) -> bool:
        """Whether direct messages failed to reach the user, so that his hand comes by button."""
        return await self._store.dm_closed(user_id)

    async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
        """Remembers whether direct messages reach the user."""
        await self._store.set_dm_closed(user_id, closed=closed)

    async def habits(self, user_id: int) -> Habits:
        """When the user wants to be pinged."""
        return await self._store.habits(user_id)

    async def set_habits(self, user_id: int, habits: Habits) -> None:
        """Remembers when the user wants to be pinged."""
        await self._store.set_habits(user_id, habits)

    async def last_move(self, table_id: int, user_id: int) -> float | None:
        """When the user last moved at the table, ``None`` if he never did."""
        return await self._store.last_move(table_id, user_id)

    async def last_ping(self, table_id: int, user_id: int) -> float | None:
        """When the user was last pinged at the table, ``None`` if never."""
        return await self._store.last_ping(table_id, user_id)

    async def record_pings(self, table_id: int, users: Collection[int], at: float) -> None:
        """Remember that these users were pinged at the table."""
        await self._store.record_pings(table_id, users, at)

    # ----

    def _game(self, key: str) -> AnyGame:
        game = self._games.get(key)
        if game is None:
            raise InvalidOption(f"There is no game {key!r}; there are {', '.join(self._games)}.")
        return game

    async def _to_act(self, table: Table) -> tuple[Sitter, ...]:
        to_act = await self._ledger.to_act(table)
        return tuple(sitter for sitter in table.sitters if sitter.seat in to_act)

    def _sight(self, table: Table, now: Fold, seat: Seat | None) -> Sight:
        may_undo = seat is not None and now.free == seat and table.status == "playing"
        return Sight(table, now.observation(self._ledger.rulebook(table), seat), now.events, may_undo)

    async def _named(self, draft: Table, seed: bytes) -> Table:
        for _ in range(_NAME_TRIES):
            name = table_name(await self._store.open_names(), int.from_bytes(self._entropy(4), "big"))
            try:
                return await self._store.open_table(replace(draft, name=name), seed, self._quotas)
            except Conflict:
                continue
        raise Conflict("Too many tables are being opened at once; try again in a moment.")
