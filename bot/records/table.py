"""Tables as values: their seats, players and logs, and changes of them."""

from collections.abc import Container, Mapping, Sequence
from typing import Final, Literal

import msgspec

from bot.games.game import Actor, Ended, Entry, Outcome, Seat, Value
from bot.ratings import Counted, Result
from bot.records.beginner import Opening
from bot.records.quota import Use

Status = Literal["lobby", "playing", "over", "closed"]
"""``closed``: ended before the game was over, or never started."""

_ENDED: Final[Mapping[str, Ended]] = {
    "agreed": "agreed",
    "counted": "counted",
    "event": "closed",
    "host": "closed",
    "idle": "abandoned",
    "left": "abandoned",
    "moderator": "closed",
    "rules": "abandoned",
}
"""By the stored reason of a closing. A lobby that closes has none: it never started."""

LEVELS: Final = ("easy", "fair", "strong")
"""The levels of computers. A game may lack some of them."""
DEFAULT_LEVEL: Final = "fair"
DEFAULT_CLOCK: Final = "none"
"""What tables have where neither their host nor their server wants another one."""

HINTS: Final = ("auto", "on", "off")
"""Whether players may ask for hints: ``auto`` is for those who play against computers alone."""

LEARNED_AFTER: Final = 2
"""How many games of a kind a user may ask for hints in, unless a player of the table objects."""


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
    held_for: The absent user whose seat a computer keeps.
    stepped_out: Whether that user has let the computer play for them.
    offered: Whether anybody may take the seat, as its user is absent.
    level: How a computer on this seat plays: one of `LEVELS`. For users it has no meaning.
    after_removal: Whether a computer has this seat as its player was removed in play.
    nth_game: Which game of this kind it is for the user, if it is one of the first `LEARNED_AFTER`; else 0.
    """

    seat: Seat
    name: str
    user_id: int | None
    cut: str = ""
    started_as: str | None = None
    held_for: int | None = None
    offered: bool = False
    started_by: int | None = None
    level: str = DEFAULT_LEVEL
    after_removal: bool = False
    nth_game: int = 0
    stepped_out: bool = False

    @property
    def player_id(self) -> int | None:
        """The user who plays on this seat, or whose seat a computer keeps."""
        return self.user_id or self.held_for

    @property
    def began(self) -> tuple[str, int | None]:
        """The name with which the seat started, and the user of that name."""
        return (self.name, self.user_id) if self.started_as is None else (self.started_as, self.started_by)

    @property
    def is_computer(self) -> bool:
        """Whether a computer has this seat."""
        return self.user_id is None

    @property
    def is_given_up(self) -> bool:
        """Whether a computer has this seat for good, as its player resigned."""
        return self.player_id is None and self.started_by is not None and not self.after_removal

    def taken_by(self, person: Person) -> "Sitter":
        """Return the seat with the person on it. Transcripts keep the name with which it started (G-10)."""
        began_as, began_by = self.began
        nth_game = self.nth_game if self.player_id == person.id else 0
        if began_as == person.name:
            return Sitter(self.seat, person.name, person.id, self.cut, nth_game=nth_game)
        return Sitter(self.seat, person.name, person.id, self.cut, began_as, started_by=began_by, nth_game=nth_game)

    @property
    def given_back(self) -> "Sitter":
        """The seat after its user has come back. A substitute is `nameless` until they move."""
        if self.held_for is None:
            return self
        name, began_by = self.began
        return self.taken_by(Person(self.held_for, name if self.held_for == began_by else self.nameless))

    @property
    def nameless(self) -> str:
        """What stands for a name that isn't stored: ``Player 3`` on the third seat."""
        return f"Player {self.seat + 1}"


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


class FormerPlayers(msgspec.Struct, frozen=True):
    """Users who can't take a seat at a table any more: see `bot.store.former_players`.

    Parameters
    ----------
    removed: Users who were removed by the host or a moderator.
    salt: The salt of the hashes, in hex; empty until there are any.
    left: Hashes of the users who have left a seat in play.
    forgotten: Hashes of removed users who have deleted their data.
    """

    removed: tuple[int, ...] = ()
    salt: str = ""
    left: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True):
    """One game that is opened, played and ended, without its state.

    Times are seconds since 1970. A new field has a default, for the tables from before, and a migration, so that no
    older program runs at the same time: that would drop the field. A comment is enough as its script.

    Parameters
    ----------
    version: Grows with every change, also in the lobby.
    sitters: In the order of the seats. Free seats are missing.
    seed: ``None`` until the table has ended, and its event has closed.
    rules: The number of the game's rules when the table was opened.
    undone_at: The version at which entries were last taken back, or 0.
    clock: A key of `bot.tables.absence.deadlines.CLOCKS`.
    why: The reason why the table was closed, if there was one.
    guests: The users asked to join, while it is a lobby. In play those stay who were invited, as seats may be offered.
    looked_at: When the host looked for players, if ever.
    level: How computers play that are added next, or that play for absent users.
    hints: Whether players may ask for hints: one of `HINTS`.
    invited_only: Whether only invited users can take a seat, besides the host, even if none of them is left.
    number: Its number for people: among the tables of its server, or of its channel in direct messages.
    plies: The number of its entries.
    former: The users who can't take a seat here any more.
    has_grown: Whether somebody who joined a full lobby has made it one for more players than the host chose.
    continues: The table whose game it plays on, and how many entries of that it took over. Its seed dealt only the
        later ones, and it counts nowhere.
    event: The event whose deal is played here, and the number of the deal from 0 (G-15).
    counted: What its result changed, if it counts.
    finish_by: When it is closed, for a table of an event.
    closed_by: The moderator who closed it in play.
    opening: Who begins, if that is settled before the start.
    gone_on: How many entries there were when its only person last went on to the next deal.
    has_slips: Whether its only person took back moves that computers had answered. It can't raise their rating then.
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
    clock: str = DEFAULT_CLOCK
    rematch_of: int | None = None
    why: str | None = None
    guests: tuple[Guest, ...] = ()
    looked_at: float | None = None
    level: str = DEFAULT_LEVEL
    hints: str = "auto"
    invited_only: bool = False
    number: int = 0
    plies: int = 0
    former: FormerPlayers = FormerPlayers()
    has_grown: bool = False
    continues: tuple[str, int] | None = None
    event: tuple[str, int] | None = None
    counted: Counted | None = None
    finish_by: float | None = None
    closed_by: Person | None = None
    has_slips: bool = False
    opening: Opening | None = None
    gone_on: int = 0

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

    def seat_of(self, user_id: int | None) -> Seat | None:
        """Return the number of the user's seat, if they have one; ``None`` for the public."""
        sitter = None if user_id is None else self.sitter(user_id)
        return None if sitter is None else sitter.seat

    def part_of(self, user_id: int | None) -> Seat | None:
        """Return the seat on which the user plays, or has played if they left it to a computer or a substitute."""
        seat = self.seat_of(user_id)
        if seat is not None or user_id is None:
            return seat
        return next((each.seat for each in self.sitters if user_id in {each.held_for, each.started_by}), None)

    def sitter_at(self, seat: Seat) -> Sitter | None:
        """Return the player on the seat, if there is one."""
        return next((sitter for sitter in self.sitters if sitter.seat == seat), None)

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
    def has_players(self) -> bool:
        """Whether somebody has a seat, or a computer keeps one for them."""
        return any(sitter.user_id is not None or sitter.held_for is not None for sitter in self.sitters)

    @property
    def ended(self) -> Ended | None:
        """The reason for ending the table before the game was over; ``None`` if it didn't, or never started."""
        return _ENDED.get(self.why or "") if self.status == "closed" else None

    @property
    def has_ended(self) -> bool:
        """Whether the game has started and ended."""
        return self.status == "over" or self.ended is not None

    @property
    def is_revealed(self) -> bool:
        """Whether its seed and cards are no longer secret: it has ended, and nobody can play the same deal any more."""
        return self.has_ended and (self.event is None or self.seed is not None)

    @property
    def is_compared(self) -> bool:
        """Whether another table of its server plays the same deal, and is compared with this one."""
        return self.event is not None and self.place.guild_id is not None

    @property
    def is_open(self) -> bool:
        """Whether the table is a lobby or in play."""
        return self.status in {"lobby", "playing"}


class Chosen(msgspec.Struct, frozen=True):
    """How a computer chose an entry: its level, and the number of entries that it had ``seen``."""

    level: str
    seen: int


class Change(msgspec.Struct, frozen=True):
    """What is about to be written about a table, apart from its new version and the time.

    Parameters
    ----------
    table: The table after the change.
    entries: To be added to the log.
    by_user: The user who made or took back the move; ``None`` for computers.
    stand_in: The name of the computer that makes the move for an absent user.
    chosen: How a computer chose the first of the entries.
    automatic: Which of the entries played themselves, counted from 0.
    taken_back: How many entries to remove from the end of the log.
    to_act: The seats that owe a move afterwards; ``None`` if the same do.
    ground: What the change rests on, as `bot.store.waits.ground_of` returned it; else it isn't made.
    uses: What is only possible so often; else the change isn't made.
    result: The result of the game, if the change ends one that counts.
    margin: How far the side of seat 0 is ahead, if the change ends a game of an event by its rules.
    """

    table: Table
    entries: Sequence[Entry] = ()
    by_user: int | None = None
    stand_in: str | None = None
    chosen: Chosen | None = None
    automatic: frozenset[int] = frozenset()
    taken_back: int = 0
    to_act: frozenset[Actor] | None = None
    ground: tuple[object, ...] | None = None
    uses: tuple[Use, ...] = ()
    result: Result | None = None
    margin: int | None = None


class Receipt(msgspec.Struct, frozen=True):
    """The result of a change: the table after it, the version before it, and the users who owed a move then.

    Of a table that was closed, nobody is named. ``removes`` tells whether a user was removed from the table.
    """

    table: Table
    before: int
    owed: frozenset[int] = frozenset()
    removes: bool = False


class Log(msgspec.Struct, frozen=True):
    """A table and all its entries, from one snapshot.

    ``stand_ins`` are the names of computers that made moves for absent users, by the number of the entry. ``hints`` are
    the hints that were shown, each as the number of the entry that was next, and the seat. ``chosen`` are entries that
    computers chose, by number. ``automatic`` are the numbers of those that played themselves.
    """

    table: Table
    entries: tuple[Entry, ...]
    stand_ins: Mapping[int, str] = {}
    hints: tuple[tuple[int, Seat], ...] = ()
    chosen: Mapping[int, Chosen] = {}
    automatic: frozenset[int] = frozenset()
