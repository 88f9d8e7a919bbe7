"""The options of Pontis and what follows from them: turns, sides, and the size of a hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from bot.errors import InvalidOption
from bot.games.cards import JOKER, PACK, Card
from bot.games.game import Option, Seat
from bot.games.pontis.bridges import Required

DEFAULT_PLAYERS: Final = 4
MAX_PLAYERS: Final = 13
OPTIONS: Final = (
    Option("players", tuple(range(2, MAX_PLAYERS + 1)), "Number of players", "PT-01", DEFAULT_PLAYERS),
    Option("jokers", (2, 0, 3, 4), "Jokers in the pack, each worth 1", "PT-02", 2),
    Option("fake", ("off", "on"), "Players may miss even if they can play", "PT-24", "off"),
    Option(
        "liar",
        ("off", "on"),
        "Players may call a liar when a card contradicts a miss",
        "PT-25",
        "off",
    ),
    Option(
        "curdle",
        ("deadlock", "instant"),
        "A complete curdle ends the game when nobody can play, or at once",
        "PT-30",
        "deadlock",
    ),
    Option(
        "out_bonus",
        ("always", "match"),
        "4 points for going out: in every game, or only in matches",
        "PT-33",
        "always",
    ),
    Option("games", tuple(range(1, 11)), "Games to play. Their points add up", "PT-36", 1),
    Option("banks", tuple(range(2, 14)), "Number of banks", "PT-40"),
    Option("teams", ("off", "on"), "Players who share a bank play as a team", "PT-42", "off"),
)


@dataclass(frozen=True)
class Setup:
    """The settled options of a table, and what follows from them.

    Turns are counted in slots, from 0: one a seat or, where there are more banks than seats, one a bank (T-02).
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

    @cached_property
    def lap(self) -> int:
        """The number of slots: turns until every seat and every bank has had one (PT-41)."""
        return max(self.players, self.banks)

    @cached_property
    def owners(self) -> tuple[Seat, ...]:
        """The seat of each slot (PT-40)."""
        return tuple(slot * self.players // self.lap for slot in range(self.lap))

    def owners_of(self, bank: int) -> tuple[Seat, ...]:
        """Return the seats that play at a bank, in the order of their turns (PT-40)."""
        return tuple(dict.fromkeys(self.owners[bank :: self.banks]))

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: in teams its bank, else itself (T-01)."""
        return tuple(seat % self.banks if self.teams == "on" else seat for seat in range(self.players))

    @cached_property
    def members(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side."""
        seats = range(self.players)
        return tuple(tuple(seat for seat in seats if self.sides[seat] == side) for side in sorted({*self.sides}))

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of a game, in the order a shuffle starts from (G-12)."""
        return PACK + (JOKER,) * self.jokers

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each seat."""
        return (len(PACK) + self.jokers - self.banks) // self.players

    @property
    def rest(self) -> int:
        """The number of cards that stay out of play (PT-06)."""
        return (len(PACK) + self.jokers - self.banks) % self.players

    @property
    def counts_going_out(self) -> bool:
        """Whether going out scores extra points (PT-33)."""
        return self.out_bonus == "always" or self.games > 1

    def patience(self, required: Required) -> int:
        """Return the number of misses in a row that bring the sum ability: a lap (PT-15).

        After a curdle of two players it is one (PT-26).
        """
        return 1 if self.lap == 2 and 0 in required else self.lap

    def first_slot(self, dealer: Seat) -> int:
        """Return the slot of the dealer's first bank, where a game starts."""
        return self.owners.index(dealer)


def setup_of(options: Mapping[str, Any]) -> Setup:
    """Return the setup of settled options."""
    return Setup(**{option.key: options[option.key] for option in OPTIONS})


def check_players(given: object) -> None:
    """Raise `InvalidOption` for a number of players that is too large. Others are for `Option.read`."""
    number = str(given)
    if number.isdecimal() and int(number) > MAX_PLAYERS:
        raise InvalidOption(
            "Pontis has at most {most} players, even if they share banks: with more, hands would be too small.",
            "PT-01",
            most=MAX_PLAYERS,
        )


def check(setup: Setup) -> None:
    """Raise `InvalidOption` for options that exclude one another (T-01, G-06)."""
    players, banks = setup.players, setup.banks
    if banks % players and players % banks:
        raise InvalidOption(
            "{players} players can't share {banks} banks. One number has to divide the other.",
            "PT-40",
            players=players,
            banks=banks,
        )
    if setup.liar == "on" and setup.fake == "off":
        raise InvalidOption("Calling a liar needs faked misses. Turn both on, or both off.", "PT-25")
    if setup.teams == "on" and banks >= players:
        raise InvalidOption("A team shares a bank, so teams need fewer banks than players.", "PT-42")
