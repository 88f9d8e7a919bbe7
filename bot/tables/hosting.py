"""What hosts decide about their lobbies: computers and their levels, hints, invitations, the search for players."""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec.structs import replace

from bot.errors import Conflict, InvalidOption, NotAllowed, Stale, Text
from bot.games.game import Seat
from bot.records.quota import Deed, Quotas, Use
from bot.records.table import HINTS, LEVELS, Change, Guest, Person, Receipt, Sitter, Table
from bot.store.former_players import how_gone, readmitted
from bot.store.store import Store
from bot.tables.finding import MAX_CHOICES
from bot.tables.ledger import MOVED_ON, Ledger
from bot.tables.random_names import computer_name
from bot.tables.seating import free_seats, need_host, need_lobby, need_lobby_host, seated


class Computers:
    """Lets hosts add computers to their lobbies."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def add(self, table_id: int, user_id: int, level: str | None = None, *, fill: bool = False) -> Receipt:
        """Give the last free seat to a computer, or all free seats if ``fill``, for the host.

        Without a ``level``, it plays at the table's own, which is the one chosen last. Raises `InvalidOption`.
        """
        settled = None if level is None else settle_level(level)
        return await self._ledger.update(table_id, _added, user_id, settled, fill=fill)

    async def set_level(self, table_id: int, user_id: int, level: str) -> Receipt:
        """Let all computers of the lobby play at a level, for the host. Raises `InvalidOption`."""
        settled = settle_level(level)
        return await self._ledger.update(table_id, _set_level, user_id, settled)


def settle_level(level: str) -> str:
    """Return the level. Raises `InvalidOption` if there is no such level."""
    if level not in LEVELS:
        raise InvalidOption(
            "Computers have no level {level}. Choose one of these: {levels}.",
            level=repr(level),
            levels=", ".join(LEVELS),
        )
    return level


def first_sitters(host: Person, levels: Sequence[str], seats: int) -> tuple[Sitter, ...]:
    """Return the host on seat 0 and computers of these levels on the last seats."""
    return with_computers([Sitter(0, host.name, host.id)], dict(enumerate(levels, seats - len(levels))))


def with_computers(sitters: Sequence[Sitter], levels: Mapping[Seat, str]) -> tuple[Sitter, ...]:
    """Return the sitters with computers of these levels on more seats, in the order of the seats."""
    for seat, level in levels.items():
        sitters = (*sitters, Sitter(seat, computer_name(sitters), None, level=level))
    return tuple(sorted(sitters, key=lambda sitter: sitter.seat))


def _added(table: Table, user_id: int, level: str | None, *, fill: bool) -> Table:
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can add computers."))
    free, level = free_seats(table), level or table.level
    sitters = with_computers(table.sitters, dict.fromkeys(free if fill else free[-1:], level))
    return replace(table, sitters=sitters, level=level, opening=None)


def _set_level(table: Table, user_id: int, level: str) -> Table:
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can change how computers play."))
    sitters = [replace(sitter, level=level) if sitter.is_computer else sitter for sitter in table.sitters]
    return replace(table, sitters=tuple(sitters), level=level, opening=None)


class Hints:
    """Lets hosts allow hints, and notes hints for the transcript."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger

    async def allow(self, table_id: int, user_id: int, hints: str) -> Receipt:
        """Set whether players may ask for hints, for the host of the lobby. Raises `InvalidOption`."""
        if hints not in HINTS:
            raise InvalidOption(
                "Hints can't be {value}. Choose one of these: {values}.", value=repr(hints), values=", ".join(HINTS)
            )
        return await self._ledger.update(table_id, _allow, user_id, hints)

    async def object(self, table_id: int, user_id: int) -> Receipt:
        """Let there be no hints at the table, for any player of the lobby."""
        return await self._ledger.update(table_id, _object, user_id)

    async def note(self, table_id: int, user_id: int, seen: int) -> None:
        """Note that a hint is shown to the user, about this version of the table. Raises `Stale` if it has moved on."""
        table, folded = await self._ledger.folded(table_id)
        seat = seated(table, user_id).seat
        if table.status != "playing" or not folded.is_fresh(seen, seat):
            raise Stale(MOVED_ON)
        try:
            await self._store.note_hint(table, len(folded.entries), seat)
        except Conflict:  # somebody has moved just now, perhaps at the same time as the user may (G-02)
            await self.note(table_id, user_id, seen)

    async def holds(self, table_id: int, user_id: int, seen: int) -> bool:
        """Whether a hint about this version still holds: others may have moved at the same time (G-02)."""
        table = await self._ledger.table(table_id)
        if table.status != "playing" or table.sitter(user_id) is None:
            return False
        table, folded = await self._ledger.fold(table)
        return folded.is_fresh(seen, seated(table, user_id).seat)


def _object(table: Table, user_id: int) -> Table:
    seated(table, user_id)
    need_lobby(table)
    return replace(table, hints="off")


def _allow(table: Table, user_id: int, hints: str) -> Table:
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can change the options."))
    return replace(table, hints=hints)


def allows_hints(table: Table, user_id: int) -> bool:
    """Whether a player may ask for hints at the table."""
    others = [sitter for sitter in table.sitters if sitter.user_id != user_id]
    is_alone = all(sitter.is_computer and sitter.held_for is None for sitter in others)
    return table.hints == "on" or (table.hints == "auto" and (is_alone or user_id in learners(table)))


def learners(table: Table) -> tuple[int, ...]:
    """Return the users who may ask for hints as it's one of their first games, unless somebody has objected."""
    return tuple(each.user_id for each in table.sitters if each.user_id and each.nth_game and table.hints == "auto")


def check_allowed(table: Table, user_id: int) -> None:
    """Raise an error unless the user may ask for hints at the table."""
    if table.hints == "off":
        raise NotAllowed("There are no hints at Table {name}.", name=table.name)
    if not allows_hints(table, user_id):
        raise NotAllowed(
            "Hints are off in games between people. The host can turn them on under **Options** in the lobby."
        )


class Guests:
    """Lets hosts choose who may join their tables."""

    def __init__(self, store: Store, ledger: Ledger, now: Callable[[], float], quotas: Quotas) -> None:
        self._store = store
        self._ledger = ledger
        self._now = now
        self._quotas = quotas

    async def invite(
        self, table_id: int, user_id: int, invited: Collection[int], *, are_called: bool = True
    ) -> Receipt:
        """Let only these users join, for the host; with none, anybody may join. In play, for seats that are offered.

        ``are_called``: whether those who weren't invited to the lobby before get a ping, once an hour from each host.
        """

        async def change(table: Table) -> Change:
            after = invite(table, user_id, invited, are_called=are_called)
            return Change(after, uses=self._uses("invite", table, len(set(after.invited).difference(table.invited))))

        return await self._ledger.change(table_id, change)

    async def look(self, table_id: int, user_id: int) -> Receipt:
        """Let everybody know that the lobby needs players, for the host; once a table."""

        async def change(table: Table) -> Change:
            return Change(look(table, user_id, self._now()), uses=self._uses("look", table))

        return await self._ledger.change(table_id, change)

    async def may_mention(self, table: Table, role_id: int) -> bool:
        """Return whether a lobby that looks for players may mention a role: no other did so within an hour before."""
        key = ("role", table.place.guild_id, role_id)
        return await self._store.holder(key, table.looked_at or 0.0, table.id) == table.id

    def _uses(self, what: Deed, table: Table, times: int = 1) -> tuple[Use, ...]:
        """Return what is counted if the host does this."""
        return self._quotas.uses(what, table.host_id, table.place.guild_id, times) if times else ()


def look(table: Table, user_id: int, at: float) -> Table:
    """Note that the host looks for players."""
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can look for players."))
    if table.is_full:
        raise NotAllowed("Table {name} is full.", name=table.name)
    if table.invited_only or table.place.guild_id is None:
        raise NotAllowed("This table is for invited players.")
    if table.looked_at is not None:
        raise NotAllowed("You've already looked for players for Table {name}.", name=table.name)
    return replace(table, looked_at=at)


def _guests(table: Table, invited: Collection[int], *, are_called: bool) -> tuple[Guest, ...]:
    """Return the guests of a table once only these users are invited."""
    before = {guest.user_id: guest for guest in table.guests}
    guests = [
        replace(before[user], is_invited=True)
        if user in before
        else Guest(user, is_invited=True, is_called=are_called and table.sitter(user) is None)
        for user in invited
    ]
    guests += [guest for guest in table.guests if guest.user_id not in invited and not guest.is_invited]
    return tuple(sorted(guests, key=lambda guest: guest.user_id))


def invite(table: Table, user_id: int, invited: Collection[int], *, are_called: bool = True) -> Table:
    """Replace the invited users of a table, for its host.

    They may join a lobby even if they were removed before. In play, nobody comes back, and nobody is pinged.
    """
    need_host(table, user_id, Text("Only the host of Table {name} can invite players."))
    others = [user for user in dict.fromkeys(invited) if user != user_id]
    if len(others) > MAX_CHOICES:
        raise NotAllowed("You can invite at most {most} players.", most=MAX_CHOICES)
    for user in others:
        if table.status == "playing" and how_gone(table, user):
            raise NotAllowed("<@{user}> has left Table {name} and can't come back.", user=user, name=table.name)
    are_called = are_called and table.status == "lobby"
    return replace(
        table,
        guests=_guests(table, others, are_called=are_called),
        invited_only=bool(others),
        former=readmitted(table, others),
    )
