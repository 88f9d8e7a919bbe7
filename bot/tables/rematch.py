"""Rematches: the same players again, each one seat further on. Pure."""

from bot.errors import NotAllowed
from bot.games.game import Seat
from bot.store.records import Guest, Person, Sitter, Table
from bot.tables.seating import wrong_phase


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
        raise wrong_phase(table)
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
    return tuple(Guest(user, is_invited=table.invited_only) for user in users if user not in {None, person.id})


def _next(table: Table, seat: Seat) -> Seat:
    return (seat + 1) % table.seats
