"""Standings, bests and recaps of a server as values."""

import msgspec

from bot.ratings import NEW_GAMES, SEASON_GAMES, Rating
from bot.records.table import Table


class Standing(msgspec.Struct, frozen=True):
    """A player's rating in a game on a server, and how many games they played, and won in a row."""

    user_id: int
    name: str
    mu: float
    sigma: float
    games: int
    wins: int
    streak: int
    longest: int

    @property
    def lower_end(self) -> float:
        """The number that orders standings: two standard deviations below the estimate."""
        return Rating(self.mu, self.sigma).lower_end

    @property
    def is_new(self) -> bool:
        """Whether their rating has too few games for a rank."""
        return self.games < NEW_GAMES


class SeasonPlace(msgspec.Struct, frozen=True):
    """A player in a month: how many games they played, and their points a game (`bot.ratings.season_points`)."""

    user_id: int
    name: str
    games: int
    points: float

    @property
    def has_place(self) -> bool:
        """Whether they have played enough for a place."""
        return self.games >= SEASON_GAMES


class Season(msgspec.Struct, frozen=True):
    """A month of a game on a server, the best first, and at the end those without a place.

    ``apart`` are the games in which only one side had people.
    """

    people: tuple[SeasonPlace, ...] = ()
    apart: tuple[SeasonPlace, ...] = ()

    @property
    def champion(self) -> str | None:
        """The name of the first, if anybody has a place."""
        return next((each.name for each in self.people if each.has_place), None)


class Best(msgspec.Struct, frozen=True):
    """A record: whose it is, and its number. That of a pair belongs to both."""

    names: tuple[str, ...]
    value: int


class Bests(msgspec.Struct, frozen=True):
    """The records of a game on a server, as far as there are any. ``apart`` has those against computers alone."""

    catch: Best | None = None
    closest: Best | None = None
    streak: Best | None = None
    apart: "Bests | None" = None


class Played(msgspec.Struct, frozen=True):
    """What happened in a game on a server within some time. ``wins`` are the winners' names, with how often they won.

    People who hide their results count for ``games`` alone. Games against computers alone are counted in ``games``,
    and once more apart.
    """

    game: str
    games: int
    computer_games: int
    wins: tuple[tuple[str, int], ...]
    computer_wins: tuple[tuple[str, int], ...]


class Recap(msgspec.Struct, frozen=True):
    """What happened on a server within some time.

    Parameters
    ----------
    played: The games, those that were played most at the front.
    bests: The records of the first one.
    newcomers: Who finished their first game there.
    """

    played: tuple[Played, ...] = ()
    bests: Bests = Bests()
    newcomers: tuple[str, ...] = ()


class Year(msgspec.Struct, frozen=True):
    """What happened on a server within a year.

    Parameters
    ----------
    games: How often each game was played, the most frequent first. Only these and ``months`` count people who hide.
    computer_games: How many games there were against computers alone.
    months: How many games ended in each month.
    players: How many people finished a game.
    wins: Who won most often, with the number of wins, in all games against people.
    computer_wins: The same in games against computers alone.
    bests: The records of the most frequent game, and the longest streak in any.
    newcomers: Who finished their first game there.
    """

    games: tuple[tuple[str, int], ...] = ()
    computer_games: int = 0
    months: tuple[int, ...] = ()
    players: int = 0
    wins: tuple[tuple[str, int], ...] = ()
    computer_wins: tuple[tuple[str, int], ...] = ()
    bests: Bests = Bests()
    newcomers: tuple[str, ...] = ()


class Meeting(msgspec.Struct, frozen=True):
    """A game that two players took part in, as the first of them sees it."""

    game: str
    ended_at: float
    is_together: bool
    place: int
    their_place: int
    has_won: bool
    score: int
    their_score: int


def counts(table: Table) -> bool:
    """Return whether a game at the table can count.

    Games in direct messages, of events, and those that were played on from a replay, count nowhere.
    """
    return table.place.guild_id is not None and table.continues is None and table.event is None
