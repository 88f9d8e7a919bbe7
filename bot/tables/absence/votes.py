"""Votes about absent players: who may apply a remedy, and when. Pure.

The remedies, in this order: a computer plays the turn; a computer takes the seat; a substitute is asked; the table is
closed. After the time limit, any player may apply one; before that, a majority of the players who aren't waited for.
Without a clock, the only one who isn't waited for is that majority, and can bring in a computer as early. A substitute
and the end take four times as long. If all players agree, the table ends at any time, without a result or counted as it
stands. A host without fellow players, as these have left or computers have their seats, decides that alone. The players
of a side agree in the same way to concede.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Final, Literal, NamedTuple, get_args

from bot.errors import NotAllowed
from bot.games.game import Actor, Seat
from bot.records.table import Table
from bot.store.waits import Wait
from bot.tables.absence.deadlines import CLOCKS, DAY, HOUR, MINUTE, patience_s, steps
from bot.tables.closing import check_uncompared, is_away, others_to_agree
from bot.tables.seating import need_playing, seated

Remedy = Literal["play", "seat", "substitute", "end", "count"]
"""A computer plays this turn; a computer takes the seat; a substitute is asked; it is closed without a result; or it is
closed, and counted as it stands."""

REMEDIES: Final[tuple[Remedy, ...]] = get_args(Remedy)
ENDS: Final[frozenset[Remedy]] = frozenset({"end", "count"})
"""What all players can agree on at any time. Nothing else makes a table count."""

STAY: Final = "stay"
"""Stored in place of a remedy for a user who doesn't want the table to end, or their side to concede."""
CONCEDE: Final = "concede"
"""Stored in place of a remedy for a user who wants their side to concede. Only their partners see that."""

_SLOW: Final[frozenset[Remedy]] = frozenset({"substitute", "end"})
"""Remedies that can't be reversed. They take longer."""
_SLOW_FACTOR: Final = 4
_MEDIANS: Final = 10
_MIN_VOTE_AFTER_S: Final = 10 * MINUTE
_MAX_VOTE_AFTER_S: Final = DAY
_VOTE_AFTER_WITHOUT_MOVES_S: Final = HOUR
_QUICKEST_MOVES_S: Final = (0.0,)
"""After such moves, votes are allowed soonest."""


def vote_after_s(clock: str, moves_s: Sequence[float], remedy: Remedy = "play") -> float:
    """Return the time without a move after which a majority may apply the remedy.

    Without a clock it depends on ``moves_s``, how long people took for their moves at this table.
    """
    limit_s = CLOCKS[clock]
    if limit_s is not None:
        after_s = limit_s / 4
    elif not moves_s:
        after_s = _VOTE_AFTER_WITHOUT_MOVES_S
    else:
        after_s = min(max(_MEDIANS * median(moves_s), _MIN_VOTE_AFTER_S), _MAX_VOTE_AFTER_S)
    return _SLOW_FACTOR * after_s if remedy in _SLOW else after_s


def tap_after_s(clock: str, moves_s: Sequence[float], remedy: Remedy = "play", *, is_majority: bool = False) -> float:
    """Return the time without a move after which any player may apply the remedy.

    ``is_majority``: whether a single player is all that isn't waited for.
    """
    after_s = vote_after_s(clock, moves_s, remedy)
    if is_majority and CLOCKS[clock] is None and remedy not in _SLOW:
        return after_s
    return max(patience_s(clock), after_s)


@cache
def early_s(clock: str) -> float:
    """Return the minimum time from a change to a vote about an absence or a step."""
    return min(vote_after_s(clock, _QUICKEST_MOVES_S), steps(clock)[0].after_s)


def is_early(table: Table, now: float) -> bool:
    """Return whether it is too early for anything about an absence, except votes to end the table by agreement."""
    return 0.0 <= now - table.changed_at < early_s(table.clock)


def may_be_moved_on_at(table: Table, owing: Collection[Actor]) -> float | None:
    """Return the earliest time at which a single player could move on the table, if there is only one to do so."""
    users = [sitter.seat for sitter in table.sitters if not sitter.is_computer]
    is_alone = len(users) > 1 and len([seat for seat in users if seat not in owing]) == 1
    return table.changed_at + early_s(table.clock) if is_alone and CLOCKS[table.clock] is None else None


@dataclass(frozen=True, slots=True)
class Standstill:
    """Which players a table waits for and since when, and the votes about it.

    Parameters
    ----------
    waited_for: The seats of users that owe a move.
    began: ``since``, plus the time when the program was away or the players are on holiday.
    waited_s: How long the table has waited, without that time.
    moves_s: As in `vote_after_s`.
    voters: The users who aren't waited for.
    everyone: All users, including absent ones whose seats computers keep, but not those who have let a computer play
        for them. If all agree, the table ends.
    votes: Those of ``voters``, and votes of the others to end the table: they can't vote for anything else.
    refusals: The users who don't want the table to end, or their side to concede.
    concessions: The users who want their side to concede.
    """

    clock: str
    waited_for: tuple[Seat, ...]
    since: float
    began: float
    waited_s: float
    moves_s: tuple[float, ...]
    voters: tuple[int, ...]
    everyone: tuple[int, ...]
    votes: Mapping[int, Remedy]
    refusals: tuple[int, ...] = ()
    concessions: tuple[int, ...] = ()

    @property
    def needed(self) -> int:
        """The number of votes for a remedy that is a majority."""
        return len(self.voters) // 2 + 1

    def vote_at(self, remedy: Remedy) -> float:
        """Return when a majority may apply the remedy."""
        return self.began + vote_after_s(self.clock, self.moves_s, remedy)

    def due_at(self, remedy: Remedy = "play") -> float:
        """Return when any player may apply the remedy."""
        return self.began + self._tap_after_s(remedy)

    def _tap_after_s(self, remedy: Remedy) -> float:
        return tap_after_s(self.clock, self.moves_s, remedy, is_majority=len(self.voters) == 1)

    def is_votable(self, remedy: Remedy) -> bool:
        """Return whether a majority may apply the remedy."""
        if remedy == "count":
            return False
        has_waited = self.waited_s >= vote_after_s(self.clock, self.moves_s, remedy)
        return bool(self.waited_for) and len(self.voters) > 1 and has_waited

    def is_due(self, remedy: Remedy = "play") -> bool:
        """Return whether any player may apply the remedy."""
        has_waited = self.waited_s >= self._tap_after_s(remedy)
        return remedy not in {"count", "concede"} and bool(self.waited_for) and has_waited

    def is_early(self, remedy: Remedy) -> bool:
        """Return whether nobody can do anything for the remedy yet."""
        return not (remedy in ENDS or self.is_due(remedy) or self.is_votable(remedy))

    def votes_for(self, remedy: Remedy) -> tuple[int, ...]:
        """Return the users who vote for the remedy."""
        return tuple(user for user, wanted in self.votes.items() if wanted == remedy)

    def tally(self, remedy: Remedy, also: int | None = None) -> tuple[int, int]:
        """Return the number of votes for the remedy, counting the user ``also``, and the number it needs."""
        wanting = {*self.votes_for(remedy), *(() if also is None else (also,))}
        if remedy in ENDS and not self.is_votable(remedy):
            return len(wanting.intersection(self.everyone)), len(self.everyone)
        return len(wanting.intersection(self.voters)), self.needed


def standstill_of(
    table: Table, owing: Collection[Actor], wait: Wait, now: float, moves_s: tuple[float, ...]
) -> Standstill:
    """Return the standstill of a table where the seats ``owing`` are to move."""
    players = {sitter.seat: sitter.user_id for sitter in table.sitters if sitter.user_id is not None}
    waited_for = tuple(seat for seat in players if seat in owing)
    voters = tuple(user for seat, user in players.items() if seat not in waited_for)
    everyone = _everyone(table)
    return Standstill(
        clock=table.clock,
        waited_for=waited_for,
        since=wait.since,
        began=wait.since + wait.away_s + wait.rest_s,
        waited_s=max(0.0, now - wait.since - wait.away_s),
        moves_s=moves_s,
        voters=voters,
        everyone=everyone,
        votes=_counted(wait, voters, everyone),
        refusals=tuple(user for user in everyone if wait.votes.get(user) == STAY),
        concessions=tuple(user for user in everyone if wait.votes.get(user) == CONCEDE),
    )


def _everyone(table: Table) -> tuple[int, ...]:
    """Return the users whose game it is, without those who have let a computer play for them."""
    return others_to_agree(table, 0)


def _counted(wait: Wait, voters: Collection[int], everyone: Collection[int]) -> dict[int, Remedy]:
    """Return the votes that count: users who are waited for may only vote for the end of the game."""
    return {
        user: remedy
        for user in everyone
        for remedy in REMEDIES
        if wait.votes.get(user) == remedy and (remedy in ENDS or user in voters)
    }


def may_count_alone(table: Table, user_id: int) -> bool:
    """Return whether the user alone can let the table count: the host, once computers play for all the others."""
    had_others = any(sitter.is_computer and sitter.began[1] is not None for sitter in table.sitters)
    is_host = user_id == table.host_id and table.sitter(user_id) is not None
    return is_host and had_others and not others_to_agree(table, user_id)


class Verdict(NamedTuple):
    """Whether a remedy may be applied to which seats at this version, and how many votes it has and needs."""

    granted: bool
    seats: tuple[Seat, ...]
    votes: int
    needed: int
    version: int


def judge(table: Table, standstill: Standstill, user_id: int, remedy: Remedy) -> Verdict:
    """Return the result of the user's vote for a remedy. Raises `NotSeated`, `WrongPhase` or `NotAllowed`."""
    own = seated(table, user_id).seat
    need_playing(table)
    seats = tuple(seat for seat in standstill.waited_for if seat != own)
    if seats and standstill.is_due(remedy):
        return Verdict(granted=True, seats=seats, votes=1, needed=1, version=table.version)
    if remedy == "count" and may_count_alone(table, user_id):
        check_uncompared(table)
        return Verdict(granted=True, seats=seats, votes=1, needed=1, version=table.version)
    if remedy in ENDS:
        _check_end(table, standstill, remedy)
        votes, needed = standstill.tally(remedy, user_id)
        return Verdict(votes >= needed, seats, votes, needed, table.version)
    if not seats:
        if own in standstill.waited_for:
            raise NotAllowed("Nobody is away: it's your turn at **Table {name}**.", name=table.name)
        raise NotAllowed("Table {name} isn't waiting for anyone.", name=table.name)
    _check_vote(standstill, user_id, remedy)
    votes, needed = standstill.tally(remedy, user_id)
    return Verdict(votes >= needed, seats, votes, needed, table.version)


def partners_to_agree(table: Table, sides: Sequence[int], standstill: Standstill, user_id: int) -> tuple[int, ...]:
    """Return the partners who have to agree that the user's side concedes. Those who are away too long needn't."""
    own = seated(table, user_id)
    late = standstill.waited_for if standstill.is_due() else ()
    partners = [each for each in table.sitters if sides[each.seat] == sides[own.seat] and each.seat != own.seat]
    return tuple(each.user_id for each in partners if each.user_id and each.seat not in late and not is_away(each))


def judge_concession(table: Table, sides: Sequence[int], standstill: Standstill, user_id: int) -> Verdict:
    """Return the result of the user's vote that their side concedes, with the seat that asked first.

    Raises `NotSeated`, `WrongPhase` or `NotAllowed`.
    """
    own = seated(table, user_id).seat
    need_playing(table)
    if len(set(sides)) != 2:
        raise NotAllowed("You can only concede in a game between two sides.")
    check_uncompared(table)
    partners = partners_to_agree(table, sides, standstill, user_id)
    agreed = [user for user in standstill.concessions if user in partners]
    asker = next((seat for user in agreed if (seat := table.seat_of(user)) is not None), own)
    return Verdict(len(agreed) == len(partners), (asker,), 1 + len(agreed), 1 + len(partners), table.version)


def _check_end(table: Table, standstill: Standstill, remedy: Remedy) -> None:
    if len(standstill.everyone) == 1:
        check_uncompared(table)
    if remedy == "count" and len(standstill.everyone) == 1:
        raise NotAllowed(
            "Nobody else is playing at Table {name}, so it can't count. Close it instead.", name=table.name
        )


def _check_vote(standstill: Standstill, user_id: int, remedy: Remedy) -> None:
    if user_id not in standstill.voters:
        raise NotAllowed("It's your turn too. Play first, then you can vote.")
    if len(standstill.voters) < 2:
        raise NotAllowed(
            "One vote isn't enough yet. You can do this alone {when}.", when=f"<t:{standstill.due_at(remedy):.0f}:R>"
        )
    if not standstill.is_votable(remedy):
        raise NotAllowed(
            "It's too early for a vote on this. You can vote {when}.", when=f"<t:{standstill.vote_at(remedy):.0f}:R>"
        )
