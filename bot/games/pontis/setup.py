"""The options of Pontis and what follows from them: banks, turns, sides, the size of a hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.errors import InvalidOption
from bot.games.cards import JOKER, PACK, Card
from bot.games.game import Option, Seat, Value

DEFAULT_PLAYERS: Final = 4
OPTIONS: Final = (
    Option("players", tuple(range(2, 14)), "How many play; 4 if nothing is said", "PT-01", DEFAULT_PLAYERS),
    Option("jokers", (2, 0, 3, 4), "Jokers in the pack, each worth 1", "PT-02", 2),
    Option("fake", ("off", "on"), "Whether one may miss while holding a bridge", "PT-24", "off"),
    Option("liar", ("off", "on"), "Whether a miss that a later card belies can be called", "PT-25", "off"),
    Option(
        "curdle",
        ("deadlock", "instant"),
        "A complete curdle ends the game: once nobody can play on, or at once",
        "PT-30",
        "deadlock",
    ),
    Option(
        "out_bonus",
        ("always", "match"),
        "The 4 points for going out count: in every game, or in matches only",
        "PT-33",
        "always",
    ),
    Option("games", tuple(range(1, 11)), "How many games are played and added up", "PT-36", 1),
    Option("banks", tuple(range(2, 14)), "How many banks; one a player if nothing is said", "PT-40"),
    Option("teams", ("off", "on"), "Whether those who share a bank are a team", "PT-42", "off"),
)


@dataclass(frozen=True, slots=True)
class Setup:
    """The settled options of a table, under their keys, and what follows from them.

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
    owners: tuple[Seat, ...]
    """Whose turn each slot is (PT-40)."""
    lap: int
    """Turns until everyone, and every bank, has had one (PT-41)."""
    patience: tuple[int, int]
    """How many misses in a row bring the sum ability, with different tops and with equal ones: a lap, but one after a
    curdle of two (PT-15, PT-26)."""
    sides: tuple[int, ...]
    """The side of each seat: its bank in teams, else itself (T-01)."""
    members: tuple[tuple[Seat, ...], ...]
    """The seats of each side."""
    hand_size: int
    """Cards dealt to each seat."""
    rest: int
    """Cards left out of play (PT-06)."""

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of a game in the order from which a shuffle starts (G-12)."""
        return PACK + (JOKER,) * self.jokers

    def first_slot(self, dealer: Seat) -> int:
        """The slot of the dealer's first bank, where a game starts."""
        return self.owners.index(dealer)


def setup_of(options: Mapping[str, Value]) -> Setup:
    """The setup of settled options. Raises `InvalidOption` for those that exclude one another (T-01, G-06)."""
    return _setup_of(tuple(options.items()))


@lru_cache
def _setup_of(items: tuple[tuple[str, Value], ...]) -> Setup:
    options = dict(items)
    number = {key: value for key, value in options.items() if isinstance(value, int)}
    word = {key: value for key, value in options.items() if isinstance(value, str)}
    players, banks = number["players"], number["banks"]
    _check(players, banks, word)
    hand_size, rest = divmod(52 - banks + number["jokers"], players)
    lap = max(players, banks)
    sides = tuple(seat % banks if word["teams"] == "on" else seat for seat in range(players))
    return Setup(
        players=players,
        jokers=number["jokers"],
        fake=word["fake"],
        liar=word["liar"],
        curdle=word["curdle"],
        out_bonus=word["out_bonus"],
        games=number["games"],
        banks=banks,
        teams=word["teams"],
        owners=tuple(range(players)) if banks < players else tuple(bank * players // banks for bank in range(banks)),
        lap=lap,
        patience=(lap, 1 if lap == 2 else lap),
        sides=sides,
        members=tuple(tuple(seat for seat in range(players) if sides[seat] == side) for side in range(max(sides) + 1)),
        hand_size=hand_size,
        rest=rest,
    )


def options_of(setup: Setup) -> dict[str, Value]:
    """The settled options that the setup was made of."""
    return {option.key: getattr(setup, option.key) for option in OPTIONS}


def _check(players: int, banks: int, word: Mapping[str, str]) -> None:
    if banks % players and players % banks:
        raise InvalidOption(f"{banks} banks don't suit {players} players: one number has to divide the other.", "PT-40")
    if word["liar"] == "on" and word["fake"] == "off":
        raise InvalidOption("liar=on needs fake=on: without faked misses there is nothing to call.", "PT-25")
    if word["teams"] == "on" and banks >= players:
        raise InvalidOption("teams=on needs fewer banks than players: a team shares a bank.", "PT-42")
