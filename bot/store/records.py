"""Stored records as values: tables, their seats, the messages that show them, users, servers."""

from collections.abc import Container, Mapping
from enum import StrEnum
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from bot.games.game import Actor, Ended, Entry, Outcome, Seat, Value

Status = Literal["lobby", "playing", "over", "closed"]
"""``closed``: ended before the game was over, or never started."""

_ENDED: Final[Mapping[str, Ended]] = {
    "agreed": "agreed",
    "host": "closed",
    "idle": "abandoned",
    "left": "abandoned",
    "rules": "abandoned",
}
"""By the stored reason of a closing. A lobby that closes has none: it never started."""


LEVELS: Final = ("easy", "fair", "strong")
"""The levels of computers. A game may lack some of them."""


HINTS: Final = ("auto", "on", "off")
"""Whether players may ask for hints: ``auto`` is for those who play against computers alone."""


class Person(msgspec.Struct, frozen=True):
    """A Discord user, as far as tables know them."""

    id: int
    name: str


class Place(msgspec.Struct, frozen=True):
    """The place of a table's board. ``guild_id`` is ``None`` in a direct message."""

    guild_id: int | None
    channel_id: int


class Sitter(msgspec.Struct, frozen=True):
    """The user or, if ``user_id`` is ``None``, the computer on a seat.

    Parameters
    ----------
    cut: The player's text in the key of the deals.
    started_as: The name with which the seat started, if its player or their name has changed since. Transcripts show it
        (G-10).
    started_by: The user with that name.
    held_for: The absent user for whom a computer keeps the seat.
    offered: Whether anybody may take the seat, as its user is absent.
    level: How a computer on this seat plays: one of `LEVELS`. For users it has no meaning.
    after_removal: Whether a computer has this seat as its player was removed in play.
    """

    seat: Seat
    name: str
    user_id: int | None
    cut: str = ""
    started_as: str | None = None
    held_for: int | None = None
    offered: bool = False
    started_by: int | None = None
    level: str = "fair"
    after_removal: bool = False

    @property
    def player_id(self) -> int | None:
        """The user who plays on this seat, or for whom a computer keeps it."""
        return self.user_id or self.held_for

    @property
    def began(self) -> tuple[str, int | None]:
        """The name with which the seat started, and the user of that name."""
        return (self.name, self.user_id) if self.started_as is None else (self.started_as, self.started_by)

    @property
    def is_computer(self) -> bool:
        """Whether a computer has this seat."""
        return self.user_id is None


class Guest(msgspec.Struct, frozen=True):
    """A user asked to join a lobby.

    Parameters
    ----------
    is_invited: Whether the host has named them. If they have named anybody, nobody else can join.
    is_called: Whether they get a ping, as they haven't joined yet.
    """

    user_id: int
    is_invited: bool = False
    is_called: bool = True


class Table(msgspec.Struct, frozen=True):
    """One game that is opened, played and ended, without its state.

    Times are seconds since 1970.

    Parameters
    ----------
    version: Grows with every change, also in the lobby.
    sitters: In the order of the seats. Free seats are missing.
    seed: ``None`` until the table has ended.
    rules: The number of the game's rules when the table was opened.
    undone_at: The version at which entries were last taken back, or 0.
    clock: A key of `bot.tables.absence.deadlines.CLOCKS`.
    why: The reason why the table was closed, if there was one.
    guests: The users asked to join, while it is a lobby.
    looked_at: When the host looked for players, if ever.
    level: How computers play that are added next, or that play for absent users.
    hints: Whether players may ask for hints: one of `HINTS`.
    invited_only: Whether only invited users can take a seat, besides the host, even if none of them is left.
    number: Its number for people: among the tables of its server, or of its channel in direct messages.
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
    guests: tuple[Guest, ...] = ()
    looked_at: float | None = None
    level: str = "fair"
    hints: str = "auto"
    invited_only: bool = False
    number: int = 0

    @property
    def tag(self) -> str:
        """A mark of the table that another one with its number, after a restore, doesn't have."""
        return str(int(self.opened_at * 1000) % 10**6)

    @property
    def key(self) -> str:
        """The number, the tag, and where the table is numbered, for buttons. See `bot.ui.posts.custom_id`."""
        scope = self.place.channel_id if self.place.guild_id is None else self.place.guild_id
        return f"{self.number}-{self.tag}-{scope:x}"

    def sitter(self, user_id: int) -> Sitter | None:
        """Return the user's seat, if they have one."""
        return next((sitter for sitter in self.sitters if sitter.user_id == user_id), None)

    def sitter_at(self, seat: Seat) -> Sitter | None:
        """Return the player on the seat, if there is one."""
        for sitter in self.sitters:
            if sitter.seat == seat:
                return sitter
        return None

    def users_at(self, seats: Container[Actor]) -> tuple[int, ...]:
        """Return the users on these seats, in the order of the seats."""
        return tuple(each.user_id for each in self.sitters if each.seat in seats and each.user_id is not None)

    @property
    def invited(self) -> tuple[int, ...]:
        """The users whom the host has invited to the lobby."""
        return tuple(guest.user_id for guest in self.guests if guest.is_invited)

    @property
    def names(self) -> tuple[str, ...]:
        """The names with which the seats started, for the transcript (G-10)."""
        return tuple(sitter.started_as or sitter.name for sitter in self.sitters)

    @property
    def cuts(self) -> tuple[str, ...]:
        """The cut of each seat, or an empty text (G-12)."""
        return tuple(sitter.cut for sitter in self.sitters)

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.sitters) == self.seats

    @property
    def ended(self) -> Ended | None:
        """The reason for ending the table before the game was over; ``None`` if it didn't, or never started."""
        return _ENDED.get(self.why or "") if self.status == "closed" else None

    @property
    def has_ended(self) -> bool:
        """Whether the game has started and ended, so that its seed and cards are no longer secret."""
        return self.status == "over" or self.ended is not None

    @property
    def is_open(self) -> bool:
        """Whether the table is a lobby or in play."""
        return self.status in {"lobby", "playing"}


class Changes(msgspec.Struct, frozen=True):
    """The changes that an append makes in addition to the log. ``None`` means no change.

    Parameters
    ----------
    at: When it happens; the ledger sets this.
    by_user: The user who made or took back the move; ``None`` for computers.
    sitters: All players after the change.
    taken_back: How many entries to remove from the end of the log.
    why: The reason of a closing.
    rules: Those of a lobby that starts under newer rules than it was opened under.
    options, seats, clock, level, hints, invited_only: Those that the host has changed in the lobby.
    to_act: The seats that owe a move afterwards.
    removed: The user who was removed from the lobby or the game.
    guests: The users asked to join, in place of the former ones. Invited users may join even if they were removed.
    is_looking: Whether the host looks for players now.
    stand_in: The name of the computer that makes the move for an absent user.
    ground: What the change rests on, as `bot.store.waits.ground_of` returned it; else it isn't made.
    """

    at: float = 0.0
    by_user: int | None = None
    status: Status | None = None
    host_id: int | None = None
    sitters: tuple[Sitter, ...] | None = None
    outcome: Outcome | None = None
    taken_back: int = 0
    why: str | None = None
    rules: int | None = None
    options: Mapping[str, Value] | None = None
    seats: int | None = None
    clock: str | None = None
    to_act: frozenset[Seat] | None = None
    removed: int | None = None
    guests: tuple[Guest, ...] | None = None
    is_looking: bool = False
    level: str | None = None
    hints: str | None = None
    invited_only: bool | None = None
    stand_in: str | None = None
    ground: tuple[object, ...] | None = None

    @property
    def is_move(self) -> bool:
        """Whether nothing changes but the log and the turn."""
        return self == Changes(at=self.at, by_user=self.by_user, to_act=self.to_act, stand_in=self.stand_in)


class OpenSeat(msgspec.Struct, frozen=True):
    """An open table where a user has a seat, and whether it waits for their move."""

    table: Table
    is_waiting: bool


class Quotas(msgspec.Struct, frozen=True):
    """The maximum numbers of open tables of a host, in a channel and on a server."""

    host: int
    channel: int
    server: int


class Log(msgspec.Struct, frozen=True):
    """A table and all its entries, from one snapshot.

    ``stand_ins`` are the names of computers that made moves for absent users, by the number of the entry. ``hints`` are
    the hints that were shown, each as the number of the entry that was next, and the seat.
    """

    table: Table
    entries: tuple[Entry, ...]
    stand_ins: Mapping[int, str] = {}
    hints: tuple[tuple[int, Seat], ...] = ()


class TakenBack(msgspec.Struct, frozen=True):
    """An entry that was taken back.

    Parameters
    ----------
    undone_at: The version of the table after that.
    by_user: The user who made the move; ``None`` for computers and chance.
    taken_by: The user who asked for the undo.
    """

    undone_at: int
    ply: int
    entry: Entry
    by_user: int | None
    taken_by: int
    taken_at: float


class UndoAnswers(msgspec.Struct, frozen=True):
    """The answers to a question for an undo. ``agreed`` are the users who agree, the asker among them."""

    agreed: frozenset[int] = frozenset()
    is_refused: bool = False
    is_withdrawn: bool = False


class Wait(msgspec.Struct, frozen=True):
    """The waiting time of a table at its version, and the measures taken since.

    Parameters
    ----------
    since: When the wait started.
    away_s: How long the program was away since then.
    steps: How many steps (reminders and so on) have been taken.
    votes: The remedy that each user voted for.
    """

    since: float
    away_s: float
    steps: int
    votes: Mapping[int, str]


class Kind(StrEnum):
    """The kind of a message: the board, one player's hand, a ping, a player's question, or a deal's score."""

    BOARD = "board"
    HAND = "hand"
    PING = "ping"
    QUESTION = "question"
    SCORE = "score"


Slot = tuple[Kind, int | None, int | None]
"""A table has at most one live message of each slot: the kind, the user, and for scores the deal."""


def slot_of(kind: Kind, user_id: int | None = None, deal: int | None = None) -> Slot:
    """Return the slot of a message. A new hand replaces the hand of the last deal, while scores stay."""
    return kind, user_id, deal if kind is Kind.SCORE else None


class Stage(StrEnum):
    """The stage of a message in its life.

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
    user_id: The user whose hand or question it is; ``None`` for boards and pings.
    message_id: ``None`` until Discord has answered.
    nonce: Marks the message on Discord: its nonce, and the component id of its outermost component.
    version: The version of the table that it shows.
    content: A digest of what it shows; ``None`` if that is unknown, so that it is edited again.
    deal: The deal that a hand or a score belongs to.
    notified: The users that it has notified of their turn.
    reminders: How many reminders the table had had by then: later ones are for these users, too. ``None`` is as many as
        it has had when the message is stored.
    picture: The name of the file of its picture; ``None`` if it has none.
    attachment_id: Discord's id of that file, by which an edit keeps it.
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
    reminders: int | None = None
    message_id: int | None = None
    stage: Stage = Stage.NOTED
    picture: str | None = None
    attachment_id: int | None = None
    id: int = 0

    @property
    def slot(self) -> Slot:
        """The slot of the message: it replaces the live one there."""
        return slot_of(self.kind, self.user_id, self.deal)

    @property
    def sent_id(self) -> int:
        """`message_id`, or 0 before there is one. Later messages have higher ones."""
        return self.message_id or 0

    @property
    def is_restored(self) -> bool:
        """Whether its record comes from a restored database: it may show lost moves, above messages that are lost."""
        return self.posted_at == 0

    def with_unknown_content(self) -> "LiveMessage":
        """Return the record of a message that several edits may have reached, in any order."""
        return replace(self, content=None, picture=None, attachment_id=None)
