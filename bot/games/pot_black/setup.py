"""The settled options of a table of Pot Black, and where its chips are."""

from typing import NamedTuple

from bot.games.game import Seat


class Setup(NamedTuple):
    """The settled options of a table."""

    players: int
    form: str
    short: str
    tied_side_pot: str
    end: str
    deals: int

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return (0, 1, 0, 1) if self.form == "partnership" else (0, 1, 2, 3)[: self.players]

    @property
    def stack(self) -> int:
        """The chips each seat begins with."""
        if self.form == "classic":
            return 100 if self.players == 4 else 120
        return 30

    @property
    def penalty(self) -> int:
        """The chips that a black ten costs."""
        return 10 if self.form == "classic" else 3

    def ante(self, last: int, in_play: int) -> int:
        """Return the ante for a number of seats in play. ``last`` is the ante before, 0 if there was none (K-07)."""
        if self.form != "classic":
            return 2
        if not last:
            return 10
        return last + (1 if in_play == 4 else 5)

    def payers(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats that pay what a seat owes, in order: the seat, then its partner (BK-06, BK-13)."""
        return (seat, (seat + 2) % 4) if self.form == "partnership" else (seat,)


class Chips(NamedTuple):
    """The chips of each seat and of both pots. Their sum never changes.

    Stacks belong to seats. Pots belong to nobody until they are won (BK-14, BK-16).
    """

    stacks: tuple[int, ...]
    main: int = 0
    side: int = 0

    @property
    def total(self) -> int:
        """All chips of the table."""
        return sum(self.stacks) + self.main + self.side
