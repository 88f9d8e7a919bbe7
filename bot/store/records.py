"""What the database keeps, as values: tables, who sits at them, the messages that show them, users."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from bot.games.game import Ended, Entry, Outcome, Seat, Value

Status = Literal["lobby", "playing", "over", "closed"]
"""``closed``: given up before the end, by the host or because nobody came."""

_ENDED: Final[Mapping[str, Ended]] = {
    "agreed": "agreed",
    "host": "closed",
    "idle": "abandoned",
    "left": "abandoned",
    "rules": "abandoned",
}
"""From the stored reason of a closing. A lobby that closes has none: it never began."""


class Person(msgspec.Struct, frozen=True):
    """A Discord user as far as the tables know him."""

    id: int
    name: str


class Place(msgspec.Struct, frozen=True):
    """Where a table's board lives. ``guild_id`` is ``None`` in a direct message."""

    guild_id: int | None
    channel_id: int


class Sitter(msgspec.Struct, frozen=True):
    """Who has a seat: a user, or (``user_id`` is ``None``) a computer.

    ``started_as`` is the name under which the seat began, if a computer has taken it over since (from the user
    ``started_by``); it stays in
    transcripts (G-10), as the cut stays in the key of the deal. ``held_for`` is the user who finds his seat again
    when he comes back, as a computer only keeps it for him; ``offered``: anybody may take the seat of its absent user.
    """

    seat: Seat
    name: str
    user_id: int | None
    cut: str = ""
    started_as: str | None = None
    held_for: int | None = None
    offered: bool = False
    started_by: int | None = None

    @property
    def began(self) -> tuple[str, int | None]:
        """The name under which the seat began, and the user whose name that is."""
        return (self.name, self.user_id) if self.started_as is None else (self.started_as, self.started_by)

    @property
    def is_computer(self) -> bool:
        """Whether a computer plays this seat."""
        return self.user_id is None


class Table(msgspec.Struct, frozen=True):
    """One instance of play, without its state and without its seed.

    ``version`` grows with every change, also those of the lobby. ``seed`` is ``None`` until the table has ended.
    ``sitters`` are in the order of the seats; in the lobby free seats are missing. ``rules`` is the number of the
    game's rules when the table was opened. Times are seconds since 1970. ``undone_at`` is the version at which entries
    were taken back last, 0 if never. ``clock`` says how long a move may take (`bot.tables.absence.CLOCKS`); ``why`` is
    the reason of a closing, where one was given.
    """

    id: int
    name: str
    game: str
    options: Mapping[str, Value]
    seats: int
    status: Status
    version: int
    host_id: int
    place: Place
    sitters: tuple[Sitter, ...]
    commitment: str
    seed: str | None
    outcome: Outcome | None
    opened_at: float
    changed_at: float
    rules: int = 1
    undone_at: int = 0
    clock: str = "none"
    rematch_of: int | None = None
    why: str | None = None

    def sitter(self, user_id: int) -> Sitter | None:
        """The user's place at the table, if he has one."""
        return next((sitter for sitter in self.sitters if sitter.user_id == user_id), None)

    def sitter_at(self, seat: Seat) -> Sitter | None:
        """Who sits on the seat, if anybody."""
        for sitter in self.sitters:
            if sitter.seat == seat:
                return sitter
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which the seats began, for the transcript (G-10)."""
        return tuple(sitter.started_as or sitter.name for sitter in self.sitters)

    @property
    def cuts(self) -> tuple[str, ...]:
        """The cut of each seat, an absent one empty (G-12)."""
        return tuple(sitter.cut for sitter in self.sitters)

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.sitters) == self.seats

    @property
    def ended(self) -> Ended | None:
        """How the table ended outside the rules; ``None`` if it didn't, or had never begun."""
        return _ENDED.get(self.why or "") if self.status == "closed" else None

    @property
    def has_ended(self) -> bool:
        """Whether play has begun and won't go on, so that the seed and all cards are no secret any more."""
        return self.status == "over" or self.ended is not None

    @property
    def is_open(self) -> bool:
        """Whether the table is in its lobby or being played."""
        return self.status in {"lobby", "playing"}


class Changes(msgspec.Struct, frozen=True):
    """When an append happens, who caused it, and what it changes beside the log; ``None`` leaves that as it is.

    ``sitters`` are always all of them; ``why`` goes with a closing. ``by_user`` is ``None`` where a computer plays;
    chance is nobody's.
    ``rules`` and ``options`` are those of a lobby that starts under newer rules than it was opened under.
    ``taken_back`` is how many of the last entries leave the log; the user who asked for that is ``by_user``.
    ``to_act`` are the seats that owe a move afterwards. ``removed`` is the user whom the host removed from the lobby.
    """

    at: float
    by_user: int | None = None
    status: Status | None = None
    host_id: int | None = None
    sitters: tuple[Sitter, ...] | None = None
    outcome: Outcome | None = None
    taken_back: int = 0
    why: str | None = None
    rules: int | None = None
    options: Mapping[str, Value] | None = None
    to_act: frozenset[Seat] | None = None
    removed: int | None = None

    def made_to(self, table: Table, version: int) -> Table:
        """The table after this change, at ``version``; its seed stays as it was."""
        return replace(
            table,
            version=version,
            changed_at=self.at,
            status=self.status or table.status,
            host_id=self.host_id or table.host_id,
            sitters=table.sitters if self.sitters is None else self.sitters,
            outcome=self.outcome or table.outcome,
            why=self.why or table.why,
            rules=self.rules or table.rules,
            options=self.options or table.options,
            undone_at=version if self.taken_back else table.undone_at,
        )


class OpenSeat(msgspec.Struct, frozen=True):
    """An open table where a user has a seat, and whether it waits for the user to move."""

    table: Table
    is_waiting: bool


class Quotas(msgspec.Struct, frozen=True):
    """The maximum number of open tables of a host, in a channel and on a server."""

    host: int
    channel: int
    server: int


class Log(msgspec.Struct, frozen=True):
    """A table and all its entries, read at one moment."""

    table: Table
    entries: tuple[Entry, ...]


class TakenBack(msgspec.Struct, frozen=True):
    """An entry that stands no more: what it was, who wrote it, who took it back (after asking, if need be) and when.

    ``undone_at`` is the version of the table from which it was gone; ``by_user`` is ``None`` for computers and chance.
    """

    undone_at: int
    ply: int
    entry: Entry
    by_user: int | None
    taken_by: int
    taken_at: float


class Wait(msgspec.Struct, frozen=True):
    """How far the waiting at a table has come at its present version.

    ``since`` is when it began to count, ``away_s`` how long the program was away meanwhile, ``steps`` how many of its
    steps (reminders and so on) are done, ``votes`` what each user wants done about who is absent.
    """

    since: float
    away_s: float
    steps: int
    votes: Mapping[int, str]


class Habits(msgspec.Struct, frozen=True):
    """When a user wants to be pinged. ``quiet`` is from when until when he does not, in minutes of his own day, which
    is ``utc_offset`` minutes ahead of UTC.
    """

    pings: bool = True
    quiet: tuple[int, int] | None = None
    utc_offset: int = 0


class Server(msgspec.Struct, frozen=True):
    """What the moderators of a server have set.

    Tables may be opened in ``channels`` (everywhere if there are none) by members with the role ``role_id`` (by
    everybody without one), have a thread of their own if ``threads``, and this ``clock`` unless another is chosen.
    """

    guild_id: int
    channels: tuple[int, ...] = ()
    threads: bool = False
    role_id: int | None = None
    clock: str = "none"


class Kind(StrEnum):
    """What a message shows: the table's board, one player's hand, whose turn it is, or a player's question."""

    BOARD = "board"
    HAND = "hand"
    PING = "ping"
    QUESTION = "question"


class Stage(StrEnum):
    """Where a message is in its life.

    ``NOTED``: about to be posted; perhaps posted, with the answer lost. ``LIVE``: shows the table and is kept up to
    date. ``RETIRING``: replaced by another one, and still to be removed.
    """

    NOTED = "noted"
    LIVE = "live"
    RETIRING = "retiring"


class LiveMessage(msgspec.Struct, frozen=True):
    """A message on Discord that shows a table, or is about to.

    Parameters
    ----------
    id: The number of its row; 0 before it is stored.
    user_id: Whose hand it is or who asks the question; ``None`` for boards and pings.
    message_id: ``None`` until Discord has answered.
    nonce: Marks the message on Discord: its nonce, and the component id of its outermost component.
    version: The version of the table that it shows.
    content: A digest of what it shows; ``None`` where that is uncertain, so that it is edited again.
    deal: The deal that a hand belongs to.
    notified: The users whom it has told that it's their turn.
    """

    table_id: int
    kind: Kind
    user_id: int | None
    channel_id: int
    nonce: int
    version: int
    posted_at: float
    content: str | None = None
    deal: int | None = None
    notified: tuple[int, ...] = ()
    message_id: int | None = None
    stage: Stage = Stage.NOTED
    id: int = 0

    @property
    def slot(self) -> tuple[Kind, int | None]:
        """A table has at most one live message of each slot."""
        return self.kind, self.user_id
