"""Challenges and duplicates as values."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from bot.games.game import Value
from bot.records.table import DEFAULT_LEVEL

MatchStatus = Literal["offered", "declined", "withdrawn", "expired", "playing", "over", "host-left", "guest-left"]
"""Those after ``offered`` that aren't ``playing`` are final. The last three are of matches that were played."""
LEFT: Final[tuple[MatchStatus, MatchStatus]] = ("host-left", "guest-left")
"""How a challenge in play ends, by side, whose player isn't there any more."""


Kind = Literal["challenge", "duplicate"]


class MatchPlayer(msgspec.Struct, frozen=True):
    """A player of a match. ``user_id`` is ``None``, and the name empty, for those who have deleted their data.

    ``number`` counts the players of the side. Those with even numbers play in the first room of a duplicate.
    """

    side: int
    number: int
    user_id: int | None
    name: str

    @property
    def room(self) -> int:
        """The room of a duplicate where they play, from 0."""
        return self.number % 2


class Match(msgspec.Struct, frozen=True):
    """A match.

    Parameters
    ----------
    event: The name of its event.
    deals: How many tables each side plays, with a deal each (G-15).
    days: For how many days it goes on once it was accepted.
    until: When the offer ends, and then when the match does, in seconds since 1970.
    host_id: Who has offered it.
    level: How computers play.
    rooms: The threads of its two tables, if it is a duplicate: side 0 has the even seats in the first.
    players: Of side 0 first. In a challenge, the first is the host.
    """

    id: int
    event: str
    kind: Kind
    guild_id: int
    channel_id: int
    deals: int
    days: int
    until: float
    status: MatchStatus = "offered"
    host_id: int | None = None
    rooms: tuple[int, ...] = ()
    game: str = ""
    options: Mapping[str, Value] = {}
    level: str = DEFAULT_LEVEL
    players: tuple[MatchPlayer, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it is offered or played."""
        return self.status in {"offered", "playing"}

    @property
    def was_played(self) -> bool:
        """Whether it was played, and has ended: all its games may be seen."""
        return self.status in {"over", *LEFT}

    def players_of(self, side: int) -> tuple[MatchPlayer, ...]:
        """Return the players of a side."""
        return tuple(player for player in self.players if player.side == side)

    def player(self, user_id: int) -> MatchPlayer | None:
        """Return the user as a player, if they are one."""
        return next((player for player in self.players if player.user_id == user_id), None)
