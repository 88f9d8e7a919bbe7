"""The options of Pontis and what follows from them: banks, turns, sides, the size of a hand."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.errors import InvalidOption
from bot.games.cards import JOKER, PACK, Card
from bot.games.game import Option, Seat, Value

DEFAULT_PLAYERS: Final = 4
OPTIONS: Final = (
    Option("players", tuple(range(2, 14)), "How many play.", "PT-01", DEFAULT_PLAYERS),
    Option("jokers", (2, 0, 3, 4), "Jokers in the pack, worth 1 each.", "PT-02", 2),
    Option("fake", ("off", "on"), "Whether one may miss while holding a bridge.", "PT-24", "off"),
    Option("liar", ("off", "on"), "Whether a fake proven by a later card can be called.", "PT-25", "off"),
    Option("curdle", ("deadlock", "instant"), "When a complete curdle ends the game.", "PT-30", "deadlock"),
    Option(
        "out_bonus", ("always", "match"), "Whether going out earns 4 points in a single game too.", "PT-33", "always"
    ),
    Option("games", tuple(range(1, 11)), "How many games are added up.", "PT-36", 1),
    Option("banks", tuple(range(2, 14)), "How many banks; usually one a player.", "PT-40"),
    Option("teams", ("off", "on"), "Whether those who share a bank are a team.", "PT-42", "off"),
)


class Setup(NamedTuple):
    """The settled options of a table, and what follows from them.

    Turns are counted in slots, from 0: seat by seat, or bank by bank where there are more banks than seats (T-02).
    """

    players: int
    jokers: int
    fake: str
    liar: str
    curdle: str
    out_bonus: str
    games: int
    banks: int
    teams: str

    @property
    def lap(self) -> int:
        """Turns until everyone, and every bank, has had one (PT-41)."""
        return max(self.players, self.banks)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat."""
        return (52 - self.banks + self.jokers) // self.players

    @property
    def rest(self) -> int:
        """Cards left out of play (PT-06)."""
        return (52 - self.banks + self.jokers) % self.players

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of a game in the order from which a shuffle starts (G-12)."""
        return PACK + (JOKER,) * self.jokers

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: its bank in teams, else itself (T-01)."""
        if self.teams == "on":
            return tuple(seat % self.banks for seat in range(self.players))
        return tuple(range(self.players))

    def owner(self, slot: int) -> Seat:
        """Whose turn a slot is (PT-40)."""
        return slot if self.banks <= self.players else slot // (self.banks // self.players)

    def first_slot(self, dealer: Seat) -> int:
        """The slot of the dealer's first bank, where a game starts."""
        return dealer if self.banks <= self.players else dealer * (self.banks // self.players)

    def banks_of(self, side: int) -> range:
        """The banks that belong to a side alone: none where they are shared without teams."""
        if self.teams == "on":
            return range(side, side + 1)
        each = self.banks // self.players
        return range(side * each, side * each + each)


def setup_of(options: Mapping[str, Value]) -> Setup:
    """The setup of settled options."""
    number = {key: value for key, value in options.items() if isinstance(value, int)}
    word = {key: value for key, value in options.items() if isinstance(value, str)}
    return Setup(
        players=number["players"],
        jokers=number["jokers"],
        fake=word["fake"],
        liar=word["liar"],
        curdle=word["curdle"],
        out_bonus=word["out_bonus"],
        games=number["games"],
        banks=number["banks"],
        teams=word["teams"],
    )


def check(setup: Setup) -> None:
    """Raises `InvalidOption` for options that exclude one another (T-01, G-06)."""
    if setup.banks % setup.players and setup.players % setup.banks:
        raise InvalidOption(
            f"{setup.banks} banks don't suit {setup.players} players: one number has to divide the other.", "PT-40"
        )
    if setup.liar == "on" and setup.fake == "off":
        raise InvalidOption("liar=on needs fake=on: without faked misses there is nothing to call.", "PT-25")
    if setup.teams == "on" and setup.banks >= setup.players:
        raise InvalidOption("teams=on needs fewer banks than players: a team shares a bank.", "PT-42")
