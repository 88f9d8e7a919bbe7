"""Changes that remedies and returning players make at a table. Pure."""

from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.games.game import Seat
from bot.store.records import Changes, Person, Sitter, Table
from bot.tables.absence.deadlines import DEAD_S
from bot.tables.absence.votes import Remedy
from bot.tables.seating import computer_for, with_sitters, wrong_phase


def apply_remedy(table: Table, seats: tuple[Seat, ...], remedy: Remedy, user_id: int) -> Changes:
    """Return the changes of a remedy that isn't ``play``."""
    if remedy == "end":
        return Changes(status="closed", why="agreed")
    absent = [sitter for sitter in table.sitters if sitter.seat in seats and not sitter.is_computer]
    if remedy == "substitute":
        return Changes(sitters=with_sitters(table, *(replace(sitter, offered=True) for sitter in absent)))
    host_gone = any(sitter.user_id == table.host_id for sitter in absent)
    for sitter in absent:
        table = replace(table, sitters=with_sitters(table, computer_for(table, sitter, sitter.user_id)))
    return Changes(sitters=table.sitters, host_id=user_id if host_gone else None)


def kept_seat(table: Table, person: Person) -> Sitter | None:
    """Return the seat of the user that a computer keeps or that is offered, if there is one in play."""
    if table.status != "playing":
        return None
    own = (sitter for sitter in table.sitters if person.id in {sitter.held_for, sitter.user_id})
    return next((sitter for sitter in own if sitter.is_computer or sitter.offered), None)


def come_back(table: Table, person: Person) -> Changes:
    """Give the user their seat back. Raises `WrongPhase` if none is kept for them."""
    sitter = kept_seat(table, person)
    if sitter is None:
        raise wrong_phase(table)
    return Changes(sitters=with_sitters(table, _seat_of(person, sitter)))


def take_seat(table: Table, person: Person) -> Changes:
    """Give the person the first seat that is offered."""
    if table.status != "playing":
        raise wrong_phase(table)
    offered = [sitter for sitter in table.sitters if sitter.offered]
    if not offered:
        raise NotAllowed("There's no free seat at Table {name}.", name=table.name)
    if table.sitter(person.id) is not None:
        raise NotAllowed("You're already playing at Table {name}.", name=table.name)
    host_id = person.id if offered[0].user_id == table.host_id else None
    return Changes(sitters=with_sitters(table, _seat_of(person, offered[0])), host_id=host_id)


def close_dead(table: Table, waited_s: float) -> Changes:
    """Close the table if nothing has happened for `DEAD_S`. Raises `WrongPhase`."""
    if table.status != "playing" or waited_s < DEAD_S:
        raise wrong_phase(table)
    return Changes(status="closed", why="idle")


def _seat_of(person: Person, sitter: Sitter) -> Sitter:
    """Return the seat with the person on it. Transcripts keep the name with which it started (G-10)."""
    began_as, began_by = sitter.began
    if began_as == person.name:
        return Sitter(sitter.seat, person.name, person.id, sitter.cut)
    return Sitter(sitter.seat, person.name, person.id, sitter.cut, began_as, started_by=began_by)
