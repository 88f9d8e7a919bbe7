"""Who begins a game, where the program says so."""

import msgspec

from bot.games.game import Seat


class Opening(msgspec.Struct, frozen=True):
    """Who begins a return game, or the rematch after one. No host chooses that.

    ``scores`` are those of the first game, by the seats of this table, if it is the return game of one that was played
    to its end.
    """

    seat: Seat
    scores: tuple[int, ...] | None = None
