"""Rematches, and return games, in which the other player begins; after both, the loser begins. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.games.game import RESIGNED, AnyGame, Entry, Seat
from bot.records.beginner import Opening
from bot.records.table import Guest, Person, Sitter, Table
from bot.tables import seating
from bot.tables.defaults import beginner_option


def may_return(game: AnyGame, table: Table) -> bool:
    """Whether a table can have a return game: it was played to its end, nobody chose who began, and it isn't one."""
    option = beginner_option(game)
    if option is None or table.event or table.continues or not _is_played(table):
        return False
    is_fair = table.opening is not None or table.options.get(option.key) == option.default
    return is_fair and (table.opening is None or table.opening.scores is None)


def return_opening(game: AnyGame, table: Table, entries: Sequence[Entry]) -> Opening:
    """Return who begins the return game of a table with these entries, where each player sits one seat further on.

    Raises `NotAllowed` if it can't have one.
    """
    option, outcome = beginner_option(game), table.outcome
    if option is None or outcome is None or not may_return(game, table):
        raise NotAllowed("This game has no return game. **Rematch** opens another one.")
    began = int(entries[0].move.removeprefix(f"{option.key} "))
    return Opening((began + 2) % table.seats, tuple([outcome.scores[seat - 1] for seat in range(table.seats)]))


def _is_played(table: Table) -> bool:
    return table.status == "over" and table.outcome is not None and table.outcome.reason != RESIGNED


def totals(table: Table) -> tuple[int, ...] | None:
    """Return the points of both games of a match by seat, after a return game that was played to its end."""
    outcome, opening = table.outcome, table.opening
    if outcome is None or not _is_played(table) or opening is None or opening.scores is None:
        return None
    return tuple([first + second for first, second in zip(opening.scores, outcome.scores, strict=True)])


def rematch_opening(table: Table) -> Opening | None:
    """Return who begins the rematch of a table: after a match its loser, else whoever is drawn."""
    points = totals(table)
    if points is None or len(set(points)) == 1:
        return None
    loser: Seat = points.index(min(points))
    return Opening((loser + 1) % table.seats)


def with_beginner(table: Table, game: AnyGame) -> Table:
    """Return a table that is about to start, with who begins among its options if that is settled."""
    option = beginner_option(game)
    if option is None or table.opening is None:
        return table
    return replace(table, options={**table.options, option.key: str(table.opening.seat)})


# ---- who plays


def next_seat(table: Table, user_id: int) -> Seat | None:
    """Return the user's seat in the rematch: one further on, so that another player starts."""
    for sitter in table.sitters:
        if user_id in {sitter.user_id, sitter.held_for}:
            return _next(table, sitter.seat)
    return None


def rematch_sitters(table: Table, person: Person) -> tuple[Sitter, ...]:
    """Return the first players of the rematch: the person who asks for it, and the computers.

    Raises `WrongPhase` before the end, `NotAllowed` if the person didn't play.
    """
    if not table.has_ended:
        raise seating.wrong_phase(table)
    seat = next_seat(table, person.id)
    if seat is None:
        raise NotAllowed(
            "Only players of Table {name} can ask for a rematch. You can join if a seat stays free.", name=table.name
        )
    computers = [
        Sitter(_next(table, sitter.seat), sitter.name, None, level=sitter.level)
        for sitter in table.sitters
        if sitter.is_computer and sitter.held_for is None
    ]
    return tuple(sorted((*computers, Sitter(seat, person.name, person.id)), key=lambda sitter: sitter.seat))


def rematch_guests(table: Table, person: Person) -> tuple[Guest, ...]:
    """Return the other players, as guests of the rematch."""
    users = (user for sitter in table.sitters for user in (sitter.user_id, sitter.held_for))
    others = sorted({user for user in users if user not in {None, person.id}})
    return tuple(Guest(user, is_invited=table.invited_only) for user in others)


def opponent(table: Table, game: AnyGame, user_id: int) -> int | None:
    """Return whom the user has played against in a game of two sides of one person each, with or without computers.

    ``None`` if it was another game or hasn't ended, or the user didn't play.
    """
    seats = {user: each.seat for each in table.sitters for user in (each.user_id, each.held_for) if user is not None}
    if not table.has_ended or table.event or user_id not in seats or len(seats) != 2:
        return None
    (other,) = seats.keys() - {user_id}
    sides = game.sides(table.options)
    return other if len(set(sides)) == 2 and sides[seats[other]] != sides[seats[user_id]] else None


def _next(table: Table, seat: Seat) -> Seat:
    return (seat + 1) % table.seats
